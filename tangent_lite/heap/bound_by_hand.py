"""Special methods of functions, properties and classes, called by their names: `M.n.__get__(o)`,
`g.__call__(x)`; and `types.MethodType(g, o)`."""
from __future__ import annotations

import types
from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap.handlers import handles
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, varies

_DESCRIPTORS = (types.FunctionType, property, staticmethod, classmethod)


def is_called_by_name(x: Any, name: str) -> bool:
    """Whether this is a special method, written in C, of what is called or gives methods."""
    if is_record(x) or not (callable(x) or isinstance(x, _DESCRIPTORS)):
        return False
    found = getattr(x, name, None)              # of a class it may be what its objects have
    return isinstance(found, types.MethodWrapperType) and found.__self__ is x


def called_by_name(tape: Any, x: Any, name: str, args: tuple[Any, ...],
                   keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """x.name(*args), where C code is behind it; adjoints for (x, *args, *keywords)."""
    if name == "__call__":
        value, back = tape.called(x, args, keywords)
        return value, None if back is None else (lambda adjoint: [None, *(back(adjoint) or ())])
    if name == "__get__" and isinstance(x, _DESCRIPTORS) and args[0] is not None:
        if isinstance(x, property):
            value, back = tape.called(x.fget, (args[0],), {})
            return value, None if back is None else (
                lambda adjoint: [None, *(back(adjoint) or ())][:2])
        if isinstance(x, types.FunctionType):
            return method_of(tape, x, args[0])
    if varies((args, keywords)):
        raise UnsupportedSyntaxError(f"{name} is called", tape.place(), "write what it does")
    return getattr(x, name)(*args, **keywords), None


@handles(types.MethodType)
def method_of(tape: Any, function: Any, thing: Any) -> tuple[Any, Back | None]:
    """A method made by hand: the adjoint of what it belongs to is found by identity."""
    if not is_record(thing):
        raise UnsupportedSyntaxError("a function becomes a method of what is no object of a class "
                                     "written in Python", tape.place(), "use functools.partial")
    return types.MethodType(function, thing), None
