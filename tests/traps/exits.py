"""Traps of exits: break, continue, early return, else of loops, try and with."""
import contextlib
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def break_before_step(x, n):
    for i in range(n):
        if x > 2.0:
            break
        x = x * 1.4
    return x * x


case(break_before_step, 0.9, 10)
case(break_before_step, 0.9, 2)
case(break_before_step, 3.0, 2)


def continue_before_step(u, x):
    total = 0.0
    for v in u:
        if v < 0.0:
            continue
        total = total + v * x
        x = x * v
    return total * x


case(continue_before_step, u4, 0.7)


def break_and_continue(x, k, n):
    total = 0.0
    for i in range(n):
        force = k * math.sin(x)
        total = total + force * force
        if abs(force) < 0.05:
            break
        if x < 0.3:
            x = x + 1.5
            continue
        x = x - force * x
    return total + x


case(break_and_continue, 0.7, 0.8, 8)
case(break_and_continue, 0.02, 0.8, 8)
case(break_and_continue, -0.7, 0.8, 8)


def break_of_inner_only(x, n):
    for i in range(n):
        for j in range(5):
            x = x * 1.1
            if x > 1.0 + i:
                break
            x = x + 0.05 * j
        x = x * 0.9 + j
    return x * j


case(break_of_inner_only, 0.7, 3)


def continue_skips_tail(x, n):
    y = x
    for i in range(n):
        y = y * x
        if i % 2:
            continue
        x = math.sin(y)
        y = y + x
    return x * y


case(continue_skips_tail, 0.7, 5)


def while_true(x):
    k = 0
    while True:
        x = x * x + 0.1
        k += 1
        if x > 0.8 or k > 6:
            break
        if x < 0.2:
            x = x + 0.3
            continue
        x = 1.3 * x
    return x * k


case(while_true, 0.4)
case(while_true, 0.95)


def value_at_break(u, x):
    for i, v in enumerate(u):
        y = v * x
        if y > 0.5:
            break
        x = x + y * y
    return x * y * i


case(value_at_break, u4, 0.9)


def return_in_loop(a, x, n):
    if a > 0.0:
        for i in range(n):
            r = x * x - a
            if abs(r) < 1e-2:
                return x + a * r
            x = x - r / (2.0 * x)
    return math.exp(a) * x


case(return_in_loop, 2.0, 1.0, 10)
case(return_in_loop, 2.0, 1.0, 2)
case(return_in_loop, -1.0, 1.0, 2)


def return_first(x, y):
    if x > y:
        return x * x
    z = x * y
    if z > 1.0:
        return z * x
    x = z
    return x * y


case(return_first, 0.7, 0.2)
case(return_first, 1.2, 1.5)
case(return_first, 0.2, 0.7)


def return_in_both(x, y):
    if x > y:
        x = x * y
        return x * x
    else:
        return y - x * y


case(return_in_both, 0.7, 0.2)
case(return_in_both, 0.2, 0.7)


def return_from_inner_loop(u, x):
    for i in range(3):
        for v in u:
            x = x * (1.0 + 0.3 * v * v)
            if x > 1.5:
                return x * v * i
        x = x - 0.1
    return -x


case(return_from_inner_loop, u4, 0.7)
case(return_from_inner_loop, u4, 0.01)


def for_else(u, x):
    for v in u:
        x = x * 1.2
        if v * x > 1.0:
            x = x * v
            break
    else:
        x = -x * x
    return x


case(for_else, u4, 0.7)
case(for_else, u4, 0.1)


def while_else(x):
    while x < 2.0:
        x = x * 1.7
        if x > 1.8:
            break
    else:
        x = x * x
    return x * 3.0


case(while_else, 0.7)
case(while_else, 2.5)


def break_then_written(u, x):
    for i in range(len(u)):
        u[i] = u[i] * x
        if u[i] > 0.2:
            break
        u[i] = u[i] * u[i - 1]
    u[i] = u[i] * 2.0
    return np.sum(u * u)


case(break_then_written, u4[::-1] * -1.0, 0.7)


def finally_runs(x):
    y = x
    try:
        y = y * x
        if y > 0.1:
            return y * x
        y = 5.0 * y
    finally:
        y = y * 2.0
    return y


case(finally_runs, 0.7)
case(finally_runs, 0.2)


def except_not_taken(x):
    try:
        y = x / (1.0 + x)
    except ZeroDivisionError:
        y = 0.0
    else:
        y = y * y
    return y * x


case(except_not_taken, 0.7)


def except_taken(x, z):
    try:
        y = x * x
        y = y / z
    except ZeroDivisionError:
        y = x * 3.0
    return y * x


case(except_taken, 0.7, 0, wrt=(0,))


def under_with(x):
    with np.errstate(all="ignore"), contextlib.nullcontext(x) as y:
        z = x * y
        if z > 0.2:
            return z * z
    return z


case(under_with, 0.7)
case(under_with, 0.2)


def raises_elsewhere(x):
    if x > 100.0:
        raise ValueError("too large")
    y = x * x
    if y < 0.0:
        raise ValueError("impossible")
    return y * x


case(raises_elsewhere, 0.7)


def break_in_front_of_more(u, x):
    total = 0.0
    for v in u:
        z = x * v
        if z > 2.0:
            pass
        elif z < -1.0:
            break
        elif z < -0.5:
            total = total - z * z * z
            continue
        s = z * z
        if s > 1.5:
            if s > 2.5:
                break
            total = total + math.sin(s)
        w = s * z
        total = total + w * w * x
    return total


case(break_in_front_of_more, u4, 0.7)
case(break_in_front_of_more, u4, 1.1)
case(break_in_front_of_more, u4, 1.3)
case(break_in_front_of_more, u4[::-1].copy(), 0.9)
case(break_in_front_of_more, u4[::-1].copy(), 0.95)
case(break_in_front_of_more, -u4, 0.6)


# What an iteration takes over from the one before, and conditions on which a loop is left ---------
def overwritten_in_all_branches(x, n):
    y = 1.0
    for i in range(n):
        s = math.sin(x)
        if x < 0.0:
            x = x + 1.5 * y
        elif s > 0.9:
            x, y = x * y, y * x
        else:
            x = x - s * x
        y = y + s * y * 0.1
    return x * y


case(overwritten_in_all_branches, 0.7, 6)
case(overwritten_in_all_branches, -2.1, 5)
case(overwritten_in_all_branches, 1.3, 0)


def overwritten_in_some_branches(x, n):
    for i in range(n):
        t = x * x
        if i % 2:
            x = t * 0.5 + 0.1
        x = x if t > 1.0 else x * t
    return x


case(overwritten_in_some_branches, 0.9, 5)


def overwritten_and_read_again(x, n):
    total = 0.0
    for i in range(n):
        t = x * x
        x = math.sin(t) + 0.5
        total = total + x * x * t
    return total


case(overwritten_and_read_again, 0.9, 4)


def swapped_each_time(x, y, n):
    for i in range(n):
        t = x * y
        x, y = y * t, x
    return x + y


case(swapped_each_time, 0.9, 1.1, 5)


def left_in_the_inner_loop(x, n):
    total = 0.0
    for i in range(n):
        for j in range(n):
            y = x * x - 0.3
            if y < 0.2 * i:
                total = total + y * j
                break
            x = x - 0.2 * y
        total = total + x * x
    return total


case(left_in_the_inner_loop, 1.4, 5)
case(left_in_the_inner_loop, 1.4, 0)


def left_in_either_branch(x, n):
    y = x
    for i in range(n):
        big = y * y > 3.0
        if i > 1:
            if big:
                y = y * 0.5
                break
            y = y * 1.4
        else:
            small = y < 0.1
            if not small:
                y = y * 1.3 + x * y
            else:
                y = y * y
                break
    return y * x


case(left_in_either_branch, 0.9, 7)
case(left_in_either_branch, 0.05, 7)
case(left_in_either_branch, 0.2, 2)


def left_by_the_else_branch(x, n):
    i = 0
    while True:
        go = x * x < 5.0 and i < n
        if go:
            x = x * 1.2 + 0.1 / x
            i += 1
        else:
            x = x * x
            break
    return x


case(left_by_the_else_branch, 0.8, 9)
case(left_by_the_else_branch, 3.0, 9)


def loops_left_in_a_loop_that_is_left(x, n):
    for i in range(n):
        k = 0
        while True:
            x = x * 1.1
            k += 1
            if x > 2.0 + i or k > 3:
                break
        if x > 4.0:
            x = x * x
            break
        for j in range(i):
            if x * j > 5.0:
                break
            x = x + 0.1 * x * j
    return x


case(loops_left_in_a_loop_that_is_left, 0.9, 6)
case(loops_left_in_a_loop_that_is_left, 3.9, 6)


def arrays_overwritten_in_all_branches(h, W, n):
    for i in range(n):
        t = h @ W
        if t[0] > 0.0:
            h = np.tanh(t)
        else:
            h = h * t
    return np.sum(h * h)


case(arrays_overwritten_in_all_branches, np.array([0.5, -0.4]), np.array([[0.6, -0.3], [0.9, 1.1]]),
     4)
