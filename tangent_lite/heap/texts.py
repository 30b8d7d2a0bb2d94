"""Numbers that become text or a file, and are read from it again: what lies between has no adjoint.

Which number stands in which text is not followed: once numbers were written to any, none are read.
"""
from __future__ import annotations

import io
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.analyses import writers
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.primitives import varies

_SPELLED = (np.einsum,)             # a text that says what to do with the other arguments


def followed(tape: Any, function: Callable[..., Any], args: tuple[Any, ...],
             keywords: dict[str, Any]) -> Any:
    """What a function of a library returns; refused where it reads numbers from text after numbers
    were written to some."""
    value = function(*args, **keywords)
    given = [*args, *keywords.values()]
    if tape.heap.writes_text and given and is_text(given[0]) and varies(value) \
            and not any(function is one for one in _SPELLED):
        raise UnsupportedSyntaxError("numbers are read from text, bytes or a file, and numbers "
                                     "were written to some before", tape.place(),
                                     "keep them in an array")
    if (isinstance(value, (str, bytes)) or _writes_a_file(function)) and any(map(varies, given)):
        tape.heap.writes_text = True
    return value


def _writes_a_file(function: Any) -> bool:
    try:
        return function in writers.TO_FILES
    except TypeError:                           # what cannot be hashed
        return False


def is_text(value: Any) -> bool:
    """Whether a value is text, lines of it, or the file that holds it."""
    if isinstance(value, (list, tuple)):
        return any(map(is_text, value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "US"
    return isinstance(value, (str, bytes, os.PathLike, io.IOBase))
