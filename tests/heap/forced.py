"""Derivatives by identity for functions that need none: to hold the strategies to each other."""
import contextlib

import tangent_lite as tl
import tangent_lite.heap.variant
import tangent_lite.variant
from tangent_lite.errors import UnsupportedSyntaxError


class Refusing(tangent_lite.variant.Variant):
    """A variant by names that is refused, whatever the function."""

    def __init__(self, *_):
        raise UnsupportedSyntaxError("refused to see what the other strategy makes of it")


@contextlib.contextmanager
def by_identity():
    """In this context all derivatives are found by identity."""
    plain = tangent_lite.variant.Variant
    tangent_lite.variant.Variant = Refusing
    try:
        yield
    except tl.TangentError as error:
        raise getattr(error, "by_identity", error) from None
    finally:
        tangent_lite.variant.Variant = plain
