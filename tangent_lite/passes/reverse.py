"""Write the backward pass: the statements in reverse order, each as what it adds to adjoints.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import FLOAT, INT
>>> from tangent_lite.transform import stages
>>> def f(x, n):
...     for i in range(n):
...         x = x * x
...     return x
>>> for node in stages(f, wrt="x", x=FLOAT, n=INT).written.backward:
...     print(emit(node), end="")
bx = bf
for i in range(n - 1, -1, -1):
    x = x_tape.pop()
    # x = x * x
    bx = bx * x + bx * x

What is added where is the plan's; what was recorded is put back by the tapes, and which adjoints
exist stands in the ledger. An adjoint that a loop or a branch adds to exists before it.
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, runtime, shared_values, syntax
from tangent_lite.algebra import signed
from tangent_lite.kinds import Array, Kind, Number
from tangent_lite.known_kinds import Scopes, kinds_at
from tangent_lite.ledger import Context, Ledger, Spot, State
from tangent_lite.lists import place_back
from tangent_lite.liveness import definitions
from tangent_lite.markers import Marker, mark, marker_of, untied
from tangent_lite.paths import CONTAINERS, Path, items, order
from tangent_lite.ranges import backwards
from tangent_lite.steps import Contribution
from tangent_lite.syntax import COMPOUND, assign, binary, bound_names, call, load, subscript
from tangent_lite.tapes import Tapes
from tangent_lite.updates import changed_parts, fields_of_class, updates_of


@dataclass
class Reversed:
    """A forward pass with records, its backward pass, and the adjoints that were asked for."""
    forward: list[gast.stmt]
    backward: list[gast.stmt]
    results: list[gast.expr]
    zeroed: dict[Spot, set[str]]        # where zeros are made in the shape of which variables


def reverse(body: list[gast.stmt], value: gast.expr | None, seed: str, wrt: list[Path],
            context: Context) -> Reversed:
    """Both passes of a function: its body, the value it returns, the name of that's adjoint."""
    writer = _Reverse(context)
    typer, names = context.typer, context.facts.names
    forward = [assign(n, gast.Constant(None, None)) for n in context.records.undefined]
    forward += writer.tapes.forward(body)
    typer.names = names
    ledger = writer.ledger
    state: State = {}
    ledger.state = state
    if value is not None:
        writer.seed(value, load(seed))
    backward = [n for n in ledger.out if not _says_nothing(n)]
    backward += writer.backward(body, state)
    ledger.state, ledger.out = state, backward
    typer.names = names
    ledger.spot = ("start", id(body))
    results = [ledger.whole(path, ledger.kind_of_path(path)) for path in wrt]
    return Reversed(forward, backward, results, ledger.zeroed)


class _Reverse:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.ledger = Ledger(context)
        self.tapes = Tapes(context.records, context.fresh, context.external)
        self.counter: str | None = None         # of reversed loops that count steps only
        self.shown: tuple[int, int] | None = None
        self.kinds: dict[str, Kind] = {}

    def seed(self, node: gast.expr, value: gast.expr) -> None:
        """Hand the adjoint of what is returned to the adjoints of the variables in it."""
        if isinstance(node, (gast.Tuple, gast.List)):
            for number, part in enumerate(node.elts):
                self.seed(part, subscript(syntax.copy(value), syntax.constant(number)))
        elif isinstance(node, gast.Dict):
            for key, part in zip(node.keys, node.values):
                self.seed(part, subscript(syntax.copy(value), syntax.copy(key)))
        elif isinstance(node, gast.Name) and node.id in self.context.active:
            self.ledger.receive(node.id, value)

    def backward(self, block: list[gast.stmt], state: State) -> list[gast.stmt]:
        """The backward pass of a block; the state is changed to what holds in front of it."""
        outer, self.ledger.out = self.ledger.out, []
        outer_state, self.ledger.state = self.ledger.state, state
        records = self.context.records
        for name in reversed(records.starts.get(id(block), []) + records.ends.get(id(block), [])):
            taken = self.tapes.taken(name, load(self.tapes.tape(name)))
            self.ledger.out.append(assign(name, taken))
        for node in reversed(block):
            before = len(self.ledger.out)
            self.statement(node)
            syntax.serve(self.ledger.out[before:], node)
        out, self.ledger.out = self.ledger.out, outer
        self.ledger.state = outer_state
        self.shown = None
        return out

    def statement(self, node: gast.stmt) -> None:
        context = self.context
        marker = marker_of(node)
        if marker is not None and marker.mirrored:
            self.mirror(node, marker)
        step = context.steps.get(id(node))
        restores = self.tapes.restore(node)
        again = [syntax.copy(s) for s in context.records.again.get(id(node), ())]
        self.ledger.spot = ("behind" if isinstance(node, COMPOUND) else "at", id(node))
        if isinstance(node, COMPOUND):
            self.ledger.out += again
            if id(node) in context.records.alive:
                if isinstance(node, gast.If):
                    self.branch(node)
                else:
                    self.loop(node)
            self.ledger.out += restores
            return
        if step is not None and step.reads_result:
            # Its own operands are what they were, so all that is computed again may come first.
            self.ledger.out += again
            self.adjoint(node, step)
            self.ledger.out += restores
            return
        if step is not None and step.kind == "list_pop" and (
                self.ledger.parts(step.change.item.id)):
            self.ledger.exists((step.change.name,))     # as long as the list is behind the pop
        first = self.for_restoring(node, again)
        held = [syntax.copy(s) for s in context.records.held.get(id(node), ())]
        self.ledger.out += first + held + restores + [n for n in again if n not in first]
        if step is not None:
            self.adjoint(node, step)

    def mirror(self, node: gast.Expr, marker: Marker) -> None:
        """The backward pass enters what the forward pass left, and leaves what it entered."""
        if marker.kind == "exit":
            again = mark(replace(marker, kind="enter"), syntax.copy(marker.manager))
        else:
            again = mark(replace(marker, kind="exit"))
        self.ledger.out.append(gast.Expr(again))

    def for_restoring(self, node: gast.stmt, again: list[gast.stmt]) -> list[gast.stmt]:
        """What is computed again and putting back a part of a buffer needs: the buffer, the index.
        """
        needed: set[str] = set()
        for save in self.context.records.saves.get(id(node), ()):
            if save.buffer:
                needed.add(save.name)
                if save.index is not None:
                    needed |= syntax.read_names(save.index)
        found: list[gast.stmt] = []
        for one in self.context.records.held.get(id(node), ()):
            needed |= syntax.read_names(one.value)
        for one in reversed(again):
            if set(bound_names(one.targets[0])) & needed:
                found.insert(0, one)
                needed |= syntax.read_names(one.value)
        return found

    def adjoint(self, node: gast.stmt, step: Any) -> None:
        """What one statement adds."""
        self.context.typer.names = self.names_at(node)
        before = len(self.ledger.out)
        getattr(self, f"_{step.kind}")(node, step)
        spot = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
        if len(self.ledger.out) > before and spot != self.shown:
            self.shown = spot
            text = self.context.comment(node)
            if text:
                self.ledger.out.insert(before, syntax.comment(text))

    def names_at(self, node: gast.stmt) -> Scopes:
        return kinds_at(self.context.facts, id(node), self.kinds, self.context.adjoint_kinds)

    def _constant(self, node: gast.stmt, step: Any) -> None:
        self.ledger.drop(step.target)

    def _overwritten(self, node: gast.Assign, step: Any) -> None:
        """Names unpacked from a constant: what was to come for them ends here."""
        for name in syntax.bound_names(node.targets[0]):
            self.ledger.drop(name)

    def _rule(self, node: gast.stmt, step: Any) -> None:
        kind = self.ledger.kind(step.target)
        if isinstance(kind, CONTAINERS):
            # Its parts have adjoints of their own, and the rule reads that of the whole.
            if not self.ledger.parts(step.target):
                return
            step = self.with_parts(step, self.ledger.whole((step.target,), kind))
        elif not self.ledger.present((step.target,)):
            return
        own = [c for c in step.contributions if c.name == step.target]
        others = [c for c in step.contributions if c.name != step.target]
        if own:
            shared_values.start(self.ledger, step.locals)
        shared_values.add_all(self.ledger, [] if own else step.locals, _merged(others))
        own = _merged(own)
        plain = len(own) == 1 and own[0].index is None and (
            not self.ledger.is_shadow(step.target) or self.ledger.is_fresh(own[0].value))
        if not plain:
            # The adjoint is about to be bound anew: what is read of it is computed first.
            own = [replace(c, value=self.by_value(c)) for c in own]
        self.ledger.drop(step.target)
        for contribution in own:
            self.ledger.add(contribution)

    def with_parts(self, step: Any, whole: gast.expr) -> Any:
        """A step that reads the adjoints of the parts of its result where it read parts of the
        whole, which is put together only if it is still read then."""
        name = self.context.adjoints[step.target]
        swap = _Parts(name, whole.elts if isinstance(whole, gast.Tuple) else [])
        step = replace(
            step, locals=[(n, swap.visit(syntax.copy(v))) for n, v in step.locals],
            contributions=[replace(c, value=swap.visit(syntax.copy(c.value)))
                           for c in step.contributions])
        values = [*(v for _, v in step.locals), *(c.value for c in step.contributions)]
        if any(name in syntax.read_names(value) for value in values):
            self.ledger.out.append(assign(name, whole))
        return step

    def by_value(self, contribution: Contribution) -> gast.expr:
        """A name for what a contribution adds, so that adjoints may change before it is added."""
        adjoint = self.context.adjoints[contribution.name]
        local = self.context.fresh(f"{adjoint}_part")
        self.ledger.out.append(assign(local, contribution.value))
        self.ledger.know({local: self.context.typer.kind(contribution.value)})
        return load(local)

    _item = _rule

    def _copy(self, node: gast.stmt, step: Any) -> None:
        source = step.contributions[0].name
        if self.ledger.is_view(step.target):
            self.ledger.drop(step.target)
            return
        if step.target in self.context.twins:
            # A new array that gets its variable: the shadow is its adjoint.
            self.ledger.add(Contribution(source, load(self.context.adjoints[step.target])))
            return
        for path in self.ledger.parts(step.target):
            self.ledger.move(path, (source, *path[1:]))

    def _part(self, node: gast.stmt, step: Any) -> None:
        contribution = step.contributions[0]
        for path in self.ledger.parts(step.target):
            self.ledger.move(path, (contribution.name, *contribution.steps, *path[1:]))

    def _element(self, node: gast.stmt, step: Any) -> None:
        contribution = step.contributions[0]
        parts = self.ledger.parts(step.target)
        if not parts or contribution.name not in self.context.active:
            self.ledger.drop(step.target)
            return
        self.ledger.exists((contribution.name,))
        for path in parts:
            owner = load(self.context.adjoints[contribution.name])
            adjoint = load(self.ledger.name_of(path))
            if self.ledger.is_list(path[0]) and not isinstance(
                    self.context.typer.kind(contribution.index), kinds.Number):
                self.ledger.add_list(owner, syntax.copy(contribution.index), adjoint)
                continue
            spot: gast.expr = subscript(owner, syntax.copy(contribution.index))
            for one in path[1:]:
                spot = subscript(spot, syntax.constant(one[1]))
            self.ledger.add_item(spot, adjoint, self.ledger.kind_of_path(path))
        self.ledger.drop(step.target)

    def _unpack(self, node: gast.stmt, step: Any) -> None:
        for contribution in step.contributions:
            if contribution.index is not None and self.ledger.is_list(contribution.name):
                name = next(n for n, b in self.context.adjoints.items()
                            if b == contribution.value.id)
                if (name,) in self.ledger.state:
                    self.ledger.exists((contribution.name,))
                    spot = subscript(load(self.context.adjoints[contribution.name]),
                                     syntax.copy(contribution.index))
                    self.ledger.add_item(spot, contribution.value, self.ledger.kind(name))
                    self.ledger.drop(name)
                continue
            if contribution.index is not None:
                name = next(n for n, b in self.context.adjoints.items()
                            if b == contribution.value.id)
                if (name,) in self.ledger.state:
                    self.ledger.add(contribution)
                    self.ledger.drop(name)
                continue
            name = next(n for n, b in self.context.adjoints.items() if b == contribution.value.id)
            for path in self.ledger.parts(name):
                self.ledger.move(path, (contribution.name, *contribution.steps, *path[1:]))

    def _build(self, node: gast.Assign, step: Any) -> None:
        value = node.value
        moves: list[tuple[Path, str]] = []
        rest: list[tuple[Path, Path]] = []          # parts that an update leaves as they are

        def visit(part: gast.expr, path: Path) -> None:
            if updates_of(part) is not None:
                changed = dict(changed_parts(part))
                for inner, _ in items(self.ledger.kind(step.target)):
                    if inner not in changed:
                        rest.append(((*path, inner), (updates_of(part), inner)))
                for inner, one in changed.items():
                    visit(one, (*path, inner))
            elif isinstance(part, gast.Call):
                function, _ = self.context.typer.callee(part)
                given = fields_of_class(function, len(part.args), [k.arg for k in part.keywords])
                for field, one in zip(given or [], [*part.args,
                                                  *(k.value for k in part.keywords)]):
                    inner = ("[", function._fields.index(field)) if issubclass(function, tuple) \
                        else (".", field)
                    visit(one, (*path, inner))
            elif isinstance(part, (gast.Tuple, gast.List)):
                for number, one in enumerate(part.elts):
                    visit(one, (*path, ("[", number)))
            elif isinstance(part, gast.Dict):
                for key, one in zip(part.keys, part.values):
                    visit(one, (*path, ("[", key.value)))
            elif isinstance(part, gast.Name):
                moves.append((path, part.id))

        visit(value, (step.target,))
        if self.ledger.is_list(step.target):
            if (step.target,) in self.ledger.state:
                for path, name in moves:
                    if name in self.context.active:
                        part: gast.expr = load(self.context.adjoints[step.target])
                        for one in path[1:]:
                            part = subscript(part, syntax.constant(one[1]))
                        self.ledger.receive(name, part, True)
                self.ledger.drop(step.target)
            return
        for path, name in moves:
            if name not in self.context.active:
                continue
            for above in (path[:n] for n in range(1, len(path)) if path[:n] in self.ledger.state):
                # A list that is written in a tuple has its adjoint as a whole.
                taken: gast.expr = load(self.ledger.name_of(above))
                for one in path[len(above):]:
                    taken = subscript(taken, syntax.constant(one[1]))
                self.ledger.receive(name, taken, True)
            for part in self.ledger.parts_of(path):
                self.ledger.move(part, (name, *part[len(path):]))
        if rest:
            self.leave(step.target, rest)
            return
        for path in self.ledger.parts(step.target):
            del self.ledger.state[path]

    def leave(self, name: str, rest: list[tuple[Path, Path]]) -> None:
        """What an update leaves as it is: from a name to another, or to itself."""
        kept = {part for path, _ in rest for part in self.ledger.parts_of(path)}
        for path, source in rest:
            for part in self.ledger.parts_of(path):
                target = (*source, *part[len(path):])
                if target != part and source[0] in self.context.active:
                    self.ledger.move(part, target)
        for part in self.ledger.parts(name):
            if part not in kept:
                del self.ledger.state[part]

    def _view(self, node: gast.stmt, step: Any) -> None:
        if step.contributions and (step.target,) in self.ledger.state:
            # It may be a copy after all, and then it has a shadow of its own.
            base = self.context.adjoints[step.contributions[0].name]
            shares = call(syntax.attribute(self.context.external(np, "np"), "may_share_memory"),
                          load(self.context.adjoints[step.target]), load(base))
            outer, self.ledger.out = self.ledger.out, []
            for contribution in step.contributions:
                self.ledger.add(contribution)
            body, self.ledger.out = self.ledger.out, outer
            self.ledger.out.append(gast.If(gast.UnaryOp(gast.Not(), shares), body, []))
        self.ledger.drop(step.target)

    def _write(self, node: gast.stmt, step: Any) -> None:
        name = step.target
        if not self.ledger.present((name,)):
            return
        self.ledger.own(name)
        shared_values.start(self.ledger, step.locals)
        spot = subscript(load(self.context.adjoints[name]), syntax.copy(step.index), gast.Store())
        self.ledger.out.append(assign(spot, gast.Constant(0.0, None)))
        for contribution in step.contributions:
            self.ledger.add(contribution)

    def _list_append(self, node: gast.stmt, step: Any) -> None:
        self.taken_out(step, [])

    def _list_insert(self, node: gast.stmt, step: Any) -> None:
        self.taken_out(step, [syntax.copy(step.index)])

    def taken_out(self, step: Any, place: list[gast.expr]) -> None:
        """What went into a list comes out of its adjoint."""
        name = step.change.name
        if not self.ledger.present((name,)):
            return                              # nothing has arrived for the list, or for the item
        value = syntax.method(load(self.context.adjoints[name]), "pop", *place)
        item = step.change.item
        if not isinstance(item, gast.Name) or item.id not in self.context.active:
            self.ledger.out.append(syntax.statement(value))
            return
        self.receive_item(item.id, value)

    def _list_join(self, node: gast.stmt, step: Any) -> None:
        if not self.ledger.present((step.target,)):
            return
        adjoint = load(self.context.adjoints[step.target])
        self.ledger.drop(step.target)
        start: gast.expr | None = None
        for name in step.parts:
            if name in self.context.active:
                self.ledger.exists((name,))
                value = syntax.copy(adjoint)
                if start is not None:
                    value = subscript(value, gast.Slice(syntax.copy(start), None, None))
                self.ledger.add_list(load(self.context.adjoints[name]),
                                     gast.Slice(None, None, None), value)
            length = call(load("len"), load(name))
            start = length if start is None else binary(start, "+", length)

    def receive_item(self, name: str, value: gast.expr) -> None:
        if isinstance(self.ledger.kind(name), (*CONTAINERS, kinds.ListKind)):
            local = self.context.fresh(f"{self.context.adjoints[name]}_part")
            self.ledger.out.append(assign(local, value))
            value = load(local)
        self.ledger.receive(name, value, True)

    def _list_pop(self, node: gast.stmt, step: Any) -> None:
        name, item = step.change.name, step.change.item.id
        if not self.ledger.present((name,)):
            return                              # nothing has arrived for the list, or for the item
        kind = self.ledger.kind(item)
        if isinstance(kind, CONTAINERS) and not self.ledger.is_list(item):
            value = self.put_together(name, item, kind)
        elif item in self.context.active and (item,) in self.ledger.state:
            self.ledger.own(item)
            value = load(self.context.adjoints[item])
        else:
            value = self.ledger.zeros((item,))
        self.ledger.drop(item)
        adjoint = self.context.adjoints[name]
        place = [] if step.index is None else [place_back(step.index, adjoint)]
        self.ledger.out.append(syntax.statement(syntax.method(
            load(adjoint), "insert" if place else "append", *place, value)))

    def put_together(self, owner: str, item: str, kind: Kind) -> gast.expr:
        """A name for the adjoint of a container that goes into a list of adjoints; where parts of
        what is in the list are read, it is made of lists, to which they can add."""
        read = any(step.kind == "element" and step.contributions[0].name == owner
                   for step in self.context.steps.values())

        def visit(path: Path, kind: Kind) -> gast.expr:
            if not isinstance(kind, CONTAINERS):
                if path in self.ledger.state and not self.ledger.state[path] \
                        and not isinstance(kind, Number):
                    return self.ledger.copy_of(self.ledger.name_of(path), kind)
                return self.ledger.whole(path, kind)
            parts = [(step, visit((*path, step), part)) for step, part in items(kind)]
            if isinstance(kind, kinds.TupleKind):
                values = [value for _, value in parts]
                return gast.List(values, gast.Load()) if read else syntax.tuple_of(values)
            return gast.Dict([gast.Constant(step[1], None) for step, _ in parts],
                             [value for _, value in parts])

        local = self.context.fresh(f"{self.context.adjoints[item]}_whole")
        self.ledger.out.append(assign(local, visit((item,), kind)))
        return load(local)

    def _list_set(self, node: gast.stmt, step: Any) -> None:
        name, item = step.change.name, step.change.item
        self.ledger.exists((name,))
        spot = subscript(load(self.context.adjoints[name]), syntax.copy(step.index))
        if isinstance(item, gast.Name) and item.id in self.context.active:
            local = self.context.fresh(f"{self.context.adjoints[name]}_part")
            self.ledger.out.append(assign(local, spot))
            self.ledger.know({local: self.ledger.kind(item.id)})
        target = syntax.copy(spot)
        target.ctx = gast.Store()
        owner: Any = self.ledger.kind(name)
        number = isinstance(owner.item, Number)
        zero: gast.expr = gast.Constant(0.0, None) if number else call(
            self.context.external(runtime.zeros_like, "zeros_like"),
            subscript(load(name), syntax.copy(step.index)))
        self.ledger.out.append(assign(target, zero))
        if isinstance(item, gast.Name) and item.id in self.context.active:
            self.ledger.receive(item.id, load(local), True)

    def _list_put(self, node: gast.stmt, step: Any) -> None:
        name, item = step.change.name, step.change.item
        if not self.ledger.present((name,)):
            return
        adjoint = load(self.context.adjoints[name])
        value = syntax.method(adjoint, "pop", syntax.copy(step.index))
        active = isinstance(item, gast.Name) and item.id in self.context.active
        if active:
            local = self.context.fresh(f"{adjoint.id}_part")
            self.ledger.out.append(assign(local, value))
            self.ledger.know({local: self.ledger.kind(item.id)})
        else:
            self.ledger.out.append(syntax.statement(value))
        helper = self.context.external(runtime.zero_at, "zero_at")
        self.ledger.out.append(syntax.statement(call(
            helper, load(adjoint.id), syntax.copy(step.index), load(name))))
        if active:
            self.ledger.receive(item.id, load(local), True)

    def _increment(self, node: gast.stmt, step: Any) -> None:
        if not self.ledger.present((step.target,)):
            return
        self.ledger.exists((step.target,))          # a view of a shadow may not be bound yet
        shared_values.start(self.ledger, step.locals)
        for contribution in step.contributions:
            self.ledger.add(contribution)

    def _scale(self, node: gast.stmt, step: Any) -> None:
        """`x *= v` on an array: the adjoint is scaled in place."""
        name = step.target
        if not self.ledger.present((name,)):
            return
        self.ledger.own(name)
        own = next(c for c in step.contributions if c.name == name)
        shared_values.start(self.ledger, step.locals)
        later = []
        for contribution in step.contributions:
            if contribution is not own:
                # By value, before the adjoint changes: v may be x itself, or a view of it.
                local = self.context.fresh(f"{self.context.adjoints[contribution.name]}_part")
                self.ledger.out.append(assign(local, contribution.value))
                self.ledger.know({local: self.context.typer.kind(contribution.value)})
                later.append(replace(contribution, value=load(local)))
        adjoint = self.context.adjoints[name]
        value = own.value
        if isinstance(value, gast.BinOp) and isinstance(value.left, gast.Name) \
                and value.left.id == adjoint:
            self.ledger.out.append(gast.AugAssign(syntax.store(adjoint), value.op, value.right))
        else:
            spot = subscript(load(adjoint), gast.Constant(Ellipsis, None), gast.Store())
            self.ledger.out.append(assign(spot, value))
        for contribution in later:
            self.ledger.add(contribution)

    def _pair(self, node: gast.Assign, step: Any) -> None:
        pair = step.pair
        target = node.targets[0].elts[0]
        seed = self.seed_of(target)
        if seed is None and not pair.shadows:
            return
        results: list[str] = []
        results_of: set[str] = set()
        given: list[str] = []               # those that the call itself assigns
        later: list[tuple[Any, str]] = []
        for _, name in pair.active:
            direct = not self.ledger.present((name,)) and name not in results_of and not isinstance(
                self.ledger.kind(name), CONTAINERS) and not self.ledger.is_shadow(name) \
                and not self.ledger.is_list(name) and name not in bound_names(target)
            results_of.add(name)
            if direct:
                adjoint = self.context.adjoints[name]
                given.append(name)
            else:
                adjoint = self.context.fresh(self.context.adjoints[name] + "_1")
                later.append((name, adjoint))
            results.append(adjoint)
            self.kinds[adjoint] = self.ledger.kind(name)
        value = call(pair.backward, load(pair.saved), seed)
        if len(results) == 1:
            self.ledger.out.append(assign(results[0], value))
        else:
            targets = syntax.tuple_of(map(syntax.store, results), gast.Store())
            self.ledger.out.append(assign(targets, value))
        for name in bound_names(target):
            self.ledger.drop(name)
        for name in given:
            self.ledger.state[(name,)] = isinstance(self.ledger.kind(name), Number)
        for name, adjoint in later:
            self.ledger.know({adjoint: self.ledger.kind(name)})
            self.ledger.receive(name, load(adjoint))

    def seed_of(self, target: gast.expr) -> gast.expr | None:
        """The adjoint of what a call was assigned to; None where nothing arrived."""
        if isinstance(target, gast.Name) and target.id in self.context.twins:
            return load(self.context.adjoints[target.id])
        if isinstance(target, gast.Tuple):
            if not any(self.ledger.parts(n) for n in bound_names(target)):
                return None
            return syntax.tuple_of(self.ledger.whole((n,), self.ledger.kind(n))
                                   for n in bound_names(target))
        if not self.ledger.parts(target.id):
            return None
        return self.ledger.whole((target.id,), self.ledger.kind(target.id))

    def prepare(self, paths: set[Path], bound: set[str], before: frozenset[str]) -> None:
        """Let those adjoints exist that a branch or loop adds to and that live outside it."""
        self.context.typer.names = {}
        for path in sorted((p for p in paths if p[0] not in bound or p[0] in before), key=order):
            self.ledger.exists(path)

    def branch(self, node: gast.If) -> None:
        bound = self.ledger.bound_in(node.body) | self.ledger.bound_in(node.orelse)
        before = self.context.live.before[id(node)]
        ways = self.ledger.touched(node.body), self.ledger.touched(node.orelse)
        # Where both ways add to a number or an array, the one that is taken makes its adjoint.
        missing = {p for p in ways[0] | ways[1] if p not in self.ledger.state and not (
            p in ways[0] & ways[1] and self.is_made_at_once(p, node))}
        self.prepare(missing, bound, frozenset())
        one, other = dict(self.ledger.state), dict(self.ledger.state)
        self.ledger.depth += 1
        body = self.backward(node.body, one)
        orelse = self.backward(node.orelse, other)
        self.ledger.depth -= 1
        self.context.typer.names = {}
        for path in sorted(set(one) | set(other), key=order):
            if path in one and path in other:
                if one[path] != other[path] and path[0] in self.ledger.kept:
                    (orelse if one[path] else body).append(self.ledger.copy(path[0]))
                    one[path] = other[path] = True
                one[path] = other[path] = one[path] and other[path]
                continue
            if path[0] in bound and path[0] not in before:
                one.pop(path, None)
                other.pop(path, None)
                continue
            if self.ledger.is_view(path[0]):
                # A view of a shadow is bound in the one way only: bound again where it is needed.
                one.pop(path, None)
                other.pop(path, None)
                continue
            lacks, block = (orelse, node.orelse) if path in one else (body, node.body)
            self.ledger.spot = ("start", id(block))
            lacks.append(self.ledger.clear(path))
            one[path] = other[path] = one.get(path, True) and other.get(path, True)
        self.ledger.state.clear()
        self.ledger.state.update(one)
        if not body and not orelse:
            return
        test = untied(syntax.copy(node.test))
        if not body:
            test, body, orelse = syntax.negated(test), orelse, []
        self.ledger.out.append(gast.If(test, body, orelse))

    def is_made_at_once(self, path: Path, node: gast.If) -> bool:
        """Whether an adjoint may begin with a contribution in a branch: it is a number, or an array
        to which no parts are added."""
        if isinstance(self.ledger.kind_of_path(path), Number):
            return True
        name, aliases = path[0], self.context.aliases
        return len(path) == 1 and isinstance(self.ledger.kind(name), Array) \
            and not (self.ledger.is_view(name) or self.ledger.is_shadow(name)) \
            and not (name in aliases.laid_out or name in self.context.twins) \
            and name not in self.ledger.written(node.body) | self.ledger.written(node.orelse)

    def loop(self, node: gast.For | gast.While) -> None:
        bound = self.ledger.bound_in(node.body)
        head = self.context.live.head[id(node)]
        touched = {p for p in self.ledger.touched(node.body) if p[0] not in bound or p[0] in head}
        touched |= {(n,) for n in bound & head if n in self.context.active
                    and n not in self.context.twins
                    and not isinstance(self.ledger.kind(n), CONTAINERS)}
        self.prepare({p for p in touched if p not in self.ledger.state}, bound, head)
        # A copy inside the loop would cost an array for each element: copied once, in front of it,
        # and again only where the loop itself gives the adjoint another array.
        written = [n for n in sorted(self.ledger.written(node.body)) if (n,) in self.ledger.state]
        for name in written:
            self.ledger.own(name)
        kept = self.ledger.kept
        self.ledger.kept = kept | set(written)
        inner: State = {}
        rebound = self.rebound(node)
        for path, owned in self.ledger.state.items():
            inner[path] = owned and (path[0] not in rebound or path[0] in self.ledger.kept)
        start = dict(inner)
        again = self.run_again(node)
        self.ledger.depth += 1
        body = self.backward(node.body, inner)
        self.ledger.depth -= 1
        self.context.typer.names = {}
        self.ledger.spot = ("start", id(node.body))
        for path in sorted(start, key=order):
            if path not in inner:
                body.append(self.ledger.clear(path))
            elif start[path] and not inner[path]:
                if path[0] in self.ledger.kept:
                    body.append(self.ledger.copy(path[0]))
                else:
                    start[path] = False
        for name, value in self.context.records.exits.get(id(node), {}).items():
            body.append(assign(name, syntax.constant(not value)))
        self.ledger.kept = kept
        self.ledger.state.clear()
        self.ledger.state.update(start)
        if isinstance(node, gast.While):
            iterator = call(load("range"), self.tapes.steps(node))
            target = self.unused_counter()
        else:
            target = syntax.copy(node.target)
            iterator = backwards(node, self.tapes.steps(node))
        made = gast.For(target, iterator, body or [gast.Pass()], [], None)
        if again is not None:
            made = self.tapes.segments_of(node).piece(again, made)
            self.tapes.scope = self.tapes.scope[:-1]
        self.ledger.out.append(made)

    def run_again(self, node: gast.For | gast.While) -> list[gast.stmt] | None:
        """The steps of a loop with checkpoints as they are run again, and their tapes in front."""
        if id(node) not in self.context.records.segments:
            return None
        assert isinstance(node, gast.For)
        if self.ledger.depth:           # the number of steps may be another each time
            self.ledger.out.append(self.tapes.segments_of(node).measure())
        self.tapes.scope += (id(node),)
        tapes = self.tapes.tapes_again(node)
        self.ledger.out += [assign(tape, gast.List([], gast.Load())) for tape in tapes]
        return self.tapes.again(node)

    def rebound(self, node: gast.stmt) -> set[str]:
        """Names that a loop binds anew; `x *= 2` on an array is a write, and its adjoint stays."""
        facts = self.context.facts
        found: set[str] = set()
        for one in syntax.statements([node]):
            if isinstance(one, gast.For):
                found.update(bound_names(one.target))
            elif isinstance(one, gast.AugAssign) and isinstance(one.target, gast.Name):
                if not isinstance(facts.before[id(one)].get(one.target.id), Array):
                    found.add(one.target.id)
            elif not isinstance(one, COMPOUND):
                found.update(definitions(one))
        return found

    def unused_counter(self) -> gast.expr:
        if self.counter is None:
            self.counter = self.context.fresh("_")
        return syntax.store(self.counter)


def _says_nothing(node: gast.stmt) -> bool:
    """`bf = bf`: the seed has the name of the adjoint already."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and isinstance(node.value, gast.Name) and node.value.id == node.targets[0].id


def _merged(contributions: list[Any]) -> list[Any]:
    """Contributions to one adjoint as one sum: `y * y` adds `by2 * y + by2 * y`."""
    found: dict[str, Any] = {}
    out: list[Any] = []
    for one in contributions:
        if one.index is not None or one.steps:
            out.append(one)
        elif one.name in found:
            spot = out.index(found[one.name])
            operator, value = signed(one.value)
            out[spot] = found[one.name] = replace(out[spot], value=binary(
                out[spot].value, operator, value))
        else:
            found[one.name] = one
            out.append(one)
    return out


class _Parts(syntax.Transformer):
    """`bx[0]` becomes the first of the parts."""

    def __init__(self, name: str, parts: list[gast.expr]) -> None:
        self.name, self.parts = name, parts

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        number = getattr(node.slice, "value", None)
        if getattr(node.value, "id", None) == self.name and type(number) is int \
                and 0 <= number < len(self.parts):
            return syntax.copy(self.parts[number])
        return self.generic_visit(node)
