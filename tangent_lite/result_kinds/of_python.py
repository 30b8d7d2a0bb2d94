"""Kind functions of Python's own functions: sum, max, round, range and their like."""
from __future__ import annotations

import dataclasses

from tangent_lite import kinds
from tangent_lite.kinds import (
    FLOAT,
    INT,
    NO_VALUE,
    NOTHING,
    TEXT,
    UNKNOWN,
    Array,
    Constants,
    Kind,
    ListKind,
    Number,
    Numeric,
    SetKind,
    TupleKind,
    dtype_of,
    join_all,
    join_dtype,
)
from tangent_lite.result_kinds import ZERO, numeric, scalar


def builtin_sum(items: Kind, start: Kind = ZERO, **options: Kind) -> Kind:
    if isinstance(items, Array):
        if items.ndim is None or items.ndim < 1:
            return Numeric(None)
        element: Kind = scalar(items.dtype) if items.ndim == 1 else \
            Array(items.ndim - 1, items.dtype)
    elif isinstance(items, (ListKind, Constants, SetKind)):
        element = items.item
    elif isinstance(items, TupleKind):
        element = join_all(items.items)
    else:
        return UNKNOWN
    found = _sum_of(element, start)
    # Of no items, it is what it starts with.
    return join_all([start, found]) if isinstance(found, Number) and isinstance(start, Number) \
        and not (isinstance(items, TupleKind) and items.items) else found


def _sum_of(element: Kind, start: Kind) -> Kind:
    if not all(isinstance(k, (Number, Array, Numeric)) for k in (element, start)):
        return UNKNOWN
    dtype = join_dtype(join_dtype(dtype_of(element), dtype_of(start)), "int")
    if isinstance(element, Number) and isinstance(start, Number):
        return scalar(dtype)
    return Numeric(dtype)


def builtin_extreme(*arguments: Kind, **options: Kind) -> Kind:
    """max, min: of several numbers, or of the items of one sequence."""
    if len(arguments) == 1:
        items = arguments[0]
        if isinstance(items, Array):
            return scalar(items.dtype) if items.ndim == 1 else UNKNOWN
        if isinstance(items, (ListKind, Constants, SetKind)):
            return join_all([items.item, *options.values()]) if "key" not in options else UNKNOWN
        if isinstance(items, TupleKind) and "key" not in options:
            return join_all([*items.items, *options.values()])
        return UNKNOWN
    if "key" in options:
        return UNKNOWN
    return _without_value(join_all(arguments))


def _without_value(kind: Kind) -> Kind:
    return dataclasses.replace(kind, value=NO_VALUE) if isinstance(kind, Number) else kind


def builtin_round(x: Kind, digits: Kind = NOTHING, **options: Kind) -> Kind:
    if isinstance(x, Number):
        return INT if isinstance(digits, kinds.Nothing) and x.type != "complex" else Numeric(None)
    return numeric(x)


def float_of_numbers(*arguments: Kind, **options: Kind) -> Kind:
    """statistics.fmean: of arrays and weights it makes arrays, from Python 3.13 on."""
    return FLOAT if all(map(holds_numbers, (*arguments, *options.values()))) else UNKNOWN


def holds_numbers(kind: Kind) -> bool:
    """Whether a value is a sequence of numbers, and not of arrays."""
    if isinstance(kind, Array):
        return kind.ndim == 1
    if isinstance(kind, TupleKind):
        return all(isinstance(item, Number) for item in kind.items)
    return isinstance(kind, ListKind) and isinstance(kind.item, Number)


def product_of(*arguments: Kind, **options: Kind) -> Kind:
    """math.prod and math.sumprod of numbers."""
    return Numeric(None)


def range_of(*arguments: Kind, **options: Kind) -> Kind:
    return kinds.RANGE


def slice_of(*arguments: Kind, **options: Kind) -> Kind:
    return kinds.SLICE


def list_of_int(*arguments: Kind, **options: Kind) -> Kind:
    return ListKind(INT)


def list_of_places(shape: Kind) -> Kind:
    """Tuples of as many ints as a shape has axes."""
    sizes = shape.items if isinstance(shape, TupleKind) else (shape,)
    if sizes and all(isinstance(size, Number) and size.type == "int" for size in sizes):
        return ListKind(TupleKind((INT,) * len(sizes)))
    return UNKNOWN


WHOLE = INT                         # for models of functions (see `registry.written_as`)


# What iterators hand out of constants ---------------------------------------------------------
def _item_of(items: Kind) -> Kind | None:
    """The kind of what a loop over constants finds; None where that is not known."""
    if isinstance(items, (ListKind, Constants, SetKind)):
        return _without_value(items.item)
    if isinstance(items, TupleKind):
        return _without_value(join_all(items.items))
    if isinstance(items, Array) and items.ndim == 1:
        return scalar(items.dtype)
    return INT if isinstance(items, kinds.RangeKind) else \
        TEXT if isinstance(items, kinds.Text) else None


def groups_of(items: Kind, r: Kind = NOTHING) -> Kind:
    """Lists of tuples of r items each."""
    item, count = _item_of(items), kinds.value_of(r)
    if item is None:
        return UNKNOWN
    if isinstance(items, TupleKind) and count is None:
        count = len(items.items)
    return ListKind(TupleKind((item,) * count) if type(count) is int and 0 <= count <= 64
                    else Constants(item))


def members(items: Kind) -> Kind:
    """The members of a set of whole numbers and texts, one by one."""
    item = _item_of(items)
    return ListKind(item) if isinstance(item, (Number, kinds.Text)) and not kinds.can_vary(item) \
        else UNKNOWN


def are_numbers(items: Kind) -> bool:
    """Whether items are numbers, which a set tells apart by what they are."""
    return isinstance(items, (ListKind, TupleKind, Array)) and isinstance(_item_of(items), Number)


def product_of_constants(pools: Kind, repeat: Kind) -> Kind:
    """The list of the tuples with one item of each pool."""
    count = kinds.value_of(repeat)
    if not isinstance(pools, TupleKind):
        return UNKNOWN
    found = [_item_of(pool) for pool in pools.items]
    items = [item for item in found if item is not None]
    if len(items) < len(found):
        return UNKNOWN
    return ListKind(TupleKind(tuple(items) * count) if type(count) is int
                    and 0 <= count * len(items) <= 64 else Constants(join_all(items)))


def without_end(items: Kind) -> Kind:
    item = _item_of(items)
    return UNKNOWN if item is None else Constants(item)
