"""Powers of arrays of ints, for Numba: NumPy's wrap around and refuse negative powers; Numba makes
of these whatever comes out.
"""
from __future__ import annotations

import numpy as np
from numba import types
from numba.core import typing
from numba.core.extending import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global

from tangent_lite.backends.numba_functions import is_array
from tangent_lite.backends.numba_overloads import compiled_for


def power_of_ints(x, y):
    """`x ** y` for ints, of which one is in an array (see numba_checks)."""
    return x ** y


@infer_global(power_of_ints)
class _PowerOfInts(AbstractTemplate):
    """The type of the result is the operator's."""

    key = power_of_ints

    def generic(self, args, kws):
        sign = self.context.resolve_function_type(np.multiply, args, {})
        return None if sign is None else typing.signature(sign.return_type, *args)


def _power(x, y):
    bases, powers = x + 0 * y, 0 * x + y
    found = np.empty_like(bases)
    for k in range(found.size):
        base, power, product = bases.flat[k], powers.flat[k], 1
        if power < 0:
            raise ValueError("Integers to negative integer powers are not allowed.")
        while power:
            if power % 2:
                product *= base
            power //= 2
            base *= base
        found.flat[k] = product
    return found


def _lowered(context, builder, sig, args):
    return context.compile_internal(builder, _power, sig, args)


for _kinds in ((types.Array, types.Array), (types.Array, types.Integer),
               (types.Integer, types.Array)):
    lower_builtin(power_of_ints, *_kinds)(_lowered)


@compiled_for(np.power)
def np_power(x, y):
    kinds = [types.unliteral(getattr(kind, "dtype", kind)) for kind in (x, y)]
    if any(isinstance(kind, types.Float) for kind in kinds):
        return lambda x, y: np.power(x, y)
    if not all(kind == types.int64 for kind in kinds):
        return None
    if is_array(x) or is_array(y):
        return lambda x, y: power_of_ints(x, y)
    return lambda x, y: power_of_ints(np.array([x]), y)[0]
