"""What kind of value functions of SciPy return."""
from __future__ import annotations

from collections.abc import Callable

from tangent_lite.kinds import UNKNOWN, Array, Kind, KindFunction, Numeric, TupleKind
from tangent_lite.result_kinds import elementwise, scalar, with_dtype


def elementwise_complex(*arguments: Kind, **options: Kind) -> Kind:
    """Functions whose values are complex, whatever the arguments are: hankel1, wofz."""
    return with_dtype(elementwise(*arguments, **options), "complex")


def parts(count: int, one: Callable[..., Kind]) -> KindFunction:
    """A tuple of count values of the same kind: airy, fresnel."""
    def kind(*arguments: Kind, **options: Kind) -> Kind:
        if options:
            return UNKNOWN
        return TupleKind(tuple(one(*arguments) for _ in range(count)))
    return kind
