"""np.matrix, for which * is another product: what makes one is refused unless it becomes an array
at once; and classes of the user's own that have a method by the name of one of scipy.sparse."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.errors import MissingRuleError, UnsupportedSyntaxError
from tests.heap.forced import by_identity

sp = pytest.importorskip("scipy.sparse")

DENSE = np.arange(16.0).reshape(4, 4) - 5.0
OLD, NEW = sp.csr_matrix(DENSE), sp.csr_array(DENSE)
X = np.arange(4.0) + 1.0


def made_by_numpy(x):
    return (np.asmatrix(DENSE) * np.outer(x, x))[0, 0]


def made_of_blocks(x):
    return (np.bmat([[DENSE[:2]], [DENSE[2:]]]) * np.outer(x, x))[0, 0]


def made_dense(x):
    matrix = OLD.todense()
    return (matrix * np.outer(x, x))[0, 0]


def summed(x):
    return (OLD.sum(axis=0) * np.outer(x, x))[0, 0]


def averaged(x):
    return (OLD.mean(axis=0) * np.outer(x, x))[0, 0]


def with_an_array(x):
    return ((OLD + DENSE) * np.outer(x, x))[0, 0]


def of_its_class(x):
    return (np.array(OLD.todense(), subok=True) * np.outer(x, x))[0, 0]


def read_twice(x):
    matrix = OLD.todense()
    return np.sum(np.asarray(matrix) @ x) + (matrix * np.outer(x, x))[0, 0]


@pytest.mark.parametrize("f", [made_by_numpy, made_of_blocks, made_dense, summed, averaged,
                               with_an_array, of_its_class, read_twice])
@pytest.mark.parametrize("derived", [
    lambda f: tl.grad(f)(X), lambda f: tl.jvp(f, (X,), (X,))], ids=["grad", "jvp"])
def test_refused(f, derived):
    with pytest.raises(UnsupportedSyntaxError) as error:
        derived(f)
    assert "np.asarray" in str(error.value)


def varying_sum(x):
    return np.sum(np.asarray(sp.diags(x) + DENSE) * DENSE)


def varying_total(x):
    return np.sum(np.asarray(sp.diags(x).sum(axis=0)) * DENSE)


def varying_mean(x):
    return np.sum(np.asarray(sp.diags(x).mean(axis=0)) * DENSE)


def varying_dense(x):
    return np.sum(np.asarray(sp.diags(x).todense()) * DENSE)


def varying_by_numpy(x):
    return np.sum(np.asarray(np.asmatrix(x)) * DENSE)


@pytest.mark.parametrize("f", [varying_sum, varying_total, varying_mean, varying_dense,
                               varying_by_numpy])
def test_what_varies_is_refused(f):
    with pytest.raises((UnsupportedSyntaxError, MissingRuleError)):
        tl.grad(f)(X)
    with pytest.raises((UnsupportedSyntaxError, MissingRuleError)):
        tl.jvp(f, (X,), (X,))


def plain(x):
    return np.sum(np.asarray(OLD.todense()) * np.outer(x, x))


def plain_behind_a_name(x):
    matrix, total = OLD.todense(), OLD.sum(axis=1)
    return np.sum(np.array(matrix) @ x ** 2) + np.sum(np.asarray(total).ravel() * x ** 3)


def arrays(x):
    return np.sum((NEW.todense() * np.outer(x, x))[0]) + np.sum(NEW.sum(axis=0) * x ** 2) \
        + np.sum(NEW.mean(axis=1) * x)


@pytest.mark.parametrize("f", [plain, plain_behind_a_name, arrays])
def test_slopes(f):
    step = 1e-6 * np.eye(4)
    expected = [(f(X + one) - f(X - one)) / 2e-6 for one in step]
    np.testing.assert_allclose(tl.grad(f)(X), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(tl.jvp(f, (X,), (X,))[1], np.dot(expected, X), rtol=1e-6)


class Graph:
    """Of the user: it can be made a sparse matrix."""

    def __init__(self, weights):
        self.weights = weights

    def tocsr(self):
        return sp.csr_matrix(np.diag(self.weights))


class Answers:
    """Of the user: an object that has an attribute by any name."""

    def __init__(self, value):
        self.value = value

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return 5.0


def of_graph(w):
    graph = Graph(w * 2.0)
    return np.sum(graph.weights ** 2)


def of_answers(w):
    one = Answers(w)
    return np.sum(one.value * one.other)


@pytest.mark.parametrize("f, expected", [(of_graph, 8.0 * X), (of_answers, np.full(4, 5.0))])
def test_objects_of_the_user(f, expected):
    np.testing.assert_allclose(tl.grad(f)(X), expected)
    with by_identity():
        np.testing.assert_allclose(tl.grad(f)(X), expected)
        np.testing.assert_allclose(tl.jvp(f, (X,), (X,))[1], np.dot(expected, X))


@pytest.mark.parametrize("made", [Graph, Answers])
def test_gradients_of_objects(made):
    def f(one):
        return np.sum(one.weights ** 2) if made is Graph else np.sum(one.value ** 2)
    name = "weights" if made is Graph else "value"
    gradient = tl.grad(f)(made(X))
    found = gradient[name] if isinstance(gradient, dict) else getattr(gradient, name)
    np.testing.assert_allclose(found, 2.0 * X)
