"""Kinds: what is known of a value before the program runs.

A derivative is specialised to the kinds of its arguments: what sort of number, how many dimensions,
which keys; never which value. `kind_of` reads the kind of a value, `join` gives what two
possibilities have in common. Result kinds of calls: `result_kinds.py`.

An Array carries a token for its shape: two arrays with one token have the same shape whenever the
program runs. It may be `Sizes`, which say what that shape is in terms of those of the arguments.
In a list it may be `Each`: what the arrays in one item have in common. Tokens take no part in
comparisons.
"""
from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tangent_lite.records import attribute_names, is_deep
from tangent_lite.runtime_duck import is_duck
from tangent_lite.sizes import DERIVE, Each, Size, Sizes, new_reading, spread, unknown_size
from tangent_lite.trees import has_fields

KindFunction = Callable[..., "Kind"]
NO_VALUE: Any = type("NoValue", (), {"__repr__": lambda self: "NO_VALUE"})()
_RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}
_tokens = itertools.count(1)
MOST_OPTIONS = 16           # functions that a call may choose from


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
    if it is an int that follows from the shapes of arguments."""
    type: str
    value: Any = field(default=NO_VALUE, compare=False)
    size: Size | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Array(Kind):
    """A NumPy array: dimensions (None: not known), dtype class ("float", ..., None: not known)."""
    ndim: int | None
    dtype: str | None
    shape: Any = field(default=None, compare=False)


@dataclass(frozen=True)
class Numeric(Kind):
    """A number or an array; which one is not known."""
    dtype: str | None


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
    """A number, or None on some ways: it equals UNKNOWN, for whoever does not ask which of them."""
    number: Number

    def __eq__(self, other: object) -> bool:
        return other.number == self.number if isinstance(other, Maybe) else other == UNKNOWN

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
    items: tuple[Kind, ...]
    type: type = tuple          # or a namedtuple class


@dataclass(frozen=True)
class ListKind(Kind):
    item: Kind


@dataclass(frozen=True)
class DictKind(Kind):
    """A dict with these keys; sites: where it was made (see `dict_sites`)."""
    keys: tuple[Any, ...]
    items: tuple[Kind, ...]
    sites: frozenset[Any] = field(default=frozenset(), compare=False, repr=False)


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
    pass


@dataclass(frozen=True)
class Constants(Kind):
    """What is read as a tuple is, of things that have no derivative; how many is not known."""
    item: Kind


@dataclass(frozen=True)
class SliceKind(Kind):
    pass


@dataclass(frozen=True)
class Other(Kind):
    """An object of some class, of which nothing more is known; it has no derivative."""
    type: type


BOOL, INT, FLOAT, COMPLEX = Number("bool"), Number("int"), Number("float"), Number("complex")
TEXT, NOTHING, RANGE, SLICE = Text(), Nothing(), RangeKind(), SliceKind()
_SIMPLE = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: TEXT, bytes: TEXT,
           type(None): NOTHING, range: RANGE, slice: SLICE}
_DTYPES = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex", "O": "object"}


def new_shape() -> int:
    """A token for a shape that equals no other."""
    return next(_tokens)


# How many shapes a shape is made of, by how it is made; what stands behind them is fixed.
DERIVED = {"trimmed": 1, "reduced": 1, "without": 1, "reversed": 1, "rows": 1, "columns": 1,
           "product": 2}


def derived_shape(how: str, *parts: Any) -> Any:
    """A token for a shape that depends on other shapes alone: the same for the same ones.

    Not of a shape that may be another in each iteration: what an iteration kept of the one before
    would seem to have the shape that it has now.

    >>> a, b = new_shape(), new_shape()
    >>> derived_shape("product", a, b) == derived_shape("product", a, b)
    True
    >>> derived_shape("product", a, None) == derived_shape("product", a, None)
    False
    """
    if any(map(_is_passing, parts)):
        return new_shape()
    shapes = parts[:DERIVED[how]]
    if all(isinstance(shape, Sizes) for shape in shapes):
        return DERIVE[how](*parts)
    return (how, *parts)


def _is_passing(shape: Any) -> bool:
    return shape is None or isinstance(shape, Each) \
        or (isinstance(shape, tuple) and bool(shape) and shape[0] == "head")


def broadcast_shape(found: Iterable[Any]) -> Any:
    """A token for the shape to which some shapes are spread."""
    shapes = dict.fromkeys(found)           # in their order, so that the text is always the same
    if len(shapes) == 1 and None not in shapes:
        return next(iter(shapes))
    if any(map(_is_passing, shapes)):
        return new_shape()
    if all(isinstance(shape, Sizes) for shape in shapes):
        return spread(list(shapes)) or new_shape()
    parts = frozenset(one for shape in shapes for one in (
        shape[1] if isinstance(shape, tuple) and shape[0] == "broadcast" else (shape,)))
    return next(iter(parts)) if len(parts) == 1 else ("broadcast", parts)


def one_shape(a: Any, b: Any) -> bool:
    """Whether two tokens stand for the same shape, whenever what is assumed of sizes holds."""
    return a == b or (isinstance(a, Sizes) and isinstance(b, Sizes) and a.match(b))


def shape_at_head(before: Any, behind: Any, own: set[Any]) -> Any:
    """A token for the shape that an array has at the head of a loop: in one iteration, though not
    the same in all of them. before, behind: the tokens on the way in and on the way back; own: of
    tokens and sizes, those that are this loop's, in place.

    No two arrays have one of these in common: while one is changed, the other may be as it was.
    """
    if isinstance(before, Sizes) and isinstance(behind, Sizes) \
            and len(before.axes) == len(behind.axes):
        axes = []
        for one, other in zip(before.axes, behind.axes):
            if not one.equals(other) and one not in own:
                one = unknown_size()
                own.add(one)
            axes.append(one)
        return Sizes(axes)
    if before in own:
        return before
    token = ("head", new_shape())
    own.add(token)
    return token


def is_settled(shape: Any, settled: set[Any]) -> bool:
    """Whether a shape is one of some shapes, or made of them."""
    if shape in settled or (isinstance(shape, Sizes) and not shape.is_free):
        return True
    if isinstance(shape, tuple) and shape[0] == "broadcast":
        return all(is_settled(part, settled) for part in shape[1])
    return isinstance(shape, tuple) and shape[0] in DERIVED and all(
        is_settled(part, settled) for part in shape[1:1 + DERIVED[shape[0]]])


def kind_of(value: Any, around: tuple[type, ...] = ()) -> Kind:
    """The kind of a value; around: the classes of what holds it.

    Of what is held by many of its own class, as in a list whose nodes hold the next one, no more is
    known: else there were one kind, and so other code, for each length.

    >>> kind_of(2.0), kind_of(np.ones((2, 3)))
    (Number(type='float', value=NO_VALUE), Array(ndim=2, dtype='float', shape=None))
    """
    kind = _SIMPLE.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, np.ndarray):
        return Array(value.ndim, _DTYPES.get(value.dtype.kind, "other"))
    if isinstance(value, np.generic):
        name = _DTYPES.get(value.dtype.kind)
        return Number(name) if name in _RANK else Other(type(value))
    if is_special(type(value)):
        return Other(type(value))
    if is_duck(value):
        return DuckArray(_DTYPES.get(value.dtype.kind, "other"), len(value.shape), type(value))
    if is_deep(value, around):
        return ANY
    around = (*around, type(value))
    if isinstance(value, tuple):
        return TupleKind(tuple(kind_of(part, around) for part in value), type(value))
    if isinstance(value, list):
        return ListKind(join_all(kind_of(part, around) for part in value))
    if isinstance(value, dict):
        return DictKind(tuple(value), tuple(kind_of(part, around) for part in value.values()))
    names = fields_in(value)
    if names is not None:
        return RecordKind(type(value), names,
                          tuple(kind_of(getattr(value, name), around) for name in names))
    return Known(value) if _is_known(value) else Other(type(value))


def fields_in(value: Any) -> tuple[str, ...] | None:
    """The attributes of an object that is known by these; None for what is not."""
    if _is_known(value) or not (callable(value) or dataclasses.is_dataclass(value)
                                or (hasattr(value, "__dict__") and vars(value))) \
            or hasattr(type(value).__getattribute__, "__code__"):
        return None                             # the last: what it holds is not what is read of it
    return attribute_names(value)


def _is_known(value: Any) -> bool:
    """Whether something is known by what it is: a function, a class, a module, a derivative."""
    return hasattr(type(value), "emitted_for") or (
        (callable(value) or isinstance(value, type(np))) and not has_fields(value))


def is_special(kind: type) -> bool:
    """Whether a class of containers says in Python what reading or writing an item does."""
    return issubclass(kind, (tuple, list, dict)) and any(
        hasattr(getattr(kind, name, None), "__code__")
        for name in ("__getitem__", "__setitem__", "__missing__", "__iter__", "__len__"))


def literal(value: Any) -> Kind:
    """The kind of a literal in the source, its value kept."""
    if isinstance(value, (bool, int, float, complex)):
        return Number(type(value).__name__, value)
    if isinstance(value, str):
        return Text(value, value, value)
    if isinstance(value, bytes):
        return Text(value)
    return NOTHING if value is None else kind_of(value)


def join(a: Kind, b: Kind) -> Kind:
    """What holds of a value that is of the one kind or of the other."""
    if a is b or b is PENDING:
        return a
    if a is PENDING:
        return b
    if isinstance(a, Number) and isinstance(b, Number):
        value = a.value if type(a.value) is type(b.value) and a.value == b.value else NO_VALUE
        size = a.size if a.size == b.size else None
        return Number(a.type if _RANK[a.type] >= _RANK[b.type] else b.type, value, size)
    if isinstance(a, Array) and isinstance(b, Array):
        shape = a.shape if one_shape(a.shape, b.shape) else None
        return Array(a.ndim if a.ndim == b.ndim else None, join_dtype(a.dtype, b.dtype), shape)
    if isinstance(a, DuckArray) and isinstance(b, DuckArray):
        return DuckArray(join_dtype(a.dtype, b.dtype), a.ndim if a.ndim == b.ndim else None,
                         a.type if a.type is b.type else None,
                         a.shape if a.shape == b.shape else None)
    if isinstance(a, (Number, Array, Numeric)) and isinstance(b, (Number, Array, Numeric)):
        duck = a if isinstance(a, DuckArray) else b
        if isinstance(duck, DuckArray):         # which is not known; it may be one
            return DuckArray(join_dtype(dtype_of(a), dtype_of(b)))
        return Numeric(join_dtype(dtype_of(a), dtype_of(b)))
    if isinstance(a, Text) and isinstance(b, Text):
        return Text(NO_VALUE, _common(a.start, b.start),
                    _common(a.end[::-1], b.end[::-1])[::-1])
    if isinstance(a, TupleKind) and isinstance(b, TupleKind) and len(a.items) == len(b.items) \
            and a.type is b.type:
        return TupleKind(tuple(map(join, a.items, b.items)), a.type)
    if isinstance(a, ListKind) and isinstance(b, ListKind):
        return ListKind(join(a.item, b.item)) if EMPTY not in (a.item, b.item) else \
            ListKind(b.item if a.item == EMPTY else a.item)
    if isinstance(a, DictKind) and isinstance(b, DictKind) and a.keys == b.keys:
        return DictKind(a.keys, tuple(map(join, a.items, b.items)), a.sites | b.sites)
    if isinstance(a, (Known, Choice)) and isinstance(b, (Known, Choice)):
        return _choice(a, b)
    if isinstance(a, (DictKind, MapKind)) and isinstance(b, (DictKind, MapKind)) \
            and (isinstance(a, MapKind) or isinstance(b, MapKind)):
        missing = getattr(a, "missing", None)
        return OBJECT if missing is not getattr(b, "missing", None) else MapKind(
            join_all([item_of(a), item_of(b)]), join_all([key_of(a), key_of(b)]), missing,
            a.sites | b.sites, _named(a, b))
    if isinstance(a, DictKind) and isinstance(b, DictKind):     # which keys there are varies
        return MapKind(join_all([*a.items, *b.items]), join_all([key_of(a), key_of(b)]), None,
                       a.sites | b.sites)
    if isinstance(a, RecordKind) and isinstance(b, RecordKind) and a.type is b.type \
            and a.fields == b.fields:
        return RecordKind(a.type, a.fields, tuple(map(join, a.items, b.items)))
    if isinstance(a, (Number, Nothing, Maybe)) and isinstance(b, (Number, Nothing, Maybe)):
        numbers = [kind.number if isinstance(kind, Maybe) else kind
                   for kind in (a, b) if not isinstance(kind, Nothing)]
        types = [kind.type for kind in numbers if isinstance(kind, Number)]
        return Maybe(Number(max(types, key=_RANK.__getitem__))) if types else \
            a if getattr(a, "is_default", False) else b
    if a == b and a != UNKNOWN:
        return a
    if not (_may_be_list(a) or _may_be_list(b)) or isinstance(a, DuckArray) \
            or isinstance(b, DuckArray):
        return OBJECT if _is_object(a) or _is_object(b) else UNKNOWN
    return ANY if may_be_object(a) or may_be_object(b) else MIXED


def _common(one: str, other: str) -> str:
    """What two texts both begin with."""
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other))
    return "".join(character for character, _ in same)


def _may_be_list(kind: Kind) -> bool:
    return isinstance(kind, (ListKind, TupleKind)) or kind.may_be_list


def _is_object(kind: Kind) -> bool:
    return isinstance(kind, RecordKind) or kind is OBJECT \
        or getattr(kind, "missing", None) is not None


def may_be_object(kind: Kind) -> bool:
    """Whether a value may be an object, which says itself what its items are and what it gives
    when it is iterated over: not those of its tangent or adjoint."""
    return isinstance(kind, RecordKind) or (kind == UNKNOWN and kind is not MIXED)


def names_of(kind: DictKind | MapKind) -> dict[Any, Kind]:
    """What is at the keys of a dict, where it is known which there are."""
    return dict(zip(kind.keys, kind.items)) if isinstance(kind, DictKind) else dict(kind.named)


def _named(a: DictKind | MapKind, b: DictKind | MapKind) -> tuple[tuple[Any, Kind], ...]:
    """What is at the keys of what is the one dict or the other."""
    one, other = names_of(a), names_of(b)
    return tuple((key, join(item, other[key])) for key, item in one.items()) \
        if list(one) == list(other) else ()


def with_names(kind: DictKind) -> MapKind:
    """The kind of the dict where it is computed which of its keys is read."""
    return MapKind(item_of(kind), key_of(kind), None, kind.sites, tuple(names_of(kind).items()))


def item_at(kind: DictKind | MapKind, key: Kind) -> Kind:
    """What a dict with known keys holds at a key: of a computed one, at all that it may be."""
    named, value = names_of(kind), value_of(key)
    if value in named:
        return named[value]
    found = [item for name, item in named.items() if not isinstance(key, Text) or key.may_be(name)]
    return join_all(found or named.values())


def read_item(kind: ListKind | MapKind) -> Kind:
    """The kind of an item that is read of a list or a dict: its arrays have shapes of their own."""
    return _taken(kind.item, new_reading())


def _taken(kind: Kind, reading: Any) -> Kind:
    if isinstance(kind, Array) and isinstance(kind.shape, Each):
        return dataclasses.replace(kind, shape=kind.shape.taken(reading))
    if isinstance(kind, Array):
        return with_own_shape(kind)
    parts = kind.items if isinstance(kind, (TupleKind, DictKind, RecordKind)) else ()
    return with_parts(kind, [_taken(part, reading) for part in parts])


def with_own_shape(kind: Array) -> Array:
    """The kind of an array with a shape that equals no other, if nothing is known of it."""
    return kind if kind.shape is not None else dataclasses.replace(
        kind, shape=new_shape() if kind.ndim is None
        else Sizes(unknown_size() for _ in range(kind.ndim)))


def in_any_iteration(kind: Kind) -> Kind:
    """The kind of what each iteration makes: an array has the shape that it has in all of them, if
    it has one, and so is it with ints that are sizes."""
    if isinstance(kind, Number):
        return kind if kind.size is None or not kind.size.is_free \
            else dataclasses.replace(kind, size=None)
    shape = getattr(kind, "shape", None)
    return kind if shape is None or (isinstance(shape, Sizes) and not shape.is_free) \
        else dataclasses.replace(kind, shape=None)                      # type: ignore[call-arg]


def with_parts(kind: Kind, parts: Sequence[Kind]) -> Kind:
    """A container with parts of other kinds; the kind itself if there are none."""
    if isinstance(kind, (TupleKind, DictKind, RecordKind)) and parts:
        return dataclasses.replace(kind, items=tuple(parts))
    return kind


def item_of(kind: DictKind | MapKind) -> Kind:
    """What holds of each value of a dict."""
    return kind.item if isinstance(kind, MapKind) else join_all(kind.items)


def key_of(kind: DictKind | MapKind) -> Kind:
    """What holds of each key of a dict."""
    return kind.key if isinstance(kind, MapKind) else join_all(
        any_key(literal(key)) for key in kind.keys)


def with_each_item(kind: Any, make: Callable[[Kind], Kind]) -> Any:
    """The kind of a list or a dict with computed keys whose items are of other kinds; the kind
    itself where they are the same."""
    if isinstance(kind, MapKind) and kind.named:
        items = [make(item) for _, item in kind.named]
        return kind if all(item is old for item, (_, old) in zip(items, kind.named)) \
            else _with_names(kind, [(key, item) for item, (key, _) in zip(items, kind.named)])
    item = make(kind.item)
    return kind if item is kind.item else dataclasses.replace(kind, item=item)


def _with_names(kind: MapKind, named: Iterable[tuple[Any, Kind]]) -> MapKind:
    found = tuple(named)
    return dataclasses.replace(kind, item=join_all(item for _, item in found), named=found)


def with_name(kind: MapKind, name: Any, item: Kind) -> MapKind:
    """The kind of a dict with known keys into which something is put at a key."""
    key = join_all([kind.key, any_key(literal(name))])
    return dataclasses.replace(_with_names(kind, {**dict(kind.named), name: item}.items()), key=key)


def any_key(kind: Kind) -> Kind:
    """The kind of a key, for which others of its kind may stand."""
    if isinstance(kind, Number):
        return Number(kind.type)
    if isinstance(kind, TupleKind):
        return dataclasses.replace(kind, items=tuple(map(any_key, kind.items)))
    return dataclasses.replace(kind, value=NO_VALUE) if isinstance(kind, Text) else kind


def _choice(a: Known | Choice, b: Known | Choice) -> Kind:
    """One of the functions that a and b may be."""
    options = dict.fromkeys([*(a.options if isinstance(a, Choice) else (a,)),
                             *(b.options if isinstance(b, Choice) else (b,))])
    if len(options) == 1:
        return next(iter(options))
    if len(options) > MOST_OPTIONS or not all(callable(o.object) or hasattr(o.object, "captured")
                                              for o in options):
        return UNKNOWN
    return Choice(tuple(options))


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


def is_pending(kind: Kind) -> bool:
    """Whether a value, or a part of it, is what a function or a list is yet to give."""
    if isinstance(kind, (ListKind, MapKind)):
        return is_pending(kind.item)
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return any(map(is_pending, kind.items))
    return kind is PENDING


def join_all(kinds: Any) -> Kind:
    """The join of many kinds; of none, EMPTY."""
    found: Kind = EMPTY
    for kind in kinds:
        if kind is not EMPTY:
            found = kind if found is EMPTY else join(found, kind)
    return found


def join_dtype(a: str | None, b: str | None) -> str | None:
    if a in _RANK and b in _RANK:
        return a if _RANK[a] >= _RANK[b] else b
    return a if a == b else None


def dtype_of(kind: Kind) -> str | None:
    """The class of the numbers that a value holds, None where it is not known."""
    if isinstance(kind, Number):
        return kind.type
    if isinstance(kind, (Array, Numeric)):
        return kind.dtype
    return None


def dtype_named(kind: Kind) -> str | None:
    """The class of numbers that a dtype argument asks for."""
    if isinstance(kind, Known):
        try:
            return _DTYPES.get(np.dtype(kind.object).kind)
        except TypeError:
            return None
    if isinstance(kind, Text) and kind.value is not NO_VALUE:
        return _DTYPES.get(np.dtype(kind.value).kind)
    return "float" if isinstance(kind, Nothing) else None


def can_vary(kind: Kind) -> bool:
    """Whether a value of this kind may have a derivative (floats and what holds floats)."""
    if isinstance(kind, (Number, Array, Numeric)):
        return dtype_of(kind) not in ("bool", "int", "other")
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return any(map(can_vary, kind.items))
    if isinstance(kind, (ListKind, MapKind)):
        return kind.item is EMPTY or can_vary(kind.item)
    return kind in (UNKNOWN, EMPTY, PENDING)


def is_array(kind: Kind, ndim: int | None = None) -> bool:
    return isinstance(kind, Array) and (ndim is None or kind.ndim == ndim)


def value_of(kind: Kind) -> Any:
    """The value of a literal, a tuple of literals or None; NO_VALUE where it is not known."""
    if isinstance(kind, (Number, Text)):
        return kind.value
    if isinstance(kind, Nothing):
        return None
    if isinstance(kind, TupleKind):
        values = tuple(map(value_of, kind.items))
        return NO_VALUE if any(v is NO_VALUE for v in values) else values
    return NO_VALUE


def size_of(kind: Kind) -> Size | None:
    """The size that an int is, if it follows from the program and the shapes of arguments."""
    if isinstance(kind, Number) and kind.type == "int":
        return Size(kind.value) if type(kind.value) is int else kind.size
    return None


def int_of(size: Size | None) -> Number:
    """The kind of an int that is a size (None: it is not known)."""
    return Number("int", NO_VALUE, size)


def how_unknown(kind: Kind) -> Any:
    """Which of the kinds that equal UNKNOWN a kind is, None for most others, part by part: code
    that is made for one of them does not serve the others.

    >>> how_unknown(Maybe(FLOAT)) == how_unknown(UNKNOWN) or how_unknown(MIXED) == how_unknown(ANY)
    False
    """
    if isinstance(kind, Maybe):
        return kind.number
    if isinstance(kind, (TupleKind, DictKind, RecordKind)):
        return tuple(map(how_unknown, kind.items))
    if isinstance(kind, (ListKind, MapKind, Constants)):
        return how_unknown(kind.item)
    return next((n for n, one in enumerate((UNKNOWN, MIXED, ANY, OBJECT)) if kind is one), None)


def is_identical(a: Kind, b: Kind) -> bool:
    """Whether the same is known of two values, shapes and literals included."""
    if a is b:
        return True
    if a != b or getattr(a, "shape", None) != getattr(b, "shape", None):
        return False
    if isinstance(a, Number) and isinstance(b, Number):
        return type(a.value) is type(b.value) and a.value == b.value and a.size == b.size
    if getattr(a, "sites", None) != getattr(b, "sites", None) or (
            isinstance(a, MapKind) and isinstance(b, MapKind) and not is_identical(a.key, b.key)):
        return False
    if isinstance(a, (TupleKind, DictKind, RecordKind)):
        return all(map(is_identical, a.items, b.items))                 # type: ignore[attr-defined]
    if isinstance(a, (ListKind, MapKind)):
        pairs = zip(getattr(a, "named", ()), getattr(b, "named", ()))
        return is_identical(a.item, b.item) and all(                    # type: ignore[attr-defined]
            is_identical(one[1], other[1]) for one, other in pairs)
    if isinstance(a, Text) and isinstance(b, Text) and (a.start, a.end) != (b.start, b.end):
        return False
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        return type(a) is type(b)
    return value_of(a) == value_of(b)


def same_shape(a: Kind, b: Kind) -> bool:
    """Whether two values certainly have the same shape."""
    if isinstance(a, Number) and isinstance(b, Number):
        return True
    if isinstance(a, (Array, DuckArray)) and isinstance(b, (Array, DuckArray)):
        return (a.ndim == 0 and b.ndim == 0) or (a.shape is not None
                                                 and one_shape(a.shape, b.shape))
    return False
