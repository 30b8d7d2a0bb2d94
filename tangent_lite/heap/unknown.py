"""Adjoints that no rule says.

By identity it is not known which numbers depend on what is asked for: in `gammainc(2.5, x)` the 2.5
might. The rule has no derivative for it, so its adjoint is Unknown. If it is that of a constant,
nobody looks at it. What is computed with it is Unknown too, and where a number of it is needed,
the error is raised that the call would have raised.

>>> from tangent_lite.errors import MissingRuleError
>>> unknown = Unknown(MissingRuleError("no derivative with respect to a", None, ""))
>>> 2.0 * (1.0 + unknown) is unknown
True
>>> try:
...     float(unknown)
... except MissingRuleError as error:
...     print(error.reason)
no derivative with respect to a
"""
from __future__ import annotations

from typing import Any, NoReturn

from tangent_lite.errors import TangentError


class Unknown:
    """An adjoint of which only that is known: why it is not."""
    __slots__ = ("error",)
    __hash__ = None                             # type: ignore[assignment]

    def __init__(self, error: TangentError) -> None:
        self.error = error

    def fail(self, *arguments: Any, **options: Any) -> NoReturn:
        """Say why."""
        raise self.error

    def still(self, *arguments: Any) -> Unknown:
        """What is computed with it."""
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = still
    __truediv__ = __rtruediv__ = __matmul__ = __rmatmul__ = __neg__ = __pos__ = still
    conjugate = conj = still
    real = imag = property(still)
    __bool__ = __float__ = __int__ = __complex__ = __index__ = __array__ = __getattr__ = fail
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = fail

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Unknown:
        if options or method != "__call__":
            raise self.error                    # it would be written into an array
        return self
