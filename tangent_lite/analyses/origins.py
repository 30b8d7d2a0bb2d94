"""Where the memory of a value comes from: names that an expression may hand on, and what the result
of a function may share with the arguments of a call of it.

    def halves(v):
        w = np.sin(v)
        return w, (v, w)                # the first part is new, the second may hold v

The pass `alias` asks both: of an expression, and of the function that is called there. So a helper
that makes something new is as good as an operation, and what it is given may be written to later.
"""
from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.aliases import holds_numbers, may_hold_buffer
from tangent_lite.analyses.classes import Classes
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.mentions import head
from tangent_lite.analyses.momentary import roots_of
from tangent_lite.analyses.points_to import gives_one_twice
from tangent_lite.analyses.reaching import reached
from tangent_lite.analyses.views import DECIDED, MIRRORED, hands_on_any, may_share
from tangent_lite.analyses.writers import outs
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array
from tangent_lite.structures.lists import list_change

Place = tuple[int, ...]         # of a part in tuples of tuples
NUMBERS = ("bool", "int", "float", "complex")


@dataclass(frozen=True)
class Origins:
    """What a result may share memory with: parameters, and names outside of the function.

    items: the same for each part, where the result is a tuple that is written out; together: pairs
    of parts, and of parts of these, by their numbers, that may share memory with each other: (0,)
    and (1, 0) of `return w, (w, 1)`; holds_twice: whether one list, dict or object may be in two
    places of it: `return [row] * 3`.
    """
    parameters: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    items: tuple[Origins, ...] | None = None
    together: frozenset[tuple[Place, Place]] = frozenset()
    holds_twice: bool = False


NEW = Origins()


def makes_grids(owner: Any) -> bool:
    """Whether an object makes an array of each index that it is given."""
    return owner is np.mgrid or owner is np.ogrid


# Expressions ------------------------------------------------------------------------------------
def bases_of(node: gast.expr, typer: Typer, facts: Inferred) -> tuple[list[str], bool | str]:
    """Names that a value may share memory with, and whether a shadow can mirror how: yes, no, or
    "decided" by whether it is a view as the program runs."""
    if isinstance(node, gast.Name):
        return [node.id], True
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        owner = typer.kind(node.value)
        if isinstance(owner, (Array, kinds.Numeric)):
            kind = typer.index_class(node.slice)
            if kind in ("mask", "array"):
                return [], True
            if kind != "basic" or not isinstance(owner, Array):
                return [node.value.id], False
            # Of an array of who knows how many dimensions it may be a number.
            item = typer.kind(node)
            return [node.value.id], isinstance(item, (Array, kinds.Number)) or "decided"
        return [node.value.id], False
    if isinstance(node, gast.Subscript) and makes_grids(typer.object_of(node.value)):
        return [], True
    if isinstance(node, gast.Attribute):
        owner = typer.kind(node.value)
        if node.attr in ("shape", "ndim", "size", "dtype") and isinstance(
                owner, (kinds.Number, Array, kinds.Numeric)):
            return [], True
        return roots_of(node.value), node.attr == "T" and isinstance(owner, Array)
    if isinstance(node, (gast.Tuple, gast.List, gast.Dict)):
        return roots_of(node), False
    if hasattr(node, "marker"):
        return sorted(syntax.read_names(node)), False
    if isinstance(node, gast.Call):
        function, receiver = facts.callees.get(id(node), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        arguments = ([receiver] if receiver is not None else []) + node.args
        if hasattr(node, "is_of_twin") and receiver is not None \
                and holds_numbers(typer.kind(receiver)):
            return [], True                 # which reads what it was given no more
        if registry.is_fresh(function) or typer.takes_keys(function, node) \
                or typer.makes_map(function, node):
            return [], True
        into = outs(node, function, receiver)
        if into:                                        # which is what is returned, too
            return sorted({n for part in into for n in roots_of(part)}), False
        if entry is not None and (entry.adjoint or entry.constant or entry.tangent):
            if not may_share(function, node, entry, typer):
                return [], True
            if hands_on_any(function, entry) or not arguments:
                everything = [a for a in arguments + [k.value for k in node.keywords]
                              if not isinstance(typer.kind(a), kinds.Known)]
                return [n for a in everything for n in roots_of(a)], False
            roots = roots_of(arguments[0])
            if len(roots) != 1 or not isinstance(arguments[0], gast.Name) \
                    or not isinstance(typer.kind(arguments[0]), Array):
                return roots, False
            if function in MIRRORED or (function in (np.asarray, np.asanyarray)
                                        and len(arguments) + len(node.keywords) == 1):
                return roots, True
            return roots, "decided" if function in DECIDED else False
        if getattr(node, "is_pure", False):
            return [], False
        found = typer.origins_of_call(node, function)
        if found is not None:
            return _of_call(found[0], found[1], function), False
        return _arguments(node, receiver), False
    if isinstance(node, gast.BinOp) and _may_join(node, typer):
        return sorted(roots_in(node)), False            # a new list, of the same items
    if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant, gast.JoinedStr)):
        return [], True
    return [n.id for n in syntax.walk(node) if isinstance(n, gast.Name)], False


@dataclass
class _Call:
    """A call of which the result is taken apart: what it is given, and the names that places of its
    result have got so far."""
    origins: Origins
    given: dict[str, gast.expr]
    function: Any
    names: dict[Place, list[str]] = field(default_factory=dict)

    def named(self, place: Place, names: list[str]) -> Iterator[tuple[str, str]]:
        """(name, other) of what has names by now that may share memory with what gets these."""
        for one, other in self.origins.together:
            for here, there in ((one, other), (other, one)):
                if _meet(place, here):
                    for known, others in self.names.items():
                        if _meet(known, there):
                            yield from _both_ways(names, others)
        self.names[place] = names


def _meet(one: Place, other: Place) -> bool:
    """Whether one place is the other, or in it."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


class Parts:
    """What is known of each part of a result, where a statement takes it apart."""

    def __init__(self, body: list[gast.stmt]) -> None:
        self.at_once: set[str] = set()          # names that are taken apart at once, and not read
        uses: dict[str, int] = {}               # elsewhere
        pairs: list[str] = []
        for block in (body, *(b for n in syntax.statements(body) for b in syntax.blocks_of(n))):
            bound: list[str] = []               # by the statement in front, or in front of such
            for node in block:
                if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple) \
                        and isinstance(node.value, gast.Name) and node.value.id in bound:
                    pairs.append(node.value.id)
                    bound += definitions(node)
                else:
                    bound = definitions(node) if isinstance(node, gast.Assign) else []
        for node in syntax.statements(body) if pairs else ():
            for name in syntax.names_in(head(node)):
                uses[name.id] = uses.get(name.id, 0) + 1
        self.at_once = {name for name in pairs if uses[name] == 2}
        self.known: dict[str, tuple[Origins, Place, _Call]] = {}

    def bases(self, node: gast.Assign, typer: Typer, facts: Inferred) -> Iterator[tuple[str, str]]:
        """(name, base) for what a statement binds: `y, saved = f(x)`, `a, b = y`."""
        target, value = node.targets[0], node.value
        function, _ = facts.callees.get(id(value), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        found = None
        if isinstance(value, gast.Name):
            found = self.known.get(value.id)
        elif isinstance(value, gast.Call) and entry is None and not hasattr(value, "marker"):
            known = typer.origins_of_call(value, function)
            found = None if known is None else (known[0], (), _Call(known[0], known[1], function))
        parts = None if found is None or not isinstance(target, gast.Tuple) else found[0].items
        if found is None or parts is None or len(parts) != len(target.elts):
            for base in bases_of(value, typer, facts)[0]:
                yield from ((name, base) for name in definitions(node))
            if isinstance(target, gast.Tuple) and found is not None:
                # Parts of what is known too little of may be one array.
                yield from _both_ways(definitions(node)[:1], definitions(node)[1:])
            return
        _, place, call = found
        for number, (part, origins) in enumerate(zip(target.elts, parts)):
            name = getattr(part, "id", "")
            if name in self.at_once and origins.items is not None:
                self.known[name] = (origins, (*place, number), call)
                continue
            for base in _of_call(origins, call.given, call.function):
                yield from ((name, base) for name in syntax.bound_names(part))
            yield from call.named((*place, number), syntax.bound_names(part))


def _both_ways(some: Iterable[str], others: Iterable[str]) -> Iterator[tuple[str, str]]:
    for one, other in itertools.product(some, others):
        yield from ((one, other), (other, one))


def _of_call(found: Origins, given: dict[str, gast.expr], function: Any) -> list[str]:
    """The names of the caller for what a result shares memory with; names from outside are told
    apart from those of the caller."""
    return [n for p in sorted(found.parameters) for n in roots_of(given[p])] \
        + [n if " of " in n else f"{n} of {function.__name__}" for n in sorted(found.outside)]


def _arguments(node: gast.Call, receiver: gast.expr | None) -> list[str]:
    everything = [*([] if receiver is None else [receiver]), *node.args,
                  *(k.value for k in node.keywords)]
    return [n for a in everything for n in roots_of(a)]


# Functions --------------------------------------------------------------------------------------
def origins(tree: gast.FunctionDef, facts: Inferred, typer: Typer) -> Origins:
    """What the result of a function in normal form may share memory with.

    What a name holds goes back to what it was bound to and to what was put into it, through any
    name of the same container. Arrays of numbers hold nothing but their memory.
    """
    flow = Flow(tree, facts, typer)
    last = tree.body[-1]
    if not isinstance(last, gast.Return) or last.value is None:
        return NEW
    parameters = set(syntax.parameter_names(tree.args))
    shown = last.value if isinstance(last.value, gast.Tuple) else flow.tuple_of(last.value)
    found = flow.origins_of(last.value, parameters) if shown is None else \
        flow.origins_of_tuple(shown, parameters)
    return replace(found, holds_twice=gives_one_twice(tree, facts, typer))


class Flow(Classes):
    """From where what each name holds may come."""

    def __init__(self, tree: gast.FunctionDef, facts: Inferred, typer: Typer) -> None:
        self.facts, self.parts = facts, Parts(tree.body)
        self.edges: dict[str, set[str]] = {}            # name -> what it may hold a part of
        self.puts: list[tuple[str, str]] = []           # (container, what is put into it)
        self.parent: dict[str, str] = {}                # names that may mean one container
        self.bound: dict[str, list[gast.stmt]] = {}
        for node in syntax.statements(tree.body):
            typer.names = facts.before.get(id(node), {})
            self.statement(node, typer)
        self.close()

    def statement(self, node: gast.stmt, typer: Typer) -> None:
        if isinstance(node, (gast.If, gast.While)):
            return
        if isinstance(node, gast.For):
            self.bind((t, n) for t in syntax.bound_names(node.target) for n in roots_in(node.iter))
            return
        for name in definitions(node):
            self.bound.setdefault(name, []).append(node)
        change = list_change(node, typer.names)
        target = syntax.target_of(node)
        if isinstance(target, (gast.Subscript, gast.Attribute)) or isinstance(
                node, gast.AugAssign):
            self.put(syntax.root_name(target), roots_in(node.value))
        elif isinstance(node, gast.Assign):
            if change is None and isinstance(node.value, gast.BinOp) and _may_join(
                    node.value, typer):
                self.bind((n, b) for n in definitions(node) for b in roots_in(node.value))
            else:
                self.bind(self.parts.bases(node, typer, self.facts))
        if change is not None:
            self.put(change.name, roots_in(change.item))
            return
        for call in self.facts.mentions[node].calls:
            if not hasattr(call, "marker") and self.may_put(call, typer):
                everything = roots_in(call)
                for name in everything:
                    self.put(name, everything)

    def may_put(self, call: gast.Call, typer: Typer) -> bool:
        """Whether a call may put one thing that it is given into another."""
        function, _ = self.facts.callees.get(id(call), (NO_OBJECT, None))
        if getattr(call, "is_pure", False) or isinstance(call.func, gast.Constant):
            return False
        if function is NO_OBJECT:
            return True
        entry = registry.lookup(function)
        if entry is not None:
            return bool(entry.writes)
        return not isinstance(function, type) and typer.origins_of_call(call, function) is None

    def bind(self, pairs: Iterable[tuple[str, str]]) -> None:
        for name, base in pairs:
            if self.holds(name) and self.holds(base):
                self.edges.setdefault(name, set()).add(base)

    def put(self, owner: str | None, items: set[str]) -> None:
        if owner is not None and self.contains(owner):
            self.puts += [(owner, item) for item in items if item != owner and self.holds(item)]

    def holds(self, name: str) -> bool:
        return may_hold_buffer(self.facts.names.get(name, kinds.UNKNOWN))

    def contains(self, name: str) -> bool:
        """Whether a name may mean something into which others can be put."""
        kind = self.facts.names.get(name, kinds.UNKNOWN)
        return may_hold_buffer(kind) and not (
            isinstance(kind, (Array, kinds.Numeric)) and kind.dtype in NUMBERS)

    def close(self) -> None:
        """What is put into a container is seen through each name of it."""
        pairs = [(a, b) for a, bases in self.edges.items() for b in bases] + self.puts
        for a, b in pairs:
            self.union(a, b)
        classes: dict[str, list[str]] = {}
        for name in {n for pair in pairs for n in pair}:
            if self.contains(name):
                classes.setdefault(self.find(name), []).append(name)
        for owner, item in self.puts:
            for name in classes[self.find(owner)]:
                self.edges.setdefault(name, set()).add(item)

    def reached(self, names: Iterable[str]) -> set[str]:
        """All names whose memory these may hold."""
        return reached(names, self.edges)

    def tuple_of(self, value: gast.expr) -> gast.Tuple | None:
        """The tuple that a name certainly means, if it is written out."""
        made = self.bound.get(value.id, []) if isinstance(value, gast.Name) else []
        shown = getattr(made[0], "value", None) if len(made) == 1 else None
        return shown if isinstance(shown, gast.Tuple) and not any(
            isinstance(e, gast.Starred) for e in shown.elts) else None

    def origins_of_tuple(self, shown: gast.Tuple, parameters: set[str]) -> Origins:
        items = tuple(self.origins_of(part, parameters) if one is None
                      else self.origins_of_tuple(one, parameters)
                      for part in shown.elts for one in [self.shown(part)])
        held = {place: self.reached(n for n in roots_in(part) if self.holds(n))
                for place, part in self.parts_of(shown)}
        together = frozenset(
            (one, other) for one, other in itertools.combinations(held, 2)
            if not (held[one] & held[other]).isdisjoint(self.bound))
        return Origins(frozenset().union(*(i.parameters for i in items)),
                       frozenset().union(*(i.outside for i in items)), items, together)

    def shown(self, part: gast.expr) -> gast.Tuple | None:
        """The tuple that a part of a result certainly is, if it is written out."""
        return part if isinstance(part, gast.Tuple) else self.tuple_of(part)

    def parts_of(self, shown: gast.Tuple) -> Iterator[tuple[Place, gast.expr]]:
        """The parts of a tuple, and of those that are tuples theirs instead."""
        for number, part in enumerate(shown.elts):
            inner = self.shown(part)
            if inner is None:
                yield (number,), part
            else:
                yield from (((number, *place), one) for place, one in self.parts_of(inner))

    def origins_of(self, value: gast.expr, parameters: set[str]) -> Origins:
        seen = self.reached(n for n in roots_in(value) if self.holds(n))
        return Origins(frozenset(seen & parameters),
                       frozenset(n for n in seen if n not in parameters and n not in self.bound))


def _may_join(node: gast.BinOp, typer: Typer) -> bool:
    """Whether an operation may make a container of what is in others: `xs + ys`, `2 * xs`."""
    if not isinstance(node.op, (gast.Add, gast.Mult, gast.BitOr)):
        return False
    plain = (Array, kinds.Numeric) if isinstance(node.op, gast.Mult) else \
        (Array, kinds.Numeric, kinds.Number)
    return not any(isinstance(typer.kind(side), plain) for side in (node.left, node.right))


def roots_in(node: gast.AST | None) -> set[str]:
    """All names in an expression that is none of a call of something known."""
    return set() if node is None else syntax.read_names(node)
