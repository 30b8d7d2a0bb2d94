"""Calls of what `np.vectorize` makes: a loop over the elements, or over what a signature says.

What NumPy does stands here as Python that is followed like the user's own code: the same arguments
are handed to the same function, as often as NumPy does.
"""
from __future__ import annotations

import re
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.primitives import Back


def call_vectorized(tape: Any, function: np.vectorize, args: tuple[Any, ...],
                    keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """np.vectorize(f)(*args, **keywords)."""
    dtypes = None if function.otypes is None else list(function.otypes)
    inside: Any = function.pyfunc
    if function.signature is None:
        return _without(4, tape.called(elements, (
            inside, dtypes, function.cache, function.excluded, *args), keywords))
    cores = _cores(function.signature)
    if cores is None or keywords or function.excluded:
        raise UnsupportedSyntaxError(
            "np.vectorize with several results and a signature, or with keywords or excluded "
            "arguments and one, is not followed", tape.place(), "write a loop")
    return _without(3, tape.called(by_signature, (inside, dtypes, cores, *args), {}))


def _without(count: int, made: tuple[Any, Back | None]) -> tuple[Any, Back | None]:
    """A call of a model, of which the first arguments are no arguments of the user's call."""
    value, back = made

    def rest(adjoint: Any) -> Any:
        found = back(adjoint) if back is not None else None
        return None if found is None else list(found)[count:]
    return value, rest


def elements(function: Any, dtypes: Any, cache: bool, excluded: Any, /, *args: Any,
             **options: Any) -> Any:
    """The function gets Python's numbers. What it gives for the first ones, as NumPy's, says of
    which type the results are, unless that is given; where that is kept, it is not called again
    for these."""
    places = [k for k in range(len(args)) if k not in excluded]
    names = [name for name in options if name not in excluded]
    given = [args[k] for k in places] + [options[name] for name in names]
    shape = np.broadcast_shapes(*[np.shape(a) for a in given])

    def called(parts: Any) -> Any:
        whole, more = list(args), dict(options)
        for k in range(len(places)):
            whole[places[k]] = parts[k]
        for k in range(len(names)):
            more[names[k]] = parts[len(places) + k]
        return function(*whole, **more)

    results: list[Any] = []
    first = None
    if dtypes is None:
        if not all(np.size(a) for a in given):
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        first = called([np.ravel(a)[0] for a in given])
    for spot in np.ndindex(shape):
        if cache and dtypes is None and len(results) == 0:
            results.append(first)
        else:
            results.append(called([item_at(a, spot) for a in given]))
    return in_arrays(results, shape, dtypes, first)


def item_at(a: Any, spot: Any) -> Any:
    """What NumPy hands over of an argument that is spread over others: of an array Python's number,
    of a list the item, a number as it is."""
    if isinstance(a, range):
        a = list(a)
    for place, size in zip(spot[len(spot) - np.ndim(a):], np.shape(a)):
        is_array = isinstance(a, np.ndarray)
        a = a[place if size > 1 else 0]
        if is_array and np.ndim(a) == 0:
            a = a.item()
    return a.item() if isinstance(a, np.ndarray) else a


def in_arrays(results: Any, shape: Any, dtypes: Any, first: Any) -> Any:
    """An array of all results; where each of them is a tuple, a tuple of arrays."""
    if dtypes is None:                          # texts are as long as the longest of them
        parts = first if isinstance(first, tuple) else (first,)
        dtypes = [np.asarray(one).dtype.char for one in parts]
    if len(dtypes) == 1:
        return array_of(results, shape, dtypes[0])
    arrays = []
    for k in range(len(dtypes)):
        arrays.append(array_of([one[k] for one in results], shape, dtypes[k]))
    return tuple(arrays)


def array_of(results: Any, shape: Any, dtype: Any) -> Any:
    if any(np.ndim(one) for one in results):
        raise ValueError("setting an array element with a sequence.")
    return np.reshape(np.array(results, dtype), shape)


def by_signature(function: Any, dtypes: Any, cores: Any, *args: Any) -> Any:
    """The function gets the parts that the signature says, as arrays, and what it gives are parts
    of the result. cores: the names of the axes of each argument, and of the result."""
    inputs, output = cores[:-1], cores[-1]
    if len(inputs) != len(args):
        raise TypeError("wrong number of positional arguments")
    sizes: dict[str, int] = {}
    fronts = []
    for names, one in zip(inputs, args):
        front = np.ndim(one) - len(names)
        if front < 0:
            raise ValueError("an argument does not have enough dimensions for all core dimensions")
        fronts.append(np.shape(one)[:front])
        check_sizes(names, np.shape(one)[front:], sizes)
    shape = np.broadcast_shapes(*fronts)
    spread = []
    for front, one in zip(fronts, args):
        spread.append(np.broadcast_to(np.asarray(one), shape + np.shape(one)[len(front):]))
    results: list[Any] = []
    for spot in np.ndindex(shape):
        part = function(*[one[spot] for one in spread])
        check_sizes(output, np.shape(part), sizes)
        results.append(part)
    if len(results) == 0:
        raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
    dtype = np.asarray(results[0]).dtype if dtypes is None else dtypes[0]
    return np.reshape(np.array(results, dtype), shape + np.shape(results[0]))


def check_sizes(names: Any, shape: Any, sizes: Any) -> None:
    """Axes of one name are of one size."""
    if len(shape) != len(names):
        raise ValueError(f"{len(shape)} dimensions do not match the core dimensions {names}")
    for name, size in zip(names, shape):
        if sizes.setdefault(name, size) != size:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {size} vs "
                             f"{sizes[name]}")


def _cores(signature: str) -> list[tuple[str, ...]] | None:
    """The names of the axes of the arguments and of the result; None where there are several
    results.

    >>> _cores("(m,n),(n)->(m)")
    [('m', 'n'), ('n',), ('m',)]
    """
    given, _, made = signature.replace(" ", "").partition("->")
    found = [tuple(filter(None, part.split(","))) for part in re.findall(r"\(([^()]*)\)",
                                                                        given + made)]
    return found if made.count("(") == 1 else None
