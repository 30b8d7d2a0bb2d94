"""Ask for a length again, where nothing changes it, in place of a name for it.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(xs):
...     total = 0.0
...     stop = len(xs)
...     for k in range(stop):
...         total = total + xs[k]
...     return total
... ''').body[0]
>>> facts = infer(tree, {"xs": Array(1, "float")}, Typer({}, {}.get))
>>> aliases = SimpleNamespace(is_regrown=lambda name: False)
>>> lengths(tree, facts, aliases, ["xs"], {"total"})
>>> print(emit(tree), end="")
def f(xs):
    total = 0.0
    for k in range(len(xs)):
        total = total + xs[k]
    return total

`frame` knows no kinds: it names the bound of a range that a write might change. No write changes
the length of an array or a tuple, nor that of a list of which no more than items change. So the
backward pass asks for it again, and in a loop it need not be recorded.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.mentions import definitions
from tangent_lite.syntax import COMPOUND


def lengths(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, parameters: list[str],
            kept: frozenset[str] | set[str]) -> None:
    """Write the bounds of loops out in the tree, in place; kept: names of the user, which stay."""
    found = [(block, spot) for block in syntax.all_blocks(tree) for spot, node in enumerate(block)
             if _is_bound(node) and node.targets[0].id not in kept]
    if not found:
        return
    bound = Counter(parameters)
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.For):
            bound.update(2 * syntax.bound_names(node.target))
        elif not isinstance(node, COMPOUND):
            bound.update(definitions(node))
    read = Counter(n.id for n in syntax.names_in(tree) if isinstance(n.ctx, gast.Load))
    change = {aliases.find(name) for name in facts.names if aliases.is_regrown(name)}

    def keeps_its_length(name: str) -> bool:
        kind = facts.names.get(name)
        return bound[name] == 1 and (
            isinstance(kind, (kinds.TupleKind, kinds.Text))
            or (isinstance(kind, kinds.Array) and kind.ndim != 0)
            or (isinstance(kind, kinds.ListKind) and aliases.find(name) not in change
                and not aliases.is_mutated(name)))

    for block, spot in found:
        named: Any = block[spot]
        name = named.targets[0].id
        loop = next((n for n in block[spot + 1:] if isinstance(n, COMPOUND)), None)
        if bound[name] == read[name] == 1 and isinstance(loop, gast.For) \
                and all(map(keeps_its_length, _measured(named.value))):
            places = [i for i, a in enumerate(loop.iter.args) if getattr(a, "id", "") == name]
            if places:
                loop.iter.args[places[0]] = named.value
                facts.mentions.rewritten(loop)
                named.targets = []
    for block in {id(block): block for block, _ in found}.values():
        block[:] = [n for n in block if not isinstance(n, gast.Assign) or n.targets]


def _is_bound(node: gast.stmt) -> bool:
    """Whether a statement gives a length a name."""
    return node.__class__ is gast.Assign and node.value.__class__ in _MEASURING \
        and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name) \
        and bool(_measured(node.value))


_MEASURING = frozenset({gast.BinOp, gast.Call})


def _measured(value: gast.expr) -> list[str]:
    """The names of which the lengths are all that an expression reads: xs, of `len(xs) - 1`."""
    names = []
    todo: list[gast.expr] = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, gast.BinOp) and isinstance(part.op, (gast.Add, gast.Sub)):
            todo += [part.left, part.right]
        elif isinstance(part, gast.Call) and getattr(part.func, "id", "") == "min" \
                and len(part.args) > 1 and not part.keywords:
            todo += part.args
        elif isinstance(part, gast.Call) and getattr(part.func, "id", "") == "len" \
                and len(part.args) == 1 and isinstance(part.args[0], gast.Name):
            names.append(part.args[0].id)
        elif not isinstance(part, gast.Constant):
            return []
    return names
