"""Traps of passing: *args, **kwargs, keyword-only, defaults, helpers that write what they get."""
import functools
import math
import operator

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def weighted(first, *rest, scale=1.0, **options):
    total = first
    for k, v in enumerate(rest):
        total = total + v * (k + 1)
    for key in options:
        total = total * options[key]
    return total * scale


def many_ways(x, y):
    return weighted(x) * weighted(x, y, x, scale=y) + weighted(y, a=x, b=y)


case(many_ways, 0.7, 1.3)


def unpacked(x, y):
    args, options = [x, y], {"scale": x * y}
    return weighted(*args, *args[1:], **options, **{"c": y})


case(unpacked, 0.7, 1.3)


def outer(*args, **kwargs):
    kwargs["scale"] = kwargs.get("scale", 1.0) * args[0]
    return weighted(*args[::-1], **kwargs)


def passed_on(x, y):
    options = {"scale": y}
    a = outer(x, y, **options)
    return a * options["scale"]


case(passed_on, 0.7, 1.3)


def keyword_only(x, *, c, d=2.0):
    return x * c + d


def calls_keyword_only(x, y):
    return keyword_only(y, c=x) * keyword_only(x, d=x, c=y)


case(calls_keyword_only, 0.7, 1.3)


def positional_only(a, b, /, c=3.0):
    return a * b + c


def calls_positional_only(x, y):
    return positional_only(x, y) * positional_only(y, x, c=x)


case(calls_positional_only, 0.7, 1.3)


def order_of_arguments(x):
    seen = []

    def note(v):
        seen.append(v)
        return v * len(seen)
    return weighted(note(x), note(x * x), scale=note(2.0)) * seen[1]


case(order_of_arguments, 0.7)


RATE = 2.0


def default_from_global(a, rate=RATE):
    return a * rate


def calls_default(x):
    return default_from_global(x) * default_from_global(x, x)


case(calls_default, 0.7)


def exchange(a, b, c):
    a[:] = a + c * b
    b *= a


def two_views_of_one(u, x):
    v = np.concatenate([u, u])
    exchange(v[:4], v[4:], x)
    exchange(v[::2], v[1::2], x)
    return np.sum(v * v)


case(two_views_of_one, u4, 0.7)


def rows_of_one(A, x):
    B = A * x
    exchange(B[0], B[1], x)
    exchange(B[:, 0], B[:, 1], x)
    return np.sum(B * A)


case(rows_of_one, np.arange(6.0).reshape(2, 3) * 0.3 + 0.2, 0.7)


def bump(v, i, c):
    v[i] += c * v[i - 1]
    return v


def returns_what_it_wrote(u, x):
    v = u.copy()
    w = bump(v, 1, x)
    w[2] = w[1] * x
    return np.sum(bump(w, 3, x) * v)


case(returns_what_it_wrote, u4, 0.7)


def maybe_writes(v, c):
    if c > 0.0:
        v[0] = c
        return v
    return v * c


def sometimes_written(u, x):
    v = u * 2.0
    a = maybe_writes(v, x)
    b = maybe_writes(v, -x)
    a[1] = 3.0 * x
    return np.sum(v * b) + a[1]


case(sometimes_written, u4, 0.7)


def put(xs, d, o, v):
    xs.append(v)
    d["v"] = xs[0] * v
    o[0][1] = v
    return xs


def writes_three_kinds(x, y):
    xs, d, o = [x], {}, [[1.0, 2.0]]
    a = put(xs, d, o, y)
    put(a, d, o, x * y)
    return sum(xs) * d["v"] * o[0][1]


case(writes_three_kinds, 0.7, 1.3)


def rebinds_only(v, xs, c):
    v = v * c
    xs = xs + [c]
    return np.sum(v) * len(xs)


def parameters_rebound(u, x):
    v, xs = u * x, [x]
    a = rebinds_only(v, xs, x)
    return a * np.sum(v) * len(xs)


case(parameters_rebound, u4, 0.7)


def augmented(v, c):
    v += c
    return v


def number_or_array(u, x):
    a, v = x, u * x
    b = augmented(a, 2.0)
    w = augmented(v, 2.0)
    return a * b + np.sum(w * v)


case(number_or_array, u4, 0.7)


buffer = np.zeros(3)


def fills(x, k):
    buffer[k] = x * k
    return buffer


def global_buffer_returned(x):
    fills(x, 0)
    fills(x, 1)
    a = fills(x * x, 2)
    s = np.sum(a)
    a[0] = 5.0
    return s * buffer[0] * buffer[2]


case(global_buffer_returned, 0.7)


def in_place_twice(u, x):
    v = u.copy()
    bump(v, 1, x)
    a = v[1]
    bump(v, 1, a)
    return a * v[1]


case(in_place_twice, u4, 0.7)


def recursive_writer(v, k, c):
    if k < len(v):
        v[k] = v[k] + c * v[k - 1]
        recursive_writer(v, k + 1, c)
        v[0] += v[k]


def writes_on_the_way_back(u, x):
    v = u.copy()
    recursive_writer(v, 1, x)
    return np.sum(v * v)


case(writes_on_the_way_back, u4, 0.7)


def reduced(x, y):
    return functools.reduce(operator.mul, [x, y, x]) + functools.reduce(
        lambda a, b: a * y + b, [x, y, 2.0], 1.0)


case(reduced, 0.7, 1.3)


def operators_as_functions(x, y):
    return operator.add(x, operator.mul(y, x)) * operator.pow(y, 2) - operator.neg(
        operator.truediv(x, y)) * operator.itemgetter(1)([x, y])


case(operators_as_functions, 0.7, 1.3)


def several_results(x, y):
    a, (b, *rest), d = results(x, y)
    return a * b * rest[-1] + d["k"] * results(y, x)[0]


def results(x, y):
    return x * y, [x, y, x + y], {"k": x * x}


case(several_results, 0.7, 1.3)


def result_ignored(x):
    results(x, x)
    math.sin(x)
    [x, x * x]
    return x * x


case(result_ignored, 0.7)


def nothing_returned(v):
    v[0] = 2.0 * v[1]


def none_is_returned(u):
    v = u.copy()
    r = nothing_returned(v)
    return np.sum(v * v) if r is None else 0.0


case(none_is_returned, u4)


def takes_any(q):
    if callable(q):
        return q(2.0)
    if isinstance(q, dict):
        return sum(takes_any(p) for p in q.values())
    if isinstance(q, (list, tuple)):
        return sum(map(takes_any, q))
    return np.sum(q) if isinstance(q, np.ndarray) else q


def many_kinds(u, x):
    return takes_any({"a": [x, (u, 2)], "b": lambda v: v * x}) * takes_any(u * x)


case(many_kinds, u4, 0.7)


def same_array_twice(u, x):
    return joined(u, u, x) + joined(u[1:], u[:-1], x)


def joined(a, b, c):
    return np.sum(a * b[::-1]) * c


case(same_array_twice, u4, 0.7)


def module_function_chosen(x, y):
    f = [math.sin, np.cos, abs, float][1 if y > x else 0]
    return f(x) * getattr(math, "exp")(y)


case(module_function_chosen, 0.7, 1.3)
