"""Small arrays that are made together lie in one piece of memory.

    bu = empty((n,))
    bi = empty((n,))                =>      bu, bi, bj = empties((n,), (0, 0, 0))
    bj = empty((n,))

To ask for memory costs as much as a hundred additions, which is most of what the gradient of a
function of a few short vectors costs. The piece is there as long as one of the arrays is, so it is
done to small ones only, and not in loops, whose tapes may keep one of them for each step.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import types

from tangent_lite.backends.numba_borrowing import overload

SMALL = 64                      # numbers in one array


def empties(shape: Any, each: Any) -> Any:
    """Arrays of one shape, as many as `each` has parts."""
    return tuple(np.empty(shape) for _ in each)


@overload(empties)
def _empties(shape, each):
    if not isinstance(each, types.BaseTuple):
        return None
    apart = ", ".join("np.empty(shape)" for _ in each)
    parts = ", ".join(f"block[{k} * n:{k + 1} * n]" for k in range(len(each)))
    text = (f"def made(shape, each):\n    n = shape[0]\n    if n > {SMALL}:\n"
            f"        return {apart}\n"
            f"    block = np.empty({len(each)} * n)\n    return {parts}\n")
    space: dict[str, Any] = {"np": np}
    exec(compile(text, "<tangent_lite numba empties>", "exec"), space)
    return space["made"]


def in_blocks(text: str, words: dict[str, str], fresh: Callable[[str], str]) -> str:
    """The text of a function in which vectors that are made one behind the other are made together.

    words: the names of what the text calls; fresh: gives names that nothing has.

    >>> text = "def f(n):\\n    a = empty((n,))\\n    b = empty((n,))\\n    c = empty((m,))\\n"
    >>> print(in_blocks(text, {"empty": "empty"}, str))
    def f(n):
        a, b = empties((n,), (0, 0))
        c = empty((m,))
    <BLANKLINE>
    """
    if "empty" not in words:
        return text
    made = re.compile(rf"( *)(\w+) = {words['empty']}\((\(\w+,\))\)")
    lines: list[str] = []
    for shape, run in _runs(text.splitlines(), made):
        if shape is None or len(run) < 2:
            lines += run
            continue
        names = ", ".join(made.fullmatch(line)[2] for line in run)      # type: ignore[index]
        if "empties" not in words:
            words["empties"] = fresh("empties")
        each = ", ".join("0" for _ in run)
        lines.append(f"{shape[0]}{names} = {words['empties']}({shape[1]}, ({each}))")
    return "\n".join(lines) + "\n"


def _runs(lines: list[str], made: re.Pattern[str]) -> Iterator[tuple[Any, list[str]]]:
    """Lines that make vectors of one length, one behind the other; others as they are."""
    run: list[str] = []
    known: tuple[str, str] | None = None
    for line in lines:
        match = made.fullmatch(line)
        shape = None if match is None else (match[1], match[3])
        if run and shape != known:
            yield known, run
            run = []
        run, known = [*run, line], shape
    yield known, run
