"""A function that takes any number of arguments, as one that takes them together: `def f(x, *args)`
is `def f(x, args)`, and `def f(x, **options)` is `def f(x, options)`.

Who calls a derivative goes on to call it as the function; what is bound to `args` and `options` is
a tuple and a dict as others are. So a twin takes the function's place where it is read.
"""
from __future__ import annotations

import inspect
import types
import weakref
from dataclasses import replace

import gast

from tangent_lite.errors import SourceNotFoundError
from tangent_lite.source import source_of

_STARS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_twins: weakref.WeakKeyDictionary[types.FunctionType,
                                  tuple[types.CodeType, types.FunctionType]] = \
    weakref.WeakKeyDictionary()


def without_stars(function: types.FunctionType) -> types.FunctionType:
    """The twin of a function with stars in front of parameters; the function itself if it has none,
    if some go by name only (which stand behind a star), or if there is no source, which is told
    where it is read."""
    code = function.__code__
    if not code.co_flags & _STARS or code.co_kwonlyargcount or function.__dict__:
        return function
    known = _twins.get(function)
    if known is None or known[0] is not code:
        try:
            known = _twins[function] = code, _twin(function)
        except SourceNotFoundError:
            return function
    twin = known[1]
    # They may be replaced; a parameter behind one with a default has one too.
    twin.__defaults__ = function.__defaults__ and (*function.__defaults__, *_of_stars(code))
    return twin


def _of_stars(code: types.CodeType) -> list[object]:
    """What the parameters with stars are if nothing is left for them."""
    return [()] * bool(code.co_flags & inspect.CO_VARARGS) \
        + [{}] * bool(code.co_flags & inspect.CO_VARKEYWORDS)


def _twin(function: types.FunctionType) -> types.FunctionType:
    source, code = source_of(function), function.__code__
    given = source.tree.args
    for star in (given.vararg, given.kwarg):
        if star is None:
            continue
        given.args.append(gast.copy_location(
            gast.Name(star.id, gast.Param(), None, None), star))
        if function.__defaults__:
            empty = gast.Tuple([], gast.Load()) if star is given.vararg else gast.Dict([], [])
            given.defaults.append(gast.copy_location(empty, star))
    given.vararg = given.kwarg = None
    count = code.co_argcount + len(_of_stars(code))
    made = types.FunctionType(
        code.replace(co_argcount=count, co_flags=code.co_flags & ~_STARS), function.__globals__,
        function.__name__, None, function.__closure__)
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    # What is said of a parameter with a star is said of each argument that it takes.
    taken = code.co_varnames[code.co_argcount:count]
    made.__annotations__ = {name: kind for name, kind in function.__annotations__.items()
                            if name not in taken}
    made.lifted_source = replace(source, function=made)         # type: ignore[attr-defined]
    return made
