"""What an emitted forward pass calls, and what it leaves for the backward pass.

Each operation of the forward pass leaves one entry: None, or what takes the adjoint of its value to
those of its operands (of two numbers a tuple, which is made faster). The backward pass is the
mirror image of the forward pass, so it meets the entries in reverse order; with them lie the
branches that were taken and the steps that loops made.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tangent_lite.errors import Place, UnsupportedSyntaxError
from tangent_lite.heap import (
    calls,
    classes,
    containers,
    dicts,
    flat,
    iteration,
    iterators,
    local_classes,
    managers,
    numbers,
    operations,
    special,
    subscripts,
)
from tangent_lite.heap.containers import Star, Stars
from tangent_lite.heap.failing import Stepping
from tangent_lite.heap.heap import Heap
from tangent_lite.heap.memory import Adjoints, Cell, add
from tangent_lite.heap.primitives import Back, behind_first
from tangent_lite.runtime import patterns as runtime_patterns

# The tape has methods called tuple and dict.
Arguments = tuple[Any, ...]
Keywords = dict[str, Any]
Step = tuple[Any, "Back | None"]


class Tape(Stepping):
    """The entries of one call of one function."""

    def __init__(self, heap: Heap, function: Any, place: Callable[[], Place | None]) -> None:
        super().__init__(heap, place)
        self.function = function

    @property
    def adjoints(self) -> Adjoints:
        return self.heap.adjoints

    # Forward: one entry for each operation ------------------------------------------------------
    def _done(self, step: Step) -> Any:
        value, back = step
        self.entries.append(back if not self._pending else self.with_pushed(back))
        return value

    def with_pushed(self, back: Back | None, first: int = 0) -> Back | None:
        """What is to be done in the backward pass, and behind it what was pushed on the way; first:
        how much had been pushed before."""
        if len(self._pending) <= first:
            return back
        pending = self._pending[first:]
        del self._pending[first:]

        def both(adjoint: Any) -> Any:
            found = back(adjoint) if back is not None else None
            for one in reversed(pending):
                one(None)
            return found
        return both

    def push(self, back: Back, place: int | None = None) -> None:
        """Something the present operation did on the way; place: how much it had done before."""
        self._pending.insert(len(self._pending) if place is None else place, back)

    def pushed(self) -> int:
        """How much the present operation has done on the way."""
        return len(self._pending)

    def call(self, function: Any, /, *args: Any, **keywords: Any) -> Any:
        """function(*args, **keywords)"""
        try:
            step = calls.starred(self, function, args, keywords)
        except BaseException:
            self._fit_left((*args, *keywords.values()))
            raise
        return self._done(step)

    def generator(self, function: Any, /, *args: Any) -> Any:
        """map(...) or filter(...), where it stands for a generator expression."""
        made = self.call(function, *args)
        if isinstance(made, iteration.Lazy):
            made.end_for_good()
        return made

    def apply(self, function: Any, /, *args: Any, **keywords: Any) -> Any:
        """function(*args, **keywords), where what is called is a value like others: a tuple whose
        class has __call__ gets an adjoint too."""
        if isinstance(function, tuple):
            return self.method(function, "__call__", *args, **keywords)
        try:
            step = behind_first(calls.starred(self, function, args, keywords))
        except BaseException:
            self._fit_left((function, *args, *keywords.values()))
            raise
        return self._done(step)

    def method(self, x: Any, name: str, /, *args: Any, **keywords: Any) -> Any:
        """x.name(*args, **keywords)"""
        function = classes.method_of(x, name)
        try:
            step = calls.starred(self, calls.Method(name) if function is None else function,
                                 (x, *args), keywords)
        except BaseException:
            self._fit_left((x, *args, *keywords.values()))
            raise
        return self._done(step)

    def attribute(self, x: Any, name: str) -> Any:
        """x.name"""
        try:
            step = classes.got(self, x, name)
        except BaseException:
            self._fit_left((x,))
            raise
        return self._done(step)

    def flat(self, x: Any) -> Any:
        """x.flat, where it is subscripted."""
        return self._done(flat.flat(self, x))

    def set_attribute(self, x: Any, name: str, value: Any) -> None:
        """x.name = value"""
        self._done((None, classes.set_(self, x, name, value)))

    def delete_attribute(self, x: Any, name: str) -> None:
        """del x.name"""
        self._done((None, classes.delete(self, x, name)))

    def item(self, x: Any) -> Items:
        """What x[...] is written with: tape.item(x)[1:]"""
        return Items(self, x)

    def list(self, *parts: Any) -> Any:
        """[a, *b]"""
        return self._done(containers.display(self, list, parts))

    def gone_through(self, xs: Any) -> Any:
        """What a star takes the items of: those of an iterator are asked for now."""
        if isinstance(xs, iteration.Lazy):
            return self._done((iteration.listed(self, xs), None))
        return self._done((xs, lambda adjoint: (adjoint,)))

    def tuple(self, *parts: Any) -> Any:
        """(a, *b)"""
        return self._done(containers.display(self, tuple, parts))

    def set(self, *parts: Any) -> Any:
        """{a, *b}"""
        return self._done(containers.display(self, set, parts))

    def dict(self, *parts: Any) -> Any:
        """{key: value, **d}"""
        return self._done(dicts.dict_display(self, parts))

    def unpack(self, value: Any, before: int, star: bool = False, after: int = 0) -> Any:
        """The parts of value in `a, *b, c = value`."""
        return self._done(containers.unpacked(self, value, before, star, after))

    def copy(self, x: Any) -> Any:
        """The value of a variable that got another name: `y = x`."""
        return x

    def iterate(self, xs: Any) -> Iterator[Any]:
        """The items of a loop; each leaves an entry."""
        if type(xs) is range:
            for value in xs:
                yield self._done((value, None))
            return
        for step in iteration.steps(self, xs):
            yield self._done(step)

    def iterator(self, xs: Any) -> Any:
        """What `yield from xs` takes items from."""
        lazy = iterators.iterated(self, xs)
        if isinstance(lazy, iteration.Lazy):
            lazy.hands_on_result = True
        return self._done((lazy, lambda adjoint: (adjoint,) if lazy is xs else
                           lazy.back(adjoint) if isinstance(lazy, iteration.Lazy) else None))

    def returned(self, xs: Any) -> Any:
        """What an iterator has returned that has no more items."""
        back = getattr(xs, "returned", None)
        return self._done((getattr(xs, "result", None), back and (lambda b: back(b))))

    def not_sent(self, value: Any) -> None:
        """Refuse that a generator is sent something where it hands out the items of another."""
        if value is not None:
            raise UnsupportedSyntaxError("a generator is sent something while it hands out the "
                                         "items of another", self.place(), "write a loop")

    def range(self, *bounds: Any) -> Any:
        """range(start, stop, step)"""
        return range(*[special.whole(self, bound) for bound in bounds])

    def is_sequence(self, x: Any) -> bool:
        """Whether a pattern `[a, *b]` asks x for its items."""
        special.check(self, special.ITEMS, x)
        return runtime_patterns.is_sequence(x)

    def is_mapping(self, x: Any) -> bool:
        """Whether a pattern `{key: a}` asks x for its items."""
        special.check(self, special.ITEMS | special.MAPPING, x)
        return runtime_patterns.is_mapping(x)

    def new_class(self, name: str, module: str, bases: Any, *entries: Any) -> Any:
        """A class that is defined in a function."""
        return self._done((local_classes.new_class(name, module, bases, entries), None))

    def new_cell(self, *value: Any) -> Cell:
        """A variable that several functions see."""
        made = Cell()
        made.heap, made.owner = self.heap, self.function.__code__
        if not value:
            return made
        made.value = value[0]
        self.entries.append(containers.written(self, made, "value"))
        return made

    def captured(self, name: str) -> Any:
        """A variable of the function around."""
        code = self.function.__code__
        cell = self.function.__closure__[code.co_freevars.index(name)]
        try:
            found = cell.cell_contents
            if type(found) is Cell and found.heap is not self.heap:
                raise UnsupportedSyntaxError(
                    f"{name} is a variable of a function around this one, whose derivative is "
                    "taken elsewhere", self.place(), "give it as an argument")
            if type(found) is Cell or name == "__class__":
                return found
        except ValueError:
            pass
        return self.heap.cell(("cell", id(cell)), lambda: cell.cell_contents)

    def outside(self, name: str) -> Cell:
        """A global variable, as it is in this run."""
        space = self.function.__globals__

        def value() -> Any:
            if name in space:
                return space[name]
            import builtins
            return vars(builtins)[name]
        return self.heap.cell(("global", id(space), name), value)

    def made(self, function: Any, name: str | None = None, /, **defaults: Any) -> Any:
        """A function that was just defined, what it is called if it is written under another name,
        and defaults of its that may vary."""
        self.heap.ours(function)
        function.__name__ = name or function.__name__
        function.__qualname__ = f"{self.function.__qualname__}.<locals>.{function.__name__}"

        def back(_: Any) -> Any:
            slots = self.adjoints.slots(function)
            return [slots.pop(name, None) for name in defaults]
        self.entries.append(back if defaults else None)
        return function

    def show(self, x: Any, conversion: int, how: str = "") -> str:
        """A part of an f-string."""
        functions: Any = {-1: format, 115: str, 114: repr, 97: ascii}
        function = functions[conversion]
        found = operations.shown(self, x, function, *([how] if conversion == -1 else []))
        if conversion != -1:
            found = format(function(x) if found is None else found, how)
        return self._done((format(x, how) if found is None else found, None))

    def text(self, text: str) -> str:
        """An f-string into which numbers were written."""
        self.heap.writes_text = True
        return text

    def truth(self, x: Any) -> bool:
        """Whether x counts as true; leaves an entry."""
        return self._done((operations.truth(self, x), None))

    def compare(self, name: str, x: Any, y: Any) -> Any:
        """x < y, x in y and the like; leaves an entry."""
        if type(x) in numbers.PLAIN and type(y) in numbers.PLAIN and name in numbers.COMPARED:
            return self._done((numbers.COMPARED[name](x, y), None))
        return self._done((operations.compare(self, name, x, y), None))

    def branch(self, which: bool) -> None:
        """Note which way was taken."""
        self.entries.append(which)

    def count(self, steps: int) -> None:
        """Note how many steps a loop made."""
        self.entries.append(steps)

    def once(self, items: Any) -> Any:
        """What a generator expression gives: it can be gone through once."""
        lazy = iterators.iterated(self, items)
        lazy.is_expression = True
        return self._done((lazy, lazy.back))

    def managed(self, manager: Any, step: int | None = None) -> managers.Managed:
        """A with: it leaves an entry when it is entered and when it is left; step: of the trail,
        for leaving it."""
        return managers.Managed(self, manager, step)

    failed = staticmethod(AssertionError)
    star, stars = Star, Stars

    # Within operations --------------------------------------------------------------------------
    def called(self, function: Any, args: Arguments, keywords: Keywords) -> Step:
        """The value of a call, and what takes its adjoint to the arguments."""
        return calls.called(self, function, args, keywords)

    def aside(self, function: Any, args: Arguments, keywords: Keywords) -> Any:
        """The value of a call of which only a decision depends."""
        value, back = calls.called(self, function, args, keywords)
        if back is not None:
            place = self.place()

            def done(_: Any) -> None:
                if any(part is not None for part in back(None) or ()):
                    raise UnsupportedSyntaxError(
                        "a number that a comparison or a key is given is kept, and used later",
                        place, "keep the number before it is compared")
            self.push(done)
        return value

    def given(self, xs: Any) -> Iterator[Step]:
        """What an iterator gives, item by item."""
        return iteration.steps(self, xs)

    def listed(self, xs: Any, before_star: int | None = None) -> Any:
        return iteration.listed(self, xs, before_star)

    got, wrote, deleted = subscripts.got, subscripts.wrote, subscripts.deleted

    # Backward -----------------------------------------------------------------------------------
    def rewind(self) -> Tape:
        """Begin the backward pass."""
        for one in reversed(self._pending):     # no operation followed them
            one(None)
        self._previous = reversed(self.entries).__next__
        return self

    def pull(self, adjoint: Any, *operands: Any) -> Any:
        """The adjoints of the operands of an operation, with what that of its value adds; in front
        of them None, for the adjoint of the value has been used up."""
        back = self._previous()
        if type(back) is tuple:                 # of two numbers: see `numbers`
            slopes, x, y = back
            found = slopes(adjoint, x, y)
        else:
            found = back(adjoint) if back is not None else None
        if found is None:
            return (None, *operands)
        # Most adjoints get one contribution: then there is nothing to add up.
        return (None, *[part if one is None else one if part is None else add(one, part)
                        for one, part in zip(operands, found)], *operands[len(found):])

    def branched(self) -> bool:
        """Which way was taken."""
        return bool(self._previous())

    def counted(self) -> int:
        """Which way out of a try was taken."""
        return int(self._previous())

    def steps(self) -> Iterator[int]:
        """As many steps as the loop made."""
        return iter(range(self._previous()))

    join = staticmethod(add)


class Items:
    """x[...], read or written."""
    __slots__ = ("_tape", "_x")

    def __init__(self, tape: Tape, x: Any) -> None:
        self._tape, self._x = tape, x

    def __getitem__(self, key: Any) -> Any:
        return self._tape._done(self._tape.got(self._x, key))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._tape._done((None, self._tape.wrote(self._x, key, value)))

    def __delitem__(self, key: Any) -> None:
        self._tape._done((None, self._tape.deleted(self._x, key)))


def _operator(name: str, of: Any) -> Any:
    def apply(self: Tape, *operands: Any) -> Any:
        return self._done(of(self, name, *operands))
    apply.__name__ = name
    return apply


def _of_numbers(name: str, of: Any) -> Any:
    """The same of an operator that most often is one of numbers."""
    plain = name.removeprefix("i")

    def apply(self: Tape, x: Any, y: Any) -> Any:
        found = numbers.known(plain, type(x), type(y))
        if found is None or self._pending:
            return self._done(of(self, name, x, y))
        function, slopes = found
        value = function(x, y)
        self.entries.append(None if slopes is None else (slopes, x, y))
        return value
    apply.__name__ = name
    return apply


for _name in operations.BINARY:
    for _called, _of in ((_name, operations.binary),
                         (f"i{_name.rstrip('_')}", operations.in_place)):
        setattr(Tape, _called,
                (_of_numbers if _name in numbers.SLOPES else _operator)(_called, _of))
for _name in operations.UNARY:
    setattr(Tape, _name, _operator(_name, operations.unary))

