"""Kind functions of random draws: one number, or as many as `size` says.

Methods of generators are called with the generator first, functions of `np.random` without.
"""
from __future__ import annotations

from collections.abc import Callable

from tangent_lite.kinds import (
    FLOAT,
    INT,
    NO_VALUE,
    NOTHING,
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    Number,
    Numeric,
    Other,
    TupleKind,
    new_shape,
    value_of,
)
from tangent_lite.result_kinds import (
    elementwise_float,
    numbers_in,
    rank,
    scalar,
    shape_if_natural,
    shape_named,
    with_dtype,
)
from tangent_lite.result_kinds.shapes import rank_of_shape

# What has rows, and what is an array, for the models of `registry.written_as`.
ROWS, ARRAY = (Array, ListKind, TupleKind), (Array,)


def generator(made: type) -> Callable[..., Kind]:
    """What makes a generator."""
    def kind(*arguments: Kind, **options: Kind) -> Kind:
        return Other(made)
    return kind


def drawn(*parameters: str, dtype: str = "float") -> Callable[..., Kind]:
    """The kind function of draws with these parameters in front of `size`."""
    def kind(*arguments: Kind, **options: Kind) -> Kind:
        given = list(_without_generator(arguments))
        if len(given) > len(parameters) + 1 or set(options) - {*parameters, "size", "endpoint"}:
            return UNKNOWN                                      # dtype=, out=
        size = options.get("size", given[len(parameters)] if len(given) > len(parameters)
                           else NOTHING)
        given = given[:len(parameters)] + [options[name] for name in parameters if name in options]
        if dtype == "int" and any(map(_may_vary, given)):
            return UNKNOWN                                      # whole numbers seem to vary never
        if isinstance(size, (Number, TupleKind, ListKind)):
            return Array(rank_of_shape(size), dtype, shape_named(size))
        found = with_dtype(elementwise_float(*given), dtype) if given else scalar(dtype)
        return found if size is NOTHING and isinstance(found, (Number, Array)) else Numeric(dtype)
    return kind


def drawn_by_sizes(*arguments: Kind, **options: Kind) -> Kind:
    """np.random.rand(2, 3)."""
    sizes = _without_generator(arguments)
    if not all(isinstance(size, Number) for size in sizes):
        return UNKNOWN
    return Array(len(sizes), "float", shape_named(TupleKind(tuple(sizes)))) if sizes else FLOAT


def permuted(*arguments: Kind, **options: Kind) -> Kind:
    """The numbers below n, or the rows of an array, in another order."""
    first = _without_generator(arguments)[0]
    if isinstance(first, Number):
        return Array(1, "int", shape_if_natural(first))
    if isinstance(first, Array):
        return first
    return Array(rank(first), numbers_in(first), new_shape()) if isinstance(first, ListKind) \
        else UNKNOWN


def chosen(*arguments: Kind, **options: Kind) -> Kind:
    """Of the numbers below n, or of the rows of an array, one or as many as `size` says."""
    first, *rest = _without_generator(arguments)
    ndim, dtype = rank(first), numbers_in(first)
    size = options.get("size", rest[0] if rest else NOTHING)
    weights = options.get("p", rest[2] if len(rest) > 2 else NOTHING)
    if _may_vary(weights) and dtype == "int":
        return UNKNOWN
    if ndim is None or dtype not in ("int", "float", "complex") or len(rest) > 3 \
            or "axis" in options:
        return UNKNOWN
    left, many = max(ndim - 1, 0), 0 if size is NOTHING else rank_of_shape(size)
    if many is None:
        return Numeric(dtype)
    return Array(left + many, dtype, new_shape()) if left + many else scalar(dtype)


def drawn_vector(*arguments: Kind, **options: Kind) -> Kind:
    """multivariate_normal(mean, cov): one vector."""
    return Array(1, "float", new_shape()) if len(_without_generator(arguments)) <= 2 \
        and "size" not in options else UNKNOWN


def whole_number(*arguments: Kind, **options: Kind) -> Kind:
    """A number of Python: randrange, getrandbits."""
    return INT


def number(*arguments: Kind, **options: Kind) -> Kind:
    """A number of Python: random.random, random.betavariate."""
    return FLOAT


def one_of(*arguments: Kind, **options: Kind) -> Kind:
    """random.choice of a list."""
    first = _without_generator(arguments)[0]
    return first.item if isinstance(first, ListKind) else UNKNOWN


def _may_vary(kind: Kind) -> bool:
    """Whether a parameter may hold numbers that vary: whole ones do not, nor do literals."""
    return value_of(kind) is NO_VALUE and kind is not NOTHING and numbers_in(kind) != "int"


def _without_generator(arguments: tuple[Kind, ...]) -> tuple[Kind, ...]:
    return arguments[1:] if arguments and isinstance(arguments[0], Other) else arguments
