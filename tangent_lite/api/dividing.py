"""Derivatives in which a number of Python's is divided by zero: what NumPy's numbers give there."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tangent_lite.calling.divided import DIVIDED, have_one_value, with_numpys_numbers
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
    arguments: Callable[[tuple[Any, ...], dict[str, Any]], tuple[Any, ...]]
    _called: Callable[[tuple[Any, ...], dict[str, Any]], Any]
    _of_shared: Callable[[Variant, tuple[Any, ...]], Variant]

    def _values(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        raise NotImplementedError           # this and the next one: see GradientFunction

    def _build(self, values: tuple[Any, ...]) -> Variant:
        raise NotImplementedError

    def divided(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """A call in which a number of Python's was divided by zero, or became too large. Where that
        was on the way back, it is done again with NumPy's numbers, which are inf or nan then;
        ELSEWHERE where the function does so itself."""
        way_there = self._all_with_numpys_numbers if self.request.derived is not None \
            else self._with_numpys_numbers
        try:
            return way_there(args, keywords)
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

    def _all_with_numpys_numbers(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The same of a derivative, which is divided by zero by what it is made of."""
        request = self.request
        if request.form not in ("grad", "value_and_grad") or request.has_aux:
            raise ZeroDivisionError
        own = self.arguments(args, keywords)
        try:
            value, given, by_name = self._given_numpys_numbers(args, keywords)
            found = self._called(given, by_name)
        except DIVIDED:
            value, variant, values = self._dividing_as_numpy(args, keywords)
            found = variant.run(values)
        gradients = found if request.form == "grad" else found[1]
        gradients = _finished(gradients, own if isinstance(request.wrt, tuple) else own[0])
        return gradients if request.form == "grad" else (value, gradients)

    def _given_numpys_numbers(self, args: tuple[Any, ...], keywords: dict[str, Any]) \
            -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        """The value of a derivative that is differentiated, and its arguments with NumPy's numbers;
        ZeroDivisionError where it has no value, or another one of these."""
        if self.request.compiled is not None or self._acts(self._build(
                self._values(args, keywords))):
            raise ZeroDivisionError
        value = self.primal(*args, **keywords)
        given, by_name = with_numpys_numbers((args, keywords))
        if not have_one_value(value, self.primal(*given, **by_name)):
            raise ZeroDivisionError
        return value, given, by_name

    def _dividing_as_numpy(self, args: tuple[Any, ...], keywords: dict[str, Any]) \
            -> tuple[Any, Variant, tuple[Any, ...]]:
        """The value of a derivative that is differentiated, and what divides by zero as NumPy does,
        with what that takes; ZeroDivisionError where it has no value, or that cannot be."""
        values = self._values(args, keywords)
        variant = self._of_shared(self._build(values), values)
        if self.request.compiled is not None or self._acts(variant):
            raise ZeroDivisionError
        return self.primal(*args, **keywords), variant.dividing_as_numpy, values

    def pulled_back(self, args: tuple[Any, ...], keywords: dict[str, Any],
                    error: ArithmeticError) -> tuple[Any, Any]:
        """The value and the pullback, where a number was divided by zero on the way to the value:
        of a derivative, or of a function with one in it, else the function itself does so."""
        try:
            try:
                if self.request.derived is None:
                    raise ZeroDivisionError
                value, given, by_name = self._given_numpys_numbers(args, keywords)
                values = self._values(given, by_name)
                _, pullback = self._of_shared(self._build(values), values).pull_back(values)
            except DIVIDED:
                value, variant, values = self._dividing_as_numpy(args, keywords)
                _, pullback = variant.pull_back(values)
        except (*DIVIDED, TangentError):
            raise error from None
        own: Any = self._values(args, keywords)[len(self.request.bound):]
        if self.request.wrt is not None:
            own = self.arguments(args, keywords)
            own = own if isinstance(self.request.wrt, tuple) else own[0]
        return value, lambda cotangent: _finished(pullback(cotangent), own)

    def pushing(self, variant: Variant) -> Callable[..., Any]:
        """push_forward of a variant, for several tangents at the same arguments."""
        run = variant.pushing()

        def push(values: tuple[Any, ...], tangents: list[Any]) -> Any:
            try:
                return run(values, tangents)
            except DIVIDED as error:
                return self.push_by_pulls(values, tangents, error)
        return push

    def push_by_pulls(self, values: tuple[Any, ...], tangents: list[Any],
                      error: ArithmeticError) -> Any:
        """The same where a number was divided by zero: the function runs as it is, and the way back
        is done with NumPy's numbers (see divided)."""
        from tangent_lite.api import derivative
        from tangent_lite.directions.given import moved_by
        from tangent_lite.directions.slopes import along, from_slopes
        request = self.request
        if request.derived is not None:
            return self._pushed_with_numpys_numbers(values, tangents, error)
        if request.form != "jvp" or self._acts(self._build(values)):
            raise error
        moved = moved_by(request.paths(), dict(zip(request.names, values)), tangents)
        try:
            pull = derivative("vjp", self.primal, tuple(moved), True)
            value, pullback = pull._of_shared(pull._build(values), values).pull_back(values)
            return value, from_slopes(value, lambda seed: along(pullback(seed), moved.values()))
        except DIVIDED:
            return self._pushed_dividing_as_numpy(values, tangents, error)
        except TangentError:
            raise error from None

    def _pushed_dividing_as_numpy(self, values: tuple[Any, ...], tangents: list[Any],
                                  error: ArithmeticError) -> Any:
        """The same of a function with a derivative in it, that is divided by zero before the value.
        """
        request = self.request
        if request.keyword_only:
            raise error
        try:
            value, variant, values = self._dividing_as_numpy(values[len(request.bound):], {})
            return value, variant.push_forward(values, tangents)[1]
        except (*DIVIDED, TangentError):
            raise error from None

    def _pushed_with_numpys_numbers(self, values: tuple[Any, ...], tangents: list[Any],
                                    error: ArithmeticError) -> Any:
        """The same of a derivative."""
        request = self.request
        args = values[len(request.bound):]
        by_name = dict(zip(request.visible, args)) if request.keyword_only else {}
        args = () if by_name else args
        try:
            try:
                value, given, others = self._given_numpys_numbers(args, by_name)
                values = self._values(given, others)
                found = self._of_shared(self._build(values), values).push_forward(values, tangents)
            except DIVIDED:
                value, variant, values = self._dividing_as_numpy(args, by_name)
                found = variant.push_forward(values, tangents)
        except (*DIVIDED, TangentError):
            raise error from None
        if request.form == "tangent":
            return _finished(found, value)
        return value, _finished(found[1], value)

    @staticmethod
    def _acts(variant: Variant) -> bool:
        """Whether what a variant does may not be done twice: it prints, draws, stops at a nan."""
        from tangent_lite.directions.acting import acts
        return variant.by_identity or bool(variant.request.debug) or acts(variant.derivative)


def _finished(found: Any, value: Any) -> Any:
    from tangent_lite.trees import finish  # later: with what emitted code calls
    return finish(found, value, set())
