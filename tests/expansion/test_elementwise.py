"""`np.vectorize`: the same function as NumPy calls, as often, by names and by identity."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names


def bent(t, a):
    if t > 0.5:
        return a * math.sin(t)
    return t * t * a


def clipped(t, a):
    """An int where t is small: what NumPy makes of all results, if it is the first."""
    if t > 0.0:
        return a * t
    return 0


@np.vectorize
def waves(t):
    total = 0.0
    for k in range(1, 4):
        total += math.sin(k * t) / k
    return total


all_bent = np.vectorize(bent)
all_clipped = np.vectorize(clipped)
floats = np.vectorize(clipped, otypes=[float])
kept = np.vectorize(bent, cache=True)
weighted = np.vectorize(lambda t, w: t * w[0] + w[1], excluded=["w", 1])
squares = np.vectorize(lambda row, a: np.sum(row * row) * a, signature="(n),()->()")


def outside(x, a):
    return np.sum(all_bent(x, a) ** 2)


def outside_by_keywords(x, a):
    return np.sum(all_bent(a=a, t=x) * x)


def decorated(x, a):
    return np.sum(a * waves(x))


def of_ints(x, a):
    return np.sum(all_bent(np.arange(3), a)) * x[0]


def of_a_list(x, a):
    return np.sum(all_bent([a, 0.25, 2.0 * a], x[1]))


def of_numbers(x, a):
    return all_bent(a, 2.0) * np.sum(x)


def first_is_an_int(x, a):
    return np.sum(all_clipped(x - 2.0, a) * x) + np.sum(all_clipped(x, a))


def of_floats(x, a):
    return np.sum(floats(x, a) ** 2)


def of_one_size(x, a):
    return np.sum(all_bent(x, a * x[::-1]))


def broadcast(x, a):
    return np.sum(all_bent(x[:, None], a * x[:2]) * x[:, None])


def again_and_again(x, a):
    for _ in range(3):
        x = all_bent(x, a)
    return np.sum(x)


def written_to(x, a):
    y = floats(x, a)
    y[0] = a
    y[1:] *= 2.0
    return np.sum(y * y)


def ints_written_to(x, a):
    y = all_clipped(x - 2.0, a)
    y[0] = a * 2.5
    return np.sum(y * x)


def made_inside(x, a):
    return np.sum(np.vectorize(lambda t: a * t if t > 0 else t * t)(x))


def of_what_is_bound_later(x, a):
    scaled = np.vectorize(lambda t: t * a)
    a = 2.0 * a
    return np.sum(scaled(x))


def one_of_two(x, a):
    f = np.vectorize(lambda t: t * a) if a > 0.0 else np.vectorize(lambda t: t + a, otypes="d")
    return np.sum(f(x) * x)


def counted(x, a):
    seen = []

    def noted(t):
        seen.append(t * a)
        return t * a
    return np.sum(np.vectorize(noted)(x)) + len(seen) * seen[0] + seen[-1]


def two_results(x, a):
    u, v = np.vectorize(lambda t: (t * a, t * t))(x)
    return np.sum(u * v)


def of_numpy(x, a):
    return np.sum(np.vectorize(np.sin)(x)) * np.sum(np.vectorize(math.exp)(x)) * a


def through_kwargs(x, a):
    return np.sum(weighted(x, w=[a, a * a])) + np.sum(weighted(x, [a, 1.0]))


def rows(x, a):
    return np.sum(squares(np.outer(x, x), a) * x)


def by_rows_and_numbers(x, a):
    products = np.vectorize(lambda m, y, t: m @ y * t, signature="(m,n),(n),()->(m)")
    m = np.outer(x, x)
    return np.sum(products(np.stack([m, 2.0 * m]), np.stack([x, a * x]), a) ** 2)


def ints_in_a_list(x, a):
    halves = np.vectorize(lambda t, s: t // 2 * s if isinstance(t, int) else t * a * s)
    return np.sum(halves([[3, x[0], 0.5], [x[1], 2, 7]], [[2.0], [x[2]]])) \
        + np.sum(halves(range(3), a))


def keeping(x, a):
    return np.sum(kept(x, a))


BY_NAMES = [outside, outside_by_keywords, decorated, of_ints, of_a_list, of_numbers,
            first_is_an_int, of_floats, of_one_size, broadcast, again_and_again, written_to,
            made_inside, of_what_is_bound_later, one_of_two, counted, two_results, of_numpy,
            through_kwargs]
BY_IDENTITY = [ints_written_to, rows, by_rows_and_numbers, ints_in_a_list, keeping]
X, A = np.array([0.3, 0.9, -0.4, 1.7]), 1.3


def _differences(f, x, a):
    h = 1e-6
    return ([(f(x + h * e, a) - f(x - h * e, a)) / (2 * h) for e in np.eye(len(x))],
            (f(x, a + h) - f(x, a - h)) / (2 * h))


@pytest.mark.parametrize("way", [by_names, by_identity], ids=["names", "identity"])
@pytest.mark.parametrize("f", BY_NAMES + BY_IDENTITY)
def test_against_differences(f, way):
    if way is by_names and f in BY_IDENTITY:
        pytest.skip("goes by identity")
    with way():
        value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(X, A)
    assert value == f(X, A)
    wanted = _differences(f, X, A)
    np.testing.assert_allclose(bx, wanted[0], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ba, wanted[1], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("way", [by_names, by_identity], ids=["names", "identity"])
@pytest.mark.parametrize("f", [outside, broadcast, of_one_size, keeping])
def test_the_type_is_that_of_numpy(f, way):
    if way is by_names and f is keeping:
        pytest.skip("goes by identity")
    x = X.astype(np.float32)
    for start in (x, x[::-1].copy()):
        with way():
            value, (bx, _) = tl.value_and_grad(f, wrt=("x", "a"))(start, A)
        assert value == f(start, A) and value.dtype == f(start, A).dtype and bx.dtype == x.dtype


@pytest.mark.parametrize("way", [by_names, by_identity], ids=["names", "identity"])
def test_of_no_elements(way):
    with way(), pytest.raises(ValueError, match="size 0"):
        tl.grad(outside)(X[:0], A)
    with way():
        assert tl.grad(of_floats)(X[:0], A).shape == (0,)


@pytest.mark.parametrize("way", [by_names, by_identity], ids=["names", "identity"])
def test_results_that_are_arrays_fail_as_with_numpy(way):
    def f(x):
        return np.sum(np.vectorize(lambda t: np.array([t, t]))(x))

    with pytest.raises(ValueError):
        f(X)
    with way(), pytest.raises((ValueError, tl.TangentError)):
        tl.grad(f)(X)


def test_second_and_forward_derivatives():
    hessian = tl.hessian(outside)(X, A)
    gradient = tl.grad(outside)
    columns = [(gradient(X + 1e-6 * e, A) - gradient(X - 1e-6 * e, A)) / 2e-6 for e in np.eye(4)]
    np.testing.assert_allclose(hessian, columns, rtol=1e-6, atol=1e-8)
    _, along = tl.jvp(outside, (X, A), (X, 0.0))
    np.testing.assert_allclose(along, gradient(X, A) @ X, rtol=1e-12)


def test_another_function_is_put_into_it():
    made = np.vectorize(bent)

    def f(x):
        return np.sum(made(x, 2.0))

    derivative = tl.grad(f)
    before = derivative(X)
    made.pyfunc = clipped
    after = derivative(X)
    np.testing.assert_allclose(after, np.where(X > 0.0, 2.0, 0.0))
    assert not np.allclose(before, after)


def test_the_text_is_a_loop():
    text = "\n".join(line for line in tl.grad(made_inside).source_for(X, A).splitlines()
                     if "# " not in line)
    assert "for k in range(len(items) - 1, -1, -1):" in text
    assert "vectorize(" not in text and "arrays_of" not in text and "args" not in text
