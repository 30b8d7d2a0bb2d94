"""From what users pass to what can be read: a function with source, and the arguments it brings.

Bound methods bring their object. A callable without source (np.sin, functools.partial, a callable
object, a Jacobian) gets a function written for it that calls it; its rule, the source behind it, or
what is known of such calls does the rest. So does a wrapper that hands on all it is given: it takes
what the function under it takes.
"""
from __future__ import annotations

import builtins
import functools
import inspect
import itertools
import keyword
import linecache
import logging
import operator
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import registry
from tangent_lite.adjoints.checkpoints import Checkpoint
from tangent_lite.errors import InputError, SourceNotFoundError, TangentError
from tangent_lite.functions.custom import own_derivative
from tangent_lite.modules import LIBRARIES, is_of_library, module_of, signature_of
from tangent_lite.source import WRITTEN, Source, source_of, uncompiled

_numbers = itertools.count(1)


class Target(NamedTuple):
    """A function to differentiate, the leading arguments it brings, and the signature seen."""
    function: types.FunctionType
    bound: tuple[Any, ...]
    signature: inspect.Signature


def target_of(fun: Any) -> Target:
    """What is differentiated when fun is; SourceNotFoundError where there is nothing to read."""
    if isinstance(fun, (staticmethod, classmethod, property, functools.cached_property)):
        raise of_a_class(fun)
    if not callable(fun):
        raise InputError(f"{fun!r} is not callable", None, "pass a function, and call what you get")
    fun = uncompiled(fun)
    if isinstance(fun, Checkpoint):
        return target_of(fun.checkpointed)      # it is called once: there is nothing to save
    if isinstance(fun, types.MethodType) and isinstance(fun.__func__, Checkpoint):
        return target_of(types.MethodType(fun.__func__.checkpointed, fun.__self__))
    if isinstance(fun, functools._lru_cache_wrapper):
        return target_of(fun.__wrapped__)       # what it keeps says nothing of what varies
    if isinstance(fun, types.MethodType) and isinstance(fun.__func__,
                                                        functools._lru_cache_wrapper):
        return target_of(types.MethodType(fun.__func__.__wrapped__, fun.__self__))
    if own_derivative(getattr(fun, "__func__", fun)) is not None or _is_called_as_it_is(fun):
        function = getattr(fun, "__func__", fun)
        return _calling(fun, inspect.signature(getattr(function, "pyfunc", function)))
    seen = _handed_on(getattr(fun, "__func__", fun))
    if seen is not None:
        return _calling(fun, seen)
    if _has_rules_beside_its_text(fun):
        return _calling(fun, signature_of(getattr(fun, "__func__", fun)))
    if isinstance(fun, types.MethodType):
        signature = signature_of(fun)
        return Target(fun.__func__, (fun.__self__,), signature)      # type: ignore[arg-type]
    entry = registry.lookup(fun)
    if isinstance(fun, types.FunctionType) and (entry is None or entry.adjoint is None):
        return Target(fun, (), signature_of(fun))
    if entry is not None and (entry.adjoint is not None or entry.constant):
        return _wrapper(fun, entry)
    if isinstance(fun, functools.partial):
        return _of_partial(fun)
    if isinstance(fun, (operator.itemgetter, operator.attrgetter, operator.methodcaller)):
        return _written("get", ["x"], "x", {"function": fun})
    if isinstance(fun, types.BuiltinMethodType) and isinstance(fun.__self__, np.ndarray):
        method = getattr(np.ndarray, fun.__name__)
        entry = registry.lookup(method)
        if entry is not None and entry.adjoint is not None:
            _, *given = _parameters(entry)
            return _written(fun.__name__, given, ", ".join(["owner", *given]),
                            {"function": method, "owner": fun.__self__})
    call = fun.__call__
    if isinstance(call, types.MethodType) and isinstance(call.__func__, types.FunctionType) \
            and call.__self__ is fun and not isinstance(fun, type):
        return Target(call.__func__, (fun,), signature_of(call))
    if registry.load_third_parties():
        return target_of(fun)
    if isinstance(fun, type):
        raise SourceNotFoundError(
            f"{fun.__name__} is a class, which gives objects", None,
            "differentiate a function that makes one and returns a number")
    raise SourceNotFoundError(
        f"{getattr(fun, '__name__', fun)!s} has no Python source and no rule", None,
        "write its rule with @tangent_lite.adjoint")


def of_a_class(fun: Any) -> InputError:
    """The error for what becomes a method or an attribute once it is read of an object."""
    kind = type(fun).__name__
    return InputError(f"this is a {kind}, and no function yet", None,
                      f"write @grad below @{kind}, next to the function; or take the derivative of "
                      "what is read of an object or of its class")


def _wrapper(fun: Any, entry: registry.Entry) -> Target:
    """`def hypot(*xs): return hypot(*xs)` for a function that has a rule."""
    parameters = ["x"] if entry.adjoint is None else _parameters(entry)
    if entry.adjoint is not None:
        stars = {p.name for p in entry.adjoint.parameters if p.star}
        parameters = [f"*{name}" if name in stars else name for name in parameters]
    return _written(_name_of(fun), parameters, ", ".join(parameters), {"function": fun})


def _parameters(entry: registry.Entry) -> list[str]:
    """What a function with a rule is given at least, by the names that the rule has for it."""
    assert entry.adjoint is not None
    parameters = [p.name for p in entry.adjoint.parameters if not p.star and p.default is None]
    return parameters + [p.name for p in entry.adjoint.parameters if p.star]


def _is_called_as_it_is(fun: Any) -> bool:
    """Whether a callable has no text of its own, but it is known what a call of it does."""
    function = getattr(fun, "__func__", fun)
    return isinstance(function, np.vectorize) or hasattr(type(function), "of_columns") \
        or (hasattr(function, "dispatch") and hasattr(function, "registry")
            and is_of_library(function))            # made by functools.singledispatch


def _has_rules_beside_its_text(fun: Any) -> bool:
    """Whether a function written in Python, or a method, has rules, which are used in its place."""
    function = getattr(fun, "__func__", fun)
    entry = registry.lookup(function)
    return isinstance(function, types.FunctionType) and entry is not None \
        and (entry.adjoint is not None or entry.tangent is not None or entry.constant)


def _calling(fun: Any, signature: inspect.Signature) -> Target:
    """`def f(x, *, k=default_k): return function(x, k=k)`; a method brings its object."""
    function = getattr(fun, "__func__", fun)
    names: dict[str, Any] = {"function": function}
    parameters, arguments = _spelled(signature.parameters.values(), names)
    made = _written(_name_of(function), parameters, ", ".join(arguments), names)[0]
    bound: tuple[Any, ...] = (fun.__self__,) if isinstance(fun, types.MethodType) else ()
    visible = list(signature_of(made).parameters.values())[len(bound):]
    return Target(made, bound, signature.replace(parameters=visible))


def _spelled(signature: Iterable[inspect.Parameter],
             names: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Parameters, and the arguments that hand them on; defaults go to names."""
    parameters, arguments = [], []
    by_name = by_position = False
    for one in signature:
        name = one.name
        if by_position and one.kind is not one.POSITIONAL_ONLY:
            parameters.append("/")
        by_position = one.kind is one.POSITIONAL_ONLY
        if one.kind is one.KEYWORD_ONLY and not by_name:
            by_name = True
            parameters.append("*")
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            stars = "*" if one.kind is one.VAR_POSITIONAL else "**"
            by_name = True
            parameters.append(f"{stars}{name}")
            arguments.append(f"{stars}{name}")
            continue
        if one.default is not one.empty:
            names[f"default_{name}"] = one.default
        parameters.append(name if one.default is one.empty else f"{name}=default_{name}")
        arguments.append(f"{name}={name}" if one.kind is one.KEYWORD_ONLY else name)
    if by_position:
        parameters.append("/")
    return parameters, arguments


def _of_partial(fun: functools.partial) -> Target:
    """`def f(y, z=default_z): return function(argument_0, y, z, k=keyword_k)`."""
    names: dict[str, Any] = {"function": fun.func}
    for number, value in enumerate(fun.args):
        names[f"argument_{number}"] = value
    if isinstance(fun.func, (types.FunctionType, types.MethodType)) \
            or hasattr(type(fun.func), "pull_back") or hasattr(type(fun.func), "of_columns"):
        left = list(inspect.signature(fun).parameters.values())
    else:
        # The parameters that its rule knows: not out=None, dtype=None and the like.
        left = [one for one in list(target_of(fun.func).signature.parameters.values())[
                    len(fun.args):] if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    parameters, arguments = _spelled(
        [one for one in left if one.name not in fun.keywords], names)
    given = [f"argument_{number}" for number in range(len(fun.args))]
    rest = [arguments.pop()] if arguments and arguments[-1].startswith("**") else []
    for name, value in fun.keywords.items():
        names[f"keyword_{name}"] = value
        arguments.append(f"{name}=keyword_{name}")
    arguments += rest                           # they come first in the dict of options
    return _written(_name_of(fun.func), parameters, ", ".join(given + arguments), names)


def _name_of(fun: Any) -> str:
    name = getattr(fun, "__name__", "function")
    return name if name.isidentifier() and not keyword.iskeyword(name) else "function_"


def _written(name: str, parameters: list[str], arguments: str, names: dict[str, Any]) -> Target:
    """A function with source that we write ourselves: one text for all that are called alike."""
    called = "function"
    home = _home_of(names["function"])
    if home is not None and not {home[0], called} & {p.lstrip("*/").split("=")[0]
                                                     for p in parameters}:
        alias, module = home
        called = f"{alias}.{names.pop('function').__name__}"
        names = {alias: module, **names}
    function = _maker(name, ", ".join(parameters), f"{called}({arguments})", tuple(names))(**names)
    return Target(function, (), inspect.signature(function))


def _home_of(function: Any) -> tuple[str, types.ModuleType] | None:
    """The module of a library in which a function is found by its name, and how it is called
    there: `np.sin`, `math.pow`."""
    name = getattr(function, "__name__", "")
    own = [module_of(function).lstrip("_")] if not isinstance(function, np.ufunc) \
        else ["numpy", "scipy.special"]
    for path in own:
        module = sys.modules.get(path)
        if path.split(".")[0] in LIBRARIES - {"tangent_lite", "builtins"} \
                and getattr(module, name, None) is function:
            return ("np" if path == "numpy" else path.rpartition(".")[2]), module  # type: ignore[return-value]
    return None


@functools.lru_cache(256)
def _maker(name: str, parameters: str, call: str, names: tuple[str, ...]) -> Any:
    """What makes such a function: what it knows are variables around it."""
    text = (f"def _made({', '.join(names)}):\n"
            f"    def {name}({parameters}):\n"
            f"        return {call}\n"
            f"    return {name}\n")
    filename = f"<{name}{WRITTEN}{next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, Any] = {"__name__": "__tangent_lite__"}
    exec(compile(text, filename, "exec"), space)
    return space["_made"]


# Wrappers ---------------------------------------------------------------------------------------
def _handed_on(function: Any) -> inspect.Signature | None:
    """The signature of the function under a wrapper (functools.wraps), or under several, where each
    hands on all it is given; None for anything else.

    Where a wrapper looks at its `args` besides (`len(args)`, `args[0]`), arguments have to come as
    it is to see them: by position, and none left out.
    """
    inner, as_given = function, False
    while isinstance(inner, types.FunctionType) and hasattr(inner, "__wrapped__"):
        how = _hands_on(inner)
        if how is None:
            break
        as_given = as_given or how == "as given"
        inner = inner.__wrapped__
    if inner is function:
        return None
    signature = signature_of(inner)
    if not as_given:
        return signature
    parameters = list(signature.parameters.values())
    if any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
           or p.default is not p.empty for p in parameters):
        return None
    return signature.replace(parameters=[p.replace(kind=p.POSITIONAL_ONLY) for p in parameters])


def _hands_on(wrapper: types.FunctionType) -> str | None:
    """How `def wrapper(a, *args, **options)` calls wrapped(a, *args, **options). "somehow" if it
    uses args and options for nothing else: then it does not matter how an argument was given; "as
    given" if it reads args besides."""
    parameters = signature_of(wrapper).parameters.values()
    star = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    options = next((p.name for p in parameters if p.kind is p.VAR_KEYWORD), None)
    first = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if star is None or len(first) + 1 + (options is not None) != len(parameters) \
            or any(p.default is not p.empty for p in parameters):
        return None
    try:
        source = source_of(wrapper)
    except TangentError:
        return None
    wrapped = wrapper.__wrapped__                                       # type: ignore[attr-defined]
    handed = 0
    mentions: list[gast.Name] = []
    for node in _but_what_is_said(source):
        if isinstance(node, gast.Name):
            mentions.append(node)
        elif isinstance(node, gast.Call) and _value_of(node.func, source) is wrapped:
            given = [_spelling(one) for one in [*node.args, *node.keywords]]
            handed += given == [*first, f"*{star}", *([f"**{options}"] if options else [])]
    of_star = [n for n in mentions if n.id == star]
    of_options = sum(n.id == options for n in mentions) if options is not None else handed
    if not handed or of_options != handed \
            or not all(isinstance(n.ctx, gast.Load) for n in of_star):
        return None
    return "somehow" if len(of_star) == handed else "as given"


def _but_what_is_said(source: Source) -> Iterator[gast.AST]:
    """All nodes of a function but those in statements that print or log something."""
    todo: list[gast.AST] = list(source.tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
            called = node.value
            while isinstance(called, (gast.Call, gast.Attribute)):
                called = called.func if isinstance(called, gast.Call) else called.value
            root = _value_of(called, source)
            if root is print or root is logging or isinstance(root, logging.Logger):
                continue
        yield node
        todo += gast.iter_child_nodes(node)


def _value_of(node: gast.AST, source: Source) -> Any:
    """What a name around a function stands for; None for anything else."""
    if not isinstance(node, gast.Name):
        return None
    cell = source.cells.get(node.id)
    try:
        return source.globals.get(node.id, vars(builtins).get(node.id)) if cell is None \
            else cell.cell_contents
    except ValueError:                                                  # it is not filled yet
        return None


def _spelling(argument: gast.AST) -> str | None:
    """How a name is handed on: "x", "*xs" or "**options"; None for anything else."""
    stars = "*" if isinstance(argument, gast.Starred) else \
        "**" if isinstance(argument, gast.keyword) and argument.arg is None else ""
    value = argument.value if stars else argument
    return f"{stars}{value.id}" if isinstance(value, gast.Name) else None
