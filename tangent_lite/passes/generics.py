"""Take the type parameters off calls of classes: `Stack[float]()` makes a `Stack`.

>>> from typing import Generic, TypeVar
>>> from tangent_lite.emit import emit
>>> T = TypeVar("T")
>>> class Pair(Generic[T]):
...     pass
>>> tree = gast.parse('''
... def f(x, y):
...     pair = Pair[float](x, y)
...     return Floats([x, y])
... ''').body[0]
>>> names = {"Pair": Pair, "Floats": list[float]}
>>> print(emit(generics(tree, names.get, names.get, lambda cls: cls.__name__)), end="")
def f(x, y):
    pair = Pair(x, y)
    return list([x, y])

Which parameters they are says the object, in `__orig_class__`, which is lost here: `fence` lets no
function pass that reads it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.calling.resolve import meant
from tangent_lite.modules import is_generic, without_parameters


def generics(tree: gast.FunctionDef, now: Callable[[str], Any], free: Callable[[str], Any],
             name_for: Callable[[type], str]) -> gast.FunctionDef:
    """Return a tree in which classes are called without parameters.

    now: what a name means around the function; free: the same, noted as something that the
    derivative rests on, and nothing for the function's own variables; name_for: a name for a class.
    """
    def found(tree: gast.FunctionDef) -> list[tuple[gast.Call, type]]:
        calls = [(call, _class_of(call.func, now)) for call in syntax.all_of(tree, gast.Call)]
        return [(call, cls) for call, cls in calls
                if cls is not None and _class_of(call.func, free) is cls]

    if not found(tree):
        return tree
    tree = syntax.copy(tree)
    for call, cls in found(tree):
        if isinstance(call.func, gast.Subscript) and meant(call.func.value, free) is cls:
            call.func = call.func.value
        else:
            call.func = syntax.copy_place(syntax.load(name_for(cls)), call.func)
    return tree


def _class_of(node: gast.expr, free: Callable[[str], Any]) -> type | None:
    """The class that is called with parameters; None if it is not one, or has none."""
    if not isinstance(node, gast.Subscript):
        return without_parameters(meant(node, free))
    found = meant(node.value, free)
    found = without_parameters(found) or found
    return found if is_generic(found) else None
