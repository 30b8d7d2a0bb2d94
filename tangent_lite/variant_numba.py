"""One variant of a derivative, compiled by Numba.

What Numba runs is compared with nothing at the call, so compiled code looks after itself: where
Python would raise or leave the numbers that Numba has (an int of more than 64 bits, a division by
zero, an index out of bounds), it stops. The Python variant then does the call from the start, as a
derivative changes nothing, and raises or returns what Python does.
"""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tangent_lite import trees
from tangent_lite.backends.numba import Compiled
from tangent_lite.backends.numba_lowering import PYTHON
from tangent_lite.errors import TangentError
from tangent_lite.request import Request
from tangent_lite.variant import Variant, _held, found_kinds

_LARGEST = 2 ** 53              # of an int that is passed


class NumbaVariant:
    """A variant whose calls run compiled code; for all else it is the Python variant."""

    def __init__(self, request: Request, values: tuple[Any, ...]) -> None:
        _check(request)
        self.request = request
        self.python = python = Variant(request, found_kinds(request, values), values)
        for name, value in zip(request.names, values):
            _check_value(name, value)
        with_value = python.form == "pair"
        derivative = python.derivative if not with_value else python._derive("value_and_grad")
        self.form = "value_and_grad" if with_value else python.form
        self.compiled = Compiled(derivative, request.compiled)
        self.compiled.compile_for(values)
        self.call = self.compiled.call
        self.holds, self.is_fixed = python.holds, python.is_fixed
        self.sharing = python.sharing
        self.expected = python.expected
        self.is_scalar = python.is_scalar
        self.has_ints = any(type(v) is int for v in values)
        self.warned = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.python, name)

    # Running ----------------------------------------------------------------------------------
    def main(self, *values: Any) -> Any:
        """The derivative at numbers."""
        return self.run(values)

    def run(self, values: tuple[Any, ...]) -> Any:
        """The derivative at these arguments."""
        try:
            if self.has_ints:
                _check_ints(values)
            found = self.call(*values)
        except Exception as error:
            return self._otherwise(values, error)
        return self.finish(found, values)

    def finish(self, found: Any, values: tuple[Any, ...]) -> Any:
        """What compiled code returned, as the derivative returns it."""
        if self.form != "value_and_grad":
            return self._gradients(found, values)
        value, gradients = found
        if type(value) not in (float, int):
            return self._otherwise(values, None)
        gradients = self._gradients(gradients, values)
        return gradients if self.request.form == "grad" else (value, gradients)

    def _gradients(self, found: Any, values: tuple[Any, ...]) -> Any:
        python = self.python
        if self.is_scalar and (type(found) is self.expected if python.single else
                               (*map(type, found),) == self.expected):
            return found
        return python._gradients(found, values, _held(values))

    def _otherwise(self, values: tuple[Any, ...], error: Exception | None) -> Any:
        """The Python variant, where compiled code has stopped."""
        if isinstance(error, TangentError):
            raise error
        # Arguments of another layout are compiled for anew, which may be refused.
        self.compiled.compile_for(values)
        if self.request.form in ("grad", "value_and_grad"):
            found = self.python.run(values)         # raises what Python raises
        if not self.warned:
            self.warned = True
            warnings.warn(
                f"{self.request.name}: the compiled derivative stopped"
                + (f" ({type(error).__name__}: {error})" if error is not None else "")
                + "; this call ran in Python", RuntimeWarning, stacklevel=5)
        return found


def _check(request: Request) -> None:
    """Refuse what is not compiled, whatever the arguments."""
    refused = {"has_aux=True": request.has_aux, "holomorphic=True": request.holomorphic,
               "debug=": request.debug, "a derivative of a derivative": request.derived,
               "keyword-only parameters": request.keyword_only}
    for what, is_so in refused.items():
        if is_so:
            raise TangentError(f'backend="numba": {what} is not compiled', None, PYTHON)


def _check_value(name: str, value: Any) -> None:
    if isinstance(value, np.ndarray):
        if value.dtype.char not in "dlq?D" or not value.dtype.isnative:
            raise TangentError(
                f'backend="numba": {name} is an array of {value.dtype}, with which Numba does not '
                "compute as NumPy does", None,
                f"pass {name}.astype(np.float64) or .astype(np.int64), or {PYTHON}")
    elif type(value) in (float, int, bool, complex, np.float64, np.int64, np.bool_, str):
        pass
    elif type(value) is tuple:
        for number, part in enumerate(value):
            _check_value(f"{name}[{number}]", part)
    else:
        raise TangentError(f'backend="numba": {name} is of type {type(value).__name__}, which is '
                           "not compiled", None, PYTHON)


def _check_ints(values: tuple[Any, ...]) -> None:
    for value in values:
        if type(value) is int and not -_LARGEST < value < _LARGEST:
            raise OverflowError("an int of more than 53 bits")
