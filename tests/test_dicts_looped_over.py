"""Loops over dicts whose keys are computed, by names, and held to the other strategy and to
differences; what must not go by names, as the dict changes its size meanwhile or the keys vary."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, refused_by_names
from tests.held_to_both import X, is_by_names, is_right


def by_keys(x):
    g = {}
    for i in range(len(x)):
        k = (2 * i) % 5
        if k not in g:
            g[k] = 0.0
        g[k] += x[i] ** 2
    s = 0.0
    for k in g:
        s = s * x[0] + g[k] ** 2 * (k + 1)
    return s


def by_values(x):
    g = {}
    for i in range(len(x)):
        g[(i * 2) % 5] = x[i] * x[0]
    s = 1.0
    for v in g.values():
        s = s * 0.5 + v * s
    return s + sum(v * v for v in g.values()) * max(g.values())


def by_items(x):
    g = {}
    for i in range(len(x)):
        g[i % 2, i % 3] = x[i] * x[0]
    s = 0.0
    for (a, b), v in g.items():
        s = s * x[1] + v * v * (a - b)
    for item in g.items():
        s = s * 0.9 + item[1] * item[0][1]
    return s


def used_up(x):
    g = {}
    for i in range(len(x)):
        g[(i * 3) % 4] = x[i] * x[1]
    keys, values, items = list(g), list(g.values()), list(g.items())
    s = sum(g) * x[0] + max(g) * x[1] + len(g) * min(g.values())
    for k in sorted(g, reverse=True):
        s = s * x[2] + g[k] * k
    for n, (k, v) in enumerate(items):
        s = s * x[1] + v * v * k * n + values[n] * keys[n]
    return s


def texts(x):
    g = {"a": 0.0, "b": 1.0}
    for i in range(len(x)):
        g["abc"[i % 3]] = g.get("abc"[i % 3], x[0]) + x[i] ** 2
    s = 0.0
    for k, v in g.items():
        if k == "b":
            continue
        s = s * x[0] + v * v
        if s > 50.0:
            break
    return s


def literal_keys(x):
    g = {0: 0.0, 1: 0.0, 2: 0.0}
    for i in range(len(x)):
        g[i % 3] += x[i] ** 2
    return sum(k * v ** 2 for k, v in g.items())


def changed_meanwhile(x):
    g = {}
    for i in range(len(x)):
        g[i % 3] = x[i] * x[0]
    for n in range(3):
        for k in g:
            g[k] *= x[n]
        for k, v in g.items():
            g[k] = v * v + x[k]
    return sum(g.values())


def loop_in_a_loop(x):
    g = {}
    for i in range(len(x)):
        g[i % 3] = x[i] * x[0]
    s = 0.0
    for a, v in g.items():
        for b in g:
            if a < b:
                s += v * g[b] * (a + 2 * b)
    return s


def grows_each_step(x):
    g, s = {}, 0.0
    for i in range(len(x)):
        g[(i * i) % 5] = x[i]
        for k, v in g.items():
            s = s * 0.9 + v * v * k
    return s


def order_of_the_values(x):
    g = {}
    for i in range(len(x)):
        if x[i] > 0.0:
            g[i] = x[i]
    for i in range(len(x)):
        if i not in g:
            g[i] = x[i] * x[0]
    s = 0.0
    for k in g:
        s = s * 0.5 + g[k] * s + k * x[1]
    return s


def comprehended(x):
    g = {}
    for i in range(len(x)):
        g[i % 3] = x[i] * x[0]
    h = {k: v * v for k, v in g.items() if v > 0.0}
    again = {k: 2.0 * h[k] for k in h}
    return sum([v * k for k, v in h.items()]) + sum(again[k] * g[k] for k in again)


def copied(x):
    g = {}
    for i in range(len(x)):
        g[i % 3] = x[i] * x[0]
    h, e = g.copy(), dict(g)
    h[0], e[5] = x[1], x[2] * x[1]
    s = 0.0
    for k in e:
        s = s * x[0] + e[k] * h.get(k, 1.0) + g.get(k, x[3])
    return s


def empty(x):
    g = {}
    for i in range(len(x)):
        if x[i] > 10.0:
            g[i] = x[i]
    s = x[0]
    for k, v in g.items():
        s += k * v
    return s * x[1] + sum(g.values())


def got(x):
    g, s = {}, 0.0
    for i in range(len(x)):
        v = g.get(i % 3)
        if v is None:
            v = x[i]
        else:
            v = v * x[i]
        g[i % 3] = v
        s += v * v
    return s


def set_where_missing(x):
    g, s = {}, 0.0
    for i in range(len(x)):
        v = g.setdefault(i % 3, x[i] * x[0])
        g.setdefault(5, 0.0)
        g[5] += v * x[i]
        s += v
    return s * g[5] + sum(g.values())


def add(d, k, v):
    d[k] = d.get(k, 0.0) + v


def changed_by_a_helper(x):
    g = {}
    for i in range(len(x)):
        add(g, i % 3, x[i] ** 2)
    return total(g) * x[1]


def total(d):
    s = 0.0
    for k, v in d.items():
        s += v * v * k
    return s


def made_by_a_helper(x):
    def build(y):
        d = {}
        for i in range(len(y)):
            d[i % 2] = y[i] * y[0]
        return d
    a, b, s = build(x), build(x * x), 0.0
    for k in a:
        s += a[k] * b[k]
    return s


def arrays(x):
    g, s = {}, 0.0
    for i in range(3):
        g[i] = x * x[i]
    for k, v in g.items():
        s += np.sum(v * v) * k
    return s


def rows(x):
    v = {}
    for i in range(3):
        v[i % 3] = x[i]
    for _ in range(4):
        new = {}
        for k in v:
            new[k] = math.sin(v[k]) + x[3] * v[(k + 1) % 3]
        v = new
    return sum(v.values())


def by_its_length(x):
    g = {}
    while len(g) < 6:
        g[len(g)] = x[len(g)] * x[0]
    for i in range(7):
        g[len(g) % 4] = x[i] * g[0]
    return sum(v * k * v for k, v in g.items())


def by_another(x):
    g, after = {0: x[0]}, {0: 1, 1: 2, 2: 0}
    for i in range(7):
        g[after[i % 3]] = x[i] * g[0]
    return sum(v * k * v for k, v in g.items())


def counts(x):
    n, s = {}, 0.0
    for i in range(len(x)):
        if i % 3 not in n:
            n[i % 3] = 1
        elif i > 4:
            n[i % 3] = n[i % 3] + 2
        s = s * 0.9 + x[i] ** 2 / n[i % 3]
    for k in n:
        s = s * x[0] + x[k] ** n[k]
    return s


def distances(x):
    far = {k: 1e9 for k in range(4)}
    far[0] = 0.0 * x[0]
    for _ in range(3):
        for a, b, w in [(0, 1, x[1] ** 2), (0, 2, x[2] ** 2), (1, 3, x[3] ** 2), (2, 3, x[4] ** 2)]:
            if far[a] + w < far[b]:
                far[b] = far[a] + w
    return far[3] * far[2]


def by_pairs(x):
    g = {}
    for i in range(len(x)):
        g[i % 3, i % 2] = g.get((i % 3, i % 2), 0.0) + x[i]
        g.setdefault((i % 2, 7), x[i])
    return sum(v * v * i + j * v for (i, j), v in g.items())


BY_NAMES = [distances, by_pairs,
            by_its_length, by_another, counts, by_keys, by_values, by_items, used_up, texts,
            literal_keys, changed_meanwhile,
            loop_in_a_loop, grows_each_step, order_of_the_values, comprehended, copied, empty, got,
            set_where_missing, changed_by_a_helper, made_by_a_helper, arrays, rows]


# Not by names -------------------------------------------------------------------------------------
def gets_a_key(x):
    g, s = {}, 0.0
    for i in range(4):
        g[i] = x[i]
    for k in g:
        if k == 3:
            g[9] = x[0]
            break
        s += g[k]
    return s + sum(g.values())


def another_key(x):
    g, s = {}, 0.0
    for i in range(4):
        g[i] = x[i]
    for k in g:
        k = (k + 1) % 4
        g[k] = g[k] * x[5]
        s += g[k]
    return s


def deleted(x):
    g, s = {}, 0.0
    for i in range(5):
        g[i] = x[i] * x[0]
    del g[1]
    g[1] = x[6] * x[1]
    s += g.pop(0)
    for k in g:
        s = s * x[2] + g[k] * k
    return s


def bound_anew(x):
    g, s = {}, 0.0
    for i in range(4):
        g[i] = x[i]
    for k, v in g.items():
        g = {}
        g[0] = x[0]
        s += v * g[0] * k
    return s


def view_that_is_kept(x):
    g = {}
    for i in range(4):
        g[i] = x[i]
    values = g.values()
    g[1] = x[5] * x[6]
    g[7] = x[4] ** 2
    return sum(v * v for v in values)


def view_read_twice(x):
    g, s = {}, 0.0
    for i in range(4):
        g[i] = x[i]
    values = g.values()
    for v in values:
        s += v
    g[3] = x[5] ** 2
    return s * sum(values)


def two_names(x):
    g, s = {}, 0.0
    for i in range(4):
        g[i] = x[i]
    h = g
    for k in g:
        h[k] = x[5] * x[k]
        s += g[k] ** 2
    return s


def arrays_in_place(x):
    g = {}
    for i in range(3):
        g[i] = x * x[i]
    for v in g.values():
        v *= x[0]
    return sum(np.sum(v * v) * k for k, v in g.items())


OTHERS = [gets_a_key, another_key, deleted, bound_anew, view_that_is_kept, view_read_twice,
          arrays_in_place]
BY_NAMES.append(two_names)     # one of which is left


@pytest.mark.parametrize("function", [*BY_NAMES, *OTHERS])
def test_right(function):
    is_right(function)


@pytest.mark.parametrize("function", BY_NAMES)
def test_by_names(function):
    is_by_names(function)


@pytest.mark.parametrize("function", OTHERS)
def test_not_by_names(function):
    refused_by_names(tl.TangentError, function, X)


@pytest.mark.parametrize("function", [*BY_NAMES, *OTHERS])
@pytest.mark.sweep(8)
def test_second_order(function):
    tl.check_grads(function, (X,), order=2)


def test_the_text():
    assert "keys = list(g)" in tl.grad(by_keys).source_for(X)


def test_a_size_that_changes_is_an_error_still():
    def f(x):
        g = {}
        for i in range(3):
            g[i] = x
        for k in g:
            g[k + 1] = x * x
        return g[0]

    for call in (f, tl.grad(f), lambda x: tl.jvp(f, (x,), (1.0,))):
        with pytest.raises(RuntimeError, match="changed size"):
            call(2.0)


def test_a_key_that_is_not_there():
    def f(x, n):
        g = {}
        for i in range(3):
            g[i] = x * i
        return g[n] * x

    for call in (f, tl.grad(f)):
        assert call(2.0, 1) > 0.0
        with pytest.raises(KeyError, match="5"):
            call(2.0, 5)


TEXTS = ["g[f'{x:.9f}'] = x", "g[str(float(x))] = x", "k = str(float(x)); g[k] = x",
         "g['0' + repr(float(x))] = x", "g[float(x)] = x", "g[x] = x", "g[x, 1] = x"]


@pytest.mark.parametrize("fill", TEXTS)
def test_keys_that_vary(fill, tmp_path, monkeypatch):
    path = tmp_path / f"keys_that_vary_{TEXTS.index(fill)}.py"
    lines = "".join(f"        {part}\n" for part in fill.split("; "))
    path.write_text("def f(x):\n    g = {}\n    for i in range(2):\n" + lines + "    s = 0.0\n"
                    "    for k, v in g.items():\n        s += v * float(k)\n    return s\n")
    monkeypatch.syspath_prepend(tmp_path)
    f = __import__(path.stem).f
    with pytest.raises((tl.TangentError, TypeError)):
        tl.grad(f)(1.5)


def test_written_by_a_key_that_is_written_out_first():
    """The rest of the dict was lost on the way back."""
    def f(x):
        d = {"a": x, "b": x * x}
        d["b"] = x ** 3
        for i in range(2):
            d["ab"[i % 2]] = d["a"] * x + d["b"]
        return d["a"] + d["b"]

    tl.check_grads(f, (1.3,))


def test_arguments():
    def f(p, n):
        total = 0.0
        for i in range(n):
            p["ab"[i % 2]] = p["a"] * p["b"] + i
        for k, v in p.items():
            total += v * v
            p[k] = v * 2.0
        return total + sum(p.values())

    p = {"a": 0.3, "b": 0.7}
    slope = tl.grad(f)(p, 3)
    assert p == {"a": 0.3, "b": 0.7} and list(slope) == ["a", "b"]
    tl.check_grads(lambda a, b: f({"a": a, "b": b}, 3), (0.3, 0.7), order=1)
    with by_identity():
        assert tl.grad(f)(p, 3) == pytest.approx(slope)
