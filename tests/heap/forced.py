"""Derivatives by identity for functions that need none: to hold the strategies to each other."""
import contextlib

import pytest

import tangent_lite as tl
import tangent_lite.api
import tangent_lite.heap.variant
import tangent_lite.variant
from tangent_lite.calling.reuse import forget
from tangent_lite.errors import UnsupportedSyntaxError

PLAIN = tangent_lite.variant.Variant


class Refusing(PLAIN):
    """A variant by names that is refused, whatever the function; not for derivatives inside."""

    def __new__(cls, *given, **known):
        if known.get("is_called"):              # see GradientFunction.emitted_for
            return PLAIN(*given, **known)
        raise UnsupportedSyntaxError("refused to see what the other strategy makes of it")


@contextlib.contextmanager
def by_identity():
    """In this context all derivatives are found by identity."""
    tangent_lite.variant.Variant = Refusing
    forget()                                    # what was made by names is not used again
    try:
        yield
    except tl.TangentError as error:
        raise getattr(error, "by_identity", error) from None
    finally:
        tangent_lite.variant.Variant = PLAIN
        forget()


@contextlib.contextmanager
def by_names():
    """In this context no derivative is found by identity: what names cannot tell is refused."""
    def refuse(self, values, refusal):
        raise refusal

    plain = tl.api.GradientFunction.by_identity
    tl.api.GradientFunction.by_identity = refuse
    forget()
    try:
        yield
    finally:
        tl.api.GradientFunction.by_identity = plain
        forget()


def refused_by_names(error, f, *args, match=None, wrt=0):
    """Hold that names do not do for a derivative; the error."""
    with by_names(), pytest.raises(error, match=match) as caught:
        tl.grad(f, wrt=wrt)(*args)
    return caught.value
