"""Memory that several hold: refused where derivatives would be wrong, copied where it must last."""
from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from tangent_lite import trees
from tangent_lite.calling.depth import room
from tangent_lite.calling.keys import PLAIN
from tangent_lite.calling.parts_held import containers_in, is_data, own_dict
from tangent_lite.calling.resolve import MISSING, STABLE_PACKAGES, Cell, Resolver
from tangent_lite.errors import AliasError
from tangent_lite.modules import LIBRARIES, is_of_others, package_of
from tangent_lite.records import with_parts
from tangent_lite.runtime import copy_as_it_lies
from tangent_lite.runtime.tangents import attributes
from tangent_lite.source import uncompiled


def check_copies(function: str, name: str, value: Any) -> None:
    """AliasError if what a parameter is given changes, and something in it would not be copied as
    what it is: a list or a dict of a class of the user's."""
    for one in containers_in(value):
        if isinstance(one, (list, dict)) and package_of(type(one)) not in LIBRARIES:
            raise AliasError(f"{function} changes {name}, of which a {type(one).__name__} would "
                             "not be copied as one", None,
                             f"use a {'list' if isinstance(one, list) else 'dict'}")


class Sharing:
    """What a function writes into, and what else may be the same memory.

    What is written to is copied on entry, each name by itself; what is read under another name (of
    an argument, of a global, in a helper) would stay what it was. called: the sources of the
    functions that are called as such; changed: the parameters whose dicts, lists and objects
    change, which others may hold as well: a change of one is a new value of one variable; single:
    those of them that hold one such thing, while no other parameter holds any; inner: the same of
    what is differentiated, where that is a derivative, which makes the copies then; in_place: those
    of the changed ones in which an array changes, which becomes another one there, and the keys and
    attributes that lead to such; None: any.
    """

    def __init__(self, function: str, parameters: Sequence[str], written: Sequence[str],
                 changed: Sequence[str], outside: Mapping[str, Set[Any] | None],
                 resolvers: Sequence[Resolver],
                 called: Sequence[Any], single: Sequence[str] = (),
                 inner: Sharing | None = None,
                 in_place: Mapping[str, Set[Any] | None] | None = None) -> None:
        self.function, self.parameters = function, list(parameters)
        self.written = [self.parameters.index(name) for name in written]
        self.in_place = {self.parameters.index(name): keys
                         for name, keys in (in_place or {}).items()}
        self.outside = dict(outside)
        # (number of the function, name, table) of the data that is read from outside.
        # A function that was written out where it is called reads the copies of the one around it.
        # Names come first: an attribute of a module or a class may be called like one.
        found = reversed(resolvers[0].lookups()) if resolvers else ()
        around = {name: table for table, name, _ in found}
        # What these read from outside is among the names.
        self.known = {id(resolver.source.function) for resolver in resolvers}
        self.read = [(number, name, table) for number, resolver in enumerate(resolvers)
                     for table, name, old in resolver.lookups() if self.may_hold(old)
                     and not (number and resolver.source not in called
                              and around.get(name) is table)] \
            if written or changed or outside or in_place else []
        # The object of a method, what a partial was given: it has a name of ours.
        ours = resolvers[0].injected if resolvers else {}
        self.read += [(0, name, ours) for name in outside if name in ours]
        others = any(not isinstance(table.get(name, None), np.ndarray)
                     for _, name, table in self.read)
        self.changed = [self.parameters.index(name) for name in changed
                        if others or name not in single]
        self.inner = inner if inner is not None and inner.is_needed else None
        self.is_needed: bool = bool(written or self.changed or outside or in_place or self.inner)

    def chain(self) -> Iterator[Sharing]:
        """This, and those of what is differentiated."""
        yield self
        if self.inner is not None:
            yield from self.inner.chain()

    def check(self, values: Sequence[Any]) -> None:
        """AliasError if something written shares memory with what has another name."""
        if self.inner is not None:
            self.inner.check(values)
        around = [(number, name, *self.held(table.get(name, None)))
                  for number, name, table in self.read]
        if self.changed and not self.written and not self.in_place and not self.outside \
                and self.changes_its_own(values, around):
            return
        given = [(name, *self.held(v)) for name, v in zip(self.parameters, values)]
        for spot, keys in self.in_place.items():
            found = [*arrays_at(values[spot], keys)]
            if any(_share([one], [other for k, (other, _) in enumerate(found) if k != number])
                   for number, (one, changes) in enumerate(found) if changes):
                raise AliasError(f"{self.function} changes an array of {self.parameters[spot]}, "
                                 "of which another one is the same memory", None,
                                 "pass a copy: copy.deepcopy, or .copy() of one of them")
        for spot in (*self.written, *self.in_place):
            name, keys = self.parameters[spot], self.in_place.get(spot)
            arrays = [one for one, changes in arrays_at(values[spot], keys) if changes]
            for other, others, _ in given[:spot] + given[spot + 1:]:
                if _share(arrays, others):
                    raise self.refuse(name, other, f"{other}.copy()")
            for _, other, others, _ in around:
                if _share(arrays, others):
                    raise self.refuse(name, other, f"{name}.copy()")
        for spot in self.changed:
            mine = containers_in(values[spot])
            places = {one: name for k, (name, _, held) in enumerate(given) if k != spot
                      for one in held}
            for _, name, _, held in around:
                places.update(dict.fromkeys(held, name))
            for number, one in enumerate(mine):
                if id(one) in places:
                    raise self.changes(self.parameters[spot], f"is part of {places[id(one)]}, too")
                if any(one is other for other in mine[:number]):
                    raise self.changes(self.parameters[spot], "has two places there")
        for name in self.outside:
            self.check_outside(name, given, around)

    def changes_its_own(self, values: Sequence[Any],
                        around: list[tuple[int, str, list[np.ndarray], set[int]]]) -> bool:
        """Whether all dicts, lists and objects of what changes have one place: asked at each call,
        and mostly so."""
        for spot in self.changed:
            places = [*map(id, containers_in(values[spot]))]
            mine = {*places}
            if len(mine) < len(places) or any(held & mine for *_, held in around) or any(
                    self.held(value)[1] & mine for other, value in enumerate(values)
                    if other != spot and type(value) not in PLAIN
                    and not isinstance(value, np.ndarray)):
                return False
        return True

    def are_apart(self, values: Sequence[Any]) -> bool:
        """Whether nothing that is written shares memory with what has another name."""
        try:
            self.check(values)
        except AliasError:
            return False
        return True

    def check_outside(self, name: str, given: list[tuple[str, list[np.ndarray], set[int]]],
                      around: list[tuple[int, str, list[np.ndarray], set[int]]]) -> None:
        """AliasError if what lives outside, and is written to, has another name."""
        found = [one for number, n, table in self.read if (number, n) == (0, name)
                 for one in arrays_at(table.get(name, None), self.outside[name])]
        arrays = [one for one, changes in found if changes]
        parts = [id(one) for number, n, table in self.read if (number, n) == (0, name)
                 for one in containers_in(table.get(name, None))]
        own = {*parts}
        if len(own) < len(parts):
            raise self.changes(name, "has two places there")
        if any(_share([one], [other for k, (other, _) in enumerate(found) if k != number])
               for number, (one, changes) in enumerate(found) if changes):
            raise self.changes(name, "holds the memory of another one")
        for other, others, held in given:
            if _share(arrays, others) or own & held:
                raise self.refuse(name, other, f"{other}.copy()")
        for number, other, others, held in around:
            if (number, other) != (0, name) and (_share(arrays, others) or own & held):
                shared = "which a helper reads" if other == name else \
                    f"which shares memory with {other}"
                raise AliasError(f"{self.function} writes into {name}, {shared}", None,
                                 "pass the array as an argument")

    def may_hold(self, value: Any) -> bool:
        """Whether something that a name means may hold data: a function in its closure."""
        return value is not MISSING and (is_data(value) or (
            not isinstance(value, type) and bool(_held_by(value)) and id(value) not in self.known))

    def held(self, value: Any) -> tuple[list[np.ndarray], set[int]]:
        """Of data of any kind, which may refer to itself: the arrays, and the identities of the
        lists, dicts and objects; those that a function holds as well."""
        found: list[np.ndarray] = []
        seen: set[int] = set()
        classes: set[type] = set()              # of which all objects share what these hold
        todo = [value]
        while todo:
            one = todo.pop()
            if isinstance(one, np.ndarray):
                found.append(one)
            elif type(one) not in PLAIN and id(one) not in seen and id(one) not in self.known:
                seen.add(id(one))
                seen.update(map(id, own_dict(one)))
                if type(one) is not list or not PLAIN.issuperset(map(type, one)):
                    todo += _held_by(one, classes)
        return found, seen

    def changes(self, name: str, how: str) -> AliasError:
        return AliasError(f"{self.function} changes {name}, and a list, dict or object of it {how}",
                          None, "pass a copy: copy.deepcopy")

    def refuse(self, name: str, other: str, fix: str) -> AliasError:
        return AliasError(f"{self.function} writes into {name}, which shares memory with {other}",
                          None, f"pass a copy: {fix}")


NOTHING_SHARED = Sharing("", [], [], [], {}, [], [])


def detached(saved: Any, held: list[np.ndarray]) -> Any:
    """What a pullback keeps, apart from what others hold: they may change it before it is used."""
    def apart(array: np.ndarray) -> np.ndarray:
        shares = any(np.may_share_memory(array, other) for other in held)
        # ravel and reshape give views of the copy where they do of the array.
        return copy_as_it_lies(array) if shares else array

    return rebuilt(saved, apart)


def rebuilt(saved: Any, of_array: Callable[[np.ndarray], Any]) -> Any:
    """The same structure, in lists, dicts and objects of its own, with what of_array makes of its
    arrays."""
    known: dict[int, Any] = {}

    def visit(tree: Any) -> Any:
        if type(tree) in PLAIN:
            return tree
        if id(tree) in known:
            return known[id(tree)]
        made = tree
        if isinstance(tree, np.ndarray):
            made = of_array(tree)
        elif isinstance(tree, dict):
            made = trees.with_items(tree, {key: visit(part) for key, part in tree.items()})
        elif isinstance(tree, (tuple, list)):
            parts = [visit(part) for part in tree]
            made = with_parts(tree, parts)
        elif (dataclasses.is_dataclass(tree) and not isinstance(tree, type)) or (
                hasattr(tree, "__dict__") and trees.arrays_in(tree)):
            made = copy.copy(tree)
            for name, part in attributes(tree).items():
                object.__setattr__(made, name, visit(part))
        known[id(tree)] = made
        return made

    with room():                        # functions that call themselves keep what nests as deeply
        return visit(saved)


def arrays_at(value: Any, keys: Set[Any] | None) -> Iterator[tuple[np.ndarray, bool]]:
    """The arrays of a structure, and whether a key or an attribute of some leads right to them;
    None: any does.

    >>> [changes for _, changes in arrays_at({"w": np.ones(2), "x": [np.ones(3)]}, {"x"})]
    [False, True]
    """
    if keys is None:
        yield from ((one, True) for one in trees.arrays_in(value))
        return
    todo = [(value, True)]
    times: dict[int, int] = {}              # those of what is held by several are there twice
    while todo:
        one, changes = todo.pop()
        if isinstance(one, np.ndarray):
            yield one, changes
        elif isinstance(one, (list, tuple)):
            todo += [(part, changes or number in keys) for number, part in enumerate(one)][::-1]
        elif isinstance(one, dict) or trees.is_record(one) or dataclasses.is_dataclass(one):
            times[id(one)] = times.get(id(one), 0) + 1
            if times[id(one)] <= 2:
                parts = one if isinstance(one, dict) else attributes(one)
                todo += [(part, key in keys) for key, part in parts.items()][::-1]
        elif trees.arrays_in(one):
            yield from ((array, True) for array in trees.arrays_in(one))


def _share(some: list[np.ndarray], others: list[np.ndarray]) -> bool:
    return any(np.may_share_memory(a, b) and np.shares_memory(a, b) for a in some for b in others)


def _held_by(value: Any, classes: set[type] | None = None) -> Iterable[Any]:
    """What a container, an object, a class, a function or a module of the user's holds; classes:
    those that were asked already, by objects of theirs."""
    value = uncompiled(value)
    if isinstance(value, types.ModuleType):
        return () if is_of_others(value) else [
            one for name, one in vars(value).items() if not name.startswith("__")
            and (is_data(one) or isinstance(one, types.ModuleType))]
    if isinstance(value, types.BuiltinFunctionType):
        return ()
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, (tuple, list, set, frozenset, collections.deque)):
        return value
    if isinstance(value, types.MethodType):
        return (value.__self__, value.__func__)
    if isinstance(value, types.FunctionType):
        return _read_by(value)
    if isinstance(value, functools.partial):
        return (value.func, *value.args, *value.keywords.values())
    if isinstance(value, type):
        return [] if _is_of_library(value) else [
            part for name, part in vars(value).items() if not name.startswith("__")
            and is_data(part)]
    # Attributes that objects of a class share are read from the objects, too.
    found = [*attributes(value).values()]
    if classes is None or type(value) not in classes:
        found += [part for one in type(value).__mro__ for part in _held_by(one)]
        if classes is not None:
            classes.add(type(value))
    return found


def _read_by(function: types.FunctionType) -> list[Any]:
    """What a function that is met as data holds, or finds outside."""
    if _is_of_library(function):
        return []
    held = [Cell(cell).get("", None) for cell in function.__closure__ or ()]
    held += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return held + [function.__globals__[name] for name in function.__code__.co_names
                   if name in function.__globals__]


def _is_of_library(thing: Any) -> bool:
    return package_of(thing) in STABLE_PACKAGES
