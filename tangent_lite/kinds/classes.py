"""The kinds there are: numbers, arrays, containers, objects, and what nothing is known of.

What is read of a value, and what two kinds have in common: `kinds`, by which all else imports
what stands here.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tangent_lite.shapes.sizes import Size

NO_VALUE: Any = type("NoValue", (), {"__repr__": lambda self: "NO_VALUE"})()
RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}


@dataclass(frozen=True)
class Kind:
    """What is known of a value; the base class itself says nothing: it may be anything."""

    may_be_list: ClassVar[bool] = False


UNKNOWN = Kind()
# The same, of a value that is a list or tuple on some ways: NumPy makes arrays of these, and Python
# joins them.
MIXED = Kind()
# The same, of a value that may also be an object; and of one that is an object on some ways.
ANY = Kind()
OBJECT = Kind()
for _kind in (MIXED, ANY):
    object.__setattr__(_kind, "may_be_list", True)


@dataclass(frozen=True)
class Number(Kind):
    """A Python or NumPy scalar of type "bool", "int", "float" or "complex"; value if literal; size
    if it is an int that follows from the shapes of arguments.

    is_mixed: it is one of several, of which some are of a lower type (an int, in place of a float):
    an array that is made of it may hold ints.
    """
    type: str
    value: Any = field(default=NO_VALUE, compare=False)
    size: Size | None = field(default=None, compare=False, repr=False)
    is_mixed: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class Array(Kind):
    """A NumPy array: dimensions (None: not known), dtype class ("float", ..., None: not known).

    is_mixed: it is one of several, of which some hold numbers of a lower class (ints, in place of
    floats): what is computed of it is of the class, but not zeros made like it.
    """
    ndim: int | None
    dtype: str | None
    shape: Any = field(default=None, compare=False)
    is_mixed: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class Numeric(Kind):
    """A number or an array; which one is not known. is_mixed: as of both."""
    dtype: str | None
    is_mixed: bool = field(default=False, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class DuckArray(Numeric):
    """An array of which only is known that NumPy's functions take it: of another type (Dask's,
    CuPy's), or next to such a one. It may be lazy, and nothing is promised of writing into it.

    type: None where it may be one of several.
    """
    ndim: int | None = None
    type: Any = None
    shape: Any = field(default=None, compare=False)


@dataclass(frozen=True, eq=False)
class Maybe(Kind):
    """A number, array, tuple or object, or None on some ways: it equals UNKNOWN, for whoever
    does not ask which of them. What stands in `[None] * n` until something is put there is one.

    other: what it is where it is not None.
    """
    other: Kind

    @property
    def may_be_list(self) -> bool:                              # type: ignore[override]
        return isinstance(self.other, TupleKind)

    def __eq__(self, other: object) -> bool:
        return other.other == self.other if isinstance(other, Maybe) else other == UNKNOWN

    def __hash__(self) -> int:
        return hash(UNKNOWN)


@dataclass(frozen=True, eq=False)
class OneOf(Kind):
    """An object of one of several classes, as an item of `[Dense(w), Relu(), Dense(v)]` is, or what
    holds such a one: it equals UNKNOWN, for whoever does not ask which of them. What is done with
    it is written out for each class (`expansion/classes_apart`).

    options: what it is; path: by which numbers or names the part is found that is of a class of its
    own in each of them, RecordKind, or Other where it has no attribute (see `several`).
    """
    options: tuple[Any, ...]
    path: tuple[Any, ...] = ()

    @property
    def may_be_list(self) -> bool:                              # type: ignore[override]
        return any(isinstance(one, TupleKind) for one in self.options)

    def __eq__(self, other: object) -> bool:
        return other.options == self.options if isinstance(other, OneOf) else other == UNKNOWN

    def __hash__(self) -> int:
        return hash(UNKNOWN)


@dataclass(frozen=True)
class Text(Kind):
    """start, end: what a text that is made as the program runs begins and ends with: f"W{k}"."""
    value: Any = field(default=NO_VALUE, compare=False)
    start: str = field(default="", compare=False)
    end: str = field(default="", compare=False)

    def may_be(self, key: Any) -> bool:
        """Whether such a text may be this one."""
        return isinstance(key, str) and len(key) >= len(self.start) + len(self.end) \
            and key.startswith(self.start) and key.endswith(self.end)


@dataclass(frozen=True)
class Nothing(Kind):
    """None; is_default: or what is given in its place, of which nothing is known."""
    is_default: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class Known(Kind):
    """An object known by identity: a module, a function, a class."""
    object: Any

    def __hash__(self) -> int:
        return id(self.object)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and other.object is self.object


@dataclass(frozen=True)
class Choice(Kind):
    """One of several functions, in the order in which they were met."""
    options: tuple[Known, ...]

    def __hash__(self) -> int:
        return hash(frozenset(self.options))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choice) and set(self.options) == set(other.options)


@dataclass(frozen=True)
class TupleKind(Kind):
    """A tuple, or a namedtuple: of known length, each item of a kind of its own; or a list that is
    given with such items."""
    items: tuple[Kind, ...]
    type: type = tuple          # or a namedtuple class, or list


@dataclass(frozen=True)
class ListKind(Kind):
    """A list of any length, all items of one kind; given: the items that an argument has at the
    call, each of its own kind (`shapes.told_items`); is_view: it may be a view of a dict, which is
    gone through as a list is, and is none."""
    item: Kind
    given: Any = field(default=None, compare=False, repr=False)
    is_view: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class DictKind(Kind):
    """A dict with these keys; sites: where it was made (see `dict_sites`); makes: whether it keeps
    what it makes for other keys that are read, as a `defaultdict` from outside does."""
    keys: tuple[Any, ...]
    items: tuple[Kind, ...]
    sites: frozenset[Any] = field(default=frozenset(), compare=False, repr=False)
    makes: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class MapKind(Kind):
    """A dict whose keys are computed; key: what they are, as far as that is known; missing: what
    the dict makes where a key is missing (`defaultdict(float)`: float), or Counter; named: the keys
    and what is there, where it is known which there are, and all that is computed is which of them
    is read."""
    item: Kind
    key: Kind = UNKNOWN
    missing: Any = None
    sites: frozenset[Any] = field(default=frozenset(), compare=False, repr=False)
    named: tuple[tuple[Any, Kind], ...] = ()


@dataclass(frozen=True)
class RecordKind(Kind):
    """An object with attributes: a dataclass or an instance of a plain class."""
    type: type
    fields: tuple[str, ...]
    items: tuple[Kind, ...]


@dataclass(frozen=True)
class RangeKind(Kind):
    """A range, as a value."""


@dataclass(frozen=True)
class Constants(Kind):
    """What is read as a tuple is, of things that have no derivative; how many is not known."""
    item: Kind


@dataclass(frozen=True)
class SetKind(Kind):
    """A set of whole numbers, or of tuples of such, none of which can vary; or an empty one."""
    item: Kind


@dataclass(frozen=True)
class SliceKind(Kind):
    """A slice, as a value."""


@dataclass(frozen=True)
class Other(Kind):
    """An object of some class, of which nothing more is known; it has no derivative."""
    type: type


@dataclass(frozen=True, eq=False)
class MatrixKind(Kind):
    """A matrix of scipy.sparse, or what a solver has made of one: it may vary, and equals UNKNOWN,
    for whoever does not ask what it is.

    type: csr_matrix or csr_array, which stand for all formats, coo_array for any class of these, or
    a class of factors; dtype: the class of its numbers.
    """
    type: type
    dtype: str | None = None

    def __eq__(self, other: object) -> bool:
        return other.type is self.type and other.dtype == self.dtype \
            if isinstance(other, MatrixKind) else other == UNKNOWN

    def __hash__(self) -> int:
        return hash(UNKNOWN)


@dataclass(frozen=True)
class Dtype(Other):
    """What `x.dtype` is: a dtype of which the class of numbers is known, as `dtype_of` has it.

    is_mixed: it may be one of a lower class.
    """
    of: str
    is_mixed: bool = field(default=False, compare=False, repr=False)


BOOL, INT, FLOAT, COMPLEX = Number("bool"), Number("int"), Number("float"), Number("complex")
TEXT, NOTHING, RANGE, SLICE = Text(), Nothing(), RangeKind(), SliceKind()
DTYPES = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex", "O": "object"}


@dataclass(frozen=True)
class _Empty(Kind):
    """The item of an empty list: joins to anything."""


EMPTY = _Empty()


@dataclass(frozen=True)
class _Pending(Kind):
    """What a function returns that calls itself, as long as its other ways have not been looked at,
    and what is read of a list that is yet to be filled: joins to anything, and what is computed of
    it is as pending."""


PENDING = _Pending()
