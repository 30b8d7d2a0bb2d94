"""What users see when something cannot be done.

Every refusal is a `TangentError`: it says where in the user's code (file, line, the line's text
and a caret), why, and what to write instead:

    model.py:12: a generator cannot be differentiated
        12 |     yield total * x
           |     ^^^^^^^^^^^^^^^
        Instead: collect the values in a list and return the list.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

__all__ = [
    "AliasError",
    "InputError",
    "MissingRuleError",
    "NonFiniteError",
    "OutputError",
    "Place",
    "SourceNotFoundError",
    "TangentError",
    "UnsupportedSyntaxError",
    "WrtError",
]

_INDENT = "    "


@dataclass(frozen=True)
class Place:
    """A spot in the user's code: a line of a file, and the columns that are meant.

    Columns count characters from 0, `end_column` is the first one behind; a node of several lines
    has a place on its first line.
    """

    file: str
    line: int
    text: str
    column: int
    end_column: int

    def where(self) -> str:
        """`file:line`, the file relative to the working directory where it lies below it."""
        return f"{_short(self.file)}:{self.line}"

    def show(self) -> str:
        """The line with its number, and carets below the columns that are meant.

        >>> print(Place("model.py", 12, "    yield total * x", 4, 19).show())
            12 |     yield total * x
               |     ^^^^^^^^^^^^^^^
        """
        text = self.text.rstrip("\r\n")
        # Nodes inside an f-string of Python 3.11 and older may point behind their line.
        column = min(max(self.column, 0), len(text))
        end = min(max(self.end_column, column), len(text))
        before = _on_screen(text[:column])
        meant = _on_screen(text[:end])
        carets = max(_width(meant) - _width(before), 1)
        number = str(self.line)
        line = f"{_INDENT}{number} | {_on_screen(text)}".rstrip()
        below = f"{_INDENT}{' ' * len(number)} | {' ' * _width(before)}{'^' * carets}"
        return f"{line}\n{below}"


class TangentError(Exception):
    """Base of all errors of tangent_lite: `except TangentError` catches every refusal.

    `reason` says what is wrong, `place` where (None if no line of the user's is to blame), `fix`
    what to write instead (None if there is nothing to suggest).

    >>> print(TangentError("k must be a float", fix="write 2.0, not 2."))
    k must be a float
        Instead: write 2.0, not 2.
    """

    # Whether no other way of writing the derivative is to be tried: what is refused was asked for.
    is_final = False
    # Whether what stops the other way of writing the derivative at the same place says more.
    is_told_better_by_identity = False
    # Whether what stops the way by names has to be rewritten, whatever is met by identity.
    is_told_better_by_names = False
    # Whether it was decided that a function gets no rule, which explains whatever follows from it.
    is_on_purpose = False

    def __init__(self, reason: str, place: Place | None = None, fix: str | None = None) -> None:
        super().__init__(reason, place, fix)
        self.reason = reason
        self.place = place
        self.fix = fix

    def __str__(self) -> str:
        if self.place is None:
            parts = [self.reason]
        else:
            parts = [f"{self.place.where()}: {self.reason}", self.place.show()]
        if self.fix is not None:
            more = "\n" + _INDENT + " " * len("Instead: ")
            parts.append(f"{_INDENT}Instead: {self.fix}".replace("\n", more))
        return "\n".join(parts)


class UnsupportedSyntaxError(TangentError):
    """The function uses a part of Python that cannot be differentiated.

    Cause: a construct whose derivative is not defined or not supported, such as `yield`, `await`,
    or a class defined inside the function.

    Example::

        def f(x):
            yield x * x

    Fix: write the function with the construct that the message names; here, collect the values
    in a list and return it.
    """


class MissingRuleError(TangentError, NotImplementedError):
    """No derivative is known for a function that is called.

    Cause: the call depends on a variable of the derivative, the callee is no Python function with
    source, and no rule was registered for it. A derivative of zero is never assumed.

    Example::

        def f(x):
            return compiled_library.bessel(x)

    Fix: register its derivative with `@adjoint(compiled_library.bessel)` (and `@tangent` for
    forward mode), or declare it `nondifferentiable(...)` if its derivative is zero or meaningless.
    """


class SourceNotFoundError(TangentError):
    """The source text of the function is not at hand, or is not the code that runs.

    Cause: the function was made by `exec` or `eval`, typed at the plain interactive prompt, is
    compiled, or its file was edited after it was imported.

    Example::

        exec("def f(x): return x * x", names)
        grad(names["f"])

    Fix: put the function in a file or a notebook cell; after an edit, reload the module.
    """


class WrtError(TangentError, ValueError):
    """`wrt` does not name a parameter of the function.

    Cause: a position or name that the signature does not have, the same one twice, or a parameter
    that holds nothing to differentiate.

    Example::

        def f(x, y): ...
        grad(f, wrt="z")

    Fix: give the position, the name or an attribute path ("params.dense") of a parameter.
    """


class InputError(TangentError, TypeError):
    """An argument has no derivative: it holds no floating-point or complex numbers.

    Cause: an int, bool or string (or an array of them) where a float is needed.

    Example::

        grad(lambda x: x ** 2)(3)

    Fix: pass a float (`3.0`), or name other parameters in `wrt`.
    """


class OutputError(TangentError, TypeError):
    """The function returns something that this derivative cannot start from.

    Cause: `grad` of a function that returns an array of several numbers, a complex number
    (without `holomorphic=True`), or no number at all.

    Example::

        grad(lambda x: np.sin(x))(np.ones(3))

    Fix: return one number (`np.sum(...)`), or use `jacobian` or `vjp`.
    """


class AliasError(TangentError):
    """Two names may share memory that is written, so the derivative cannot be kept right.

    Cause: a write through one of two names of which it is unknown whether they share a buffer, or
    two arguments that overlap in memory, one of which the function writes.

    Example::

        def f(x, y):
            x[0] = 2.0
            return y.sum()

        grad(f)(a, a)

    Fix: copy one of the two (`y = y.copy()`) before the write.
    """


class NonFiniteError(TangentError, FloatingPointError):
    """A value or an adjoint became nan or inf, in a derivative made with debug="nan".

    Cause: a statement at the edge of where it is defined, or numbers that are too large.

    Example::

        grad(lambda x: np.sqrt(x), debug="nan")(0.0)

    Fix: keep what the statement is given away from the edge, also where the result is not used:
    `np.sqrt(np.where(x > 0, x, 1.0))` in place of `np.where(x > 0, np.sqrt(x), 0.0)`.
    """


def final(error: TangentError) -> TangentError:
    """The error, after which no other way of writing the derivative is tried."""
    error.is_final = True
    return error


def cell_of(file: str) -> str | None:
    """How a notebook names the cell that a file stands for, `Cell In[3]`; None for a plain file."""
    if "ipykernel_" not in file and not file.startswith("<ipython-input-"):
        return None
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    name = getattr(getattr(shell, "compile", None), "format_code_name", lambda file: None)(file)
    return None if name is None else " ".join(name)


def _short(file: str) -> str:
    """The file as a person would name it: relative if that goes only downward."""
    cell = cell_of(file)
    if cell is not None:
        return cell
    if not os.path.isabs(file):
        return file
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):  # another drive, or a working directory that was removed
        return file
    return file if relative.split(os.sep, 1)[0] == os.pardir else relative


def _on_screen(text: str) -> str:
    """The text with its tabs as spaces, so that carets stand below what they mean."""
    shown = ""
    for character in text:
        if character == "\t":
            shown += " " * (8 - _width(shown) % 8)
        else:
            shown += character if character.isprintable() else " "
    return shown


def _width(text: str) -> int:
    """How many columns of a terminal the text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    import unicodedata  # which few lines of code need
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
