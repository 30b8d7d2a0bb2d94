"""Traps of assignment: overwriting, chains, swaps, several targets, numbers of several kinds."""
import math

import numpy as np

from tests.traps.case import case


def overwritten_operand(x, y):
    x = x * y
    x = x * x + y
    return math.sin(x) * x


case(overwritten_operand, 0.7, 1.3)


def overwritten_after_use(x, y):
    a = x * y
    x = math.exp(-x)
    b = a * x
    a = b * y
    return a * b + x


case(overwritten_after_use, 0.7, 1.3)


def chain_of_zeros(x):
    u = v = w = 0
    u = u + x * x
    v = v - u * x
    w += v
    return u * v + w


case(chain_of_zeros, 1.2)


def chain_then_change(x, y):
    a = b = c = x * y
    a = a * x
    b *= y
    return a * b * c


case(chain_then_change, 1.2, -0.4)


def itself(x):
    x = x
    y = x
    y = y
    return x * y


case(itself, 1.5)


def swap(x, y):
    for _ in range(3):
        x, y = y, x
        x = x * y + 1.0
    return x - 2.0 * y


case(swap, 0.3, 0.8)


def rotate(x, y, z):
    for _ in range(4):
        x, y, z = y * z, z, x
    return x + 2.0 * y + 3.0 * z * z


case(rotate, 0.9, 1.1, 0.7)


def swap_with_itself(x, y):
    x, x = y, x
    y, x = x, y
    return x + 3.0 * y


case(swap_with_itself, 0.3, 0.8)


def right_side_first(x, y):
    x, y = x * y, x
    x, y = x + y, x - y
    return x * y


case(right_side_first, 0.3, 0.8)


def nested_targets(x, y):
    (a, (b, c)), d = (x, (y, x * y)), y * y
    [a, b] = b, a
    return a * c + b * d


case(nested_targets, 0.3, 0.8)


def starred(x, u):
    first, *middle, last = u
    return first * last + x * sum(middle)


case(starred, 0.6, np.array([0.5, 1.5, -0.7, 2.0]))


def minus_itself(x, y):
    x -= x
    y *= y
    y -= y * y
    return x * y + y


case(minus_itself, 0.3, 0.8)


def doubling(x):
    for _ in range(5):
        x += x
    return x


case(doubling, 0.3)


def times_itself(x):
    for _ in range(3):
        x *= x
    return x


case(times_itself, 1.1)


def power_by_itself(x):
    x **= x
    return x


case(power_by_itself, 1.7)


def augmented_all(x, y):
    x += y
    x *= y
    x -= y * x
    x /= y + 3.0
    x **= 3
    return x


case(augmented_all, 1.3, 0.4)


def integer_powers(x, n):
    return x**n + x**0 + x**-2 + 2.0**x + n**x


case(integer_powers, 1.3, 3)


def division(x, y, n):
    return x / y / n + n / x + (x // y) * y + x % y


case(division, 5.3, 1.4, 2)


def unused(x, y):
    z = y * y
    return x * 2.0


case(unused, 1.3, 0.4)


def constant(x):
    return 3.0


case(constant, 1.3)


def returns_argument(x, y):
    y = y * x
    return x


case(returns_argument, 1.3, 0.4)


def kind_changes(x):
    x = np.array([x, x * x, 2.0])
    x = np.sum(x * x)
    x = x * 2 if x > 1 else 0
    return x * x


case(kind_changes, 0.6)


def int_becomes_float(x, n):
    total = 0
    for k in range(n):
        total = total + k
        if k == 2:
            total = total * x
    return total


case(int_becomes_float, 0.6, 6)


def float_becomes_int(x):
    y = x * x
    y = int(y * 3.0)
    return y * x + y


case(float_becomes_int, 1.3)


def bools_as_numbers(x, y):
    flag = x > y
    return x * flag + (1 - flag) * y * y + True


case(bools_as_numbers, 1.3, 0.4)
case(bools_as_numbers, 0.3, 0.4)


def walrus(x, y):
    if (z := x * y) > 0.1 and (w := z * z) < 5.0:
        z = z * w
    else:
        w = 0.0
    return z + w + (v := x * 2.0) * v


case(walrus, 1.3, 0.4)
case(walrus, 1.3, -0.4)


def order_of_evaluation(x):
    u = np.array([x, 2.0 * x])
    a = u[0] * (x := x * 3.0) + x
    return a * u[1] + x


case(order_of_evaluation, 0.8)


def deep_expression(x):
    return ((((x * 2.0 + 1.0) * x - 3.0) * x + 4.0) * x - (x * (x * (x * (x + 1.0) + 1.0)))) / (
        1.0 + x * x * (1.0 + x * x * (1.0 + x * x)))


case(deep_expression, 0.8)


def annotated(x: float, y: float) -> float:
    z: float = x * y
    w: float
    w = z * z
    return w + z


case(annotated, 0.8, 0.3)


def deleted(x, y):
    z = x * y
    w = z * x
    del z
    z = w * y
    return z


case(deleted, 0.8, 0.3)
