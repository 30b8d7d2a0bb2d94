"""What a context manager does to the code in its block, as far as a derivative cares.

    "plain"         it leaves values alone, and lets exceptions through: a lock, a file, a timer
    "mirrored"      so does it, and the backward pass enters it, too: np.errstate(divide="ignore")
    "suppress"      contextlib.suppress: the block may be left halfway, and the function goes on
    None            not known, so refused

Managers of the standard library and of NumPy are known by where they come from. Those of the user
are read: their code must bind nothing outside, write to nothing but `self`, call nothing that may,
and hide no exception. So what the backward pass finds is what the forward pass found.
"""
from __future__ import annotations

import ast
import builtins
import contextlib
import inspect
import sys
import textwrap
import types
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.modules import module_of

MIRRORED = (np.errstate,)
# They change what code in the block reads, or hide its exceptions.
NOT_TRUSTED = ("unittest", "test", "numpy.testing", "doctest", "pdb", "bdb")
OPAQUE = (contextlib.ExitStack, contextlib.AsyncExitStack)
CHANGING = {"setattr", "delattr", "exec", "eval", "globals", "vars", "locals", "__import__"}
WRITERS = (np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.random.shuffle)
DEPTH = 4

UNKNOWN_MANAGER = ("what this context manager changes, or whether it hides exceptions, is not "
                   "known", "enter it around the call of the derivative")
METHODS = ("__init__", "__new__", "__enter__", "__exit__")


def manager(node: gast.expr, typer: Typer, tree: gast.AST) -> str | None:
    """What the manager that an expression gives does; tree: the function in which it stands."""
    if isinstance(node, gast.Name) and node.id not in typer.names:
        bound = [n.value for n in syntax.walk(tree) if isinstance(n, gast.Assign)
                 for t in n.targets if node.id in syntax.bound_names(t)]
        stores = [n for n in syntax.walk(tree) if isinstance(n, gast.Name) and n.id == node.id
                  and not isinstance(n.ctx, gast.Load)]
        if stores:
            if len(bound) == len(stores) == 1 and isinstance(bound[0], gast.Call):
                found = manager(bound[0], typer, tree)
                return "plain" if found == "mirrored" else found
            return None
    if isinstance(node, gast.Call):
        function, _ = typer.callee(node)
        if function is NO_OBJECT:
            return None
        if function is contextlib.suppress:
            return None if node.keywords else "suppress"
        if function in MIRRORED:
            literal = all(isinstance(a, gast.Constant)
                          for a in (*node.args, *(k.value for k in node.keywords)))
            return "mirrored" if literal else "plain"
        names = syntax.all_names(tree)
        if isinstance(function, type):
            _noted(function, typer)
        return "plain" if _made_is_quiet(function, names, DEPTH) else None
    kind = typer.kind(node)
    if isinstance(kind, (kinds.Other, kinds.RecordKind)):
        cls = kind.type
    elif isinstance(kind, kinds.Known):
        cls = type(kind.object)
    else:
        return None
    quiet = _is_quiet(_noted(cls, typer), False, syntax.all_names(tree), DEPTH)
    return "plain" if quiet else None


def _noted(cls: type, typer: Typer) -> type:
    """The class, where what it does is looked up again before the next call."""
    for name in METHODS:
        typer.of_class(cls, name)
    return cls


def _made_is_quiet(function: Any, names: set[str], depth: int) -> bool:
    """Whether what a call gives is a manager that leaves the values of a function alone."""
    if not depth:
        return False
    if isinstance(function, type):
        return _is_quiet(function, True, names, depth)
    if is_trusted(function):
        return True
    made = getattr(function, "__wrapped__", None)
    if made is not None and inspect.isgeneratorfunction(made) \
            and function.__code__.co_filename == contextlib.__file__:
        return _Reader(made, names, None, depth).is_quiet()
    return False


def _is_quiet(cls: type, fresh: bool, names: set[str], depth: int) -> bool:
    """The same of an instance of a class; fresh: nobody else knows it."""
    if issubclass(cls, OPAQUE) or issubclass(cls, contextlib.suppress):
        return False
    if is_trusted(cls):
        return True
    for name in METHODS:
        function = inspect.getattr_static(cls, name, None)
        if function is None:
            return False
        if isinstance(function, staticmethod):
            function = function.__func__
        if not isinstance(function, types.FunctionType):
            owner = next(c for c in cls.__mro__ if name in vars(c))
            if owner is not object and not is_trusted(owner):
                return False
            continue
        given = next(iter(inspect.signature(function).parameters), None)
        own = given if fresh or name in ("__init__", "__new__") else None
        reader = _Reader(function, names, own, depth)
        reader.made = _made_by(cls)
        if not reader.is_quiet() or (name == "__exit__" and reader.gives_something()):
            return False
    return True


def _made_by(cls: type) -> set[str]:
    """Attributes that the methods of a class bind to what they make themselves, and nothing else.
    """
    made: set[str] = set()
    others: set[str] = set()
    for function in vars(cls).values():
        if not isinstance(function, types.FunctionType):
            continue
        reader = _Reader(function, set(), None, 0)
        for node in ast.walk(reader.tree) if reader.tree is not None else ():
            if isinstance(node, ast.Assign):
                fresh = isinstance(node.value, (ast.Constant, ast.List, ast.Dict, ast.BinOp)) or (
                    isinstance(node.value, ast.Call)
                    and is_trusted(reader.object_of(node.value.func)))
                targets = {t.attr for t in node.targets if isinstance(t, ast.Attribute)}
                (made if fresh else others).update(targets)
            elif isinstance(node, (ast.AnnAssign, ast.For, ast.With, ast.NamedExpr)):
                others.update(n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)
                              and isinstance(n.ctx, ast.Store))
    return made - others


def is_trusted(thing: Any) -> bool:
    """Whether something is of the standard library, or of NumPy."""
    module = module_of(thing) or module_of(type(thing))
    if any(module == m or module.startswith(m + ".") for m in NOT_TRUSTED):
        return False
    root = module.split(".")[0]
    return (root in sys.stdlib_module_names and root != "__main__") or root in ("numpy", "scipy")


class _Reader:
    """Reads a function of the user; own: its name for an object that is nobody else's."""

    def __init__(self, function: types.FunctionType, names: set[str], own: str | None,
                 depth: int) -> None:
        self.function, self.names, self.own, self.depth = function, names, own, depth
        self.tree: Any = None
        self.made: set[str] = set()         # attributes of its own object that nobody else holds
        with contextlib.suppress(OSError, TypeError, SyntaxError):
            text = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
            self.tree = ast.parse(text).body[0]
            bound = inspect.getclosurevars(inspect.unwrap(function))
            self.outside = {**bound.builtins, **bound.globals, **bound.nonlocals}

    def is_quiet(self) -> bool:
        if not isinstance(self.tree, ast.FunctionDef):
            return False
        return all(map(self.leaves_alone, (n for s in self.tree.body for n in ast.walk(s))))

    def gives_something(self) -> bool:
        """Whether it may return what is true."""
        return any(isinstance(n, ast.Return) and n.value is not None
                   and not (isinstance(n.value, ast.Constant) and not n.value.value)
                   for n in ast.walk(self.tree))

    def leaves_alone(self, node: ast.AST) -> bool:
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.FunctionDef, ast.ClassDef, ast.Lambda,
                             ast.Import, ast.ImportFrom, ast.AsyncWith, ast.YieldFrom)):
            return False
        if isinstance(node, (ast.Attribute, ast.Subscript)) \
                and not isinstance(node.ctx, ast.Load):
            return self.is_own(node)
        if isinstance(node, ast.Call):
            return self.calls_quietly(node)
        if isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Name):
            return self.is_own(node.target, inside=True)
        if isinstance(node, ast.Try):
            yields = any(isinstance(n, ast.Yield) for s in node.body for n in ast.walk(s))
            if yields and any(not isinstance(h.body[-1], ast.Raise) for h in node.handlers):
                return False
            return not any(isinstance(n, ast.Return) for s in node.finalbody for n in ast.walk(s))
        if isinstance(node, ast.With):
            return all(isinstance(i.context_expr, ast.Call) and self.makes_quiet(i.context_expr)
                       for i in node.items)
        return True

    def is_own(self, node: ast.AST, inside: bool = False) -> bool:
        """Whether to bind something, or to change what is in it, changes what nobody else holds."""
        if self.own is None or not isinstance(node, (ast.Attribute, ast.Subscript)):
            return False
        while isinstance(node, ast.Subscript):
            node, inside = node.value, True
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) \
            and node.value.id == self.own and (not inside or node.attr in self.made)

    def makes_quiet(self, node: ast.Call) -> bool:
        found = self.object_of(node.func)
        return found is not NO_OBJECT and found is not contextlib.suppress \
            and _made_is_quiet(found, self.names, self.depth - 1)

    def calls_quietly(self, node: ast.Call) -> bool:
        found = self.object_of(node.func)
        if found is not NO_OBJECT:
            if getattr(found, "__name__", "") in CHANGING and \
                    found is getattr(builtins, found.__name__, None):
                return False
            if is_trusted(found):
                return found not in WRITERS and not any(k.arg == "out" for k in node.keywords)
            if isinstance(found, types.MethodType) or not isinstance(found, types.FunctionType):
                return isinstance(found, type) and _made_is_quiet(found, self.names,
                                                                  self.depth - 1)
            return self.depth > 0 and _Reader(found, self.names, None, self.depth - 1).is_quiet()
        if isinstance(node.func, ast.Attribute):
            root = _root(node.func)
            if root is not None and root == self.own:
                return isinstance(node.func.value, ast.Attribute) \
                    and self.is_own(node.func.value, inside=True)           # self.times.append(now)
            if root in self.outside and root not in self.names:
                owner = self.object_of(node.func.value)
                # Nothing that the differentiated function knows by this name.
                return owner is not NO_OBJECT and is_trusted(type(owner))
        return False

    def object_of(self, node: ast.AST) -> Any:
        """What a name, or an attribute of a module, means."""
        if isinstance(node, ast.Name):
            return self.outside.get(node.id, NO_OBJECT)
        if isinstance(node, ast.Attribute):
            owner = self.object_of(node.value)
            if isinstance(owner, (types.ModuleType, type)):
                return getattr(owner, node.attr, NO_OBJECT)
        return NO_OBJECT


def _name(node: ast.AST) -> ast.AST:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node


def _root(node: ast.AST) -> str | None:
    node = _name(node)
    return node.id if isinstance(node, ast.Name) else None
