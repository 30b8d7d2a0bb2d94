"""Kind functions of helpers that make adjoints of sequences: lists of adjoints of lists."""
from __future__ import annotations

from tangent_lite.kinds import (
    EMPTY,
    UNKNOWN,
    Array,
    DictKind,
    Kind,
    ListKind,
    Nothing,
    Number,
    Numeric,
    TupleKind,
    dtype_of,
    join_all,
)
from tangent_lite.result_kinds import elementwise, scalar, with_dtype, zeros_of


def parts_of_second(dy: Kind, xs: Kind, *rest: Kind, **options: Kind) -> Kind:
    """Adjoints of a sequence: an array for an array, a list for a list or tuple."""
    if isinstance(xs, Array):
        return with_dtype(xs, dtype_of(dy))
    if isinstance(xs, TupleKind):
        xs = ListKind(join_all(xs.items))
    if not isinstance(xs, ListKind):
        return UNKNOWN
    # A complex adjoint may come to a list of floats.
    return zeros_of(xs) if dtype_of(dy) == "float" else ListKind(UNKNOWN)


def list_of_second(dys: Kind, xs: Kind, **options: Kind) -> Kind:
    """A list of adjoints for a list, of what another list of adjoints holds."""
    return parts_of_second(dys.item, xs) if isinstance(dys, ListKind) else UNKNOWN


def list_of_parts(dy: Kind, xs: Kind, *rest: Kind, **options: Kind) -> Kind:
    """A list of adjoints for a list or tuple."""
    return UNKNOWN if isinstance(xs, Array) else parts_of_second(dy, xs)


def parts_of_third(dy: Kind, factors: Kind, xs: Kind, **options: Kind) -> Kind:
    """As parts_of_second, where the sequence is the third argument."""
    if not isinstance(xs, Array):
        xs = parts_of_second(dy, xs)
        return xs if (isinstance(factors, Array) and factors.dtype == "float") or (isinstance(
            factors, ListKind) and dtype_of(factors.item) == "float") else ListKind(UNKNOWN)
    return UNKNOWN


def part_of_many(dy: Kind, k: Kind, xs: Kind, **options: Kind) -> Kind:
    """Adjoints of the items of the only sequence; of one of several values it is not known."""
    if isinstance(xs, TupleKind) and len(xs.items) == 1:
        return parts_of_second(dy, xs.items[0])
    return UNKNOWN


def sum_of_two(a: Kind, b: Kind) -> Kind:
    """a + b, item by item where they are lists or dicts."""
    if isinstance(b, Nothing):
        return a
    if isinstance(b, DictKind) and isinstance(a, DictKind):
        parts = dict(zip(a.keys, a.items))
        return DictKind(b.keys, tuple(sum_of_two(parts.get(key, UNKNOWN), item)
                                      for key, item in zip(b.keys, b.items)))
    if isinstance(b, (ListKind, TupleKind)) and isinstance(a, (ListKind, TupleKind)):
        items = [k.item if isinstance(k, ListKind) else join_all(k.items) for k in (a, b)]
        return ListKind(EMPTY if EMPTY in items else sum_of_two(*items))
    known = (Number, Array, Numeric)
    return elementwise(a, b) if isinstance(a, known) and isinstance(b, known) else UNKNOWN


def term_of_two(dz: Kind, a: Kind) -> Kind:
    """An adjoint with the structure and shapes of a, and the type of numbers of dz."""
    if isinstance(a, DictKind) and isinstance(dz, DictKind):
        parts = dict(zip(dz.keys, dz.items))
        return DictKind(a.keys, tuple(term_of_two(parts.get(key, UNKNOWN), item)
                                      for key, item in zip(a.keys, a.items)))
    if isinstance(a, (ListKind, TupleKind)) and isinstance(dz, (ListKind, TupleKind)):
        items = [k.item if isinstance(k, ListKind) else join_all(k.items) for k in (dz, a)]
        return ListKind(EMPTY if EMPTY in items else term_of_two(*items))
    if isinstance(a, Number) and isinstance(dz, (Number, Array)):
        return scalar(dtype_of(dz))
    if isinstance(a, Numeric) and isinstance(dz, (Number, Array, Numeric)):
        return Numeric(dtype_of(dz))
    return with_dtype(a, dtype_of(dz)) if isinstance(a, Array) else UNKNOWN
