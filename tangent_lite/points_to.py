"""Which lists, dicts and objects the names of a function may mean: is one changed that another name
sees as well?

    inner = [x]
    t = [inner][:]              a list of its own, which holds the very inner
    u = t[0]
    u[0] = 3.0 * x              is seen through inner, and through t

The passes know a container by its name, so what changes has to have one. This is a points-to
analysis that follows the statements as they run. A *site* stands for the container that a statement
made last, another one for all that it made before (Balakrishnan and Reps, "Recency-abstraction for
heap-allocated storage", 2006): a list that is filled in an iteration is not one of those that the
iterations before it made. Arrays are no containers here: what they share is told by views.
"""
from __future__ import annotations

import collections
import copy
import types
from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.aliases import may_hold_buffer
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array
from tangent_lite.lists import meant_before
from tangent_lite.liveness import definitions
from tangent_lite.one_name import never_changes
from tangent_lite.sites import MANY, NOTHING, Field, Site, Sites, State
from tangent_lite.updates import fields_of_class, updates_of
from tangent_lite.views import may_share

COPIES = (list, tuple, dict, set, frozenset, sorted, collections.deque, copy.copy)
ITERATORS = (enumerate, zip, reversed, iter)
PUTTING = {"append", "appendleft", "add", "insert"}
JOINING = {"extend", "extendleft", "update"}
TAKING = {"pop", "popleft", "popitem", "get", "setdefault", "__getitem__"}
LOOKING = {"values", "items", "keys"}
QUIET = {"sort", "reverse", "remove", "clear", "index", "count", "discard", "rotate"}


class PointsTo:
    """Walks over a function in normal form, and asks at each change of a container who else sees
    it.

    live: names that are read later on, by statement (None: nothing is known of that, and of the
    order in which the statements run); changes: (statement, name) where a container changes.
    """

    def __init__(self, tree: gast.FunctionDef, facts: Any, typer: Typer,
                 changes: list[tuple[gast.stmt, str]], live: dict[int, set[str]] | None,
                 outside: set[str]) -> None:
        self.facts, self.typer, self.live, self.outside = facts, typer, live, outside
        self.changes: dict[int, list[str]] = {}
        for node, name in changes:
            if self.is_container(name):
                self.changes.setdefault(id(node), []).append(name)
        self.holders = holders(tree.body) if self.changes else {}
        self.sites: dict[int, set[Site]] = {}       # what is made by a statement
        self.found: dict[tuple[int, str], tuple[gast.stmt, str, str]] = {}
        self.leaving: list[list[State]] = []
        # By statement: other names that mean what holds what it changes, and names that meant it
        # before they were bound anew, as `meant_before(name)`.
        self.once: dict[int, set[str]] = {}
        self.versions: dict[str, str] = {}          # of a name that an update binds, what it was
        self.bound: dict[str, gast.Assign] = {}
        if not self.changes:
            return
        self.state = State()
        self.has_left = False                       # nothing comes here: behind a break
        for name in syntax.parameter_names(tree.args):
            self.state.names[name] = self.given(facts.names.get(name, kinds.UNKNOWN), (name,))
        if live is not None:
            self.block(tree.body)
            return
        before = self.state.copy()
        while True:                                 # the statements may run in any order
            self.block(tree.body)
            if not before.join(self.state):
                break
            self.state = before.copy()

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

    # Statements -----------------------------------------------------------------------------------
    def block(self, body: list[gast.stmt]) -> None:
        for node in body:
            if self.has_left:
                return
            if isinstance(node, gast.If):
                before = self.state.copy()
                self.block(node.body)
                after, has_left = self.state, self.has_left
                self.state, self.has_left = before, False
                self.block(node.orelse)
                self.meet(after, has_left)
            elif isinstance(node, (gast.For, gast.While)):
                self.loop(node)
            elif isinstance(node, gast.Break):
                self.leaving[-1].append(self.state)
                self.has_left = True
            else:
                self.typer.names = self.facts.before.get(id(node), {})
                self.statement(node)
                for name in self.changes.get(id(node), ()):
                    self.check(node, name)

    def loop(self, node: gast.For | gast.While) -> None:
        over: Sites = NOTHING
        if isinstance(node, gast.For):
            self.typer.names = self.facts.before.get(id(node), {})
            self.age(node)
            over = self.value(node.iter, (id(node),))
        head = self.state
        self.leaving.append([])
        while True:
            self.state = head.copy()
            if isinstance(node, gast.For):
                self.age(node.target)
                self.bind(node.target, self.state.take(over), (id(node.target),))
            self.block(node.body)
            has_left, self.has_left = self.has_left, False
            if has_left or not head.join(self.state):
                break
        self.state = head
        self.block(node.orelse)
        for state in self.leaving.pop():
            self.meet(state, False)

    def meet(self, other: State, has_left: bool) -> None:
        """Another way leads here, or has left."""
        if self.has_left:
            self.state, self.has_left = other, has_left
        elif not has_left:
            self.state.join(other)

    def statement(self, node: gast.stmt) -> None:
        value = getattr(node, "value", None)
        self.age(node)
        if isinstance(node, gast.Assign):
            changed = updates_of(value) or getattr(value, "drops", None)
            if changed is not None and not getattr(value, "is_copy", False):
                self.update(changed, value, (id(node),))
                self.bind(node.targets[0], self.sites_of(changed), (id(node),))
                return
            found = self.value(value, (id(node),))
            self.bound.update(dict.fromkeys(definitions(node), node))
            for target in node.targets:
                self.bind(target, found, (id(node), "target"), value)
        elif isinstance(node, gast.AugAssign):
            found = self.value(value, (id(node),))
            if isinstance(node.target, gast.Name):
                self.state.put(self.sites_of(node.target.id), None, self.state.take(found))
            else:
                self.bind(node.target, found, (id(node),))
        elif isinstance(node, gast.Expr):
            self.value(value, (id(node),))

    def update(self, name: str, value: gast.expr, site: Site) -> None:
        """`state = {**state, "x": v}` is a change of state."""
        sites = self.sites_of(name)
        parts = [(k.value, v) for k, v in zip(value.keys, value.values)
                 if isinstance(k, gast.Constant)] if isinstance(value, gast.Dict) else \
            [(k.arg, k.value) for k in getattr(value, "keywords", ())]
        if not getattr(value, "drops", None):
            for key, part in parts:
                self.put(sites, key, part, (*site, key))

    def put(self, owners: Sites, field: Field, part: gast.expr, site: Site) -> None:
        """Put something into containers: what is put back where it was is in no other place."""
        is_back = isinstance(part, gast.Name) and part.id in self.holders
        found = self.value(part, site)
        again = field is not None and len(owners) == 1 and "older" not in next(iter(owners)) \
            and found <= self.state.parts.get(next(iter(owners)), {}).get(field, NOTHING)
        self.state.put(owners, field, found, 0 if is_back or again else 1)

    def bind(self, target: gast.expr, found: Sites, site: Site,
             value: gast.expr | None = None) -> None:
        if isinstance(target, gast.Name):
            if not self.is_container(target.id):
                return
            names, was = self.state.names, meant_before(target.id)
            old = names.get(target.id, NOTHING)
            names[was] = names.get(was, NOTHING) | old
            names[target.id] = found | old if self.live is None else found
        elif isinstance(target, (gast.Tuple, gast.List)):
            for number, part in enumerate(target.elts):
                if isinstance(part, gast.Starred):
                    made = self.made((*site, number))
                    self.state.put(made, None, self.state.take(found))
                    self.bind(part.value, made, site)
                else:
                    has_stars = any(isinstance(e, gast.Starred) for e in target.elts)
                    self.bind(part, self.state.take(found, None if has_stars else number),
                              (*site, number))
        elif isinstance(target, gast.Subscript):
            owners = self.value(target.value, (*site, "owner"))
            if isinstance(target.slice, gast.Slice):
                self.state.put(owners, None, self.state.take(found))
            elif isinstance(value, gast.Name):
                self.put(owners, self.key(target), value, site)
            else:
                self.state.put(owners, self.key(target), found)
        elif isinstance(target, gast.Attribute):
            self.state.put(self.value(target.value, (*site, "owner")), target.attr, found)

    def check(self, node: gast.stmt, name: str) -> None:
        """Note a name that sees what is changed through another one."""
        state = self.state
        changed, key = self.sites_of(name), (id(node), name)
        names, todo = {name}, [name]
        if isinstance(node, gast.Assign) and updates_of(node.value) == name:
            # What it is called from now on, and what it was called before.
            self.versions.update({bound: name for bound in definitions(node) if bound != name})
            names.update(definitions(node))
        while self.versions.get(name, name) not in names:
            name = self.versions[name]
            names.add(name)
        while todo:
            more = self.holders.get(todo.pop(), set()) - names
            names |= more
            todo += more
        live = state.names if self.live is None else self.live.get(id(node), set()) | self.outside
        reaching = state.around(changed)
        for other, sites in sorted(state.names.items()) if changed else ():
            if reaching.isdisjoint(sites):
                continue
            # What lives outside is seen by others, later on.
            if (other in live or (other, "outside") in sites) and other not in names:
                self.found.setdefault(key, (self.shared_at(node, key[1], other), key[1], other))
            if other not in names:
                self.once.setdefault(id(node), set()).add(other)
        if len(names) > 1 and any(state.places.get(site, 0) >= MANY for site in changed):
            self.found.setdefault(key, (node, key[1], min(names - {key[1]})))

    def shared_at(self, node: gast.stmt, *names: str) -> gast.stmt:
        """The statement that gave what changes a second name; that which changes it where it got
        into a container."""
        for name in names:
            bound = self.bound.get(name)
            if bound is not None and isinstance(bound.value, (gast.Name, gast.Subscript,
                                                              gast.Attribute)):
                return bound
        return node

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
                                             gast.UnaryOp)):
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
            owners = self.value(node.value, (*site, "owner"))
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
        return self.something([self.value(syntax.load(n), site)
                               for n in sorted(syntax.read_names(node))], site)

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
        owners = self.value(receiver, (*site, "owner")) if receiver is not None else NOTHING
        if method == "copy" or (receiver is None and _is_one_of(function, COPIES)):
            made = self.copied([owners, *given[:len(node.args)]], site)
            for keyword, sites in zip(node.keywords, given[len(node.args):]):
                state.put(made, keyword.arg, sites)
            return made
        if method in LOOKING or (receiver is None and _is_one_of(function, ITERATORS)):
            held = state.take(s for sites in (owners, *given) for s in sites)
            made = self.made(site)
            state.put(made, None, held | made, 0)
            return made
        if receiver is None and function is next:
            return state.take(given[0]) | frozenset().union(*given[1:])
        if receiver is None and isinstance(function, type):
            fields = fields_of_class(function, len(node.args), [k.arg for k in node.keywords])
            if fields is not None:
                made = self.made(site)
                for field, sites in zip(fields, given):
                    state.put(made, None if issubclass(function, tuple) else field, sites)
                return made
        if receiver is not None and self.is_plain(receiver, function):
            if method in PUTTING:
                state.put(owners, None, frozenset().union(*given))
                return NOTHING
            if method in JOINING:
                state.put(owners, None, state.take(s for sites in given for s in sites))
                return NOTHING
            if method in TAKING:
                if method == "setdefault":
                    state.put(owners, None, frozenset().union(*given))
                key = _constant(node.args[0]) if node.args else None
                return state.take(owners, key if isinstance(key, str) else None).union(*given)
            if method in QUIET:
                return NOTHING
        return self.called(node, function, [owners, *given], site)

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
            return self.something(handed, site)
        reached = state.within(s for sites in given for s in sites)
        state.put(reached, None, reached, MANY)     # it may put one into the other
        if not isinstance(function, (type, types.BuiltinFunctionType)):
            name = getattr(node.func, "attr", None) or syntax.root_name(node.func)
            given = [*given, self.living_outside(f"what {name} gives")]
        return self.something(given, site)

    def key(self, node: gast.Subscript) -> Field:
        """The key that an index certainly is; the items of lists are not told apart."""
        key, kind = _constant(node.slice), self.typer.kind(node.value)
        if isinstance(key, str) or (isinstance(kind, kinds.TupleKind) and kind.type is tuple) \
                or isinstance(kind, kinds.DictKind):
            return key
        return None

    def is_plain(self, receiver: gast.expr, function: Any) -> bool:
        """Whether a method is that of a list, dict or set."""
        return getattr(function, "__objclass__", None) in (
            list, dict, set, collections.deque, tuple) or isinstance(
            self.typer.kind(receiver), (kinds.ListKind, kinds.DictKind, kinds.MapKind))


def holders(body: list[gast.stmt]) -> dict[str, set[str]]:
    """Parts that are changed and put back, and the containers that they are parts of:

        part = {**part, "v": x}
        state = {**state, "p": part}
    """
    found: dict[str, set[str]] = {
        changed: set() for node in syntax.statements(body)
        if getattr(getattr(node, "value", None), "put_back", False)
        for changed in [updates_of(node.value)] if changed is not None}
    for node in syntax.statements(body) if found else ():
        if not isinstance(node, gast.Assign):
            continue
        value: Any = node.value
        changed = updates_of(value)
        if changed is not None:
            parts = value.values if isinstance(value, gast.Dict) else [
                k.value for k in value.keywords]
        else:
            changed = syntax.root_name(node.targets[0])
            parts = [value] if isinstance(node.targets[0], (gast.Subscript, gast.Attribute)) else []
        for part in parts:
            if isinstance(part, gast.Name) and part.id in found and part.id != changed and changed:
                found[part.id].add(changed)
    return found


def _constant(node: gast.expr | None) -> Field:
    """The key that stands in a display or in an index: a text or a number from 0 on."""
    value = node.value if isinstance(node, gast.Constant) else None
    is_known = isinstance(value, str) or (
        isinstance(value, int) and not isinstance(value, bool) and value >= 0)
    return value if is_known else None


def _is_one_of(function: Any, functions: Iterable[Callable[..., Any]]) -> bool:
    return any(function is one for one in functions)
