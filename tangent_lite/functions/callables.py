"""From what users pass to what can be read: a function with source, and the arguments it brings.

Bound methods bring their object. A callable without source (np.sin, functools.partial, a callable
object) gets a function written for it that calls it; its rule, or the source behind it, does the
rest.
"""
from __future__ import annotations

import functools
import inspect
import itertools
import keyword
import linecache
import types
from typing import Any, NamedTuple

from tangent_lite import registry
from tangent_lite.errors import InputError, SourceNotFoundError
from tangent_lite.functions.custom import own_derivative
from tangent_lite.source import uncompiled

_numbers = itertools.count(1)


class Target(NamedTuple):
    """A function to differentiate, the leading arguments it brings, and the signature seen."""
    function: types.FunctionType
    bound: tuple[Any, ...]
    signature: inspect.Signature


def target_of(fun: Any) -> Target:
    """What is differentiated when fun is; SourceNotFoundError where there is nothing to read."""
    if not callable(fun):
        raise InputError(f"{fun!r} is not callable", None, "pass a function, and call what you get")
    fun = uncompiled(fun)
    if hasattr(fun, "checkpointed"):
        return target_of(fun.checkpointed)      # it is called once: there is nothing to save
    own = own_derivative(getattr(fun, "__func__", fun))
    if own is not None:
        return _of_own(fun)
    if isinstance(fun, types.MethodType):
        signature = inspect.signature(fun, follow_wrapped=False)
        return Target(fun.__func__, (fun.__self__,), signature)      # type: ignore[arg-type]
    entry = _entry(fun)
    if isinstance(fun, types.FunctionType) and (entry is None or entry.adjoint is None):
        return Target(fun, (), inspect.signature(fun, follow_wrapped=False))
    if entry is not None and (entry.adjoint is not None or entry.constant):
        return _wrapper(fun, entry)
    if isinstance(fun, functools.partial):
        return _of_partial(fun)
    call = fun.__call__
    if isinstance(call, types.MethodType) and isinstance(call.__func__, types.FunctionType) \
            and call.__self__ is fun and not isinstance(fun, type):
        return Target(call.__func__, (fun,), inspect.signature(call))
    if registry.load_third_parties():
        return target_of(fun)
    raise SourceNotFoundError(
        f"{getattr(fun, '__name__', fun)!s} has no Python source and no rule", None,
        "write its rule with @tangent_lite.adjoint")


def _entry(fun: Any) -> registry.Entry | None:
    try:
        return registry.lookup(fun)
    except TypeError:
        return None


def _wrapper(fun: Any, entry: registry.Entry) -> Target:
    """`def sin(x): return function(x)` for a function that has a rule."""
    name = getattr(fun, "__name__", "function")
    if entry.adjoint is not None:
        parameters = [p.name for p in entry.adjoint.parameters
                      if not p.star and p.default is None]
        parameters += [p.name for p in entry.adjoint.parameters if p.star]
    else:
        parameters = ["x"]
    return _written(name, parameters, ", ".join(parameters), {"function": fun})


def _of_own(fun: Any) -> Target:
    """`def f(x, k=default_k): return function(x, k)`: a call of it is given its own derivative."""
    function = getattr(fun, "__func__", fun)
    names: dict[str, Any] = {"function": function}
    parameters = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is not parameter.empty:
            names[f"default_{name}"] = parameter.default
        parameters.append(name if parameter.default is parameter.empty
                          else f"{name}=default_{name}")
    made = _written(function.__name__, parameters,
                    ", ".join(inspect.signature(function).parameters), names)[0]
    bound: tuple[Any, ...] = (fun.__self__,) if isinstance(fun, types.MethodType) else ()
    return Target(made, bound, inspect.signature(fun, follow_wrapped=False))


def _of_partial(fun: functools.partial) -> Target:
    """`def f(y, z=default_z): return function(argument_0, y, z, k=keyword_k)`."""
    names: dict[str, Any] = {"function": fun.func}
    arguments, parameters = [], []
    for number, value in enumerate(fun.args):
        names[f"argument_{number}"] = value
        arguments.append(f"argument_{number}")
    if isinstance(fun.func, (types.FunctionType, types.MethodType)):
        left = list(inspect.signature(fun).parameters.values())
    else:
        # The parameters that its rule knows: not out=None, dtype=None and the like.
        left = list(target_of(fun.func).signature.parameters.values())[len(fun.args):]
    for parameter in left:
        name = parameter.name
        if name in fun.keywords or parameter.kind in (parameter.VAR_POSITIONAL,
                                                      parameter.VAR_KEYWORD):
            continue
        if parameter.default is not parameter.empty:
            names[f"default_{name}"] = parameter.default
        by_name = parameter.kind is parameter.KEYWORD_ONLY
        if by_name and "*" not in parameters:
            parameters.append("*")
        parameters.append(name if parameter.default is parameter.empty
                          else f"{name}=default_{name}")
        arguments.append(f"{name}={name}" if by_name else name)
    for name, value in fun.keywords.items():
        names[f"keyword_{name}"] = value
        arguments.append(f"{name}=keyword_{name}")
    name = getattr(fun.func, "__name__", "function")
    return _written(name, parameters, ", ".join(arguments), names)


def _written(name: str, parameters: list[str], arguments: str, names: dict[str, Any]) -> Target:
    """A function with source that we write ourselves."""
    if not name.isidentifier() or keyword.iskeyword(name):
        name = "function_"
    text = f"def {name}({', '.join(parameters)}):\n    return function({arguments})\n"
    filename = f"<{name} called by tangent_lite {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, Any] = {"__name__": "__tangent_lite__", **names}
    exec(compile(text, filename, "exec"), space)
    function = space[name]
    return Target(function, (), inspect.signature(function))
