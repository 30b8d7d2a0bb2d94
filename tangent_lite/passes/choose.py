"""What is added to one adjoint through either side of a choice is chosen once.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> tree = gast.parse('''
... def f(c, r, q, bz):
...     br = np.where(c, 0.0, bz) * q
...     br += np.where(c, bz, 0.0) * r
...     return br
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> vector = Array(1, "float")
>>> choose(tree.body, SimpleNamespace(adjoint_kinds={"br": vector}, typer=Typer({}, {"np": np}.get),
...     facts=SimpleNamespace(names={"c": Array(1, "bool"), "q": FLOAT, "bz": FLOAT, "r": vector})))
>>> print(emit(tree), end="")
def f(c, r, q, bz):
    br = np.where(c, bz * r, bz * q)
    return br

By hand nobody multiplies the zeros of one side to add the other. So it is with the two sides of
`np.maximum(x, y)`, of which the larger one is found once.
"""
from __future__ import annotations

import functools
from collections import Counter
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import kinds, runtime, syntax
from tangent_lite.analyses.derived import DerivedInReverse
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.once import is_plain
from tangent_lite.syntax import binary, is_comment


def choose(body: list[gast.stmt], context: DerivedInReverse) -> None:
    """Do so in a body, in place."""
    chooser = _Chooser(body, context)
    for block in syntax.blocks_in(body):
        number = 1
        while number < len(block):
            number += not chooser.join(block, number)


class _Term(NamedTuple):
    """A product with what was chosen in it: by which function, what decides there, whether the
    first of two counts where it does, and the factors, with what is chosen in the place of the
    choice."""
    function: Any
    spelled: gast.expr
    deciding: list[gast.expr]
    first: bool
    number: float
    factors: list[gast.expr]


class _Chooser:
    def __init__(self, body: list[gast.stmt], context: DerivedInReverse) -> None:
        self.body, self.context = body, context
        self.typer = context.typer

    @functools.cached_property
    def mentioned(self) -> Counter[str]:
        return Counter(n.id for node in self.body for n in syntax.names_in(node))

    def join(self, block: list[gast.stmt], number: int) -> bool:
        """Join a statement that adds to an adjoint with the one further up that binds it or adds to
        it; whether that was done, and the block is shorter."""
        node = block[number]
        if not _adds(node) or not self.is_array(node.target.id):
            return False
        found = self.above(block, number)
        if found is None:
            return False
        above, behind = found
        folded: list[str] = []
        first, second = self.term(above.value, {}, []), self.term(node.value, behind, folded)
        if first is None or second is None or not _are_two_sides(first, second):
            return False
        for source in (above, *(behind[name] for name in folded)):
            later = [one for one in behind.values() if block.index(one) > block.index(source)]
            names = syntax.all_names(source.value)
            if any(one.targets[0].id in names or (_takes_off(one) and names & syntax.all_names(one))
                   for one in later):
                return False
        first, second = _signed(first, above), _signed(second, node)
        less = first.number < 0.0 and second.number < 0.0
        if less:
            first, second = first._replace(number=-first.number), \
                second._replace(number=-second.number)
        one, other = sorted((first, second), key=lambda term: not term.first)
        values = [self.product(one), self.product(other)]
        if one.function is np.where:
            call = syntax.call(one.spelled, *one.deciding, *values)
        else:
            call = syntax.call(self.context.external(runtime.of_larger, "of_larger"), *values,
                               *one.deciding)
        if isinstance(above, gast.Assign):
            made = gast.Assign([gast.Name(node.target.id, gast.Store(), None, None)],
                               syntax.minus(call) if less else call, None)
            syntax.serve([made], node)
            block[number] = made
        else:
            node.op, node.value = gast.Sub() if less else gast.Add(), call
        for gone in [above, *(behind[name] for name in folded)]:
            block.remove(gone)
        return True

    def is_array(self, name: str) -> bool:
        kind: Any = self.context.adjoint_kinds.get(name)
        return kinds.is_array(kind) and kind.dtype == "float" and bool(kind.ndim)

    def is_number(self, factor: gast.expr) -> bool:
        known = Scopes(self.context.facts.names, self.context.adjoint_kinds)
        return isinstance(factor, gast.Name) and isinstance(known.get(factor.id), kinds.Number)

    def above(self, block: list[gast.stmt], number: int) -> tuple[Any, dict[str, Any]] | None:
        """The statement of ours that binds what a statement adds to or adds to it before, and what
        is bound in front of it and behind it, if nothing else happens there."""
        name = block[number].target.id
        found, bound = None, dict[str, Any]()
        for above in reversed(block[:number]):
            if is_comment(above):
                continue
            target = above.targets[0] if isinstance(above, gast.Assign) else None
            if found is None and (_adds(above) or isinstance(target, gast.Name)) \
                    and name in syntax.bound_names(target or above.target):
                found = above
                if hasattr(above, "lineno") or name in syntax.read_names(above.value):
                    return None
            elif not isinstance(target, gast.Name) or hasattr(above, "lineno") \
                    or target.id in bound or name in syntax.all_names(above):
                break
            else:
                bound[target.id] = above
        return None if found is None else (found, bound)

    def term(self, value: gast.expr, bound: dict[str, Any], folded: list[str]) -> _Term | None:
        """A product with one choice in it; folded: takes the names that stand for parts of it."""
        number = 1.0
        choice: Any = None
        factors: list[gast.expr] = []
        todo = [value]
        while todo:
            part = todo.pop()
            if isinstance(part, gast.BinOp) and isinstance(part.op, gast.Mult):
                todo += [part.right, part.left]
            elif isinstance(part, gast.UnaryOp) and isinstance(part.op, gast.USub):
                number = -number
                todo.append(part.operand)
            elif isinstance(part, gast.Constant) and type(part.value) is float:
                number *= part.value
            elif isinstance(part, gast.Name) and part.id in bound \
                    and self.mentioned[part.id] == 2 and part.id not in folded:
                folded.append(part.id)
                todo.append(bound[part.id].value)
            elif not is_plain(part):
                return None
            elif self.choice(part) is not None:
                if choice is not None:
                    return None
                choice = self.choice(part)
                factors.append(choice[3])
            else:
                factors.append(part)
        if choice is None:
            return None
        function, spelled, deciding, _, first = choice
        return _Term(function, spelled, deciding, first, number, factors)

    def choice(self, part: Any) -> tuple[Any, gast.expr, list[gast.expr], gast.expr, bool] | None:
        """Of a call that gives something where one side counts and zero elsewhere: the function and
        how it is spelled, what decides, what it gives, and whether that is the first side."""
        if not isinstance(part, gast.Call) or len(part.args) != 3 or part.keywords:
            return None
        function = self.typer.object_of(part.func)
        if function is runtime.where_larger:
            return function, part.func, part.args[1:], part.args[0], True
        if function is not np.where:
            return None
        test, one, other = part.args
        if _is_zero(one) is _is_zero(other):
            return None
        return function, part.func, [test], other if _is_zero(one) else one, not _is_zero(one)

    def product(self, term: _Term) -> gast.expr:
        """The product of a term, numbers first."""
        factors = sorted(term.factors, key=lambda factor: not self.is_number(factor))
        if abs(term.number) != 1.0:
            factors.insert(0, syntax.constant(abs(term.number)))
        if term.number < 0.0:
            factors[0] = syntax.minus(factors[0])
        return functools.reduce(lambda left, right: binary(left, "*", right), factors)


def _adds(node: Any) -> bool:
    """Whether a statement of ours adds to a name, or takes from it."""
    return isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)) \
        and isinstance(node.target, gast.Name) and not hasattr(node, "lineno")


def _signed(term: _Term, node: gast.stmt) -> _Term:
    """What a statement adds, where it takes a term off."""
    less = isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Sub)
    return term._replace(number=-term.number) if less else term


def _takes_off(node: gast.stmt) -> bool:
    """Whether a statement may change a list that it reads."""
    return not is_plain(node.value)


def _is_zero(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) is float and node.value == 0.0


def _are_two_sides(one: _Term, other: _Term) -> bool:
    """Whether one term counts where the other does not."""
    if one.function is not other.function:
        return False
    if one.function is np.where:
        return one.first is not other.first and syntax.same(one.deciding[0], other.deciding[0])
    return all(map(syntax.same, one.deciding, reversed(other.deciding)))
