"""Numbers that both terms of a sum are multiplied by are multiplied once.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... def f(r, x, bx, br, s):
...     rx = r * x
...     t = 1.0 - x
...     brx = bx * t
...     br += bx / s - bx / s * (x * x)
...     bx = brx * r - bx * rx
...     br += brx * x
...     return br, bx
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> floats = dict.fromkeys(["r", "x", "bx", "br", "s", "rx", "t", "brx"], FLOAT)
>>> common_factors(tree.body, SameMemory(tree.body, ["r", "x", "bx", "br", "s"],
...                                      Typer({}, {}.get), floats))
True
>>> print(emit(tree), end="")
def f(r, x, bx, br, s):
    rx = r * x
    t = 1.0 - x
    brx = bx * t
    br += bx / s * (1.0 - x * x)
    bx = r * (brx - bx * x)
    br += brx * x
    return br, bx

A name stands for the product that it was bound to, if all in it is what it was, and if that leaves
less to multiply: `rx` is needed by nobody any more. All are numbers; of arrays one would have to
know which are smaller than others.
"""
from __future__ import annotations

import functools
import itertools
from collections import Counter
from typing import NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.analyses.factors import Factor, Shortener, factors_of, is_product
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.analyses.values import Values, is_sum
from tangent_lite.once import may_be_one
from tangent_lite.syntax import binary, constant

_OPERATIONS = frozenset({gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp})
MOST = 6                # factors of a term that are looked at


def common_factors(body: list[gast.stmt], memory: SameMemory) -> bool:
    """Do so in a body, in place, and say whether anything changed; memory: which names may hold the
    same, and kinds."""
    return _Finder(body, memory).shorten(body)


class _Term(NamedTuple):
    """A product: its sign, its factors, and how many multiplications it takes, those of names that
    nobody else reads as well."""
    is_negative: bool
    factors: list[Factor]
    cost: int


class _Finder(Shortener):
    def __init__(self, body: list[gast.stmt], memory: SameMemory) -> None:
        super().__init__(Values(memory, Mentions()))
        self.body = body

    @functools.cached_property
    def named(self) -> Counter[str]:
        """How often names are mentioned."""
        return Counter([n.id for node in self.body for n in syntax.names_in(node)])

    def may_shorten(self, value: gast.expr) -> bool:
        return is_sum(value) and self.are_numbers(value)

    def is_noted(self, value: gast.expr) -> bool:
        return isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult) \
            and self.are_numbers(value)

    def are_numbers(self, value: gast.expr) -> bool:
        """Whether an expression computes with numbers alone."""
        return syntax.classes_in(value) <= _OPERATIONS and may_be_one(value) \
            and all(self.values.is_number(name.id) for name in syntax.names_in(value))

    def shorter(self, value: gast.expr) -> gast.expr | None:
        """A sum of two products as a product with a sum; None if that is not less."""
        if not self.values.is_float(value):
            return None
        best, cost = None, sum(1 for n in syntax.walk(value) if is_product(n))
        for one, other in itertools.product(self.ways(value.left), self.ways(value.right)):
            if isinstance(value.op, gast.Sub):
                other = other._replace(is_negative=not other.is_negative)
            made = self.joined(one, other)
            if made is not None:
                saved = one.cost + other.cost - cost_of(made)
                if saved > 0 and (best is None or saved > best[0]):
                    best = saved, made
        return None if best is None or cost == 0 else best[1]

    def ways(self, value: gast.expr) -> list[_Term]:
        """A term as it stands there, and with the names in it taken apart."""
        named = self.named                                  # as it was before anything changed
        is_negative, factors = factors_of(value, opens_below=False)
        cost = cost_of(value)
        if len(factors) > MOST:
            return []
        found = [_Term(is_negative, factors, cost)]
        apart: list[Factor] = []
        for one in factors:
            inner = None if one.is_below else self.made_of(one.value)
            apart += [one] if inner is None else inner
            if inner is not None and named[getattr(one.value, "id", "")] == 2:
                cost += len(inner) - 1                      # which nobody else reads
        if len(factors) < len(apart) <= MOST:
            found.append(_Term(is_negative, apart, cost))
        return found

    def made_of(self, name: gast.expr) -> list[Factor] | None:
        value = self.short_for.value(name)
        if value is None:
            return None
        is_negative, found = factors_of(value, opens_below=False)
        return None if is_negative else found

    def joined(self, one: _Term, other: _Term) -> gast.expr | None:
        """Both terms, with what they have in common taken out."""
        rest = list(other.factors)
        common: list[Factor] = []
        mine: list[Factor] = []
        for factor in one.factors:
            same = next((f for f in rest if f.is_below is factor.is_below
                         and syntax.same(f.value, factor.value)), None)
            if same is None or isinstance(factor.value, gast.Constant):
                mine.append(factor)
            else:
                common.append(factor)
                rest = [f for f in rest if f is not same]
        if not common or common[0].is_below or not (mine or rest) or any(
                part and part[0].is_below for part in (mine, rest)):
            return None
        first, second = _product(mine), _product(rest)
        if one.is_negative and not other.is_negative:
            return binary(_product(common), "*", binary(second, "-", first))
        total = binary(first, "+" if one.is_negative is other.is_negative else "-", second)
        made = _product(common, one.is_negative)
        return binary(made, "*", total)


def cost_of(value: gast.expr) -> int:
    """How many multiplications and divisions an expression takes."""
    return sum(map(is_product, syntax.walk(value)))


def _product(factors: list[Factor], is_negative: bool = False) -> gast.expr:
    if not factors:
        return constant(1.0)
    first = syntax.minus(factors[0].value) if is_negative else factors[0].value
    return functools.reduce(
        lambda left, one: binary(left, "/" if one.is_below else "*", one.value), factors[1:], first)
