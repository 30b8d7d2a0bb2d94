"""Fold what is used once into the expression that uses it.

>>> from types import SimpleNamespace
>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x):
...     sin_x = np.sin(x)
...     y = x * sin_x
...     return y
... ''').body[0]
>>> fold(tree.body, ["x"], {"x", "y"}, {}, SimpleNamespace(versions={}), None)
>>> print(emit(tree), end="")
def f(x):
    y = x * np.sin(x)
    return y

A temporary moves if nothing in between changes what it reads. What does more than compute, as a
random draw does, moves over nothing, and only what reads no containers moves over that. The names
of the user, and the adjoints of them, stay.
"""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.derived import Derived
from tangent_lite.analyses.mentions import Mentioned, Mentions, head
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.markers import marker_of
from tangent_lite.syntax import COMPOUND, is_comment

TOO_LONG = 60           # nodes of an expression that a reader still takes in
LIGHT = 9               # and of one that is not worth a name
FAR = 100               # statements between what is computed and its use
_CONTENTS = frozenset({gast.Subscript, gast.Attribute, gast.Call})


def fold(body: list[gast.stmt], parameters: list[str], user_names: set[str],
         adjoints: dict[str, str], context: Derived, split: gast.stmt | None,
         mentions: Mentions | None = None, memory: SameMemory | None = None,
         may_wait: bool = False) -> None:
    """Fold the temporaries of a body; adjoints: what each is the adjoint of; split: the statement
    before which the code is the user's own, and is left at its length; mentions: what the
    statements mention; memory: which names may hold the same; may_wait: what the backward pass
    alone reads may be computed there."""
    folder = _Folder(parameters, user_names, adjoints, context, split,
                     Mentions() if mentions is None else mentions, memory)
    folder.may_wait = may_wait
    folder.aliases(body)
    folder.fold(body)


class _Temporary(dict[str, bool]):
    """Whether a name is ours: no variable of the user, no adjoint of one."""

    def __init__(self, parameters: set[str], user_names: set[str], adjoints: dict[str, str],
                 versions: Any) -> None:
        super().__init__()
        self.parameters, self.user_names = parameters, user_names
        self.adjoints, self.versions = adjoints, versions

    def __missing__(self, name: str) -> bool:
        variable = self.adjoints.get(name)
        variable = self.versions.get(name) if variable is None else variable
        found = self[name] = name not in self.parameters and (
            self[variable] if variable is not None else name not in self.user_names)
        return found


@dataclass(eq=False, repr=False)
class _Order:
    """The statements of a body by their numbers, in order, for some names."""
    read: dict[str, list[int]]          # where each name is read
    changed: dict[str, list[int]]       # where it is bound, or changed, which counts twice
    starts: dict[int, list[int]] = field(default_factory=dict)  # of a block, by its id
    end: dict[int, int] = field(default_factory=dict)           # with what stands in its blocks
    spots: list[tuple[Any, list[gast.stmt], int]] = field(default_factory=list)     # of bindings

    def behind(self, block: list[gast.stmt], number: int) -> int:
        """Where the next statement of a block begins, behind the one that holds a number."""
        starts = self.starts[id(block)]
        following = bisect_right(starts, number)
        return starts[following] if following < len(starts) else self.end[id(block)] + 1


class _Folder:
    def __init__(self, parameters: list[str], user_names: set[str], adjoints: dict[str, str],
                 context: Derived, split: gast.stmt | None, mentions: Mentions,
                 memory: SameMemory | None) -> None:
        self.table, self.memory = mentions, memory
        self.may_wait = False
        self.parameters, self.user_names = set(parameters), user_names
        self.adjoints, self.context, self.split = adjoints, context, split
        self.mentions: dict[str, list[tuple[int, str, gast.stmt]]] = {}
        # What a statement (by its id) reads: which list of mentions, and where in it.
        self.reads: dict[int, list[tuple[list[tuple[int, str, gast.stmt]], int]]] = {}
        self.loops: dict[int, tuple[int, ...]] = {}     # by id of a block: the loops around it
        self.of_forward: set[str] = set()               # what is bound before the split
        self.is_temporary = _Temporary(self.parameters, user_names, adjoints, context.versions)

    def fold(self, body: list[gast.stmt]) -> None:
        """Fold the temporaries of a body, inner blocks first."""
        self.note(body)
        if self.split is not None:
            forward = body[:next((k for k, node in enumerate(body) if node is self.split), 0)]
            self.of_forward = {name for node in syntax.every_statement(forward)
                               for name in self.table[node].binds}
        self.block(body)

    def aliases(self, body: list[gast.stmt]) -> None:
        """`bt = by` for a temporary t: by is used itself, if neither changes any more."""
        others = {id(n): n for n in syntax.every_statement(body)
                  if n.__class__ is gast.Assign and self.is_other_name(n)}
        if not others:
            return
        order = self.order(body, others)
        renamed: dict[str, gast.expr] = {}
        second: dict[str, gast.stmt] = {}       # where such names are bound
        kinds_known = getattr(self.context, "adjoint_kinds", {})
        gone: dict[int, tuple[list[gast.stmt], set[int]]] = {}
        for node, block, bound in order.spots:
            name, value = node.targets[0].id, node.value.id
            value = renamed[value].id if value in renamed else value
            if not self.is_one_thing(name, value, node, block, bound, order):
                continue
            renamed[name], second[name] = syntax.load(value), node
            if name in kinds_known:
                kinds_known.setdefault(value, kinds_known[name])
            gone.setdefault(id(block), (block, set()))[1].add(id(node))
        for block, ids in gone.values():
            block[:] = [n for n in block if id(n) not in ids]
        if renamed:
            swap = syntax.Substitute(renamed)
            found = [node for node in syntax.statements(body)
                     if not renamed.keys().isdisjoint(self.table[node].names)]
            readers: dict[str, list[gast.stmt]] = {name: [] for name in renamed}
            for node in found:
                for name in renamed.keys() & self.table[node].reads:
                    readers[name].append(node)
            for name, binding in second.items():
                self.table.put_into(binding, name, readers[name])
            for node in found:
                self.rewrite(node, swap)

    def order(self, body: list[gast.stmt], others: dict[int, Any]) -> _Order:
        """Where the names in some bindings of a body, given by their ids, are read and changed."""
        about = {name for n in others.values() for name in (n.targets[0].id, n.value.id)}
        found = _Order({name: [] for name in about}, {name: [] for name in about})
        read, changed = found.read, found.changed
        around: list[tuple[int, int]] = []          # blocks, and those that they stand in
        todo: list[tuple[list[gast.stmt], Iterator[Any]]] = [(body, iter(body))]
        number = 0
        while todo:
            block, rest = todo[-1]
            begun = found.starts.setdefault(id(block), [])
            for node in rest:
                number += 1
                begun.append(number)
                mention, kind = self.table[node], node.__class__
                if not about.isdisjoint(mention.reads):
                    for name in about & mention.reads:
                        read[name].append(number)
                if kind in COMPOUND:
                    if kind is gast.For:
                        for name in about.intersection(syntax.bound_names(node.target)):
                            changed[name] += [number, number]
                    for inner in (node.orelse, node.body):
                        around.append((id(inner), id(block)))
                        todo.append((inner, iter(inner)))
                    break
                if id(node) in others:
                    found.spots.append((node, block, number))
                for name in self.changed_by(node, mention):
                    if name in about:
                        changed[name].append(number)
            else:
                todo.pop()
            if begun:
                found.end[id(block)] = begun[-1]
        for inside_of, outer in reversed(around):
            found.end[outer] = max(found.end[outer], found.end.get(inside_of, 0))
        return found

    def is_one_thing(self, name: str, value: str, node: gast.stmt, block: list[gast.stmt],
                     bound: int, order: _Order) -> bool:
        """Whether a name, which a statement of a block binds to the value of another name, is that
        one wherever it is read; bound: the number of the statement."""
        read, changes = order.read[name], order.changed[value]
        # What is read before it is bound has a value from the step before, or from outside.
        if len(order.changed[name]) != 1 or min(read, default=bound) < bound:
            return False
        ours = self.is_temporary[value] or (
            value in self.adjoints and value not in self.parameters)
        last = max(read, default=bound)
        inside = last <= order.end[id(block)]
        # The user's own binding may not have run, where it is read behind its block.
        if (inside or not hasattr(node, "lineno")) and (
                not changes or (ours and len(changes) == 1 and changes[0] < bound)):
            return True
        if not inside or not changes:
            return inside
        # To the end of the statement of the block that reads it last it is the same thing.
        behind = bisect_right(changes, bound)       # they are in order
        return behind == len(changes) or changes[behind] >= order.behind(block, last)

    def changed_by(self, node: Any, mention: Mentioned) -> list[str]:
        """What a simple statement binds or changes, twice what it does more to than bind it."""
        kind = node.__class__
        target = syntax.target_of(node)
        if target.__class__ is gast.Subscript:
            return syntax.written_roots(target.value) * (4 if kind is gast.AugAssign else 2)
        if kind is gast.AugAssign:
            return mention.binds * 2
        if kind is gast.Expr and node.value.__class__ is gast.Call:
            return [*mention.reads] * 2
        return mention.binds

    def rewrite(self, node: gast.stmt, swap: syntax.Substitute) -> None:
        """Put expressions for names into a statement, or into the head of a compound one."""
        if isinstance(node, gast.For):
            node.iter = swap.visit(node.iter)
        elif isinstance(node, (gast.If, gast.While)):
            node.test = swap.visit(node.test)
        else:
            swap.visit(node)
        self.table.rewritten(node)

    def is_other_name(self, node: gast.Assign) -> bool:
        """Whether an assignment gives something a second name that is no name of the user."""
        return node.value.__class__ is gast.Name and node.targets[0].__class__ is gast.Name \
            and self.is_temporary[node.targets[0].id]

    def note(self, block: list[gast.stmt], loops: tuple[int, ...] = ()) -> None:
        """Note in program order where temporaries are read and bound."""
        self.loops[id(block)] = loops
        for node in block:
            mention, kind = self.table[node], node.__class__
            if mention.names:
                self.read(mention.names, block, node)
            if kind in COMPOUND:
                if kind is gast.For:
                    self.bind(syntax.bound_names(node.target), block, node)
                inside = loops if kind is gast.If else (*loops, id(node))
                self.note(node.body, inside)
                self.note(node.orelse, loops)
                if kind is gast.While:
                    self.read(mention.names, block, node)
                continue
            if kind is gast.AugAssign and isinstance(node.target, gast.Name):
                self.read([node.target.id], block, node)
            self.bind(mention.binds, block, node)

    def read(self, names: list[str], block: list[gast.stmt], node: gast.stmt) -> None:
        is_temporary, found, entry = self.is_temporary, [], (id(block), "read", node)
        for name in names:
            if is_temporary[name]:
                entries = self.mentions.get(name)
                if entries is None:
                    entries = self.mentions[name] = []
                found.append((entries, len(entries)))
                entries.append(entry)
        if found:
            self.reads.setdefault(id(node), []).extend(found)

    def bind(self, names: list[str], block: list[gast.stmt], node: gast.stmt) -> None:
        for name in names:
            if self.is_temporary[name]:
                self.mentions.setdefault(name, []).append((id(block), "bind", node))

    def block(self, block: list[gast.stmt]) -> None:
        for node in block:
            if isinstance(node, COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
        place = {id(n): i for i, n in enumerate(block)}
        split = place.get(id(self.split), 0)
        gone: set[int] = set()
        for number, node in enumerate(block):
            if node.__class__ is not gast.Assign or node.targets[0].__class__ is not gast.Name:
                continue
            name = node.targets[0].id
            if not self.is_temporary[name] or marker_of(node) is not None:
                continue
            use = self.single_use(name, node, block)
            if use is None or id(use) not in place:
                continue
            target = place[id(use)]
            waits = number < split < target
            if target <= number or (self.crosses(block, number, target) and not (
                    self.may_wait and target - number < FAR and _is_light(node.value)
                    and not isinstance(use, gast.Return) if waits else
                    number > split and (_is_brief(node.value) or self.is_for_next(
                        name, block[number + 1:target])))):
                continue
            if not self.may_move(node, use, block[number + 1:target], gone):
                continue
            # Before the split, and beside tangents, it is as the user wrote it.
            ours = number >= split or waits if self.split is not None \
                else not hasattr(node, "lineno")
            if ours and not self.short_enough(node, use):
                continue
            self.put(name, node, use)
            gone.add(id(node))
        block[:] = [n for n in block if id(n) not in gone]

    def single_use(self, name: str, node: gast.stmt, block: list[gast.stmt]) -> gast.stmt | None:
        """The one statement that reads what a statement binds, if there is one."""
        entries = self.mentions.get(name, [])
        spots = [i for i, e in enumerate(entries) if e[2] is node and e[1] == "bind"]
        if len(spots) != 1:
            return None
        spot = spots[0]
        if name in self.adjoints and (len(entries) != 2):
            return None
        # What the block reads before it binds it may be what an iteration before has bound.
        if next((e[1] for e in entries[:spot] if e[0] == id(block)), "bind") == "read":
            return None
        if len(entries) <= spot + 1 or self.carried(entries, spot, block):
            return None
        where, what, use = entries[spot + 1]
        if what != "read" or where != id(block):
            return None
        # Whoever reads the name later must have bound it anew, in its own block.
        anew: set[int] = set()
        for block_number, kind, _ in entries[spot + 2:]:
            if kind == "bind":
                anew.add(block_number)
            elif block_number not in anew:
                return None
        if isinstance(use, gast.AugAssign) and syntax.bound_names(use.target) == [name]:
            return None
        if isinstance(use, gast.While) or use is node:
            return None
        return use

    def carried(self, entries: list[tuple[int, str, gast.stmt]], spot: int,
                block: list[gast.stmt]) -> bool:
        """Whether the next step of a loop around may read what is bound here."""
        for loop in self.loops[id(block)]:
            anew: set[int] = set()
            for where, what, _ in entries[:spot]:
                if loop in self.loops.get(where, ()):
                    if what == "bind":
                        anew.add(where)
                    elif where not in anew:
                        return True
        return False

    def crosses(self, block: list[gast.stmt], start: int, end: int) -> bool:
        """Whether a comment, so another statement of the user, or the split lies between."""
        return any(n is self.split or is_comment(n) or marker_of(n) is not None
                   for n in block[start + 1:end])

    def is_for_next(self, name: str, between: list[gast.stmt]) -> bool:
        """Whether a value of the forward pass is computed again for the statement of the user whose
        comment comes next, and that one alone lies between."""
        comments = [spot for spot, node in enumerate(between)
                    if node is self.split or is_comment(node) or marker_of(node) is not None]
        return len(comments) == 1 and is_comment(between[comments[0]]) \
            and name in self.of_forward and all(
                self.is_again(node) for node in between[:comments[0]])

    def is_again(self, node: gast.stmt) -> bool:
        """Whether a statement binds a name to what the forward pass binds it to."""
        return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
            and node.targets[0].id in self.of_forward

    def may_move(self, node: gast.Assign, use: gast.stmt, between: list[gast.stmt],
                 gone: set[int]) -> bool:
        mention = self.table[node]
        reads = mention.reads
        contents = not reads or not mention.classes.isdisjoint(_CONTENTS)
        if any(isinstance(n.func, gast.Attribute) and n.func.attr in ("pop", "append")
               for n in mention.calls):
            return False
        if isinstance(node.value, gast.Call) and self.may_act(node.value):
            # `ba += f_bwd(...)` adds what comes back to what ba is then, as two statements do.
            return not between and isinstance(use, gast.AugAssign) \
                and isinstance(use.value, gast.Name) and isinstance(use.target, gast.Name)
        acting = any(hasattr(call, "acts") for call in mention.calls)
        if acting and _acts(use):
            return False
        for other in between:
            if id(other) in gone:
                continue
            if acting or isinstance(other, COMPOUND) or (
                    contents and any(hasattr(call, "acts") for call in self.table[other].calls)):
                return False
            changed = set(self.table[other].binds)
            target = syntax.target_of(other)
            # `n += v` of a number binds n, and writes nowhere.
            writes = isinstance(target, (gast.Subscript, gast.Attribute)) \
                or isinstance(other, gast.Delete) \
                or (isinstance(other, gast.AugAssign) and self.arrays(changed)) \
                or (isinstance(other, gast.Expr) and not is_comment(other)
                    and not _is_record(other))
            if changed & reads or _taken_from(other) & reads:
                return False
            if writes and (contents or self.arrays(reads)) and not self.apart(other, reads):
                return False
        # In the statement itself, what it writes into must not be read again after the write.
        return True

    def apart(self, node: gast.stmt, reads: set[str]) -> bool:
        """Whether a statement writes into what shares no memory with what is read.

        In forward mode tangents share none with values, and among themselves as the values do.
        """
        if self.memory is not None and isinstance(node, (gast.Assign, gast.AugAssign)):
            part = syntax.target_of(node)
            if isinstance(part, gast.Subscript):
                part = part.value
            return isinstance(part, gast.Name) and self.memory.is_array(part.id) and all(
                self.memory.apart(part.id, name) for name in reads)
        if not getattr(self.context, "beside", False) or isinstance(node, (gast.Expr, gast.Delete)):
            return False
        target = syntax.target_of(node)
        written = syntax.root_name(target)
        if written is None:
            return False
        aliases, known = self.context.aliases, self.context.facts.names

        def apart(name: str) -> bool:
            if (written in self.adjoints) != (name in self.adjoints):
                return True
            one, other = self.adjoints.get(written, written), self.adjoints.get(name, name)
            return one in known and other in known and aliases.find(one) != aliases.find(other)

        return all(map(apart, reads))

    def arrays(self, names: set[str]) -> bool:
        facts, ours = self.context.facts.names, getattr(self.context, "adjoint_kinds", {})
        return any(not isinstance(facts.get(self.adjoints.get(n, n), ours.get(n)), kinds.Number)
                   for n in names)

    def may_act(self, call: gast.Call) -> bool:
        """Half of a pair may do more than return a value: it stays where it is."""
        return isinstance(call.func, gast.Name) and call.func.id.endswith(("_fwd", "_bwd"))

    def short_enough(self, node: gast.Assign, use: gast.stmt) -> bool:
        return syntax.size(node.value) + syntax.size(head(use)) <= TOO_LONG

    def put(self, name: str, node: gast.Assign, use: gast.stmt) -> None:
        self.table.put_into(node, name, [use])
        self.rewrite(use, syntax.Substitute({name: node.value}))
        # What the moved expression reads is now read there.
        moved = self.reads.pop(id(node), [])
        for entries, spot in moved:
            entries[spot] = (*entries[spot][:2], use)
        self.reads.setdefault(id(use), []).extend(moved)


def _is_brief(value: gast.expr) -> bool:
    """`-k`, `body.x`: what reads as well below the comment of another statement."""
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        value = value.operand
    while isinstance(value, gast.Attribute):
        value = value.value
    return isinstance(value, gast.Name)


def _is_light(value: gast.expr) -> bool:
    """`0.5 * lam`, `x[1:]`, `not returned`: what the forward pass need not name for the backward
    pass."""
    return not isinstance(value, (gast.Name, gast.Constant)) and syntax.size(value) <= LIGHT \
        and syntax.classes_in(value) <= _LIGHT and not any(
            isinstance(part.op, gast.MatMult) for part in syntax.all_of(value, gast.BinOp))


_LIGHT = frozenset({gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Attribute,
                    gast.Subscript, gast.Slice, gast.Tuple})


def _acts(node: gast.AST) -> bool:
    """Whether a call in here may do more than compute (see `purity`)."""
    return any(hasattr(call, "acts") for call in syntax.all_of(node, gast.Call))


def _taken_from(node: gast.stmt) -> set[str]:
    """Names of lists and dicts that `x = xs.pop()` and the like change."""
    value = getattr(node, "value", None)
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
            and value.func.attr in ("pop", "popitem", "setdefault", "popleft"):
        return {syntax.root_name(value.func.value) or ""}
    return set()


def _is_record(node: gast.stmt) -> bool:
    """`x_tape.append(x)`: what is put on our tapes changes nothing else."""
    return isinstance(node, gast.Expr) and isinstance(node.value, gast.Call) \
        and isinstance(node.value.func, gast.Attribute) and node.value.func.attr == "append" \
        and isinstance(node.value.func.value, gast.Name) \
        and node.value.func.value.id.endswith(("_tape", "_checkpoints")) \
        and not hasattr(node, "lineno")
