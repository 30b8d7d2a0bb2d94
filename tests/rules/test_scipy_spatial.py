"""scipy.spatial.distance: distances of points in rows, and of vectors."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check

distance = pytest.importorskip("scipy.spatial.distance")
rng = np.random.default_rng(4)
A, B = rng.uniform(0.1, 1.0, (3, 4)), rng.uniform(-1.0, 1.0, (2, 4))
U, V = rng.uniform(0.2, 1.0, 3), rng.uniform(-1.0, 1.0, 3)
METRICS = ["euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine", "correlation",
           "canberra", "braycurtis"]


@pytest.mark.parametrize("metric", METRICS)
def test_points_in_rows(metric):
    check(distance.cdist, A, B, metric, wrt=[0, 1])
    check(distance.cdist, A[:1], B, metric=metric, wrt=[0, 1])
    check(distance.cdist, A[::-1, ::2], B[:, 1::2], metric, wrt=[0, 1])
    check(distance.pdist, A, metric, wrt=[0])
    check(distance.pdist, B, metric=metric, wrt=[0])


def test_exponents():
    check(distance.cdist, A, B, "minkowski", p=3.0, wrt=[0, 1])
    check(distance.cdist, A, B, "minkowski", p=2.5, wrt=[0, 1])
    check(distance.pdist, A, "minkowski", p=3, wrt=[0])
    check(distance.minkowski, U, V, 3, wrt=[0, 1])


def test_functions_as_metrics():
    check(distance.cdist, A, B, distance.cosine, wrt=[0, 1])
    check(distance.pdist, A, distance.euclidean, wrt=[0])


@pytest.mark.parametrize("fun", [distance.euclidean, distance.sqeuclidean, distance.cityblock,
                                 distance.minkowski, distance.cosine])
def test_vectors(fun):
    check(fun, U, V, wrt=[0, 1])
    check(fun, U, V, wrt=[1])


def test_squares_of_pairs():
    pairs = rng.uniform(0.1, 1.0, 6)
    check(distance.squareform, pairs, wrt=[0])
    check(distance.squareform, pairs[:1], wrt=[0])
    symmetric = distance.squareform(pairs)
    check(distance.squareform, symmetric, checks=False, wrt=[0])


def test_points_that_coincide():
    """As the norm at zero, and the middle of the slopes of the absolute value."""
    def f(x):
        points = np.stack([x, x, 2.0 * x])
        return np.sum(distance.cdist(points, points)) + np.sum(distance.pdist(points, "cityblock"))
    x = np.array([3.0, 4.0])
    # 2 * (norm(x) + norm(x)) + 2 * sum(x)
    np.testing.assert_allclose(tl.grad(f)(x), 4.0 * x / 5.0 + 2.0)


def test_single_precision_and_lists():
    found = tl.grad(lambda x: np.sum(distance.pdist(x)))(A.astype(np.float32))
    assert found.dtype == np.float32 and found.shape == A.shape

    def f(x):
        return distance.cdist([[x, 1.0]], [[0.0, x * x]])[0, 0] + distance.euclidean([x], [0.5])
    tl.check_grads(f, (0.7,), order=2)


def test_a_kernel():
    """The log-determinant of a Gaussian kernel, as in a Gaussian process."""
    def f(x, width):
        kernel = np.exp(-0.5 * distance.cdist(x, x, "sqeuclidean") / width ** 2)
        return np.linalg.slogdet(kernel + 0.1 * np.eye(len(x)))[1]
    tl.check_grads(f, (A, 0.7), order=2)


def test_other_metrics():
    with pytest.raises(NotImplementedError, match="metric='hamming'"):
        tl.grad(lambda x: np.sum(distance.cdist(x, B, "hamming")))(A)
    with pytest.raises(tl.MissingRuleError, match="write its formula"):
        tl.grad(lambda x: distance.mahalanobis(x, V, np.eye(3)))(U)
    with pytest.raises(tl.MissingRuleError, match="does not cover the argument"):
        tl.grad(lambda x: distance.euclidean(x, V, w=U))(U)


@pytest.mark.parametrize("fun", [distance.euclidean, distance.sqeuclidean])
def test_many_at_once(fun):
    """From SciPy 1.18 on."""
    try:
        fun(A, A[0])
    except ValueError:
        pytest.skip("this SciPy takes vectors alone")
    square = B[:3, :3]                          # where a wrong axis would fit as well
    check(fun, square, square[::-1] + 0.5, wrt=[0, 1])
    check(fun, A, B[0], wrt=[0, 1])
    check(fun, A[0], B, wrt=[0, 1])


def test_many_at_once_are_refused():
    try:
        distance.minkowski(A, A[0], 3)
    except ValueError:
        pytest.skip("this SciPy takes vectors alone")
    with pytest.raises(tl.MissingRuleError, match="distances of many vectors at once"):
        tl.grad(lambda x: np.sum(distance.minkowski(x, A[0], 3)))(A)
