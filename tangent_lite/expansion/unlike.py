"""Lists and loops of different functions and objects, part by part.

    ops = [np.sin, lambda t: t * t]         =>      y = np.sin(x)
    for op in ops:                                  y = y * y
        x = op(x)

The items of a list are all of one kind, and the parts of a tuple are known one by one. So a list of
different things is written as a tuple, where nobody sees that it is none.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.only_items import asks_only_items
from tangent_lite.expansion import Written
from tangent_lite.expansion.iterators import Iterators
from tangent_lite.inference import NO_OBJECT
from tangent_lite.structures.unrolling import iterated, unroll
from tangent_lite.syntax import assign, load


class Unlike(Iterators):
    """What takes the place of lists of different things, and of loops over functions."""

    marked: list[tuple[gast.stmt, Any, int]]    # statements of the later tree; see `passes/expand`
    numbered: gast.FunctionDef                  # the versions of the tree

    def over_functions(self, value: gast.For, plain: gast.For) -> Written | None:
        """A loop over a tuple of functions, before it is asked which of them a call calls."""
        if not any(isinstance(kind, kinds.TupleKind) and _is_choice(kinds.join_all(kind.items))
                   for kind in iterated(value, self.typer, self.facts)):
            return None
        made = unroll(value, plain, self.typer, self.facts, self.context.names)
        if made is not None:
            self.called_by_name(made[0], plain)
        return made

    def called_by_name(self, statements: list[gast.stmt], loop: gast.For) -> None:
        """`op = ops[0]` and `y = op(y)` as `y = np.sin(y)`, where it stands written what ops is."""
        stores = Counter(n.id for n in syntax.names_in(loop) if isinstance(n.ctx, gast.Store))
        current: dict[str, gast.expr | None] = {}
        for node in syntax.statements(statements):
            value: Any = getattr(node, "value", None)
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                    and getattr(value, "iterates", False) and isinstance(value.value, gast.Name) \
                    and isinstance(value.slice, gast.Constant) \
                    and stores[node.targets[0].id] == 1:
                current[node.targets[0].id] = self.displayed(value.value.id, value.slice.value)
            elif isinstance(value, gast.Call):
                meant = current.get(getattr(value.func, "id", ""))
                if meant is not None:
                    value.func = gast.copy_location(syntax.copy(meant), value.func)

    def displayed(self, name: str, number: int) -> gast.expr | None:
        """The function of the module that stands at a place of the tuple that a name means."""
        made = [n for n in syntax.statements(self.tree.body)
                if name in syntax.bound_names(getattr(n, "targets", [n])[0])]
        if len(made) != 1 or not isinstance(made[0], gast.Assign) \
                or not isinstance(made[0].value, gast.Tuple):
            return None
        part = made[0].value.elts[number]
        return part if syntax.root_name(part) not in self.bound \
            and self.typer.object_of(part) is not NO_OBJECT else None

    def list_of_functions(self, value: gast.List, plain: gast.List,
                          node: gast.stmt) -> Written | None:
        """`ops = [np.sin, np.exp]` as a tuple, where nobody sees that it is a list."""
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        kind = self.typer.kind(value)
        if not isinstance(target, gast.Name) or not isinstance(kind, kinds.ListKind) \
                or not _is_choice(kind.item) \
                or not (self.asks_only_items(target.id) or self.version_asks_only_items(value)):
            return None
        return [], gast.copy_location(syntax.tuple_of(plain.elts), plain)

    def list_of_objects(self, value: gast.List, plain: gast.List,
                        node: gast.stmt) -> Written | None:
        """`layers = [Dense(w), Relu()]` as a tuple, where nobody sees that it is a list; what is
        appended to it in the statements behind stands in it at once."""
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if not isinstance(target, gast.Name) or any(isinstance(e, gast.Starred)
                                                    for e in plain.elts):
            return None
        block, appended = self.appended_at_once(target.id, node)
        if getattr(value, "is_told", False):
            appended = []               # its kind is that of the items it is made of
        parts = [*map(self.typer.kind, value.elts), *(self.kind_appended(one) for one in appended)]
        whole = kinds.join_all(parts)
        if kinds.UNKNOWN in parts or not (
                _is_unlike(whole) or hasattr(value, "is_told")
                or (isinstance(whole, kinds.Text) and self.names_attributes())) \
                or not (self.asks_only_items(target.id, appended)
                        or (not appended and self.version_asks_only_items(value))):
            return None
        made = syntax.tuple_of(plain.elts)
        if appended:
            # What is named now may be bound anew before the last one is appended.
            parts_now = [self.context.names.fresh("part") for _ in (*plain.elts, *appended)]
            at = block.index(node)
            block[at:at + 1] = self.normal(list(map(assign, parts_now, plain.elts)), node)
            for one, name in zip(appended, parts_now[len(plain.elts):]):
                at = block.index(one)
                block[at:at + 1] = self.normal([assign(name, one.value.args[0])], one)
            block.insert(at + 1, node)
            made = syntax.tuple_of(map(load, parts_now))
        return [], gast.copy_location(made, plain)

    def names_attributes(self) -> bool:
        """Whether attributes are asked for by their names: `for name in ["x", "y"]`."""
        return any(self.typer.object_of(call.func) in (getattr, setattr)
                   for call in syntax.all_of(self.tree, gast.Call)
                   if isinstance(call.func, gast.Name) and call.func.id not in self.bound)

    def asks_only_items(self, name: str, appended: list[gast.Expr] | None = None) -> bool:
        """Whether it does not matter whether a name is bound to a list or to a tuple."""
        return not self.is_captured(name) and asks_only_items(
            self.tree, name, 1, self.typer.object_of, [one.value.func for one in appended or ()])

    def version_asks_only_items(self, value: gast.List) -> bool:
        """The same of the name that a list is bound to and of all that hold it, each version of a
        name by itself: `for layer in layers: x = layer(x)`, written out, has one for each layer."""
        name = next((node.targets[0].id for node in syntax.statements(self.numbered.body)
                     if isinstance(node, gast.Assign) and node.value is value), None)
        return name is not None \
            and not self.is_captured(self.context.names.versions.get(name, name)) \
            and asks_only_items(self.numbered, name, 1, self.typer.object_of)

    def appended_at_once(self, name: str,
                         node: gast.stmt) -> tuple[list[gast.stmt], list[gast.Expr]]:
        """The block of a statement that makes a list, and the statements behind that append to it,
        before anything else is done with it."""
        block, number = syntax.spot_in(self.tree, node)
        found: list[gast.Expr] = []
        for one in block[number + 1:]:
            if all(n.id != name for n in syntax.names_in(one)):
                continue
            call = one.value if isinstance(one, gast.Expr) else None
            if not isinstance(call, gast.Call) or len(call.args) != 1 or call.keywords \
                    or not isinstance(call.func, gast.Attribute) or call.func.attr != "append" \
                    or getattr(call.func.value, "id", None) != name \
                    or name in syntax.read_names(call.args[0]):
                break
            found.append(one)
        return block, found

    def kind_appended(self, statement: gast.Expr) -> kinds.Kind:
        """The kind of what a statement of the tree that is changed appends to a list."""
        node, call = next((n, v) for n, v, number in self.marked if number == statement.value.mark)
        around = self.typer.names
        self.typer.names = self.facts.before.get(id(node), {})
        kind = self.typer.kind(call.args[0])
        self.typer.names = around
        return kind

    def is_list_of_unlike(self, seen: gast.expr) -> bool:
        """Whether something is a list of different objects that is written out in the function."""
        kind = self.typer.kind(seen)
        if not isinstance(kind, kinds.ListKind) or not _is_unknown(kind.item) \
                or not isinstance(seen, gast.Name):
            return False
        name = self.context.names.versions.get(seen.id, seen.id)
        return any(isinstance(n, gast.Assign) and isinstance(n.value, gast.List)
                   and getattr(n.targets[0], "id", None) == name
                   for n in syntax.statements(self.tree.body))


def _is_unknown(kind: kinds.Kind) -> bool:
    """Whether nothing is known of a value that is one of several."""
    return type(kind) is kinds.Kind


def _is_unlike(kind: kinds.Kind) -> bool:
    """The same, of a value or of a part of the tuple that it is."""
    return _is_unknown(kind) or (
        isinstance(kind, kinds.TupleKind) and any(map(_is_unlike, kind.items)))


def _is_choice(kind: kinds.Kind) -> bool:
    """Whether a value is one of several functions, or holds one that is."""
    return isinstance(kind, kinds.Choice) or (
        isinstance(kind, kinds.TupleKind) and any(map(_is_choice, kind.items)))
