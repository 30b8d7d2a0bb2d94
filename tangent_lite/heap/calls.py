"""Which code a call means, found when it is made: by the object that is called, never by name."""
from __future__ import annotations

import builtins
import collections
import collections.abc
import contextlib
import functools
import operator
import sys
import types
from typing import Any

import numpy as np

from tangent_lite import registry, runtime
from tangent_lite.adjoints.checkpoints import Checkpoint
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.functions.called_with_args import calls_its_first
from tangent_lite.functions.custom import own_derivative
from tangent_lite.heap import (
    arrays,
    called_derivatives,
    classes,
    containers,
    derivatives,
    dicts,
    drawn,
    functions,
    handed_over,
    hooks,
    islands,
    library,
    linear_maps,
    making,
    managers,
    methods,
    models,
    special,
)
from tangent_lite.heap.callables import call_cached, call_getter, call_partial, make_partial
from tangent_lite.heap.calls_by_rule import LIBRARY, native, with_rule
from tangent_lite.heap.containers import Star, Stars
from tangent_lite.heap.draws import GENERATORS, MAKERS
from tangent_lite.heap.handlers import handles
from tangent_lite.heap.iteration import Lazy
from tangent_lite.heap.memory import Parts, add
from tangent_lite.heap.modelled import HANDLERS
from tangent_lite.heap.moving import Moved, Moving, moving
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, again, behind_first, varies, without_first
from tangent_lite.heap.vectorized import call_vectorized
from tangent_lite.modules import (
    is_of_library,
    looks_at_calls,
    mark_of,
    package_of,
    without_parameters,
)
from tangent_lite.runtime import groups
from tangent_lite.source import uncompiled

# What has methods that are followed, though they are written in C.
_WITH_METHODS = (list, dict, set, tuple, str, bytes, collections.deque, np.ndarray, np.generic,
                 float, complex)


_STARS = frozenset((Star, Stars))


class Method:
    """A call of a method by its name; the object is the first argument."""
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def starred(tape: Any, function: Any, args: tuple[Any, ...],
            keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A call in which an argument may be *xs or **d."""
    if _STARS.isdisjoint(map(type, args)):
        return called(tape, function, args, keywords)
    flat: list[Any] = []
    named: dict[str, Any] = {}                  # in the order in which Python hands them over
    origin: list[tuple[int, Any, Any]] = []     # operand, container, key
    later: list[tuple[int, Any, Any]] = []
    left = list(enumerate(keywords.items(), len(args)))
    for number, arg in enumerate(args):
        if isinstance(arg, Star):
            items = tape.listed(arg.items)
            for key, item in enumerate(items):
                flat.append(item)
                origin.append((number, items, key))
        elif isinstance(arg, Stars):
            while len(keywords) - len(left) < arg.behind:
                place, (name, item) = left.pop(0)
                named[name] = item
                later.append((place, None, None))
            items = dicts.as_dict(tape, arg.items)
            for key in items.keys():  # noqa: SIM118 - as Python asks for them
                if key in named or key in keywords:
                    raise TypeError(f"got multiple values for keyword argument '{key}'")
                named[key] = items[key]
                later.append((number, items, key))
        else:
            flat.append(arg)
            origin.append((number, None, None))
    named.update(item for _, item in left)
    origin += [*later, *((place, None, None) for place, _ in left)]
    value, back = called(tape, function, tuple(flat), named)
    if back is None:
        return value, None
    count = len(args) + len(keywords)

    inner = back

    def regrouped(adjoint: Any) -> Any:
        found = inner(adjoint)
        if found is None:
            return None
        out: list[Any] = [None] * count
        for (number, container, key), part in zip(origin, found):
            if part is None:
                continue
            if container is None:
                out[number] = add(out[number], part)
            elif isinstance(container, tuple):
                out[number] = add(out[number], Parts({key: part}))
            else:
                tape.adjoints.add_slot(container, key, part)
        return out
    return value, regrouped


def called(tape: Any, function: Any, args: tuple[Any, ...],
           keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """The value of a call, and what takes its adjoint to the arguments, keywords last."""
    way = _BY_TYPE.get(type(function), _other)
    return way(tape, function, args, keywords)


def _other(tape: Any, function: Any, args: tuple[Any, ...],
           keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """The same of what is called most seldom: objects, classes, methods that are kept."""
    if not callable(function):
        return function(*args, **keywords), None        # Python says so
    cls = without_parameters(function)
    if cls is not None:
        return _class_with_parameters(tape, function, cls, args, keywords)
    if type(function) not in special.PLAIN and is_record(function):
        special.check_attributes(tape, function)
    found = _drawn(tape, function, args, keywords)
    if found is not None:
        return found
    handler = _handler(function)
    if handler is not None:
        return handler(tape, *args, **keywords)
    if isinstance(function, types.MethodType) and registry.lookup(function) is not None:
        return with_rule(tape, function, args, keywords)
    if isinstance(function, functools.partial) or (
            isinstance(function, types.MethodType) and is_record(function.__self__)):
        function = tape.heap.own(function)
    if isinstance(function, linear_maps.LinearMap):
        return function.call(tape, *args, **keywords)
    if derivatives.is_derivative(function):
        return called_derivatives.call(tape, function, args, keywords)
    if isinstance(function, types.MethodWrapperType):
        return _slot(tape, function, args, keywords)
    if isinstance(function, Checkpoint):
        return called(tape, function.checkpointed, args, keywords)
    if isinstance(function, types.MethodType):
        return _kept_method(tape, function, args, keywords)
    if registry.lookup(function) is None:
        function = uncompiled(function)
    if isinstance(function, types.FunctionType):
        return _function_behind(tape, function, args, keywords)
    if isinstance(function, type):
        return _class(tape, function, args, keywords)
    if isinstance(function, (operator.itemgetter, operator.attrgetter, operator.methodcaller)):
        return call_getter(tape, function, args[0])
    if isinstance(function, functools.partial):
        return call_partial(tape, function, args, keywords)
    if isinstance(function, functools._lru_cache_wrapper):
        return call_cached(tape, function, args, keywords)
    if isinstance(function, types.BuiltinFunctionType) and function.__self__ is not None \
            and not isinstance(function.__self__, types.ModuleType):
        return _bound_builtin(tape, function, args, keywords)
    if isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)) and args:
        return methods.call(tape, args[0], function.__name__, args[1:], keywords)
    if isinstance(function, np.vectorize):
        return call_vectorized(tape, function, args, keywords)
    return _object(tape, function, args, keywords)


def _class_with_parameters(tape: Any, function: Any, cls: type, args: tuple[Any, ...],
                           keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """`Box[float](...)` of a generic class: an object of it that knows what was written."""
    value, back = called(tape, cls, args, keywords)
    plain: Any = object.__setattr__
    if type(value).__setattr__ is plain:
        with contextlib.suppress(AttributeError):           # as `typing` does
            value.__orig_class__ = function
    return value, back


def _drawn(tape: Any, function: Any, args: tuple[Any, ...],
           keywords: dict[str, Any]) -> tuple[Any, Back | None] | None:
    """A method of a random generator, or what makes one; None for all else."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, GENERATORS):
        tape.heap.draws.note(owner)
        if drawn.is_draw(owner, function.__name__):
            return drawn.draw(tape, owner, function.__name__, args, keywords)
        if isinstance(getattr(function, "__func__", None), types.FunctionType):
            value, back = called(tape, function.__func__, (owner, *args), keywords)
            return value, without_first(back)
    elif any(function is one for one in MAKERS):
        generator = function(*args, **keywords)
        tape.heap.draws.begin(generator)
        return generator, None
    return None


def _kept_method(tape: Any, function: types.MethodType, args: tuple[Any, ...],
                 keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A method that was taken from its object before it is called."""
    if isinstance(function.__func__, Checkpoint):
        return called(tape, function.__func__, (function.__self__, *args), keywords)
    if registry.owns_rules(function.__self__) or not isinstance(
            function.__func__, (types.FunctionType, functools._lru_cache_wrapper)):
        return with_rule(tape, function, args, keywords)    # the latter is written in C
    value, back = called(tape, function.__func__, (function.__self__, *args), keywords)
    return value, None if back is None else _bound_back(tape, function, back)


def _object(tape: Any, function: Any, args: tuple[Any, ...],
            keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """An object with a method `__call__`, and what is left."""
    method: Any = classes.on_class(type(function), "__call__")
    if not hasattr(method, "__code__") or package_of(type(function)) in (*LIBRARY, "tangent_lite"):
        return with_rule(tape, function, args, keywords)
    if isinstance(function, tuple) and varies(function):
        raise UnsupportedSyntaxError(
            f"{type(function).__name__}, which is a tuple, is called by what it is handed to",
            tape.place(), "hand over a function that calls it: lambda x: f(x)")
    value, back = called(tape, method, (function, *args), keywords)
    return value, without_first(back)


def _method(tape: Any, function: Any, args: tuple[Any, ...],
            keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A method that is called by its name."""
    owner, name = args[0], function.name
    if isinstance(owner, GENERATORS):
        tape.heap.draws.note(owner)
        if drawn.is_draw(owner, name):
            return behind_first(drawn.draw(tape, owner, name, args[1:], keywords))
    if registry.owns_rules(owner):
        return behind_first(with_rule(tape, getattr(owner, name), args[1:], keywords))
    return methods.call(tape, owner, name, args[1:], keywords)


def _in_c(tape: Any, function: Any, args: tuple[Any, ...],
          keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A function that is written in C."""
    handler = _handler(function)
    if handler is not None and getattr(function, "__self__", None) is builtins:
        return handler(tape, *args, **keywords)
    step = None if keywords or handler is not None else again(tape, function, None, args)
    return _other(tape, function, args, keywords) if step is None else step


def _in_python(tape: Any, function: types.FunctionType, args: tuple[Any, ...],
               keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A function that is written in Python."""
    if function.__dict__ or function not in tape.heap.followed:
        if looks_at_calls(function):
            _refuse_looks(tape, function)
        if function.__dict__ or not _is_of_users(function.__module__) or function in HANDLERS \
                or registry.lookup(function) is not None:
            return _other(tape, function, args, keywords)
        tape.heap.followed[function] = None
    found = islands.step(tape, function, args, keywords)
    return functions.call(tape, function, args, keywords) if found is None else found


def _plain_class(tape: Any, kind: type, args: tuple[Any, ...],
                 keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A class without a metaclass."""
    if kind in HANDLERS or kind in MAKERS:
        return _other(tape, kind, args, keywords)
    return _class(tape, kind, args, keywords)


_of_users: dict[str, bool] = {}


def _is_of_users(module: Any) -> bool:
    """Whether functions of a module are followed, if nothing is known of them."""
    if not isinstance(module, str):             # code run by `exec`
        return True
    found = _of_users.get(module)
    if found is None:
        found = _of_users[module] = module.split(".")[0] not in {
            *LIBRARY, *_SAID, *_MAKING, "tangent_lite"}
    return found


def _handler(function: Any) -> Any:
    try:
        return HANDLERS.get(function)
    except TypeError:
        return None


def _bound_back(tape: Any, method: types.MethodType, back: Back) -> Back:
    """The adjoints of the arguments; that of a tuple to which a method belongs goes to a slot."""
    def rest(adjoint: Any) -> Any:
        found = back(adjoint)
        if found and found[0] is not None and isinstance(method.__self__, tuple):
            tape.adjoints.add_slot(method, "__self__", found[0])
        return None if found is None else found[1:]
    return rest


# Packages whose functions say what they are given, and those that make classes.
_SAID = ("warnings", "logging")
_MAKING = ("typing", "dataclasses", "abc", "enum")


def _refuse_looks(tape: Any, function: Any) -> None:
    """Refuse a question who calls, if the user's function asks and not a library's, as logging
    does."""
    if not is_of_library(tape.function):
        raise UnsupportedSyntaxError(f"{function.__name__} tells who calls it, which is the "
                                     "derivative", tape.place(), "write the name of the function")


@handles(sys._getframe)
def _frame(tape: Any, *depth: Any) -> tuple[Any, Back | None]:
    _refuse_looks(tape, sys._getframe)
    return sys._getframe(*depth), None


def _function_behind(tape: Any, function: Any, args: tuple[Any, ...],
                     keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """A function in Python that may mean something else than what stands in it."""
    entry = registry.lookup(function)
    if function is runtime.grad_hook:
        return hooks.call(tape, *args, **keywords)
    if own_derivative(function) is not None:
        return with_rule(tape, function, args, keywords)
    if linear_maps.makes_map(function):
        return linear_maps.call(tape, function, args, keywords)
    if mark_of(function, "makes_derivative") in ("function", "product"):
        return called_derivatives.made(function, args, keywords), None      # it is called later
    if calls_its_first(function):
        return handed_over.call(tape, function, args, keywords, with_rule)
    if (entry is not None and (entry.adjoint is not None or entry.constant)) \
            or function.__module__ in ("tangent_lite.api", "tangent_lite.operators") \
            or (entry is not None and vars(runtime).get(function.__name__) is function):
        # What has no rule there is Python like any other: add_parts writes into a list.
        return with_rule(tape, function, args, keywords)
    module = package_of(function)
    if module in ("numpy", "scipy"):
        return with_rule(tape, function, args, keywords)
    if module in _SAID:                         # and may be told numbers
        return function(*args, **keywords), None
    if module in _MAKING:
        return native(tape, function, args, keywords)
    return functions.call(tape, function, args, keywords)


# np.sum and its like are of a type of their own, and of Python's functions in NumPy before 1.25.
_BY_TYPE: dict[type, Any] = {
    types.BuiltinFunctionType: _in_c, np.ufunc: _in_c, type(np.sum): _in_c,
    types.FunctionType: _in_python, type: _plain_class, Method: _method}

# Containers of Python's library that are written in Python, and made as the user's objects are.
_IN_PYTHON = {collections.ChainMap, collections.abc.KeysView, collections.abc.ValuesView,
              collections.abc.ItemsView}


def _class(tape: Any, kind: type, args: tuple[Any, ...],
           keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    if kind is super:
        return super(*args), None
    if issubclass(kind, np.inexact) and len(args) == 1 and np.ndim(args[0]) == 0 \
            and not isinstance(args[0], (str, np.ndarray)):
        special.check(tape, special.ALL, args[0])
        if special.says(args, special.NUMBER | special.ARRAY):
            raise UnsupportedSyntaxError("what this call does with an object is said by its class",
                                         tape.place(), "write float(x)")
        if isinstance(args[0], Moving):
            return _number_of_kind(kind, args[0])
        return kind(args[0]), lambda adjoint: (arrays.number(adjoint, args[0]),) \
            if adjoint is not None else None
    if kind is np.ndarray or issubclass(kind, np.generic):
        return with_rule(tape, kind, args, keywords)
    if (package_of(kind) in LIBRARY and not issubclass(kind, BaseException)
            and kind not in _IN_PYTHON) \
            or kind in (types.SimpleNamespace,):
        if kind is types.SimpleNamespace:
            return making.make(tape, kind, args, keywords)
        if kind in (collections.Counter, object):
            args = tuple(tape.listed(a) if isinstance(a, Lazy) else a for a in args)
            return native(tape, kind, args, keywords)
        if kind is functools.partial:
            return make_partial(tape, args, keywords)
        return native(tape, kind, args, keywords)
    if kind is contextlib._GeneratorContextManager:
        return managers.made(tape, kind, *args)
    if package_of(kind) in ("warnings", "logging", "threading"):
        return native(tape, kind, args, keywords)
    if making.says_what_is_missing(kind):
        made = kind.__new__(kind)
        tape.heap.ours(made)
        return library.filled(tape, made, args, keywords)
    return making.make(tape, kind, args, keywords)


def _number_of_kind(kind: Any, x: Moving) -> tuple[Any, Back | None]:
    """np.float32(x) and its like, with tangents."""
    plain: Any = x.plain
    value = moving(kind(plain(x)), [kind(t) for t in x.tangents])

    def back(adjoint: Any) -> Any:
        if adjoint is None:
            return None
        return (Moved([None if one is None else arrays.number(one, plain(0.0))
                       for one in adjoint.parts]),)
    return value, back


def _bound_builtin(tape: Any, function: Any, args: tuple[Any, ...],
                   keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """xs.append, kept in a variable; np.add.at."""
    owner = function.__self__
    if isinstance(owner, functools._lru_cache_wrapper):
        raise UnsupportedSyntaxError(
            f"{function.__name__} of a cached function is not followed: what it knows here is kept "
            "elsewhere", tape.place(), "keep the results in a dict")
    if isinstance(owner, np.ufunc):
        if function.__name__ == "at" and owner in (np.add, np.subtract):
            return None, arrays.add_in_place_at(tape, owner, *args)
        if function.__name__ == "at":
            combined = groups.AT.get(owner)
            if combined is not None and np.asarray(args[0]).dtype.kind == "f" \
                    and not any(np.iscomplexobj(one) for one in args[2:]):
                value, back = called(tape, models.combined_at, (combined, *args), keywords)
                return value, without_first(back)
            if owner.nout > 1 or any(np.shares_memory(args[0], one) for one in args[2:]
                                     if isinstance(one, np.ndarray)):
                raise UnsupportedSyntaxError(f"np.{owner.__name__}.at is not handled here",
                                             tape.place(), "write a loop over the positions")
            value, back = called(tape, models.ufunc_at, (owner, *args), keywords)
            return value, without_first(back)
        return with_rule(tape, function, args, keywords)
    if not isinstance(owner, _WITH_METHODS):
        return native(tape, function, args, keywords)
    _check_bound(tape, owner)
    value, back = methods.call(tape, owner, function.__name__, args, keywords)
    return value, without_first(back)


def _slot(tape: Any, function: Any, args: tuple[Any, ...],
          keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """super().__init__() and its like, where the class above is object; `xs.__setitem__`, kept."""
    owner, name = function.__self__, function.__name__
    _check_bound(tape, owner)
    if name in ("__setattr__", "__getattribute__"):
        value, back = called(tape, getattr(object, name), (owner, *args), {})
        return value, without_first(back)
    if not isinstance(owner, (np.ndarray, dict, set, *methods.LISTS)) and (
            name == "__init__" or not any(map(varies, args))):
        return function(*args, **keywords), None
    value, back = methods.call(tape, owner, name, args, keywords)
    return value, without_first(back)


def _check_bound(tape: Any, owner: Any) -> None:
    """A method that is kept knows its object, but not where a number or tuple came from."""
    if containers.holds(owner):
        raise UnsupportedSyntaxError(f"a method of a {type(owner).__name__} is called without "
                                     "naming the object", tape.place(), "write x.method(...)")
