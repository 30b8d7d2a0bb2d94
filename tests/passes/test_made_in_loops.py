"""Functions that are made in loops and kept in lists go by names, where nobody sees them."""
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.emit import emit
from tangent_lite.names import Names
from tangent_lite.passes.made_in_loops import made_in_loops
from tangent_lite.syntax import all_names
from tests.numbers_and_a_list import agrees, is_by_names, slope
from tests.passes import functions_in_lists, functions_seen

KS = [0.55 + 0.1 * i for i in range(6)]


@pytest.mark.parametrize("f", functions_in_lists.PROGRAMS, ids=lambda f: f.__name__)
def test_by_names(f):
    assert is_by_names(f, 1.1, KS)
    agrees(f, 1.1, KS)
    assert np.isclose(tl.grad(tl.grad(f))(1.1, KS), slope(
        lambda x, ks: tl.grad(f)(x, ks), [1.1, *KS], 0), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("f", functions_in_lists.PROGRAMS, ids=lambda f: f.__name__)
def test_other_arguments_afterwards(f):
    """Also of another length: what is held is no part of the text."""
    d = tl.grad(f)
    for x, ks in ((1.1, KS), (0.7, KS[1:]), (1.3, [*KS, 1.7, 0.35]), (1.1, KS)):
        assert np.isclose(d(x, ks), slope(f, [x, *ks], 0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", functions_seen.PROGRAMS, ids=lambda f: f.__name__)
def test_by_identity(f):
    assert not is_by_names(f, 1.1, KS)
    agrees(f, 1.1, KS)


def test_mistakes_are_those_of_the_function():
    def out_of_range(x, ks):
        fs = [lambda v, k=k: v * k for k in ks]
        return fs[99](x)

    def out_of_range_and_nothing_held(x, ks):
        fs = [lambda v: v * k for k in ks]
        g = fs[99]
        return g(x)

    def out_of_range_and_given(x, ks):
        fs = [lambda v, k=k: v * k for k in ks]
        return fs[99](x, k=2.0)

    def one_too_many(x, ks):
        fs = [lambda v, k=k: v * k for k in ks]
        return sum(g(x, x, x) for g in fs)

    for f, error in ((out_of_range, IndexError), (out_of_range_and_given, IndexError),
                     (out_of_range_and_nothing_held, IndexError), (one_too_many, TypeError)):
        for function in (f, tl.grad(f)):
            with pytest.raises(error):
                function(1.1, KS)


def test_a_function_of_the_module_that_is_replaced(monkeypatch):
    def made(x, ks):
        fs = [functions_in_lists.gmake(k) for k in ks]
        gs = [make_here(k) for k in ks]
        return sum(g(x) for g in fs) * sum(g(x) for g in gs)

    agrees(made, 1.1, KS)
    assert is_by_names(made, 1.1, KS)
    d = tl.grad(made)
    d(1.1, KS)
    monkeypatch.setitem(globals(), "make_here", lambda k: lambda v: v * v * k)
    assert np.isclose(d(1.1, KS), slope(made, [1.1, *KS], 0))


def make_here(k):
    return lambda v: k / v


def test_it_reads_as_by_hand():
    tree = gast.parse("""
def f(x, ks):
    fs = [lambda v: v * k for k in ks if k > 0.0]
    table = {}
    for k in ks:
        def one(v, k=k, *, p=2.0):
            return v * k ** p
        j = k
        table[k] = one
    return sum(g(x) for g in fs) + table[1](x, p=3.0)
""").body[0]
    made = made_in_loops(tree, Names(all_names(tree)), lambda node: None)
    assert emit(made) == """\
def f(x, ks):
    def one_1(v, k, *, p):
        return v * k ** p
    def lambda_(v):
        return v * k_1
    fs = []
    for k_1 in ks:
        if k_1 > 0.0:
            fs.append(None)
    table = {}
    for k in ks:
        one_k = k
        j = k
        table[k] = one_k
    return sum(lambda_(x) for g in fs) + one_1(x, p=3.0, k=table[1])
"""


def test_nothing_is_done_where_nothing_is_called():
    tree = gast.parse("def f(x, ks):\n    fs = [lambda v, k=k: v * k for k in ks]\n"
                      "    return len(fs) * x").body[0]
    assert made_in_loops(tree, Names(all_names(tree)), lambda node: None) is tree
