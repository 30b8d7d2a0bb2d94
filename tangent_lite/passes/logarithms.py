"""Probabilities and their logarithms depend on what these are made of, without a detour.

The cross-entropy of a probability p = 1 / (1 + exp(-z)) takes log(p) and log(1 - p). By the chain
rule the adjoint of p is divided by p, or by 1 - p, and then multiplied by both. So these logarithms
are taken as functions of z:

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.kinds import Array, FLOAT
>>> from tangent_lite.stages import stages
>>> def f(z, y):
...     p = 1.0 / (1.0 + np.exp(-z))
...     return -np.sum(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))
>>> f.__globals__["np"] = __import__("numpy")
>>> def show(function, z):
...     made = stages(function, wrt="z", z=z, y=z)
...     for step in made.plan.steps.values():
...         for one in step.contributions:
...             if one.name == "z":
...                 print(f"bz += {emit_expression(one.value)}")
>>> show(f, Array(1, "float"))
bz += blog_p * (1.0 - p)
bz += -(blog_t * p)

And so are those of the shares e / sum(e) of e = exp(z):

>>> def g(z, y):
...     e = np.exp(z - np.max(z))
...     return -np.sum(y * np.log(e / np.sum(e)))
>>> show(g, Array(1, "float"))
bz += blog_t - t_1 * np.sum(blog_t)

Of one element of each row, `p[np.arange(n), labels]`, the logarithm is that of x less that of the
sum, so that there is one term for all of the rows, and one for what was taken of them:

>>> import tangent_lite as tl
>>> def h(z, labels):
...     e = np.exp(z)
...     p = e / np.sum(e, axis=1, keepdims=True)
...     return -np.sum(np.log(p[np.arange(len(labels)), labels]))
>>> print(tl.grad(h).source_for(np.ones((2, 3)), np.array([0, 2])).split("# Backward pass")[1])
<BLANKLINE>
    # return -np.sum(np.log(p[np.arange(len(labels)), labels]))
    bz = bh * p
    bz[arange_len_labels, labels] -= bh
    return bz
<BLANKLINE>

The same goes for elements of `z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))`.

The logistic function itself has the slope `p * (1.0 - p)`; the chain rule takes a detour by an
exponential that may be infinite where p is 0:

>>> def k(z):
...     return np.sum(1.0 / (1.0 + np.exp(-z)))
>>> k.__globals__["np"] = __import__("numpy")
>>> print(tl.grad(k).source_for(np.ones(2)).split("# Backward pass")[1])
<BLANKLINE>
    # return np.sum(1.0 / (1.0 + np.exp(-z)))
    bz = bk * t * (1.0 - t)
    return bz
<BLANKLINE>

Nothing else about p is looked at: what else depends on it goes the long way, and both are added. In
floating-point numbers p may be 0, where the chain rule gives a quotient by zero.

A helper is looked into (`probability_result`): `p = sigmoid(z)` will do. Names must be bound once,
and stay what they are, so that p still is what z is made into where the logarithm is taken.
"""
from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.bound_once import EXP, LARGEST, LOG, SUMS, Place
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.standing import Standing
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Number
from tangent_lite.modules import is_one_of
from tangent_lite.runtime.logarithms import (
    fall,
    log_of_fall,
    log_of_rise,
    log_of_share,
    log_of_share_along,
    minus_log_of_sum,
    minus_log_of_total,
    rise,
)
from tangent_lite.syntax import binary, constant, load

LOG1P = (np.log1p, math.log1p)
FOLLOWED = (*EXP, *LOG, *LOG1P, *SUMS, *LARGEST, np.where, operator.truediv, operator.add,
            operator.sub, operator.neg)
DEEPEST = 8             # of what is made of what, in a logistic function that is written out


class Logistic(NamedTuple):
    """What is 1 / (1 + exp(-x)), where x is a name, or the negative of it."""
    argument: str
    is_negative: bool


class Share(NamedTuple):
    """What is exp(x) / sum(exp(x)), summed along an axis, as it stands there; None: all."""
    argument: str
    axis: int | None


Probability = Logistic | Share

# What a call of a function of the user's makes of one of its arguments, if it is such, and which.
OfCall = Callable[[gast.Call, Any], tuple[gast.expr, Probability] | None]


def logarithms(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, typer: Typer,
               of_call: OfCall) -> None:
    """Mark the logarithms in a tree by what is to be differentiated in their place."""
    called = [function for function, _ in facts.callees.values()]
    if not any(is_one_of(function, (*LOG, *LOG1P, *EXP)) for function in called) \
            or not _are_ours():
        return
    known = _Probabilities(tree, facts, aliases, typer, of_call)
    for name, place, value in known.simple_bindings():
        if not known.is_real(name):
            continue
        made, taken = None, None
        if known.calls(value, (*LOG, *LOG1P)) and isinstance(value.args[0], gast.Name):
            made = known.log(value.args[0].id, place, known.calls(value, LOG1P))
            if made is None and known.calls(value, LOG):
                made, taken = known.log_of_elements(value.args[0].id, place) or (None, None)
        elif isinstance(value, gast.Subscript):
            made, taken = known.elements_of_log(value, place) or (None, None)
        elif isinstance(value, gast.BinOp):
            made = known.logistic(value, place)
        if made is None:
            continue
        function, arguments = made
        call = syntax.copy_place(syntax.call(constant(None), *arguments), value)
        facts.callees[id(call)] = function, None
        facts.before[id(place.node)] = {**facts.before[id(place.node)], **{
            read: facts.names[read] for part in (call, taken) if part is not None
            for read in syntax.read_names(part)}}
        value.derived_as, value.derived_beside = call, taken


def probability_result(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, typer: Typer,
                       of_call: OfCall, parameters: list[str]) -> Probability | None:
    """What a function makes of one of its parameters, if that is a probability, on every way."""
    called = [function for function, _ in facts.callees.values()]
    last = tree.body[-1]
    if not called or not isinstance(last, gast.Return) or not isinstance(last.value, gast.Name) \
            or not _are_ours():
        return None
    known = _Probabilities(tree, facts, aliases, typer, of_call)
    found = {known.of_value(place.node.value, place, 0)
             if isinstance(place.node, gast.Assign) else None
             for place in known.bound.get(last.value.id, ())}
    made = found.pop() if len(found) == 1 else None
    return made if made is not None and made.argument in parameters \
        and made.argument not in known.bound and known.is_real(last.value.id) else None


def _are_ours() -> bool:
    """Whether nobody registered other rules for what this is made of."""
    return all(map(registry.has_our_rules, FOLLOWED))


# What is differentiated in the place of something: a function, and its arguments.
Made = tuple[Any, list[gast.expr]]


class _Probabilities(Standing):
    """Finds out which names are what of what."""

    def __init__(self, tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, typer: Typer,
                 of_call: OfCall) -> None:
        super().__init__(tree, facts, aliases, typer)
        self.of_call = of_call

    def is_real(self, name: str) -> bool:
        kind = self.facts.names.get(name)
        return isinstance(kind, (Array, Number)) and kinds.dtype_of(kind) == "float"

    def log(self, name: str, place: Place, is_log1p: bool) -> Made | None:
        """What is differentiated in the place of log(name) or log1p(name), and its arguments."""
        if not self.stands(name, place):
            return None
        value: Any = self.binding(name)
        opposite = self.one_minus(value)
        found: Probability | None
        if is_log1p:                            # log1p(-p) is log(1 - p)
            opposite = value.operand.id if _is_minus_of_name(value) else None
            inner = None if opposite is None else self.probability(opposite)
            found = _turned(inner) if isinstance(inner, Logistic) else None
        else:
            found = self.probability(name)
        if found is None or not self.keeps(found.argument, place) \
                or (opposite is not None and not self.stands(opposite, place)):
            return None
        argument = load(found.argument)
        if isinstance(found, Share):
            return (log_of_share, [argument, load(name)]) if found.axis is None else \
                (log_of_share_along, [argument, load(name), syntax.constant(found.axis)])
        rest = binary(constant(1.0), "-", load(name)) if opposite is None else load(opposite)
        return log_of_fall if found.is_negative else log_of_rise, [argument, rest]

    def logistic(self, value: gast.BinOp, place: Place) -> Made | None:
        """What is differentiated in the place of a quotient that is a logistic function."""
        found = self.of_quotient(value.left, value.right.id, place) if isinstance(
            value.op, gast.Div) and isinstance(value.right, gast.Name) else None
        if found is None or not self.keeps(found.argument, place):
            return None
        return fall if found.is_negative else rise, [load(found.argument)]

    # Elements of logarithms of shares, one of each row ----------------------------------------
    def log_of_elements(self, name: str, place: Place) -> tuple[Made, gast.expr] | None:
        """Of `np.log(p[rows, labels])`: what is differentiated for all of p, and what for the
        elements."""
        value: Any = self.binding(name)
        if not self.stands(name, place) or not isinstance(value, gast.Subscript) \
                or not isinstance(value.value, gast.Name):
            return None
        share = self.standing_share(value.value.id, place)
        index = None if share is None else self.one_of_each(value, place, share)
        return None if share is None or index is None else self.elements(
            minus_log_of_sum, share, [load(value.value.id)], index)

    def elements_of_log(self, value: gast.Subscript, place: Place) -> tuple[Made, gast.expr] | None:
        """The same of `logp[rows, labels]`."""
        logs: Any = self.binding(getattr(value.value, "id", ""))
        if not isinstance(value.value, gast.Name) or logs is None \
                or not self.stands(value.value.id, place):
            return None
        if self.calls(logs, LOG) and isinstance(logs.args[0], gast.Name):
            share = self.standing_share(logs.args[0].id, place)
            index = None if share is None else self.one_of_each(value, place, share)
            return None if share is None or index is None else self.elements(
                minus_log_of_sum, share, [logs.args[0]], index)
        # x - np.log(total)
        if not isinstance(logs, gast.BinOp) or not isinstance(logs.op, gast.Sub) \
                or not isinstance(logs.left, gast.Name) or not isinstance(logs.right, gast.Name):
            return None
        first = self.bound[value.value.id][0]
        log_total: Any = self.binding(logs.right.id)
        kind = self.facts.names.get(logs.left.id)
        if not self.calls(log_total, LOG) or not isinstance(log_total.args[0], gast.Name) \
                or not isinstance(kind, Array) or kind.ndim is None \
                or not self.stands(logs.right.id, first) or not self.keeps(logs.left.id, place):
            return None
        total = log_total.args[0].id
        summed = self.along(total, SUMS, kind.ndim)
        power: Any = None if summed is None else self.binding(summed[0])
        if summed is None or not self.calls(power, EXP) \
                or getattr(power.args[0], "id", "") != logs.left.id \
                or not all(self.stands(name, place) for name in (total, summed[0])):
            return None
        found = Share(logs.left.id, summed[1])
        index = self.one_of_each(value, place, found)
        return None if index is None else self.elements(
            minus_log_of_total, found, [load(summed[0]), load(total)], index)

    def standing_share(self, name: str, place: Place) -> Share | None:
        """What a name is the shares of, if both are so still."""
        found = self.probability(name) if self.stands(name, place) else None
        return found if isinstance(found, Share) and self.keeps(found.argument, place) else None

    def elements(self, function: Any, share: Share, given: list[gast.expr],
                 index: gast.expr) -> tuple[Made, gast.expr]:
        axis = [] if share.axis is None else [syntax.constant(share.axis)]
        return (function, [load(share.argument), *given, *axis]), \
            syntax.subscript(load(share.argument), syntax.copy(index))

    def one_of_each(self, value: gast.Subscript, place: Place, share: Share) -> gast.expr | None:
        """The index that takes one element of each row of a matrix along which the shares are, in
        order, or one of a vector, as often as these are made."""
        if self.bound[value.value.id][0].block != place.block:
            return None
        self.typer.names = self.facts.names
        kind, index = self.typer.kind(value.value), value.slice
        rank = kind.ndim if isinstance(kind, Array) else None
        if rank == 1 and share.axis is None:
            taken = self.typer.kind(index)
            return index if isinstance(index, (gast.Name, gast.Constant)) and isinstance(
                taken, Number) and taken.type == "int" and self.is_as_it_was(index, place) else None
        if rank != 2 or share.axis is None or not isinstance(index, gast.Tuple) \
                or len(index.elts) != 2:
            return None
        rows, labels = index.elts if share.axis % 2 else index.elts[::-1]
        found = self.counted(index, place)
        if found is not rows or not isinstance(labels, gast.Name) \
                or not isinstance(self.typer.kind(labels), Array) \
                or not self.is_as_it_was(labels, place):
            return None
        one = syntax.tuple_of([gast.Slice(None, None, None), constant(0)][::1 if share.axis % 2
                                                                          else -1])
        whole = self.typer.kind(syntax.subscript(value.value, one))
        return index if kinds.same_shape(whole, self.typer.kind(rows)) else None

    def is_as_it_was(self, index: gast.expr, place: Place) -> bool:
        return not isinstance(index, gast.Name) or self.keeps(index.id, place)

    def one_minus(self, value: Any) -> str | None:
        """p of `1.0 - p`"""
        return value.right.id if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Sub) \
            and syntax.is_one(value.left) and isinstance(value.right, gast.Name) else None

    def probability(self, name: str, depth: int = 0) -> Probability | None:
        """What a name is of what."""
        place, value = self.place(name), self.binding(name)
        return None if place is None or value is None or depth > DEEPEST \
            or not self.is_real(name) else self.of_value(value, place, depth)

    def of_value(self, value: Any, place: Place, depth: int) -> Probability | None:
        """What the value of a statement is of what."""
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Div) \
                and isinstance(value.right, gast.Name):
            return self.of_quotient(value.left, value.right.id, place) or self.share(value, place)
        opposite = self.one_minus(value)
        if opposite is not None:
            inner = self.probability(opposite, depth + 1)
            return _turned(inner) if isinstance(inner, Logistic) and self.stands(opposite, place) \
                else None
        if not isinstance(value, gast.Call):
            return None
        function, receiver = self.function(value)
        if function is np.where and len(value.args) == 3 and not value.keywords:
            return self.of_choice(value.args, place, depth)
        expit = getattr(sys.modules.get("scipy.special"), "expit", None)
        if expit is not None and self.calls(value, (expit,)) and registry.has_our_rules(expit):
            return self.settled(value.args[0], False, place)
        self.typer.names = self.facts.before.get(id(place.node), {})
        known = self.of_call(value, function) if receiver is None else None
        if known is None or not isinstance(known[0], gast.Name):
            return None
        argument, made = known
        if isinstance(made, Logistic):
            return self.settled(argument, made.is_negative, place)
        return made._replace(argument=argument.id) if self.keeps(argument.id, place) else None

    # The logistic function --------------------------------------------------------------------
    def of_quotient(self, upper: gast.expr, lower: str, place: Place) -> Logistic | None:
        """`1 / (1 + e)` and `e / (1 + e)`"""
        total: Any = self.binding(lower)
        if not isinstance(total, gast.BinOp) or not isinstance(total.op, gast.Add) \
                or not self.stands(lower, place):
            return None
        one, power = (total.left, total.right) if syntax.is_one(total.left) \
            else (total.right, total.left)
        if not syntax.is_one(one) or not isinstance(power, gast.Name) \
                or not self.stands(power.id, self.bound[lower][0]):
            return None
        made: Any = self.binding(power.id)
        if not self.calls(made, EXP):
            return None
        is_negative = syntax.is_one(upper)
        if not is_negative and (getattr(upper, "id", "") != power.id
                                or not self.stands(power.id, place)):
            return None
        return self.settled(made.args[0], is_negative, self.bound[power.id][0])

    def of_choice(self, given: list[Any], place: Place, depth: int) -> Logistic | None:
        """`np.where(z >= 0.0, 1.0 / (1.0 + np.exp(-z)), ...)`, where both ways give the same."""
        if not all(isinstance(part, gast.Name) and self.stands(part.id, place) for part in given):
            return None
        one, other = (self.probability(part.id, depth + 1) for part in given[1:])
        if not isinstance(one, Logistic) or one != other:
            return None
        # The test has the shape of what it is of.
        test: Any = self.binding(given[0].id)
        asked = self.settled(test.left, False, place) if isinstance(test, gast.Compare) and len(
            test.ops) == 1 and isinstance(test.comparators[0], gast.Constant) else None
        return one if asked in (one, _turned(one)) else None

    def settled(self, argument: Any, is_negative: bool, place: Place) -> Logistic | None:
        """What an argument is the negative of, if it is one."""
        while isinstance(argument, gast.Name) and self.keeps(argument.id, place):
            value: Any = self.binding(argument.id)
            if not _is_minus_of_name(value) or not self.keeps(
                    value.operand.id, self.bound[argument.id][0]):
                return Logistic(argument.id, is_negative)
            place = self.bound[argument.id][0]
            argument, is_negative = value.operand, not is_negative
        return None


    # Shares of a sum --------------------------------------------------------------------------
    def share(self, value: gast.BinOp, place: Place) -> Share | None:
        """`e / np.sum(e, axis=1, keepdims=True)`, `e / np.sum(e)`, where e is an exponential."""
        power, total = value.left, value.right
        if not isinstance(power, gast.Name) or not self.stands(power.id, place) \
                or not self.stands(total.id, place):
            return None
        made: Any = self.binding(power.id)
        kind = self.facts.names.get(power.id)
        if not self.calls(made, EXP) or not isinstance(made.args[0], gast.Name) \
                or not isinstance(kind, Array) or kind.ndim is None:
            return None
        summed = self.along(total.id, SUMS, kind.ndim)
        if summed is None or summed[0] != power.id or not self.stands(power.id, self.bound[
                total.id][0]):
            return None
        axis = summed[1]
        return self.unshifted(made.args[0].id, self.bound[power.id][0], axis, kind.ndim)

    def along(self, name: str, group: tuple[Any, ...], rank: int) -> tuple[str, int | None] | None:
        """What a name is the sum, or the largest, of, and along which axis: with that axis, of
        length one (None: along all)."""
        value: Any = self.binding(name)
        is_spread = False
        if isinstance(value, gast.Subscript) and rank == 2 and isinstance(value.value, gast.Name) \
                and syntax.is_column(value.slice) and self.stands(value.value.id,
                                                                self.bound[name][0]):
            value, is_spread = self.binding(value.value.id), True
        found = self.reduced(value, group)
        if found is None or not isinstance(found.given, gast.Name):
            return None
        if found.axis is None:
            return None if is_spread else (found.given.id, None)
        if isinstance(found.axis, tuple) or not -rank <= found.axis < rank:
            return None
        if rank == 1 and not is_spread:
            return found.given.id, None
        fits = found.axis in (-1, 1) and not found.keeps if is_spread else found.keeps
        return (found.given.id, found.axis) if fits else None

    def unshifted(self, name: str, place: Place, axis: int | None, rank: int) -> Share | None:
        """The shares of exp(z - m) are those of exp(z), if m is the same along the axis: the sum of
        what comes back along it is zero."""
        value: Any = self.binding(name)
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Sub) \
                and isinstance(value.left, gast.Name) and isinstance(value.right, gast.Name):
            first = self.bound[name][0]
            largest = self.along(value.right.id, LARGEST, rank)
            if largest is not None and largest[0] == value.left.id \
                    and (largest[1] is None or (axis is not None
                                                and largest[1] % rank == axis % rank)) \
                    and self.stands(value.right.id, first) \
                    and self.keeps(value.left.id, first) \
                    and self.keeps(value.left.id, self.bound[value.right.id][0]):
                return Share(value.left.id, axis)
        return Share(name, axis) if self.keeps(name, place) else None


def _turned(found: Logistic) -> Logistic:
    return found._replace(is_negative=not found.is_negative)


def _is_minus_of_name(value: Any) -> bool:
    return isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub) \
        and isinstance(value.operand, gast.Name)
