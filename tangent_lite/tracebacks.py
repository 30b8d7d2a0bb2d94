"""Tracebacks as users want them: their frames and those of derivatives, not the way between.

    File "model.py", line 9, in <module>
        print(grad(ratio)(0.0))
    File "<the way into ratio_grad 1>", line 18, in ratio_grad
        raise plain(error)
    File "<tangent_lite ratio_grad>", line 8, in ratio_grad
        by = -bratio / (y * y)
    ZeroDivisionError: float division by zero
      for model.py:2
        y = 1.0 / x

Python started with -X dev shows all frames, and so does an error that came about in our own.
"""
from __future__ import annotations

import contextlib
import functools
import linecache
import os
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from tangent_lite.errors import MissingRuleError, Place, TangentError

_Function = TypeVar("_Function", bound=Callable[..., Any])

# How the names of files begin: of entries, of what is emitted, and of calls by a rule.
THE_WAY_INTO, EMITTED, CALL_OF = "<the way into ", "<tangent_lite ", "<call of tangent_lite "
_FOR = "  for "
_HOME = os.path.dirname(os.path.abspath(__file__)) + os.sep
_HELPERS = os.path.join(_HOME, "runtime", "")


# By the name of its file, one of the functions that were emitted there, which knows the lines.
_emitted: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def note_lines(file: str, function: Any) -> None:
    """Note from where the lines of the user's that a file was made of can be had."""
    _emitted[file] = function


def place_of_line(file: str, line: int) -> Place:
    """A line of a file as a place."""
    text = linecache.getline(file, line).rstrip("\n")
    return Place(file, line, text, len(text) - len(text.lstrip()), len(text.rstrip()))


def place_of_user(file: str, line: int) -> Place | None:
    """The user's line of which a line was made that was emitted; None for any other."""
    known = _emitted.get(file)
    found = None if known is None else known.line_map().get(line)
    if found is None or found[0].startswith(CALL_OF):       # which we have written
        return None
    return place_of_line(*found)


def plain(error: BaseException) -> BaseException:
    """The error, its traceback and those of its causes without our frames. What our helpers refuse
    as they run ("the derivative of this; write that") names the line of the user's."""
    error = _refused(error)
    _tell_line(error)
    if sys.flags.dev_mode:
        return error
    one: BaseException | None = error
    while one is not None:
        frames = _frames(one.__traceback__)
        ours = [*map(_is_ours, frames)]
        kept = [frame for k, frame in enumerate(frames) if not ours[k] and not (
            k and ours[k - 1] and frame.tb_frame.f_code.co_filename == contextlib.__file__)]
        if not kept and not isinstance(one, TangentError):
            kept = [frame for frame in frames
                    if frame.tb_frame.f_code.co_filename != __file__]
        one.__traceback__ = _chained(kept)
        if isinstance(one.__context__, TangentError):
            one.__suppress_context__ = True         # a way that was tried before this one
        one = one.__cause__
    return error


def _refused(error: BaseException) -> BaseException:
    frames = _frames(error.__traceback__)
    if type(error) is not NotImplementedError or not frames \
            or not frames[-1].tb_frame.f_code.co_filename.startswith(_HELPERS):
        return error
    spot = None
    for frame in frames:
        spot = place_of_user(frame.tb_frame.f_code.co_filename, frame.tb_lineno) or spot
    reason, _, fix = str(error).partition("; ")
    told = MissingRuleError(f"{reason} is not known", spot, fix or None)
    told.__suppress_context__ = True
    return told.with_traceback(error.__traceback__)


def _tell_line(error: BaseException) -> None:
    """Have an error that came up in a derivative say for which line of the user's, below its own
    text; from Python 3.11 on. A derivative in a derivative may have said it before."""
    add_note = getattr(error, "add_note", None)
    if add_note is None or isinstance(error, TangentError) or any(
            note.startswith(_FOR) for note in getattr(error, "__notes__", ())):
        return
    for frame in reversed(_frames(error.__traceback__)):
        place = place_of_user(frame.tb_frame.f_code.co_filename, frame.tb_lineno)
        if place is not None:
            add_note(f"{_FOR}{place.where()}\n    {place.text.strip()}")
            return


def direct(function: _Function) -> _Function:
    """A function that users call: the errors that come out of it are plain."""
    @functools.wraps(function)
    def called(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except Exception as error:
            raise plain(error)                      # noqa: B904
    return called                                                       # type: ignore[return-value]


def _frames(traceback: types.TracebackType | None) -> list[types.TracebackType]:
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def _is_ours(frame: types.TracebackType) -> bool:
    code = frame.tb_frame.f_code
    return code.co_filename.startswith((_HOME, THE_WAY_INTO)) or (
        # The questions in front of a derivative stand on the line of its `def`.
        code.co_filename.startswith(EMITTED) and frame.tb_lineno == code.co_firstlineno)


def _chained(frames: list[types.TracebackType]) -> types.TracebackType | None:
    """A traceback of these frames alone."""
    behind = None
    for frame in reversed(frames):
        behind = types.TracebackType(behind, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return behind
