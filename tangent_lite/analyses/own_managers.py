"""Context managers of the user that can be written out where they are entered and left.

    with halved(sim) as s:                  old = sim.dt
        x = s.step(x)                       sim.dt = old / 2
                                    =>      s = sim
                                            x = s.step(x)
                                            sim.dt = old

What they are made of is known to the last statement: a class with `__enter__` and `__exit__`, or a
generator of `contextlib.contextmanager` that yields once, whichever way it goes. They let
exceptions through and do not ask for them, so that leaving the block is one thing.
"""
from __future__ import annotations

import contextlib
import inspect
import types
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.managers import is_trusted
from tangent_lite.errors import TangentError
from tangent_lite.functions.yields import YIELDS
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.source import source_of
from tangent_lite.structures.lists import CHANGES

LATER: Any = object()

_NEW = inspect.getattr_static(object, "__new__")

# What sets something back, and does nothing that is seen outside of the program.
_SETTING = {"setattr", "delattr", "getattr", "hasattr", "len"}
_CHANGING = {*CHANGES, "update", "setdefault", "popitem"}


@dataclass(frozen=True)
class OwnManager:
    """function: the generator function that takes the place of what is called, of `receiver` first
    if that is an object; None where an object is entered, `LATER` for a method of an object that is
    not known yet. sets_back: whether leaving does no more than to bind attributes and items again.
    """
    function: Any
    receiver: gast.expr | None
    sets_back: bool


def own_manager(node: gast.expr, typer: Typer, tree: gast.AST) -> OwnManager | None:
    """How the manager that an expression gives can be written out, if it can; tree: the function in
    which it stands."""
    if isinstance(node, gast.Call):
        function, receiver = _called(node, typer, tree)
        if isinstance(function, type):
            return _of_class(function, typer)
        if function is NO_OBJECT and isinstance(node.func, gast.Attribute):
            return OwnManager(LATER, None, True)
        made = managing(function)
        return None if made is None else OwnManager(made, receiver, True)
    cls = _class_of(node, typer, tree)
    return None if cls is None else _of_class(cls, typer)


def managing(function: Any) -> Any:
    """The generator function that `contextlib.contextmanager` made a function of, if it can be
    written out; None if not."""
    made = getattr(function, "__wrapped__", None)
    if made is None or not inspect.isgeneratorfunction(made) \
            or function.__code__.co_filename != contextlib.__file__:
        return None
    return made if _yields_once(made) else None


def _called(node: gast.Call, typer: Typer, tree: gast.AST) -> tuple[Any, gast.expr | None]:
    """What a call calls, and of which object it is a method."""
    function, receiver = typer.callee(node)
    if function is NO_OBJECT and isinstance(node.func, gast.Attribute):
        cls = _class_of(node.func.value, typer, tree)
        found = inspect.getattr_static(cls, node.func.attr, None) if cls is not None else None
        if cls is not None and isinstance(found, types.FunctionType):
            typer.of_class(cls, node.func.attr)
            return found, node.func.value
    return function, receiver


def _class_of(node: gast.expr, typer: Typer, tree: gast.AST) -> type | None:
    """The class of an object: one that is given, or that a statement makes, under its only name."""
    if isinstance(node, gast.Name) and node.id not in typer.names:
        stores = [n for n in syntax.names_in(tree) if n.id == node.id
                  and not isinstance(n.ctx, gast.Load)]
        if stores:
            made: list[Any] = [n.value for n in syntax.walk(tree) if isinstance(n, gast.Assign)
                               and any(stores[0] is one for one in n.targets)]
            if len(stores) != 1 or not made or not isinstance(made[0], gast.Call):
                return None
            cls, _ = typer.callee(made[0])
            return cls if isinstance(cls, type) and type(cls) is type \
                and inspect.getattr_static(cls, "__new__") is _NEW else None
    kind = typer.kind(node)
    if isinstance(kind, (kinds.Other, kinds.RecordKind)):
        return kind.type
    return type(kind.object) if isinstance(kind, kinds.Known) else None


def _of_class(cls: type, typer: Typer) -> OwnManager | None:
    trees = []
    for name in ("__enter__", "__exit__"):
        function = inspect.getattr_static(cls, name, None)
        if not isinstance(function, types.FunctionType) or is_trusted(function):
            return None
        tree = _tree_of(function)
        if tree is None or syntax.all_of(tree, *YIELDS):
            return None
        typer.of_class(cls, name)
        trees.append(tree)
    last = trees[1]
    asked = set(syntax.parameter_names(last.args)[1:])
    if any(n.id in asked for node in last.body for n in syntax.names_in(node)) or any(
            one.value is not None and not (isinstance(one.value, gast.Constant)
                                           and not one.value.value)
            for one in syntax.all_of(last, gast.Return)):
        return None
    return OwnManager(None, None, sets_back(last.body))


def _yields_once(function: Any) -> bool:
    """Whether a generator yields once, in no branch, and handles no exception of the block."""
    tree = _tree_of(function)
    if tree is None or len(syntax.all_of(tree, *YIELDS)) != 1 or syntax.all_of(tree, gast.Return):
        return False
    block = tree.body
    while block:
        inner = next((n for n in block if syntax.all_of(n, *YIELDS)), None)
        if isinstance(inner, gast.Expr):
            return isinstance(inner.value, gast.Yield)
        if not isinstance(inner, (gast.With, gast.Try)) \
                or (isinstance(inner, gast.Try) and (inner.handlers or inner.orelse)):
            return False
        block = inner.body
    return False


def _tree_of(function: Any) -> gast.FunctionDef | None:
    """The text of a function of the user that binds nothing around it."""
    try:
        tree = source_of(function).tree
    except TangentError:
        return None
    return None if syntax.all_of(tree, gast.Global, gast.Nonlocal, gast.Await) else tree


def sets_back(block: list[gast.stmt]) -> bool:
    """Whether statements do no more than to bind names, attributes and items: nobody can tell
    whether they ran before an exception that nothing handles."""
    for node in block:
        if isinstance(node, gast.If):
            if not sets_back([*node.body, *node.orelse]):
                return False
        elif not isinstance(node, (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Delete,
                                   gast.Pass, gast.Expr, gast.Return)):
            return False
        head = node.test if isinstance(node, gast.If) else node
        for call in syntax.all_of(head, gast.Call):
            name = getattr(call.func, "id", None)
            if name not in _SETTING and getattr(call.func, "attr", None) not in _CHANGING:
                return False
    return True
