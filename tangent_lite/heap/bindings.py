"""Statements that bind: names, attributes, items and what is unpacked, in place or anew; `del`."""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.heap.comprehensions import Comprehensions
from tangent_lite.heap.expressions import BINARY


class Bindings(Comprehensions):
    """Writes what binds and unbinds into the two passes of a function."""

    def _Assign(self, node: gast.Assign, _: None) -> None:
        if len(node.targets) == 1:
            self.assign(node.targets[0], node.value)
            return
        atom = self.value(node.value)
        if not isinstance(atom, (gast.Name, gast.Constant)):
            name = self.temporary("t", self.is_plain(atom))
            self.write(syntax.assign(name, atom))
            self.renamed(name, atom)
            atom = syntax.load(name)
        elif isinstance(atom, gast.Name) and any(atom.id in syntax.bound_names(t)
                                                 for t in node.targets):
            atom = self._Name(atom, None)
        for target in node.targets:
            self.assign(target, atom)

    def _AnnAssign(self, node: gast.AnnAssign, _: None) -> None:
        if node.value is not None:
            self.assign(node.target, node.value)

    def assign(self, target: gast.expr, value: gast.expr) -> None:
        """target = value"""
        if isinstance(target, gast.Name):
            self.bind(target.id, value)
        elif isinstance(target, (gast.Tuple, gast.List)):
            self.unpack(target, value)
        elif isinstance(target, gast.Attribute):
            atom = self.value(value)
            owner = self.value(target.value)
            self.effect(syntax.statement(self.of_tape(
                "set_attribute", owner, syntax.constant(target.attr), atom)), [atom])
        elif isinstance(target, gast.Subscript):
            atom = self.value(value)
            owner = self.subscripted(target)
            index = self.index(target.slice)
            self.effect(syntax.assign(syntax.subscript(self.of_tape("item", owner), index,
                                                       gast.Store()), atom), [atom])
        else:
            raise self.refuse(target, "this cannot be bound", "bind a name")

    def unpack(self, target: gast.Tuple | gast.List, value: gast.expr) -> None:
        """a, *b = value"""
        elements = target.elts
        if isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == len(elements) \
                and not any(isinstance(e, gast.Starred) for e in (*elements, *value.elts)):
            atoms = [self.value(v) for v in value.elts]
            bound = {n for e in elements for n in syntax.bound_names(e)} if all(
                isinstance(e, gast.Name) for e in elements) else None
            safe = []
            for number, atom in enumerate(atoms):
                early = {n for e in elements[:number] for n in _stored(e)}
                if not isinstance(atom, gast.Constant) and (
                        bound is None or syntax.read_names(atom) & early):
                    if isinstance(atom, gast.Name):
                        atom = self._Name(atom, None)
                    else:
                        name = self.temporary("t", True)
                        self.write(syntax.assign(name, atom))
                        atom = syntax.load(name)
                safe.append(atom)
            for element, atom in zip(elements, safe):
                self.assign(element, atom)
            return
        atom = self.value(value)
        stars = [k for k, e in enumerate(elements) if isinstance(e, gast.Starred)]
        before = stars[0] if stars else len(elements)
        names: list[str] = []
        later: list[tuple[gast.expr, str]] = []
        for number, element in enumerate(elements):
            inner = _within_star(element)
            is_name = isinstance(inner, gast.Name) and not self.is_cell(inner)
            again = next((_within_star(e) for e in elements[number + 1:]
                          if inner.id in _stored(e)), None) if is_name else None
            if isinstance(again, gast.Name):
                names.append(self.temporary("part", True))      # x in `x, x = ...`: nobody reads it
            elif is_name and not any(inner.id in _stored(e) for e, _ in later):
                names.append(inner.id)
            else:
                names.append(self.temporary("part"))
                later.append((inner, names[-1]))
        call = self.of_tape("unpack", atom, syntax.constant(before))
        if stars:
            call.args += [syntax.constant(True), syntax.constant(len(elements) - before - 1)]
        self.write(gast.Assign([syntax.tuple_of([syntax.store(n) for n in names], gast.Store())],
                               call, None))
        own = [self.adjoint(n) if n not in self.inactive else None for n in names]
        given = syntax.tuple_of([syntax.constant(None) if b is None else syntax.load(b)
                                 for b in own])
        out: list[gast.stmt] = []
        pulled = self.of_tape("pull", given)
        cleared = [gast.Assign([syntax.store(b) for b in dict.fromkeys(own) if b is not None],
                               syntax.constant(None), None)] if any(own) else []
        if self.has_adjoint(atom):
            name = self.adjoint(atom.id)
            more = self.names.fresh(name)
            out.append(syntax.assign(more, syntax.subscript(
                self.of_tape("pull", given, syntax.constant(None)), syntax.constant(1))))
            out += [*cleared, self._added(name, more)]
        else:
            out += [syntax.statement(pulled), *cleared]
        self.behind(out)
        for element, name in later:
            self.assign(element, syntax.load(name))

    def bind(self, name: str, node: gast.expr) -> None:
        if name in self.cells:
            atom = self.value(node)
            self.effect(syntax.statement(self.of_tape(
                "set_attribute", syntax.load(name), syntax.constant("value"), atom)), [atom])
            return
        super().bind(name, node)

    def _NamedExpr(self, node: gast.NamedExpr, target: str | None) -> gast.expr:
        self.assign(node.target, node.value)
        return self.value(gast.copy_location(gast.Name(node.target.id, gast.Load(), None, None),
                                             node)) if isinstance(node.target, gast.Name) \
            else self.value(_loaded(node.target))

    def _AugAssign(self, node: gast.AugAssign, _: None) -> None:
        name = "i" + BINARY[type(node.op)].rstrip("_")
        target = node.target
        if isinstance(target, gast.Name) and not self.is_cell(target):
            if self.is_plain(target) and self.is_plain(node.value):
                self.write(node)
                return
            atom = self.value(node.value)
            self.operation(self.of_tape(name, syntax.load(target.id), atom),
                           [syntax.load(target.id), atom], "t", target.id)
            return
        if isinstance(target, gast.Name):
            target = gast.Attribute(syntax.load(target.id), "value", gast.Store())
        owner = self.value(target.value) if isinstance(target, gast.Attribute) \
            else self.subscripted(target)
        if isinstance(target, gast.Attribute):
            spot = gast.Attribute(owner, target.attr, gast.Load())
        else:
            index = self.index(target.slice)
            spot = syntax.subscript(owner, index)
        gast.copy_location(spot, node)
        old = self.value(spot)
        atom = self.value(node.value)
        new = self.operation(self.of_tape(name, old, atom), [old, atom], "t", None)
        again = syntax.copy(spot)
        again.ctx = gast.Store()
        self.assign(again, new)

    def _Delete(self, node: gast.Delete, _: None) -> None:
        for target in node.targets:
            if isinstance(target, (gast.Tuple, gast.List)):
                self._Delete(gast.Delete(target.elts), None)
            elif isinstance(target, gast.Name) and not self.is_cell(target):
                self.write(gast.Delete([target]))
                if target.id not in self.inactive:
                    self.renamed(target.id, syntax.constant(None))
            elif isinstance(target, gast.Subscript):
                owner, index = self.value(target.value), self.index(target.slice)
                self.effect(gast.Delete([syntax.subscript(self.of_tape("item", owner), index,
                                                          gast.Del())]), [])
            else:
                name = "value" if isinstance(target, gast.Name) else target.attr
                owner = syntax.load(target.id) if isinstance(target, gast.Name) \
                    else self.value(target.value)
                self.effect(syntax.statement(self.of_tape(
                    "delete_attribute", owner, syntax.constant(name))), [])


def _stored(target: gast.expr) -> set[str]:
    return {n.id for n in gast.walk(target) if isinstance(n, gast.Name)}


def _within_star(target: gast.expr) -> gast.expr:
    return target.value if isinstance(target, gast.Starred) else target


def _loaded(target: gast.expr) -> gast.expr:
    made = syntax.copy(target)
    made.ctx = gast.Load()
    return made
