"""Find the kind of every value, and the object behind every call.

>>> from tangent_lite.kinds import INT
>>> tree = gast.parse('''
... def f(x, n):
...     s = 0.0
...     for i in range(n):
...         part = x[i]
...         s = s + part
...     return s > 0.0
... ''').body[0]
>>> facts = infer(tree, {"x": Array(1, "float"), "n": INT}, Typer({}, {"range": range}.get))
>>> for name in ("s", "i", "part"):
...     print(name, facts.names[name].type)
s float
i int
part float
>>> facts.result.type
'bool'

The tree is not changed; the facts are handed on as an `Inferred`. The walk follows the control
flow: what is known of a name is known at a statement. Where ways meet, kinds are joined; at the
head of a loop until nothing changes.
"""
from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable
from types import FunctionType
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.dict_sites import aged, dicts_in, given, holds_dicts, placed, seen
from tangent_lite.analyses.inferred import Environment, Inferred
from tangent_lite.analyses.lists_together import ListsInside, Together
from tangent_lite.analyses.liveness import BoundIn, definitions, read_before_bound
from tangent_lite.analyses.loop_keys import LoopKeys
from tangent_lite.analyses.mentions import Mentioned
from tangent_lite.analyses.surely_bound import bound_each_time
from tangent_lite.analyses.taken_apart import taken_apart
from tangent_lite.analyses.tests_of_none import Tests, is_test, narrowed, nones
from tangent_lite.functions.local_functions import holds_local
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.inference.items import unpacked
from tangent_lite.inference.puts import is_into_list, item_of, put_into
from tangent_lite.inference.visits import Visits
from tangent_lite.inference.ways import Join, are_same, at_head, behind_head, joined
from tangent_lite.kinds import UNKNOWN, Array, Kind, sets
from tangent_lite.kinds.duck import replaced
from tangent_lite.kinds.growing import grows, join_growing
from tangent_lite.kinds.maps import with_item
from tangent_lite.kinds.operators import DUNDERS
from tangent_lite.markers import attempted, is_attempt, where_finally
from tangent_lite.structures.nested import is_swap
from tangent_lite.structures.updates import change_of, is_key
from tangent_lite.syntax import bound_names

# Ways around a loop after which what is still another kind each time is taken to be anything: in
# `while node is not None: node = node.next` each node has one less behind it.
MOST_TURNS = 12
# Methods after which the kind of their object is another.
UNSEEN = (dict.update, dict.pop, dict.popitem, dict.clear, dict.setdefault, list.extend)


def infer(tree: gast.FunctionDef, parameters: Environment, typer: Typer) -> Inferred:
    """Kinds of everything in a function whose parameters have these kinds."""
    # What is read of a list before anything was put into it is nothing at first, so that it becomes
    # what a loop puts there; if it stays nothing, what fills the list was not seen.
    parameters = {name: dicts_in(given(kind, name), typer.mapped.of_site)
                  for name, kind in parameters.items()}
    typer.is_hopeful = typer.trusts_tests = True
    try:
        walk = _Infer(typer, tree)
        walk.block(tree.body, walk.given(parameters))
        typer.is_hopeful = False
        if walk.facts.is_open():
            walk = _Infer(typer, tree)
            typer.awaits = False
            walk.block(tree.body, walk.given(parameters))
            if not typer.awaits:
                walk.facts.close()      # on ways that are never taken
    finally:
        typer.is_hopeful = typer.trusts_tests = False
    parameters, names = walk.given(parameters), walk.facts.names
    for environments in (walk.facts.before, walk.facts.after):
        for environment in environments.values():
            for name, kind in environment.items():
                known = names.get(name)
                if known is not kind:           # most names are of one kind everywhere
                    names[name] = kind if known is None else kinds.join_surely(known, kind)
    for name, kind in parameters.items():
        known = names.get(name)
        names[name] = kind if known is None else kinds.join_surely(known, kind)
    return walk.facts


class _Infer:
    def __init__(self, typer: Typer, tree: gast.FunctionDef) -> None:
        self.typer, self.tree = typer, tree
        self.join_kinds: Join = join_growing if typer.is_growing else kinds.join
        self.facts = Inferred()
        self.bound_in = BoundIn()
        self.leaves: list[list[Environment]] = []
        self.keys = LoopKeys()
        self.together, self.inside = Together(), ListsInside()
        self.visits = Visits()
        self.made: set[int] = set()                     # by id, the statements that have made dicts
        self.read_before: dict[int, set[str]] = {}      # by id of a loop: see `read_before_bound`
        typer.goes_by_stage |= bool(typer.bound_by_calls)

    def join(self, one: Kind, other: Kind) -> Kind:
        if one is not other and grows(one, other):
            self.typer.goes_by_stage = True
        return self.join_kinds(one, other)

    @functools.cached_property
    def apart(self) -> set[str]:
        """Names of what cannot be None where it is read: parts of it are asked for."""
        return taken_apart(self.tree)

    def at_hand(self, name: str, kind: Kind) -> Kind:
        """The kind of what is given a name."""
        if isinstance(kind, (kinds.Nothing, kinds.Maybe)) and name in self.apart:
            return self.not_none(kind)
        return kind

    def not_none(self, kind: Kind) -> Kind:
        """The kind of what is taken apart: what is nothing yet is put there by a loop later on."""
        if isinstance(kind, kinds.Nothing) and self.typer.trusts_tests:
            return kinds.PENDING
        return kind.other if isinstance(kind, kinds.Maybe) \
            and not isinstance(kind.other, kinds.Number) else kind

    def given(self, parameters: Environment) -> Environment:
        found = {name: self.at_hand(name, kind) for name, kind in parameters.items()}
        self.forget(found, found)
        return found

    def forget(self, names: Iterable[str], environment: Environment) -> None:
        """Of names that calls bind which are yet to be written out, nothing is known anywhere."""
        if self.typer.bound_by_calls:
            for name in names:
                if self.typer.mapped.versions.get(name, name) in self.typer.bound_by_calls:
                    environment[name] = UNKNOWN

    def block(self, block: list[gast.stmt], environment: Environment) -> Environment | None:
        """Walk a block; None if its end is never reached."""
        start, stop = 0, len(block)
        while True:
            before = dict(environment)
            end, left = self.straight(block, start, stop, environment)
            if stop < len(block):
                left = None
            again = where_finally(block, end) if left is None else None
            if again is None:
                return left
            # What stands there runs all the same, and nothing behind it does.
            environment = self.halfway(block[start:end + 1], before)
            start, stop = again

    def straight(self, block: list[gast.stmt], start: int, stop: int,
                 environment: Environment) -> tuple[int, Environment | None]:
        """Walk a part of a block; where that ends, and what holds there."""
        tests = Tests()
        for number in range(start, stop):
            node = block[number]
            if isinstance(node, gast.If):
                self.head(node, environment)
                test = tests.behind(node.test)
                one = self.block(node.body, self.where(test, True, environment))
                if is_attempt(node):
                    environment = self.halfway(attempted(node), environment)
                other = self.block(node.orelse, self.where(test, False, environment))
                if one is None and other is None:
                    return self.unreached(block, number)
                environment = joined(one, other, self.join)
            elif isinstance(node, (gast.For, gast.While)):
                environment = self.loop(node, environment)
            elif isinstance(node, gast.Break):
                self.leaves[-1].append(environment)
                return number, None
            else:
                self.simple(node, environment)
                if isinstance(node, gast.Raise):
                    return self.unreached(block, number)
            if isinstance(node, syntax.COMPOUND):
                tests.note(node, self.bound_in.by(node))
            elif tests.known or is_test(node):
                tests.note(node, self.facts.mentions[node].binds)
        return stop, environment

    def unreached(self, block: list[gast.stmt], number: int) -> tuple[int, None]:
        """A block ends at this place: nothing is known of what stands behind it."""
        for node in syntax.statements(block[number + 1:]):
            self.facts.before.setdefault(id(node), {})
            self.facts.after.setdefault(id(node), {})
        return number, None

    def where(self, test: gast.expr, holds: bool, environment: Environment) -> Environment:
        """What is known where a test holds, or does not: of what is None, or is not."""
        out = dict(environment)
        for place, is_none in nones(test, holds):
            narrowed(out, place, is_none, self.typer.trusts_tests)
        return out

    def halfway(self, block: list[gast.stmt], environment: Environment) -> Environment:
        """What is known where a handler starts: some of the names of the body may be bound."""
        out = dict(environment)
        for node in syntax.statements(block):
            for name, kind in self.facts.after.get(id(node), {}).items():
                out[name] = kinds.join(out[name], kind) if name in out else kind
        return out

    def note(self, node: gast.stmt, environment: Environment) -> Mentioned:
        """Note what is in front of a statement, and what it calls."""
        self.typer.names = environment
        mention = self.facts.mentions[node]
        for call in mention.calls:
            self.facts.callees[id(call)] = self.typer.callee(call)
        self.facts.before[id(node)] = {n: environment[n] for n in mention.uses if n in environment}
        return mention

    def head(self, node: gast.If | gast.While, environment: Environment) -> None:
        """Note the same of the test of a branch or a loop, if it is not what it was."""
        if self.visits.found(node, environment) is None:
            self.visits.begin()
            mention = self.note(node, environment)
            self.typer.kind(node.test)
            self.visits.note(node, mention.uses, (), environment, environment)

    def simple(self, node: gast.stmt, environment: Environment) -> None:
        """Find what a simple statement binds, if it is not what it was."""
        bound = self.visits.found(node, environment)
        if bound is None:
            self.visits.begin()
            mention = self.note(node, environment)
            before = self.facts.before[id(node)]
            self.met(node, mention, environment)
            if not self.only_binds(node, before, environment):
                self.visits.changes_more()
            self.visits.note(node, mention.uses | mention.reads, mention.binds, before, environment)
            return
        self.typer.names = environment
        if self.typer.knows_local and getattr(node, "value", None) is not None:
            self.defined(node.value, environment)
        if bound:
            for name in bound:
                self.keys.forget(name)
            environment.update(bound)

    def only_binds(self, node: gast.stmt, before: Environment, environment: Environment) -> bool:
        """Whether all that a statement changed is what its names are bound to, each of them; it
        may write into arrays, of which is known what was known."""
        if isinstance(node, (gast.Assign, gast.AugAssign)):
            target = node.targets[0] if isinstance(node, gast.Assign) else node.target
            if isinstance(target, gast.Name):
                return target.id in environment
            if isinstance(target, gast.Tuple):
                return all(isinstance(part, gast.Name) for part in target.elts)
            return isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                and isinstance(before.get(target.value.id), Array)
        return False

    def met(self, node: gast.stmt, mention: Mentioned, environment: Environment) -> None:
        """What a simple statement does to what is known."""
        if self.typer.knows_local and getattr(node, "value", None) is not None:
            self.defined(node.value, environment)
        if isinstance(node, gast.Assign):
            kind = self.typer.kind(node.value)
            target = node.targets[0]
            kind = self.of_dicts(kind, node, environment)
            if isinstance(target, gast.Name):
                kind = kinds.numbered(
                    self.at_hand(target.id, self.typer.mapped.of_name(target.id, kind)))
                environment[target.id] = kind
                if self.inside.note(target.id, node.value, environment):
                    self.visits.changes_more()
                self.note_key(target, node.value, environment)
            elif isinstance(target, gast.Tuple):
                self.note_key(target, node.value, environment)
                for number, part in enumerate(target.elts):
                    for name in bound_names(part):
                        environment[name] = kinds.numbered(
                            unpacked(self.not_none(kind), number))
            elif isinstance(target, (gast.Subscript, gast.Attribute)) \
                    and not is_swap(getattr(target, "slice", None)):
                self.set_item(target, kind, environment)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            name = node.target.id
            old = environment.get(name, UNKNOWN)
            value = self.augmented(gast.Name(name, gast.Load(), None, None), node)
            # An array keeps its shape and type when it is changed in place.
            environment[name] = old if isinstance(old, Array) \
                else kinds.numbered(self.typer.kind(value))
        elif isinstance(node, gast.AugAssign):
            # A part of a dict or object: what it is after `+=`.
            if isinstance(environment.get(getattr(node.target.value, "id", "")),
                          (kinds.DictKind, kinds.RecordKind)):
                read = syntax.copy(node.target)
                read.ctx = gast.Load()
                self.set_item(node.target, self.typer.kind(self.augmented(read, node)),
                              environment)
        elif isinstance(node, gast.Expr):
            self.typer.kind(node.value)
            self.append(node.value, environment)
            self.put_into_sets(node.value, environment)
        elif isinstance(node, gast.Delete):
            self.delete(node.targets[0], environment)
        elif isinstance(node, gast.Return):
            self.facts.result = self.typer.kind(node.value) if node.value else kinds.NOTHING
        if isinstance(getattr(node, "value", None), gast.Call):
            self.effects(node.value, environment)
        self.forget(mention.binds, environment)
        if len(mention.uses) + len(mention.binds) > 1:
            self.together.meet((*mention.binds, *mention.uses), environment)
        self.facts.after[id(node)] = {n: environment[n] for n in mention.binds
                                      if n in environment}

    def augmented(self, target: gast.expr, node: gast.AugAssign) -> gast.expr:
        """What `p += v` binds p to: `p.__iadd__(v)` where its class says so in Python, or p + v."""
        owner, name = self.typer.kind(target), f"__i{DUNDERS.get(type(node.op))}__"
        if isinstance(owner, kinds.RecordKind) and isinstance(
                self.typer.of_class(owner.type, name), FunctionType):
            return gast.Call(gast.Attribute(target, name, gast.Load()), [node.value], [])
        return gast.BinOp(target, node.op, node.value)

    def of_dicts(self, kind: Kind, node: gast.Assign, environment: Environment) -> Kind:
        """The kind of a value, where each dict is of the site that made it; of what is changed,
        others know."""
        changed = change_of(node.value)
        if changed is not None and isinstance(kind, (kinds.DictKind, kinds.MapKind)):
            self.visits.changes_more()
            kind = dataclasses.replace(kind, sites=getattr(
                environment.get(changed), "sites", frozenset()))
            seen(kind, kind, environment, (changed, *definitions(node)))
            return kind
        if isinstance(node.value, (gast.Name, gast.Subscript, gast.Attribute)) \
                or not holds_dicts(kind):
            return kind                         # it makes no dict
        self.visits.changes_more()
        if id(node) in self.made:               # in an iteration before
            aged(node, environment)
        self.made.add(id(node))
        return placed(kind, node, environment)

    def note_key(self, target: gast.expr, value: gast.expr, environment: Environment) -> None:
        """`for name in d` binds one of the keys of d, until the loop is written out."""
        function, _ = self.facts.callees.get(id(value), (None, None))
        if self.keys.note(target, value, function, environment):
            self.visits.changes_more()

    def delete(self, target: gast.expr, environment: Environment) -> None:
        """A dict without one of its keys."""
        name = getattr(target.value, "id", "")
        known = environment.get(name)
        if isinstance(known, kinds.DictKind):
            key = kinds.value_of(self.typer.kind(target.slice))
            left = [(k, i) for k, i in zip(known.keys, known.items) if k != key]
            environment[name] = UNKNOWN if key is kinds.NO_VALUE else dataclasses.replace(
                known, keys=tuple(k for k, _ in left), items=tuple(i for _, i in left))
            seen(known, environment[name], environment, [name])

    def effects(self, call: gast.Call, environment: Environment) -> None:
        """What a call may change beside its result is not known, until the call is written out."""
        function, receiver = self.facts.callees.get(id(call), (NO_OBJECT, None))
        known = environment.get(receiver.id) if isinstance(receiver, gast.Name) else None
        # By identity: what `==` means may be said by the class of what is called.
        empties = any(function is one for one in UNSEEN)
        if empties:
            self.visits.changes_more()
        if function is dict.setdefault and call.args and isinstance(
                known, (kinds.DictKind, kinds.MapKind)) and (
                isinstance(known, kinds.MapKind) or not is_key(
                    kinds.value_of(self.typer.kind(call.args[0])))):
            item = self.typer.kind(call.args[1]) if len(call.args) > 1 else kinds.NOTHING
            made = with_item(known, item, self.typer.kind(call.args[0]))
            environment[receiver.id] = made                             # type: ignore[union-attr]
            seen(known, made, environment, [receiver.id])               # type: ignore[union-attr]
            return
        if not empties or not isinstance(receiver, gast.Name):
            return
        self.typer.goes_by_stage = True
        if self.typer.settled:
            environment[receiver.id] = UNKNOWN
            seen(known or UNKNOWN, UNKNOWN, environment, [receiver.id])

    def defined(self, value: gast.expr, environment: Environment) -> None:
        """Where a function is defined anew, what still holds the earlier one is not known: that one
        reads the variables of its own time, for which there is no name any more. A comparison asks
        which function a value is, and defines none."""
        for part in () if isinstance(value, gast.Compare) else syntax.walk(value):
            local = getattr(part, "local", None)
            if local is not None:
                for name, kind in environment.items():
                    if holds_local(kind, local):
                        environment[name] = UNKNOWN

    def append(self, call: gast.expr, environment: Environment) -> None:
        """A list is of what is put into it."""
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) \
                and call.func.attr in ("append", "insert") and call.args \
                and isinstance(call.func.value, gast.Name):
            name = call.func.value.id
            known = environment.get(name)
            if isinstance(known, kinds.ListKind):
                item = self.typer.kind(call.args[-1])
                environment[name] = kinds.join(known, kinds.ListKind(item))
                self.together.grown(name, item, environment)
                self.inside.grown(name, item, environment)

    def put_into_sets(self, call: gast.expr, environment: Environment) -> None:
        """A set is of what is put into it, by whichever of its names."""
        if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute) \
                or call.func.attr not in sets.PUTTING:
            return
        owner = call.func.value
        if isinstance(owner, gast.Name) and owner.id not in environment:
            owner = next(iter(call.args), owner)            # set.add(seen, k)
        if not isinstance(self.typer.kind(owner), kinds.SetKind):
            return
        put = [self.typer.kind(one) for one in call.args]
        made = kinds.join_all(sets.set_of(one if call.func.attr == "add"
                                          else self.typer.items_of(one)) for one in put)
        self.visits.changes_more()
        for name, kind in environment.items():
            environment[name] = sets.with_items(kind, made)

    def set_item(self, target: gast.Subscript | gast.Attribute, item: Kind,
                 environment: Environment) -> None:
        """What is written into a list or a dict is one of its items, and of all that may be it."""
        if isinstance(target, gast.Subscript):
            self.keys.note_put(target, item)
        if not isinstance(target.value, gast.Name):
            return
        name = target.value.id
        before = environment.get(name, UNKNOWN)
        if is_into_list(before, target):
            self.together.grown(name, item_of(target, item, self.typer), environment)
        known = put_into(before, target, item, self.typer, self.keys)
        if known is not before:
            environment[name] = known
            seen(before, known, environment, [name])

    def before_bound(self, node: gast.For | gast.While) -> set[str]:
        """What an iteration of a loop may read from the one before it."""
        found = self.read_before.get(id(node))
        if found is None:
            found = self.read_before[id(node)] = read_before_bound(node.body)
        return found

    def counted(self, node: gast.For | gast.While, head: Environment) -> Environment:
        """What a loop counts with: it is one number in each iteration, and the size of parts."""
        return {name: kinds.numbered(kinds.INT) for name in bound_names(node.target)
                if head[name] == kinds.INT} if isinstance(node, gast.For) else {}

    def loop(self, node: gast.For | gast.While, environment: Environment) -> Environment:
        head = dict(environment)
        if isinstance(node, gast.For):
            self.note(node, environment)
            # In normal form all loops count; functions that are compiled as they are need not.
            counts = isinstance(self.typer.kind(node.iter), kinds.RangeKind)
            for name in bound_names(node.target):
                head[name] = kinds.INT if counts else UNKNOWN
            self.forget(bound_names(node.target), head)
        if self.typer.is_hopeful:       # what an iteration reads, one before it has bound
            bound = self.bound_in(node.body) - head.keys()
            head |= dict.fromkeys(bound & self.before_bound(node), kinds.PENDING)
        own: set[Any] = set()
        widened: set[str] = set()       # names of what would be something else in each iteration
        count = self.counted(node, head)
        for turn in itertools.count():
            if isinstance(node, gast.While):
                self.head(node, head)
            self.leaves.append([])
            end = self.block(node.body, head | count)
            leaves = self.leaves.pop()
            merged = head if end is None else at_head(
                head, end, self.before_bound(node), own, self.join)
            if turn >= MOST_TURNS:
                widened |= {name for name, kind in merged.items()
                            if name not in head or not kinds.is_identical(kind, head[name])}
                merged |= dict.fromkeys(widened, kinds.ANY)
            if are_same(merged, head):
                break
            if any(kinds.is_passing(k) for n, k in merged.items() if k is not head.get(n)):
                count = self.counted(node, head)        # the last one may bound what is kept
            head = merged
        out = behind_head(head, own)
        out |= {name: kind for name, kind in (end or {}).items() if name not in out}
        for state in leaves:
            out = joined(out, state, self.join)
        last = bound_each_time(node) if len(out) > len(head) else set()
        for name in out.keys() - head.keys() - last:    # maybe in an iteration before the last one
            out[name] = replaced(out[name], kinds.in_some_iteration)
        out |= self.keys.filled(node, environment, out)
        return out
