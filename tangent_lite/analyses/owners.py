"""Lists and dicts of arrays that nobody else holds: `xs[k] += v` is `xs[k] = xs[k] + v` then.

    ys = [np.zeros(3), x * x]       each is new, and in one place of one list
    ys.append(np.sin(x))
    ys[0] += v                      so nobody sees that an array was changed
"""
from __future__ import annotations

import collections
import types
from collections.abc import Iterator
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.mentions import mentioned
from tangent_lite.analyses.origins import NEW
from tangent_lite.analyses.views import hands_on_any, may_share
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.structures.lists import ListChange, list_change
from tangent_lite.structures.nested import container, is_in_array

# What may hold arrays that are found by computed keys.
HOLDING = (kinds.ListKind, kinds.MapKind)


class Owners:
    """What holds the arrays of lists and dicts; last_uses: (id of a statement, name) where a name
    that lives in one block is used for the last time; momentary: names of parts that are used up at
    once."""

    def __init__(self, body: list[gast.stmt], facts: Any, typer: Typer,
                 last_uses: set[tuple[int, str]], momentary: set[str]) -> None:
        self.facts, self.typer = facts, typer
        self.last_uses, self.momentary = last_uses, momentary
        self.mentions: dict[str, list[gast.stmt]] = {}
        self.bound: dict[str, list[gast.stmt]] = {}
        for node in syntax.statements(body):
            for name in mentioned(node):
                self.mentions.setdefault(name, []).append(node)
            for name in definitions(node) if not isinstance(node, syntax.COMPOUND) else ():
                self.bound.setdefault(name, []).append(node)
        self.known: dict[str, bool] = {}
        self.asked: set[int] = set()            # bindings to names that are being looked at
        self.behind: dict[int, list[gast.stmt]] = {}            # what stands behind a statement
        for block in [body, *(b for n in syntax.statements(body) for b in syntax.blocks_of(n))]:
            for number, node in enumerate(block):
                self.behind[id(node)] = block[number + 1:number + 4]

    def owns(self, name: str) -> bool:
        """Whether all that a list holds was made for it alone."""
        if name not in self.known:
            self.known[name] = False
            self.known[name] = isinstance(self.facts.names.get(name), HOLDING) \
                and name in self.bound and next(self.shared_by(name), None) is None
        return self.known[name]

    def shared_by(self, name: str) -> Iterator[gast.stmt]:
        """The statements by which others may hold what a list holds."""
        return (node for node in self.mentions[name] if not self.keeps(node, name))

    def shared_item(self, name: str) -> tuple[gast.stmt, str] | None:
        """Where a list is made of what others hold as well, and what that is, if that is why it
        does not own what it holds."""
        node: Any = next(self.shared_by(name), None) if name in self.mentions else None
        value = getattr(node, "value", None)
        parts = value.elts if isinstance(value, gast.List) and name in definitions(node) else []
        return next(((node, part.id) for part in parts if isinstance(part, gast.Name)
                     and not self.is_given(node, part)), None)

    def keeps(self, node: gast.stmt, name: str) -> bool:
        """Whether a statement leaves what the list holds with the list, and adds only new things.
        """
        if isinstance(node, syntax.COMPOUND):
            return True                         # a condition, the length of the list
        value: Any = getattr(node, "value", None)
        target = syntax.target_of(node)
        if isinstance(target, gast.Subscript) and getattr(target.value, "id", None) == name \
                and is_in_array(self.facts.names[name], target.slice):
            return name not in syntax.read_names(target.slice)      # numbers go in
        if name in definitions(node):
            return self.makes_new(node, value)
        change = self.change(node)
        if change is not None and change.name == name:
            if change.what in ("pop", "swap"):
                return True                     # whoever takes it out is the one who has it
            return not isinstance(change.index, gast.Slice) and self.is_given(node, change.item)
        if isinstance(node, gast.Return) or self.hands_over(node, value, name):
            return True                         # nothing comes behind it
        if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) \
                and value.value.id == name and not isinstance(value.slice, gast.Slice):
            return getattr(value, "in_place", False) or self.takes(node, name) \
                or all(map(self.is_brief, definitions(node)))
        if isinstance(value, gast.Compare):
            return True                         # `key in d`
        if isinstance(value, gast.BinOp) and all(
                isinstance(self.facts.names.get(n), kinds.Number) for n in definitions(node)):
            return all(isinstance(call.func, gast.Name) and call.func.id == "len"
                       for call in syntax.all_of(value, gast.Call))
        return isinstance(value, gast.Call) and (
            self.only_reads(node, value) or _asks_length(node, name) or (
                isinstance(self.facts.names.get(name), kinds.MapKind)
                and self.called(value) in (list, sorted)))      # its keys

    def hands_over(self, node: gast.stmt, value: Any, name: str) -> bool:
        """Whether a list is another name's from then on: `Ws = [...]` that reads the old Ws."""
        return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and isinstance(value, gast.Name) and value.id == name \
            and (id(node), name) in self.last_uses

    def takes(self, node: gast.stmt, owner: str) -> bool:
        """Whether a statement takes something out of a list: `x = xs.pop()`, or `x = xs[k]` in
        front of `xs[k] = zeros`."""
        change = self.change(node)
        if change is not None:
            return change.name == owner and change.what == "pop"
        value: Any = getattr(node, "value", None)
        if not isinstance(value, gast.Subscript) or getattr(value.value, "id", None) != owner:
            return False
        for other in self.behind.get(id(node), ()):
            change = self.change(other)
            if change is not None and change.name == owner:
                return change.what == "set" and syntax.same(change.index, value.slice)
            if isinstance(other, syntax.COMPOUND) or owner in mentioned(other) \
                    or set(definitions(other)) & syntax.read_names(value.slice):
                return False
        return False

    def change(self, node: gast.stmt) -> ListChange | None:
        """What a statement does to a list."""
        return list_change(node, self.facts.before.get(id(node), {}))

    def makes_new(self, node: gast.stmt, value: Any) -> bool:
        if isinstance(value, gast.Name):
            return self.hands_over(node, value, value.id) and self.owns(value.id)
        if isinstance(value, (gast.List, gast.Dict)):
            parts = value.elts if isinstance(value, gast.List) else value.values
            names = [part.id for part in parts if isinstance(part, gast.Name)]
            return None not in getattr(value, "keys", ()) and len({*names}) == len(names) \
                and all(self.is_given(node, part) for part in parts)
        if isinstance(value, gast.ListComp):        # of what does not vary: `[np.zeros(3) for ...]`
            return isinstance(value.elt, (gast.Call, gast.ListComp)) \
                and self.makes_new(node, value.elt)
        if isinstance(value, gast.Call) and len(value.args) < 2 and not value.keywords \
                and self.called(value) is collections.defaultdict:
            return True                         # what it puts where a key is missing is written out
        # What a function of the user gives may be one array in two places.
        return isinstance(value, gast.Call) and registry.lookup(self.called(value)) is not None \
            and self.only_reads(node, value)

    def called(self, call: gast.Call) -> Any:
        """The function that is called, if it is known."""
        return self.facts.callees.get(id(call), (NO_OBJECT, None))[0]

    def maker(self, name: str) -> gast.Call | None:
        """The call of a function of the user that makes a list or a dict: what it holds is known
        once that is written out."""
        return next(self.calls_for(name), None) \
            if isinstance(self.facts.names.get(name), HOLDING) else None

    def calls_for(self, name: str) -> Iterator[gast.Call]:
        """The calls of functions of the user that give what a name is bound to."""
        return (node.value for node in self.bound.get(name, ()) if isinstance(node, gast.Assign)
                and isinstance(node.value, gast.Call)
                and isinstance(self.called(node.value), types.FunctionType)
                and registry.lookup(self.called(node.value)) is None)

    def only_reads(self, node: gast.stmt, call: gast.Call) -> bool:
        """Whether a call looks at what it is given, and gives something new."""
        self.typer.names = self.facts.before.get(id(node), {})
        function, _ = self.facts.callees.get(id(call)) or self.typer.callee(call)
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is None:
            known = self.typer.origins_of_call(call, function)
            return known is not None and known[0] == NEW
        return not entry.writes and not may_share(function, call, entry, self.typer)

    def is_given(self, node: gast.stmt, item: gast.expr | None) -> bool:
        """Whether what goes into a list is held by nobody else from then on."""
        if not isinstance(item, gast.Name):
            return isinstance(item, gast.Constant)
        if isinstance(self.facts.names.get(item.id), kinds.Number):
            return True
        made = self.bound.get(item.id, [])
        return (id(node), item.id) in self.last_uses and bool(made) \
            and all(map(self.is_fresh, made)) and all(
                other is node or other in made or self.looks(other, item.id)
                for other in self.mentions[item.id])

    def looks(self, node: gast.stmt, name: str) -> bool:
        """Whether a statement reads an array, and does not hold on to it."""
        if not isinstance(self.facts.names.get(name), (kinds.Array, kinds.Numeric)):
            return False
        value: Any = getattr(node, "value", None)
        target = syntax.target_of(node)
        if isinstance(target, gast.Subscript):      # numbers go from one array into another
            kind = self.facts.names.get(syntax.root_name(target) or "")
            return isinstance(container(kind, target.slice), kinds.Array)
        if isinstance(node, (*syntax.COMPOUND, gast.AugAssign)) or isinstance(
                value, (gast.BinOp, gast.UnaryOp, gast.Compare)):
            return True
        if isinstance(value, gast.Subscript):
            return all(map(self.is_brief, definitions(node)))
        return isinstance(value, gast.Call) and self.only_reads(node, value)

    def is_fresh(self, node: gast.stmt) -> bool:
        """Whether a statement binds its name to something new."""
        value: Any = getattr(node, "value", None)
        if isinstance(node, gast.AugAssign):
            return True                         # in place: what was bound before counts
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return False
        if isinstance(value, gast.Name):        # another name of what nobody else has then
            return id(node) not in self.asked and self.is_handed_on(node, value)
        if isinstance(value, (gast.BinOp, gast.UnaryOp)):
            return isinstance(self.facts.after[id(node)].get(node.targets[0].id),
                              (kinds.Array, kinds.Number, kinds.Numeric))
        owner = syntax.root_name(value) if isinstance(value, gast.Subscript) else \
            getattr(self.change(node), "name", None)
        if owner is not None and self.takes(node, owner):
            return self.owns(owner)
        return isinstance(value, gast.Call) and self.only_reads(node, value)

    def is_handed_on(self, node: gast.Assign, value: gast.Name) -> bool:
        """Whether `y = x` gives what x means another name, and takes it from x."""
        self.asked.add(id(node))
        try:
            return self.is_given(node, value)
        finally:
            self.asked.discard(id(node))

    def is_brief(self, name: str) -> bool:
        """Whether a name holds no array, or one that is looked at and left; so is one of which
        there is nothing but a view that is: `Ws[k].T`."""
        if isinstance(self.facts.names.get(name), kinds.Number) or name in self.momentary:
            return True
        others = [node for node in self.mentions[name] if name not in definitions(node)]
        value: Any = getattr(others[0], "value", None) if len(others) == 1 else None
        return isinstance(value, gast.Attribute) and len(self.bound[name]) == 1 \
            and all(one in self.momentary for one in definitions(others[0]))

    def is_harmless(self, name: str, owner: str) -> bool:
        """Whether what is changed in a list that owns it cannot be seen through a name."""
        if name == owner or name in self.momentary or self.is_out(name, owner, set()):
            return True
        return any((id(node), name) in self.last_uses and self.keeps(node, owner)
                   for node in self.mentions.get(owner, ()) if name in mentioned(node))

    def is_out(self, name: str, owner: str, seen: set[str]) -> bool:
        """Whether a name holds what was taken out of a list, or a part of that."""
        if name in seen:
            return True
        seen.add(name)
        return name in self.bound and all(
            self.takes(node, owner) or (isinstance(node, gast.Assign) and all(
                isinstance(self.facts.names.get(n), (kinds.Number, kinds.Known, kinds.Text))
                or (n in self.bound and self.is_out(n, owner, seen)) or self.is_new(n)
                for n in self.sources(node.value) if n in self.facts.names))
            for node in self.bound[name])

    def sources(self, value: gast.expr) -> set[str]:
        """Names that a value may share memory with: of a rule's function the first argument."""
        if isinstance(value, gast.Call):
            function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            if entry is not None and entry.adjoint is not None \
                    and not hands_on_any(function, entry) and not value.keywords:
                return syntax.read_names(receiver or value.args[0])
        return syntax.read_names(value)

    def is_new(self, name: str) -> bool:
        """Whether a name holds something that was made for it."""
        return name in self.bound and all(map(self.is_fresh, self.bound[name]))


def _asks_length(node: gast.stmt, name: str) -> bool:
    """Whether a list stands in a statement as `len(xs)` only."""
    asked = sum(isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id == "len"
                and isinstance(n.args[0], gast.Name) and n.args[0].id == name
                for n in syntax.walk(node) if not isinstance(n, gast.Call) or n.args)
    return asked == sum(isinstance(n, gast.Name) and n.id == name for n in syntax.walk(node))
