"""Dicts whose keys are computed, looped over: by a list of their keys, and each item by its key;
and sets of whole numbers, by a list of what they hold.

    for k, v in sums.items():           keys = list(sums)
        total += weight[k] * v          for n in range(len(keys)):
                                            k = keys[n]
                                            v = sums[k]
                                            total += weight[k] * v

The list has the order of the dict, and numbers the steps, which the backward pass takes the other
way round. Python raises where a dict changes its size while it is looped over; so what may do that
in the loop is refused, and the list stays what the dict would have handed out.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.liveness import definitions, live_around
from tangent_lite.analyses.mentions import head
from tangent_lite.analyses.unseen import may_change
from tangent_lite.analyses.writers import CHANGING
from tangent_lite.expansion import Written
from tangent_lite.expansion.iterators import Iterators
from tangent_lite.inference import NO_OBJECT
from tangent_lite.kinds.maps import VIEWS, is_enumeration, keys_at_hand
from tangent_lite.structures.comprehensions import as_loop
from tangent_lite.structures.views_of_dicts import (
    bound_in,
    change_in_loop,
    changes_that_are_seen,
)
from tangent_lite.syntax import assign, load, store

# Functions that use up what they are given in the order in which it is handed out.
USING_UP = (list, tuple, sorted, sum, max, min, len)


class Maps(Iterators):
    """What takes the place of loops over such dicts, and of views of them."""

    def by_keys(self, value: Any, plain: Any, node: gast.stmt) -> Written | None:
        """What takes all items of a dict whose keys are computed."""
        if isinstance(value, gast.For):
            return self.over_keys(value, plain)
        if isinstance(value, gast.DictComp):
            return self.filled_later(plain, node)
        if not isinstance(value, gast.Call):
            return None
        function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
        if receiver is not None and isinstance(plain.func.value, gast.Name):
            kind = self.typer.kind(receiver)
            if function in VIEWS and keys_at_hand(kind):
                return self.view_of_map(plain.func.value, function, node)
            if function is dict.get and isinstance(kind, kinds.MapKind):
                return self.got(plain, node)
            if function is dict.setdefault and isinstance(kind, (kinds.MapKind, kinds.DictKind)):
                return self.put_where_missing(plain, node)
            if function is dict.copy and hasattr(plain, "is_of_twin"):
                return None                     # it stays until the halves work in place
            if function is dict.copy and keys_at_hand(kind) and not getattr(kind, "missing", None):
                return self.copied_map(plain.func.value.id, node)
        if function is dict and len(plain.args) == 1 and not plain.keywords \
                and isinstance(plain.args[0], gast.Name) \
                and keys_at_hand(self.typer.kind(value.args[0])):
            return self.copied_map(plain.args[0].id, node)
        if function is dict and len(plain.args) == 1 and not plain.keywords \
                and isinstance(plain.args[0], gast.Name) \
                and _holds_pairs(self.typer.kind(value.args[0])):
            return self.of_pairs(plain.args[0].id, node)
        return self.keys_used_up(plain, function) if self.uses_up_keys(value, function) else None

    def filled_later(self, plain: gast.DictComp, node: gast.stmt) -> Written | None:
        """`far = {k: inf for k in range(n)}` as a loop, though it holds nothing that varies: what
        is put into it later may."""
        name = self.bound_to(node)
        if name is None or name in syntax.read_names(plain) or not any(
                isinstance(target, gast.Subscript) and syntax.root_name(target) == name
                for one in syntax.statements(self.tree.body)
                for target in (one.targets if isinstance(one, gast.Assign) else
                               [one.target] if isinstance(one, gast.AugAssign) else [])):
            return None
        return self.normal(as_loop(plain, name), plain), None

    def over_keys(self, value: gast.For, plain: gast.For) -> Written | None:
        """A loop over dicts, as one over lists of their keys; or over an enumeration, as one over
        a list of its members."""
        found: dict[str, str] = {}
        members: dict[str, str] = {}            # of sets of whole numbers
        shown: dict[str, set[str]] = {}
        before, now = _taking(value), _taking(plain)
        if len(before) != len(now):
            return None                         # something in it was written out just now
        for one, other in zip(before, now):
            known, owner = one.value.value.id, other.value.value.id
            if isinstance(self.facts.before[id(one)].get(known), kinds.SetKind):
                self.stays_in_loop(value, plain, owner)
                members.setdefault(owner, self.context.names.fresh("members"))
            elif keys_at_hand(self.facts.before[id(one)].get(known, kinds.UNKNOWN)) \
                    or is_enumeration(self.typer.object_of(one.value.value)):
                found.setdefault(owner, self.context.names.fresh("keys"))
                shown.setdefault(owner, set()).update(_key_in(other, dict.keys))
        out: list[gast.stmt] = []
        for owner, name in found.items():
            self.keeps_its_size(plain, owner, shown[owner])
            self.context.keys.setdefault(owner, []).append((plain, shown[owner]))
            out.append(assign(name, self.keys_of(owner)))
        out += [assign(name, self.keys_of(owner)) for owner, name in members.items()]
        if not out:
            return None
        _RenameIterated(found | members).visit(plain)
        return [*out, plain], None

    def stays_in_loop(self, loop: gast.For, plain: gast.For, owner: str) -> None:
        """Refuse a loop over a set in which any set may change: Python raises if it is that one,
        or hands out what it has by then."""
        for node, one in zip(syntax.statements(loop.body), syntax.statements(plain.body)):
            known = self.facts.before.get(id(node), {})
            changed = isinstance(node, gast.AugAssign) \
                and _may_be_set(known.get(syntax.root_name(node.target) or "", kinds.UNKNOWN))
            for call in syntax.all_of(head(node), gast.Call):
                changes = getattr(call.func, "attr", "") in CHANGING \
                    or may_change(call, self.typer.callee) is not None
                changed |= changes and any(_may_be_set(known[name])
                                           for name in syntax.read_names(call) if name in known)
            if changed:
                raise self.context.refuse(one, f"{owner} may change while it is looped over",
                                          f"make a list first: list({owner})")

    def keys_of(self, owner: str) -> gast.expr:
        """`list(owner)`"""
        return syntax.call(self.inject(list, "list"), load(owner))

    def keeps_its_size(self, loop: gast.For, owner: str, keys: set[str]) -> None:
        """Refuse a loop over a dict which may get or lose keys in it."""
        written = self.context.keys.get(owner, [])
        others = [*written, *((one, {key for node in _taking(one) for key in _key_in(
            node, dict.keys) if node.value.value.id == owner}) for one in syntax.statements(
                self.tree.body) if isinstance(one, gast.For))]
        inside = {id(one) for one in syntax.statements(loop.body)}
        keys = keys.union(*(names for one, names in others if id(one) in inside))
        around = {key for one, names in others for key in names
                  if any(inner is loop for inner in syntax.statements(one.body))
                  and bound_in(one).count(key) == 1}
        seen = change_in_loop(self.tree.body, loop, owner, keys, around, self.call_changes)
        if seen is not None:
            raise self.context.refuse(seen, f"{owner} may get or lose keys while it is looped over",
                                      f"make a list of the keys first: list({owner})")

    def view_of_map(self, owner: gast.Name, function: Any, node: gast.stmt) -> Written | None:
        """`d.keys()`, `d.values()` and `d.items()`: taken item by item where a loop asks for them,
        else a list, where nobody can tell."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return None
        name = node.targets[0].id
        uses = self.uses_of(name)
        if uses is None or self.is_bound_anew(owner.id, name):
            return None
        loops, is_used_up = uses
        within = set() if is_used_up else {id(n) for one in loops
                                           for n in syntax.statements(one.body)}
        for seen in changes_that_are_seen(self.tree.body, node, owner.id, self.call_changes):
            if id(seen) not in within:
                raise self.context.refuse(seen, f"{owner.id} is changed while a view of it is read",
                                          f"make a list of it first: list({owner.id}."
                                          f"{function.__name__}())")
        for loop in loops:
            self.keeps_its_size(loop, owner.id, {
                key for block in syntax.all_blocks(loop) for at in range(len(block))
                if _takes(block[at], name)
                for key in _key_in(self.unpacking(block, at)[-1], function)})
        if function is dict.keys:
            return [], self.keys_of(owner.id)
        keys = self.context.names.fresh("keys")
        first: list[gast.stmt] = [assign(keys, self.keys_of(owner.id))]
        if is_used_up:
            key = self.context.names.fresh("key")
            item: gast.expr = there(owner, load(key))
            if function is dict.items:
                item = syntax.tuple_of([load(key), item])
            taken = gast.ListComp(item, [gast.comprehension(store(key), load(keys), [], 0)])
            return self.normal([*first, assign(name, taken)], node), None
        for loop in loops:
            _RenameIterated({name: keys}).visit(loop)
            for block in syntax.all_blocks(loop):
                for at in range(len(block) - 1, -1, -1):
                    if _takes(block[at], keys):
                        count = len(self.unpacking(block, at))
                        block[at:at + count] = self.normal(
                            self.taken(block[at:at + count], owner.id, function), block[at])
        return first, None

    def taken(self, nodes: list[Any], owner: str, function: Any) -> list[gast.stmt]:
        """Statements that take an item, where one takes the key of it; nodes: those that did."""
        target = nodes[-1].targets[0]
        parts = target.elts if isinstance(target, gast.Tuple) else []
        if function is dict.items and len(parts) == 2 and isinstance(parts[0], gast.Name) \
                and parts[0].id not in {*syntax.bound_names(parts[1]), owner}:
            key, rest = parts[0].id, parts[1]
        else:
            key, rest = self.context.names.fresh("key"), target
        item: gast.expr = there(load(owner), load(key))
        if rest is target and function is dict.items:
            item = syntax.tuple_of([load(key), item])
        return [assign(key, nodes[0].value), gast.Assign([rest], item, None)]

    def unpacking(self, block: list[Any], at: int) -> list[Any]:
        """A statement that takes an item, with the one behind it that takes the item apart, if that
        is all that becomes of it: `item = items[n]; k, v = item`."""
        both = block[at:at + 2]
        name, later = both[0].targets[0], both[-1]
        is_apart = len(both) == 2 and isinstance(name, gast.Name) \
            and isinstance(later, gast.Assign) and isinstance(later.targets[0], gast.Tuple) \
            and getattr(later.value, "id", None) == name.id \
            and sum(n.id == name.id for n in syntax.names_in(self.tree)) == 2
        return both if is_apart else both[:1]

    def uses_of(self, name: str) -> tuple[list[gast.For], bool] | None:
        """The loops over a view, and whether it is used up elsewhere as well; None where more is
        done with it than that."""
        allowed, is_used_up = 0, False
        loops: list[gast.For] = []
        for node in syntax.statements(self.tree.body):
            if isinstance(node, gast.Assign) and _takes(node, name):
                allowed += 1
            elif isinstance(node, gast.For):
                taking = [one for one in _taking(node) if one.value.value.id == name]
                if taking:
                    loops.append(node)
                    allowed += sum(syntax.is_length_of(n, name) for n in gast.walk(node.iter))
            else:
                for call in syntax.all_of(node, gast.Call) if not isinstance(
                        node, syntax.COMPOUND) else ():
                    given = call.args[0] if len(call.args) >= 1 else None
                    if getattr(given, "id", None) == name and self.typer.object_of(
                            call.func) in USING_UP and getattr(call.func, "id", "") \
                            not in self.bound:
                        allowed += 1
                        is_used_up = True
        bound = [n for n in syntax.names_in(self.tree) if n.id == name]
        read = sum(isinstance(n.ctx, gast.Load) for n in bound)
        return (loops, is_used_up) if read == allowed and len(bound) == read + 1 else None

    def is_bound_anew(self, owner: str, view: str) -> bool:
        """Whether a name means another dict while a view of the one that it meant is read."""
        events = [n for n in syntax.statements(self.tree.body)
                  if not isinstance(n, syntax.COMPOUND) and owner in definitions(n)]
        live = live_around(self.tree.body, {id(n) for n in events})
        return owner in self.shared or any(view in live.get(id(n), set()) for n in events)

    def got(self, plain: gast.Call, node: gast.stmt) -> Written | None:
        """`d.get(key, v)`: what is there, if there is something."""
        if plain.keywords or not 1 <= len(plain.args) <= 2:
            return None
        default = plain.args[1] if len(plain.args) > 1 else gast.Constant(None, None)
        owner, (first, key) = plain.func.value, self.with_name(plain.args[0])
        name = self.bound_to(node) or self.context.names.fresh("part")
        is_there = gast.Compare(syntax.copy(key), [gast.In()], [syntax.copy(owner)])
        made: list[gast.stmt] = [*first, gast.If(
            is_there, [assign(name, there(owner, key))],
            [assign(name, default)])]
        return self.normal(made, plain), None if name == self.bound_to(node) else load(name)

    def put_where_missing(self, plain: gast.Call, node: gast.stmt) -> Written | None:
        """`d.setdefault(key, v)`: v is put there, if nothing is there yet."""
        if plain.keywords or not 1 <= len(plain.args) <= 2:
            return None
        default = plain.args[1] if len(plain.args) > 1 else gast.Constant(None, None)
        owner, (first, key) = plain.func.value, self.with_name(plain.args[0])
        spot = syntax.subscript(syntax.copy(owner), syntax.copy(key), gast.Store())
        spot.dynamic = True
        is_missing = gast.Compare(syntax.copy(key), [gast.NotIn()], [syntax.copy(owner)])
        made: list[gast.stmt] = [*first, gast.If(is_missing, [gast.Assign([spot], default, None)],
                                                 [])]
        return self.normal(made, plain), None if isinstance(node, gast.Expr) \
            else there(owner, key)

    def with_name(self, key: gast.expr) -> tuple[list[gast.stmt], gast.expr]:
        """A key that is asked for more than once, and what gives it a name in front of that."""
        if syntax.is_atom(key):
            return [], key
        name = self.context.names.fresh("key")
        return [assign(name, key)], load(name)

    def copied_map(self, owner: str, node: gast.stmt) -> Written | None:
        """`dict(d)` and `d.copy()`, item by item."""
        name, key = self.bound_to(node), self.context.names.fresh("key")
        if name is None or name == owner:
            return None
        return self.normal([assign(name, gast.DictComp(
            load(key), there(load(owner), load(key)),
            [gast.comprehension(store(key), self.keys_of(owner), [], 0)]))], node), None

    def of_pairs(self, pairs: str, node: gast.stmt) -> Written | None:
        """`dict(pairs)` of a list of pairs, one by one."""
        name = self.bound_to(node)
        if name is None or name == pairs:
            return None
        key, value = self.context.names.fresh("key"), self.context.names.fresh("value")
        both = syntax.tuple_of([store(key), store(value)], gast.Store())
        return self.normal([assign(name, gast.DictComp(load(key), load(value), [
            gast.comprehension(both, load(pairs), [], 0)]))], node), None

    def key_is_named(self, value: Any, plain: Any, node: gast.stmt) -> Written | None:
        """`d[len(d)] = v`: a key that is computed of what changes here is kept by a name."""
        if not isinstance(value, gast.Subscript) or not isinstance(
                self.typer.kind(value.value), (kinds.MapKind, kinds.DictKind)) or not any(
                    isinstance(n, (gast.Call, gast.Subscript)) for n in gast.walk(plain.slice)):
            return None
        key = self.context.names.fresh("key")
        first = assign(key, plain.slice)
        plain.slice = gast.copy_location(load(key), plain.slice)
        return [*self.normal([first], plain), node], None

    def bound_to(self, node: gast.stmt) -> str | None:
        """The name that a statement binds to its value."""
        target: Any = node.targets[0] if isinstance(node, gast.Assign) else None
        return target.id if isinstance(target, gast.Name) else None

    def uses_up_keys(self, value: gast.Call, function: Any) -> bool:
        """Whether a call takes all keys of such a dict, one by one: `sorted(d)`, `max(d)`."""
        return function in USING_UP and function is not len and len(value.args) >= 1 \
            and keys_at_hand(self.typer.kind(value.args[0])) \
            and not any(k.arg in (None, "key") for k in value.keywords)

    def holds_computed_keys(self, value: gast.expr) -> bool:
        """Whether a value is a dict with keys that are computed. A loop over it takes them from
        `list(d)`, which would be a loop over it again, and so on."""
        return isinstance(self.typer.kind(value), kinds.MapKind)

    def keys_used_up(self, plain: gast.Call, function: Any) -> Written | None:
        """The call that takes a list of the keys in place of the dict."""
        if function is list or not isinstance(plain.args[0], gast.Name):
            return None
        name = self.context.names.fresh("keys")
        first: list[gast.stmt] = [assign(name, self.keys_of(plain.args[0].id))]
        return first, self.calling(plain.func, plain, [load(name), *plain.args[1:]])


def _may_be_set(kind: kinds.Kind) -> bool:
    """Whether a value may be a set, or hold one."""
    return isinstance(kind, kinds.SetKind) or kind == kinds.UNKNOWN \
        or any(map(_may_be_set, kinds.parts(kind)))


def _holds_pairs(kind: kinds.Kind) -> bool:
    """Whether a value is a list of pairs."""
    return isinstance(kind, kinds.ListKind) and isinstance(kind.item, kinds.TupleKind) \
        and len(kind.item.items) == 2


def there(owner: gast.expr, key: gast.expr) -> gast.Subscript:
    """`owner[key]`, of a key that is there."""
    made = syntax.subscript(syntax.copy(owner), syntax.copy(key))
    made.is_there = True
    return made


def _taking(loop: gast.For) -> list[Any]:
    """The statements of a loop that take the items of what it runs over."""
    return [s for s in syntax.statements(loop.body) if isinstance(s, gast.Assign)
            and getattr(s.value, "iterates", False) and isinstance(s.value.value, gast.Name)
            and loop.target.id in syntax.read_names(s.value.slice)]


def _takes(node: Any, name: str) -> bool:
    value: Any = getattr(node, "value", None)
    return isinstance(node, gast.Assign) and getattr(value, "iterates", False) \
        and getattr(value.value, "id", None) == name


def _key_in(node: Any, function: Any) -> set[str]:
    """The name that a key gets where an item of a dict, or of a view of it, is taken."""
    target = node.targets[0]
    if function is dict.items and isinstance(target, gast.Tuple):
        target = target.elts[0]
    elif function is not dict.keys:
        return set()
    return {target.id} if isinstance(target, gast.Name) else set()


class _RenameIterated(syntax.Transformer):
    """Lets a loop run over something else: its bound, and what takes its items."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Call(self, node: gast.Call) -> gast.expr:
        for name, other in self.names.items():
            if syntax.is_length_of(node, name):
                return gast.copy_location(syntax.call(node.func, load(other)), node)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        self.generic_visit(node)
        if getattr(node, "iterates", False) and getattr(node.value, "id", None) in self.names:
            node.value = gast.copy_location(load(self.names[node.value.id]), node.value)
        return node
