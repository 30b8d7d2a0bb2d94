"""Traps of loops: zero trips, values carried over, bounds and indices that change."""
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def zero_trips(x, n):
    y = x * x
    for i in range(n):
        y = y * x
    return y + x


case(zero_trips, 1.3, 0)
case(zero_trips, 1.3, -2)
case(zero_trips, 1.3, 4)


def zero_trips_inside(x, y, n):
    for i in range(n):
        for j in range(i - 1):
            x = x * y
        y = y + 0.1 * x * y
    return x * y


case(zero_trips_inside, 1.1, 0.7, 4)


def while_never(x):
    while x > 10.0:
        x = x * 0.5
    return x * x


case(while_never, 1.3)
case(while_never, 77.0)


def value_of_last_iteration(x, n):
    z = 1.0
    total = 0.0
    for i in range(n):
        total = total + z * x
        z = math.sin(total) * x
    return total + z


case(value_of_last_iteration, 1.3, 0)
case(value_of_last_iteration, 1.3, 3)


def reused_temporary(x, n):
    y = x
    t = 0.0
    for i in range(n):
        t = y * x
        y = math.sin(t)
        t = t * y
    return t + y


case(reused_temporary, 0.8, 4)


def temporary_after_loop(x, n):
    for i in range(n):
        t = x * (i + 1)
        x = math.sin(t)
    return t * x


case(temporary_after_loop, 0.8, 3)


def index_after_loop(x, n):
    for i in range(n):
        x = x + 0.1 * i * x
    return x * i + i


case(index_after_loop, 0.8, 4)


def index_kept_from_before(x, n):
    i = 7
    for i in range(n):
        x = x * 1.1
    return x * i


case(index_kept_from_before, 0.8, 0)
case(index_kept_from_before, 0.8, 3)


def index_changed_inside(x, n):
    for i in range(n):
        x = x * (1.0 + 0.1 * i)
        i = i * 2
        x = x + i
    return x * i


case(index_changed_inside, 0.8, 4)


def float_index_changed_inside(u):
    total = 0.0
    for v in u:
        v = v * v
        v = math.sin(v)
        total += v
    return total * v


case(float_index_changed_inside, u4)


def bound_changed_inside(x, n):
    for i in range(n):
        n = n - 1
        x = x * math.cos(0.1 * n * x)
    return x * n


case(bound_changed_inside, 0.8, 4)


def bound_changed_after(x, n):
    y = x
    for i in range(n):
        y = y * x
    n = 17
    return y * n


case(bound_changed_after, 0.8, 3)


def all_bounds_changed(x, a, b, c):
    for i in range(a, b, c):
        a, b, c = 0, 1, 5
        x = x + 0.1 * x * x * i
    return x + a + b + c


case(all_bounds_changed, 0.8, 7, 1, -2)
case(all_bounds_changed, 0.8, 1, 8, 3)


def bound_computed(x, u):
    for i in range(len(u) // 2, u.shape[0] - 1):
        x = x * u[i] + i
    return x


case(bound_computed, 0.8, u4)


def index_as_bound(x):
    for i in range(4):
        for i in range(i):
            x = x * (1.0 + 0.1 * i)
        x = x + 0.01 * i * x
    return x


case(index_as_bound, 0.8)


def index_used_twice(x, u):
    for i in range(3):
        x = x + u[i] * x
    for i in range(3, -1, -1):
        x = x * u[i]
    return x * i + x


case(index_used_twice, 0.8, u4)


def steps(x, u):
    for i in range(0, 4, 2):
        x = x + u[i] * u[i]
    for i in range(3, 0, -2):
        x = x * u[i]
    for i in range(10, 0, 3):
        x = 100.0 * x
    return x


case(steps, 0.8, u4)


def running_maximum(u):
    best = u[0]
    for v in u:
        if v > best:
            best = v
    return best * best


case(running_maximum, u4)
case(running_maximum, np.array([3.0, 1.0]))


def running_maximum_by_index(u, w):
    best, at = -10.0, -1
    for i in range(len(u)):
        if u[i] * w[i] > best:
            best = u[i] * w[i]
            at = i
    return best + u[at] * w[at - 1]


case(running_maximum_by_index, u4, np.array([1.1, 0.3, 0.9, -0.4]))


def while_on_overwritten(x, y):
    k = 0
    while x * y < 10.0:
        x = x * 1.7
        y = y + 0.1 * x
        k += 1
    return x * y + k


case(while_on_overwritten, 0.8, 0.9)


def while_newton(a):
    x = a
    r = x * x - a
    while abs(r) > 1e-12:
        x = x - r / (2.0 * x)
        r = x * x - a
    return x


case(while_newton, 2.3)


def while_on_array(u, x):
    i = 0
    while i < len(u) and u[i] * x < 1.5:
        x = x + u[i] * u[i]
        i += 1
    return x * i


case(while_on_array, u4, 0.3)


def while_nested(x, n):
    i = 0
    while i < n:
        j = i
        while j > 0:
            x = math.sin(x) + 0.1 * j * x
            j -= 1
        i += 1
    return x * x


case(while_nested, 0.7, 4)


def while_in_for(x, u):
    total = 0.0
    for v in u:
        y = v * v + x
        while y > 0.7:
            y = y * 0.6 * x
        total = total + y * v
    return total


case(while_in_for, 0.9, u4)


def nested_carried(a, b, n):
    x = a
    total = 0.0
    for i in range(n):
        y = b * x
        for j in range(i):
            y = y + b * x * y
            x = math.sin(x) + 0.1 * y
        total = total + x * y
    return total


case(nested_carried, 0.4, 0.6, 4)
case(nested_carried, 0.4, 0.6, 1)


def two_loops_same_names(x, n):
    for i in range(n):
        t = x * x
        x = math.sin(t)
    for i in range(n + 1):
        t = x + i
        x = t * math.cos(t)
    return x * t


case(two_loops_same_names, 0.8, 3)


def over_row(A, x):
    total = 0.0
    for row in A:
        for v in row:
            total = total + v * x
            x = x * 1.1
    return total * x


case(over_row, np.arange(6.0).reshape(2, 3) * 0.3 + 0.1, 0.7)


def over_enumerate(u, x):
    for i, v in enumerate(u):
        x = x * v + i * u[i - 1]
    return x * i * v


case(over_enumerate, u4, 0.7)


def over_enumerate_from(u, x):
    for i, v in enumerate(u, 1):
        x = x * v + i
    return x


case(over_enumerate_from, u4, 0.7)


def over_zip(u, w, x):
    for a, b in zip(u, w[1:]):
        x = x * a + b * b
    for i, (a, b) in enumerate(zip(w, u)):
        x = x + a * b * i
    return x * a


case(over_zip, u4, np.array([1.0, 0.5, 0.25]), 0.7)


def over_reversed(u, x):
    for v in reversed(u):
        x = x * v + 0.5
    for i in reversed(range(3)):
        x = x * u[i] - i
    return x


case(over_reversed, u4, 0.7)


def over_display(x, y):
    total = 0.0
    for v in [x, y, x * y, 2.0]:
        total = total * v + v
    for w in (x, x):
        total += w
    return total


case(over_display, 0.7, 1.4)


def over_display_overwritten(x, y):
    for v in [x, y, x]:
        x = x * v
        y = v + x
    return x * y


case(over_display_overwritten, 0.7, 1.4)


def argument_is_loop_variable(x, u):
    for x in u:
        pass
    return x * x


case(argument_is_loop_variable, 0.7, u4)
case(argument_is_loop_variable, 0.7, np.array([]))


def array_rebound_in_loop(u, n):
    for i in range(n):
        u = u * np.sum(u) * 0.3
    return np.sum(u)


case(array_rebound_in_loop, u4, 3)
case(array_rebound_in_loop, u4, 0)


def array_shrinks(u):
    total = 0.0
    while len(u) > 1:
        u = u[1:] * u[:-1]
        total = total + np.sum(u)
    return total


case(array_shrinks, u4)


def array_iterated_while_rebound(u):
    total = 0.0
    for v in u:
        u = u * 1.5
        total = total + v * u[0]
    return total


case(array_iterated_while_rebound, u4)


def loop_of_constants(x):
    t = 0.0
    for i in range(5):
        t = t + 0.1
    return x * t


case(loop_of_constants, 0.7)


def defined_in_first_iteration(x, n):
    for i in range(n):
        if i == 0:
            first = x * x
        x = x + first * 0.1
    return x * first


case(defined_in_first_iteration, 0.7, 3)


def branch_in_loop_carries(x, n):
    a, b = x, 1.0
    for i in range(n):
        if i % 2 == 0:
            a = a * b + x
        else:
            b = b * a
    return a * b


case(branch_in_loop_carries, 0.7, 5)
