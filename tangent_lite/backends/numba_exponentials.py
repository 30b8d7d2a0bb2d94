"""exp and tanh without branches or calls, so that loops over elements become vector instructions.

The C library's are called once for each element. The approximations here are those of the Cephes
Mathematical Library (S. L. Moshier, "Methods and Programs for Mathematical Functions", 1989; files
exp.c and tanh.c): a rational function after reducing the argument. They are off by two units in the
last place at most; inf, nan, overflow and numbers below the normal ones are as IEEE has them.
"""
from __future__ import annotations

import numpy as np
from llvmlite import ir as llvm
from numba import types
from numba.extending import intrinsic, register_jitable

_LOG2E = 1.4426950408889634073599
_LN2_HIGH = 6.93145751953125e-1
_LN2_LOW = 1.42860682030941723212e-6
_ROUND = 6755399441055744.0             # 1.5 * 2 ** 52: adding it leaves the integer nearest


@intrinsic
def two_to_the(typingctx, k):
    """2.0 ** k for a float that is an integer between -1022 and 1023: its bits are the exponent."""
    def generate(context, builder, signature, args):
        word = llvm.IntType(64)
        shifted = builder.fadd(args[0], llvm.Constant(llvm.DoubleType(), _ROUND))
        bits = builder.shl(builder.bitcast(shifted, word), llvm.Constant(word, 52))
        one = llvm.Constant(word, 1023 << 52)
        return builder.bitcast(builder.add(bits, one), llvm.DoubleType())
    return types.float64(types.float64), generate


@intrinsic
def chosen(typingctx, condition, x, y):
    """x if the condition holds, else y; both are computed."""
    def generate(context, builder, signature, args):
        return builder.select(*args)
    return types.float64(types.boolean, types.float64, types.float64), generate


@intrinsic
def with_sign_of(typingctx, x, y):
    """The size of x with the sign of y."""
    def generate(context, builder, signature, args):
        kind = llvm.FunctionType(args[0].type, [args[0].type] * 2)
        function = builder.module.declare_intrinsic("llvm.copysign", [args[0].type], kind)
        return builder.call(function, args)
    return types.float64(types.float64, types.float64), generate


@register_jitable
def exponential(x):
    """e ** x."""
    y = chosen(x > 710.0, 710.0, x)     # from there on inf
    y = chosen(y < -746.0, -746.0, y)   # and 0
    k = (y * _LOG2E + _ROUND) - _ROUND
    r = (y - k * _LN2_HIGH) - k * _LN2_LOW
    square = r * r
    p = r * ((1.26177193074810590878e-4 * square + 3.02994407707441961300e-2) * square
             + 9.99999999999999999910e-1)
    q = ((3.00198505138664455042e-6 * square + 2.52448340349684104192e-3) * square
         + 2.27265548208155028766e-1) * square + 2.00000000000000000005
    # In two steps: 2 ** k may be no float where the result is one.
    half = (0.5 * k + _ROUND) - _ROUND
    return (1.0 + 2.0 * np.divide(p, q - p)) * two_to_the(half) * two_to_the(k - half)


@register_jitable
def hyperbolic_tangent(x):
    """The hyperbolic tangent of x."""
    size = abs(x)
    far = 1.0 - np.divide(2.0, exponential(2.0 * size) + 1.0)
    square = x * x
    p = (-9.64399179425052238628e-1 * square - 9.92877231001918586564e1) * square \
        - 1.61468768441708447952e3
    q = ((square + 1.12811678491632931402e2) * square + 2.23548839060100448583e3) * square \
        + 4.84406305325125486048e3
    near = x + x * square * np.divide(p, q)
    return with_sign_of(chosen(size < 0.625, near, far), x)
