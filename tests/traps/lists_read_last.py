"""Traps of lists that change after they were last read, or are read last before they change."""
import numpy as np

from tests.traps.case import case


def last_taken_out(a, x):
    xs = [x[0], x[1] * a]
    last = xs.pop()
    return last * a


case(last_taken_out, 0.7, np.array([1.3, 0.4, -0.8]))


def first_and_last_taken_out(a, x):
    xs = [x[0], x[1] * a, a]
    last = xs.pop()
    first = xs.pop(0)
    return last * first


case(first_and_last_taken_out, 0.7, np.array([1.3, 0.4, -0.8]))


def grown_on_both_ends(a, x):
    xs = []
    for v in x:
        xs.append(v * a)
    xs.append(a)
    t = xs.pop()
    xs.insert(0, t)
    xs.append(a * a)
    return sum(xs[:2]) * t


case(grown_on_both_ends, 0.7, np.array([1.3, 0.4, -0.8]))


def emptied_and_grown(a, x):
    xs = [v * a for v in x]
    s = sum(xs)
    while xs:
        t = xs.pop()
        s = s + t * t
    xs.append(a)
    return s


case(emptied_and_grown, 0.7, np.array([1.3, 0.4, -0.8]))


def keys_added_after_use(a, x):
    d = {}
    s = 0.0
    for k in range(3):
        d[f"k{k}"] = x[k] * a
    s = d["k1"] * 2.0
    d["z"] = a
    return s


case(keys_added_after_use, 0.7, np.array([1.3, 0.4, -0.8]))


def set_and_inserted_after_use(a, x):
    xs = [v * a for v in x]
    xs[0] = a
    s = xs[1]
    xs.insert(1, s)
    xs[2] = s * s
    return s + xs[2]


case(set_and_inserted_after_use, 0.7, np.array([1.3, 0.4, -0.8]))


def grown_in_a_branch(a, x):
    xs = []
    if a > 0:
        xs.append(a)
        xs.append(x[0])
        y = xs.pop()
        s = y * a
        xs.append(s)
    else:
        s = a
    return s * x[1]


case(grown_in_a_branch, 0.7, np.array([1.3, 0.4, -0.8]))


def shortened_in_some_steps(a, x):
    xs = [x[0]]
    s = a
    for i in range(3):
        xs.append(s * x[i])
        if i == 1:
            s = s + xs.pop()
    xs.append(s)
    return s


case(shortened_in_some_steps, 0.7, np.array([1.3, 0.4, -0.8]))


def read_only_adjoint(a, q):
    a1 = np.outer(q, q)
    k = np.arange(2)
    a1[k, k] = a
    return np.sum(a1 * 1.0)


case(read_only_adjoint, 0.7, np.array([1.0, 2.0]))


def last_read_before_append(a, x):
    v = [a, x[1]]
    y = v[-1]
    v.append(a)
    return y * y


case(last_read_before_append, 0.7, np.array([1.5, -0.4]))


def last_read_before_pop(a, x):
    v = [a, x[1], a * x[0]]
    y = v[-2]
    v.pop()
    v.insert(0, y)
    return y * v[-1]


case(last_read_before_pop, 0.7, np.array([1.5, -0.4]))


def last_read_before_a_branch(a, x):
    v = [a, x[0]]
    s = 0.0
    if a > 0.0:
        s = v[-1] * 2.0
        v.append(a)
    return s * v[0]


case(last_read_before_a_branch, 0.7, np.array([1.5, -0.4]))


def end_read_before_extend(a, x):
    v = [a, x[1]]
    y = sum(v[-2:])
    v.extend([a, a])
    return y * y


case(end_read_before_extend, 0.7, np.array([1.5, -0.4]))


def rebuilt_and_grown(c):
    costs = [c, c * c]
    costs = [p for p in costs]
    costs += [5]
    return sum(costs) * costs[0]


case(rebuilt_and_grown, 0.7)
