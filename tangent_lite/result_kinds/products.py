"""Kind functions of what multiplies arrays: `@`, dot, outer, kron, tensordot, einsum.

See `result_kinds`.
"""
from __future__ import annotations

from typing import Any

from tangent_lite.kinds import (
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    Number,
    Numeric,
    Text,
    TupleKind,
    derived_shape,
    join_dtype,
    new_shape,
    value_of,
)
from tangent_lite.result_kinds import numbers_in, rank, scalar, sizes_of, whole
from tangent_lite.result_kinds.shapes import TWO
from tangent_lite.shapes.sizes import Size, Sizes, spread


def matmul(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """a @ b of every pair of ranks."""
    dtype = join_dtype(numbers_in(a), numbers_in(b))
    if options:                                     # a type, or other axes
        return Numeric(None)
    if not isinstance(a, (Array, Numeric)) and not isinstance(b, (Array, Numeric)):
        return UNKNOWN
    if not (isinstance(a, Array) and isinstance(b, Array)) or a.ndim is None or b.ndim is None:
        return Numeric(dtype)
    if a.ndim == 1 and b.ndim == 1:
        return scalar(dtype)
    ndim = max(a.ndim, b.ndim) - (1 if 1 in (a.ndim, b.ndim) else 0)
    if (a.ndim, b.ndim) == (1, 2):
        return Array(ndim, dtype, _columns(b.shape))
    if (a.ndim, b.ndim) == (2, 1):
        return Array(ndim, dtype, _rows(a.shape))
    if (a.ndim, b.ndim) == (2, 2):
        return Array(ndim, dtype, derived_shape("product", _rows(a.shape), _columns(b.shape)))
    return Array(ndim, dtype, _product_of_stacks(sizes_of(a), sizes_of(b)) or new_shape())


def _product_of_stacks(a: Any, b: Any) -> Sizes | None:
    """The shape of a @ b where one of them is a stack of matrices."""
    if a is None or b is None or 0 in (len(a), len(b)):
        return None
    stacks = spread([Sizes(a[:-2]), Sizes(b[:-2])])
    return None if stacks is None else Sizes([*stacks.axes, *a[-2:-1], *b[-1:][:len(b) - 1]])


def _rows(shape: Any) -> Any:
    """The shape of a vector as long as a matrix is high."""
    if isinstance(shape, tuple) and shape[0] == "reversed":
        return _columns(shape[1])
    if isinstance(shape, tuple) and shape[0] == "product":
        return shape[1]
    return derived_shape("rows", shape)


def _columns(shape: Any) -> Any:
    """The shape of a vector as long as a matrix is wide."""
    if isinstance(shape, tuple) and shape[0] == "reversed":
        return _rows(shape[1])
    if isinstance(shape, tuple) and shape[0] == "product":
        return shape[2]
    return derived_shape("columns", shape)


def diagonal_or_trace(a: Kind, b: Kind, d: Kind, **options: Kind) -> Kind:
    """The diagonal of a @ b in the shape of d, the trace if d is a number."""
    dtype = join_dtype(numbers_in(a), numbers_in(b))
    if isinstance(d, Number):
        return scalar(dtype)
    return Array(1, dtype, d.shape) if isinstance(d, Array) and d.ndim == 1 else Numeric(dtype)


def dot(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """np.dot: numbers multiply, and the last axis meets the last but one."""
    ranks, dtype = (rank(a), rank(b)), join_dtype(numbers_in(a), numbers_in(b))
    if None in ranks:
        return Numeric(dtype)
    if ranks in ((1, 2), (2, 1), (2, 2)) and isinstance(a, Array) and isinstance(b, Array):
        return matmul(a, b)
    ndim = sum(ranks) - (2 if 0 not in ranks else 0)                        # type: ignore[arg-type]
    return scalar(dtype) if ndim == 0 else Array(ndim, dtype, new_shape())


def inner(a: Kind, b: Kind, **options: Kind) -> Kind:
    """np.inner: numbers multiply, and the last axes meet."""
    found = dot(a, b)
    return Array(found.ndim, found.dtype, new_shape()) if isinstance(found, Array) else found


def scalar_product(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    return scalar(join_dtype(numbers_in(a), numbers_in(b)))


def cross_kind(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Kind:
    """np.cross: of vectors of three such ones, of vectors of two a number."""
    dtype = join_dtype(numbers_in(a), numbers_in(b))
    sizes = [Sizes(found) for x in (a, b) if (found := sizes_of(x))]
    if rest or options or len(sizes) < 2 or not all(s.axes[-1].equals(Size(3)) for s in sizes):
        return Array(None, dtype)
    return Array(max(len(s.axes) for s in sizes), dtype, spread(sizes) or new_shape())


def outer(a: Kind, b: Kind, **options: Kind) -> Kind:
    flat = all(isinstance(x, Array) and x.ndim == 1 for x in (a, b))
    return Array(2, join_dtype(numbers_in(a), numbers_in(b)), derived_shape(
        "product", a.shape, b.shape) if flat else new_shape())      # type: ignore[attr-defined]


def kron(a: Kind, b: Kind, **options: Kind) -> Kind:
    ranks, dtype = (rank(a), rank(b)), join_dtype(numbers_in(a), numbers_in(b))
    if None in ranks or 0 in ranks:
        return Numeric(dtype)
    return Array(max(ranks), dtype, new_shape())                            # type: ignore[type-var]


def tensordot(a: Kind, b: Kind, axes: Kind = TWO, **options: Kind) -> Kind:
    ranks, dtype = (rank(a), rank(b)), join_dtype(numbers_in(a), numbers_in(b))
    count = whole(axes)
    if isinstance(axes, TupleKind) and len(axes.items) == 2:
        first = axes.items[0]
        count = 1 if isinstance(first, Number) else \
            len(first.items) if isinstance(first, TupleKind) else None
    if None in ranks or count is None or count < 0:
        return Array(None, dtype)
    return Array(sum(ranks) - 2 * count, dtype, new_shape())                # type: ignore[arg-type]


def einsum(spec: Kind, *operands: Kind, **options: Kind) -> Kind:
    text = value_of(spec)
    dtype = None
    if isinstance(spec, (Array, Numeric, Number, ListKind, TupleKind)):
        # einsum(x, [0, 1], y, [1, 2])
        dtype = numbers_in(spec)
        for operand in operands[1:len(operands) - len(operands) % 2 + 1:2]:
            dtype = join_dtype(dtype, numbers_in(operand))
    elif operands and isinstance(spec, Text):
        dtype = numbers_in(operands[0])
        for operand in operands[1:]:
            dtype = join_dtype(dtype, numbers_in(operand))
    if "dtype" in options or "out" in options:
        return Numeric(None)
    if not isinstance(text, str) or "..." in text:
        return Numeric(dtype)
    text = text.replace(" ", "")
    if "->" in text:
        ndim = len(text.split("->")[1])
    else:
        letters = text.replace(",", "")
        ndim = sum(letters.count(c) == 1 for c in set(letters))
    return scalar(dtype) if ndim == 0 else Array(
        ndim, dtype, _summed_sizes(text, operands) or new_shape())


def _summed_sizes(text: str, operands: tuple[Kind, ...]) -> Sizes | None:
    """The shape that einsum makes: each letter stands for a size."""
    inputs, arrow, output = text.partition("->")
    lengths: dict[str, Size] = {}
    if len(inputs.split(",")) != len(operands):
        return None
    for letters, operand in zip(inputs.split(","), operands):
        sizes = sizes_of(operand)
        if sizes is None or len(sizes) != len(letters):
            return None
        for letter, size in zip(letters, sizes):        # einsum stretches a size of one
            both = spread([Sizes([lengths.get(letter, size)]), Sizes([size])])
            if both is None:
                return None
            lengths[letter] = both.axes[0]
    if not arrow:
        letters = inputs.replace(",", "")
        output = "".join(c for c in sorted(set(letters)) if letters.count(c) == 1)
    return Sizes(lengths[c] for c in output) if set(output) <= lengths.keys() else None
