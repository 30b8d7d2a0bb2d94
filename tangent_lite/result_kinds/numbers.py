"""What kinds say of the numbers in a value: of which type they are, in how many dimensions."""
from __future__ import annotations

from tangent_lite import kinds
from tangent_lite.kinds import (
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    Number,
    Numeric,
    TupleKind,
    dtype_of,
    join_dtype,
    value_of,
)
from tangent_lite.kinds.duck import replaced

NO, ZERO = Number("bool", False), Number("int", 0)
NUMBERS = ("bool", "int", "float", "complex")


def scalar(dtype: str | None) -> Kind:
    """A number of this type (an object may be anything)."""
    return Number(dtype) if dtype in NUMBERS else Numeric(dtype) if dtype is None else UNKNOWN


def with_dtype(kind: Kind, dtype: str | None) -> Kind:
    """The same number or array, with numbers of another type."""
    if isinstance(kind, Number):
        return scalar(dtype)
    if isinstance(kind, Array):
        return Array(kind.ndim, dtype, kind.shape)
    return Numeric(dtype) if isinstance(kind, Numeric) else kind


def of_floats(x: Kind, *rest: Kind, **options: Kind) -> Kind:
    """What has the structure of a value, and other numbers in it: floats in the place of ints."""
    def changed(part: Kind) -> Kind:
        dtype = dtype_of(part)
        return with_dtype(part, "float" if dtype in ("bool", "int") else dtype) \
            if isinstance(part, (Number, Array, Numeric)) else part

    return replaced(x, changed)


def numbers_in(kind: Kind) -> str | None:
    """The class of numbers in a value, looking into lists and tuples."""
    if isinstance(kind, ListKind):
        return None if kind.item is kinds.EMPTY else numbers_in(kind.item)
    if isinstance(kind, TupleKind) and kind.items:
        dtype = numbers_in(kind.items[0])
        for item in kind.items[1:]:
            dtype = join_dtype(dtype, numbers_in(item))
        return dtype
    return dtype_of(kind)


def rank(kind: Kind) -> int | None:
    """How many dimensions NumPy sees in a value."""
    if isinstance(kind, Number):
        return 0
    if isinstance(kind, Array):
        return kind.ndim
    if isinstance(kind, ListKind):
        inner = None if kind.item is kinds.EMPTY else rank(kind.item)
    elif isinstance(kind, TupleKind) and kind.items:
        ranks = {rank(item) for item in kind.items}
        inner = ranks.pop() if len(ranks) == 1 else None
    else:
        return None
    return None if inner is None else inner + 1


def whole(kind: Kind) -> int | None:
    """The value of a literal integer."""
    value = value_of(kind)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def joined_dtype(arguments: tuple[Kind, ...]) -> str | None:
    """The type of what is computed of all arguments, lists and tuples of numbers among them."""
    dtype = numbers_in(arguments[0])
    for kind in arguments[1:]:
        dtype = join_dtype(dtype, numbers_in(kind))
    return dtype
