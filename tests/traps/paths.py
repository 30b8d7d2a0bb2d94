"""Traps of paths: try, with, match, del, else, and values that text and prints pass through."""
import contextlib
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def handler_reads_what_was_done(u, x):
    y = x
    try:
        y = y * 2.0
        z = u[9]
        y = 100.0
    except IndexError:
        z = y * x
    return y * z


case(handler_reads_what_was_done, u4, 0.7)


def written_before_error(u, x):
    try:
        u[0] = x
        u[9] = 5.0
    except IndexError as error:
        u[1] = u[0] * len(error.args)
    return np.sum(u * u)


case(written_before_error, u4, 0.7)


def finally_overrides(x):
    y = x
    for k in range(3):
        try:
            if k == 1:
                continue
            y = y * x
        finally:
            y = y + 1.0
    return y


case(finally_overrides, 0.7)


def return_in_try(x):
    try:
        return x * x
    except ValueError:
        return 0.0
    finally:
        x = 5.0


case(return_in_try, 0.7)


def nested_try(x, d):
    try:
        try:
            y = d["missing"]
        except ValueError:
            y = 1.0
    except KeyError:
        y = x * x
    else:
        y = 7.0
    return y * x


case(nested_try, 0.7, {"k": 1})


def raised_in_helper(x):
    total = 0.0
    for v in (x, -x, 2.0 * x):
        try:
            total = total + root(v)
        except ValueError:
            total = total * x - v
    return total


def root(v):
    if v < 0.0:
        raise ValueError(v)
    return math.sqrt(v)


case(raised_in_helper, 0.7)


def suppressed(u, x):
    y = x
    with contextlib.suppress(IndexError):
        y = y * x
        y = u[7]
    return y * x


case(suppressed, u4, 0.7)


def several_contexts(u, x):
    with np.errstate(all="ignore"), contextlib.nullcontext(x * x) as y:
        with contextlib.ExitStack() as stack:
            z = y * x
        return np.sum(u / x) * z


case(several_contexts, u4, 0.7)


def break_out_of_with(x):
    for k in range(5):
        with np.errstate(divide="ignore"):
            x = x * 1.5
            if x > 2.0:
                break
    else:
        x = 0.0
    return x * k


case(break_out_of_with, 0.7)


def matched(x, y, what):
    match what:
        case {"op": "scale", "by": k}:
            return x * k * y
        case [a, b] | (a, b, _):
            return x * a + y * b
        case str() as s if len(s) > 2:
            return x * len(s)
        case 1 | 2 | 3:
            return x * y * what
        case None:
            return x - y
        case _:
            return y


for _what in ({"op": "scale", "by": 2}, [2, 3], (1, 2, 3), "long", "no", 2, None):
    case(matched, 0.7, 1.3, _what)


def match_binds_active(x, y):
    point = (x * y, y)
    match point:
        case (a, 0.0):
            return a
        case (a, b) if a < b:
            z = a * b
        case (a, b):
            z = a - b
    return z * a


case(match_binds_active, 0.7, 1.3)
case(match_binds_active, 1.7, 0.3)


def deleted_and_bound_again(x):
    y = x * x
    del y
    y = x * 3.0
    z = [y]
    del z
    return y * x


case(deleted_and_bound_again, 0.7)


def nested_else(u):
    total = 1.0
    for i in range(4):
        for j in range(i):
            if u[i] * u[j] < -1.0:
                break
            total = total * 1.1 + u[j]
        else:
            total = total + u[i]
            continue
        total = total * u[i]
        if total > 5.0:
            break
    return total


case(nested_else, u4)


def while_with_walrus(x):
    k = 0
    while (y := x * (k + 1)) < 2.0:
        k += 1
        if y > 1.0 and k % 2:
            continue
        x = x + 0.1
    else:
        y = y * x
    return y * x


case(while_with_walrus, 0.7)


def values_of_and_or(x, y):
    a = x and y
    b = 0.0 or x * y
    c = (x > 5.0 and 1.0) or (y < 5.0 and x) or y
    d = None or [] or x
    return a * b * c * d * (not x or y)


case(values_of_and_or, 0.7, 1.3)


def prints_once(x):
    for k in range(2):
        print(f"{k}: {x:.2e} {x * x!r:>20}", end=";\n")
        x = x * x
    print(x)
    return x


case(prints_once, 0.7)


def text_decides(x, names):
    total = 0.0
    for name in names:
        if name.startswith("a"):
            total = total + x
        elif name.upper() in ("B", "C"):
            total = total * x
        elif not name:
            return total
    return total * len(" ".join(names))


case(text_decides, 0.7, ["abc", "b", "a"])
case(text_decides, 0.7, ["abc", "", "a"])


def returns_at_many_places(u, x):
    for i, v in enumerate(u):
        if v < -2.0:
            return x
        for w in u[:i]:
            x = x * w
            if x > 0.8:
                return x * v
            elif x < -0.5:
                break
        else:
            x = x + v
    return x


case(returns_at_many_places, u4, 0.7)
case(returns_at_many_places, -u4, 0.7)


def asserts_and_raises(u, x):
    assert len(u) == 4, "four"
    if not np.all(np.isfinite(u)):
        raise FloatingPointError("not finite")
    y = x * u[0]
    assert y < 10.0
    return y * y


case(asserts_and_raises, u4, 0.7)


def global_read_in_branch(x):
    global rate
    return x * x * rate


rate = 1.5
case(global_read_in_branch, 0.7)
