"""Derivatives in which a number of Python's is divided by zero: what NumPy's numbers give there."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tangent_lite.calling.divided import DIVIDED
from tangent_lite.calling.keys import ELSEWHERE
from tangent_lite.calling.request import Request
from tangent_lite.errors import TangentError

if TYPE_CHECKING:
    from tangent_lite.variant import Variant


class Dividing:
    """The part of a GradientFunction that does the way back once more with NumPy's numbers."""

    __slots__ = ()

    request: Request
    primal: Any

    def _values(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        raise NotImplementedError           # this and the next one: see GradientFunction

    def _build(self, values: tuple[Any, ...]) -> Variant:
        raise NotImplementedError

    def divided(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """A call in which a number of Python's was divided by zero, or became too large. Where that
        was on the way back, it is done again with NumPy's numbers, which are inf or nan then;
        ELSEWHERE where the function does so itself."""
        try:
            return self._with_numpys_numbers(args, keywords)
        except (*DIVIDED, TangentError):
            return ELSEWHERE

    def _with_numpys_numbers(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        from tangent_lite.api import derivative
        from tangent_lite.runtime import zeros_like
        request = self.request
        if request.form not in ("grad", "value_and_grad") or request.compiled is not None:
            raise ZeroDivisionError
        variant = self._build(self._values(args, keywords))
        if self._acts(variant):
            raise ZeroDivisionError
        value, pullback = derivative("vjp", self.primal, request.wrt, True).pull_back(
            args, keywords)
        seed = variant.seed(variant.number_of(value))
        gradients = pullback((seed, zeros_like(value[1])) if request.has_aux else seed)
        if request.form == "grad":
            return (gradients, value[1]) if request.has_aux else gradients
        return value, gradients

    def push_by_pulls(self, values: tuple[Any, ...], tangents: list[Any],
                      error: ArithmeticError) -> Any:
        """The same where a number was divided by zero: the function runs as it is, and the way back
        is done with NumPy's numbers (see divided)."""
        from tangent_lite.api import derivative
        from tangent_lite.directions.given import moved_by
        from tangent_lite.directions.slopes import along, from_slopes
        request = self.request
        if request.form != "jvp" or self._acts(self._build(values)):
            raise error
        moved = moved_by(request.paths(), dict(zip(request.names, values)), tangents)
        try:
            pull = derivative("vjp", self.primal, tuple(moved), True)
            value, pullback = pull._of_shared(pull._build(values), values).pull_back(values)
            return value, from_slopes(value, lambda seed: along(pullback(seed), moved.values()))
        except (*DIVIDED, TangentError):
            raise error from None

    @staticmethod
    def _acts(variant: Variant) -> bool:
        """Whether what a variant does may not be done twice: it prints, draws, stops at a nan."""
        from tangent_lite.directions.acting import acts
        return variant.by_identity or bool(variant.request.debug) or acts(variant.derivative)
