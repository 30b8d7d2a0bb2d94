"""Write `range` where a loop runs over it by another name.

Numba's `prange` says that steps may run at once; Python runs them in order, and so does a
derivative.

>>> from tangent_lite.emit import emit
>>> counted = range
>>> tree = gast.parse('''
... def f(x, n):
...     for k in counted(n):
...         x = x * k
...     return x
... ''').body[0]
>>> meaning = {"counted": counted, "range": range}.get
>>> print(emit(other_ranges(tree, meaning, meaning)), end="")
def f(x, n):
    for k in range(n):
        x = x * k
    return x
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.calling.resolve import meant
from tangent_lite.modules import package_of


def other_ranges(tree: gast.FunctionDef, now: Callable[[str], Any],
                 free: Callable[[str], Any]) -> gast.FunctionDef:
    """Return a tree in which loops run over ranges by their own name.

    now: what a name means around the function; free: the same, noted as something that the
    derivative rests on.
    """
    def found(tree: gast.FunctionDef) -> list[gast.Call]:
        loops = syntax.all_of(tree, gast.For, gast.comprehension)
        return [one.iter for one in loops
                if isinstance(one.iter, gast.Call) and not one.iter.keywords
                and getattr(one.iter.func, "id", "") != "range"
                and _is_range(meant(one.iter.func, now))]

    if not found(tree) or now("range") is not range:
        return tree
    tree = syntax.copy(tree)
    for call in found(tree):
        if _is_range(meant(call.func, free)) and free("range") is range:
            call.func = syntax.copy_place(syntax.load("range"), call.func)
    return tree


def _is_range(thing: Any) -> bool:
    return thing is range or (isinstance(thing, type) and thing.__name__ == "prange"
                              and package_of(thing) == "numba")
