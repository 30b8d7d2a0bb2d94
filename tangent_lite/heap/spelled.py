"""The text of a call of a function that has a rule: `def call(x): return np.sum(x, axis=0)`."""
from __future__ import annotations

import itertools
import keyword
import linecache
import math
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.tracebacks import CALL_OF

_numbers = itertools.count(1)
_MANY = 16          # with how many integers a function is compiled as constants
_with_integers: dict[Any, set[Any]] = {}


def as_literal(function: Any, name: str, value: Any) -> str | None:
    """The text of an argument that is part of the call and no value of its own: for a class or a
    function the name under which the call finds it."""
    kind = type(value)
    if kind in (str, bool, type(None)):
        return repr(value)
    if kind is tuple and all(type(v) in (int, type(None), str) for v in value):
        return repr(value)
    if kind is int and value >= 0:
        known = _with_integers.setdefault(function, set())
        if (name, value) in known or len(known) < _MANY:
            known.add((name, value))
            return repr(value)
    if isinstance(value, (type, np.dtype)) or (callable(value) and not isinstance(value, np.ndarray)
                                               and registry.lookup(value) is not None):
        return name
    return None


def written(function: Any, method: str | None, count: int, keywords: list[str],
             fixed: dict[str, str], named: dict[str, Any]) -> Any:
    """The function that makes the call, with a source to read."""
    names = [f"a{k}" for k in range(count)]
    space: dict[str, Any] = {**named, "function": function, "__name__": "__tangent_lite__"}
    given = [fixed.get(n, n) for n in names] + [
        f"{k}={fixed.get(f'{k}_', f'{k}_')}" for k in keywords]
    called = f"{given.pop(0)}.{method}" if method is not None else _spelled(function, space)
    parameters = [n for n in [*names, *(f"{k}_" for k in keywords)] if n not in fixed]
    text = f"def call({', '.join(parameters)}):\n    return {called}({', '.join(given)})\n"
    filename = f"{CALL_OF}{next(_numbers)}>"
    exec(compile(text, filename, "exec"), space)
    space["call"].text, space["call"].called = text, called
    return space["call"]


def show(function: Any) -> None:
    """Put the text of a call where sources are looked up; others may have emptied that place."""
    text, filename = function.text, function.__code__.co_filename
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)


def _spelled(function: Any, space: dict[str, Any]) -> str:
    """How the call names a function: as a user would, where a message may tell of it."""
    name = getattr(function, "__name__", "")
    for spelled, module in (("np", np), ("np.linalg", np.linalg), ("np.fft", np.fft),
                            ("np.emath", np.emath), ("math", math)):
        if getattr(module, name, None) is function:
            space[spelled.split(".")[0]] = np if spelled != "math" else math
            return f"{spelled}.{name}"
    owner = getattr(function, "__self__", None)
    family = getattr(owner, "__name__", "")
    if isinstance(owner, np.ufunc) and getattr(np, family, None) is owner:
        space["np"] = np
        return f"np.{family}.{name}"
    if not name.isidentifier() or keyword.iskeyword(name) or name in space:
        return "function"
    space[name] = function
    return name
