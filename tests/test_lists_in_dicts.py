"""Lists in dicts that grow, `groups[k].append(v)`, by names where the list has no other name."""
import math
from collections import defaultdict

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import refused_by_names
from tests.held_to_both import X, is_by_names, is_right


def set_where_missing(x):
    g, s = {}, 0.0
    for i in range(len(x)):
        g.setdefault(i % 3, []).append(x[i] ** 2)
    for k in g:
        s = s * x[0] + sum(g[k]) / len(g[k])
    for k, vs in g.items():
        for v in vs:
            s += v * k * v
    return s


def of_defaultdict(x):
    g, s = defaultdict(list), 0.0
    for i in range(len(x)):
        g[(i * 2) % 5].append(x[i] * x[0])
    for k in sorted(g):
        s = s * x[1] + max(g[k]) * g[k][0] + g[k][-1]
    first = len(g)
    s += sum(g[77])
    return s * first + len(g) * x[2]


def made_by_a_branch(x):
    g = {}
    for i in range(len(x)):
        k = i % 3
        if k not in g:
            g[k] = []
        g[k].append(x[i])
    return sum(sum(v * v for v in vs) * k for k, vs in g.items())


def written_out(x):
    g = {0: [], 1: [], 2: []}
    for i in range(len(x)):
        g[i % 3].append(x[i] ** 2)
    return sum(sum(v) * k for k, v in g.items())


def made_anew(x):
    g = defaultdict(list)
    for t in range(2):
        g = defaultdict(list)
        for i in range(len(x)):
            g[i % 3].append(x[i] * (t + 1))
    s = 0.0
    for v in g.values():
        s += sum(v) * v[0]
    return s


def read_meanwhile(x):
    g, s = defaultdict(list), 0.3
    for _ in range(3):
        for i in range(3):
            g[i].append(x[i] * s)
        for k, v in g.items():
            s = math.sin(s + sum(v) * k + v[-1])
    return s


def running(x):
    g, s = defaultdict(list), 0.0
    for i in range(len(x)):
        g[i % 2].append(x[i])
        s += sum(g[i % 2]) ** 2 * len(g[i % 2])
    return s


def pairs(x):
    g, s = defaultdict(list), 0.0
    for i in range(len(x)):
        g["ab"[i % 2]].append((x[i], x[i] * x[0]))
    for k in g:
        for a, b in g[k]:
            s += a * b * b
    return s


def arrays(x):
    g, s = defaultdict(list), 0.0
    for i in range(4):
        g[i % 2].append(x * x[i])
    for k, vs in g.items():
        for v in vs:
            s += np.sum(v * v) * (k + 1)
    return s


def within_groups(x):
    g = defaultdict(list)
    for i in range(len(x)):
        g[i % 3].append(x[i])
    means = {k: sum(v) / len(v) for k, v in g.items()}
    return sum(sum((u - means[k]) ** 2 for u in v) for k, v in g.items())


def put(g, k, v):
    g[k].append(v)


def grouped(x):
    g = defaultdict(list)
    for i in range(len(x)):
        put(g, i % 3, x[i] ** 2)
    return g


def by_helpers(x):
    g, h = grouped(x), grouped(x * x)
    return sum(sum(g[k]) * sum(h[k]) for k in g) + len(g[5]) + len(g) * x[0]


def of_whole_numbers(x):
    g = defaultdict(list)
    for i in range(len(x)):
        g[i % 3].append(i)
    return sum(x[j] * x[k] for k in g for j in g[k])


def graph(x):
    near, d = {}, {0: 0.0}
    for i in range(6):
        near.setdefault(i % 3, []).append((i, x[i]))
        near.setdefault(i, []).append((i % 3, x[i] * x[0]))
    for _ in range(3):
        for k in list(d):
            for j, w in near[k]:
                d[j] = d.get(j, 0.0) + w * w + d[k] * 0.1
    return sum(d.values())


def ranks(x):
    near, rank = {0: [1, 2], 1: [2], 2: [0]}, {}
    for i in range(3):
        rank[i] = x[i]
    for _ in range(5):
        new = {}
        for k in rank:
            new[k] = 0.15
        for k in rank:
            for j in near[k]:
                new[j] += 0.85 * rank[k] / len(near[k]) * x[3]
        rank = new
    return sum(v * v * (k + 1) for k, v in rank.items())


BY_NAMES = [set_where_missing, of_defaultdict, made_by_a_branch, written_out, made_anew,
            read_meanwhile, running, pairs, arrays, within_groups, by_helpers, of_whole_numbers,
            graph, ranks]


# Not by names -------------------------------------------------------------------------------------
def one_list_at_several_keys(x):
    g, shared = {}, []
    for i in range(3):
        g[i] = shared
    for i in range(len(x)):
        g[i % 3].append(x[i])
    return sum(g[0][i] * x[i] for i in range(7)) + len(g[1])


def with_another_name(x):
    g = {}
    for i in range(3):
        g[i] = [x[0]]
    first = g[0]
    for i in range(len(x)):
        g[i % 3].append(x[i])
    return sum(first) * g[0][-1]


def in_another_dict(x):
    g, h = {}, {}
    for i in range(3):
        g[i] = [x[0]]
    for k in g:
        h[k] = g[k]
    for i in range(len(x)):
        g[i % 3].append(x[i])
    return sum(h[0]) * h[1][-1]


def named_before_it_grows(x):
    g, s, last = {}, 0.3, [x[0]]
    for i in range(3):
        g[i] = [x[i]]
    for t in range(4):
        s = math.sin(s + sum(last) * last[0])
        last = g[t % 3]
        g[t % 3].append(s * x[t])
    return s


def taken_from(x):
    g, s = defaultdict(list), 0.0
    for i in range(len(x)):
        g[i % 3].append(x[i])
    for k in g:
        while g[k]:
            s = s * 0.9 + g[k].pop() * x[k]
    return s


def element_written(x):
    g = defaultdict(list)
    for i in range(len(x)):
        g[i % 3].append(x[i])
    for k in g:
        g[k][0] = x[5] * x[k]
    return sum(v[0] * v[1] for v in g.values())


OTHERS = [one_list_at_several_keys, with_another_name, in_another_dict, named_before_it_grows,
          taken_from, element_written]


@pytest.mark.parametrize("function", [*BY_NAMES, *OTHERS])
def test_right(function):
    is_right(function)


@pytest.mark.parametrize("function", BY_NAMES)
def test_by_names(function):
    # A pullback would make the dict again.
    is_by_names(function, with_pullback=function is not by_helpers)


@pytest.mark.parametrize("function", OTHERS)
def test_not_by_names(function):
    refused_by_names(tl.TangentError, function, X)


@pytest.mark.parametrize("function", [*BY_NAMES, *OTHERS])
@pytest.mark.sweep(5)
def test_second_order(function):
    tl.check_grads(function, (X,), order=2)


def test_the_text():
    text = tl.grad(set_where_missing).source_for(X)
    assert "del bg[t][-1]" in text and "g[t].append(x[i] ** 2)" in text


def test_a_key_that_is_not_there():
    def f(x):
        g = {}
        for i in range(2):
            g[i] = []
        for i in range(3):
            g[i].append(x)
        return sum(g[0])

    for call in (f, tl.grad(f)):
        with pytest.raises(KeyError, match="2"):
            call(2.0)


def test_what_is_returned_beside():
    def f(x):
        g = grouped(x)
        return sum(sum(v) ** 2 for v in g.values()), g

    gradient, aux = tl.grad(f, has_aux=True)(X)
    assert type(aux) is defaultdict and aux == f(X)[1]
    (value, aux), again = tl.value_and_grad(f, has_aux=True)(X)
    assert aux == f(X)[1] and value == f(X)[0]
    np.testing.assert_array_equal(gradient, again)
