"""What the free names of a function mean, and whether they still mean it at the next call.

Names are live: a global, a closure cell or a helper that is bound anew means its new value at the
call. What a derivative was built on is therefore noted, and checked before each call.
"""
from __future__ import annotations

import builtins
import dataclasses
import enum
import inspect
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.calling.keys import PLAIN, key_of
from tangent_lite.calling.unchanged import Told, told_quickly
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import attribute_of, package_of
from tangent_lite.names import Names
from tangent_lite.source import Source, source_of
from tangent_lite.structures.bare_objects import slots_of

# Their functions are taken to stay what they are; those of the user's own modules may be replaced.
STABLE_PACKAGES = {"numpy", "scipy", "math", "cmath", "operator", "builtins", "functools",
                   "itertools", "tangent_lite"}
MISSING: Any = object()
# What members of an enum have that says nothing else.
_OF_MEMBERS = {"_value_", "_name_", "_sort_order_", "__objclass__"}
# By which an object is made, set and read.
_OF_MAKING = {"__init__", "__new__", "__post_init__", "__setattr__", "__getattribute__", "__iter__",
              "__getitem__", "__len__"}
MOST_TIMES_TOLD = 20        # how often it is written anew how to tell what globals hold
_TABLES: weakref.WeakKeyDictionary[type, Any] = weakref.WeakKeyDictionary()


def meaning(source: Source, name: str) -> Any:
    """What a name means where a function stands, at this moment; NO_OBJECT if it is not bound."""
    cell = source.cells.get(name)
    if cell is not None:
        try:
            return cell.cell_contents
        except ValueError:
            return NO_OBJECT
    if name in source.globals:
        return source.globals[name]
    return getattr(builtins, name, NO_OBJECT)


class Resolver:
    """Looks up the free names of one function and notes what was found."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.seen: dict[str, Any] = {}
        # Attributes of classes that were looked up: see Typer.of_class.
        self.asked: dict[tuple[type, str, type | None], None] = {}
        self.injected: dict[str, Any] = {}      # names of ours for what other functions read
        self.imported: list[tuple[Any, str, Any]] = []      # where an import in it found things
        # What answers rest on about functions that are called unseen: see `unseen.keeping`.
        self.unseen: list[tuple[Any, str, Any]] = []
        # Read before the passes change the tree.
        self._written = source.names
        self.variables = _variables(source)
        self._dotted = list(dict.fromkeys(_dotted_paths(source.tree)))

    def now(self, name: str) -> Any:
        """What a name means at this moment; NO_OBJECT if it is not bound."""
        if name in self.injected:
            return self.injected[name]
        return meaning(self.source, name)

    def free(self, name: str) -> Any:
        """The same, noted as something the derivative rests on."""
        if name in self.injected:
            return self.injected[name]
        if name in self.variables:
            return NO_OBJECT        # what has this name outside is another thing
        found = self.seen[name] = self.now(name)
        return found

    def inject(self, thing: Any, wish: str, names: Names) -> str:
        """A name for a thing that this function's surroundings have no name for."""
        return names.name_of(thing, wish if wish.isidentifier() else "function", self.injected)

    def imports(self, name: str, thing: Any, looked: list[tuple[Any, str, Any]]) -> None:
        """Note what an import in the function binds, and where that was found."""
        self.injected[name] = thing
        self.imported += looked

    def stand_inside(self, functions: Iterable[tuple[str, types.FunctionType]]) -> list[Resolver]:
        """Note functions beside this one that were written into it, by their names; what is to be
        noted of them as of all that are read."""
        self.seen.update(functions)
        return [Resolver(source_of(function)) for _, function in functions]

    def name_for(self, thing: Any, wish: str, names: Names, bound: set[str]) -> str:
        """The user's own name for a thing, if it is the wish, else one of ours: also of data, since
        other data that the user gives the name later is not what was meant here."""
        if wish in bound or not is_by_identity(thing) or self.now(wish) is not thing:
            return self.inject(thing, wish, names)
        self.free(wish)
        names.take([wish])
        return wish

    def lookups(self) -> list[tuple[Any, str, Any]]:
        """(table, name, what it meant) of all that was noted, attributes of modules and classes
        included."""
        found: list[tuple[Any, str, Any]] = []
        if str(self.source.globals.get("__name__")).startswith("tangent_lite.rules"):
            return found                # what is read is ours, and stays what it is
        for name, old in self.seen.items():
            cell = self.source.cells.get(name)
            if old is NO_OBJECT and name not in self._written:
                continue            # a name of ours, which means nothing to the user's module
            if cell is not None:
                found.append((Cell(cell), name, MISSING if old is NO_OBJECT else old))
            else:
                # A builtin, or nothing: it must not appear among the globals.
                found.append((self.source.globals, name, self.source.globals.get(name, MISSING)))
        asked = dict(self.asked)
        found += self.imported
        found += self.unseen
        for path in self._dotted:
            owner = self.seen.get(path[0], self.injected.get(path[0], NO_OBJECT))
            for attribute in path[1:]:
                if isinstance(owner, type):
                    asked[owner, attribute, None] = None
                    owner = inspect.getattr_static(owner, attribute, MISSING)
                    continue
                if not isinstance(owner, types.ModuleType) or is_stable(owner):
                    break
                table = vars(owner)
                owner = table.get(attribute, MISSING)
                found.append((table, attribute, owner))
        for thing in (*self.seen.values(), *self.injected.values()):
            if isinstance(thing, type):
                found += of_objects(thing)
        return found + [one for about in asked for one in in_classes(*about)]


def in_classes(cls: type, name: str, behind: type | None) -> list[tuple[Any, str, Any]]:
    """Where an attribute of a class is looked up: in the class, and in those behind it up to the
    one that has it."""
    found: list[tuple[Any, str, Any]] = []
    order = cls.__mro__
    if behind in order:
        order = order[order.index(behind) + 1:]
    for one in order:
        if package_of(one) in STABLE_PACKAGES:
            break
        table = _TABLES.setdefault(one, vars(one))      # a new object at each call of vars
        found.append((table, name, table.get(name, MISSING)))
        if name in vars(one):
            break
    return found


def of_objects(cls: type) -> list[tuple[Any, str, Any]]:
    """What it rests on that objects of a class hold what they are read for, and are made by naming
    that: of a named tuple, of a dataclass, and of a class with slots."""
    fields = getattr(cls, "_fields", None) if issubclass(cls, tuple) else slots_of(cls)
    if not fields and not dataclasses.is_dataclass(cls):
        return []
    mine = [one for one in cls.__mro__ if package_of(one) not in STABLE_PACKAGES]
    # A default is in the class, by the name of the field: a property may come in its place.
    kept = {*(fields or ()), *getattr(cls, "__dataclass_fields__", ()), *_OF_MAKING}
    there = {name for name in kept if any(name in vars(one) for one in mine)}
    return [*(one for name in sorted(there) for one in in_classes(cls, name, None)),
            *((Lacking(one, frozenset(kept - there)), "names", MISSING) for one in mine)]


class Watched:
    """What the code of a variant rests on, looked at before each call.

    classes: those of the objects among the arguments.
    """

    def __init__(self, resolvers: list[Resolver], classes: Iterable[type] = ()) -> None:
        unique: dict[tuple[int, str], tuple[Any, str, Any]] = {}
        lacked: dict[type, frozenset[str]] = {}
        for table, name, old in [*(one for resolver in resolvers for one in resolver.lookups()),
                                 *(one for cls in classes for one in of_objects(cls))]:
            if isinstance(table, Lacking):
                lacked[table.owner] = lacked.get(table.owner, frozenset()) | table.names
                continue
            unique.setdefault((table.id if isinstance(table, Cell) else id(table), name),
                              (table, name, old))
        # What an import in a function found is not looked up again where the derivative runs.
        self.imported = {(id(table), name) for resolver in resolvers
                         for table, name, _ in resolver.imported}
        # For most things it is enough that they are the same object as before.
        self.checks = [(table, name, old) for table, name, old in unique.values()]
        # (names, table) of classes that must not come to have these names: one look for each class.
        self.lacked = [(names, vars(owner)) for owner, names in lacked.items()]
        # Classes that inherit from others may be given other ones to inherit from.
        looked_at = {id(table) for table, _, _ in self.checks}
        self.orders = [(cls, cls.__mro__) for cls, table in _TABLES.items()
                       if cls.__bases__ != (object,) and (id(table) in looked_at or cls in lacked)]
        # The defaults of the functions that were read are written into the calls.
        read = dict.fromkeys(r.source.function for r in resolvers)
        # Functions may be given other code and stay the same objects: editors that reload modules
        # do that.
        self.codes = [(f, f.__code__) for f in read]
        self.defaults = [(f, f.__defaults__, f.__kwdefaults__)
                         for f in read if f.__defaults__ or f.__kwdefaults__]
        self.by_name = [(by_name, name, old) for _, _, by_name in self.defaults if by_name
                        for name, old in by_name.items()]
        # What can change inside and remain the same object: its kind is looked at as well.
        inside = [old for _, _, old in self.checks]
        # So are defaults, and what functions hold: the object of a method, arguments of a partial.
        inside += [thing for resolver in resolvers for thing in resolver.injected.values()]
        inside += [value for _, by_position, by_name in self.defaults
                   for value in (*(by_position or ()), *(by_name or {}).values())]
        self.changeable = [(thing, key_of(thing)) for thing in inside if not _is_fixed(thing)]
        self.left = MOST_TIMES_TOLD
        self.told = self._told()
        self.varies = False         # whether names have meant other data of the same kinds

    def holds(self) -> bool:
        """Whether all names mean what they meant, or other data of the same kinds."""
        for function, code in self.codes:
            if function.__code__ is not code:
                return False
        for function, defaults, by_name in self.defaults:
            if function.__defaults__ is not defaults or function.__kwdefaults__ is not by_name:
                return False
        for table, name, old in self.by_name:
            if table.get(name, MISSING) is not old:
                return False
        for names, lacking in self.lacked:
            if not names.isdisjoint(lacking):
                return False
        for cls, order in self.orders:
            if cls.__mro__ is not order:
                return False
        for table, name, old in self.checks:
            if table.get(name, MISSING) is not old:
                return self._holds_for_others()
        return not self.changeable or self.hold_what_they_held()

    def hold_what_they_held(self) -> bool:
        """Whether what can change inside is of the kinds that it was."""
        return (self.told is not None and self.told.same()) or self._looked_at_anew()

    def _looked_at_anew(self) -> bool:
        if not all(key_of(thing) == key for thing, key in self.changeable):
            return False
        if self.left:                   # else what they hold is replaced all the time
            self.left -= 1
            self.told = self._told()
        return True

    def forget_what_is_told(self) -> None:
        """Let what can change inside be looked at anew: it is other things."""
        self.left, self.told, self.varies = MOST_TIMES_TOLD, None, False

    def _told(self) -> Told | None:
        """What tells whether what can change inside holds what it does by now; it may say no where
        that is of the same kinds."""
        return told_quickly((thing for thing, _ in self.changeable), _is_fixed) \
            if self.left else None

    def _holds_for_others(self) -> bool:
        checks = []
        for table, name, old in self.checks:
            found = table.get(name, MISSING)
            if found is not old and (is_by_identity(old) or is_by_identity(found)
                                     or (id(table), name) in self.imported
                                     or key_of(found) != key_of(old)):
                return False
            checks.append((table, name, found))
        known = {id(thing): key for thing, key in self.changeable}
        changeable = [(new, known.get(id(old)) or key_of(old))
                      for (_, _, new), (_, _, old) in zip(checks, self.checks)
                      if not _is_fixed(new)]
        if any(key_of(thing) != key for thing, key in changeable):
            return False
        self.checks, self.changeable, self.varies = checks, changeable, True
        self.told = None                    # told anew once names mean the same from call to call
        return True


class Cell:
    """A closure cell, looked up like a dict."""
    __slots__ = ("cell", "id")

    def __init__(self, cell: types.CellType) -> None:
        self.cell = cell
        self.id = id(cell)

    def get(self, name: str, default: Any) -> Any:
        try:
            return self.cell.cell_contents
        except ValueError:
            return default


class Lacking:
    """Names that a class does not have, looked up like a dict: it may come to have one."""

    def __init__(self, cls: type, names: frozenset[str]) -> None:
        self.owner, self.table = cls, vars(cls)     # while it lives no other has its id
        self.names = names - self.table.keys()

    def get(self, name: str, default: Any) -> Any:
        return default if self.names.isdisjoint(self.table) else Lacking


def _variables(source: Source) -> set[str]:
    """The names that mean variables everywhere in a function: not those of comprehensions, which
    have their names to themselves."""
    code = source.function.__code__
    if not source.has(gast.comprehension):
        return {*code.co_varnames, *code.co_cellvars}
    return {*code.co_varnames, *code.co_cellvars}.difference(
        *(syntax.bound_names(one.target) for one in syntax.all_of(source.tree, gast.comprehension)))


def _dotted_paths(tree: gast.AST) -> list[tuple[str, ...]]:
    """All `a.b.c` of a function, as tuples."""
    found = []
    for node in syntax.all_of(tree, gast.Attribute):
        path: list[str] = []
        while isinstance(node, gast.Attribute):
            path.append(node.attr)
            node = node.value
        if isinstance(node, gast.Name):
            found.append((node.id, *reversed(path)))
    return found


def is_by_identity(value: Any) -> bool:
    """Modules, functions and classes count by identity, data by its kind."""
    return isinstance(value, (types.ModuleType, type)) or value is MISSING or (
        callable(value) and not isinstance(value, np.ndarray)) or hasattr(type(value), "__get__")


def _is_fixed(value: Any) -> bool:
    """Whether an object cannot come to be of another kind."""
    if type(value) in PLAIN or value is MISSING:
        return True
    if type(value) is tuple:
        return all(map(_is_fixed, value))
    if isinstance(value, np.ndarray):
        return False
    if isinstance(value, enum.Enum) and vars(value).keys() <= _OF_MEMBERS:
        return _is_fixed(value.value)           # a constant
    # The functions of NumPy that are no ufuncs are objects of a class of its own.
    return type(value).__module__ == "numpy" or hasattr(type(value), "__get__") or isinstance(
        value, (types.ModuleType, types.BuiltinFunctionType, type))


def is_stable(module: Any) -> bool:
    """Whether the attributes of a module are taken to stay what they are."""
    return isinstance(module, types.ModuleType) and \
        module.__name__.split(".")[0] in STABLE_PACKAGES


def meant(node: gast.AST, free: Callable[[str], Any]) -> Any:
    """The object that a name means, or a path of names through modules, `tl.grad`; None if none.
    free: what a name means at the start."""
    path: list[str] = []
    while isinstance(node, gast.Attribute):
        path.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name):
        return None
    found = free(node.id)
    for name in reversed(path):
        if not isinstance(found, types.ModuleType):
            return None
        found = attribute_of(found, name, None)
    return found
