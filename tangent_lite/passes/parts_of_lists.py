"""Write the part of a list that is replaced as all of the list: `u[1:-1] = v`.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import FLOAT
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(u, v):
...     u[1:-1] = v
...     return u
... ''').body[0]
>>> typer = Typer({}, {"len": len, "max": max}.get)
>>> facts = infer(tree, {"u": ListKind(FLOAT), "v": ListKind(FLOAT)}, typer)
>>> parts_of_lists(tree, tree, facts, typer, Names(syntax.all_names(tree)),
...                lambda thing, name: syntax.load(name))
True
>>> print(emit(tree), end="")
def f(u, v):
    front = u[:1]
    joined = front + v
    length = len(u)
    from_end = length - 1
    start = max(1, from_end)
    back = u[start:]
    u_1 = joined + back
    u[:] = u_1
    return u

What is in front of the part stays, and what is behind it, which is where Python has it in a list
that is too short for the part as well: there the part is empty, and lies behind the front.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer
from tangent_lite.kinds import ListKind
from tangent_lite.names import Names, stem

External = Callable[[Any, str], gast.expr]


def parts_of_lists(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
                   typer: Typer, names: Names, external: External) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.
    """
    found = False
    versions = dict(zip(map(id, syntax.statements(tree.body)), syntax.statements(numbered.body),
                        strict=True))
    for block in syntax.all_blocks(tree):
        for node in list(block):
            target = syntax.target_of(node)
            if not isinstance(node, gast.Assign) or not isinstance(target, gast.Subscript) \
                    or not isinstance(target.slice, gast.Slice) or syntax.is_colon(target.slice) \
                    or not isinstance(node.value, gast.Name):
                continue
            version: Any = versions[id(node)]
            typer.names = facts.before.get(id(version), {})
            whole = typer.kind(version.targets[0].value)
            bounds = _bounds(target.slice)
            if isinstance(whole, ListKind) and kinds.can_vary(whole) and bounds is not None \
                    and isinstance(typer.kind(version.value), ListKind):
                made = _Parts(node, names, external).joined(*bounds)
                at = next(k for k, one in enumerate(block) if one is node)
                block[at:at + 1] = [syntax.copy_place(one, node) for one in made]
                found = True
    return found


def _bounds(index: gast.Slice) -> tuple[int, int | None] | None:
    """Where a part starts and stops, as far as it is written out; None where it is not, or the
    start is counted from the end."""
    if index.step is not None:
        return None
    start = 0 if index.lower is None else syntax.constant_int(index.lower)
    stop = None if index.upper is None else syntax.constant_int(index.upper)
    if start is None or start < 0 or (stop is None and index.upper is not None):
        return None
    return start, stop


class _Parts:
    """The statements that replace a part of a list."""

    def __init__(self, node: gast.Assign, names: Names, external: External) -> None:
        self.node, self.names, self.external = node, names, external
        self.target: Any = node.targets[0]
        self.out: list[gast.stmt] = []

    def joined(self, start: int, stop: int | None) -> list[gast.stmt]:
        """`u[:] = u[:start] + v + u[end:]`"""
        value: gast.expr = self.node.value
        if start:
            value = self.named("joined", syntax.binary(
                self.part("front", None, syntax.constant(start)), "+", value))
        if stop is not None:
            end: gast.expr = syntax.constant(stop)
            if stop >= 0:
                end = syntax.constant(max(start, stop))
            elif start:
                length = self.named("length", syntax.call(
                    self.external(len, "len"), syntax.copy(self.target.value)))
                from_end = self.named("from_end", syntax.binary(
                    length, "-", syntax.constant(-stop)))
                end = self.named("start", syntax.call(self.external(max, "max"),
                                                      syntax.constant(start), from_end))
            value = syntax.binary(value, "+", self.part("back", end, None))
            value = self.named(stem(syntax.root_name(self.target) or "list"), value)
        self.target.slice = gast.Slice(None, None, None)
        self.node.value = value
        return [*self.out, self.node]

    def part(self, wish: str, lower: gast.expr | None, upper: gast.expr | None) -> gast.expr:
        return self.named(wish, syntax.subscript(syntax.copy(self.target.value),
                                                 gast.Slice(lower, upper, None)))

    def named(self, wish: str, value: gast.expr) -> gast.expr:
        name = self.names.fresh(wish)
        self.out.append(syntax.assign(name, syntax.copy_place(value, self.node)))
        return syntax.load(name)
