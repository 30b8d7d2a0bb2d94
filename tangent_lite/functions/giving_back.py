"""A function that calls itself and writes into arrays, lists or dicts it is given, as one that
returns them.

    def cycle(u, f):                        def cycle(u, f):
        u[0] = f[0]                             u = u.copy()
        if len(u) > 3:              =>          u[0] = f[0]
            cycle(coarse, rest)                 if len(u) > 3:
                                                    coarse[...] = cycle(coarse, rest)
                                                return u

A helper that writes into its arguments is written out where it is called, which has no end where it
calls itself. The twin changes nothing that it is given, so it is called as a pair, and who calls it
writes what it returns into the array (`expansion/handing_back`). In forward mode, and where Numba
compiles it, there are as many copies as arrays that the function is called with, and a backward
half runs again what it calls. Else the two halves of a pair work in the array of their caller
(`functions/in_place`): they are made of the twin that returns its value alone. Lists and dicts of
numbers, which may come to hold more meanwhile, are handed on only so.
"""
from __future__ import annotations

import types
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.errors import SourceNotFoundError
from tangent_lite.source import beside, source_of

# What a call has as its value: nothing, the array that is written into, or something else.
NOTHING, ARRAY, VALUE = "nothing", "array", "value"

_twins: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()


@dataclass(eq=False, repr=False)
class GivenBack:
    """What a twin returns: the value, unless it has none or is the first of the arrays; and the
    arrays, by the names of their parameters.

    The copy of an array is apart from all else that the twin is given, so the array itself has to
    be: the attributes are those of `Sharing`, by which `analyses/handed_on` looks at the call.
    """
    function: str
    parameters: list[str]
    names: tuple[str, ...]
    value: str
    is_needed: bool = True
    changed: tuple[int, ...] = ()
    in_place: tuple[int, ...] = ()
    outside: tuple[str, ...] = ()
    read: tuple[Any, ...] = ((0, "what it reads outside", None),)

    @property
    def written(self) -> list[int]:
        return [self.parameters.index(name) for name in self.names]

    def chain(self) -> Iterator[GivenBack]:
        yield self


def giving_back(function: types.FunctionType, names: tuple[str, ...]) -> types.FunctionType | None:
    """The twin of a function that returns what it is given under these names, which carries what it
    returns as `sharing`; None if there is none."""
    return _known(function, names, True)


def without_arrays(twin: Any) -> types.FunctionType | None:
    """The twin that returns its value alone, which has `changes` for the names of the arrays: what
    it makes of its copies is found in these."""
    return _known(twin.twin_of, twin.sharing.names, False)


def _known(function: types.FunctionType, names: tuple[str, ...],
           with_arrays: bool) -> types.FunctionType | None:
    known = _twins.setdefault(function, {})
    key = function.__code__, names, with_arrays
    if key not in known:
        known[key] = _twin(function, names, with_arrays)
    twin: types.FunctionType | None = known[key]
    if twin is not None:
        twin.__defaults__, twin.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return twin


def handed_on_whole(function: types.FunctionType, called: set[str]) -> frozenset[str]:
    """The parameters that a function hands on as it was given them, to functions with some names,
    and binds to nothing else."""
    try:
        tree = source_of(function).tree
    except SourceNotFoundError:
        return frozenset()
    found: set[str] = set()
    for node in gast.walk(tree):
        if isinstance(node, gast.Call) and getattr(
                node.func, "id", getattr(node.func, "attr", None)) in called:
            found |= {one.id for one in (*node.args, *(k.value for k in node.keywords))
                      if isinstance(one, gast.Name)}
    if not found:
        return frozenset()
    bound = {node.id for node in gast.walk(tree)
             if isinstance(node, gast.Name) and isinstance(node.ctx, (gast.Store, gast.Del))}
    for node in gast.walk(tree):
        if isinstance(node, (gast.FunctionDef, gast.Lambda)) and node is not tree:
            bound |= syntax.all_names(node)
    return frozenset(found - bound)


def _twin(function: types.FunctionType, names: tuple[str, ...],
          with_arrays: bool) -> types.FunctionType | None:
    try:
        source = source_of(function)
    except SourceNotFoundError:
        return None
    tree = source.tree
    value = _value(tree, names)
    if value is None or tree.args.vararg is not None or tree.args.kwarg is not None:
        return None
    given = [syntax.load(name) for name in names]

    def returned(node: gast.stmt, own: gast.expr | None) -> gast.stmt:
        if not with_arrays:
            return syntax.placed(gast.Return(own if value is VALUE else None), node)
        parts = [own or gast.Constant(None, None), *given] if value is VALUE else given
        made = parts[0] if len(parts) == 1 else syntax.tuple_of(parts)
        return syntax.placed(gast.Return(syntax.copy(made)), node)

    for block in syntax.blocks_in(tree.body):
        for spot, node in enumerate(block):
            if isinstance(node, gast.Return):
                block[spot] = returned(node, node.value)
    first, last = tree.body[0], tree.body[-1]
    if not _leaves([last]):
        tree.body.append(returned(last, None))
    copies = [syntax.placed(syntax.assign(name, syntax.method(syntax.load(name), "copy")), first)
              for name in names]
    for node in copies:
        node.value.is_of_twin = True
    tree.body[:0] = copies
    defaults, tree.args.defaults = tree.args.defaults, []
    only, tree.args.kw_defaults = tree.args.kw_defaults, [None] * len(tree.args.kwonlyargs)
    name, tree.name = tree.name, f"{tree.name}_"        # what it calls by its name is another one
    made: types.FunctionType = beside(tree, source, {})
    tree.args.defaults, tree.args.kw_defaults, tree.name = defaults, only, name
    made.__name__, made.__qualname__ = function.__name__, function.__qualname__
    made.lifted_source = replace(                           # type: ignore[attr-defined]
        made.lifted_source, name=name, qualname=source.qualname)    # type: ignore[attr-defined]
    made.twin_of = function                                 # type: ignore[attr-defined]
    if with_arrays:
        made.sharing = GivenBack(                           # type: ignore[attr-defined]
            function.__name__, syntax.parameter_names(tree.args), names, value)
    else:
        made.changes, made.has_value = names, value is VALUE    # type: ignore[attr-defined]
    return made


def _value(tree: gast.FunctionDef, names: tuple[str, ...]) -> str | None:
    """What a call has as its value; None if the function cannot be one that returns what it is
    given: a name means something else in it, or is known to a function inside."""
    if any(isinstance(node, (gast.FunctionDef, gast.Lambda, gast.Nonlocal, gast.Global, gast.Yield,
                             gast.YieldFrom, gast.Try)) and node is not tree
           for node in gast.walk(tree)):
        return None
    grows = {id(node.target) for node in gast.walk(tree) if isinstance(node, gast.AugAssign)}
    grows |= _made_where_none(tree, names)
    if any(node.id in names and id(node) not in grows for node in gast.walk(tree)
           if isinstance(node, gast.Name) and isinstance(node.ctx, (gast.Store, gast.Del))):
        return None
    returns = [node.value for node in gast.walk(tree) if isinstance(node, gast.Return)]
    if all(value is None or (isinstance(value, gast.Constant) and value.value is None)
           for value in returns):
        return NOTHING
    if all(isinstance(value, gast.Name) and value.id == names[0] for value in returns) \
            and _leaves(tree.body):
        return ARRAY
    return VALUE


def _made_where_none(tree: gast.FunctionDef, names: tuple[str, ...]) -> set[int]:
    """Where names are bound that are None: `if memo is None: memo = {}`, which is never reached
    with what a twin is given."""
    found: set[int] = set()
    for node in gast.walk(tree):
        test = getattr(node, "test", None)
        if isinstance(node, gast.If) and isinstance(test, gast.Compare) \
                and isinstance(test.left, gast.Name) and test.left.id in names \
                and isinstance(test.ops[0], gast.Is) and len(test.ops) == 1 \
                and isinstance(test.comparators[0], gast.Constant) \
                and test.comparators[0].value is None:
            found |= {id(one) for statement in node.body for one in gast.walk(statement)
                      if isinstance(one, gast.Name) and one.id == test.left.id}
    return found


def _leaves(block: list[gast.stmt]) -> bool:
    """Whether the end of a block is not reached."""
    last = block[-1]
    if isinstance(last, gast.If):
        return bool(last.orelse) and _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, (gast.Return, gast.Raise))
