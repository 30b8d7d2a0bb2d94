"""Containers by where they were made, and what they hold: one moment of a points-to analysis."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Site = tuple[Any, ...]
Sites = frozenset[Site]
Field = Any                     # the key or attribute of a part; None: any of them
NOTHING: Sites = frozenset()
MANY = 2                        # in more than one place, or in how many is not known


def place_of(site: Site) -> Site:
    """Where something was made, whenever that was."""
    return tuple(part for part in site if part != "older")


class State:
    """What the names mean at one place of the program.

    names: the sites of each; parts: what the containers hold; places: in how many places of
    containers what was made at a site may be (at most MANY).
    """

    def __init__(self) -> None:
        self.names: dict[str, Sites] = {}
        self.parts: dict[Site, dict[Field, Sites]] = {}
        self.places: dict[Site, int] = {}

    def copy(self) -> State:
        made = State()
        made.names = dict(self.names)
        made.parts = {site: dict(fields) for site, fields in self.parts.items()}
        made.places = dict(self.places)
        return made

    def join(self, other: State) -> bool:
        """Add what may be where another way leads here; whether that was anything."""
        changed = _added(self.names, other.names)
        for site, fields in other.parts.items():
            changed |= _added(self.parts.setdefault(site, {}), fields)
        for site, count in other.places.items():
            if count > self.places.get(site, -1):
                self.places[site] = count
                changed = True
        return changed

    # Containers -----------------------------------------------------------------------------------
    def make(self, site: Site) -> Site:
        self.parts[site], self.places[site] = {}, 0
        return site

    def age(self, site: Site, loops: int = 1) -> None:
        """What was made at a site is one of the older ones from now on: of those that were made
        before, in the iteration of the loop that this many loops around it make."""
        older = (*site, *["older"] * loops)
        young = {(*site, *["older"] * k) for k in range(loops)} & self.parts.keys()
        if not young:
            return

        def moved(sites: Sites) -> Sites:
            return sites if young.isdisjoint(sites) else (sites - young) | {older}

        aged = [self.parts.pop(one) for one in young]
        self.places[older] = max(self.places.get(older, 0), *map(self.places.pop, young))
        self.names = {name: moved(sites) for name, sites in self.names.items()}
        self.parts = {one: {field: moved(sites) for field, sites in known.items()}
                      for one, known in self.parts.items()}
        known = self.parts.setdefault(older, {})
        for fields in aged:
            for field, sites in fields.items():
                known[field] = known.get(field, NOTHING) | moved(sites)

    def put(self, owners: Iterable[Site], field: Field, sites: Sites, count: int = 1) -> None:
        if not sites:
            return
        for owner in owners:
            fields = self.parts.setdefault(owner, {})
            fields[field] = fields.get(field, NOTHING) | sites
        for site in sites if count else ():
            self.places[site] = min(MANY, self.places.get(site, 0) + count)

    def take(self, owners: Iterable[Site], field: Field = None) -> Sites:
        """What may be at a place of a container."""
        found: set[Site] = set()
        for owner in owners:
            fields = self.parts.get(owner, {})
            for key in fields if field is None else (field, None):
                found |= fields.get(key, NOTHING)
        return frozenset(found)

    def around(self, sites: Iterable[Site]) -> set[Site]:
        """These containers, and all that they are held by."""
        seen = set(sites)
        holders = [(owner, held) for owner, fields in self.parts.items() if fields
                   for held in fields.values()]
        grows = bool(seen)
        while grows:
            more = {owner for owner, held in holders if not held.isdisjoint(seen)}
            grows = not more <= seen
            seen |= more
        return seen

    def within(self, sites: Iterable[Site]) -> Sites:
        """These containers, and all that they hold."""
        seen = set(sites)
        todo = list(seen)
        while todo:
            for held in self.parts.get(todo.pop(), {}).values():
                todo += held - seen
                seen |= held
        return frozenset(seen)


def _added(mine: dict[Any, Sites], theirs: dict[Any, Sites]) -> bool:
    """Add sites to those that are known; whether any is new."""
    changed = False
    for key, sites in theirs.items():
        known = mine.get(key)
        if known is None or not sites <= known:
            mine[key] = sites | (known or NOTHING)
            changed = True
    return changed
