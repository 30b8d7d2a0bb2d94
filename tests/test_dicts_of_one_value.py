"""Dicts that have one value for all keys at first, and what is added to an item of a dict."""
import collections

import pytest

import tangent_lite as tl
from tests.numbers_and_a_list import agrees, is_by_names, slope

KS = [0.55 + 0.1 * i for i in range(6)]


def counted(x, ks):
    d = dict.fromkeys(range(3), 0.0)
    for i, k in enumerate(ks):
        d[i % 3] += x * k
    return sum(v * v for v in d.values())


def of_texts(x, ks):
    d = dict.fromkeys(["a", "b"], x)
    for i, k in enumerate(ks):
        n = "a" if i % 2 else "b"
        d[n] += d[n] * k * x
    return d["a"] * d["b"]


def made_where_missing(x, ks):
    d = collections.defaultdict(float)
    for i, k in enumerate(ks):
        d[i % 3] += x * k
        d[(i + 1) % 3] -= k * k
    return sum(v * v * n for n, v in d.items())


def of_ints(x, ks):
    d = dict.fromkeys(range(3), 0)
    for i, k in enumerate(ks):
        d[i % 3] += x * k
    return d[0] * d[1] + d[2]


def of_one_list(x, ks):
    w = [x]
    d = dict.fromkeys(["a", "b"], w)
    d["a"].append(x * 2.0)
    return sum(d["b"])


def of_each_other(x, ks):
    d = dict.fromkeys(range(2), x)
    for i, k in enumerate(ks):
        d[i % 2] += d[1 - i % 2] * k
        d[0] = d[0] + d[0]
    return d[0] * d[1]


def keys_that_repeat(x, ks):
    d = dict.fromkeys([int(10 * k) % 3 for k in ks], 1.0)
    for k in d:
        d[k] += x * k
        d[k] -= x * x
    return sum(d[k] ** 2 for k in d) * len(d)


def keys_written_twice(x, ks):
    d = dict.fromkeys(("a", "b", "a"), x)
    d["a"] += x * x
    return d["a"] * d["b"] * len(d)


def left_early(x, ks):
    d = dict.fromkeys(range(3), 0.0)
    for i, k in enumerate(ks):
        d[i % 3] += x * k
        if d[i % 3] > 1.3:
            break
        if i > 9:
            return d[0] * x
    return d[0] * d[1] + d[2] ** 2


def letters(x, ks):
    d = dict.fromkeys("abc", 0.0)
    for c in "abcab":
        d[c] += x * x
    return d["a"] * d["b"] * d["c"]


def set_in_between(x, ks):
    d = dict.fromkeys(range(3), x)
    for i, k in enumerate(ks):
        t = d[i % 3]
        d[i % 3] = k
        d[i % 3] = t + x * d[i % 3]
    return d[0] * d[1]


def deleted(x, ks):
    d = {}
    s = 0.0
    for i, k in enumerate(ks):
        if i % 4 == 0:
            d[i % 3] = k * x
        if i % 3 in d:
            d[i % 3] += x * k
            s += d[i % 3] ** 2
        if i % 5 == 4:
            d.pop(i % 3, None)
    return s + sum(d.values())


def of_nothing(x, ks):
    d = dict.fromkeys(range(3))
    for i in d:
        d[i] = x * i
    return sum(d.values())


def in_dicts(x, ks):
    d = {n: {"m": x, "q": 0.0} for n in range(3)}
    for i, k in enumerate(ks):
        d[i % 3]["q"] += d[i % 3]["m"] * k
    return sum(e["q"] ** 2 for e in d.values())


BY_NAMES = [
    counted, of_texts, made_where_missing, of_ints, of_one_list, of_each_other,
    keys_that_repeat, keys_written_twice, left_early, letters, set_in_between,
]


@pytest.mark.parametrize("f", BY_NAMES, ids=lambda f: f.__name__)
def test_by_names(f):
    assert is_by_names(f, 1.1, KS)
    agrees(f, 1.1, KS)
    hessian = tl.grad(tl.grad(f))(1.1, KS)
    assert hessian == pytest.approx(slope(tl.grad(f), [1.1, *KS], 0), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("f", [deleted, of_nothing, in_dicts], ids=lambda f: f.__name__)
def test_others(f):
    agrees(f, 1.1, KS)


def test_nothing_is_looked_for_where_a_number_is_added():
    """The key is there, or it could not have been read: the adjoint stays where it is."""
    text = tl.grad(counted).source_for(1.1, KS)
    assert "bx += bd[i % 3] * " in text
    assert text.count("zero_at(") == 1                      # where d is filled


def test_a_key_that_is_missing():
    def f(x, ks):
        d = dict.fromkeys(range(2), 0.0)
        for i, k in enumerate(ks):
            d[i % 3] += x * k
        return d[0]

    for function in (f, tl.grad(f)):
        with pytest.raises(KeyError):
            function(1.1, KS)


def test_another_fromkeys():
    def f(x, ks):
        class dict:
            @staticmethod
            def fromkeys(keys, value):
                return {0: 3.0 * value}
        return dict.fromkeys([0, 1], x)[0]

    assert tl.grad(f)(1.1, KS) == 3.0
