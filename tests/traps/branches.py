"""Traps of branches: names bound on one side only, conditions on what is overwritten, kinks."""
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def overwritten_on_one_side(x, y):
    z = x * y
    if x > y:
        z = z * x
    return z * y


case(overwritten_on_one_side, 0.7, 0.2)
case(overwritten_on_one_side, 0.1, 0.2)


def defined_on_one_side(x, y):
    if x > 0.0:
        z = x * y
    if x > 0.0:
        return z * z
    return x


case(defined_on_one_side, 0.7, 0.2, label="exit")
case(defined_on_one_side, -0.7, 0.2, label="exit")


def defined_on_both_sides(x, y):
    if x > y:
        z = x * x
        t = z
    else:
        z = y
    if x > y:
        z = z * t
    return z * x


case(defined_on_both_sides, 0.7, 0.2)
case(defined_on_both_sides, 0.1, 0.2)


def condition_on_overwritten(x, y):
    if x > 0.5:
        x = x * y
        if x > 0.5:
            y = y * x
        x = -x
    elif x > 0.2:
        x = x + y
    else:
        x = 3.0 * y
    if x > 0.0:
        y = y + x
    return x * y


case(condition_on_overwritten, 0.7, 0.9)
case(condition_on_overwritten, 0.6, 0.2)
case(condition_on_overwritten, 0.3, 0.2)
case(condition_on_overwritten, 0.1, 0.2)


def condition_in_loop(x, n):
    for i in range(n):
        if x > 1.0:
            x = x * 0.4
        else:
            x = x * x + 0.9
    return x


case(condition_in_loop, 0.5, 6)


def condition_on_array(u):
    if u[0] < u[1] or np.sum(u) > 1.0:
        u[0] = u[1] * u[2]
    if u[0] < 0.0:
        u[1:] = u[1:] * u[0]
    return np.sum(u * u)


case(condition_on_array, u4)
case(condition_on_array, -u4)


def short_circuit(x, u):
    if x > 0.0 and u[0] / x > 0.1 or x < -5.0:
        x = x * u[0]
    return x


case(short_circuit, 0.7, u4)
case(short_circuit, -0.7, u4)


def value_of_or(x, y):
    z = x or y
    w = x and y
    return z * 2.0 + w * w


case(value_of_or, 0.7, 0.9)
case(value_of_or, 0.0, 0.9, expect=(0.0, 2.0), label="zero")


def ternaries(x, y):
    z = x if x > y else y * y if y > 0.5 else -x
    return (z if z < 0.0 else z * z) + (x if y > 0.1 else y)


case(ternaries, 0.7, 0.2)
case(ternaries, 0.7, 0.9)
case(ternaries, 0.05, 0.08)


def ternary_guards(x):
    return math.log(x) if x > 0.0 else math.sqrt(-x)


case(ternary_guards, 0.7)
case(ternary_guards, -0.7)


def ternary_picks_array(u, w, x):
    v = u if x > 0.0 else w
    v = v * x
    return np.sum(v * u)


case(ternary_picks_array, u4, u4 + 0.3, 0.7)
case(ternary_picks_array, u4, u4 + 0.3, -0.7)


def empty_sides(x):
    if x > 0.0:
        pass
    else:
        x = x * x
    if x < -1.0:
        x = 2.0 * x
    else:
        pass
    return x * x


case(empty_sides, 0.7)
case(empty_sides, -0.7)


def constant_condition(x):
    if True:
        x = x * x
    if 0:
        x = x * 100.0
    while False:
        x = x * 3.0
    return x


case(constant_condition, 0.7)


def flag_kept(x, y):
    big = x > y
    x = x * y
    y = y - x
    if big:
        x = x * x
    if not big:
        y = y * y
    return x * y


case(flag_kept, 0.7, 0.2)
case(flag_kept, 0.1, 0.2)


def string_choice(x, how):
    if how == "square":
        return x * x
    elif how == "sine":
        x = math.sin(x)
    else:
        x = 2.0 * x
    return x * 3.0


case(string_choice, 0.7, "square", label="exit")
case(string_choice, 0.7, "sine", label="exit")


def none_default(x, scale=None):
    if scale is None:
        scale = x * x
    return x * scale


case(none_default, 0.7)
case(none_default, 0.7, 2.5)
case(none_default, 0.7, None)


def chained_comparison(x, y):
    if 0.0 < x < y <= 1.0:
        x = x * y
    return x * x


case(chained_comparison, 0.3, 0.6)
case(chained_comparison, 0.3, 0.2)


def relu_where(u):
    return np.sum(np.where(u > 0, u, 0.0))


case(relu_where, np.array([1.0, 0.0, -1.0]), expect=(np.array([1.0, 0.0, 0.0]),))


def relu_maximum(u):
    return np.sum(np.maximum(u, 0.0) * np.array([1.0, 2.0, 3.0]))


case(relu_maximum, np.array([1.0, 0.0, -1.0]), expect=(np.array([1.0, 1.0, 0.0]),))


def ties(u):
    return np.max(u) + 2.0 * np.min(u)


case(ties, np.array([1.0, 3.0, 3.0, 0.0]), expect=(np.array([0.0, 0.5, 0.5, 2.0]),))


def absolute_at_zero(x, y):
    return abs(x) * 3.0 + np.abs(y) + x


case(absolute_at_zero, 0.0, -0.5, expect=(1.0, -1.0))


def where_guards(u):
    safe = np.where(u > 0.0, u, 1.0)
    return np.sum(np.where(u > 0.0, np.sqrt(safe), u * u))


case(where_guards, u4)


def builtin_extremes(x, y, u):
    return max(x, y, x * y) * min(x, 0.5) + max(u) - min([x, y])


case(builtin_extremes, 0.7, 0.2, u4)


def discrete(x, y):
    k = round(x * 3.0) + int(y) + math.floor(x) + (x > y)
    return k * x + np.floor(y) * y + np.sign(x) * x


case(discrete, 1.7, 2.2)


def match_on_int(x, k):
    match k:
        case 0:
            x = x * x
        case 1 | 2:
            x = math.sin(x)
        case _:
            x = -x
    return x * k + x


case(match_on_int, 0.7, 0)
case(match_on_int, 0.7, 2)
case(match_on_int, 0.7, 9)
