"""Lists and tuples of the keys of a dict that is found outside: tables of constants."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.held_to_both import X, is_by_names, is_right

GIBBS = {"H2O": 1.5, "H2": 0.5, "OH": 2.0}
SPECIES = {"H2O": dict(H=2, O=1, g=-1.5), "H2": dict(H=2, O=0, g=0.0)}


def a_list(x):
    names = list(GIBBS)
    g = np.array([GIBBS[name] for name in names])
    return np.sum(g * x[:len(names)] ** 2)


def a_tuple(x):
    names = tuple(GIBBS)
    total = 0.0
    for k, name in enumerate(names):
        total += GIBBS[name] * x[k] ** 2
    return total * len(names)


def a_table(x):
    """Elements of species, and results by the names of these."""
    names = list(SPECIES)
    a = np.array([[SPECIES[s][e] for e in ("H", "O")] for s in names], dtype=float)
    g = np.array([SPECIES[s]["g"] for s in names])
    n = np.exp(a @ x[:2] - g)
    share = dict(zip(names, n / n.sum()))
    return share["H2"] * x[2] + share["H2O"]


def a_list_that_changes(x):
    names = list(GIBBS)
    names.reverse()
    names.append("H2")
    last = names.pop()
    return GIBBS[last] * x[0] + GIBBS[names[0]] * x[1] ** 2


def keys_put_in_later(x):
    made = {}
    for name, v in zip("ab", x):
        made[name] = v * v
    names = list(made)
    made["c"] = 2.0 * x[0]
    return sum(made[name] for name in names) + len(names) * x[1] + made["c"]


def no_keys(x, table=None):
    table = {} if table is None else table
    return x[0] * x[1] + sum(table[key] * x[1] for key in list(table))


@pytest.mark.parametrize("f", [a_list, a_tuple, a_table, a_list_that_changes, keys_put_in_later,
                               no_keys])
def test_such_functions(f):
    is_right(f)
    is_by_names(f)


def test_the_keys_are_those_of_the_call():
    gradients = [tl.grad(a_list), tl.grad(a_tuple)]
    before = dict(GIBBS)
    try:
        for change in (lambda: GIBBS.update(OH=7.0), lambda: GIBBS.pop("H2"),
                       lambda: GIBBS.update(N2=3.0, O2=4.0), GIBBS.clear):
            change()
            for function, gradient in zip((a_list, a_tuple), gradients):
                want = [(function(X + 1e-6 * e) - function(X - 1e-6 * e)) / 2e-6
                        for e in np.eye(len(X))]
                np.testing.assert_allclose(gradient(X), want, rtol=1e-7, atol=1e-8)
    finally:
        GIBBS.clear()
        GIBBS.update(before)
