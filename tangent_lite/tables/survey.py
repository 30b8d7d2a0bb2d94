"""What is said of the lists in a function, and of the names of what is in them."""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aggregates import can_be_written, part_of
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.inference import Typer
from tangent_lite.markers import is_attempt
from tangent_lite.structures.updates import updates_of
from tangent_lite.syntax.scopes import names_inside
from tangent_lite.tables import Table, is_identity, part_within


class Survey:
    """A function in its versions, and what its statements say; plain: what they are versions of."""

    def __init__(self, tree: gast.FunctionDef, plain: gast.FunctionDef, facts: Inferred,
                 typer: Typer, is_outermost: bool) -> None:
        self.tree, self.facts, self.typer = tree, facts, typer
        self.is_outermost = is_outermost        # others see what a function does to its parameters
        self.tables: dict[str, Table] = {}
        # By name: what binds it, how often it is read; the calls that are given it, the parts of it
        # that are read, the statements that change it, that give it a second name or unpack it.
        self.bound: dict[str, list[gast.stmt]] = {}
        self.uses: dict[str, int] = {}
        self.calls: dict[str, list[gast.Call]] = {}
        self.parts_read: dict[str, list[tuple[gast.expr, Any]]] = {}
        self.updates: dict[str, list[gast.Assign]] = {}
        self.copies: dict[str, list[gast.Assign]] = {}
        self.lazily: list[Any] = []         # loops whose iterators read what they do later on
        self.identities: list[tuple[str, str]] = []         # x, y of `x is y`
        # By statement: its block and its number there, what it stands in, the loops around it.
        self.places: dict[int, tuple[list[gast.stmt], int]] = {}
        self.around: dict[int, gast.stmt] = {}
        self.loops: dict[int, tuple[gast.stmt, ...]] = {}
        self.order: dict[int, int] = {}
        self.groups: dict[str, set[str]] = {}   # names that are one thing after the other
        nodes = list(syntax.statements(tree.body))
        self.has_rows = any(self.is_row(node) for node in nodes) and not any(
            is_attempt(node) or isinstance(node, gast.Try) for node in nodes)
        if self.has_rows:
            self.plain = {id(version): node for node, version in zip(
                syntax.statements(plain.body), nodes, strict=True)}
            self.survey(nodes)

    def is_row(self, node: Any) -> bool:
        """Whether a statement gives a name to an item of a list, and the item is an object, a dict
        of known keys or a tuple."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                or not isinstance(node.value, gast.Subscript) \
                or not isinstance(node.value.value, gast.Name) \
                or isinstance(node.value.slice, gast.Slice) \
                or not isinstance(self.facts.names.get(node.value.value.id), kinds.ListKind):
            return False
        kind = self.facts.names.get(node.targets[0].id)
        return isinstance(kind, (kinds.RecordKind, kinds.DictKind)) \
            or (isinstance(kind, kinds.TupleKind) and kind.type in (None, tuple))

    def is_known(self, table: Table) -> bool:
        """Whether all that is done with a list is of a known form."""
        return table.name not in self.inside \
            and table.accounted() + len(table.calls) == table.uses \
            and all(node in table.made or node in table.cut for node in self.bindings(table.name)
                    if not (table.given and isinstance(node, gast.Pass)))

    def survey(self, nodes: list[gast.stmt]) -> None:
        """Note all that is said of each name."""
        for parameter in syntax.parameter_names(self.tree.args):
            self.bound[parameter] = [gast.Pass()]
            kind = self.facts.names.get(parameter)
            if self.is_outermost and isinstance(kind, kinds.ListKind) \
                    and isinstance(kind.item, (kinds.RecordKind, kinds.DictKind)):
                self.table(parameter).given = True
        self.blocks(self.tree.body, ())
        self.inside = names_inside(self.tree)
        for number, node in enumerate(nodes):
            self.order[id(node)] = number
            self.forget_owner(node)
            if getattr(self.plain[id(node)], "lazily", ()):
                self.lazily.append(node)
                for part in () if getattr(node, "looks_into", False) else node.lazily:
                    self.table(part.id).iterated.append(node)   # which hands on what it holds
            for name in bound_in([node]) if not isinstance(node, syntax.COMPOUND) else \
                    syntax.bound_names(node.target) if isinstance(node, gast.For) else ():
                self.bound.setdefault(name, []).append(node)
            value: Any = getattr(node, "value", None)
            test = getattr(node, "test", None) if isinstance(node, (gast.If, gast.While)) \
                else value
            if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
                test = test.operand
            if isinstance(test, gast.Name) and test is not value:
                self.table(test.id).asked.append(test)
            if isinstance(node, gast.Assign) and isinstance(value, gast.Name):
                self.copies.setdefault(value.id, []).append(node)
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                owner = updates_of(value)
                if owner is not None:
                    self.updates.setdefault(owner, []).append(node)
                    self.union(owner, node.targets[0].id)
                if isinstance(value, gast.List) \
                        and all(isinstance(e, gast.Name) for e in value.elts):
                    table = self.table(node.targets[0].id)
                    table.made.append(node)
                    table.joining += [(node, e.id) for e in value.elts]
                elif isinstance(value, gast.ListComp):
                    self.table(node.targets[0].id).comprehended.append(node)
                elif self.is_row(node):
                    self.table(value.value.id).reads.append(node)
                elif self.source_of(value) is not None:
                    self.table(node.targets[0].id).cut.append(node)
                    self.table(self.source_of(value)).cuts.append(node)
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript) \
                    and isinstance(node.targets[0].value, gast.Name):
                self.table(node.targets[0].value.id).returned.append(node)
            elif isinstance(node, gast.Expr) and isinstance(value, gast.Call) \
                    and isinstance(value.func, gast.Attribute) and value.func.attr == "append" \
                    and isinstance(value.func.value, gast.Name) and len(value.args) == 1 \
                    and isinstance(value.args[0], gast.Name) and not value.keywords:
                self.table(value.func.value.id).joining.append((node, value.args[0].id))
        called: set[int] = set()
        for node in syntax.walk(self.tree):
            self.note(node, called)
        for name, table in self.tables.items():
            table.uses = self.uses.get(name, 0)
            table.calls = self.calls.get(name, [])

    def forget_owner(self, node: gast.stmt) -> None:
        """Of what is written into an array, nothing has to be put back into what holds that."""
        for one in (node, self.plain[id(node)]):
            target = syntax.target_of(one)
            if hasattr(target, "part_of") and isinstance(self.facts.before.get(id(node), {}).get(
                    syntax.root_name(syntax.target_of(node)) or ""), kinds.Array):
                del target.part_of

    def note(self, node: Any, called: set[int]) -> None:
        """Note what an expression says of a name; called: what is asked for methods only."""
        if isinstance(node, gast.Name):
            self.uses[node.id] = self.uses.get(node.id, 0) + isinstance(node.ctx, gast.Load)
        elif isinstance(node, gast.Call):
            if can_be_written(node, self.facts):
                called.add(id(node.func))
                for part in self.arguments(node):
                    self.calls.setdefault(getattr(part, "id", ""), []).append(node)
            if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], gast.Name) \
                    and self.typer.object_of(node.func) is len:
                self.table(node.args[0].id).lengths.append(node)
        elif is_identity(node):
            self.identities.append((getattr(node.left, "id", ""),
                                    getattr(node.comparators[0], "id", "")))
        elif isinstance(node, (gast.Attribute, gast.Subscript)):
            name, key = part_of(node)
            if name is not None and id(node) not in called:
                self.parts_read.setdefault(name, []).append((node, key))
            name, _ = part_within(node)
            if name is not None:
                self.table(name).within.append(node)

    def arguments(self, call: gast.Call) -> list[gast.expr]:
        """What a call is given, the object of a method included."""
        receiver = self.facts.callees[id(call)][1]
        return [*call.args, *(k.value for k in call.keywords),
                *([] if receiver is None else [receiver])]

    def table(self, name: str) -> Table:
        return self.tables.setdefault(name, Table(name))

    def blocks(self, block: list[gast.stmt], loops: tuple[gast.stmt, ...]) -> None:
        for number, node in enumerate(block):
            self.places[id(node)] = block, number
            self.loops[id(node)] = loops
            inner = (*loops, node) if isinstance(node, (gast.For, gast.While)) else loops
            for part in syntax.blocks_of(node):
                self.around.update((id(one), node) for one in part)
                self.blocks(part, inner)

    def union(self, one: str, other: str) -> None:
        joined = self.members(one) | self.members(other)
        self.groups.update(dict.fromkeys(joined, joined))

    def bindings(self, name: str) -> list[gast.stmt]:
        """What binds a name; a statement that binds nothing for parameters and for names from
        outside."""
        return self.bound.get(name) or [gast.Pass()]

    def members(self, name: str) -> set[str]:
        """The names of a thing, which it gets as parts of it change."""
        return self.groups.get(name, {name})

    def source_of(self, value: Any) -> Any:
        """The name of the list of which an expression takes a part, `xs[a:b]`, or all, `list(xs)`.
        """
        if isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Slice):
            return getattr(value.value, "id", None)
        if isinstance(value, gast.Call) and len(value.args) == 1 and not value.keywords \
                and self.typer.object_of(value.func) is list:
            return getattr(value.args[0], "id", None)
        return None
