"""Loops: over what Python can loop over, item by item, and where the items come from.

`zip(xs, ys)` and its like are taken apart as they are used, as in Python: a loop may write into the
array or list that it runs over, and then sees what was written.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import arrays
from tangent_lite.heap.containers import LISTS, holds, read
from tangent_lite.heap.giving_up import attempted
from tangent_lite.heap.memory import Parts, add, can_vary
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, varies

Step = tuple[Any, "Back | None"]
# Dicts, and views of their values, items and keys.
OF_DICTS: tuple[type, ...] = (dict, type({}.values()), type({}.items()), type({}.keys()))


class Asking:
    """Items that a function gives, one at a call; None: there is none, but ask again.

    Python's zip, map and their like are so: they begin again with the first of what they go
    through, after their end as well as after an error.
    """
    __slots__ = ("ask",)

    def __init__(self, ask: Callable[[], Step | None]) -> None:
        self.ask = ask

    def __iter__(self) -> Asking:
        return self

    def __next__(self) -> Step:
        step = self.ask()
        if step is None:
            raise StopIteration
        return step


class Lazy:
    """An iterator: zip, map, enumerate, reversed, iter and their like, of operands.

    The adjoints of the items go to the slots (operand, key) of this object, and from there to the
    operands, when the backward pass comes to where it was made.
    """

    shown_as = "generator"                      # in messages: it stands for one, or for an iterator

    def __init__(self, tape: Any, operands: tuple[Any, ...],
                 steps: Callable[[Lazy], Iterator[Step]], at_once: int | None = None) -> None:
        """at_once: from which operand on iter(operand) is asked for now, not with the first
        item."""
        self.tape, self.operands = tape, operands
        self._opened = {} if at_once is None else {
            number: opened(tape, operand) for number, operand in enumerate(operands)
            if number >= at_once and is_record(operand) and hasattr(type(operand), "__iter__")}
        self.is_expression = False              # whether it stands for a generator expression
        self.ends_once = False                  # whether it is over with its first end or error
        self.runs = False                       # whether for a generator of the user
        self.sent: Any = None                   # what that is sent with the next item
        self.result: Any = None                 # what it has returned, and what takes the adjoint
        self.returned: Back | None = None
        self.hands_on_result = False            # whether `yield from` takes that
        self._passed: list[Back] = []           # of items that it took and gave to nobody
        self._before = 0                        # how much had been pushed when it was asked
        self._items = steps(self)
        self.steps = Asking(self._next)

    def __iter__(self) -> Lazy:
        return self

    def __next__(self) -> Any:
        raise UnsupportedSyntaxError("an iterator is used up by what cannot be looked into", None,
                                     "make a list of it first: list(...)")

    def _next(self) -> Step | None:
        """The next item, with what was passed over before it."""
        asking = self._asking()
        self._passed, self._before = [], asking.pushed()
        step = next(self._items, None)
        if not self._passed:
            return step
        if step is None:                        # what was done behind it is undone first
            asking.push(_with_passed(None, self._passed), self._before)
            return None
        return step[0], _with_passed(step[1], self._passed)

    def end_for_good(self) -> None:
        """Come to an end once, and with the first error, as a generator does."""
        self._items, self.ends_once = itertools.islice(self._items, None), True

    def pass_over(self, found: list[Step]) -> None:
        """Items that this takes and gives to nobody: what they came from goes on all the same."""
        self._passed += [self._asking().with_pushed(back, self._before)
                         for _, back in found if back is not None]

    def _asking(self) -> Any:
        """The tape of the function that asks for an item."""
        return self.tape.heap.current or self.tape

    def back(self, _: Any) -> Any:
        """What the operands get, once all items have been gone through."""
        slots = self.tape.adjoints.slots(self)
        if not slots:
            return None
        out: list[Any] = [None] * len(self.operands)
        for (number, key), adjoint in slots.items():
            part = adjoint if key is None else Parts({key: adjoint})
            out[number] = add(out[number], part)
        slots.clear()
        return out

    def of(self, number: int) -> Iterator[Step]:
        """The items of an operand; adjoints for a tuple are kept here."""
        operand = self.operands[number]
        if not isinstance(operand, tuple):
            return self._opened.pop(number, None) or steps(self.tape, operand)
        return ((value, self._keeping(number, key) if holds(value) else None)
                for key, value in enumerate(operand))

    def called(self, function: Any, *args: Any) -> Step | None:
        """The value of a call of a function, and what takes its adjoint to the arguments; None if
        it raises StopIteration, which ends this iterator for now."""
        return self._attempted(lambda: self.tape.called(function, args, {}))

    def aside(self, function: Any, *args: Any) -> tuple[Any, ...] | None:
        """The same of a call of which only a decision depends: its value alone."""
        found = self._attempted(lambda: (self.tape.aside(function, args, {}), None))
        return None if found is None else found[:1]

    def _attempted(self, call: Callable[[], Step]) -> Step | None:
        found = attempted(self.tape, call, StopIteration,
                          "what a function changes before it raises StopIteration is lost",
                          "let it raise before it changes anything")
        if found is None and self.ends_once:
            raise RuntimeError("generator raised StopIteration")
        return found

    def send(self, value: Any) -> Step | None:
        """The next item of a generator of the user, which is sent a value; None if it stops."""
        self.sent = value
        return next(self.steps, None)

    def stopped(self) -> StopIteration:
        """What Python raises where there is no other item."""
        return StopIteration(*([] if self.result is None else [self.result]))

    def moves_on(self) -> None:
        """Note that an item is taken whose adjoint others wait for: what fails afterwards has
        changed something."""
        self.tape.heap.writes += 1

    def _whole(self, number: int) -> Back:
        """What takes an adjoint to an operand itself."""
        def back(adjoint: Any) -> None:
            self.tape.adjoints.add_slot(self, (number, None), adjoint)
        return back

    def _deep(self, number: int, key: Any, inner: Any) -> Back:
        """What takes an adjoint to a part of a part of an operand that is a tuple."""
        def back(adjoint: Any) -> None:
            if adjoint is not None:
                self.tape.adjoints.add_slot(self, (number, key), Parts({inner: adjoint}))
        return back

    def _keeping(self, number: int, key: Any) -> Back:
        def back(adjoint: Any) -> None:
            self.tape.adjoints.add_slot(self, (number, key), adjoint)
        return back


def steps(tape: Any, xs: Any) -> Iterator[Step]:
    """The items of what is looped over, each with what takes its adjoint there."""
    if isinstance(xs, Lazy):
        return xs.steps
    return opened(tape, xs) if is_record(xs) else _steps(tape, xs)


def _steps(tape: Any, xs: Any) -> Iterator[Step]:
    """The items of what is no iterator and no object of the user."""
    if isinstance(xs, np.ndarray):
        if xs.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        for k in range(len(xs)):
            yield arrays.get(tape, xs, k)
    elif isinstance(xs, (tuple, *LISTS)):
        k, length = 0, len(xs)
        is_list = isinstance(xs, list)
        while k < len(xs):
            if not is_list and len(xs) != length:
                raise RuntimeError("deque mutated during iteration")
            value = xs[k]
            yield value, read(tape, xs, k) if holds(value) else None
            k += 1
    elif isinstance(xs, OF_DICTS):
        yield from steps_of_dict(tape, xs, iter)
    elif isinstance(xs, (set, frozenset)):
        for key in xs:
            _check_key(tape, key)
            yield key, None
    elif hasattr(xs, "gi_code"):
        raise UnsupportedSyntaxError("a generator cannot be followed", tape.place(),
                                     "make a list in place of it")
    else:
        for value in xs:
            if (varies(value) or isinstance(value, (np.ndarray, list, dict))) \
                    and not _makes_rows(xs):
                raise UnsupportedSyntaxError(
                    f"what a {type(xs).__name__} goes through cannot be followed", tape.place(),
                    "pass a list or an array of NumPy in its place")
            yield value, None


def _makes_rows(xs: Any) -> bool:
    """Whether an iterator is csv.reader: each of its rows is a new list of strings, and of numbers
    that were text, which nobody else holds."""
    import csv
    return isinstance(xs, type(csv.reader(())))


def _with_passed(back: Back | None, passed: list[Back]) -> Back:
    def both(adjoint: Any) -> None:
        if back is not None:
            back(adjoint)
        for one in reversed(passed):
            one(None)
    return both


def steps_of_dict(tape: Any, xs: Any, order: Callable[[Any], Iterator[Any]]) -> Iterator[Step]:
    """What a dict or a view of one gives, in an order of its keys (iter, reversed), with the errors
    that Python raises when the dict changes meanwhile."""
    d = xs if isinstance(xs, dict) else _dict_of(xs)
    gives_values, gives_items = isinstance(xs, OF_DICTS[1]), isinstance(xs, OF_DICTS[2])
    for key in order(d):
        if gives_values:
            yield d[key], read(tape, d, key) if holds(d[key]) else None
            continue
        _check_key(tape, key)
        if gives_items:
            value = d[key]
            yield (key, value), _second(read(tape, d, key)) if holds(value) else None
        else:
            yield key, None


def _dict_of(view: Any) -> dict[Any, Any]:
    """The dict of a view; mapping gives a proxy of it that refers to it."""
    import gc
    return next(d for d in gc.get_referents(view) if isinstance(d, dict))


def _check_key(tape: Any, key: Any) -> None:
    if can_vary(key):
        raise UnsupportedSyntaxError("floats that are keys are looped over, and a key tells "
                                     "nothing of where it came from", tape.place(),
                                     "keep them in a list")


def _second(back: Back) -> Back:
    """The adjoint of a pair of which only the second part can have one."""
    def of_pair(adjoint: Any) -> Any:
        return None if adjoint is None else back(adjoint.get(1))
    return of_pair


def opened(tape: Any, xs: Any) -> Iterator[Step]:
    """The items of an object, by __iter__ and __next__ or by __getitem__ of a class written in
    Python. __iter__ is called now: it may change what is gone through."""
    kind = type(xs)
    if not hasattr(kind, "__iter__"):
        if not hasattr(kind, "__getitem__"):
            raise TypeError(f"'{kind.__name__}' object is not iterable")
        return _by_position(tape, xs)
    made = asked_for_items(tape, xs)
    return steps(tape, made) if not is_record(made) else _by_next(tape, made)


def asked_for_items(tape: Any, xs: Any) -> Any:
    """What __iter__ of an object gives."""
    if type(xs).__iter__ is Sequence.__iter__:  # a generator, which asks __getitem__ in a `try`
        return Lazy(tape, (), lambda _: _by_position(tape, xs))
    made, first = tape.called(type(xs).__iter__, (xs,), {})
    if first is not None:
        tape.push(lambda _: first(None))
    return made


def _in_two(tape: Any, xs: Any, before: int) -> Iterator[Step]:
    """The items of `a, *b = xs`: Python makes a list of what the iterator has left, and asks the
    iterator itself for an iterator again."""
    made = asked_for_items(tape, xs)
    if not is_record(made):
        yield from steps(tape, made)
        return
    yield from itertools.islice(_by_next(tape, made), before)
    yield from steps(tape, made)


def _by_position(tape: Any, xs: Any) -> Iterator[Step]:
    position: int | None = 0

    def ask() -> Step | None:
        nonlocal position
        if position is None:                    # Python does not ask again
            return None
        step = attempted(
            tape, lambda: tape.called(type(xs).__getitem__, (xs, position), {}),
            (IndexError, StopIteration), "what __getitem__ changes before it ends a loop is lost")
        position = None if step is None else position + 1
        return step
    return Asking(ask)


def _by_next(tape: Any, made: Any) -> Iterator[Step]:
    return Asking(lambda: asked(tape, made))


def asked(tape: Any, made: Any) -> Step | None:
    """What __next__ of an object gives; None at the end."""
    return attempted(tape, lambda: tape.called(type(made).__next__, (made,), {}), StopIteration,
                     "what __next__ changes before it stops is lost")


def listed(tape: Any, xs: Any, before_star: int | None = None) -> Any:
    """All items: the list or tuple itself, or a list whose adjoints go where the items came
    from; before_star: of a target with a star, how many stand in front of it."""
    if isinstance(xs, (list, tuple)):
        return xs
    if isinstance(xs, (str, bytes, range)):
        return list(xs)
    before = tape.pushed()
    if before_star is not None and is_record(xs) and hasattr(type(xs), "__iter__"):
        found_by = _in_two(tape, xs, before_star)
    else:
        found_by = steps(tape, xs)
    return gathered(tape, found_by, before)


def gathered(tape: Any, found_by: Iterator[Step], before: int) -> list[Any]:
    """A list of items whose adjoints go where the items came from."""
    # What was done on the way to an item (the call of __iter__) is undone behind that item.
    found = [(value, tape.with_pushed(back, before)) for value, back in found_by]
    made = [value for value, _ in found]
    backs = [back for _, back in found]
    if any(back is not None for back in backs):
        def gather(_: Any) -> None:
            slots = tape.adjoints.slots(made)
            for k in range(len(backs) - 1, -1, -1):
                back = backs[k]
                if back is not None:
                    back(slots.pop(k, None))
        tape.push(gather, before)               # what was passed over in the end comes behind it
    return made
