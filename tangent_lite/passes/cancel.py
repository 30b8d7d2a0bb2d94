"""Sums of products in which terms cancel, written without those terms.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array, new_shape
>>> tree = gast.parse('''
... def f(bf, y, p):
...     t = 1.0 - y
...     bz = bf / t.size * (t * p - y * (1.0 - p))
...     return bz
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> vector = Array(1, "float", new_shape())
>>> context = SimpleNamespace(
...     typer=Typer({}, {}.get), facts=SimpleNamespace(names={n: vector for n in "ypt"}),
...     aliases=SimpleNamespace(is_written=lambda name: False),
...     adjoint_kinds={"bf": FLOAT, "bz": vector})
>>> cancel(tree.body, context)
True
>>> print(emit(tree), end="")
def f(bf, y, p):
    t = 1.0 - y
    bz = bf / y.size * (p - y)
    return bz

So the adjoint of a cross-entropy is the difference of what is predicted and what is. Whatever
stands in a term that cancels stands in one that is left, too: where it is not a number or infinite,
so is what is left, and an array is as large as it was. All is of floats: `1 - k` may be too large
for small integers.
"""
from __future__ import annotations

import functools
import itertools
from collections import Counter
from typing import Any, NamedTuple

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.derived import Derived
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.analyses.liveness import outside_of_loops
from tangent_lite.once import is_plain
from tangent_lite.syntax import COMPOUND, binary

MOST = 12               # terms that a product of sums is taken apart into


def cancel(body: list[gast.stmt], context: Derived) -> bool:
    """Shorten the statements of ours in a body, in place; whether there was something to do."""
    canceller = _Canceller(body, context)
    canceller.block(body)
    return canceller.changed


class _Term(NamedTuple):
    """A number times some factors."""
    number: float
    factors: tuple[str, ...]            # their texts


class _Canceller:
    def __init__(self, body: list[gast.stmt], context: Derived) -> None:
        self.body, self.context, self.typer = body, context, context.typer
        self.known = Scopes(context.facts.names, context.adjoint_kinds)
        self.changed = False
        self.factors: dict[str, gast.expr] = {}         # text -> expression

    @functools.cached_property
    def sums(self) -> dict[str, gast.BinOp]:
        """Names that are a number plus or minus something that goes on meaning what it means."""
        bound = Counter(name.id for node in self.body for name in syntax.names_in(node)
                        if not isinstance(name.ctx, gast.Load))
        found: dict[str, gast.BinOp] = {}
        once: set[str] = set()
        for node in outside_of_loops(self.body):
            if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
                continue
            name, value = node.targets[0].id, node.value
            if bound[name] != 1:
                continue
            once.add(name)
            inner = _beside_a_number(value)
            if inner is not None and (not bound[inner] or inner in once) \
                    and not self.context.aliases.is_written(inner) \
                    and not self.context.aliases.is_written(name):
                found[name] = value
        return found

    def block(self, block: list[gast.stmt]) -> None:
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
            elif isinstance(node, (gast.Assign, gast.AugAssign, gast.Return)) \
                    and not getattr(node, "lineno", None) and node.value is not None:
                if out and self.joined(out[-1], node):
                    continue
                node.value = self.shortened(node.value)
            out.append(node)
        block[:] = out

    def joined(self, first: Any, second: Any) -> bool:
        """Add what a statement adds to what the one before binds, if that is shorter."""
        if not isinstance(first, gast.Assign) or getattr(first, "lineno", None) \
                or not isinstance(second, gast.AugAssign) \
                or not isinstance(second.op, (gast.Add, gast.Sub)) \
                or not isinstance(second.target, gast.Name) \
                or [getattr(t, "id", None) for t in first.targets] != [second.target.id] \
                or second.target.id in syntax.read_names(first.value) \
                | syntax.read_names(second.value):
            return False
        made = self.cancelled(gast.BinOp(first.value, second.op, second.value))
        if made is None:
            return False
        first.value = made
        return True

    def shortened(self, value: gast.expr) -> gast.expr:
        """An expression with the sums in it shortened."""
        if isinstance(value, gast.BinOp):
            made = self.cancelled(value) if isinstance(value.op, (gast.Add, gast.Sub)) else None
            if made is not None:
                return made
            value.left, value.right = self.shortened(value.left), self.shortened(value.right)
        elif isinstance(value, gast.UnaryOp):
            value.operand = self.shortened(value.operand)
        elif isinstance(value, gast.Call):
            value.args = [self.shortened(part) for part in value.args]
        return value

    def cancelled(self, value: gast.BinOp) -> gast.expr | None:
        """A sum without what cancels; None where nothing does, or it is no shorter."""
        if not all(any(isinstance(n, gast.BinOp) and isinstance(n.op, gast.Mult)
                       for n in syntax.walk(side)) for side in (value.left, value.right)):
            return None
        self.typer.names = self.known
        terms = self.terms(value)
        if terms is None:
            return None
        numbers: dict[tuple[str, ...], float] = {}
        first: dict[tuple[str, ...], tuple[str, ...]] = {}
        for term in terms:
            key = tuple(sorted(term.factors))
            first.setdefault(key, term.factors)
            numbers[key] = numbers.get(key, 0.0) + term.number
        left = [_Term(number, first[key]) for key, number in numbers.items() if number]
        gone = {text for key, number in numbers.items() if not number for text in key}
        if not left or not gone or not gone <= {text for term in left for text in term.factors}:
            return None
        made = self.written(left)
        if _operations(made) >= _operations(value):
            return None
        self.changed = True
        self.see_through(syntax.read_names(value) - syntax.read_names(made))
        return made

    def terms(self, value: gast.expr) -> list[_Term] | None:
        """The terms of a sum of products; None of what has too many, or is not of floats."""
        if isinstance(value, gast.Constant):
            return [_Term(float(value.value), ())] if type(value.value) in (int, float) else None
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            inner = self.terms(value.operand)
            return None if inner is None else [t._replace(number=-t.number) for t in inner]
        if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub, gast.Mult)):
            left, right = self.terms(value.left), self.terms(value.right)
            if left is None or right is None or len(left) * len(right) > MOST:
                return None
            if isinstance(value.op, gast.Mult):
                return [_Term(a.number * b.number, a.factors + b.factors)
                        for a, b in itertools.product(left, right)]
            sign = 1.0 if isinstance(value.op, gast.Add) else -1.0
            return left + [t._replace(number=sign * t.number) for t in right]
        kind = self.typer.kind(value)
        if not isinstance(kind, (kinds.Number, kinds.Array)) or kinds.dtype_of(kind) != "float" \
                or not is_plain(value):
            return None
        if isinstance(value, gast.Name) and value.id in self.sums:
            return self.terms(self.sums[value.id])
        text = repr(syntax.key(value))
        self.factors[text] = value
        return [_Term(1.0, (text,))]

    def written(self, terms: list[_Term]) -> gast.expr:
        """Terms as an expression: what all have is written once, and a positive one first."""
        shared = functools.reduce(lambda a, b: a & b, (Counter(t.factors) for t in terms))
        common = [text for text in terms[0].factors if _taken(shared, text)]
        parts: list[_Term] = []
        for term in terms:
            rest = Counter(common)
            parts.append(term._replace(
                factors=tuple(t for t in term.factors if not _taken(rest, t))))
        parts.sort(key=lambda term: term.number < 0.0)
        is_negative = parts[0].number < 0.0
        if is_negative:
            parts = [term._replace(number=-term.number) for term in parts]
        total = self.product(parts[0])
        for term in parts[1:]:
            total = binary(total, "-" if term.number < 0.0 else "+",
                           self.product(term._replace(number=abs(term.number))))
        if not common:
            return syntax.minus(total) if is_negative else total
        outside = self.product(_Term(1.0, tuple(common)))
        if is_negative:
            outside = syntax.minus(outside)
        is_one = len(parts) == 1 and not parts[0].factors and parts[0].number == 1.0
        return outside if is_one else binary(outside, "*", total)

    def product(self, term: _Term) -> gast.expr:
        factors = [syntax.copy(self.factors[text]) for text in term.factors]
        if term.number != 1.0 or not factors:
            factors.insert(0, syntax.constant(term.number))
        return functools.reduce(lambda left, right: binary(left, "*", right), factors)

    def see_through(self, names: set[str]) -> None:
        """Ask for the shape of what a name is made of, not of the name, which may be needed no
        more."""
        for name in names & self.sums.keys():
            inner = _beside_a_number(self.sums[name])
            if inner is None or not isinstance(self.known.get(inner), kinds.Array):
                continue
            for node in syntax.statements(self.body):
                for part in () if getattr(node, "lineno", None) \
                        else syntax.all_of(node, gast.Attribute):
                    if isinstance(part.value, gast.Name) and part.value.id == name \
                            and part.attr in ("size", "shape", "ndim"):
                        part.value = syntax.load(inner)


def _beside_a_number(value: Any) -> str | None:
    """x of `1.0 - x` and the like."""
    if not isinstance(value, gast.BinOp) or not isinstance(value.op, (gast.Add, gast.Sub)):
        return None
    number, name = (value.left, value.right) if isinstance(value.left, gast.Constant) \
        else (value.right, value.left)
    return name.id if isinstance(name, gast.Name) and isinstance(number, gast.Constant) \
        and type(number.value) in (int, float) else None


def _taken(counted: Counter[str], text: str) -> bool:
    """Whether one of those that are counted is such, which is taken off."""
    if not counted[text]:
        return False
    counted[text] -= 1
    return True


def _operations(value: gast.expr) -> int:
    return sum(isinstance(n, (gast.BinOp, gast.UnaryOp)) for n in syntax.walk(value))
