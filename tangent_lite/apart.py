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

from tangent_lite import syntax
from tangent_lite.liveness import definitions, live_around
from tangent_lite.markers import marker_of

Edge = tuple[str, str, tuple[int, str] | None]      # two names; (statement, name) if it is a binding


class Apart:
    """Which bindings of a function might be copies.

    edges: pairs of names that may share memory, or of a container and what is put into it; events:
    (statement, name) where an array or a container is changed; own: what the function binds. What
    others are called lives on when it is done. reached: all names whose memory a name may hold.
    """

    def __init__(self, body: list[gast.stmt], edges: Iterable[Edge],
                 events: list[tuple[gast.stmt, str]], own: set[str],
                 reached: Callable[[str], set[str]]) -> None:
        self.reached = functools.cache(reached)
        self.near: dict[str, list[tuple[str, tuple[int, str] | None]]] = {}
        for one, other, key in edges:
            self.near.setdefault(one, []).append((other, key))
            self.near.setdefault(other, []).append((one, key))
        self.outside = set(self.near) - own
        # A handler may be reached from anywhere in its body.
        self.is_plain = not any(marker_of(n) is not None for n in syntax.statements(body))
        self.live = live_around(body, {id(node) for node, _ in events}) if self.is_plain else {}
        self.live_at: dict[str, list[set[str]]] = {}
        for node, name in events if self.is_plain else ():
            self.live_at.setdefault(name, []).append(
                self.live.get(id(node), set()) | {name} | set(definitions(node)) | self.outside)

    def is_copy(self, node: gast.stmt, name: str) -> bool:
        """Whether a binding might be a copy of what it shares memory with."""
        if not self.is_plain:
            return False
        key = (id(node), name)
        beyond = self.component([name], key)
        bases = [other for other, edge in self.near.get(name, ()) if edge == key]
        if beyond & set(bases):
            return False
        behind = self.component(bases, key)
        for other in (*beyond, *behind):
            for live in self.live_at.get(other, ()):
                if live & beyond and live & behind and self.sees(live & beyond, other) \
                        and self.sees(live & behind, other):
                    return False
        return True

    def sees(self, names: set[str], changed: str) -> bool:
        """Whether what is changed through a name may be seen through one of others."""
        return any(self.reached(name) & self.reached(changed) for name in names)

    def is_live(self, node: gast.stmt, name: str) -> bool:
        """Whether a name may be read where something is changed, or later on."""
        return not self.is_plain or name in self.outside or name in self.live.get(id(node), ())

    def component(self, names: list[str], without: tuple[int, str]) -> set[str]:
        """All names that may share memory with these, leaving out a binding."""
        found, todo = set(names), list(names)
        while todo:
            for other, edge in self.near.get(todo.pop(), ()):
                if edge != without and other not in found:
                    found.add(other)
                    todo.append(other)
        return found

