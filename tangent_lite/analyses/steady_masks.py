"""Masks that stay as they are: what one chooses is as long, whichever array it chooses from.

    low = x < 0.5
    y[low] = np.sin(x[low])             # as long as y[low], however many that may be

A name that is bound once, outside of loops, to truth values that nothing writes into, means the
same elements wherever it is an index, and so do two that are computed alike: `y[~low] = x[~low]`.
In a loop those of the last iteration may be others, and what was kept of them may be longer.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, definitions

_COMPUTED = (gast.Compare, gast.UnaryOp, gast.BinOp, gast.BoolOp)
_ANYTHING = (gast.Call, gast.Subscript, gast.Attribute)      # may depend on more than its names
_DEEPEST = 8                    # how many names an expression is looked into


def steady_masks(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases) -> dict[str, Any]:
    """Such names in a function in normal form whose variables are told apart, as far as they are an
    index alone, each with a token for the shape of what it chooses."""
    found = {named: node.slice for node in syntax.all_of(tree, gast.Subscript)
             if (named := syntax.named_mask(node.slice)) is not None
             and _is_mask(facts.names.get(named.lstrip("~"), kinds.UNKNOWN))}
    if not found:
        return {}
    values = _Values(tree, aliases)
    alike: dict[str, Any] = {}
    return {named: alike.setdefault(gast.dump(value), kinds.new_shape())
            for named, index in sorted(found.items())
            if (value := values.of(named.lstrip("~"), index)) is not None}


class _Values:
    """What names mean that mean one thing from where they are bound to the end."""

    def __init__(self, tree: gast.FunctionDef, aliases: Aliases) -> None:
        self.aliases = aliases
        self.bound = Counter(syntax.parameter_names(tree.args))
        self.made: dict[str, gast.expr] = {}
        self.in_loops: set[str] = set()
        for node in syntax.statements(tree.body):
            self.bound.update(definitions(node))
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                self.made[node.targets[0].id] = node.value
            elif isinstance(node, (gast.For, gast.While)):
                self.in_loops |= bound_in([node])

    def of(self, name: str, index: gast.expr) -> gast.expr | None:
        """The mask that an index of that name is, `m` or `~m`."""
        value = self.value(name)
        return None if value is None else syntax.substitute(index, {name: value})

    def value(self, name: str, deep: int = 0) -> gast.expr | None:
        """How a value is computed, in terms of names that mean one thing; None of one that may mean
        another thing, or be written into; what is bound outside others may bind anew."""
        if self.bound[name] != 1 or name in self.in_loops or self.aliases.may_change(name):
            return None
        made = self.made.get(name)
        if not isinstance(made, _COMPUTED) or deep == _DEEPEST:
            return syntax.load(name)
        parts = {n: self.value(n, deep + 1) for n in sorted(syntax.read_names(made))}
        if None in parts.values() or any(isinstance(p, _ANYTHING) for p in syntax.walk(made)):
            return syntax.load(name)            # as it was when it was computed
        return syntax.substitute(made, parts)


def _is_mask(kind: kinds.Kind) -> bool:
    return isinstance(kind, kinds.Array) and kind.dtype == "bool" and kind.ndim is not None
