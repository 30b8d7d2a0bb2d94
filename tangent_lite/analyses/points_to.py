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

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import containers_of
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.name_sets import NameSet
from tangent_lite.analyses.points_to_values import Values
from tangent_lite.analyses.sites import MANY, NOTHING, Field, Site, Sites, State, place_of
from tangent_lite.inference import Typer
from tangent_lite.markers import marker_of
from tangent_lite.structures.lists import meant_before
from tangent_lite.structures.nested import is_swap, levels
from tangent_lite.structures.updates import change_of, updates_of


class PointsTo(Values):
    """Walks over a function in normal form, and asks at each change of a container who else sees
    it.

    live: names that are read later on, by statement (None: nothing is known of that, and of the
    order in which the statements run); changes: (statement, name) where a container changes;
    is_asked: whether it is of interest what the names mean where none does.
    """

    def __init__(self, tree: gast.FunctionDef, facts: Inferred, typer: Typer,
                 changes: list[tuple[gast.stmt, str]], live: dict[int, NameSet] | None,
                 outside: set[str], is_asked: bool = False) -> None:
        super().__init__(facts, typer)
        self.live, self.outside = live, outside
        self.changes: dict[int, list[str]] = {}
        for node, name in changes:
            if self.is_container(name):
                self.changes.setdefault(id(node), []).append(name)
        self.holders = holders(tree.body) if self.changes else {}
        self.found: dict[tuple[int, str], tuple[gast.stmt, str, str]] = {}
        self.leaving: list[list[State]] = []
        # By statement: other names that mean what holds what it changes, and names that meant it
        # before they were bound anew, as `meant_before(name)`.
        self.once: dict[int, set[str]] = {}
        self.versions: dict[str, str] = {}          # of a name that an update binds, what it was
        self.bound: dict[str, gast.Assign] = {}
        if not self.changes and not is_asked:
            return
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
            self.age_inside(node)
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

    def age_inside(self, node: gast.For | gast.While) -> None:
        """An iteration begins: what the loops inside made in those before is told from what they
        make in this one."""
        todo = [(one, 1) for one in node.body]
        while todo:
            one, loops = todo.pop()
            for site in self.sites.get(id(one), ()) if loops > 1 else ():
                self.state.age(site, loops)
            if isinstance(one, syntax.COMPOUND):
                inner = loops + (not isinstance(one, gast.If))
                for site in self.sites.get(id(getattr(one, "target", None)), ()):
                    self.state.age(site, inner)
                todo += [(part, inner) for part in (*one.body, *one.orelse)]

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
            changed = change_of(value) or getattr(value, "drops", None)
            if changed is not None:
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
                self.store(self.sites_of(node.target.id), None, self.state.take(found))
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
        self.store(owners, field, found, 0 if is_back or again else 1)

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
        elif isinstance(target, gast.Subscript) and not is_swap(target.slice):
            owners = self.owners(target, site)
            if isinstance(target.slice, gast.Slice):
                self.store(owners, None, self.state.take(found))
            elif isinstance(value, gast.Name):
                self.put(owners, self.key(target), value, site)
            else:
                self.store(owners, self.key(target), found)
        elif isinstance(target, gast.Attribute):
            self.store(self.value(target.value, (*site, "owner")), target.attr, found)

    def check(self, node: gast.stmt, name: str) -> None:
        """Note a name that sees what is changed through another one."""
        state = self.state
        changed, key = self.sites_of(name), (id(node), name)
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        within = levels(target.slice) if isinstance(target, gast.Subscript) else 0
        for _ in range(within):
            changed = state.take(changed)
        # Two rows may be one list, which no index tells apart.
        if within and any(state.places.get(site, 0) >= MANY for site in changed):
            self.found.setdefault(key, (node, name, name))
        # One that holds itself is seen through itself.
        if any(place_of(site) in self.circular for site in changed):
            self.found.setdefault(key, (node, name, name))
        names, todo = {name}, [name]
        if isinstance(node, gast.Assign) and updates_of(node.value) == name:
            # What it is called from now on, and what it was called before.
            self.versions.update({bound: name for bound in definitions(node) if bound != name})
            names.update(definitions(node))
        while todo:
            one = todo.pop()
            more = self.holders.get(one, set()).union(
                [self.versions[one]] if one in self.versions else []) - names
            names |= more
            todo += more
        # What a name meant before it was bound anew is read by nobody.
        live = state.names.keys() - map(meant_before, state.names) if self.live is None \
            else self.live.get(id(node), ())
        reaching = state.around(changed)
        for other in sorted(other for other, sites in state.names.items()
                            if not reaching.isdisjoint(sites)) if changed else ():
            # What lives outside is seen by others, later on.
            if (other in live or other in self.outside
                    or (other, "outside") in state.names[other]) and other not in names:
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


def gives_one_twice(tree: gast.FunctionDef, facts: Inferred, typer: Typer) -> bool:
    """Whether one list, dict or object may be in two places of what a function in normal form
    returns, or be itself in what it holds."""
    last: Any = tree.body[-1]
    if containers_of(facts.result) < MANY:
        return False
    is_plain = not any(marker_of(node) is not None for node in syntax.statements(tree.body))
    seen = PointsTo(tree, facts, typer, [], {} if is_plain else None, set(), is_asked=True)
    typer.names = facts.before.get(id(last), {})
    held = seen.state.within(seen.value(last.value, (id(last),)))
    return any(seen.state.places.get(site, 0) >= MANY or place_of(site) in seen.circular
               for site in held)


def holders(body: list[gast.stmt]) -> dict[str, set[str]]:
    """Parts that are changed and put back, and the containers that they are parts of:

        part = {**part, "v": x}
        state = {**state, "p": part}
    """
    found: dict[str, set[str]] = {}
    was: dict[str, str] = {}            # of a name that such an update binds, what was updated
    for node in syntax.statements(body):
        value: Any = getattr(node, "value", None)
        changed = updates_of(value) if getattr(value, "put_back", False) else None
        if changed is not None:
            found[changed] = set()
            was.update((bound, changed) for bound in definitions(node))
    for node in syntax.statements(body) if found else ():
        if not isinstance(node, gast.Assign):
            continue
        value = node.value
        changed = updates_of(value)
        if changed is not None:
            parts = value.values if isinstance(value, gast.Dict) else [
                k.value for k in value.keywords]
        else:
            changed = syntax.root_name(node.targets[0])
            parts = [value] if isinstance(node.targets[0], (gast.Subscript, gast.Attribute)) else []
        for part in parts:
            name = was.get(getattr(part, "id", ""), getattr(part, "id", ""))
            if name in found and name != changed and changed:
                found[name].add(changed)
    return found


