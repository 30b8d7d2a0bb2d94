"""Calls that do to tangents what they do to values: `xs.append(x)` and `dxs.append(dx)`.

The table says which arguments are replaced by their tangents; the others stay as they are.
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, runtime, syntax
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.runtime.objects import replaced
from tangent_lite.structures.updates import fields_of_class

# Methods of lists and dicts: the positions of arguments that have tangents.
METHODS: dict[Any, tuple[int, ...]] = {
    list.append: (0,), list.extend: (0,), list.insert: (1,), list.pop: (), list.reverse: (),
    list.clear: (), list.copy: (),
    dict.copy: (), dict.get: (1,), dict.pop: (1,), dict.update: (0,), dict.setdefault: (1,),
    dict.values: (),
    np.ndarray.fill: (0,), np.ndarray.copy: (),
}
# Functions: linear in the arguments at these positions.
FUNCTIONS: dict[Any, tuple[int, ...]] = {
    list: (0,), tuple: (0,), dict: (0,), reversed: (0,), sum: (0, 1),
    np.copyto: (0, 1), np.fill_diagonal: (0, 1), np.put: (0, 2), np.place: (0, 2),
    np.putmask: (0, 2),
    runtime.add_at: (0, 2), runtime.add_parts: (0, 2), runtime.add_items: (0, 1),
    runtime.sum_of_structures: (0, 1), runtime.copied_lists: (0,),
}
# np.add.at(x, index, v): the method of the ufunc, by the ufunc.
SCATTERED: tuple[Any, ...] = (np.add, np.subtract)


# Methods that return something and change what they are called on.
CHANGING = (list.pop, dict.pop, dict.setdefault)


def mirrored_call(function: Any, call: gast.Call, tangents: Any, typer: Typer) -> gast.expr | None:
    """The same call of tangents; None if it is no such call, or if nothing in it varies."""
    if not tangents.varies(call):
        return None
    positions = _positions(function, call, typer)
    if function is replaced or _makes_object(function, call):
        # An object with some of its fields changed, or made of its fields.
        return gast.Call(syntax.copy(call.func), [tangents.of(a) for a in call.args],
                         [gast.keyword(k.arg, tangents.of(k.value)) for k in call.keywords])
    if positions is None or call.keywords or any(isinstance(a, gast.Starred) for a in call.args) \
            or not _takes_parts(function, call, typer):
        return None
    args = [tangents.of(a) if number in positions else syntax.copy(a)
            for number, a in enumerate(call.args)]
    if function in METHODS:
        if not tangents.varies(call.func.value):
            return None
        made = syntax.call(syntax.attribute(tangents.of(call.func.value), call.func.attr), *args)
        if getattr(call, "is_view", False):
            made.is_view = True
        return made
    if not any(number in positions and tangents.varies(a) for number, a in enumerate(call.args)):
        return None
    return syntax.call(syntax.copy(call.func), *args)


def _makes_object(function: Any, call: gast.Call) -> bool:
    """Whether a call makes an object whose fields are the arguments."""
    return isinstance(function, type) and function not in FUNCTIONS and fields_of_class(
        function, len(call.args), [k.arg for k in call.keywords]) is not None


def _takes_parts(function: Any, call: gast.Call, typer: Typer) -> bool:
    """Whether a function takes what its argument holds in the places where tangents hold theirs:
    `dict(pairs)` takes keys out of the pairs, `sum(d)` takes the keys of a dict."""
    is_dict = bool(call.args) and isinstance(typer.kind(call.args[0]), (kinds.DictKind,
                                                                        kinds.MapKind))
    if function in (dict, dict.update):
        return is_dict
    return not (is_dict and function in (list, tuple, reversed, sum))


def _positions(function: Any, call: gast.Call, typer: Typer) -> tuple[int, ...] | None:
    if isinstance(call.func, gast.Attribute) and call.func.attr == "at":
        owner = typer.object_of(call.func.value)
        return (0, 2) if any(owner is one for one in SCATTERED) else None
    if function is NO_OBJECT:
        return None
    try:
        if isinstance(call.func, gast.Attribute) and function in METHODS:
            return METHODS[function]
        return FUNCTIONS.get(function)
    except TypeError:                   # what cannot be hashed
        return None
