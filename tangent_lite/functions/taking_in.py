"""A function that calls itself and is handed functions, as one that has them inside.

    def tree_map(f, t):                             def tree_map(c, t):
        if isinstance(t, dict):                         f = lambda a: c * a
            return {k: tree_map(f, v)       =>          if isinstance(t, dict):
                    for k, v in t.items()}                  return {k: tree_map(c, v)
        return f(t)                                                 for k, v in t.items()}
                                                        return f(t)

A helper that is handed a function is written out where it is called, which has no end where it
calls itself. The twin is handed what the function reads around it, so it is called as a pair. It is
one for each text of the functions, and hands them on to itself as they are.
"""
from __future__ import annotations

import builtins
import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.emit import emit
from tangent_lite.errors import SourceNotFoundError
from tangent_lite.functions.local_functions import LocalFunction, RenameAll, is_whole
from tangent_lite.inference import NO_OBJECT
from tangent_lite.names import Names
from tangent_lite.source import Source, beside, source_of
from tangent_lite.source.variables import is_bound

_twins: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()


@dataclass
class TakenIn:
    """The twin, and what it is handed first: variables of the function around the call."""
    function: types.FunctionType
    first: list[str]


def taking_in(function: types.FunctionType, handed: dict[str, LocalFunction], own: set[str],
              meaning: Callable[[str], Any]) -> TakenIn | None:
    """The twin of a function that has inside what it is handed for these parameters; own: the
    variables of the function that hands it over; meaning: what a name means outside of that. None
    if there is none."""
    definitions = [_definition(name, local) for name, local in handed.items()]
    if None in definitions:
        return None
    texts = tuple(emit(one) for one in definitions)
    around: dict[str, None] = {}            # what they read around them
    outside: dict[str, Any] = {}            # functions and modules that they read outside
    for definition in definitions:
        for name in _read(definition):
            thing = NO_OBJECT if name in own else meaning(name)
            if thing is NO_OBJECT and name not in own:
                return None
            if thing is not NO_OBJECT and (callable(thing) or isinstance(thing, types.ModuleType)):
                outside[name] = thing
            else:
                around[name] = None
    known = _twins.setdefault(function, {})
    key = function.__code__, texts, tuple(around), tuple((n, id(t)) for n, t in outside.items())
    if key not in known:
        # The things stay alive with the key, which knows them by their ids.
        known[key] = _twin(function, list(handed), definitions, list(around), outside), outside
    twin: types.FunctionType | None = known[key][0]
    return None if twin is None else TakenIn(twin, list(around))


def _definition(name: str, local: LocalFunction) -> gast.FunctionDef | None:
    """A function that is handed over, as one that is defined under this name."""
    tree = syntax.copy(local.tree)
    if local.bound or local.tag is not None or local.function is not None \
            or any(isinstance(n, (gast.Yield, gast.YieldFrom, gast.Await, gast.Global,
                                  gast.Nonlocal, gast.FunctionDef)) for s in tree.body
                   for n in gast.walk(s)) \
            or not all(map(is_whole, syntax.all_of(tree, gast.Lambda))):
        return None
    arguments = tree.args
    arguments.defaults = [syntax.copy(local.defaults[p.id]) for p in (
        arguments.posonlyargs + arguments.args) if p.id in local.defaults]
    arguments.kw_defaults = [syntax.copy(local.defaults[p.id]) if p.id in local.defaults else None
                             for p in arguments.kwonlyargs]
    given = {p: local.keywords.get(p, p) for p in syntax.parameter_names(arguments)}
    if not syntax.all_names(tree).isdisjoint(set(given.values()) - given.keys()):
        return None                             # which is what closures renamed it for
    RenameAll(given).visit(tree)
    tree.name, tree.decorator_list = name, []
    for part in gast.walk(tree):
        if isinstance(part, (gast.stmt, gast.expr)) and not hasattr(part, "origin"):
            part.origin = local.origin
    return tree


def _read(definition: gast.FunctionDef) -> list[str]:
    """The names that a function reads and does not bind, those of its defaults included."""
    names = [n for n in gast.walk(definition) if isinstance(n, gast.Name)]
    own = {n.id for n in names if not isinstance(n.ctx, gast.Load)}
    defaults = {n for d in (*definition.args.defaults, *definition.args.kw_defaults)
                if d is not None for n in syntax.read_names(d)}
    return list(dict.fromkeys(n.id for n in names if n.id not in own or n.id in defaults))


def _twin(function: types.FunctionType, handed: list[str], definitions: list[gast.FunctionDef],
          around: list[str], outside: dict[str, Any]) -> types.FunctionType | None:
    try:
        source = source_of(function)
    except SourceNotFoundError:
        return None
    tree = source.tree
    names = Names(syntax.all_names(tree) | {n for d in definitions for n in syntax.all_names(d)})
    renamed = {name: names.fresh(name) for name in around}
    cells: dict[str, types.CellType] = {}
    for name, thing in outside.items():
        if _meant(name, tree, source) is not thing:
            renamed[name] = names.fresh(name)
            cells[renamed[name]] = types.CellType(thing)
    own_name = names.fresh(function.__name__)
    calls = _calls_of_itself(tree, function, source)
    if not calls or not _is_plain(tree, function, handed) \
            or not all(_hands_on(call, tree, handed) for call in calls):
        return None
    for call in calls:
        positions = [k for k, p in enumerate(syntax.parameter_names(tree.args)) if p in handed]
        call.args = [*(syntax.copy_place(syntax.load(renamed[n]), call) for n in around),
                     *(a for k, a in enumerate(call.args) if k not in positions)]
        call.keywords = [k for k in call.keywords if k.arg not in handed]
        call.func = syntax.copy_place(syntax.load(own_name), call.func)
    defaults = dict(zip(reversed(syntax.parameter_names(tree.args)),
                        reversed(function.__defaults__ or ())))
    tree.args.args = [*(gast.Name(renamed[n], gast.Param(), None, None) for n in around),
                      *(p for p in tree.args.args if p.id not in handed)]
    tree.args.defaults = []
    rename = RenameAll(renamed)
    tree.body[:0] = [rename.visit(definition) for definition in definitions]
    cells[own_name] = types.CellType()
    tree.name = own_name
    made: types.FunctionType = beside(tree, source, cells)
    cells[own_name].cell_contents = made
    made.__name__, made.__qualname__ = function.__name__, function.__qualname__
    made.__defaults__ = tuple(defaults[p] for p in syntax.parameter_names(tree.args)
                              if p in defaults)
    made.lifted_source = replace(                           # type: ignore[attr-defined]
        made.lifted_source, name=function.__name__,         # type: ignore[attr-defined]
        qualname=source.qualname)
    return made


def _meant(name: str, tree: gast.FunctionDef, source: Source) -> Any:
    """What a name means in a function that does not bind it."""
    if any(n.id == name and not isinstance(n.ctx, gast.Load) for n in syntax.names_in(tree)) \
            or name in source.cells:
        return NO_OBJECT
    return source.globals.get(name, getattr(builtins, name, NO_OBJECT))


def _calls_of_itself(tree: gast.FunctionDef, function: types.FunctionType,
                     source: Source) -> list[gast.Call]:
    """The calls by which a function calls itself, by a name that it has outside."""
    def meant(name: str) -> Any:
        cell = source.cells.get(name)
        if cell is None:
            return _meant(name, tree, source)
        return cell.cell_contents if is_bound(cell) else NO_OBJECT

    return [call for call in syntax.all_of(tree, gast.Call)
            if isinstance(call.func, gast.Name) and meant(call.func.id) is function]


def _is_plain(tree: gast.FunctionDef, function: types.FunctionType, handed: list[str]) -> bool:
    """Whether a function names its parameters, binds those that are handed over to nothing else,
    and has no functions inside, in which they could be something else."""
    arguments = tree.args
    bound = [n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)]
    return not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs
                or arguments.posonlyargs or tree.decorator_list
                or hasattr(function, "__wrapped__")) \
        and all(bound.count(name) == 1 for name in handed) \
        and not any(isinstance(n, (gast.FunctionDef, gast.Lambda, gast.Global, gast.Nonlocal,
                                   gast.Yield, gast.YieldFrom)) for s in tree.body
                    for n in gast.walk(s))


def _hands_on(call: gast.Call, tree: gast.FunctionDef, handed: list[str]) -> bool:
    """Whether a call of itself hands on each of the functions as what it is."""
    parameters = syntax.parameter_names(tree.args)
    if any(isinstance(a, gast.Starred) for a in call.args) or len(call.args) > len(parameters) \
            or any(k.arg is None for k in call.keywords):
        return False
    given = {**dict(zip(parameters, call.args)), **{k.arg: k.value for k in call.keywords}}
    return all(getattr(given.get(name), "id", None) == name for name in handed)
