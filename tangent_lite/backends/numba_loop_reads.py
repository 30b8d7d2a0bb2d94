"""What later statements of a group read of what earlier ones made."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import definitions
from tangent_lite.backends import numba_words
from tangent_lite.backends.numba_words import Means


class Later:
    """Questions about the statements of a group from one of them on, and about its results."""

    def __init__(self, statements: list[gast.stmt], results: list[str], hollow: frozenset[str],
                 means: Means) -> None:
        self.statements, self.results, self.means = statements, set(results) - hollow, means
        self.hollow = hollow

    def is_needed(self, name: str) -> bool:
        """Whether the array of a name is read later, and not its shape only."""
        for node in self.statements:
            if name in read_for_elements(node, self.means):
                return True
            if name in definitions(node):
                return False
        return name in self.results

    def shape_is_needed(self, name: str) -> bool:
        for node in self.statements:
            if name in syntax.read_names(node):
                return True
            if name in definitions(node):
                return False
        return name in self.hollow

    def only_whole(self, name: str) -> bool:
        """Whether a name is only read, as a whole, and here only."""
        if name in self.results or name in self.hollow:
            return False
        for node in self.statements[1:]:
            if isinstance(node, gast.AugAssign) and syntax.root_name(node.target) == name:
                return False
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript) \
                    and syntax.root_name(node.targets[0]) == name:
                return False
            if isinstance(node, gast.Assign) and isinstance(node.value, gast.Name) \
                    and node.value.id == name:
                return False
            if isinstance(node, gast.Expr) and node.value.args \
                    and syntax.root_name(node.value.args[0]) == name:
                return False
            for part in gast.walk(node):
                if isinstance(part, (gast.Subscript, gast.Attribute)) and isinstance(
                        part.value, gast.Name) and part.value.id == name:
                    return False
            if name in definitions(node):
                return True
        return True


def read_for_elements(node: Any, means: Means) -> set[str]:
    """Names that a simple statement, or an expression, reads for more than their shape."""
    found: set[str] = set()
    todo: list[Any] = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, gast.Name):
            found.add(part.id)
            continue
        if isinstance(part, gast.Attribute) and isinstance(part.value, gast.Name) \
                and part.attr in ("size", "shape"):
            continue
        if isinstance(part, gast.Assign) and all(
                isinstance(one, gast.Name) for target in part.targets
                for one in getattr(target, "elts", [target])):
            todo.append(part.value)
            continue
        if isinstance(part, gast.Call):
            function = means(part.func)
            if function is numba_words.BROADCAST:
                continue
            at = 1 if function in (numba_words.UNBROADCAST, numba_words.UNREDUCE) else \
                0 if function in numba_words.ZEROS else None
            # `by.reshape(x.shape)` reads by, whose method it is.
            todo.append(part.func)
            todo += [a for k, a in enumerate(part.args) if k != at or not isinstance(a, gast.Name)]
            todo += part.keywords
            continue
        todo += gast.iter_child_nodes(part)
    return found
