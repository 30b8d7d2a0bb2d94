"""The code of a variant for another function of the same text: a lambda, or a function that stands
in another one, which is made anew each time that one is called.

    def step(c):
        return tl.grad(lambda v: v * v * c)(2.0)

Emitted functions have the closure cells of the user's function (see `compile`), and no text says
what is in them. So they are made once more with those of the other function, as Python itself makes
a function once more; whether the names in these cells mean what they meant, or other data of the
same kinds, is asked as at any call (see `calling/resolve`).
"""
from __future__ import annotations

import copy
import dataclasses
import types
from typing import Any

import numpy as np

from tangent_lite.calling.resolve import Cell, Resolver, Watched, is_by_identity
from tangent_lite.compile import MadeOf

_SIMPLE = (int, float, complex, str, bytes, type(None), type, types.ModuleType,
           types.BuiltinFunctionType, np.ndarray, np.generic, np.ufunc, np.dtype)


class NotMoved(Exception):
    """What the code brings along may know the variables of the function it was written for."""


class Moved:
    """What stands for the cells and functions around one function, around another of its code."""

    def __init__(self, cells: dict[int, types.CellType], functions: dict[int, Any],
                 user: tuple[Any, Any]) -> None:
        """user: the user's function and the other one, whose defaults count as arguments."""
        self.cells, self.functions, self.user = cells, functions, user
        self._made: dict[int, Any] = {}             # functions of ours, by the id of the old one
        self._new_cells: dict[int, types.CellType] = {}

    @property
    def is_none(self) -> bool:
        """Whether it is the same function."""
        return not self.cells

    # What the code rests on -------------------------------------------------------------------
    def source(self, source: Any) -> Any:
        known = self._made.get(id(source))
        if known is None:
            known = self._made[id(source)] = copy.copy(source)
            vars(known).update(                 # what is known of its text goes along
                function=self.functions.get(id(source.function), source.function),
                cells={name: self.cells.get(id(cell), cell)
                       for name, cell in source.cells.items()})
        return known

    def resolver(self, resolver: Resolver) -> Resolver:
        made = copy.copy(resolver)
        made.source = self.source(resolver.source)
        made.seen = {name: self.functions.get(id(thing), thing)
                     for name, thing in resolver.seen.items()}
        return made

    def derivative(self, derivative: Any) -> Any:
        units = {id(unit): dataclasses.replace(unit, source=self.source(unit.source))
                 for unit in derivative.units}
        for unit in units.values():
            unit.external = {name: units.get(id(thing), thing)
                             for name, thing in unit.external.items()}
            unit.forward = units.get(id(unit.forward), unit.forward)
        return dataclasses.replace(
            derivative, units=list(units.values()), main=units[id(derivative.main)],
            backward=None if derivative.backward is None else units[id(derivative.backward)],
            resolvers=[self.resolver(one) for one in derivative.resolvers])

    def watched(self, watched: Watched) -> Watched:
        made = copy.copy(watched)
        made.checks = [(Cell(self.cells[table.id]) if getattr(table, "id", None) in self.cells
                        else table, name, self.functions.get(id(old), old))
                       for table, name, old in watched.checks]
        made.codes = [(self.functions.get(id(f), f), code) for f, code in watched.codes]
        made.defaults = [(f, f.__defaults__, f.__kwdefaults__) for f in (
            self.functions.get(id(f), f) for f, _, _ in watched.defaults)]
        old, new = (f.__kwdefaults__ for f in self.user)
        made.by_name = [(new, name, new[name]) if table is old else (table, name, thing)
                        for table, name, thing in watched.by_name]
        made.changeable = [(self.functions.get(id(thing), thing), key)
                           for thing, key in watched.changeable]
        made.forget_what_is_told()
        return made

    def outside(self, outside: Any) -> Any:
        """Where arrays outside are looked up, whose sizes count."""
        if outside is None:
            return None
        made = copy.copy(outside)
        made.tables = {name: Cell(self.cells[table.id])
                       if getattr(table, "id", None) in self.cells else table
                       for name, table in outside.tables.items()}
        made.asked = made.tables
        return made

    # What runs --------------------------------------------------------------------------------
    def function(self, function: Any, resolvers: list[Resolver]) -> Any:
        """An emitted function with the other cells; NotMoved where it brings along what might
        know the old ones."""
        known = self._made.get(id(function))
        if known is not None:
            return known
        # A cell of ours is known before the function in it is made, which may call itself.
        cells = None if function.__closure__ is None else tuple(
            self.cell(cell, resolvers) for cell in function.__closure__)
        known = self._made.get(id(function))
        if known is not None:
            return known
        made = types.FunctionType(function.__code__, function.__globals__, function.__name__,
                                  self.defaults_of(function), cells)
        self._made[id(function)] = made
        known_by_name = self.user[1].__kwdefaults__ or {}
        made.__kwdefaults__ = function.__kwdefaults__ and {
            name: known_by_name.get(name, value) for name, value in function.__kwdefaults__.items()}
        made.__module__ = function.__module__
        vars(made).update(vars(function))
        if hasattr(function, "rests_on"):
            made.rests_on = resolvers                           # type: ignore[attr-defined]
        made_of = getattr(function, "made_of", None)
        if made_of is not None:
            # What no code reads, as a lambda that was only read, may know what it likes.
            run = function.__code__.co_freevars
            made.made_of = MadeOf(                              # type: ignore[attr-defined]
                made_of.definition, made_of.filename,
                {name: self.cell(cell, resolvers) for name, cell in made_of.known.items()
                 if name in run or id(cell) in self.cells})
        return made

    def defaults_of(self, function: Any) -> tuple[Any, ...] | None:
        """Those of an emitted function: of the user's own, and seeds."""
        defaults: tuple[Any, ...] | None = function.__defaults__
        old, new = (f.__defaults__ or () for f in self.user)
        is_like = defaults is not None and len(defaults) > len(old) \
            and all(one is other for one, other in zip(old, defaults))
        return (*new, *defaults[len(old):]) if is_like and defaults else defaults

    def cell(self, cell: types.CellType, resolvers: list[Resolver]) -> types.CellType:
        """What stands for a cell: that of the other function, one of its own for an emitted
        function, and itself for what is the same for both."""
        if id(cell) in self.cells:
            return self.cells[id(cell)]
        known = self._new_cells.get(id(cell))
        if known is None:
            try:
                held = cell.cell_contents
            except ValueError:
                return cell
            if not hasattr(held, "rests_on"):
                if not self.is_apart(held):
                    raise NotMoved
                return cell
            known = self._new_cells[id(cell)] = types.CellType()
            known.cell_contents = self.function(held, resolvers)
        return known

    def is_apart(self, thing: Any) -> bool:
        """Whether something surely does not know any of the old cells."""
        if isinstance(thing, types.FunctionType):
            return not thing.__closure__ and not thing.__dict__
        if isinstance(thing, tuple):
            return all(map(self.is_apart, thing))
        return isinstance(thing, _SIMPLE) or type(thing).__module__ == "numpy"


def paired(functions: list[tuple[types.FunctionType, types.FunctionType]]) -> Moved | None:
    """What of some functions stands for what of others, which have the same code: closure cells,
    and functions in them that are made along with them; None if they are not made alike.

    functions: what is read, and what it was derived of; of the last one the defaults are arguments.
    """
    cells: dict[int, types.CellType] = {}
    pairs: dict[int, Any] = {}
    last = functions[-1]
    todo = list(functions)
    while todo:
        one, other = todo.pop()
        if pairs.setdefault(id(one), other) is not other:
            return None
        if one is other:
            continue
        if one.__code__ is not other.__code__ or one.__globals__ is not other.__globals__ \
                or not ((_is_emitted(one) and _is_emitted(other))
                        or (_is_plain(one, last) and _is_plain(other, last))):
            return None
        for cell, its in zip(one.__closure__ or (), other.__closure__ or ()):
            if id(cell) in cells:
                if cells[id(cell)] is not its:
                    return None
                continue
            cells[id(cell)] = its
            try:
                held, its_held = cell.cell_contents, its.cell_contents
            except ValueError:
                continue
            if isinstance(held, types.FunctionType) and isinstance(its_held, types.FunctionType):
                todo.append((held, its_held))
            elif is_by_identity(held) and held is not its_held:
                return None
    if len({id(cell) for cell in cells.values()}) < len(cells):
        return None                     # two variables of the one are one of the other
    same = all(len(old) == len(new) for old, new in (
        [f.__defaults__ or () for f in last], [f.__kwdefaults__ or () for f in last]))
    return Moved(cells, pairs, last) if same else None


def _is_emitted(function: Any) -> bool:
    """Whether a function is one of a derivative."""
    return hasattr(function, "rests_on")


def _is_plain(function: Any, last: tuple[Any, Any]) -> bool:
    """Whether a function has nothing but its code and its closure: no attributes, and no defaults
    but those that count as arguments."""
    return not function.__dict__ and (
        function.__defaults__ is function.__kwdefaults__ is None
        or any(function is one for one in last))
