"""Terms of a sum that are multiples of one product are one term.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... def f(r, bz):
...     t = 0.5 * r
...     br = bz * t + 0.5 * bz * r
...     return br
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> join_like_terms(tree.body, {"r"}, {"r": FLOAT}, SimpleNamespace(is_written=lambda name: False))
True
>>> print(emit(tree), end="")
def f(r, bz):
    t = 0.5 * r
    br = bz * r
    return br

So the adjoint of `0.5 * r * r`, which Python reads as `(0.5 * r) * r`, is `bz * r`, and nothing of
the forward pass is kept for it. A temporary counts as what it is a multiple of where it is bound
once, outside of loops, and what it is made of stays as it is.
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.algebra import is_plain
from tangent_lite.analyses.liveness import outside_of_loops
from tangent_lite.kinds import Array, Kind, Number, dtype_of
from tangent_lite.syntax import binary, constant


def join_like_terms(body: list[gast.stmt], user_names: set[str], found: Mapping[str, Kind],
                    aliases: Any) -> bool:
    """Join them in place in the statements of ours; whether there were such. found: kinds of the
    names of the function; aliases: which of them are written into."""
    joiner = _Joiner(body, user_names, found, aliases)
    done = [joiner.join(node) for node in syntax.statements(body)
            if isinstance(node, gast.Assign) and not hasattr(node, "lineno")]
    return any(done)


class _Joiner:
    def __init__(self, body: list[gast.stmt], user_names: set[str], found: Mapping[str, Kind],
                 aliases: Any) -> None:
        self.found, self.aliases = found, aliases
        self.body = body
        # Temporaries that are a number times something else.
        self.multiples: dict[str, gast.expr] = {}
        for node in outside_of_loops(body):
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                    and node.targets[0].id not in user_names \
                    and isinstance(node.value, (gast.BinOp, gast.UnaryOp, gast.Name)) \
                    and self.is_multiple(node.value) and self.bound[node.targets[0].id] == 1:
                self.multiples[node.targets[0].id] = node.value

    @functools.cached_property
    def bound(self) -> Counter[str]:
        """How often names are bound. Few bodies have anything that it is asked of."""
        return Counter([name.id for node in self.body for name in syntax.names_in(node)
                        if not isinstance(name.ctx, gast.Load)])

    def is_multiple(self, value: gast.expr) -> bool:
        """Whether a value is a number times a name that goes on meaning what it means."""
        number, factors = self.term(value)
        if number == 1.0 or len(factors) != 1 or not isinstance(factors[0], gast.Name):
            return False
        name = factors[0].id
        kind = self.found.get(name)
        return self.bound[name] == 0 and isinstance(kind, (Number, Array)) \
            and dtype_of(kind) in ("float", "complex") \
            and (isinstance(kind, Number) or not self.aliases.is_written(name))

    def join(self, node: gast.Assign) -> bool:
        """Join the products in a sum that are alike."""
        summed = _summed(node.value)
        if len(summed) == 1:
            return False
        terms: list[_Term] = []
        joined = False
        for sign, value in summed:
            number, factors = self.term(value)
            factors.sort(key=self.is_given)             # adjoints first, which may have a minus
            like = next((t for t in terms if len(t.factors) == len(factors) > 1
                         and _keys(t.factors) == _keys(factors)
                         and all(map(_may_be_one, factors))), None)
            # Nothing is left of what cancels, but for inf and nan.
            if like is None or like.number + sign * number == 0.0:
                terms.append(_Term(sign * number, factors, sign, value))
            else:
                like.number += sign * number
                like.value, joined = None, True
        if joined:
            node.value = functools.reduce(_plus, terms[1:], terms[0].written())
        if len(terms) == 2:
            shared = _shared_sum(*terms)
            if shared is not None:
                node.value = shared
        return joined

    def is_given(self, factor: gast.expr) -> bool:
        """Whether a factor is no adjoint, and may be of whole numbers without a sign."""
        return not isinstance(factor, gast.Name) or factor.id in self.found

    def term(self, value: gast.expr) -> tuple[float, list[gast.expr]]:
        """The number in front of a product, and its other factors."""
        number = _number(value)
        if number is not None:
            return number, []
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            number, factors = self.term(value.operand)
            return -number, factors
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
            (one, left), (other, right) = self.term(value.left), self.term(value.right)
            return one * other, left + right
        if isinstance(value, gast.Name) and value.id in self.multiples:
            return self.term(self.multiples[value.id])
        return 1.0, [value]


@dataclass
class _Term:
    """One term of a sum: a number times its factors; sign, value: as it stands there."""
    number: float
    factors: list[gast.expr]
    sign: float
    value: gast.expr | None

    def written(self, negated: bool = False) -> gast.expr:
        """The term as the first one of a sum, or as what stands behind its sign."""
        if self.value is not None:
            return syntax.minus(self.value) if self.sign < 0.0 and not negated else self.value
        number = -self.number if negated else self.number
        factors = syntax.copy(self.factors)             # what they are taken from may stay
        if not factors:
            return constant(number) if number >= 0.0 else syntax.minus(constant(-number))
        if number == -1.0:
            factors = [syntax.minus(factors[0]), *factors[1:]]
        elif number != 1.0:
            first = syntax.minus(constant(-number)) if number < 0.0 else constant(number)
            factors = [first, *factors]
        return functools.reduce(lambda left, right: binary(left, "*", right), factors)


def _shared_sum(one: _Term, other: _Term) -> gast.expr | None:
    """`s * np.sum(x) - np.sum(x)` as `(s - 1.0) * np.sum(x)`: what is summed up is the same."""
    for factor in one.factors:
        same = next((f for f in other.factors if isinstance(factor, gast.Call)
                     and syntax.same(f, factor) and _may_be_one(factor)), None)
        if same is None or not _is_sum(factor):
            continue
        first, second = (
            _Term(term.number, [f for f in term.factors if f is not taken], term.sign, None)
            for term, taken in ((one, factor), (other, same)))
        if first.factors or second.factors:
            return binary(_plus(first.written(), second), "*", factor)
    return None


def _is_sum(call: gast.Call) -> bool:
    return isinstance(call.func, gast.Attribute) and call.func.attr == "sum" \
        and isinstance(call.func.value, gast.Name)


def _plus(total: gast.expr, term: _Term) -> gast.expr:
    minus = (term.sign if term.value is not None else term.number) < 0.0
    return binary(total, "-" if minus else "+", term.written(minus))


def _summed(value: gast.expr, sign: float = 1.0) -> list[tuple[float, gast.expr]]:
    """The terms of a sum, from left to right, with their signs."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub)):
        other = sign if isinstance(value.op, gast.Add) else -sign
        return [*_summed(value.left, sign), *_summed(value.right, other)]
    return [(sign, value)]


def _number(node: gast.expr) -> float | None:
    return node.value if isinstance(node, gast.Constant) and type(node.value) is float else None


def _may_be_one(factor: gast.expr) -> bool:
    """Whether an expression that stands there twice may be evaluated once."""
    return is_plain(factor) and not any(getattr(n, "acts", False) for n in syntax.walk(factor))


def _keys(factors: list[gast.expr]) -> Counter[Any]:
    return Counter(syntax.key(factor) for factor in factors)
