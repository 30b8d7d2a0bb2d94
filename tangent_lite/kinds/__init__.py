"""Kinds: what is known of a value before the program runs.

A derivative is specialised to the kinds of its arguments: what sort of number, how many dimensions,
which keys; never which value. `kind_of` reads the kind of a value, `join` gives what two
possibilities have in common. Which kinds there are: `kinds/classes.py`; what is read off one:
`kinds/reading.py`; the tokens for shapes, which take no part in comparisons: `kinds/shapes.py`. All
of these are had from here, as `kinds.Array`. Result kinds of calls: `result_kinds`.
"""
from __future__ import annotations

import collections
import dataclasses
import enum
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tangent_lite.kinds import sets
from tangent_lite.kinds.classes import (  # noqa: F401
    ANY,
    BOOL,
    COMPLEX,
    DTYPES,
    EMPTY,
    FLOAT,
    INT,
    MIXED,
    NO_VALUE,
    NOTHING,
    OBJECT,
    PENDING,
    RANGE,
    RANK,
    SLICE,
    TEXT,
    UNKNOWN,
    Array,
    Choice,
    Constants,
    DictKind,
    Dtype,
    DuckArray,
    Kind,
    Known,
    ListKind,
    MapKind,
    MatrixKind,
    Maybe,
    Nothing,
    Number,
    Numeric,
    OneOf,
    Other,
    RangeKind,
    RecordKind,
    SetKind,
    SliceKind,
    Text,
    TupleKind,
)
from tangent_lite.kinds.iterations import (  # noqa: F401
    in_any_iteration,
    in_some_iteration,
    is_passing,
    numbered,
    read_item,
    with_own_shape,
    with_parts,
)
from tangent_lite.kinds.matrices import (  # noqa: F401
    any_matrix,
    is_matrix,
    is_old,
    join_matrices,
    matrix_kind,
    of_matrix,
    operator_of_matrices,
)
from tangent_lite.kinds.reading import (  # noqa: F401
    behind_ways,
    can_vary,
    classes_in,
    dtype_named,
    dtype_of,
    how_unknown,
    int_of,
    is_array,
    is_identical,
    is_pending,
    join_dtype,
    kind_at_hand,
    parts,
    same_shape,
    size_in_parts,
    size_of,
    value_of,
    without_pending,
    without_shapes,
)
from tangent_lite.kinds.several import (  # noqa: F401
    classes_of,
    of_items,
    of_one_class,
    one_of,
    value_at,
)
from tangent_lite.kinds.shapes import (  # noqa: F401
    DERIVED,
    broadcast_shape,
    derived_shape,
    is_settled,
    new_shape,
    one_shape,
    shape_at_head,
    shape_behind,
    sizes_in_common,
)
from tangent_lite.kinds.user_classes import (  # noqa: F401
    NUMBERS,
    computes_as_int,
    computes_by_itself,
    has_operators,
    is_other_array,
    is_special,
)
from tangent_lite.modules import LIBRARIES, package_of
from tangent_lite.records import attribute_names
from tangent_lite.runtime.duck import is_duck
from tangent_lite.runtime.tangents import is_log
from tangent_lite.tangles import Walk, walked
from tangent_lite.trees import has_fields

KindFunction = Callable[..., "Kind"]
MOST_OPTIONS = 16           # functions that a call may choose from
_SIMPLE = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: TEXT, bytes: TEXT,
           type(None): NOTHING, range: RANGE, slice: SLICE}


def kind_of(value: Any) -> Kind:
    """The kind of a value.

    Of what is held by many of its own class, as in a list whose nodes hold the next one, no more is
    known: else there were one kind, and so other code, for each length. Nor is it of objects that
    hold one another in too many ways (`tangles.py`).

    >>> kind_of(2.0), kind_of(np.ones((2, 3)))
    (Number(type='float', value=NO_VALUE), Array(ndim=2, dtype='float', shape=None))
    """
    kind = _kind_of_whole(value)
    return kind if kind is not None else walked(value, _kind_of_parts, parts_of)


def _kind_of_whole(value: Any) -> Kind | None:
    """The kind of what has no parts that could be of kinds of their own; None for others."""
    kind = _SIMPLE.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, np.ndarray):
        if is_other_array(type(value)):
            return Other(type(value))
        return Array(value.ndim, DTYPES.get(value.dtype.kind, "other"))
    if isinstance(value, np.generic):
        name = DTYPES.get(value.dtype.kind)
        return Number(name) if name in RANK and not computes_by_itself(type(value)) \
            else Other(type(value))
    if is_special(type(value)):
        return Other(type(value))
    if isinstance(value, enum.Enum) and computes_as_int(type(value)):
        return INT
    if is_duck(value):
        return DuckArray(DTYPES.get(value.dtype.kind, "other"), len(value.shape), type(value))
    return matrix_kind(value)


def _kind_of_parts(value: Any, walk: Walk, around: tuple[type, ...] = ()) -> Kind:
    """The kind of what may have parts; around: the classes of what holds it."""
    if walk.passes_by(value, around):
        return ANY
    around = (*around, type(value))

    def kind_of_part(part: Any) -> Kind:
        kind = _kind_of_whole(part)
        return kind if kind is not None else _kind_of_parts(part, walk, around)

    if isinstance(value, tuple):
        return TupleKind(tuple(map(kind_of_part, value)), type(value))
    if isinstance(value, list):
        return ListKind(of_items(map(kind_of_part, _once(value)), join_all))
    if isinstance(value, dict):
        return DictKind(tuple(value), tuple(map(kind_of_part, value.values())),
                        makes=isinstance(value, collections.defaultdict))
    names = fields_in(value)
    if names is not None:
        return RecordKind(type(value), names,
                          tuple(kind_of_part(getattr(value, name)) for name in names))
    if _is_known(value):
        return Known(value)
    return Dtype(type(value), DTYPES[value.kind]) \
        if isinstance(value, np.dtype) and value.kind in DTYPES else Other(type(value))


def parts_of(value: Any) -> list[Any]:
    """What of a value has a kind of its own that is looked for in turn."""
    parts: Iterable[Any]
    if isinstance(value, tuple):
        parts = value
    elif isinstance(value, list):
        parts = _once(value)
    elif isinstance(value, dict):
        parts = value.values()
    else:
        parts = [getattr(value, name) for name in fields_in(value) or ()]
    return [part for part in parts if _kind_of_whole(part) is None]


def _once(items: list[Any]) -> Iterator[Any]:
    """The items of a list without those that are there again."""
    seen: set[int] = set()
    for item in items:
        if type(item) in _SIMPLE:
            yield item
        elif id(item) not in seen:
            seen.add(id(item))
            yield item


def fields_in(value: Any) -> tuple[str, ...] | None:
    """The attributes of an object that is known by these; None for what is not."""
    if _is_known(value) or matrix_kind(value) is not None or not (
            callable(value) or dataclasses.is_dataclass(value)
            or (hasattr(value, "__dict__") and vars(value))) \
            or hasattr(type(value).__getattribute__, "__code__") \
            or is_log(value):
        return None                 # what it holds is not what is read of it, or does not vary
    return attribute_names(value)


def _is_known(value: Any) -> bool:
    """Whether something is known by what it is: a function, a class, a module, a derivative."""
    return hasattr(type(value), "emitted_for") or (
        (callable(value) or isinstance(value, type(np))) and not has_fields(value))


def keeps_made(kind: Kind) -> bool:
    """Whether a value may be a dict that keeps what it makes for keys that are read."""
    return (isinstance(kind, DictKind) and kind.makes) or kind == _MAKING


_MAKING = Other(collections.defaultdict)


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
    """What holds of a value that is of the one kind or of the other: a itself where the other one
    says no more, so that what was found out of it stays known, and loops end soon."""
    if a is b or b is PENDING:
        return a
    if a is PENDING:
        return b
    if isinstance(a, Number) and isinstance(b, Number):
        value = a.value if type(a.value) is type(b.value) and a.value == b.value else NO_VALUE
        size = a.size if a.size == b.size else None
        is_mixed = a.is_mixed or b.is_mixed or a.type != b.type
        if value is a.value and size is a.size and is_mixed == a.is_mixed \
                and RANK[a.type] >= RANK[b.type]:
            return a
        return Number(a.type if RANK[a.type] >= RANK[b.type] else b.type, value, size, is_mixed)
    if isinstance(a, Array) and isinstance(b, Array):
        shape = a.shape if one_shape(a.shape, b.shape) else None
        ndim, dtype = a.ndim if a.ndim == b.ndim else None, join_dtype(a.dtype, b.dtype)
        is_mixed = a.is_mixed or b.is_mixed or a.dtype != b.dtype
        if shape is a.shape and (ndim, dtype, is_mixed) == (a.ndim, a.dtype, a.is_mixed):
            return a
        return Array(ndim, dtype, shape, is_mixed)
    if isinstance(a, DuckArray) and isinstance(b, DuckArray):
        return DuckArray(join_dtype(a.dtype, b.dtype), a.ndim if a.ndim == b.ndim else None,
                         a.type if a.type is b.type else None,
                         a.shape if a.shape == b.shape else None)
    if isinstance(a, (Number, Array, Numeric)) and isinstance(b, (Number, Array, Numeric)):
        duck = a if isinstance(a, DuckArray) else b
        if isinstance(duck, DuckArray):         # which is not known; it may be one
            return DuckArray(join_dtype(dtype_of(a), dtype_of(b)))
        return Numeric(join_dtype(dtype_of(a), dtype_of(b)),
                       is_mixed=a.is_mixed or b.is_mixed or dtype_of(a) != dtype_of(b))
    if isinstance(a, Text) and isinstance(b, Text):
        return Text(NO_VALUE, _common(a.start, b.start),
                    _common(a.end[::-1], b.end[::-1])[::-1])
    if isinstance(a, TupleKind) and isinstance(b, TupleKind) and len(a.items) == len(b.items) \
            and a.type is b.type:
        items = tuple(map(join, a.items, b.items))
        return a if all(map(operator.is_, items, a.items)) else TupleKind(items, a.type)
    if isinstance(a, ListKind) and isinstance(b, ListKind):
        item = join(a.item, b.item) if EMPTY not in (a.item, b.item) else \
            b.item if a.item == EMPTY else a.item
        is_view = a.is_view or b.is_view
        return a if item is a.item and is_view == a.is_view and a.given is None \
            else ListKind(item, is_view=is_view)
    if isinstance(a, DictKind) and isinstance(b, DictKind) and a.keys == b.keys:
        items, makes = tuple(map(join, a.items, b.items)), a.makes or b.makes
        if makes == a.makes and b.sites <= a.sites and all(map(operator.is_, items, a.items)):
            return a
        return DictKind(a.keys, items, a.sites | b.sites, makes)
    if keeps_made(a) or keeps_made(b):      # one of several dicts, or what may be none
        return _MAKING
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
        items = tuple(map(join, a.items, b.items))
        return a if all(map(operator.is_, items, a.items)) \
            else RecordKind(a.type, a.fields, items)
    if isinstance(a, (Nothing, Maybe)) or isinstance(b, (Nothing, Maybe)):
        maybe = _maybe(a, b)
        if maybe is not None:
            return maybe
    if isinstance(a, MatrixKind) and isinstance(b, MatrixKind):
        return join_matrices(a, b)
    if isinstance(a, SetKind) and isinstance(b, SetKind):
        return sets.join(a, b)
    if isinstance(a, OneOf) and isinstance(b, OneOf) and classes_of(a) == classes_of(b):
        return one_of(map(join, a.options, b.options), a.path) or OBJECT
    if a == b and a != UNKNOWN:
        return a
    if isinstance(a, Dtype) and isinstance(b, Dtype):
        dtype = join_dtype(a.of, b.of)
        return Other(a.type) if dtype is None else Dtype(a.type, dtype, True)
    if not (_may_be_list(a) or _may_be_list(b)) or isinstance(a, DuckArray) \
            or isinstance(b, DuckArray):
        return OBJECT if _is_object(a) or _is_object(b) else UNKNOWN
    return ANY if may_be_object(a) or may_be_object(b) else MIXED


def join_surely(a: Kind, b: Kind) -> Kind:
    """The same, but that of the arrays in objects nothing is assumed: what an object holds before
    and after it changed need not be of one shape."""
    if isinstance(a, RecordKind) and isinstance(b, RecordKind) and a.type is b.type \
            and a.fields == b.fields:
        return RecordKind(a.type, a.fields, tuple(
            one if one is other else _join_parts(one, other)
            for one, other in zip(a.items, b.items)))
    return join(a, b)


def _join_parts(a: Kind, b: Kind) -> Kind:
    if isinstance(a, Array) and isinstance(b, Array) and a.shape != b.shape:
        shape = sizes_in_common(a.shape, b.shape)
        return join(dataclasses.replace(a, shape=shape), dataclasses.replace(b, shape=shape))
    return join_surely(a, b)


def _maybe(a: Kind, b: Kind) -> Kind | None:
    """What holds of a value that is None, or of one of two kinds; None where no more is known of it
    than of others."""
    found = [kind.other if isinstance(kind, Maybe) else kind
             for kind in (a, b) if not isinstance(kind, Nothing)]
    if not found:
        return a if getattr(a, "is_default", False) else b
    whole = without_shapes(join_all(found))
    return Maybe(whole) if isinstance(whole, (Number, Array, TupleKind, RecordKind)) else None


def _common(one: str, other: str) -> str:
    """What two texts both begin with."""
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other))
    return "".join(character for character, _ in same)


def _may_be_list(kind: Kind) -> bool:
    return isinstance(kind, (ListKind, TupleKind)) or kind.may_be_list


def _is_object(kind: Kind) -> bool:
    return isinstance(kind_at_hand(kind), (RecordKind, OneOf)) or kind is OBJECT \
        or getattr(kind, "missing", None) is not None \
        or (isinstance(kind, Other) and isinstance(kind.type, type)
            and package_of(kind.type) not in LIBRARIES and has_operators(kind.type))


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
        return Number(kind.type, is_mixed=kind.is_mixed)
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


def join_all(kinds: Any) -> Kind:
    """The join of many kinds; of none, EMPTY."""
    found: Kind = EMPTY
    for kind in kinds:
        if kind is not EMPTY:
            found = kind if found is EMPTY else join(found, kind)
    return found
