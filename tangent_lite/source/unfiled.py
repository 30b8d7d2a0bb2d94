"""Texts of code that says it is from no file.

IPython compiles what stands behind `%%time`, `%time`, `%timeit` or `%prun` under a name by which
nobody finds its text. It stands in the cell, and cells are kept. `python -c` has its text among its
arguments, and functions that IPython's autoreload found new in a module stand in the module's file.
Whether a text is the one that a function is from is for those to find out who compare the code.
"""
from __future__ import annotations

import ast
import linecache
import sys
import types
from collections.abc import Iterator
from typing import Any

_NAMES_OF_MAGICS = {"<timed exec>", "<timed eval>", "<magic-timeit>", "<string>"}


def unfiled_texts(function: types.FunctionType) -> Iterator[tuple[str, str | None]]:
    """The texts that a function may be from which says that it is from no file, the latest first;
    each with what `%timeit` runs in front of it, in whose function the text then stands."""
    name = function.__code__.co_filename
    if name == "<string>":
        if "-c" in sys.orig_argv[:-1]:
            yield sys.orig_argv[sys.orig_argv.index("-c") + 1], None
        module = sys.modules.get(function.__module__)
        yield "".join(linecache.getlines(getattr(module, "__file__", None) or "")), None
    if name in _NAMES_OF_MAGICS:
        for text, setup in _texts_of_magics():
            yield text, setup if name == "<magic-timeit>" else None


def _texts_of_magics() -> Iterator[tuple[str, str]]:
    """What stands behind magics in the cells that were run."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cells = getattr(getattr(shell, "history_manager", None), "input_hist_parsed", [])
    for cell in reversed(cells):
        yield from _behind_magics(cell, shell)


def _behind_magics(cell: str, shell: Any) -> Iterator[tuple[str, str]]:
    """The texts behind the magics of a cell, and what stands beside the names of the magics. In the
    cell they are calls: `get_ipython().run_cell_magic("timeit", "setup", "text")`,
    `get_ipython().run_line_magic("timeit", "text")`."""
    if "_magic(" not in cell:
        return
    try:
        tree = ast.parse(cell)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) \
                and node.func.attr in ("run_cell_magic", "run_line_magic"):
            texts = [a.value for a in node.args[1:] if isinstance(a, ast.Constant)]
            *setup, text = [_without_options(shell.transform_cell(str(t))) for t in texts] or [""]
            yield text, "".join(setup)
            yield from _behind_magics(text, shell)      # one magic may run another


def _without_options(text: str) -> str:
    """What a magic runs, without the options in front of it.

    >>> _without_options("-n 1 -r3 f(2.0)")
    'f(2.0)'
    """
    rest = text
    while rest:
        try:
            ast.parse(rest)
        except (SyntaxError, ValueError):
            _, _, rest = rest.partition(" ")
        else:
            return rest
    return text
