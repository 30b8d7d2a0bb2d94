"""Bindings that might as well be copies: what shares memory there is never told apart by a write.

    bw[0] += c
    bt, saved = f_fwd(bw)           saved holds bw, and bw is not written to from here on
    t = bz * y
    by = unbroadcast(t, y)          by may be t, and t is not read from here on
    by[0] += c

If what is shared were copied there, each value would be what it is: at each write, what is live of
the memory has come through the binding, or nothing of it has. So an adjoint may take it for a copy.
That one binding is a copy leaves the others what they are: there is less sharing to look at.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.liveness import definitions, live_around
from tangent_lite.analyses.name_sets import NameSet, Numbering
from tangent_lite.markers import marker_of
from tangent_lite.structures.updates import updates_of

CONTAINERS = (kinds.ListKind, kinds.TupleKind, kinds.DictKind, kinds.MapKind, kinds.RecordKind)
Edge = tuple[str, str, tuple[int, str] | None]      # two names; (statement, name) if one is bound


class Apart:
    """Which bindings of a function might be copies.

    edges: pairs of names that may share memory, or of a container and what is put into it; events:
    (statement, name) where an array or a container is changed; own: what the function binds. What
    others are called lives on when it is done. reached: all names whose memory a name may hold;
    known: the kinds of the names.
    """

    def __init__(self, body: list[gast.stmt], edges: Iterable[Edge],
                 events: list[tuple[gast.stmt, str]], own: set[str],
                 reached: Callable[[str], set[str]], known: dict[str, kinds.Kind]) -> None:
        self.reached, self.known = functools.cache(reached), known
        self.near: dict[str, list[tuple[str, tuple[int, str] | None]]] = {}
        self.handed: dict[int | None, set[str]] = {}    # statement -> names that it hands on
        for one, other, key in edges:
            self.near.setdefault(one, []).append((other, key))
            self.near.setdefault(other, []).append((one, key))
            self.handed.setdefault(None if key is None else key[0], set()).add(other)
        self.outside = set(self.near) - own
        # A handler may be reached from anywhere in its body.
        self.is_plain = not any(marker_of(n) is not None for n in syntax.statements(body))
        events = events if self.is_plain else []
        names = self.names = Numbering()
        self.live = live_around(body, {id(node) for node, _ in events}, names)
        self.live_at: dict[str, list[NameSet]] = {}
        outside = names.bits(self.outside)
        self.on_new = self.private(body, {id(node): name for node, name in events})
        for node, name in events:
            if self.is_private(node):
                continue
            self.live_at.setdefault(name, []).append(names.named(
                self.live[id(node)].held | outside | names.bits([name, *definitions(node)])))

    def is_private(self, node: gast.stmt) -> bool:
        """Whether a statement writes into nothing but what was made just before."""
        return id(node) in self.on_new

    def private(self, body: list[gast.stmt], written: dict[int, str]) -> set[int]:
        """Statements that write into what was made just before, and that nobody else has seen:

            row = x * k
            row[0] = 0.0                this
            rows.append(row)

        An object that is made here has a name more for each attribute that it gets; each of these
        changes what it consists of, and writes to nothing that it holds:

            box = blank(Box)
            box_1 = replaced(box, row=row)      this
            box_2 = replaced(box_1, col=col)    and this
        """
        found: set[int] = set()
        changed = set(written.values()) - self.handed.get(None, set())
        if not changed:
            return found

        def visit(block: list[gast.stmt], fresh: set[str], made: set[str]) -> None:
            """fresh: names that were bound to something new in front of the block, and to nothing
            else below it; made: names of new objects, which may hold what is not new."""
            for node in block:
                if isinstance(node, syntax.COMPOUND):
                    if fresh or made:
                        touched = set().union(*map(self.touched, syntax.statements([node])))
                        fresh -= touched
                        made -= touched
                    visit(node.body, set(fresh), set(made))
                    visit(node.orelse, set(fresh), set(made))
                    continue
                owner = written.get(id(node))
                is_next = owner is not None and owner in fresh | made \
                    and updates_of(getattr(node, "value", None)) == owner
                if owner in fresh or is_next:
                    found.add(id(node))
                if fresh or made:
                    touched = self.touched(node)
                    fresh -= touched
                    made -= touched
                if is_next:
                    made.update(definitions(node))
                for name in definitions(node) if isinstance(node, gast.Assign) else ():
                    if name in changed and not any(
                            key == (id(node), name) for _, key in self.near.get(name, ())):
                        fresh.add(name)

        visit(body, set(), set())
        return found

    def touched(self, node: gast.stmt) -> set[str]:
        """The names that a statement binds, or hands on what they hold."""
        found = set(self.handed.get(id(node), ()))
        if not isinstance(node, (*syntax.COMPOUND, gast.AugAssign)):
            found.update(definitions(node))
        if isinstance(node, gast.Expr):
            found |= syntax.read_names(node)
        elif isinstance(node, gast.For):
            found |= syntax.read_names(node.iter)
        return found

    def is_copy(self, node: gast.stmt, name: str) -> bool:
        """Whether a binding might be a copy of what it shares memory with."""
        if not self.is_plain:
            return False
        # It may be bound to the same elsewhere: then all its bindings are copies, or none is.
        every = {key for _, key in self.near.get(name, ()) if key is not None and key[1] == name}
        return self.are_copies(name, {(id(node), name)}) or (
            len(every) > 1 and self.are_copies(name, every))

    def are_copies(self, name: str, keys: set[tuple[int, str]]) -> bool:
        """Whether several bindings of a name might be copies."""
        beyond = self.component([name], keys)
        bases = [other for other, edge in self.near.get(name, ()) if edge in keys]
        if beyond & set(bases):
            return False
        behind = self.component(bases, keys)
        sides = self.names.bits(beyond), self.names.bits(behind)
        for other in (*beyond, *behind):
            for live in self.live_at.get(other, ()):
                if all(self.sees(live.within(side), other) for side in sides):
                    return False
        return True

    def sees(self, names: Iterable[str], changed: str) -> bool:
        """Whether what is changed through a name may be seen through one of others; which items a
        container has is nothing to an array that is one of them."""
        if isinstance(self.known.get(changed), CONTAINERS):
            names = [n for n in names if not isinstance(self.known.get(n), kinds.Array)]
        return any(self.reached(name) & self.reached(changed) for name in names)

    def is_live(self, node: gast.stmt, name: str) -> bool:
        """Whether a name may be read where something is changed, or later on."""
        return not self.is_plain or name in self.outside or name in self.live.get(id(node), ())

    def component(self, names: list[str], without: set[tuple[int, str]]) -> set[str]:
        """All names that may share memory with these, leaving out some bindings."""
        found, todo = set(names), list(names)
        while todo:
            for other, edge in self.near.get(todo.pop(), ()):
                if edge not in without and other not in found:
                    found.add(other)
                    todo.append(other)
        return found

