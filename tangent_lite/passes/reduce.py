"""A number that stands above and below in a quotient goes.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> tree = gast.parse('''
... def f(c, S, K, bz, x):
...     t = S / K
...     cx = c * x
...     bS = bz / (c * S) * c
...     bS += bz / t / K
...     bx = -bz / cx * c
...     return bS, bx
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> known = {**dict.fromkeys(["c", "S", "K", "bz", "t", "bS"], FLOAT),
...          **dict.fromkeys(["x", "cx", "bx"], Array(1, "float"))}
>>> memory = SameMemory(tree.body, ["c", "S", "K", "bz", "x"], Typer({}, {}.get), known)
>>> reduce(tree.body, memory)
>>> print(emit(tree), end="")
def f(c, S, K, bz, x):
    t = S / K
    cx = c * x
    bS = bz / S
    bS += bz / S
    bx = -bz / x
    return bS, bx

So the slope of `log(2.0 * pi * s)` is that of `log(s)`. A name stands for the product or quotient
that it was bound to, if all that is in it is what it was. Arrays stay: what is left would have
another shape, where the others are smaller.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.analyses.factors import Factor, Shortener, factors_of, has_quotient, is_product
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.analyses.values import Values
from tangent_lite.once import may_be_one
from tangent_lite.syntax import binary


def reduce(body: list[gast.stmt], memory: SameMemory, mentions: Mentions | None = None) -> None:
    """Reduce the quotients in a body, in place; memory: which names may hold the same, and kinds;
    mentions: what the statements mention, which changes here."""
    _Reducer(Values(memory, Mentions() if mentions is None else mentions)).shorten(body)


class _Reducer(Shortener):
    def may_shorten(self, value: gast.expr) -> bool:
        return has_quotient(value)

    def is_noted(self, value: gast.expr) -> bool:
        return is_product(value) and may_be_one(value)

    def shorter(self, value: gast.expr) -> gast.expr | None:
        """A quotient without what stands above and below; None if nothing does. What is left is
        computed in the order in which it was, so that nothing is too large in between."""
        is_negative, given = factors_of(value)
        if not may_be_one(value) or not self.values.is_float(value):
            return None
        left = self.cancelled(given)
        for one in given:
            inner = self.made_of(one.value) if one.is_below and one in left else None
            if inner is not None:
                spot = left.index(one)
                more = self.cancelled([*left[:spot], *inner, *left[spot + 1:]])
                left = more if len(more) < len(left) else left
        if len(left) == len(given) or left[0].is_below:
            return None
        made = syntax.minus(left[0].value) if is_negative else left[0].value
        for one in left[1:]:
            made = binary(made, "/" if one.is_below else "*", one.value)
        return made

    def made_of(self, name: gast.expr) -> list[Factor] | None:
        """What a name that stands below stands for here."""
        value = self.short_for.value(name)
        if value is None:
            return None
        is_negative, found = factors_of(value, is_below=True)
        return None if is_negative else found

    def cancelled(self, factors: list[Factor]) -> list[Factor]:
        """Factors without the numbers that stand both above and below."""
        left = list(factors)
        for one in factors:
            if one.is_below or not isinstance(one.value, gast.Name) \
                    or not self.values.is_number(one.value.id) \
                    or not self.values.holds_floats(one.value.id):
                continue
            value = self.values.of_name(one.value.id)
            same = next((other for other in left if other.is_below
                         and isinstance(other.value, gast.Name)
                         and self.values.of_name(other.value.id) == value), None)
            if same is not None:
                left = [other for other in left if other is not one and other is not same]
        return left
