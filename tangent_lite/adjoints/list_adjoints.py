"""What the adjoints of statements add that change a list: its adjoint is a list, changed alike."""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, runtime, syntax
from tangent_lite.adjoints.paths import CONTAINERS, Path, items, zero_of
from tangent_lite.adjoints.statement_adjoints import StatementAdjoints
from tangent_lite.kinds import Kind, Number
from tangent_lite.names import stem
from tangent_lite.result_kinds import numbers_in
from tangent_lite.structures.lists import last_deleted, last_of, place_back, place_in
from tangent_lite.structures.nested import put_at, swap
from tangent_lite.syntax import assign, binary, call, load, subscript


class ListAdjoints(StatementAdjoints):
    """Adjoints of statements, those that change a list included."""

    def _list_append(self, node: gast.stmt, step: Any) -> None:
        self.taken_out(step, [])

    def _list_insert(self, node: gast.stmt, step: Any) -> None:
        self.taken_out(step, [place_in(step.index, self.context.adjoints[step.change.name])])

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
        owner = getattr(self.ledger.kind(name), "item", kinds.UNKNOWN)
        self.receive_item(item.id, value, owner, self.later(name))

    def later(self, name: str, index: gast.expr | None = None) -> Kind:
        """What a list or a dict, or one inside it at an index, holds wherever it is."""
        kind = self.ledger.kind_of_path_joined((name,))
        return getattr(kind if index is None else put_at(kind, index), "item", kinds.UNKNOWN)

    def _list_grow(self, node: gast.stmt, step: Any) -> None:
        """What went into a list in a dict or in a list comes out of its adjoint."""
        name, item = step.change.name, step.change.item
        if not self.ledger.present((name,)):
            return
        adjoint, kind = self.context.adjoints[name], self.ledger.kind(name)
        if isinstance(item, gast.Name) and item.id in self.context.active:
            inner = getattr(put_at(kind, step.index), "item", kinds.UNKNOWN)
            self.receive_item(item.id, last_of(adjoint, step.index), inner,
                              self.later(name, step.index))
        self.ledger.out.append(last_deleted(adjoint, step.index))

    def _list_join(self, node: gast.stmt, step: Any) -> None:
        if not self.ledger.present((step.target,)):
            return
        both = (step.target, *step.parts)
        if len(set(both)) == 2 == len(both) and all(
                isinstance(self.ledger.kind(n), kinds.ListKind) for n in both):
            self.ledger.move((step.target,), (step.parts[0],))
            return
        adjoint = load(self.context.adjoints[step.target])
        if step.target in step.parts:           # l = l + m: its adjoint is about to be bound anew
            adjoint = load(self.held((step.target,), node))
        elif not isinstance(real := self.real_behind(node, (step.target,)), gast.Name):
            self.ledger.out.append(assign(adjoint, real))
        self.ledger.drop(step.target)
        start: gast.expr | None = None
        for number, name in enumerate(step.parts):
            length = call(load("len"), load(name))
            if name in self.context.active:
                self.ledger.exists((name,))
                value = syntax.copy(adjoint)
                if start is not None:
                    value = subscript(value, gast.Slice(syntax.copy(start), None, None))
                # What is left over is for parts that do not vary: it cannot be the adjoint of this
                # one (see numbers_in_lists).
                others = step.parts[number + 1:]
                stop = syntax.copy(length) if others and not any(
                    n in self.context.active for n in others) else None
                self.ledger.add_list(load(self.context.adjoints[name]),
                                     gast.Slice(None, stop, None), value)
            start = length if start is None else binary(start, "+", length)

    def receive_item(self, name: str, value: gast.expr, owner: Kind, later: Kind) -> None:
        """Add to the adjoint of a variable what came out of a list of adjoints, where it lay alone;
        owner: what that list holds in front of the statement, later: and wherever it is. The
        variable itself tells whether only real parts count: `xs[0] = z` may change what it holds.
        """
        value = self.ledger.real_of(value, self.ledger.kind(name), later)
        if self.is_whole(name, owner):
            self.ledger.out.append(assign(self.context.adjoints[name], value))
            self.ledger.state[name,] = True
            return
        if isinstance(self.ledger.kind(name), (*CONTAINERS, kinds.ListKind)):
            local = self.context.fresh(f"{stem(self.context.adjoints[name])}_part")
            self.ledger.out.append(assign(local, value))
            self.ledger.know({local: owner})
            value = load(local)
        self.receive_parts(name, value, later)

    def receive_parts(self, name: str, value: gast.expr, later: Kind) -> None:
        """Add to the adjoints of the parts of a variable, if it has parts, else to its own."""
        has_parts = isinstance(self.ledger.kind(name), CONTAINERS)
        self.ledger.receive(name, value, True, later if has_parts else kinds.UNKNOWN)

    def is_whole(self, name: str, owner: Kind) -> bool:
        """Whether what comes out of a list of adjoints is all that a variable has received, as it
        is; owner: what that list holds."""
        kind = self.ledger.kind(name)
        return isinstance(kind, (kinds.ListKind, Number)) and (name,) not in self.ledger.state \
            and name not in self.context.twins and numbers_in(kind) == "float" \
            and numbers_in(owner) == "float"

    def _list_pop(self, node: gast.stmt, step: Any) -> None:
        name, item = step.change.name, step.change.item.id
        if not self.ledger.present((name,)):
            return                              # nothing has arrived for the list, or for the item
        kind = self.ledger.kind(item)
        if isinstance(kind, CONTAINERS) and not self.ledger.is_list(item) \
                and item in self.context.active:
            value = self.put_together(name, item, kind)
        elif item in self.context.active and (item,) in self.ledger.state:
            self.ledger.own(item)
            value = self.ledger.as_real((item,), kind)
        else:
            value = self.ledger.zeros((item,))
        if item in self.context.active:
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
        owner = put_at(self.ledger.kind(name), step.index)
        later = put_at(self.ledger.kind_of_path_joined((name,)), step.index)
        is_whole = isinstance(item, gast.Name) and item.id in self.context.active \
            and self.is_whole(item.id, owner)
        if is_whole:
            self.receive_item(item.id, spot, owner, later)
        elif isinstance(item, gast.Name) and item.id in self.context.active:
            local = self.context.fresh(f"{stem(self.context.adjoints[name])}_part")
            self.ledger.out.append(assign(local, self.ledger.real_of(
                spot, self.ledger.kind(item.id), later)))
            self.ledger.know({local: owner})
        target = syntax.copy(spot)
        target.ctx = gast.Store()
        zero = zero_of(owner)
        if step.keeps_shape:
            zero = call(syntax.attribute(self.context.external(np, "np"), "zeros_like"),
                        syntax.copy(spot))
        elif syntax.is_colon(step.index):
            zero = self.ledger.zeros((name,))
        elif zero is None:
            zero = call(self.context.external(runtime.zeros_like, "zeros_like"),
                        subscript(load(name), syntax.copy(step.index)))
        self.ledger.out.append(assign(target, zero))
        if isinstance(item, gast.Name) and item.id in self.context.active and not is_whole:
            self.receive_parts(item.id, load(local), later)

    def _list_swap(self, node: gast.stmt, step: Any) -> None:
        name = step.change.name
        if self.ledger.present((name,)):
            self.ledger.own(name)
            self.ledger.out.append(swap(self.context.adjoints[name], *step.index.elts))

    def _list_put(self, node: gast.stmt, step: Any) -> None:
        name, item = step.change.name, step.change.item
        if not self.ledger.present((name,)):
            return
        adjoint = load(self.context.adjoints[name])
        value = syntax.method(adjoint, "pop", syntax.copy(step.index))
        active = isinstance(item, gast.Name) and item.id in self.context.active
        if active:
            local = self.context.fresh(f"{stem(adjoint.id)}_part")
            self.ledger.out.append(assign(local, self.ledger.real_of(
                value, self.ledger.kind(item.id), self.later(name))))
            self.ledger.know({local: self.ledger.kind(item.id)})
        else:
            self.ledger.out.append(syntax.statement(value))
        helper = self.context.external(runtime.zero_at, "zero_at")
        self.ledger.out.append(syntax.statement(call(
            helper, load(adjoint.id), syntax.copy(step.index), load(name))))
        if active:
            self.receive_parts(item.id, load(local), self.later(name))
