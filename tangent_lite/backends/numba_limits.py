"""np.clip of numbers and arrays, with one limit or two, and its adjoints, for Numba."""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite import runtime
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import is_array, is_none, is_number, is_real
from tangent_lite.backends.numba_overloads import compiled_for


def _are_values(*given: Any) -> bool:
    return all(is_number(kind) or is_array(kind) for kind in given)


@compiled_for(np.clip)
def np_clip(a, a_min=None, a_max=None):
    if is_array(a):
        return lambda a, a_min=None, a_max=None: np.clip(a, a_min, a_max)
    if not is_real(a) or not all(is_real(kind) for kind in (a_min, a_max) if not is_none(kind)):
        return None
    if is_none(a_max):
        return None if is_none(a_min) else \
            lambda a, a_min=None, a_max=None: np.maximum(a, a_min)
    if is_none(a_min):
        return lambda a, a_min=None, a_max=None: np.minimum(a, a_max)
    return lambda a, a_min=None, a_max=None: np.minimum(np.maximum(a, a_min), a_max)


@overload(runtime.clip_inner)
def _clip_inner(dz, x, low=None, high=None, low_2=None, high_2=None):
    where_larger = runtime.where_larger
    if not all(map(is_none, (low_2, high_2))):
        return None
    if is_none(high):
        return (lambda dz, x, low=None, high=None, low_2=None, high_2=None:
                where_larger(dz, x, low)) if _are_values(low) else None
    if is_none(low):
        return (lambda dz, x, low=None, high=None, low_2=None, high_2=None:
                where_larger(dz, high, x)) if _are_values(high) else None
    return (lambda dz, x, low=None, high=None, low_2=None, high_2=None: where_larger(
        where_larger(dz, high, np.maximum(x, low)), x, low)) if _are_values(low, high) else None


@overload(runtime.clip_low)
def _clip_low(dz, x, low, high=None):
    where_larger = runtime.where_larger
    if not _are_values(dz, x, low):
        return None
    if is_none(high):
        return lambda dz, x, low, high=None: where_larger(dz, low, x)
    return lambda dz, x, low, high=None: where_larger(
        where_larger(dz, high, np.maximum(x, low)), low, x)


@overload(runtime.clip_high)
def _clip_high(dz, x, low, high):
    where_larger = runtime.where_larger
    if not _are_values(dz, x, high):
        return None
    if is_none(low):
        return lambda dz, x, low, high: where_larger(dz, x, high)
    return lambda dz, x, low, high: where_larger(dz, np.maximum(x, low), high)
