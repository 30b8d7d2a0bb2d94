"""Functions that are followed as the Python that they stand for (see `models`), and those of the
standard library that ask what an object holds."""
from __future__ import annotations

import bisect
import dataclasses
import functools
import heapq
import math
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import (  # noqa: F401 - what library registers comes first
    iteration,
    library,
    models,
    models_standard,
    queues,
)
from tangent_lite.heap.arrays import check_turns
from tangent_lite.heap.handlers import HANDLERS, Handler, handles
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back


def _modelled(model: Any) -> Handler:
    """A function that is followed as the Python that it stands for."""
    def handler(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        # A generator is run through first: nothing is drawn from it meanwhile.
        args = tuple(tape.listed(a) if isinstance(a, iteration.Lazy) else a for a in args)
        return tape.called(model, args, keywords)
    return handler


for _known, _model in (
        (np.apply_along_axis, models.apply_along_axis), (np.piecewise, models.piecewise),
        (np.apply_over_axes, models.apply_over_axes), (np.fromiter, models.fromiter),
        (np.putmask, models.putmask), (np.put_along_axis, models.put_along_axis),
        (bisect.insort_left, models_standard.insort_left),
        (bisect.insort_right, models_standard.insort_right),
        (dataclasses.asdict, models_standard.asdict),
        (dataclasses.astuple, models_standard.astuple), (math.dist, models_standard.dist)):
    HANDLERS[_known] = _modelled(_model)


@handles(heapq.nsmallest)
def nsmallest_(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
    return tape.called(models_standard.nsmallest, args, keywords)


@handles(heapq.nlargest)
def nlargest_(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
    return tape.called(models_standard.nlargest, args, keywords)


@handles(np.place)
def place_(tape: Any, arr: Any, mask: Any, vals: Any) -> tuple[Any, Back | None]:
    if isinstance(arr, np.ndarray):
        check_turns(tape, arr, np.nonzero(np.reshape(np.asarray(mask, bool), arr.shape)), vals)
        if isinstance(vals, np.ndarray):
            np.empty(0, vals.dtype).astype(arr.dtype, casting="safe")       # raises as np.place
    return tape.called(models.place, (arr, mask, vals), {})


@handles(np.fill_diagonal)
def fill_diagonal_(tape: Any, a: Any, val: Any, wrap: bool = False) -> tuple[Any, Back | None]:
    if isinstance(a, np.ndarray) and a.ndim > 1:
        check_turns(tape, a, models.on_diagonal(a, wrap), val)
    return tape.called(models.fill_diagonal, (a, val, wrap), {})


@handles(heapq.merge)
def merge_(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
    if any(isinstance(a, iteration.Lazy) for a in args):
        # It asks them for items one by one, and they may have no end.
        raise UnsupportedSyntaxError("iterators are merged", tape.place(), "merge lists")
    return tape.called(models_standard.merge, args, keywords)


@handles(functools.lru_cache)
def lru_cache_(tape: Any, maxsize: Any = 128, typed: bool = False) -> tuple[Any, Back | None]:
    if callable(maxsize):
        return functools.lru_cache(maxsize), None
    return functools.partial(_keep, maxsize, typed), None


@handles(functools.cache)
def cache_(tape: Any, function: Any) -> tuple[Any, Back | None]:
    return functools.cache(function), None


def _keep(maxsize: int | None, typed: bool, function: Any) -> Any:
    """What `functools.lru_cache(maxsize)` makes of a function."""
    return functools.lru_cache(maxsize, typed)(function)


@handles(_keep)
def keep_(tape: Any, maxsize: int | None, typed: bool, function: Any) -> tuple[Any, Back | None]:
    return _keep(maxsize, typed, function), None


@handles(dataclasses.fields)
def fields_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    return dataclasses.fields(x), None


@handles(dataclasses.is_dataclass)
def is_dataclass_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    return dataclasses.is_dataclass(x), None


@handles(vars)
def vars_(tape: Any, *x: Any) -> tuple[Any, Back | None]:
    if not x or not is_record(x[0]):
        raise UnsupportedSyntaxError("vars() exposes variables by name", tape.place(),
                                     "write the expression itself")
    return tape.heap.space_of(x[0]), None
