"""Handlers of iterators, and of what goes through one: `next`, `any`, `all`."""
from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import iteration, iterators, operations, recurring, special
from tangent_lite.heap.handlers import HANDLERS, handles
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, varies


def _iterator(made: Any) -> tuple[Any, Back | None]:
    return _lazy(made) if isinstance(made, iteration.Lazy) else (made, None)


def _whole(tape: Any, numbers: Any) -> list[Any]:
    return [special.whole(tape, number) for number in numbers]


HANDLERS.update({
    zip: lambda tape, *xs, strict=False: _lazy(iterators.zipped(tape, *xs, strict=strict)),
    enumerate: lambda tape, xs, start=0: _lazy(iterators.enumerated(
        tape, xs, special.whole(tape, start))),
    iter: lambda tape, xs, *last: _iterator(
        recurring.asked_until(tape, xs, *last) if last else iterators.iterated(tape, xs)),
    map: lambda tape, f, *xs: _lazy(iterators.mapped(tape, f, *xs)),
    filter: lambda tape, f, xs: _lazy(iterators.filtered(tape, f, xs)),
    np.ndenumerate: lambda tape, x: _lazy(iterators.numbered(tape, x)),
    itertools.chain: lambda tape, *xs: _lazy(iterators.chained(tape, *xs)),
    itertools.islice: lambda tape, xs, *bounds: _lazy(iterators.sliced(
        tape, xs, *_whole(tape, bounds))),
})


HANDLERS.update({
    itertools.takewhile: lambda tape, f, xs: _lazy(iterators.while_true(tape, f, xs, drop=False)),
    itertools.dropwhile: lambda tape, f, xs: _lazy(iterators.while_true(tape, f, xs, drop=True)),
})
HANDLERS.update({
    itertools.chain.from_iterable: lambda tape, xss: _lazy(iterators.chained_all(tape, xss)),
    itertools.starmap: lambda tape, f, xs: _lazy(iterators.mapped(tape, f, xs, starred=True)),
    itertools.repeat: lambda tape, x, *n, times=None: _lazy(
        iterators.repeated(
            tape, x, *_whole(tape, n), *([] if times is None else _whole(tape, [times])))),
    itertools.compress: lambda tape, xs, which: _lazy(iterators.compressed(tape, xs, which)),
    itertools.filterfalse: lambda tape, f, xs: _lazy(
        iterators.filtered(tape, f, xs, wanted=False)),
})
for _one in (itertools.combinations, itertools.permutations,
             itertools.combinations_with_replacement):
    HANDLERS[_one] = lambda tape, xs, *r, _one=_one: _lazy(
        iterators.indexed(_one, xs, *_whole(tape, r), tape=tape, count=1))
HANDLERS[itertools.pairwise] = lambda tape, xs: _lazy(iterators.paired(tape, xs))
HANDLERS[itertools.cycle] = lambda tape, xs: _lazy(recurring.cycled(tape, xs))
HANDLERS[itertools.groupby] = lambda tape, xs, key=None: _lazy(recurring.grouped(tape, xs, key))
HANDLERS[itertools.tee] = lambda tape, xs, n=2: recurring.teed(tape, xs, n)
HANDLERS[itertools.product] = lambda tape, *xs, **options: _lazy(
    iterators.indexed(itertools.product, *xs, tape=tape, count=max(len(xs), 1), **options))


@handles(itertools.accumulate)
def accumulate_(tape: Any, xs: Any, *more: Any, func: Any = None,
                **options: Any) -> tuple[Any, Back | None]:
    lazy = iterators.accumulated(tape, xs, *(more or (func or operator.add,)), **options)
    count = 1 + len(more) + (func is not None)

    def back(_: Any) -> Any:
        found = lazy.back(None)
        return None if found is None else [found[0], *[None] * (count - 1), found[2]]
    return lazy, back


@handles(itertools.zip_longest)
def zip_longest_(tape: Any, *xs: Any, fillvalue: Any = None) -> tuple[Any, Back | None]:
    return _lazy(iterators.zipped_to_longest(tape, *xs, filling=fillvalue))


def _lazy(lazy: Any) -> tuple[Any, Back | None]:
    return lazy, lazy.back


@handles(reversed)
def reversed_(tape: Any, xs: Any) -> tuple[Any, Back | None]:
    if is_record(xs) and hasattr(type(xs), "__reversed__"):
        return tape.called(type(xs).__reversed__, (xs,), {})
    return _lazy(iterators.backwards(tape, xs))


@handles(next, iteration.Lazy.__next__)
def next_(tape: Any, it: Any, *default: Any) -> tuple[Any, Back | None]:
    if is_record(it):
        found = iteration.asked(tape, it) if default \
            else tape.called(type(it).__next__, (it,), {})
        return found or (default[0], lambda adjoint: (None, adjoint))
    if not isinstance(it, iteration.Lazy):
        value = next(it, *default)
        if varies(value):
            raise UnsupportedSyntaxError(f"what a {type(it).__name__} goes through cannot be "
                                         "followed", tape.place(),
                                         "pass a list or an array of NumPy in its place")
        return value, None
    step = next(it.steps, None)
    if step is None:
        if not default:
            raise it.stopped()
        return default[0], lambda adjoint: (None, adjoint)
    value, back = step

    def returned(adjoint: Any) -> None:
        if back is not None:
            back(adjoint)
    return value, returned


def _any(tape: Any, xs: Any, wanted: bool) -> tuple[Any, Back | None]:
    for value, back in iteration.steps(tape, xs):
        if back is not None:
            tape.push(lambda _, back=back: back(None))
        if operations.truth(tape, value) is wanted:
            return wanted, None
    return not wanted, None


HANDLERS[any] = lambda tape, xs: _any(tape, xs, True)
HANDLERS[all] = lambda tape, xs: _any(tape, xs, False)
