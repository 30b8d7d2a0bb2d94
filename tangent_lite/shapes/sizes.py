"""Sizes: how long the axes of arrays are, as far as that follows from the shapes of arguments.

Code that is written for arguments of certain shapes needs no looks at shapes: where `b` is as long
as `x` is wide, the adjoint of `b` in `x + b` is a sum over rows. It is right for all arguments of
which the same holds. So nothing is decided by how large an argument is, but by how sizes compare
with each other and with 1, and what was decided is noted: the code serves each call for which its
`Assumptions` hold.

>>> from tangent_lite.shapes.assumptions import Assumptions
>>> assumed = Assumptions()
>>> x, b = (assumed.sizes_of(name, shape) for name, shape in (("x", (7, 3)), ("b", (3,))))
>>> spread([x, b])
Sizes(x.shape[0], x.shape[1])
>>> assumed.noted
['x.shape[1] == b.shape[0]']
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tangent_lite.shapes import anew

if TYPE_CHECKING:
    from tangent_lite.shapes.assumptions import Assumptions


class NotAssumed(Exception):
    """How sizes compare depends on the arguments, of which nothing may be assumed."""


class Base(NamedTuple):
    """An expression that a size is made of; natural: it is never below zero; items: of a part of an
    `item`, the list that it is in, and which reading of the list found it; bounds: of what a slice
    takes, how long the axis is, where it starts and where it stops (None: they are left out)."""
    text: str
    is_natural: bool = True
    items: tuple[str, Any] | None = None
    bounds: tuple[Size | None, ...] | None = None


class Each:
    """The shape of a part of each item of a list, which may be another one for each.

    It says nothing of two items: it equals no shape, itself included, until one is `taken` out.
    counts: for each axis, how long it is in the items.
    """

    def __init__(self, assumed: Assumptions, text: str, part: str,
                 counts: tuple[tuple[int, ...], ...]) -> None:
        self.assumed, self.text, self.part, self.counts = assumed, text, part, counts
        anew.token()

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return False

    def taken(self, reading: Any) -> Sizes:
        """The sizes in one item; reading: the same for all parts of one item."""
        return Sizes(Size(InItem(reading, counts),
                          {Base(f"item{self.part}.shape[{k}]", True, (self.text, reading)): 1}, 0,
                          self.assumed) for k, counts in enumerate(self.counts))


class InItem(NamedTuple):
    """The value of a size in an item that a reading of a list found: what it is in each of them."""
    reading: Any
    counts: tuple[int, ...]


def new_reading() -> int:
    """A token for the item that is read of a list now, whichever it is."""
    return anew.token()


def unknown_size() -> Size:
    """A size of which nothing is known but that it is one."""
    return Size(None, {Base(f"?{new_reading()}"): 1}, 0)


def unknown_int() -> Size:
    """A whole number of which nothing is known, not even that it is a size."""
    return Size(None, {Base(f"?{new_reading()}", is_natural=False): 1}, 0)


class Size:
    """A whole number that follows from the shapes of arguments: its value in the call that the code
    is written for, and how it comes about: a sum of multiples of expressions, and a number.

    The value is None where nothing is known of it, and `InItem` of a part of an item: such a size
    `is_free`. It is the same in no two iterations of a loop that binds it.

    >>> n = Size(7, {Base("x.shape[0]"): 1})
    >>> n + n - Size(2), n + n - n
    (2 * x.shape[0] - 2, x.shape[0])
    """

    __slots__ = ("assumed", "offset", "terms", "value")

    def __init__(self, value: Any, terms: Mapping[Base, int] | None = None,
                 offset: int | None = None, assumed: Assumptions | None = None) -> None:
        self.assumed = assumed
        self.terms = {base: count for base, count in (terms or {}).items() if count}
        self.offset = value if offset is None and not self.terms else offset or 0
        self.value = value if self.terms else self.offset

    @property
    def is_free(self) -> bool:
        return type(self.value) is not int

    @property
    def bounds(self) -> tuple[Size | None, ...] | None:
        """Of what a slice of free bounds takes: see `Base`."""
        if self.offset or len(self.terms) != 1:
            return None
        (base, count), = self.terms.items()
        return base.bounds if count == 1 else None

    def in_item(self, reading: Any) -> Size:
        """The size of a part of an item in the item of another reading."""
        value = InItem(reading, self.value.counts) if isinstance(self.value, InItem) else self.value
        return Size(value, {base._replace(items=base.items and (base.items[0], reading)): count
                            for base, count in self.terms.items()}, self.offset, self.assumed)

    def __repr__(self) -> str:
        parts = [(base.text if abs(count) == 1 else f"{abs(count)} * {base.text}", count)
                 for base, count in self.terms.items()]
        if self.offset or not parts:
            parts.append((str(abs(self.offset)), self.offset))
        (text, count), *more = sorted(parts, key=lambda part: part[1] < 0)
        signs = ((" - " if count < 0 else " + ") + part for part, count in more)
        return ("-" if count < 0 else "") + text + "".join(signs)

    def __hash__(self) -> int:
        return hash((frozenset(self.terms.items()), self.offset))

    def __eq__(self, other: object) -> bool:
        """Whether two sizes are equal whatever the arguments are."""
        return isinstance(other, Size) and self.offset == other.offset \
            and self.terms == other.terms

    def __add__(self, other: Size) -> Size:
        return self._plus(other, 1)

    def __sub__(self, other: Size) -> Size:
        return self._plus(other, -1)

    def _plus(self, other: Size, times: int) -> Size:
        terms = dict(self.terms)
        for base, count in other.terms.items():
            terms[base] = terms.get(base, 0) + times * count
        value = None if self.is_free or other.is_free else self.value + times * other.value
        return Size(value, terms, self.offset + times * other.offset,
                    self.assumed or other.assumed)

    def __mul__(self, other: Size) -> Size:
        if not self.terms:
            return other * self if other.terms else Size(self.value * other.value)
        value = None if self.is_free else self.value * other.value if not other.is_free else None
        if other.terms:
            return self._made(other, "*", value)
        return Size(value, {base: count * other.value for base, count in self.terms.items()},
                    self.offset * other.value, self.assumed)

    def __floordiv__(self, other: Size) -> Size:
        """ZeroDivisionError if other is zero."""
        if other == Size(1):                # `v.shape[0] // 1` says nothing to a reader
            return self
        value = None if self.is_free or other.is_free else self.value // other.value
        return self._made(other, "//", value) if self.terms or other.terms else Size(value)

    def _made(self, other: Size, operator: str, value: int | None) -> Size:
        if value is None:
            return unknown_size()
        texts = [text if text.isdigit() or size.terms == {Base(text, size.is_natural): 1}
                 else f"({text})" for size in (self, other) for text in (repr(size),)]
        base = Base(f"({texts[0]} {operator} {texts[1]})", self.is_natural and other.is_natural)
        return Size(value, {base: 1}, 0, self.assumed or other.assumed)

    @property
    def is_natural(self) -> bool:
        """Whether it is not below zero, whatever the arguments are."""
        return self.offset >= 0 and all(
            count >= 0 and base.is_natural for base, count in self.terms.items())

    def equals(self, other: Size) -> bool:
        """Whether two sizes are equal as far as is known; that they are is noted."""
        if self == other:
            return True
        if not self.may_equal(other):
            return False
        if self.bounds and other.bounds:        # they may be others each time, and the same slice
            return all(a.equals(b) for a, b in zip(self.bounds, other.bounds) if a and b)
        if not _noting(self, other).are_open:
            return False
        one, two = (self, other) if self.terms else (other, self)
        _noting(self, other).note_equal(one, two)
        return True

    def may_equal(self, other: Size) -> bool:
        """Whether two sizes are equal in the call that the code is written for: nothing is noted of
        what differs there in any case."""
        if self == other:
            return True
        if self.bounds and other.bounds:
            return all(a is b or (a is not None and b is not None and a.may_equal(b))
                       for a, b in zip(self.bounds, other.bounds))
        return _have_one_value(self.value, other.value)

    def surely_equals(self, other: Size) -> bool:
        """Whether two sizes are equal without that anything else is assumed."""
        if self == other:
            return True
        if not self.may_equal(other):
            return False
        if self.bounds and other.bounds:
            return all(a.surely_equals(b) for a, b in zip(self.bounds, other.bounds) if a and b)
        return _noting(self, other).are_equal(self, other)

    def is_at_least(self, other: Size) -> bool:
        """Whether a size, which is not free, is not below another one; noted either way. NotAssumed
        if nothing may be assumed."""
        apart = self - other
        if apart.terms and not apart.is_natural:
            noting = _noting(self, other)
            if not noting.are_open:
                raise NotAssumed
            noting.note_sign(apart, apart.value >= 0)
        return apart.value >= 0


def _have_one_value(one: Any, other: Any) -> bool:
    """Whether values are the same; that of a part of an item may be so in all items."""
    for part, count in ((one, other), (other, one)):
        if isinstance(part, InItem) and type(count) is int:
            return all(known == count for known in part.counts)
    return one is not None and one == other


def bare(size: Size) -> str:
    """A size as one side of a comparison."""
    text = repr(size)
    return text[1:-1] if text in {base.text for base in size.terms} and text[0] == "(" else text


def _noting(one: Size, other: Size) -> Assumptions:
    """Where it is noted what is found of two sizes, which are not both numbers."""
    found = one.assumed or other.assumed
    assert found is not None, "numbers alone need no assumption"
    return found


ZERO, ONE = Size(0), Size(1)


class Sizes:
    """The sizes of the axes of an array: a token for its shape that says which shape it is.

    Two are equal if they come about in the same way; others may still `match`.
    """

    __slots__ = ("axes",)

    def __init__(self, axes: Iterable[Size]) -> None:
        self.axes = tuple(axes)

    def __repr__(self) -> str:
        return f"Sizes({', '.join(map(repr, self.axes))})"

    @property
    def is_free(self) -> bool:
        """Whether it may be another shape each time."""
        return any(size.is_free for size in self.axes)

    def __hash__(self) -> int:
        return hash(self.axes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sizes) and self.axes == other.axes

    def match(self, other: Sizes) -> bool:
        """Whether two shapes are equal in the call that the code is written for, which is noted."""
        return len(self.axes) == len(other.axes) and all(
            map(Size.may_equal, self.axes, other.axes)) and all(
            map(Size.equals, self.axes, other.axes))


def make_up(shape: Sizes, parts: Sequence[Sizes]) -> bool:
    """Whether a shape is surely that to which arrays of these shapes are spread."""
    left = set(range(1, len(shape.axes) + 1))
    for part in parts:
        if len(part.axes) > len(shape.axes):
            return False
        for number, size in enumerate(reversed(part.axes), 1):
            if size.surely_equals(shape.axes[-number]):
                left.discard(number)
            elif size != ONE:
                return False
    return not left


def product(sizes: Iterable[Size]) -> Size:
    """The product of some sizes."""
    found = ONE
    for size in sizes:
        found = found * size
    return found


def spread(shapes: Sequence[Sizes]) -> Sizes | None:
    """The shape to which arrays are spread; None if they do not fit."""
    found = []
    for number in range(-max(len(s.axes) for s in shapes), 0):
        sizes = [s.axes[number] for s in shapes if len(s.axes) >= -number]
        # A one that stands in the program is stretched, whatever the others are.
        sizes = [s for s in sizes if s != ONE] or [ONE]
        size = next((s for s in sizes if not _have_one_value(s.value, 1)), sizes[0])
        for other in sizes:
            if not size.equals(other) and not other.equals(ONE):
                return None
        found.append(size)
    return Sizes(found)


def summed_axes(whole: Sizes, part: Sizes) -> tuple[int, tuple[int, ...]] | None:
    """How the shape `part` was spread to `whole`: how many axes were put in front, and which of
    its own axes, of length 1, were stretched. None if it was not."""
    front = len(whole.axes) - len(part.axes)
    if front < 0:
        return None
    stretched = []
    for number, size in enumerate(part.axes):
        other = whole.axes[front + number]
        if size.equals(other):
            continue
        if not size.equals(ONE):
            return None
        stretched.append(front + number)
    return front, tuple(stretched)


def slice_size(size: Size, lower: Size | None, upper: Size | None) -> Size:
    """How many of an axis `[lower:upper]` takes."""
    if lower is upper is None:
        return size
    if any(one is not None and one.is_free for one in (size, lower, upper)):
        return _free_slice(size, lower, upper)
    lower = lower or ZERO
    if not lower.terms and lower.value >= 0 and (
            upper is None or (not upper.terms and upper.value < 0)):
        left = size - lower + (upper or ZERO)           # both bounds cut off a number of them
        try:
            return left if left.is_at_least(ZERO) else ZERO
        except NotAssumed:
            return _named(f"max({left!r}, 0)", max(left.value, 0), left)
    try:
        start = _bound(size, lower)
        stop = size if upper is None else _bound(size, upper)
        return stop - start if stop.is_at_least(start) else ZERO
    except NotAssumed:
        bounds = slice(lower.value, None if upper is None else upper.value)
        return _named(f"len(range({size!r})[{lower!r}:{'' if upper is None else repr(upper)}])",
                      len(range(size.value)[bounds]), size + lower + (upper or ZERO))


def _free_slice(size: Size, lower: Size | None, upper: Size | None) -> Size:
    """How many of an axis `[lower:upper]` takes, where one of them is another size each time: the
    same for the same three."""
    known = [one for one in (size, lower, upper) if one is not None]
    if any(base.items for one in known for base in one.terms):
        return unknown_size()
    start, stop = ("" if one is None else repr(one) for one in (lower, upper))
    base = Base(f"len(range({size!r})[{start}:{stop}])", bounds=(size, lower, upper))
    return Size(None, {base: 1}, 0, next((one.assumed for one in known if one.assumed), None))


def _named(text: str, value: int, made_of: Size) -> Size:
    """A size that is known by how it comes about only."""
    return Size(value, {Base(text): 1}, 0, made_of.assumed)


def _bound(size: Size, bound: Size) -> Size:
    """A bound of a slice, from the start of an axis and within it."""
    if not bound.is_at_least(ZERO):
        bound = size + bound
        return bound if bound.is_at_least(ZERO) else ZERO
    return bound if size.is_at_least(bound) else size


# How shapes are derived from shapes: see `kinds.derived_shape` ------------------------------------
def trimmed(shape: Sizes, counts: tuple[int, ...]) -> Sizes:
    """So many elements fewer along the first axes."""
    axes = [slice_size(size, Size(count), None) if count else size
            for size, count in zip(shape.axes, counts)]
    return Sizes([*axes, *shape.axes[len(axes):]])


def reduced(shape: Sizes, axes: Any) -> Sizes:
    """One along the axes, or the axis, that a reduction with keepdims takes away."""
    count = len(shape.axes)
    gone = {a % count for a in (axes if isinstance(axes, tuple) else (axes,))}
    return Sizes(ONE if k in gone else size for k, size in enumerate(shape.axes))


def without(shape: Sizes, axes: tuple[int, ...]) -> Sizes:
    """Without some axes."""
    return Sizes(size for k, size in enumerate(shape.axes) if k not in axes)


DERIVE: dict[str, Callable[..., Sizes]] = {
    "trimmed": trimmed, "reduced": reduced, "without": without,
    "reversed": lambda shape: Sizes(reversed(shape.axes)),
    "rows": lambda shape: Sizes(shape.axes[:1]),
    "columns": lambda shape: Sizes(shape.axes[1:2]),
    "product": lambda rows, columns: Sizes(rows.axes + columns.axes),
}
