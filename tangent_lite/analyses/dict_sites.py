"""Which dicts are one: kinds of dicts say where they were made, so that what changes one of them is
seen of all that may be it.

    h = g               h and g are of one site
    h["a"] = x          what is known of the keys of g has changed

A *site* is the statement that made a dict last; what it made before is of another one, as in
`points_to`: a dict that is made in an iteration is not that of the iteration before. The passes
take only dicts with one name, which is looked at once the keys are written out: by then what was
known of them has been acted upon, so it has to be right.
"""
from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.kinds import DictKind, Kind, ListKind, MapKind, OneOf, RecordKind, TupleKind
from tangent_lite.kinds.maps import with_names

Environment = dict[str, Kind]


def holds_dicts(kind: Any) -> bool:
    """Whether there are dicts in a kind, it itself included; found once for each."""
    if not isinstance(kind, _HOLDING):
        return False
    known = kind.__dict__.get("_holds_dicts")
    if known is None:
        known = isinstance(kind, (DictKind, MapKind)) or any(map(holds_dicts, kinds.parts(kind)))
        kind.__dict__["_holds_dicts"] = known
    return known


_HOLDING = (TupleKind, DictKind, RecordKind, ListKind, MapKind, OneOf)


def sites_in(kind: Any) -> frozenset[Any]:
    """The sites of the dicts in a kind, and what they begin with; found once for each."""
    if not holds_dicts(kind):
        return frozenset()
    known: frozenset[Any] | None = kind.__dict__.get("_sites_in")
    if known is None:
        known = _begun(getattr(kind, "sites", frozenset())).union(
            *map(sites_in, kinds.parts(kind)))
        kind.__dict__["_sites_in"] = known
    return known


@functools.lru_cache(maxsize=1024)
def _begun(sites: frozenset[Any]) -> frozenset[Any]:
    """Sites, and what they begin with: many dicts are of the same ones."""
    return sites.union([site[0] for site in sites])


def dicts_in(kind: Kind, make: Callable[[Any], Kind],
             sites: frozenset[Any] | None = None) -> Kind:
    """A kind with others in the place of those of the dicts in it, outermost last; sites: parts in
    which there is nothing of these (see `sites_in`) stay as they are, None: no part does."""
    if not holds_dicts(kind) or (sites is not None and sites.isdisjoint(sites_in(kind))):
        return kind
    if isinstance(kind, (TupleKind, DictKind, RecordKind, OneOf)):
        kind = kinds.with_parts(kind, [dicts_in(one, make, sites) for one in kinds.parts(kind)])
    elif isinstance(kind, (ListKind, MapKind)):
        kind = kinds.with_each_item(kind, lambda item: dicts_in(item, make, sites))
    return make(kind) if isinstance(kind, (DictKind, MapKind)) else kind


@dataclasses.dataclass(frozen=True)
class Mapped:
    """Dicts of which a computed key is read: their adjoints are dicts, in which it is looked up.
    Functions that are written out in loops or anywhere, since they read parts (see `parts_read`),
    and those that cannot be.

    That it is so is found out when all is written out, and has to be known from the first
    statement on: then everything is looked at once more. Parameters are known by sites, which are
    the same then, others by the names of the user.
    """
    sites: frozenset[Any] = frozenset()
    names: frozenset[str] = frozenset()
    versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    inside: frozenset[Any] = frozenset()
    anywhere: frozenset[Any] = frozenset()
    beside: frozenset[Any] = frozenset()

    def of_site(self, kind: DictKind | MapKind) -> Kind:
        """The kind of a dict that a parameter is, or holds."""
        return with_names(kind) if isinstance(kind, DictKind) \
            and not self.sites.isdisjoint(kind.sites) else kind

    def of_name(self, name: str, kind: Kind) -> Kind:
        """The kind of what a name is bound to."""
        return with_names(kind) if isinstance(kind, DictKind) \
            and self.versions.get(name, name) in self.names else kind

    def with_dict(self, kind: Any, environment: Environment) -> Mapped:
        """What counts where a dict of this kind does as well, by all of its names."""
        names = {self.versions.get(name, name) for name, other in environment.items()
                 if not kind.sites.isdisjoint(getattr(other, "sites", ()))}
        return dataclasses.replace(self, names=self.names | names, sites=self.sites | {
            site for site in kind.sites if site[0] == "given"})


def given(kind: Kind, name: str) -> Kind:
    """The kind of a parameter, each dict of a site of its own."""
    count = itertools.count()
    return dicts_in(kind, lambda one: dataclasses.replace(
        one, sites=frozenset([("given", name, next(count))])))


def placed(kind: Kind, node: gast.Assign, environment: Environment) -> Kind:
    """The kind of what a statement binds: dicts that it makes are of its site; what a call gives
    may be any of those that it was given, too."""
    more: set[Any] = set()

    def note(one: Any) -> Kind:
        more.update(one.sites)
        return one

    if isinstance(node.value, gast.Call):
        for name in syntax.read_names(node.value):
            dicts_in(environment.get(name, kinds.UNKNOWN), note)
    made = itertools.count()

    def at(one: Any) -> Kind:
        number = next(made)
        if one.sites and not more and not isinstance(node.value, gast.Call):
            return one
        return dataclasses.replace(one, sites=frozenset([(id(node), number), *more]))

    return dicts_in(kind, at)


def aged(node: gast.Assign, environment: Environment) -> None:
    """What a statement made before is older than what it makes now."""
    def older(one: Any) -> Kind:
        if id(node) not in _begun(one.sites):
            return one
        return dataclasses.replace(one, sites=frozenset(
            ("older", *site) if site[0] == id(node) else site for site in one.sites))

    _change(environment, frozenset([id(node)]), older)


def seen(changed: Kind, known: Kind, environment: Environment, but: Iterable[str]) -> None:
    """Let all that may be a dict know that it changed; changed: what it was or is, of which the
    sites are told; known: what is known of it now."""
    sites: frozenset[Any] = getattr(changed, "sites", frozenset())
    if not sites:
        return

    def now(one: Any) -> Kind:
        return one if sites.isdisjoint(one.sites) else kinds.join(one, known)

    _change(environment, sites, now, but)


def _change(environment: Environment, sites: frozenset[Any], make: Callable[[Any], Kind],
            but: Iterable[str] = ()) -> None:
    """Put others in the place of the kinds of dicts of some sites, wherever they are, but for what
    these names mean."""
    made: dict[int, tuple[Kind, Kind]] = {}         # many names mean the same
    for name, kind in environment.items():
        if not isinstance(kind, _HOLDING):
            continue
        known = made.get(id(kind))
        if known is None:
            known = made[id(kind)] = kind, dicts_in(kind, make, sites)
        if known[1] is not kind and name not in but:
            environment[name] = known[1]
