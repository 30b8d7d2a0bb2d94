"""Leave a number a number where it is spread to an array for nothing but arithmetic with others.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> vector = kinds.Array(1, "float", kinds.new_shape())
>>> tree = gast.parse('''
... def f(bs, x, y, s):
...     bt = unreduce(bs, x)
...     bx = bt * y
...     bx += bt / x
...     bx += x * (2.0 * bt)
...     bu = bt / s
...     by = bu * y
...     bs = np.sum(bt) + bu @ y
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> known = {"bs": kinds.FLOAT, **dict.fromkeys(["bt", "bx", "bu", "by"], vector)}
>>> unspread(tree.body, SimpleNamespace(
...     typer=Typer({}, {"np": np}.get), adjoint_kinds=known,
...     external=lambda thing, name: syntax.load(name),
...     facts=SimpleNamespace(names={"x": vector, "y": vector, "s": kinds.FLOAT})))
>>> print(emit(tree), end="")
def f(bs, x, y, s):
    bt = bs
    bx = bt * y
    bx += bt / x
    bx += x * (2.0 * bt)
    bu = bt / s
    by = bu * y
    bs = bt * x.size + bu * np.sum(y)

NumPy spreads a number itself, beside an array of the shape that it was spread to, and so it does to
elements that it is added to, to rows (`bt[:, None] * y`), and in a choice. Where all elements are
added up, they are counted, or the others are. What is computed of it and of numbers alone stays a
number as well. So it is with a row that is spread to several, `unreduce(row, x, 0)`.
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.derived import Derived
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.analyses.mentions import Mentions, head
from tangent_lite.inference import Typer

_ARITHMETIC = (gast.Mult, gast.Div, gast.Add, gast.Sub)


def unspread(body: list[gast.stmt], context: Derived, mentions: Mentions | None = None) -> None:
    """Do so in a body, in place; mentions: what the statements mention."""
    spread = {node.targets[0].id: _Spread(node, node.value.args[1], None)
              for node in syntax.every_statement(body)
              if node.__class__ is gast.Assign and _is_spread(node.value)
              and not getattr(node, "lineno", None) and isinstance(node.targets[0], gast.Name)}
    if not spread:
        return
    typer = context.typer
    typer.names = Scopes(context.facts.names, context.adjoint_kinds)
    spread = {name: made for name, made in spread.items()
              if _is_spread_out(made.node.value, typer)}
    finder = _Uses(spread, typer, getattr(context, "external", None))
    finder.follow(body)
    uses: dict[str, list[_Use]] = {name: [] for name in spread}
    for number, node in enumerate(syntax.statements(body)):
        for part in [node] if isinstance(node, syntax.COMPOUND) else syntax.walk(node):
            for use in finder.of(part, number):
                uses[use.name].append(use)
        if isinstance(node, syntax.COMPOUND):
            for part in syntax.walk(head(node)):
                for use in finder.of(part, number):
                    uses[use.name].append(use)
    numbers = {name for name in spread if finder.named[name] == len(uses[name]) + 1}
    left: set[str] = set()
    while left != numbers:                              # what one is made of has to be one, too
        left = set(numbers)
        numbers = {name for name in left if spread[name].of in (None, *left)
                   and all(use.makes in (None, *left) for use in uses[name])}
    for name, made in spread.items():
        if name not in numbers:
            continue
        if made.of is None:
            made.node.value = made.node.value.args[0]
        context.adjoint_kinds[name] = typer.kind(made.node.value)
        for use in uses[name]:
            if use.change is not None:
                use.change()
    if numbers and mentions is not None:
        for node in syntax.statements(body):
            mentions.rewritten(node)


class _Spread(NamedTuple):
    """What is one number everywhere: the statement that binds it, what it is shaped like, and the
    name of another such that it is computed of."""
    node: Any
    like: gast.expr
    of: str | None


class _Use(NamedTuple):
    """A place where a number may stand in place of an array."""
    name: str
    change: Callable[[], None] | None = None        # what has to be written there then
    makes: str | None = None                        # the name of what is computed there


class _Uses:
    """Finds names that a number may stand for, where they stand."""

    def __init__(self, spread: dict[str, _Spread], typer: Typer, external: Any) -> None:
        self.spread, self.typer, self.external = spread, typer, external
        self.named: Counter[str] = Counter()
        self.bound: dict[str, list[int]] = {}       # the numbers of the statements that bind names

    def follow(self, body: list[gast.stmt]) -> None:
        """Note where names are bound, and what is computed of a number that is spread."""
        written: set[str] = set()
        found: list[Any] = []
        for number, node in enumerate(syntax.statements(body)):
            if isinstance(node, gast.For):
                names = list(syntax.names_in(node.target))
            else:
                names = [] if isinstance(node, syntax.COMPOUND) else list(syntax.names_in(node))
            for name in names:
                if name.ctx.__class__ is not gast.Load:
                    self.bound.setdefault(name.id, []).append(number)
            if isinstance(node, (gast.Assign, gast.AugAssign)):
                for target in node.targets if isinstance(node, gast.Assign) else [node.target]:
                    if not isinstance(target, gast.Name):
                        written.update(syntax.written_roots(target))
            if node.__class__ is gast.Assign and isinstance(node.targets[0], gast.Name) \
                    and not getattr(node, "lineno", None):
                found.append(node)
        for node in body:
            self.named.update(name.id for name in syntax.names_in(node))
        for node in found:
            name, of = node.targets[0].id, self.name_of(node.value)
            if of is not None and name not in self.spread and len(self.bound[name]) == 1 \
                    and name not in written:
                self.spread[name] = _Spread(node, self.spread[of].like, of)

    def of(self, part: Any, number: int) -> Iterator[_Use]:
        """Those in an expression or a statement, which is in this statement."""
        if isinstance(part, gast.BinOp) and isinstance(part.op, _ARITHMETIC):
            for side, other in (("left", part.right), ("right", part.left)):
                yield from self.operand(part, side, other)
        elif isinstance(part, gast.BinOp) and isinstance(part.op, gast.MatMult):
            yield from self.product(part)
        elif isinstance(part, gast.Assign) and isinstance(part.targets[0], gast.Name) \
                and part.targets[0].id in self.spread:
            name = self.name_of(part.value)
            if name is not None and self.spread[part.targets[0].id].node is part:
                yield _Use(name, makes=part.targets[0].id)
        elif isinstance(part, gast.AugAssign) and isinstance(part.op, (gast.Add, gast.Sub)):
            name = self.name_of(part.value)
            if name is not None and name not in syntax.bound_names(part.target) \
                    and self.is_like(_read(part.target), name):
                yield _Use(name)
        elif isinstance(part, gast.Call) and not part.keywords and len(part.args) == 3:
            if self.typer.object_of(part.func) is np.where:
                given, like = part.args[1:], part.args[:1]
            elif getattr(part.func, "id", "") == "where_larger":
                given, like = part.args[:1], part.args[1:]
            else:
                return
            for name in map(self.name_of, given):
                if name is not None and any(self.is_like(one, name) for one in like):
                    yield _Use(name)
        if not isinstance(part, syntax.COMPOUND):
            yield from self.sums(part, number)

    def operand(self, part: gast.BinOp, side: str, other: gast.expr) -> Iterator[_Use]:
        owner: Any = part
        one = getattr(part, side)
        if isinstance(one, gast.UnaryOp) and isinstance(one.op, gast.USub):
            owner, side, one = one, "operand", one.operand
        name = self.name_of(one)
        if name is not None:
            if self.name_of(other) is None and self.is_like(other, name):
                yield _Use(name)
        elif isinstance(one, gast.Subscript) and getattr(one.value, "id", "") in self.spread \
                and syntax.is_column(one.slice):
            kind, name = self.typer.kind(other), one.value.id
            if isinstance(kind, kinds.Array) and kind.ndim == 2 and self.is_like(
                    syntax.subscript(other, syntax.tuple_of([
                        gast.Slice(None, None, None), syntax.constant(0)])), name):
                yield _Use(name, lambda: setattr(owner, side, syntax.load(name)))

    def product(self, part: gast.BinOp) -> Iterator[_Use]:
        """`bt @ y` is `bt * np.sum(y)`."""
        for side, given in (("right", part.left), ("left", part.right)):
            name, other = self.name_of(given), getattr(part, side)
            if name is not None and self.external is not None and self.name_of(other) is None \
                    and getattr(self.typer.kind(other), "ndim", None) == 1 \
                    and self.is_like(other, name):
                def change(side: str = side, other: gast.expr = other) -> None:
                    np_sum = syntax.attribute(self.external(np, "np"), "sum")
                    part.op = gast.Mult()
                    setattr(part, side, syntax.call(np_sum, other))
                yield _Use(name, change)

    def sums(self, part: Any, number: int) -> Iterator[_Use]:
        """`np.sum(bt)` is as often bt as the array has elements that it is shaped like."""
        for field, value in list(vars(part).items()):
            if not isinstance(value, gast.Call) or len(value.args) != 1 or value.keywords \
                    or self.typer.object_of(value.func) is not np.sum:
                continue
            name = self.name_of(value.args[0])
            if name is None or not isinstance(self.spread[name].like, gast.Name) \
                    or not self.is_there(self.spread[name].like, name, number):
                continue
            if self.is_row(name):
                times = syntax.call(syntax.load("len"), syntax.copy(self.spread[name].like))
                yield _Use(name, functools.partial(setattr, part, field,
                                                   syntax.binary(value, "*", times)))
                continue
            size = syntax.attribute(syntax.copy(self.spread[name].like), "size")
            added: gast.expr = syntax.binary(value.args[0], "*", size)
            one = self.spread[name].node.value
            one = one.args[0] if self.spread[name].of is None else None
            if isinstance(one, gast.BinOp) and isinstance(one.op, gast.Div) \
                    and isinstance(value.args[0], gast.Name) and syntax.same(one.right, size) \
                    and self.is_there(one, name, number):
                added = syntax.copy(one.left)               # of a mean
            yield _Use(name, functools.partial(setattr, part, field, added))

    def is_row(self, name: str) -> bool:
        """Whether it is a row that was spread to several."""
        while self.spread[name].of is not None:
            name = self.spread[name].of or ""
        return len(self.spread[name].node.value.args) == 3

    def is_there(self, value: gast.expr, name: str, number: int) -> bool:
        """Whether an expression means in a statement further down what it meant where a number was
        spread."""
        while self.spread[name].of is not None:
            name = self.spread[name].of or ""
        start = self.bound[name][0]
        return start < number and all(spot < start for read in syntax.read_names(value)
                                      for spot in self.bound.get(read, ()))

    def name_of(self, node: gast.expr) -> str | None:
        """The name that an expression is, or a number times it."""
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            return self.name_of(node.operand)
        if isinstance(node, gast.BinOp) and isinstance(node.op, _ARITHMETIC):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                name = self.name_of(one)
                if name is not None and isinstance(self.typer.kind(other), kinds.Number):
                    return name
        return node.id if isinstance(node, gast.Name) and node.id in self.spread else None

    def is_like(self, node: gast.expr, name: str) -> bool:
        """Whether something has the shape that the number of this name is spread to."""
        return kinds.same_shape(self.typer.kind(node), self.typer.kind(self.spread[name].like))


def _read(target: gast.expr) -> gast.expr:
    return syntax.load(target.id) if isinstance(target, gast.Name) else target


def _is_spread(value: gast.expr) -> bool:
    """Whether an expression looks like `unreduce(number, x)`, or `unreduce(row, x, 0)`."""
    return isinstance(value, gast.Call) and getattr(value.func, "id", "") == "unreduce" \
        and not value.keywords and (len(value.args) == 2 or (
            len(value.args) == 3 and isinstance(value.args[2], gast.Constant)
            and type(value.args[2].value) is int and value.args[2].value == 0))


def _is_spread_out(value: Any, typer: Typer) -> bool:
    """Whether a number is spread, or a row, which NumPy spreads itself beside several."""
    kind, like = typer.kind(value.args[0]), typer.kind(value.args[1])
    return isinstance(kind, kinds.Number) if len(value.args) == 2 else (
        isinstance(kind, kinds.Array) and isinstance(like, kinds.Array)
        and kind.ndim is not None and like.ndim == kind.ndim + 1)
