"""What is written into the two passes: statements of the forward pass, and their mirror images."""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.heap.trails import Trail
from tangent_lite.names import Names
from tangent_lite.source import Source

Pair = tuple[list[gast.stmt], list[gast.stmt]]


class Mirroring:
    """Writes operations into the forward pass, and their mirror images into the backward pass."""

    def __init__(self, source: Source, names: Names, inactive: set[str], cells: set[str],
                 kept: Callable[[gast.expr], bool], is_builtin: Callable[[str], bool]) -> None:
        self.source, self.names = source, names
        self.inactive, self.cells, self.kept, self.is_builtin = inactive, cells, kept, is_builtin
        self.adjoints: dict[str, str] = {}
        self.ours: set[str] = set()             # names that were made here
        self.forward: list[gast.stmt] = []
        self.backward: list[gast.stmt] = []     # in the order of the forward pass
        self.trail: Trail | None = None         # of a part that may be left at any place
        self.origin: gast.AST | None = None
        self.careful = False                    # whether a name may be bound within an expression
        self.first = ""                         # the first parameter, for super()
        self.tape = names.fresh("tape")

    def write(self, node: gast.stmt) -> gast.stmt:
        node.written_as = self.origin
        self.forward.append(node)
        return node

    def of_tape(self, name: str, *args: gast.expr, **keywords: gast.expr) -> gast.Call:
        return syntax.call(syntax.attribute(syntax.load(self.tape), name), *args, **keywords)

    def temporary(self, wish: str, inactive: bool = False) -> str:
        # Of `_2` nothing but the number is left.
        name = self.names.fresh(wish if wish.isidentifier() else "t")
        self.ours.add(name)
        if inactive:
            self.inactive.add(name)
        return name

    def adjoint(self, name: str) -> str:
        """The name of the adjoint of a variable."""
        if name not in self.adjoints:
            self.adjoints[name] = self.names.fresh(f"b{name}")
        return self.adjoints[name]

    def has_adjoint(self, atom: gast.expr) -> bool:
        return isinstance(atom, gast.Name) and atom.id not in self.inactive \
            and atom.id not in self.cells and (atom.id in self.ours or not self.kept(atom))

    def pull(self, result: str | None, operands: list[gast.expr]) -> None:
        """The mirror image of an operation: its adjoint goes to its operands."""
        own = self.adjoint(result) if result is not None and result not in self.inactive else None
        given: list[gast.expr] = []
        taken: list[str] = ["_" if own is None else own]
        again: list[tuple[str, str]] = []
        for atom in operands:
            name = self.adjoint(atom.id) if self.has_adjoint(atom) else "_"
            is_known = name == "_" or name in taken
            given.append(syntax.constant(None) if is_known else syntax.load(name))
            if name == own and own is not None and taken[0] == own:
                taken[0] = "_"                  # x = x * y: the adjoint of x begins anew
            elif name != "_" and is_known:
                more = self.names.fresh(name)
                again.append((name, more))
                name = more
            taken.append(name)
        while len(taken) > 1 and taken[-1] == "_":
            taken.pop()
            given.pop()
        first = syntax.load(own) if own is not None else syntax.constant(None)
        out = [self._unpacked(taken, self.of_tape("pull", first, *given))]
        out += [self._added(name, more) for name, more in again]
        self.behind(out)

    def _unpacked(self, taken: list[str], call: gast.expr) -> gast.stmt:
        if all(name == "_" for name in taken):
            return syntax.statement(call)
        if len(taken) == 1:
            return syntax.assign(taken[0], syntax.subscript(call, syntax.constant(0)))
        return gast.Assign([syntax.tuple_of([syntax.store(n) for n in taken], gast.Store())], call,
                           None)

    def _added(self, name: str, more: str) -> gast.stmt:
        return syntax.assign(name, self.of_tape("join", syntax.load(name), syntax.load(more)))

    def operation(self, call: gast.expr, operands: list[gast.expr], wish: str,
                  target: str | None, inactive: bool = False) -> gast.expr:
        """Write an operation with a value, and its mirror image."""
        name = target if target is not None else self.temporary(wish, inactive)
        self.write(syntax.assign(name, call))
        self.pull(name, operands)
        return syntax.load(name)

    def effect(self, node: gast.stmt, operands: list[gast.expr]) -> None:
        """Write an operation without a value."""
        self.write(node)
        self.pull(None, operands)

    def block(self, write: Callable[[], None]) -> Pair:
        """What is written into the two passes meanwhile, as blocks of their own."""
        kept = self.forward, self.backward
        self.forward, self.backward = [], []
        write()
        found = self.forward, list(reversed(self.backward))
        self.forward, self.backward = kept
        return found

    def behind(self, block: list[gast.stmt]) -> None:
        """The mirror image of what was just written, in the order of the backward pass."""
        if self.trail is None:
            self.backward += reversed(block)
        else:
            number = self.trail.add(block)
            if self.forward:
                self.forward[-1].step = number
            self.did(number)

    def did(self, number: int) -> None:
        """Note that a step of the trail has been done."""
        self.write(syntax.statement(self.of_tape("did", syntax.constant(number))))

    def mirrored(self, block: list[gast.stmt]) -> None:
        """The mirror image of a compound statement, whose parts are mirrored already. On a trail
        there is none: the steps stand for themselves."""
        assert self.trail is None or not block
        self.backward += reversed(block)

    def refuse(self, node: gast.AST, reason: str, fix: str) -> Exception:
        return self.source.refuse(node, reason, fix)

    def renamed(self, name: str, value: gast.expr) -> None:
        """The mirror image of `name = value`, where the value is an atom."""
        if name in self.inactive:
            return
        own = self.adjoint(name)
        cleared = syntax.assign(own, syntax.constant(None))
        if not self.has_adjoint(value):
            self.behind([cleared])
        elif self.adjoint(value.id) != own:
            self.behind([self._added(self.adjoint(value.id), own), cleared])

    def is_cell(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Name) and node.id in self.cells
