"""Find `x[i] = x[i] + e`: the adjoint of x[i] stays, and is the adjoint of e.

    x_0 = x[0]
    t = x_0 + e          =>         x[0] += e, so be = bx[0]
    x[0] = t

`x[:] = x + e` is one as well, and so are sums of more: `x[0] = x[0] + e - c`.
"""
from __future__ import annotations

from dataclasses import dataclass, field

import gast

from tangent_lite import registry, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, DictKind, ListKind, MapKind, Number, join_all
from tangent_lite.structures.nested import container, places
from tangent_lite.syntax import COMPOUND, read_names


@dataclass
class Increments:
    """Writes that add to what they overwrite, by id of the statement."""
    grown: dict[int, list[tuple[gast.expr, str]]] = field(default_factory=dict)     # by what
    skipped: set[int] = field(default_factory=set)      # the statements that read and add


def increments(body: list[gast.stmt], facts: Inferred, typer: Typer) -> Increments:
    """The increments of a body in A-normal form."""
    finder = _Finder(facts, typer)
    finder.find(body)
    return Increments(finder.grown, finder.skipped)


class _Finder:
    def __init__(self, facts: Inferred, typer: Typer) -> None:
        self.facts, self.typer = facts, typer
        self.grown: dict[int, list[tuple[gast.expr, str]]] = {}
        self.skipped: set[int] = set()

    def find(self, body: list[gast.stmt]) -> None:
        """Look through a body, at assignments to parts of arrays."""
        counts: dict[str, int] = {}
        blocks = [body]
        todo = list(body)
        while todo:
            node = todo.pop()
            if isinstance(node, COMPOUND):
                blocks += [node.body, node.orelse]
                todo += node.body + node.orelse
            for name in self.facts.mentions[node].names:
                counts[name] = counts.get(name, 0) + 1
        for block in blocks:
            made: dict[str, tuple[int, gast.Assign]] = {}
            for number, node in enumerate(block):
                if not isinstance(node, gast.Assign):
                    continue
                target = node.targets[0]
                if isinstance(target, gast.Name):
                    made[target.id] = (number, node)
                elif isinstance(target, gast.Subscript) and isinstance(node.value, gast.Name):
                    self.increment(block, number, node, made, counts)

    def increment(self, block: list[gast.stmt], number: int, node: gast.Assign,
                  made: dict[str, tuple[int, gast.Assign]], counts: dict[str, int]) -> None:
        target = node.targets[0]
        name = node.value.id
        typer = self.typer
        typer.names = self.facts.before[id(node)]
        if name not in made or counts.get(name) != 1 \
                or not self.stays_in_place(target, node.value, made[name][1]):
            return
        terms: list[tuple[gast.expr, str]] = []         # the last one first
        totals: list[gast.Assign] = []
        while True:
            _, total = made[name]
            value = total.value
            if not (isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub))):
                return
            totals.append(total)
            operator = "+" if isinstance(value.op, gast.Add) else "-"
            for side, other in (("left", "right"), ("right", "left")):
                part = getattr(value, side)
                if not isinstance(part, gast.Name) or (side == "right" and operator == "-"):
                    continue
                start, read = self.read_of(part, target, made, counts) or (None, None)
                if start is None:
                    if not (syntax.means_all(target.slice) and syntax.same(part, target.value)):
                        continue
                    start, read = made[name]                # x[:] = x + e
                watched = read_names(target)
                between = block[start + 1:number]
                if any(not isinstance(b, gast.Assign) or not isinstance(b.targets[0], gast.Name)
                       or set(definitions(b)) & watched or _calls_unknown(b, self.facts)
                       for b in between):
                    continue
                self.skipped |= {id(read), *map(id, totals)}
                self.grown[id(node)] = [*terms, (getattr(value, other), operator)]
                return
            # `x[0] + e - c` is a sum of x[0], too.
            if not isinstance(value.left, gast.Name) or value.left.id not in made \
                    or counts.get(value.left.id) != 1:
                return
            terms.append((value.right, operator))
            name = value.left.id

    def stays_in_place(self, target: gast.Subscript, value: gast.expr, made: gast.Assign) -> bool:
        """Whether what is written is a part of an array, without repetitions, or a number in a list
        or dict, where a number was and is again, or an array in a list that was added to in place;
        made: where the value is computed."""
        owner = self.typer.kind(target.value)
        if isinstance(container(owner, target.slice), Array):
            return self.typer.index_class(target.slice) == "basic"
        if isinstance(owner, (DictKind, MapKind)):      # the key is there, or it could not be read
            item = owner.item if isinstance(owner, MapKind) else join_all(owner.items)
            return isinstance(item, Number) and item.type == "float" \
                and isinstance(self.typer.kind(value), Number)
        for index in places(target.slice):
            if not isinstance(owner, ListKind) or not isinstance(self.typer.kind(index), Number):
                return False
            owner = owner.item
        if isinstance(owner, Array):
            return getattr(made.value, "of_part", False) and owner.dtype == "float" \
                and not owner.is_mixed
        return isinstance(owner, Number) and owner.type == "float" \
            and isinstance(self.typer.kind(value), Number)

    def read_of(self, part: gast.Name, target: gast.Subscript,
                made: dict[str, tuple[int, gast.Assign]],
                counts: dict[str, int]) -> tuple[int, gast.Assign] | None:
        """Where a name was bound to the part of an array that is written to, for this use."""
        if part.id not in made or counts.get(part.id) != 1:
            return None
        start, read = made[part.id]
        same = isinstance(read.value, gast.Subscript) \
            and syntax.same(read.value.value, target.value) \
            and syntax.same(read.value.slice, target.slice)
        return (start, read) if same else None


def _calls_unknown(node: gast.stmt, facts: Inferred) -> bool:
    """Whether a statement calls something that might write to arrays.

    Functions of the user do not: those that do are refused.
    """
    for part in syntax.walk(node):
        if isinstance(part, gast.Call):
            function, _ = facts.callees.get(id(part), (NO_OBJECT, None))
            if not hasattr(function, "__code__") and (
                    function is NO_OBJECT or registry.lookup(function) is None):
                return True
    return False
