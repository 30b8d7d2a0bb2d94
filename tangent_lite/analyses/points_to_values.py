"""What the expressions of a function may mean among its lists, dicts and objects: for points_to.py.

A *site* stands for the container that a statement made last, another one for all that it made
before.
"""
from __future__ import annotations

import collections
import copy
import types
from collections.abc import Iterable
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.aliases import may_hold_buffer
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.one_name import never_changes
from tangent_lite.analyses.sites import MANY, NOTHING, Field, Site, Sites, State, place_of
from tangent_lite.analyses.views import may_share
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array
from tangent_lite.modules import is_one_of
from tangent_lite.runtime import copied_lists
from tangent_lite.runtime.objects import blank
from tangent_lite.structures.nested import is_swap, levels
from tangent_lite.structures.updates import fields_of_class

COPIES = (list, tuple, dict, set, frozenset, sorted, collections.deque, copy.copy)
ITERATORS = (enumerate, zip, reversed, iter)
PUTTING = {"append", "appendleft", "add", "insert"}
JOINING = {"extend", "extendleft", "update"}
TAKING = {"pop", "popleft", "popitem", "get", "setdefault", "__getitem__"}
LOOKING = {"values", "items", "keys"}
QUIET = {"sort", "reverse", "remove", "clear", "index", "count", "discard", "rotate"}


class Values:
    """Evaluates expressions over sites; what a statement makes is noted in `sites`, by its id."""

    def __init__(self, facts: Inferred, typer: Typer) -> None:
        self.facts, self.typer = facts, typer
        self.sites: dict[int, set[Site]] = {}       # what is made by a statement
        self.state = State()
        self.circular: set[Site] = set()            # where it is made what was put into itself

    # Kinds ----------------------------------------------------------------------------------------
    def is_container(self, name: str) -> bool:
        """Whether a name may mean something that can change, and is no array; or holds such."""
        kind = self.facts.names.get(name, kinds.UNKNOWN)
        return may_hold_buffer(kind) and not isinstance(kind, (Array, kinds.Numeric)) \
            and not never_changes(kind)

    def given(self, kind: kinds.Kind, site: Site) -> Sites:
        """What a parameter means: a container of each kind that is known."""
        if isinstance(kind, (Array, kinds.Numeric)) or not may_hold_buffer(kind):
            return NOTHING
        self.state.make(site)
        own = frozenset([site])
        if isinstance(kind, (kinds.ListKind, kinds.MapKind)):
            self.state.put(own, None, self.given(kind.item, (*site, "*")))
        elif isinstance(kind, (kinds.DictKind, kinds.RecordKind)):
            keys = kind.keys if isinstance(kind, kinds.DictKind) else kind.fields
            for key, item in zip(keys, kind.items):
                self.state.put(own, key, self.given(item, (*site, key)))
        elif isinstance(kind, kinds.TupleKind):
            for number, item in enumerate(kind.items):
                self.state.put(own, number if kind.type is tuple else None,
                               self.given(item, (*site, number)))
        else:
            self.state.put(own, None, own, MANY)
        return own

    def store(self, owners: Sites, field: Field, sites: Sites, count: int = 1) -> None:
        """A statement puts something into containers, which may be held by it."""
        self.circular |= {place_of(site) for site in owners & self.state.within(sites)}
        self.state.put(owners, field, sites, count)

    # Values ---------------------------------------------------------------------------------------
    def sites_of(self, name: str) -> Sites:
        if not self.is_container(name):
            return NOTHING
        return self.state.names[name] if name in self.state.names else self.living_outside(name)

    def living_outside(self, name: str) -> Sites:
        """Something that others see as well, later on, and any part of it."""
        if name not in self.state.names:
            own = frozenset([self.state.make((name, "outside"))])
            self.state.put(own, None, own, MANY)
            self.state.names[name] = own
        return self.state.names[name]

    def age(self, node: gast.AST) -> None:
        """A statement runs again: what it made before is older than what it makes now."""
        for site in self.sites.get(id(node), ()):
            self.state.age(site)

    def made(self, site: Site) -> Sites:
        self.sites.setdefault(site[0], set()).add(site)
        return frozenset([self.state.make(site)])

    def value(self, node: gast.expr | None, site: Site) -> Sites:
        """What an expression may mean; site: what it stands at."""
        state = self.state
        if isinstance(node, gast.Name):
            return self.sites_of(node.id)
        if node is None or isinstance(node, (gast.Constant, gast.JoinedStr, gast.Compare,
                                             gast.UnaryOp)) or is_swap(
                                                 getattr(node, "slice", None)):
            return NOTHING
        if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
            parts = [(number if isinstance(node, gast.Tuple) else None, part)
                     for number, part in enumerate(node.elts)]
            return self.display(parts, site)
        if isinstance(node, gast.Dict):
            parts = [(_constant(key), part if key is not None else gast.Starred(part, gast.Load()))
                     for key, part in zip(node.keys, node.values)]
            return self.display(parts, site)
        if isinstance(node, gast.Starred):
            return self.value(node.value, site)
        if isinstance(node, gast.Subscript):
            owners = self.owners(node, site)
            if isinstance(node.slice, gast.Slice) and owners:
                return self.copied([owners], site)
            return state.take(owners, self.key(node))
        if isinstance(node, gast.Attribute):
            owners = self.value(node.value, (*site, "owner"))
            if not owners and isinstance(self.typer.kind(node.value), kinds.Known):
                return self.living_outside(f"{syntax.root_name(node)}.{node.attr}")
            return state.take(owners, node.attr)
        if isinstance(node, gast.BinOp):
            sides = [self.value(node.left, (*site, 0)), self.value(node.right, (*site, 1))]
            if not any(sides):
                return NOTHING
            return self.copied(sides, site, MANY if isinstance(node.op, gast.Mult) else 1)
        if isinstance(node, gast.Call):
            return self.call(node, site)
        if isinstance(node, gast.ListComp):
            made = self.new_lists(node, self.typer.kind(node), site)
            if made is not None:
                return made
        return self.something([self.value(syntax.load(n), site)
                               for n in sorted(syntax.read_names(node))], site)

    def owners(self, node: gast.Subscript, site: Site) -> Sites:
        """What is subscripted: of a place in lists of lists the innermost lists."""
        found = self.value(node.value, (*site, "owner"))
        for _ in range(levels(node.slice)):
            found = self.state.take(found)
        return found

    def new_lists(self, node: gast.expr, kind: kinds.Kind, site: Site) -> Sites | None:
        """A list that is made just here, and so are those in it, each anew; None if it may hold
        others."""
        makes = isinstance(node, (gast.ListComp, gast.List, gast.BinOp)) or (
            isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice))
        if not makes or not isinstance(kind, kinds.ListKind):
            return None
        inside: list[Sites | None] = []
        if may_hold_buffer(kind.item) and not isinstance(kind.item, (Array, kinds.Numeric)):
            parts = [node.elt] if isinstance(node, gast.ListComp) else \
                node.elts if isinstance(node, gast.List) else None
            inside = [None] if parts is None else [
                self.new_lists(part, kind.item, (*site, number))
                for number, part in enumerate(parts)]
        return self.holding(inside, site)

    def lists_of(self, kind: kinds.Kind, site: Site) -> Sites | None:
        """New lists of this kind; None if they may hold what is not new."""
        if not isinstance(kind, kinds.ListKind):
            return None
        if not may_hold_buffer(kind.item) or isinstance(kind.item, (Array, kinds.Numeric)):
            return self.made(site)
        return self.holding([self.lists_of(kind.item, (*site, "item"))], site)

    def holding(self, inside: list[Sites | None], site: Site) -> Sites | None:
        """A new list of what was found, if that is known."""
        made = self.made(site)
        for held in inside:
            if held is None:
                return None
            self.state.put(made, None, held)
        return made

    def display(self, parts: list[tuple[Field, gast.expr]], site: Site) -> Sites:
        found = [(field, self.value(part, (*site, number)), isinstance(part, gast.Starred))
                 for number, (field, part) in enumerate(parts)]
        made = self.made(site)
        has_stars = any(starred for *_, starred in found)
        for field, sites, starred in found:
            if starred:
                self.state.put(made, None, self.state.take(sites))
            else:
                self.state.put(made, None if has_stars else field, sites)
        return made

    def copied(self, sides: list[Sites], site: Site, count: int = 1) -> Sites:
        """A container of its own, that holds what others hold."""
        held = self.state.take(s for side in sides for s in side)
        made = self.made(site)
        self.state.put(made, None, held, count)
        return made

    def something(self, given: Iterable[Sites], site: Site) -> Sites:
        """Something new, or any part of what is given, or something new that holds such."""
        reached = self.state.within(s for sites in given for s in sites)
        made = self.made(site)
        self.state.put(made, None, reached | made, MANY if reached else 0)
        return reached | made

    def call(self, node: gast.Call, site: Site) -> Sites:
        state = self.state
        function, receiver = self.facts.callees.get(id(node), (NO_OBJECT, None))
        method = node.func.attr if isinstance(node.func, gast.Attribute) else ""
        if receiver is None and method and function is NO_OBJECT:
            receiver = node.func.value
        parts = [*node.args, *(k.value for k in node.keywords)]
        given = [self.value(part, (*site, number)) for number, part in enumerate(parts)]
        if not any(given) and receiver is None and registry.is_fresh(function):
            return NOTHING
        if self.typer.takes_keys(function, node) or self.typer.makes_map(function, node):
            return self.made(site)
        if function is copied_lists:
            made = self.lists_of(self.typer.kind(node.args[0]), site)
            if made is not None:
                return made
        owners = self.value(receiver, (*site, "owner")) if receiver is not None else NOTHING
        if method == "copy" or (receiver is None and is_one_of(function, COPIES)):
            made = self.copied([owners, *given[:len(node.args)]], site)
            for keyword, sites in zip(node.keywords, given[len(node.args):]):
                state.put(made, keyword.arg, sites)
            return made
        if method in LOOKING or (receiver is None and is_one_of(function, ITERATORS)):
            held = state.take(s for sites in (owners, *given) for s in sites)
            made = self.made(site)
            state.put(made, None, held | made, 0)
            return made
        if receiver is None and function is next:
            return state.take(given[0]) | frozenset().union(*given[1:])
        if function is blank:
            return self.before_init(node, site)
        if receiver is None and isinstance(function, type):
            fields = fields_of_class(function, len(node.args), [k.arg for k in node.keywords])
            if fields is not None:
                made = self.made(site)
                for field, sites in zip(fields, given):
                    state.put(made, None if issubclass(function, tuple) else field, sites)
                return made
        if receiver is not None and self.is_plain(receiver, function):
            if method in PUTTING:
                self.store(owners, None, frozenset().union(*given))
                return NOTHING
            if method in JOINING:
                self.store(owners, None, state.take(s for sites in given for s in sites))
                return NOTHING
            if method in TAKING:
                if method == "setdefault":
                    self.store(owners, None, frozenset().union(*given))
                key = _constant(node.args[0]) if node.args else None
                return state.take(owners, key if isinstance(key, str) else None).union(*given)
            if method in QUIET:
                return NOTHING
        return self.called(node, function, [owners, *given], site)

    def before_init(self, node: gast.Call, site: Site) -> Sites:
        """A new object, which holds what its class holds: others see that as well."""
        made = self.made(site)
        cls = self.typer.object_of(node.args[0])
        held = [self.living_outside(f"{base.__name__}.{name}")
                for base in getattr(cls, "__mro__", (cls,)) if base is not object
                for name, thing in getattr(base, "__dict__", {"": cls}).items()
                if not name.startswith("__") and not hasattr(thing, "__get__")
                and may_hold_buffer(kinds.kind_of(thing))]
        for sites in held:
            self.state.put(made, None, sites, MANY)
        return made

    def called(self, node: gast.Call, function: Any, given: list[Sites], site: Site) -> Sites:
        """What a function gives, of which is known at most what it may hand on."""
        state = self.state
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if registry.is_fresh(function) or (
                entry is not None and (entry.adjoint or entry.constant or entry.tangent)
                and not may_share(function, node, entry, self.typer)):
            return self.something([], site)
        if entry is not None or getattr(node, "is_pure", False) or hasattr(node, "marker"):
            return self.something(given, site)
        known = None if function is NO_OBJECT else self.typer.origins_of_call(node, function)
        if known is not None:
            handed = [self.value(known[1][p], (*site, p)) for p in sorted(known[0].parameters)]
            handed += [self.living_outside(n if " of " in n else f"{n} of {function.__name__}")
                       for n in sorted(known[0].outside)]
            found = self.something(handed, site)
            if known[0].holds_twice:
                state.put(found, None, found, MANY)
            return found
        reached = state.within(s for sites in given for s in sites)
        state.put(reached, None, reached, MANY)     # it may put one into the other
        if not isinstance(function, (type, types.BuiltinFunctionType)):
            name = getattr(node.func, "attr", None) or syntax.root_name(node.func)
            given = [*given, self.living_outside(f"what {name} gives")]
        return self.something(given, site)

    def key(self, node: gast.Subscript) -> Field:
        """The key that an index certainly is; the items of lists are not told apart."""
        key, kind = _constant(node.slice), self.typer.kind(node.value)
        if key is None and isinstance(node.slice, gast.Name):
            key = _as_key(kinds.value_of(self.typer.kind(node.slice)))
        if isinstance(key, str) or (isinstance(kind, kinds.TupleKind) and kind.type is tuple) \
                or isinstance(kind, kinds.DictKind):
            return key
        return None

    def is_plain(self, receiver: gast.expr, function: Any) -> bool:
        """Whether a method is that of a list, dict or set."""
        return getattr(function, "__objclass__", None) in (
            list, dict, set, collections.deque, tuple) or isinstance(
            self.typer.kind(receiver), (kinds.ListKind, kinds.DictKind, kinds.MapKind))


def _constant(node: gast.expr | None) -> Field:
    """The key that stands in a display or in an index: a text or a number from 0 on."""
    return _as_key(node.value) if isinstance(node, gast.Constant) else None


def _as_key(value: Any) -> Field:
    is_known = isinstance(value, str) or (
        isinstance(value, int) and not isinstance(value, bool) and value >= 0)
    return value if is_known else None
