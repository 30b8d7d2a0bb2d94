"""What is assumed of arguments beyond their kinds: how sizes compare, which items a list has.

>>> assumed = Assumptions()
>>> n, m = (assumed.size_of(name, 3) for name in ("n", "m"))
>>> n.equals(m)
True
>>> assumed.note_items("layers", [int, float])
>>> assumed.noted
['[*map(type, layers)] == [int, float]', 'n == m']
>>> test = assumed.test(["layers", "n", "m"])
>>> test([1, 2.0], 5, 5), test([1, 2], 5, 5), test([1, 2.0], 5, 6)
(True, False, False)
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tangent_lite.calling.keys import key_of
from tangent_lite.shapes.sizes import Base, Each, Size, Sizes, bare

Path = tuple[Any, ...]              # numbers and names that lead to a part
_ASKS = "type(item) is "            # of items of a list: those of one class


class Assumptions:
    """What is assumed of the shapes of arguments: equalities and bounds, as they were asked.

    are_open: whether anything may be assumed. Else sizes are equal only if they come about in the
    same way, for code that is to serve all shapes. tells_items: whether it may also be assumed
    which items a list has.
    """

    def __init__(self, are_open: bool = True, tells_items: bool = False) -> None:
        self.are_open, self.tells_items = are_open, tells_items
        self._equal: list[tuple[Size, Size]] = []
        self._same: dict[Size, Size] = {}       # a size -> one that it equals
        # For sums of expressions how small and how large they are.
        self._least: dict[frozenset[tuple[Base, int]], int] = {}
        self._most: dict[frozenset[tuple[Base, int]], int] = {}
        self._classes: dict[str, type] = {}     # by the names that texts have for them
        # Of lists, by the texts for these: by which path, and what the items are.
        self._items: dict[str, tuple[Path, tuple[type, ...], tuple[Any, ...] | None]] = {}

    @property
    def only_items(self) -> bool:
        """Whether nothing may be assumed but which items a list has."""
        return self.tells_items and not self.are_open

    def copy(self) -> Assumptions:
        """The same, to which more may be added to see what comes of it (`adopt`)."""
        found = Assumptions(self.are_open, self.tells_items)
        found.adopt(self)
        return found

    def adopt(self, other: Assumptions) -> None:
        """Assume what another one does, and nothing else."""
        self._equal, self._same = list(other._equal), dict(other._same)
        self._least, self._most = dict(other._least), dict(other._most)
        self._classes, self._items = other._classes, dict(other._items)

    def sizes_of(self, text: str, shape: Sequence[int]) -> Sizes:
        """The sizes of an argument, which Python finds by this text."""
        return Sizes(Size(n, {Base(f"{text}.shape[{k}]"): 1}, 0, self)
                     for k, n in enumerate(shape))

    def size_of(self, text: str, number: int) -> Size:
        """The size that an int among the arguments is."""
        return Size(number, {Base(text, is_natural=False): 1}, 0, self)

    def each_of(self, text: str, part: str, shapes: Sequence[Sequence[int]]) -> Each:
        """The sizes of a part of each item of a list, which Python finds by these texts; shapes:
        those that the parts have in the call."""
        return Each(self, text, part, tuple(zip(*shapes)))

    def of_class(self, text: str, cls: type) -> str:
        """The text for the items of a list that are of a class."""
        return f"{text} if {_ASKS}{self._name_of(cls)}"

    def _name_of(self, cls: type) -> str:
        name = cls.__name__
        while self._classes.setdefault(name, cls) is not cls:
            name += "_"
        return name

    def note_items(self, text: str, classes: Iterable[type], path: Path = (),
                   keys: Iterable[Any] | None = None) -> None:
        """A list has as many items as there are classes, each of its class, or its part at a path;
        keys: those of the items, where classes do not say all of their kinds."""
        self._items[text] = path, tuple(classes), None if keys is None else tuple(keys)

    def note_equal(self, one: Size, other: Size) -> None:
        """What equals the same is equal: that is noted once, of `n - 2 == m - 2` as `n == m`."""
        if self.are_equal(one, other):
            return
        for left, right in _shifted(one, other):
            left, right = self._root(left), self._root(right)
            if left != right:
                self._same[right] = left
        self._equal.append(_shifted(one, other)[-1])

    def _root(self, size: Size) -> Size:
        size = size.in_item(None)         # what holds in all items is noted of none of them
        while size in self._same:
            size = self._same[size]
        return size

    def are_equal(self, one: Size, other: Size) -> bool:
        """Whether two sizes are equal by what has been noted."""
        return any(self._root(left) == self._root(right) for left, right in _shifted(one, other))

    def note_sign(self, size: Size, is_natural: bool) -> None:
        """A size is not below zero, or it is."""
        terms = frozenset(size.terms.items())
        if is_natural:
            self._least[terms] = max(-size.offset, self._least.get(terms, -size.offset))
        else:
            self._most[terms] = min(-size.offset - 1, self._most.get(terms, -size.offset - 1))

    @property
    def noted(self) -> list[str]:
        """All of it, in Python."""
        items = [f"{_classes_text(text, path)} == [{', '.join(map(self._name_of, classes))}]"
                 for text, (path, classes, _) in self._items.items()]
        return items + [_equality_text(one, other) for one, other in self._equal] + [
            _bound_text(terms, sign, limit)
            for sign, found in ((">=", self._least), ("<=", self._most))
            for terms, limit in found.items()]

    def test(self, names: Iterable[str]) -> Callable[..., bool] | None:
        """A function of the arguments of these names: whether all holds of them. None if nothing is
        assumed."""
        noted = self.noted[len(self._items):]
        if not noted and not self._items:
            return None
        # What texts mean besides; a parameter may be called like a class.
        space: dict[str, Any] = {f"_class_{name}": cls for name, cls in self._classes.items()}
        space |= {"_type": type, "_key_of": key_of}
        items = []
        for k, (text, (path, classes, keys)) in enumerate(self._items.items()):
            items.append(f"{_classes_text(text, path, '_type')} == _classes_{k}")
            space[f"_classes_{k}"] = [*classes]
            if keys is not None:
                items.append(f"[*map(_key_of, {text})] == _keys_{k}")
                space[f"_keys_{k}"] = [*keys]
        text = " and ".join([*items, *noted]).replace(_ASKS, f"_{_ASKS}_class_")
        found: Callable[..., bool] = eval(f"lambda {', '.join(names)}: {text}", space)
        return found if not any("//" in text for text in noted) else _or_false(found)

    def test_of_items(self, names: Iterable[str]) -> Callable[..., bool] | None:
        """The same for what lists have as items alone, which shapes do not tell."""
        others = Assumptions()
        others._items = self._items
        return others.test(names)


def _classes_text(text: str, path: Path, asked: str = "type") -> str:
    """The classes of the items of a list, or of their parts at a path."""
    if not path:
        return f"[*map({asked}, {text})]"
    steps = "".join(f".{step}" if isinstance(step, str) else f"[{step!r}]" for step in path)
    return f"[{asked}(item{steps}) for item in {text}]"


def _shifted(one: Size, other: Size) -> list[tuple[Size, Size]]:
    """Two sizes, and both without what is added to the first."""
    if not one.offset or not one.terms or one.in_item(None) != one or other.in_item(None) != other:
        return [(one, other)]
    return [(one, other), (one - Size(one.offset), other - Size(one.offset))]


def _or_false(test: Callable[..., bool]) -> Callable[..., bool]:
    """A test that does not hold where it divides by zero."""
    def tested(*values: Any) -> bool:
        try:
            return test(*values)
        except ZeroDivisionError:
            return False
    return tested


def _bound_text(terms: frozenset[tuple[Base, int]], sign: str, limit: int) -> str:
    """`n >= 2 * m + 1` for n - 2 * m, ">=" and 1."""
    left = Size(0, {base: count for base, count in sorted(terms) if count > 0}, 0)
    right = Size(0, {base: -count for base, count in sorted(terms) if count < 0}, limit)
    return f"{bare(left)} {sign} {bare(right)}"


def _equality_text(one: Size, other: Size) -> str:
    """`x.shape[0] == n`; of items `all(item[0].shape[0] == item[1].shape[0] for item in xs)`."""
    text = f"{bare(one)} == {bare(other)}"
    lists = {base.items[0]: None for size in (one, other) for base in size.terms if base.items}
    for name in lists:
        text = f"all({text} for item in {name})"
    return text
