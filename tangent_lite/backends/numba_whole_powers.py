"""Powers of numbers, and their slopes, computed so that the compiler sees which are the same.

    t = c ** n                              t = c ** n
    bc += power_slope(c, n) * bt    =>      bc += n * t / c * bt

A power by an int that the text says is written out as products. One by any other int is a function
of its own here, which reads and writes no memory: of two calls for the same numbers the compiler
leaves one, as it does for powers by floats. So the slope is made of the power that its statement
has computed, as it is by hand; where that is no ordinary number (zero, infinite, nan, or so small
that digits are gone), of the next lower power.
"""
from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_NAME = "tangent_lite.whole_power"
_BITS = 3                       # of an exponent for which there is no loop
_MOST = 0x10000                 # above, logarithms are as exact as products, as Numba has it
LEAST, LARGEST = sys.float_info.min, sys.float_info.max


def whole_power(builder: Any, x: Any, n: Any) -> Any:
    """x ** n, for a float and an int."""
    if isinstance(n, llvm.Constant) and abs(n.constant) <= _MOST:
        return _written_out(builder, x, n.constant)
    double, integer = llvm.DoubleType(), llvm.IntType(64)
    function = cgutils.get_or_insert_function(
        builder.module, llvm.FunctionType(double, [double, integer]), _NAME)
    if function.is_declaration:
        function.linkage = "linkonce_odr"
        for attribute in ("noinline", "nounwind", "readnone"):
            function.attributes.add(attribute)
        _write(function)
    return builder.call(function, [x, n])


def _written_out(builder: Any, x: Any, n: int) -> Any:
    """The same for an int that the text says: the same products, where they stand, so that loops
    around have no call in them."""
    one = llvm.Constant(x.type, 1.0)
    product, square = one, x
    for bit in range(abs(n).bit_length()):
        if abs(n) >> bit & 1:
            product = square if product is one else builder.fmul(product, square)
        square = builder.fmul(square, square)
    return builder.fdiv(one, product) if n < 0 else product


def _write(function: Any) -> None:
    """The products of squares that Numba forms, with no branch where the exponent is small: what
    exponents are looked up in tables are nobody can foresee."""
    double, integer = llvm.DoubleType(), llvm.IntType(64)
    one = llvm.Constant(double, 1.0)
    builder = llvm.IRBuilder(function.append_basic_block("entry"))
    x, n = function.args

    def times_if_odd(product: Any, square: Any, rest: Any) -> Any:
        factor = builder.select(builder.trunc(rest, llvm.IntType(1)), square, one)
        return builder.fmul(product, factor)

    small = builder.icmp_unsigned("<", n, llvm.Constant(integer, 1 << _BITS))
    with builder.if_then(small, likely=True):
        product, square = one, x
        for bit in range(_BITS):
            product = times_if_odd(product, square, builder.lshr(n, llvm.Constant(integer, bit)))
            square = builder.fmul(square, square)
        builder.ret(product)
    zero = llvm.Constant(integer, 0)
    negative = builder.icmp_signed("<", n, zero)
    size = builder.select(negative, builder.sub(zero, n), n)
    with builder.if_then(builder.icmp_unsigned(">", size, llvm.Constant(integer, _MOST))):
        power = builder.module.declare_intrinsic("llvm.pow", [double])
        builder.ret(builder.call(power, [x, builder.sitofp(n, double)]))
    before, loop = builder.block, builder.append_basic_block("loop")
    done = builder.append_basic_block("done")
    builder.branch(loop)
    builder.position_at_end(loop)
    rest, product, square = (builder.phi(one.type) for one in (size, one, x))
    for phi, start in ((rest, size), (product, one), (square, x)):
        phi.add_incoming(start, before)
    larger = times_if_odd(product, square, rest)
    shorter = builder.lshr(rest, llvm.Constant(integer, 1))
    for phi, following in ((rest, shorter), (product, larger),
                           (square, builder.fmul(square, square))):
        phi.add_incoming(following, loop)
    builder.cbranch(builder.icmp_unsigned("==", shorter, zero), done, loop)
    builder.position_at_end(done)
    builder.ret(builder.select(negative, builder.fdiv(one, larger), larger))


@intrinsic
def power(typingctx, x, n):
    """`x ** n` of a float by an int or a float, with no look at what comes out."""
    if x != types.float64 or types.unliteral(n) not in (types.float64, types.int64):
        return None

    def generate(context, builder, signature, args):
        if signature.args[1] == types.int64:
            return whole_power(builder, *args)
        return builder.call(builder.module.declare_intrinsic(
            "llvm.pow", [llvm.DoubleType()]), args)
    return types.float64(x, types.unliteral(n)), generate


def power_slope(x, y):
    """What `runtime.power_slope` says, for numbers."""
    if y == 0:
        return 0.0 * x
    base, exponent = 1.0 * x, 1 * y                 # a bool is an int
    z = power(base, exponent)
    if LEAST <= abs(z) <= LARGEST:
        return exponent * z / base
    return exponent * power(base, exponent - 1)


def power_slopes(x, y, order):
    """What `runtime.power_slopes` says, for numbers."""
    factor = 1.0 * y
    for k in range(1, order):
        factor *= y - k
    if factor == 0:
        return 0.0 * x
    return factor * power(1.0 * x, 1 * y - order)
