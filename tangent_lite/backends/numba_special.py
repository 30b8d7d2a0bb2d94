"""Functions of scipy.special in compiled code.

Of most of them SciPy has the function of numbers that its ufunc runs, for Cython to call
(`scipy.special.cython_special`): compiled code calls that, for numbers and for each element of
arrays. The rest, and what their adjoints need, is called in Python (`numba_by_numpy`).

SciPy is imported by the user's function, and only then here.
"""
from __future__ import annotations

import functools
import inspect
import re
import sys
from typing import Any

import llvmlite.binding
import numpy as np
from numba import types, vectorize
from numba.extending import get_cython_function_address, register_jitable

from tangent_lite.backends import numba_words
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_by_numpy import (
    axes_left,
    by_numpy,
    declare,
    elementwise,
    floats,
    like,
    rank,
)
from tangent_lite.backends.numba_functions import REPLACED, is_array, is_number
from tangent_lite.modules import module_of

_MODULE = "scipy.special.cython_special"


def special(thing: Any) -> Any:
    """What compiled code calls in place of a function of scipy.special; None for other things."""
    module = module_of(thing)
    is_helper = module == "tangent_lite.runtime.scipy_special"
    if not is_helper and not module.startswith("scipy.special") and not _is_ufunc(thing):
        return None
    _declare_called()
    if _is_ufunc(thing) and thing not in REPLACED:
        made = _compiled(thing)
        if made is not None:
            REPLACED[thing] = made
        else:
            names = ", ".join(f"x{k}" for k in range(thing.nin))
            by_numpy(thing, elementwise(names, thing.nout), f"{names}, /")
            declare()
    return None if is_helper else REPLACED.get(thing)


def _is_ufunc(thing: Any) -> bool:
    """Whether a thing is a ufunc of scipy.special."""
    module: Any = sys.modules.get("scipy.special")
    return module is not None and isinstance(thing, np.ufunc) \
        and getattr(module, thing.__name__, None) is thing


# For numbers --------------------------------------------------------------------------------------
def _address(function: Any) -> int | None:
    """Where the function of floats is that a ufunc runs; None if SciPy does not say."""
    from scipy.special import cython_special
    wanted = f"double ({'double, ' * function.nin}int __pyx_skip_dispatch)"
    name = re.escape(function.__name__)
    for known, capsule in cython_special.__pyx_capi__.items():
        # Of functions for several types the names have a number in front, one for each.
        if re.fullmatch(f"(__pyx_fuse_\\d+)?{name}", known) and f'"{wanted}"' in repr(capsule):
            return int(get_cython_function_address(_MODULE, known))
    return None


def _compiled(function: Any) -> Any:
    """A name with an overload that calls the function of numbers for each element."""
    address = _address(function)
    if address is None or function.nout != 1 or function.nin > 4:
        return None
    # By its name, so that code that is kept on disk finds it in the next process.
    symbol = f"tangent_lite_special_{function.__name__}"
    llvmlite.binding.add_symbol(symbol, address)
    called = types.ExternalFunction(symbol, types.float64(
        *[types.float64] * function.nin, types.int32))
    names = [f"x{k}" for k in range(function.nin)]
    listed = ", ".join(names)
    space = {"called": called}
    exec(f"def kernel({listed}):\n"
         f"    return called({''.join(f'float({n}), ' for n in names)}0)", space)
    kernel: Any = space["kernel"]
    of_numbers: Any = register_jitable(kernel)
    of_arrays: Any = vectorize(nopython=True)(kernel)

    def implementation(kinds: tuple[Any, ...]) -> Any:
        if not all(map(_is_taken, kinds)):
            return None
        one = of_arrays if any(map(is_array, kinds)) else of_numbers
        return made("run", "one", {"one": one})

    def made(name: str, calls: str, meanings: dict[str, Any]) -> Any:
        exec(f"def {name}({listed}):\n    return {calls}({listed})", meanings)
        return meanings[name]

    def stub(*args: Any) -> Any:
        return function(*args)

    stub.__name__ = stub.__qualname__ = f"special_{function.__name__}"
    overload(stub)(made("typed", "chosen", {"chosen": lambda *kinds: implementation(kinds)}))
    numba_words.add_elementwise(stub, function.nin)
    return stub


def _is_taken(kind: Any) -> bool:
    """Whether SciPy computes with an argument in double precision."""
    if is_array(kind):
        return kind.ndim > 0 and kind.dtype in (types.float64, types.int64)
    return is_number(kind) and kind not in (types.boolean, types.float32) and not isinstance(
        kind, (types.Complex, types.BooleanLiteral))


# In Python ----------------------------------------------------------------------------------------
@functools.cache
def _declare_called() -> None:
    """Declare what compiled code calls in Python, once SciPy is there."""
    import scipy.special as sp

    from tangent_lite.runtime import scipy_special as helpers

    def sum_left(a: Any, axis: Any, b: Any, keepdims: Any, return_sign: Any) -> Any:
        widest = a if b is None or rank(a) > rank(b) else b
        left = floats(axes_left(widest, axis, keepdims))
        return types.Tuple((left, left)) if return_sign else left

    summed = "a, axis=None, b=None, keepdims=False, return_sign=False"
    by_numpy(sp.logsumexp, sum_left, summed)
    by_numpy(sp.softmax, like("x"), "x, axis=None")
    by_numpy(sp.log_softmax, like("x"), "x, axis=None")
    by_numpy(sp.zeta, lambda x, q: floats(max(rank(x), rank(q))), "x, q=None")
    by_numpy(sp.polygamma, elementwise("n, x"), "n, x")
    by_numpy(sp.multigammaln, like("a"), "a, d")
    by_numpy(sp.comb, elementwise("N, k"), "N, k, *, exact=False, repetition=False")
    by_numpy(helpers.logsumexp_adjoint, like("a"))
    by_numpy(helpers.logsumexp_adjoint_weights, like("b"))
    by_numpy(sp.perm, elementwise("N, k"), "N, k, exact=False")
    by_numpy(sp.diric, elementwise("x, n"), "x, n")
    for name in ("jvp", "yvp", "ivp", "kvp"):
        by_numpy(getattr(sp, name), elementwise("v, z"), "v, z, n=1")
    for name in ("spherical_jn", "spherical_yn", "spherical_in", "spherical_kn"):
        by_numpy(getattr(sp, name), elementwise("n, z"), "n, z, derivative=False")
    if hasattr(sp, "softplus"):
        by_numpy(sp.softplus, like("x"), "x")
    by_numpy(helpers.comb_slope, elementwise("N, k", 2))
    by_numpy(helpers.perm_slope, elementwise("N, k", 2))
    by_numpy(helpers.voigt_slopes, elementwise("x, sigma, gamma", 3))
    for name in ("exprel_slope", "boxcox_slope", "gamma_density", "beta_density", "digamma_sum",
                 "ellipkinc_slope", "ellipeinc_slope", "agm_slope", "expn_slope", "spence_slope",
                 "t_density", "f_density", "tukey_density", "legendre_slope", "noncentral_density"):
        function = getattr(helpers, name)
        by_numpy(function, elementwise(", ".join(inspect.signature(function).parameters)))
    declare()
    overload(helpers.narrowed)(_narrowed)
    overload(helpers.weak)(_weak)
    overload(helpers.along_imaginary)(_along_imaginary)


def _narrowed(y, x):
    return lambda y, x: y               # nothing is of single precision


def _weak(constant):
    return lambda constant: constant


def _along_imaginary(dy, z):
    return lambda dy, z: 0.0 * dy       # nothing is complex
