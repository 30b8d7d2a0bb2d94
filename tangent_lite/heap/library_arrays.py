"""Handlers of NumPy's functions that lay an array into memory, write into one, or join some."""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import arrays
from tangent_lite.heap.handlers import HANDLERS, Handler, handles
from tangent_lite.heap.memory import Parts, can_vary
from tangent_lite.heap.primitives import Back, primitive, varies
from tangent_lite.heap.unknown import Unknown
from tangent_lite.runtime.places import joined_columns, joined_rows


@handles(np.lib.stride_tricks.as_strided)
def as_strided_(tape: Any, x: Any, *how: Any, **options: Any) -> tuple[Any, Back | None]:
    """It lies in the memory of x, and that has the adjoints and the tangents."""
    array, back = (x, None) if isinstance(x, np.ndarray) else tape.called(np.asarray, (x,), {})
    return np.lib.stride_tricks.as_strided(array, *how, **options), back


@handles(np.shares_memory, np.may_share_memory)
def shares_memory_(tape: Any, a: Any, b: Any, *bounds: Any,
                   **options: Any) -> tuple[Any, Back | None]:
    if tape.heap.shared.are_several(a, b):
        raise UnsupportedSyntaxError("whether two arrays share memory is asked of what was given "
                                     "twice", tape.place(), "ask whether one is the other")
    return np.shares_memory(a, b, *bounds, **options), None


# Arrays that are written to -------------------------------------------------------------------
@handles(np.copyto)
def copyto_(tape: Any, dst: Any, src: Any, casting: str = "same_kind", where: Any = True) \
        -> tuple[Any, Back | None]:
    arrays.check_plain(tape, src)
    arrays.check_overlap(tape, dst, ..., src)
    if arrays.moves_along(tape, dst, src):
        return None, arrays.copy_moving(tape, dst, src, where)
    source = arrays.written(src)
    change = arrays.Change(tape, dst, ...)
    with change:
        np.copyto(dst, src, casting=casting, where=where)  # type: ignore[arg-type]
    mask = np.broadcast_to(where, dst.shape)

    def rest(adjoint: Any) -> Any:
        if isinstance(adjoint, Unknown):
            return (None, arrays.to_value(tape, source, adjoint))
        kept = np.where(mask, 0.0, adjoint)
        found = arrays.to_value(tape, source, np.where(mask, adjoint, 0.0))
        tape.adjoints.add(dst, kept)
        return (None, found)

    return None, change.back(rest)


def _joined(function: Any) -> Handler:
    """np.r_[x, y], written as a call of its method."""
    def joined(tape: Any, given: Any) -> tuple[Any, Back | None]:
        key = given if isinstance(given, tuple) else (given,)
        if any(isinstance(part, slice) and can_vary(part.start) for part in key):
            raise UnsupportedSyntaxError("the bounds of this slice may vary", tape.place(),
                                         "write np.linspace")
        value, back = primitive(tape, function, None, key, {})

        def parts(adjoint: Any) -> Any:
            found = back(adjoint) if back is not None else None
            if found is None or key is not given:
                return found
            return (
                Parts({k: part for k, part in enumerate(found) if part is not None}),)
        return value, parts
    return joined


HANDLERS[np.r_.__getitem__] = _joined(joined_rows)
HANDLERS[np.c_.__getitem__] = _joined(joined_columns)


@handles(np.put)
def put_(tape: Any, a: Any, ind: Any, v: Any, mode: str = "raise") -> tuple[Any, Back | None]:
    return None, arrays.put(tape, a, ind, v, mode)


@handles(np.vectorize)
def vectorize_(tape: Any, pyfunc: Any, *options: Any, **keywords: Any) -> tuple[Any, Back | None]:
    """The function is made as it is; what it reads is seen when it is called."""
    return np.vectorize(pyfunc, *options, **keywords), None


def _read_from_memory(function: Any) -> Handler:
    def read(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        if tape.heap.writes_text or any(map(varies, args)):
            raise UnsupportedSyntaxError("numbers are read from text, bytes or a file, and numbers "
                                         "were written to some before", tape.place(),
                                         "keep them in an array")
        if function is np.frombuffer and not memoryview(args[0]).readonly:
            raise UnsupportedSyntaxError("an array lies in memory that is written to by another "
                                         "name", tape.place(), "make an array, and keep that")
        return function(*args, **keywords), None
    return read


for _reader in (np.frombuffer, np.fromstring, np.load, np.loadtxt, np.genfromtxt, np.fromfile,
                np.fromregex):
    HANDLERS[_reader] = _read_from_memory(_reader)
