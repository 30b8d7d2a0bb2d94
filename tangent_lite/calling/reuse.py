"""What was made before for a function is used again: `tl.vjp(f, x)` and `tl.grad(f)(x)` in a loop
transform f once.

What was made is found by what is the same for good: the code of a function, its globals and the
variables that it captures. So a lambda that a loop makes anew at each step counts as one function.
Whether the names in it still mean what they meant is asked at each call, as always (see Variant).

What was made holds the function, and with it the arrays that this captures, which may be all the
data of a program. So functions with large arrays are kept only while they are in use (`Store`).
"""
from __future__ import annotations

import functools
import gc
import threading
import types
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tangent_lite.calling.captured import arrays_in

# So many functions are kept alive, with what they capture, though nobody else may hold them,
KEPT = 64
# if all their arrays together are no larger than this, be it for one function alone.
KEPT_BYTES = 64 << 20
LARGE = 1 << 20         # functions with less than this are not looked after


class Same:
    """A function as a key: equal to whatever does the same by the same code.

    It holds all that it tells by identity, so that nothing else can come to have that.
    """
    __slots__ = ("held", "key")

    def __init__(self, fun: Any) -> None:
        code = getattr(fun, "__code__", None)
        if type(fun) is types.FunctionType \
                and not (fun.__dict__ or fun.__defaults__ or fun.__kwdefaults__):
            self.held: tuple[Any, ...] = (code, fun.__globals__, *(fun.__closure__ or ()))
        elif isinstance(fun, types.MethodType):
            code = getattr(fun.__func__, "__code__", None)
            self.held = (code, fun.__func__, fun.__self__)
        elif isinstance(fun, functools.partial):
            self.held = (fun, *fun.keywords, *fun.keywords.values())
        else:
            self.held = (fun, code, getattr(type(fun), "__call__", None))     # noqa: B004
        self.key = (getattr(fun, "__name__", None), *map(id, self.held))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.key == other.key


class Alike(Same):
    """What a request differentiates as a key: equal to whatever has the same code in the same
    module, whichever variables it captures, and of which object ever it is a method."""
    __slots__ = ()

    def __init__(self, request: Any) -> None:
        self.held = (request.function.__code__, request.function.__globals__)
        self.key = ("alike", len(request.bound), *map(id, self.held))


class _Entry:
    """What was made for a key, how much memory that keeps alive, and whether it is in use."""
    __slots__ = ("arrays", "is_used", "made")

    def __init__(self) -> None:
        self.made: dict[str, Any] = {}
        self.arrays: dict[int, int] = {}        # bytes by the id of their owner; of LARGE ones
        self.is_used = True


class Store:
    """What was made for functions, as long as it is likely to be asked for again.

    The functions that were used last are kept: KEPT of them, and so many that their arrays take
    KEPT_BYTES together; but one function always, however large its arrays, since it may be a loop
    that makes it anew at each step. Of functions with arrays beyond LARGE those are let go that
    nobody asked for between two full collections of garbage: Python looks then for what is no
    longer in use, and so do those who want their memory back and call `gc.collect()`.
    A derivative that the user holds keeps what was made for it.
    Not here are functions that differentiated code hands to `checkpoint` and to functions of SciPy
    (`adjoints/checkpoints`, `runtime/scipy_functions`): of these 256 and up to 1024 stay.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[Any, ...], _Entry] = {}    # last used, last
        # One thread may come here again: what goes away here may run code of the user.
        self._lock = threading.RLock()
        self._is_told = False                   # of collections

    def __call__(self, *key: Any) -> dict[str, Any]:
        """What was made for a key; empty at first. Keys hold Same in the place of functions."""
        gone: list[_Entry] = []
        with self._lock:
            # Taken out and put last: a collection meanwhile may come here.
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._entries[key] = entry
                entry.is_used = True
                return entry.made
            entry = self._entries[key] = _Entry()
            self._note(entry, _captured(key), gone)
            while len(self._entries) > KEPT:
                gone.append(self._entries.pop(next(iter(self._entries))))
        return entry.made

    def keeps(self, key: tuple[Any, ...], things: Iterable[Any]) -> None:
        """Note which functions and objects are kept alive by what was made for a key, beside what
        the key itself says."""
        gone: list[_Entry] = []
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._note(entry, things, gone)

    def cache_clear(self) -> None:
        """Forget all."""
        with self._lock:
            gone, self._entries = self._entries, {}
        gone.clear()

    def _note(self, entry: _Entry, things: Iterable[Any], gone: list[_Entry]) -> None:
        """Note what an entry keeps alive; what is let go for it is put into a list, and goes away
        behind the lock."""
        found = arrays_in(things)
        entry.arrays = found if sum(found.values()) >= LARGE else {}
        if not entry.arrays:
            return
        if not self._is_told:                   # seldom needed, so not before
            self._is_told = True
            gc.callbacks.append(self._collected)
        entries = [(key, self._entries.get(key)) for key in list(self._entries)]
        for k, (key, other) in enumerate(entries):
            kept = dict(entry.arrays)
            for _, one in entries[k:]:
                kept.update(one.arrays if one is not None else {})
            if sum(kept.values()) <= KEPT_BYTES:
                break
            if other is not None and not other.arrays.keys() <= entry.arrays.keys():
                gone.append(other)
                self._entries.pop(key, None)

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        """Let large functions go that were not asked for since garbage was last collected: before
        it is collected now, since they are garbage from here on."""
        if phase != "start" or info["generation"] < 2 or not self._lock.acquire(blocking=False):
            return                              # who holds the lock may wait for this thread
        try:
            entries = [(key, self._entries[key]) for key in list(self._entries)]
            gone = [self._entries.pop(key) for key, entry in entries
                    if entry.arrays and not entry.is_used]
            for _, entry in entries:
                entry.is_used = False
        finally:
            self._lock.release()
        gone.clear()


def _captured(key: Any) -> list[Any]:
    """What the functions in a key hold beside their globals."""
    if isinstance(key, Same):
        return [thing for thing in key.held if type(thing) is not dict]
    return [thing for part in key for thing in _captured(part)] if isinstance(key, tuple) else []


store = Store()

_remembered: list[dict[Any, Any]] = []


def until_forgotten() -> dict[Any, Any]:
    """A dict for what rests on rules; it is emptied whenever one is registered."""
    made: dict[Any, Any] = {}
    _remembered.append(made)
    return made


# All that there are: what was written for some arguments was so by the rules that there were.
_derivatives: weakref.WeakSet[Any] = weakref.WeakSet()
_derivatives_lock = threading.RLock()           # who goes through them adds none meanwhile
_keeping: list[None] = []           # filled while rules are read that none of them rests on


def rests_on_rules(derivative: Any) -> None:
    """Note a derivative that has a `begin_anew` to forget what was written for it."""
    with _derivatives_lock:
        _derivatives.add(derivative)


@contextmanager
def none_rests_on_these() -> Iterator[None]:
    """While rules are read for functions that had none, where that is no rule of the user's:
    what was written before stays right."""
    _keeping.append(None)
    try:
        yield
    finally:
        _keeping.pop()


def forget() -> None:
    """Make all anew from here on: what is known of functions has changed. So do derivatives that
    were called before: who mends a rule calls them again."""
    store.cache_clear()
    for one in _remembered:
        one.clear()
    if not _keeping:
        with _derivatives_lock:
            known = list(_derivatives)
        for derivative in known:
            derivative.begin_anew()
