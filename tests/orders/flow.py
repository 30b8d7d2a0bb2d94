"""Scalars, loops, branches, calls."""
import functools
import math

import numpy as np

from tests.orders.case import case

u3 = np.array([0.5, -1.2, 0.8])


def chain(x):
    y = math.sin(x) * x
    z = math.exp(-y * y) + x / y
    return z * math.sqrt(1.0 + x * x)


case(chain, 0.7)


def elementwise(x):
    y = np.tanh(x) * x
    z = np.exp(-y) / (1.0 + x * x)
    return np.sum(z * y) + np.sum(x ** 3)


case(elementwise, u3)


def loop_over_numbers(x):
    y = 1.0
    for i in range(4):
        y = x * math.sin(y) + y * y * 0.1
    return y * x


case(loop_over_numbers, 0.7)


def logistic_map(x):
    r = 3.1
    for i in range(3):
        x = r * x * (1.0 - x)
    return x


case(logistic_map, 0.3)


def overwritten_in_nested_loops(x):
    y = x
    for i in range(3):
        s = 0.0
        for j in range(i + 1):
            s = s + math.sin(y) * x
            y = y + 0.1 * s * y
        y = y * math.cos(s)
    return y


case(overwritten_in_nested_loops, 0.7)


def loop_over_elements(x):
    s = 1.0
    for v in x:
        s = s * math.sin(v) + v * v
    for i in range(1, len(x)):
        s = s + x[i] * x[i - 1] * s * 0.3
    return s


case(loop_over_elements, u3)


def loop_over_arrays(x):
    y = np.cos(x)
    for i in range(3):
        y = np.tanh(y * x) + 0.5 * y * y
    return np.sum(y * x)


case(loop_over_arrays, u3)


def newton(x):
    y = 1.0
    while abs(y * y - x) > 0.05:
        y = 0.5 * (y + x / y)
    return y * y * y


case(newton, 3.7)


def while_over_array(x):
    y = x
    n = 0
    while n < 3:
        y = y * y * 0.4 + np.sin(x)
        n += 1
    return np.sum(y)


case(while_over_array, u3)


def branch(x):
    if x[0] > x[1]:
        y = x[0] * math.sin(x[1])
    else:
        y = x[2] ** 2
    if y < 0.0:
        return y * y * x[2]
    return math.exp(y)


case(branch, u3)


def branch_in_loop(x):
    s = 0.3
    for i in range(5):
        if s > 0.4:
            s = s * math.cos(x * s)
        elif s < -0.5:
            break
        else:
            s = s + x * s * s + 0.2
    return s * x


case(branch_in_loop, 0.7)


def loop_with_exit(x):
    y = x
    for i in range(6):
        if y > 2.2:
            return y * x
        if i == 1:
            continue
        y = y * (1.6 + 0.5 * math.sin(y))
    return y


case(loop_with_exit, 0.8)


def scaled(x, k):
    return k * math.sin(x) * x


def helpers(x):
    y = scaled(x, 2.0)
    return scaled(y, x) + scaled(x * y, y)


case(helpers, 0.7)


def smooth(v, k):
    w = np.tanh(v)
    for i in range(2):
        w = w * v + k * np.sin(w)
    return w


def helpers_of_arrays(x):
    y = smooth(x, 0.3)
    return np.sum(smooth(y, x[0]) * x)


case(helpers_of_arrays, u3)


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


def recursion(x):
    return power(math.sin(x), 4) + power(x, 3)


case(recursion, 0.7)


def halves(v):
    if len(v) == 1:
        return math.sin(v[0])
    middle = len(v) // 2
    return halves(v[:middle]) * halves(v[middle:]) + v[0] ** 2


def recursion_over_arrays(x):
    return halves(x * x)


case(recursion_over_arrays, u3)


def closures(x):
    def bend(y):
        return y * math.sin(x * y)

    twist = lambda y, k=2.0: bend(y) * k + x            # noqa: E731
    return twist(x) * bend(twist(x * x))


case(closures, 0.7)


def apply(f, x, n):
    for i in range(n):
        x = f(x)
    return x


def functions_as_arguments(x):
    return apply(lambda y: y * math.cos(x * y) + 0.5, x, 3)


case(functions_as_arguments, 0.7)


def partials(x):
    f = functools.partial(scaled, k=2.0)
    return f(x) * f(x * x)


case(partials, 0.7)


def conditional(x):
    y = math.sin(x) if x > 0.0 else x
    return y * y * x if y < 2.0 else 0.0


case(conditional, 0.7)


def leaves_early(y, p):
    out = np.sin(y)
    if out > 0.2:
        return np.cos(p) * out
    return y * p + out


def helpers_in_both_branches(x):
    if x > 0.4:
        s = leaves_early(np.sin(x), x)
    else:
        s = leaves_early(x, x * x)
    return s * x


case(helpers_in_both_branches, 0.7)


def helpers_in_nested_branches(x):
    y = x * 2.0
    if x > 1.0:
        s = leaves_early(x, y) * y
    else:
        if y > 1.0:
            s = leaves_early(y, x)
        else:
            s = leaves_early(y, x * x) * 2.0
    return s * leaves_early(s, y)


case(helpers_in_nested_branches, 0.7)


def leaves_early_with_an_array(y, p):
    out = np.sin(y)
    if out[0] > 0.2:
        return np.cos(p) * out
    return y * p + out


def helpers_of_arrays_in_both_branches(x):
    if x[0] > 0.4:
        s = leaves_early_with_an_array(np.sin(x), x)
    else:
        s = leaves_early_with_an_array(x, x * x)
    return np.sum(s * x)


case(helpers_of_arrays_in_both_branches, u3)
