"""Functions that integrators and root finders are given: what varies in them becomes arguments.

    odeint(lambda y, t: -k * y, y0, t)      =>      odeint(rhs, y0, t, args=(k,))

where rhs is `lambda y, t, k: -k * y`: rules speak of what goes through `args`, while a function
that is defined in the one that is followed captures, a method has an object, a partial what it was
made of, and `lambda y, t, k=k: ...` a default. SciPy gives `args` to the function behind all else,
so it computes the same.
"""
from __future__ import annotations

import functools
import inspect
import types
import weakref
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.calling.resolve import meaning
from tangent_lite.errors import SourceNotFoundError
from tangent_lite.functions.called_with_args import OTHERS, given_by_itself, may_change
from tangent_lite.heap.memory import Cell, Parts
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, varies
from tangent_lite.runtime.tangents import attributes
from tangent_lite.source import Source, beside, source_of

_made: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()

# A name of a parameter, its value, and the container and slot that its adjoint goes to.
Bound = tuple[str, Any, Any, Any]


def with_arguments(tape: Any, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) \
        -> tuple[Any, tuple[Any, ...], dict[str, Any], Any] | None:
    """The call with what varies in the function as arguments, and what takes its pullback to one
    of the call as it was; None where nothing does, or it cannot be written so."""
    parameters = list(inspect.signature(function).parameters)
    spot, first = parameters.index("args"), parameters[0]
    fun = args[0] if args else keywords.get(first)
    place = spot if spot < len(args) else "args"
    given = args[spot] if spot < len(args) else keywords.get("args", ())
    if not isinstance(given, tuple) or any(
            keywords.get(name) is not None for name in OTHERS) or any(
            callable(one) for one in args[1:]):
        return None
    # So many arguments it gets: those of its own, and those behind them.
    made = _as_arguments(tape, fun, given_by_itself(function) + len(given))
    if made is None:
        return None
    inner, bound = made
    whole = (*given, *(value for _, value, _, _ in bound))
    new_args, named = list(args), dict(keywords)
    if args:
        new_args[0] = inner
    else:
        named[first] = inner
    if place == spot:
        new_args[spot] = whole
    else:
        named["args"] = whole
    operands = [*range(len(args)), *keywords]
    of_new = [*range(len(new_args)), *named]

    def turned(back: Back) -> Back:
        def through(adjoint: Any) -> Any:
            found = back(adjoint)
            if found is None:
                return None
            by_name = dict(zip(of_new, found))
            parts = by_name.pop(place, None) or {}
            for number, (_, _, container, key) in enumerate(bound, len(given)):
                if container is not None:
                    tape.adjoints.add_slot(container, key, parts.get(number))
            own = Parts({k: one for k, one in parts.items() if k < len(given)})
            return [own or None if name == place else by_name.get(name) for name in operands]
        return through
    return inner, tuple(new_args), named, turned


def _as_arguments(tape: Any, fun: Any, count: int) -> tuple[Any, list[Bound]] | None:
    """A function that takes as its last arguments all that may vary in another one, and these;
    count: so many it gets anyway."""
    bound: list[Bound] = []
    front = 0                                   # so many parameters are filled from the front
    while True:
        if isinstance(fun, functools.partial):
            fun = tape.heap.own(fun)
            names = _names(fun.func)
            if names is None:
                return None
            bound += [(names[front + k], value, fun, k) for k, value in enumerate(fun.args)]
            bound += [(name, value, fun, name) for name, value in fun.keywords.items()]
            front += len(fun.args)
            fun = fun.func
        elif isinstance(fun, types.MethodType) and isinstance(fun.__func__, types.FunctionType):
            names = _names(fun.__func__)
            if names is None:
                return None
            fun = tape.heap.own(fun)
            # The object comes in front of what a partial around the method fills.
            bound = [(names[0], fun.__self__, fun, "__self__"), *(
                (names[names.index(name) + 1] if type(key) is int else name, value, one, key)
                for name, value, one, key in bound)]
            fun = fun.__func__
        else:
            break
    if not isinstance(fun, types.FunctionType):
        return None
    names = _names(fun)
    if names is None:
        return None
    known = {name for name, *_ in bound}
    left = [name for name in names if name not in known]
    own = tape.heap.is_ours(fun)
    defaults = dict(zip(names[len(names) - len(fun.__defaults__ or ()):], fun.__defaults__ or ()))
    if not set(left[count:]) <= set(defaults):
        return None                             # which Python says better
    for name in left[count:]:
        bound.append((name, defaults[name], fun if own else None, name))
    captured = [(name, cell.cell_contents) for name, cell in zip(
        fun.__code__.co_freevars, fun.__closure__ or ()) if isinstance(cell.cell_contents, Cell)]
    moving = [(name, cell) for name, cell in captured if not callable(cell.value)]
    if not any(varies(cell.value) for _, cell in moving) and not any(
            varies(value) for _, value, _, _ in bound):
        return None
    source = _source_of(fun)
    if source is None:
        return None
    every = [*bound, *((name, cell.value, cell, "value") for name, cell in moving)]
    if may_change(source.tree, [name for name, *_ in every], lambda name: meaning(source, name)):
        return None
    parts: dict[str, list[Bound]] = {}
    for name, value, _, _ in every:
        if is_record(value) or isinstance(value, dict):
            found = _parts_read(source.tree, name, value, name in dict(moving))
            if found is None:
                return None
            parts[name] = found
    inner = _rewritten(fun, source, [name for name, *_ in bound], [name for name, _ in moving],
                       {name: [one[0] for one in found] for name, found in parts.items()})
    if inner is None:
        return None
    return inner, [one for given in every for one in parts.get(given[0], [given])]


def _source_of(fun: types.FunctionType) -> Source | None:
    try:
        return source_of(fun)
    except SourceNotFoundError:
        return None


def _part_of(node: gast.AST, name: str, is_captured: bool) -> tuple[str, Any] | None:
    """The attribute or key that an expression reads of what a name means: `m.k`, `p["k"]`."""
    if not isinstance(node, (gast.Attribute, gast.Subscript)):
        return None
    owner = node.value
    if is_captured:                             # a variable that several functions see
        if not isinstance(owner, gast.Attribute) or owner.attr != "value":
            return None
        owner = owner.value
    if not isinstance(owner, gast.Name) or owner.id != name or not isinstance(node.ctx, gast.Load):
        return None
    if isinstance(node, gast.Attribute):
        return ".", node.attr
    return ("[", node.slice.value) if isinstance(node.slice, gast.Constant) else None


def _parts_read(tree: gast.FunctionDef, name: str, value: Any,
                is_captured: bool) -> list[Bound] | None:
    """What a function reads of an object or a dict, if that is all that it does with it: a name for
    each part, the part, and where its adjoint goes."""
    found: dict[tuple[str, Any], Bound] = {}
    uses = 0
    for node in syntax.walk(tree):
        part = _part_of(node, name, is_captured)
        if part is not None:
            uses += 1
            kind, key = part
            held = attributes(value) if is_record(value) else value if isinstance(value, dict) \
                else {}
            if key not in held or (kind == ".") != is_record(value) \
                    or not isinstance(held[key], (float, complex, int, np.ndarray, np.generic)):
                return None
            found[part] = f"{name}_{key}", held[key], value, key
    mentioned = sum(isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Load)
                    for n in syntax.walk(tree))
    names = [one[0] for one in found.values()]
    taken = {n.id for n in syntax.walk(tree) if isinstance(n, gast.Name)}
    if mentioned != uses or len(set(names)) < len(names) \
            or not all(n.isidentifier() for n in names) or taken & {*names}:
        return None
    return list(found.values())


def _names(fun: Any) -> list[str] | None:
    """The parameters of a function, if they all go by position."""
    if isinstance(fun, types.MethodType):
        names = _names(fun.__func__)
        return names and names[1:]
    if not isinstance(fun, types.FunctionType):
        return None
    every = inspect.signature(fun).parameters.values()
    if any(one.kind is not one.POSITIONAL_OR_KEYWORD for one in every):
        return None
    return [one.name for one in every]


def _rewritten(fun: types.FunctionType, source: Source, last: list[str], captured: list[str],
               parts: dict[str, list[str]]) -> Any:
    """The function with some of its parameters at the end, and behind them variables that it
    captures; parts: what is read of those that are objects or dicts. It has no defaults any more.
    """
    key = (id(fun.__globals__), tuple(last), tuple(captured),
           tuple((n, tuple(p)) for n, p in parts.items()))
    known = _made.setdefault(fun.__code__, {})
    if key in known:
        return known[key]
    tree = source.tree
    every = {one.id: one for one in tree.args.args}
    if not set(last) <= set(every):
        return None
    written = {n.id for n in syntax.walk(tree) if isinstance(n, gast.Name)
               and not isinstance(n.ctx, (gast.Load, gast.Param))}
    if written & {*last, *captured} or any(isinstance(n, (gast.Nonlocal, gast.Global))
                                           for n in syntax.walk(tree)):
        return None
    behind = [part for name in (*last, *captured) for part in parts.get(name, [name])]
    tree.args.args = [*(one for name, one in every.items() if name not in last),
                      *(gast.Name(name, gast.Param(), None, None) for name in behind)]
    tree.args.defaults, tree.decorator_list = [], []
    tree = _Plain({name: name in captured for name in (*last, *captured)}, parts).visit(tree)
    cells = {name: cell for name, cell in zip(fun.__code__.co_freevars, fun.__closure__ or ())
             if name not in captured}
    made = beside(tree, source, cells)
    if not cells:
        known[key] = made
    return made


class _Plain(gast.NodeTransformer):
    """Variables that several functions see, `k.value`, and parts of objects and dicts, `m.k`, as
    parameters.

    names: of variables, and whether they are seen by several functions.
    """

    def __init__(self, names: dict[str, bool], parts: dict[str, list[str]]) -> None:
        self.names, self.parts = names, parts

    def visit_Attribute(self, node: gast.Attribute) -> Any:
        return self.visit_part(node)

    def visit_Subscript(self, node: gast.Subscript) -> Any:
        return self.visit_part(node)

    def visit_part(self, node: Any) -> Any:
        for name in self.parts:
            part = _part_of(node, name, self.names[name])
            if part is not None:
                return gast.copy_location(syntax.load(f"{name}_{part[1]}"), node)
        if isinstance(node, gast.Attribute) and node.attr == "value" \
                and isinstance(node.value, gast.Name) and self.names.get(node.value.id):
            return gast.copy_location(syntax.load(node.value.id), node)
        return self.generic_visit(node)


def call(tape: Any, function: Any, args: tuple[Any, ...], keywords: dict[str, Any],
         with_rule: Any) -> tuple[Any, Back | None]:
    """A call of what calls the function that it is given."""
    written = with_arguments(tape, function, args, keywords)
    if written is None:
        return with_rule(tape, function, args, keywords)
    _, new_args, named, turned = written
    value, back = with_rule(tape, function, new_args, named)
    return value, None if back is None else turned(back)


