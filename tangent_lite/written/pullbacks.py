"""Pullbacks as objects, which go to other processes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.errors import TangentError
from tangent_lite.runtime import copy_as_it_lies
from tangent_lite.tracebacks import plain


class Pullback:
    """What vjp returns beside the value: takes cotangents of it to those of the arguments of a
    derivative (a GradientFunction).

    It pickles with what the forward pass kept, so another process may call it. primals: how many
    of the arguments, the first ones, have cotangents in the tuple that it returns; None: all.
    """

    def __init__(self, derivative: Any, values: tuple[Any, ...],
                 function: Callable[[Any], Any], then: Any = None,
                 primals: int | None = None) -> None:
        self._derivative, self._values, self._function = derivative, values, function
        self._primals = primals
        self._then = then and then.with_contents()      # what it reads outside, as it was
        self.__name__ = self.__qualname__ = "pullback"

    def __call__(self, cotangent: Any) -> Any:
        try:
            if self._then is not None:
                self._then.check()
            found = self._function(cotangent)
            if self._primals is None:
                return found
            star = self._derivative.request.star
            if star is not None and found[star] is not None:    # def f(x, *more)
                found = *found[:star], *found[star]
            return found[:self._primals]
        except Exception as error:
            raise plain(error)                      # noqa: B904

    def __reduce__(self) -> Any:
        if not hasattr(self._function, "ran"):
            raise TangentError("a pullback whose adjoints are found by identity rests on memory, "
                               "and cannot go to another process", None,
                               "send the derivative there: tl.grad, or a function that calls vjp")
        from tangent_lite.calling.sharing import rebuilt  # which brings the transformation along
        ran = rebuilt(self._function.ran, _AsItLies.of)
        return (_pulled_back, (self._derivative, self._values, ran, self._primals))


class _AsItLies:
    """An array with gaps, or in an order of its own, on its way to another process: pickled as it
    is, it would come out dense there, and ravel would give a view of it where it gave a copy."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = copy_as_it_lies(array)

    @staticmethod
    def of(array: np.ndarray) -> Any:
        """The array itself if pickling leaves it as it lies."""
        return array if array.flags.forc or type(array) is not np.ndarray \
            or array.dtype.hasobject or 0 in array.strides else _AsItLies(array)

    def __reduce__(self) -> Any:
        array = self.array
        space: Any = array.base
        first = array.__array_interface__["data"][0] - space.__array_interface__["data"][0]
        return np.ndarray, (array.shape, array.dtype, space, first, array.strides)


def _pulled_back(derivative: Any, values: tuple[Any, ...], ran: Any,
                 primals: int | None) -> Pullback:
    return derivative.pullback_of(values, ran, primals)
