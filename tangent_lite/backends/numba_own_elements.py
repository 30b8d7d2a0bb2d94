"""Functions of elements, and powers, as NumPy and Python compute them, to the last bit.

    np.exp(x)    =>    own_exp(x)           NumPy's own loop (`numba_ufunc_loops`)
    x ** 2       =>    own_square(x)        of numbers the C library's power, of arrays x * x
    x ** n       =>    own_power(x, n)      of numbers the same, of arrays NumPy's loop

Numba calls the C library where NumPy has vector instructions, and multiplies where Python calls
the C library.
"""
from __future__ import annotations

import math
import operator
import platform
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, register_jitable

from tangent_lite.backends import numba_words
from tangent_lite.backends.numba_by_numpy import elementwise, in_python
from tangent_lite.backends.numba_checks import CheckedCompiler, refuse_truth_values
from tangent_lite.backends.numba_functions import (
    ORIGINALS,
    is_array,
    is_integer,
    is_real,
    stop,
    value_of,
)
from tangent_lite.backends.numba_overloads import by_types, own_way
from tangent_lite.backends.numba_powers import np_power
from tangent_lite.backends.numba_ufunc_loops import (
    loop_of,
    of_arrays,
    of_numbers,
    pure_function,
)

_ONE = ("exp", "expm1", "exp2", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "arcsin",
        "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "cbrt")
_TWO = ("arctan2", "hypot", "logaddexp", "logaddexp2")

# How what may raise is compiled.
_CHECKED = {"pipeline_class": CheckedCompiler, "error_model": "python"}


def _is_taken(kind: Any) -> bool:
    """Whether NumPy computes with an argument in double precision."""
    if is_array(kind):
        return kind.ndim > 0 and kind.dtype in (types.float64, types.int64)
    return is_real(kind) and kind not in (types.boolean, types.float32) \
        and not isinstance(kind, types.BooleanLiteral)


# One argument -------------------------------------------------------------------------------------
def _applied(run: Any, by_numpy: Any, x: Any) -> Any:
    """`def apply(x)`: the loop over an array of floats, as it lies in memory. One that lies
    otherwise is left to NumPy: for steps that go back it has another loop at times."""
    if x.layout == "F" and x.ndim > 1:
        of_turned = _applied(run, by_numpy, x.copy(layout="C"))
        return register_jitable(lambda x: of_turned(x.T).T)
    if x.layout != "C" and x.ndim > 1:
        return lambda x: by_numpy(x)

    @register_jitable
    def apply(x):
        out = np.empty(x.shape)
        run(out, x.size, x, x.strides[0] if x.ndim == 1 else x.itemsize)
        return out
    return apply


def _add_own_one(function: np.ufunc) -> None:
    """A function of one number, for which NumPy's loop runs."""
    symbol = loop_of(function)
    if symbol is None:
        return
    of_number, of_array = of_numbers(symbol, 1), of_arrays(symbol, 1)
    by_numpy = in_python(function, elementwise("x"), "x")

    @own_way(function, function, f"own_{function.__name__}")
    def own(x):
        refuse_truth_values(function, [x])
        if not _is_taken(x):
            return lambda x: function(x)
        if not is_array(x):
            return lambda x: of_number(float(x))
        if x.dtype == types.int64:
            of_floats = _applied(of_array, by_numpy, x.copy(dtype=types.float64, layout="C"))
            return lambda x: of_floats(x.astype(np.float64))
        return _applied(of_array, by_numpy, x)


# Two arguments ------------------------------------------------------------------------------------
def _paired(run: Any, by_numpy: Any, x: Any, y: Any) -> Any:
    """`def apply(x, y)`: the loop for a vector and a number, or for arrays of one shape that lie in
    order; all else in Python."""
    def step(kind: Any, name: str) -> str | None:
        if not is_array(kind):
            return "0"
        if kind.layout == "C":
            return "8"
        return f"{name}.strides[0]" if kind.ndim == 1 else None

    steps = step(x, "x"), step(y, "y")
    if None in steps or any(is_array(kind) and kind.dtype != types.float64 for kind in (x, y)):
        return lambda x, y: by_numpy(x, y)
    names = [name for name, kind in (("x", x), ("y", y)) if is_array(kind)]
    given = [name if name in names else f"{name}_one" for name in ("x", "y")]
    lines = [f"    {name} = np.full(1, float({name[0]}))" for name in given if name[1:]]
    if len(names) == 2:
        if x.ndim != y.ndim:
            return lambda x, y: by_numpy(x, y)
        lines += ["    if x.shape != y.shape:", "        return by_numpy(x, y)"]
    space = {"np": np, "run": run, "by_numpy": by_numpy}
    exec("\n".join(["def apply(x, y):", *lines, f"    out = np.empty({names[0]}.shape)",
                    f"    run(out, out.size, {given[0]}, {steps[0]}, {given[1]}, {steps[1]})",
                    "    return out"]), space)
    return space["apply"]


def _add_own_two(function: np.ufunc, plain: Any) -> None:
    """The same for a function of two numbers; plain: what compiled code calls for other types."""
    symbol = loop_of(function)
    if symbol is None:
        return
    of_number, of_array = of_numbers(symbol, 2), of_arrays(symbol, 2)
    by_numpy = in_python(function, elementwise("x, y"), "x, y")

    @own_way(plain, function, f"own_{function.__name__}")
    def own(x, y):
        refuse_truth_values(function, [x, y])
        kinds = [getattr(kind, "dtype", kind) for kind in (x, y)]
        if not (_is_taken(x) and _is_taken(y)) or all(map(is_integer, kinds)):
            return lambda x, y: plain(x, y)
        if not is_array(x) and not is_array(y):
            return lambda x, y: of_number(float(x), float(y))
        return _paired(of_array, by_numpy, x, y)


# Powers of numbers --------------------------------------------------------------------------------
# By its address: LLVM knows `pow`, and makes products and roots of it. That of this process is
# found once there is something to compile with.
cpu_target.target_context  # noqa: B018
_POW = llvmlite.binding.address_of_symbol("pow")
if _POW is not None:
    for _symbol in ("tangent_lite_pow", "tangent_lite_rare_pow"):
        llvmlite.binding.add_symbol(_symbol, _POW)


@intrinsic
def _pow(typingctx, x, y):
    """The power of the C library."""
    def generate(context, builder, signature, args):
        name = "tangent_lite_pow" if _POW is not None else "pow"
        return builder.call(pure_function(builder.module, name, 2), args)
    return types.float64(types.float64, types.float64), generate


# glibc says that its power is off by at most 0.54 of the last place.
_IS_KNOWN = platform.libc_ver()[0] == "glibc"
_SURE = 0.45
# Of that 0.51 are those of its exponential; those of its logarithm grow with how large that is.
_SURE_NEAR_ONE, _NEAR_ONE = 0.485, 2.0 ** 64


@intrinsic
def _rest_of_product(typingctx, x, y, product):
    """What is left of x * y beside its product as it is rounded, without an error."""
    def generate(context, builder, signature, args):
        return builder.fma(args[0], args[1], builder.fneg(args[2]))
    return types.float64(types.float64, types.float64, types.float64), generate


@intrinsic
def _is_sure(typingctx, rest, result):
    """Whether a result and a rest lie so close to the result that a power that is off by 0.54 of
    the last place at most is rounded to it."""
    def generate(context, builder, signature, args):
        rest, result = args
        double, word = ir.DoubleType(), ir.IntType(64)
        absolute = builder.module.declare_intrinsic("llvm.fabs", [double])
        size = builder.call(absolute, [rest])
        power = builder.bitcast(builder.and_(builder.bitcast(result, word),
                                             ir.Constant(word, 0x7FF << 52)), double)
        least = builder.fcmp_ordered(">", power, ir.Constant(double, 1e-280))
        is_near_one = builder.and_(
            builder.fcmp_ordered(">", power, ir.Constant(double, 1.0 / _NEAR_ONE)),
            builder.fcmp_ordered("<", power, ir.Constant(double, _NEAR_ONE)))
        share = builder.select(is_near_one, ir.Constant(double, _SURE_NEAR_ONE * 2.0 ** -52),
                               ir.Constant(double, _SURE * 2.0 ** -52))
        # Below a power of two numbers lie twice as close.
        has_neighbours_alike = builder.fcmp_ordered(
            "!=", builder.call(absolute, [result]), power)
        close = builder.and_(builder.fcmp_ordered("<", size, builder.fmul(power, share)),
                             has_neighbours_alike)
        is_exact = builder.fcmp_ordered("==", size, ir.Constant(double, 0.0))
        return builder.and_(least, builder.or_(is_exact, close))
    return types.boolean(types.float64, types.float64), generate


@intrinsic
def _rare_pow(typingctx, x, y):
    """The same where few numbers ask for it: it is not computed for all beforehand."""
    def generate(context, builder, signature, args):
        name = "tangent_lite_rare_pow" if _POW is not None else "pow"
        return builder.call(pure_function(builder.module, name, 2, _POW is not None), args)
    return types.float64(types.float64, types.float64), generate


@register_jitable
def _power_of_numbers(x, y):
    z = _pow(x, y)
    if not math.isfinite(z) and math.isfinite(x) and math.isfinite(y):
        stop()
    return z


@register_jitable
def _power_where_rare(x, y):
    z = _rare_pow(x, y)
    if not math.isfinite(z) and math.isfinite(x):
        stop()
    return z


@register_jitable
def _square_of_number(x):
    square = x * x
    if _IS_KNOWN and math.isfinite(square) and _is_sure(
            _rest_of_product(x, x, square), square):
        return square
    return _power_where_rare(x, 2.0)


@register_jitable
def _cube_of_number(x):
    square = x * x
    product = square * x
    # The square without an error, times x, has an error of 2 ** -105.
    rest = _rest_of_product(square, x, product) + _rest_of_product(x, x, square) * x
    cube = product + rest
    if math.isfinite(cube) and _is_sure((product - cube) + rest, cube):
        return cube
    return _power_where_rare(x, 3.0)


@register_jitable
def _fourth_of_number(x):
    square = x * x
    product = square * square
    rest = _rest_of_product(square, square, product) \
        + 2.0 * square * _rest_of_product(x, x, square)
    fourth = product + rest
    if math.isfinite(fourth) and _is_sure((product - fourth) + rest, fourth):
        return fourth
    return _power_where_rare(x, 4.0)


# The exponents of which products tell what the C library's power is, mostly.
_BY_PRODUCTS = {3: _cube_of_number, 4: _fourth_of_number} if _IS_KNOWN else {}


@by_types(np.square, jit_options=_CHECKED)
def own_square(x):
    """x ** 2"""
    if x == types.float64:
        return lambda x: _square_of_number(x)
    if is_array(x) and x.dtype == types.float64:
        return lambda x: x * x
    return lambda x: x ** 2


# Powers -------------------------------------------------------------------------------------------
_POWER = loop_of(np.power)


_powered = in_python(operator.pow, elementwise("x, y"), "x, y")


@by_types(operator.pow, prefer_literal=True, jit_options=_CHECKED)
def own_power(x, y):
    """x ** y"""
    kinds = [types.unliteral(getattr(kind, "dtype", kind)) for kind in (x, y)]
    if not (_is_taken(x) and _is_taken(y)) or types.float64 not in kinds or _POWER is None:
        if isinstance(y, types.Literal):
            exponent = value_of(y)
            return lambda x, y: x ** exponent
        return lambda x, y: x ** y
    if not is_array(x) and not is_array(y):
        by_products = isinstance(y, types.IntegerLiteral) and _BY_PRODUCTS.get(value_of(y))
        if by_products and x == types.float64:
            return lambda x, y: by_products(x)
        return lambda x, y: _power_of_numbers(float(x), float(y))
    loop = register_jitable(_paired(of_arrays(_POWER, 2), _powered, x, y))
    if is_array(y):
        return loop
    if kinds[0] != types.float64:
        return lambda x, y: _powered(x, y)

    def by_number(x, y):
        # What NumPy does for these exponents in place of its loop.
        if y == 2:
            return x * x
        if y == 0.5:
            return np.sqrt(x)
        if y == 1:
            return x * 1.0
        if y == -1:
            return np.divide(1.0, x)
        return loop(x, y)
    return by_number


# In a loop over the elements of an array it is one.
numba_words.add_elementwise(own_square, 1)
numba_words.QUICK[own_square] = "square"
ORIGINALS.update({own_square: np.square, own_power: operator.pow})
for _name in _ONE:
    _add_own_one(getattr(np, _name))
for _name in _TWO:
    _add_own_two(getattr(np, _name), getattr(np, _name))
_add_own_two(np.power, np_power)
