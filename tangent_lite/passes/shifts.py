"""Which names only shift what they cancel out of, so that nothing depends on them.

Before exponentials are taken, their largest argument is taken off, lest they overflow:

>>> from tangent_lite.kinds import Array
>>> from tangent_lite.stages import stages
>>> def f(x):
...     m = np.max(x)
...     return m + np.log(np.sum(np.exp(x - m)))
>>> f.__globals__["np"] = __import__("numpy")
>>> sorted(stages(f, x=Array(1, "float")).context.active)
['exp_t', 'f_1', 'log_sum', 'sum_exp_t', 't', 'x']

Whatever `m` is, `f` is the same: `exp(x - m)` is `exp(x)` by a factor of `exp(-m)`, and so is its
sum; the logarithm makes that a term, and it is added again. So the adjoint of `m` is zero, which by
rounding it would not quite be, and none is computed.

Each value that is made of `m` is some value without `m` plus a multiple of `m`, or times the
exponential of one. It must not be read by anything of which that does not follow, nor before it is
bound in an iteration; then what is left in the end does not depend on `m`. Where `m` is infinite or
not a number, the exponentials are not numbers either, nor are the adjoints that come by them.
"""
from __future__ import annotations

import heapq
import operator
from collections.abc import Iterator
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.bound_once import EXP, LARGEST, LOG, SUMS, BoundOnce, Place
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import Typer
from tangent_lite.kinds import Array, Number
from tangent_lite.modules import is_one_of
from tangent_lite.runtime import grad_hook
from tangent_lite.syntax import read_names

MEANS = (*SUMS, np.mean, np.ndarray.mean)
EXTREMES = (*LARGEST, np.min, np.amin, np.ndarray.min)
TURNED = (np.transpose, np.ndarray.transpose)
RESHAPED = (np.reshape, np.ndarray.reshape)
VIEWS = (*TURNED, *RESHAPED, np.expand_dims, np.squeeze, np.ndarray.squeeze)
PRODUCTS = (np.dot, np.ndarray.dot, np.matmul)
FOLLOWED = (*EXP, *LOG, *MEANS, *EXTREMES, *VIEWS, *PRODUCTS, np.where, operator.add, operator.sub,
            operator.mul, operator.truediv, operator.neg, operator.matmul)
# Of a shift that is used by more statements nothing is found out, so that the work stays linear.
MOST = 40


class Shifted(NamedTuple):
    """A value that is another one plus a multiple of the shift, or times the exponential of that.
    """
    is_factor: bool
    times: int                      # the multiple
    unit: int                       # of 1 (0), or of what the statement with that id multiplies by
    along: tuple[int | None, ...]   # for each axis that of the shift which lies along it, if any


def shifts(tree: gast.FunctionDef, facts: Inferred, aliases: Aliases, typer: Typer) -> set[str]:
    """Names on which nothing depends, since they cancel out."""
    called = [function for function, _ in facts.callees.values()]
    if not any(is_one_of(function, EXP) for function in called) \
            or any(function is grad_hook for function in called) \
            or not all(map(registry.has_our_rules, FOLLOWED)):
        # A hook is called with the adjoint, and a rule of the user's says, whatever they like.
        return set()
    return _Shifts(tree, facts, aliases, typer).found()


class _Shifts(BoundOnce):
    def __init__(self, tree: gast.FunctionDef, facts: Inferred, aliases: Aliases,
                 typer: Typer) -> None:
        super().__init__(tree, facts)
        self.aliases, self.typer = aliases, typer

    def found(self) -> set[str]:
        tried: dict[str, bool] = {}
        for places in list(self.bound.values()):
            value: Any = getattr(places[0].node, "value", None)
            if len(places) > 1 or not self.calls(value, EXP) \
                    or not isinstance(value.args[0], gast.Name):
                continue
            for name in self.taken_off(value.args[0].id):
                if name not in tried:
                    tried[name] = self.cancels(name)
        return {name for name, cancels in tried.items() if cancels}

    def taken_off(self, name: str) -> Iterator[str]:
        """Names of what was taken off a value, or off what it is a multiple of; of a view, those of
        what it is a view of, too."""
        value = self.binding(name)
        if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Div)):
            for side in (value.left, value.right):
                inner = self.binding(side.id) if isinstance(side, gast.Name) else None
                if isinstance(inner, gast.BinOp) and isinstance(inner.op, gast.Sub):
                    value = inner
        if not isinstance(value, gast.BinOp) or not isinstance(value.op, gast.Sub):
            return
        taken: Any = value.right
        while isinstance(taken, gast.Name):
            yield taken.id
            taken = self.viewed(self.binding(taken.id))

    def viewed(self, value: Any) -> Any:
        """What a value has the numbers of, as far as it is one name that stands in it."""
        if isinstance(value, (gast.Subscript, gast.Attribute)):
            return value.value
        if not isinstance(value, gast.Call) or not is_one_of(self.function(value)[0], VIEWS):
            return None
        return self.given(value)[0]

    # Whether a name cancels out ---------------------------------------------------------------
    def cancels(self, name: str) -> bool:
        value, kind = self.binding(name), self.kind(name)
        if value is None or kind is None or not self.is_operation(value):
            return False
        along: list[int | None] = list(range(_rank(kind)))
        if isinstance(value, gast.Call):
            reduced = self.along(value, len(along))
            for axis in reduced.axes if reduced is not None and reduced.keeps else ():
                along[axis] = None
        state = {name: Shifted(False, 1, 0, tuple(along))}
        todo: list[Place] = []
        done: set[int] = set()
        if not self.push(todo, name):
            return False
        while todo:
            place = heapq.heappop(todo)
            if id(place.node) in done:
                continue
            done.add(id(place.node))
            target = place.node.targets[0] if isinstance(place.node, gast.Assign) else None
            if len(done) > MOST or not isinstance(target, gast.Name):
                return False
            made = self.made(place.node, target.id, state)
            if made is None:
                return False
            if made.times:
                state[target.id] = made
                if not self.push(todo, target.id):
                    return False
        return True

    def push(self, todo: list[Place], name: str) -> bool:
        """Look at what reads a name next, if all of it stands behind where the name is bound."""
        places = self.bound.get(name, [])
        if len(places) != 1 or self.aliases.may_change(name):
            return False
        for place in self.read.get(name, ()):
            if place.block != places[0].block or place.number <= places[0].number:
                return False
            heapq.heappush(todo, place)
        return True

    def is_operation(self, value: gast.expr) -> bool:
        """Whether a value is made without running code of the user's, which may hold a hook."""
        return not isinstance(value, gast.Call) or registry.lookup(
            self.function(value)[0]) is not None

    def kind(self, name: str) -> Any:
        """Of a float or an array of floats of so many dimensions; else None."""
        kind = self.facts.names.get(name)
        if not isinstance(kind, (Array, Number)) or kinds.dtype_of(kind) != "float":
            return None
        return kind if isinstance(kind, Number) or kind.ndim is not None else None

    # What becomes of it -----------------------------------------------------------------------
    def made(self, node: gast.stmt, name: str, state: dict[str, Shifted]) -> Shifted | None:
        """How what a statement binds depends on the shift; None where that cannot be said."""
        value = node.value
        whole = value.value if isinstance(value, gast.Subscript) else value
        if isinstance(whole, gast.Attribute) and whole.attr in ("shape", "ndim", "size", "dtype"):
            return NOT_AT_ALL           # `e.shape[0]`: no index is an array that varies
        kind = self.kind(name)
        if kind is None:
            return None
        self.typer.names = self.facts.before.get(id(node), {})
        if isinstance(value, gast.BinOp):
            return self.operation(node, _rank(kind), state)
        if isinstance(value, gast.Call):
            return self.call(value, _rank(kind), state)
        if isinstance(value, gast.Name):
            return state[value.id]
        inner = value.operand if isinstance(value, gast.UnaryOp) else getattr(value, "value", None)
        ours = state.get(getattr(inner, "id", ""))
        if ours is None:
            return None
        if isinstance(value, gast.UnaryOp):
            return _negative(ours) if isinstance(value.op, gast.USub) else None
        if isinstance(value, gast.Attribute):
            return ours._replace(along=ours.along[::-1]) if value.attr == "T" else None
        return self.indexed(ours, value.slice) if isinstance(value, gast.Subscript) else None

    def indexed(self, ours: Shifted, index: gast.expr) -> Shifted | None:
        """Of `m[:, None]` and `m[:, 0]`: whole axes, new ones, places along which nothing varies.
        """
        parts = syntax.shown_parts(index)
        is_new = [isinstance(self.typer.kind(part), kinds.Nothing) for part in parts]
        before: list[int | None] = []
        rest = list(ours.along)
        left_out = len(rest) - sum(not new and not syntax.is_whole(part)
                                   for part, new in zip(parts, is_new))
        if left_out < 0:
            return None
        for part, new in zip(parts, is_new):
            if new:
                before.append(None)
            elif syntax.is_whole(part):
                before += rest[:left_out]
                del rest[:left_out]
            elif rest and syntax.is_colon(part):
                before.append(rest.pop(0))
            elif rest and rest[0] is None and isinstance(part, gast.Constant) \
                    and type(part.value) is int:
                rest.pop(0)
            else:
                return None
        return ours._replace(along=(*before, *rest))

    def operation(self, node: gast.stmt, rank: int, state: dict[str, Shifted]) -> Shifted | None:
        value: Any = node.value
        left, right = (state.get(getattr(side, "id", "")) for side in (value.left, value.right))
        left, right = _padded(left, rank), _padded(right, rank)
        if isinstance(value.op, (gast.Add, gast.Sub)):
            if right is not None and isinstance(value.op, gast.Sub):
                right = _negative(right)
            if left is None or right is None:
                one = left or right
                return one if one is not None and not one.is_factor else None
            if left.is_factor or right.is_factor:
                return left if left == right else None
            return left._replace(times=left.times + right.times) if _alike(left, right) else None
        if isinstance(value.op, gast.MatMult):
            return self.product(value.left, value.right, state)
        if not isinstance(value.op, (gast.Mult, gast.Div)):
            return None
        if right is not None and isinstance(value.op, gast.Div):
            # One over a factor is the factor of the opposite multiple; over a sum it is neither.
            right = right._replace(times=-right.times) if right.is_factor else None
            if right is None:
                return None
        if left is not None and right is not None:
            return left._replace(times=left.times + right.times) \
                if left.is_factor and _alike(left, right) else None
        one, other = (left, value.right) if left is not None else (right, value.left)
        if one is None or one.is_factor:
            return one
        scale = self.facts.names.get(getattr(other, "id", ""), None)
        if one.unit or (not isinstance(scale, Number) and not isinstance(other, gast.Constant)):
            return None
        return one._replace(unit=id(node))

    def product(self, left: Any, right: Any, state: dict[str, Shifted]) -> Shifted | None:
        """A product of matrices or vectors, which sums along one axis of each."""
        ranks = [_rank(self.typer.kind(side)) for side in (left, right)]
        first, second = (state.get(getattr(side, "id", "")) for side in (left, right))
        ours = first or second
        if ours is None or (first and second) or not all(rank in (1, 2) for rank in ranks):
            return None
        summed, along = (ours.along[-1], (*ours.along[:-1], *[None] * (ranks[1] - 1))) if first \
            else (ours.along[0], (*[None] * (ranks[0] - 1), *ours.along[1:]))
        return ours._replace(along=along) if ours.is_factor and summed is None else None

    def call(self, value: gast.Call, rank: int, state: dict[str, Shifted]) -> Shifted | None:
        function, _ = self.function(value)
        given = self.given(value)
        if is_one_of(function, PRODUCTS) and len(given) == 2 and not value.keywords:
            return self.product(given[0], given[1], state)
        if function is np.where and len(given) == 3 and not value.keywords:
            return _padded(self.chosen(given, state), rank)
        ours = state.get(getattr(given[0], "id", "")) if given else None
        if ours is None or not all(read_names(part).isdisjoint(state) for part in (
                *given[1:], *(k.value for k in value.keywords))):
            return None
        if is_one_of(function, VIEWS):
            by_name = [k.value for k in value.keywords if k.arg == "axis"]
            return self.view(function, ours, given[1:] + by_name, rank) \
                if len(by_name) == len(value.keywords) else None
        if self.calls(value, EXP) or self.calls(value, LOG):
            is_log = is_one_of(function, LOG)
            return ours._replace(is_factor=not is_log) if ours.is_factor == is_log else None
        reduced = self.along(value, len(ours.along))
        # A sum of terms has the shift as often as there are terms.
        if reduced is None or any(ours.along[axis] is not None for axis in reduced.axes) \
                or (is_one_of(function, MEANS) and not ours.is_factor):
            return None
        return ours._replace(along=tuple(
            along for axis, along in enumerate(ours.along)
            if reduced.keeps or axis not in reduced.axes))

    def chosen(self, given: list[Any], state: dict[str, Shifted]) -> Shifted | None:
        """`np.where(test, e, 0.0)`: zero is zero times any factor."""
        test, one, other = given
        ours = state.get(getattr(one, "id", ""))
        is_zero = isinstance(other, gast.Constant) and other.value == 0
        return ours if ours is not None and ours.is_factor and is_zero \
            and read_names(test).isdisjoint(state) else None

    def view(self, function: Any, ours: Shifted, rest: list[gast.expr],
             rank: int) -> Shifted | None:
        """The same numbers with other axes."""
        along = list(ours.along)
        if is_one_of(function, TURNED):
            return ours._replace(along=ours.along[::-1]) if not rest else None
        given = [kinds.value_of(self.typer.kind(part)) for part in rest]
        if is_one_of(function, RESHAPED):
            as_column = given in ([-1, 1], [(-1, 1)]) and len(along) == 1
            return ours._replace(along=(along[0], None)) if as_column else None
        if len(given) != 1 or type(given[0]) is not int:
            return None
        if function is np.expand_dims:
            along.insert(given[0] % rank, None)
        elif along.pop(given[0]) is not None:
            return None
        return ours._replace(along=tuple(along)) if len(along) == rank else None

    def along(self, value: gast.Call, rank: int) -> Along | None:
        """Along which axes of how many a call sums, or finds the largest; None of other calls."""
        found = self.reduced(value, (*MEANS, *EXTREMES))
        if found is None:
            return None
        axes = range(rank) if found.axis is None else \
            found.axis if isinstance(found.axis, tuple) else (found.axis,)
        return Along(frozenset(a % rank for a in axes), found.keeps) \
            if all(-rank <= a < rank for a in axes) else None


NOT_AT_ALL = Shifted(False, 0, 0, ())


class Along(NamedTuple):
    """Axes that a reduction is along, and whether the result has them still, of length 1."""
    axes: frozenset[int]
    keeps: bool


def _rank(kind: Any) -> int:
    return kind.ndim or 0 if isinstance(kind, Array) else 0


def _negative(ours: Shifted) -> Shifted:
    return ours if ours.is_factor else ours._replace(times=-ours.times)


def _alike(left: Shifted, right: Shifted) -> bool:
    return left._replace(times=0) == right._replace(times=0)


def _padded(ours: Shifted | None, rank: int) -> Shifted | None:
    """As part of something with more axes, which come in front."""
    return None if ours is None else ours._replace(
        along=(None,) * (rank - len(ours.along)) + ours.along)

