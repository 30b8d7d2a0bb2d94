"""Methods of lists and deques: what moves items moves their adjoints back."""
from __future__ import annotations

import collections
from typing import Any

from tangent_lite.heap import library, library_folds, operations, rearranging, special
from tangent_lite.heap.primitives import Back


def call(tape: Any, x: Any, name: str, args: tuple[Any, ...],
         keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """x.name(*args, **keywords) of a list or deque; adjoints for (x, *args)."""
    if name == "append":
        return None, after(rearranging.append(tape, x, args[0]))
    if name == "extend":
        return None, after(rearranging.extend(tape, x, args[0])[1])
    if name in ("pop", "insert", "rotate"):
        args = (special.whole(tape, args[0]), *args[1:]) if args else args
    if name == "pop":
        value, back = rearranging.pop(tape, x, *args)
        return value, back
    if name == "popleft":
        return _pop_left(tape, x)
    if name == "insert":
        return None, _insert(tape, x, *args)
    if name == "appendleft":
        origin: list[Any] = [("new", 0), *range(len(x))]
        if x.maxlen is not None:
            origin = origin[:x.maxlen]
        return None, after(rearranging.rearranged(tape, x, lambda: x.appendleft(args[0]), 1,
                                                  origin, (args[0],)), True)
    if name in ("reverse", "sort", "clear", "remove", "rotate"):
        return None, _rearranged(tape, x, name, args, keywords)
    if name == "copy":
        return library.shallow(tape, x)
    if name in ("index", "count"):
        return operations.found_in(tape, x, name, *args), None
    if name == "extendleft":
        items = tape.listed(args[0])
        origin = [*(("new", k) for k in reversed(range(len(items)))), *range(len(x))]
        if x.maxlen is not None:
            origin = origin[:x.maxlen]
        return None, after(rearranging.rearranged(tape, x, lambda: x.extendleft(items), 1, origin,
                                                  items))
    return getattr(x, name)(*args, **keywords), None


def after(back: Back, single: bool = False) -> Back:
    """Adjoints for the list and for what was put into it."""
    def both(adjoint: Any) -> Any:
        found = back(adjoint)
        if found is None or found[0] is None:
            return None
        return (None, found[0].get(0) if single else found[0])
    return both


def _pop_left(tape: Any, x: Any) -> tuple[Any, Back]:
    value = x.popleft()
    tape.heap.write(x)

    def back(adjoint: Any) -> None:
        slots = tape.adjoints.slots(x)
        rearranging.shift(slots, 0, 1)
        if adjoint is not None:
            slots[0] = adjoint
    return value, back


def _insert(tape: Any, x: Any, place: int, value: Any) -> Back:
    tape.heap.write(x)
    length = len(x)
    spot = max(place + length, 0) if place < 0 else min(place, length)
    x.insert(place, value)

    def back(_: Any) -> Any:
        slots = tape.adjoints.slots(x)
        found = slots.pop(spot, None)
        rearranging.shift(slots, spot + 1, -1)
        return (None, None, found)
    return back


def _rearranged(tape: Any, x: Any, name: str, args: tuple[Any, ...],
                keywords: dict[str, Any]) -> Back:
    origin = list(range(len(x)))
    if name == "reverse":
        origin.reverse()
    elif name == "sort":
        origin = library_folds.order_of(tape, list(x), keywords.get("key"),
                                  keywords.get("reverse", False))
        items = [x[k] for k in origin]
        return rearranging.rearranged(tape, x, lambda: x.__setitem__(slice(None), items), 0,
                                     origin, None)
    elif name == "clear":
        origin = []
    elif name == "remove":
        spot = operations.found_in(tape, x, "index", args[0])
        del origin[spot]
        return rearranging.rearranged(tape, x, lambda: x.__delitem__(spot), 0, origin, None)
    else:
        turned = collections.deque(origin)
        turned.rotate(*args)
        origin = list(turned)
    return rearranging.rearranged(tape, x, lambda: getattr(x, name)(*args), 0, origin, None)
