"""What is compiled goes NumPy's shorter ways, and comes to the same."""
import dis

import numpy as np
import pytest

import tangent_lite as tl

rng = np.random.default_rng(0)


def products(v, M):
    u = M @ v
    return (u @ u) * np.sum(v * v)


def in_a_loop(v, M):
    total = 0.0
    for k in range(3):
        row = M[k] * v
        row[0] = 2.0 * total
        total = total + np.sum(row * row * v)
    return total


def matrices(A, B):
    return np.sum((A @ B.T) ** 2 @ A)


def names_called(derivative, *args):
    """The names in the code that a derivative runs."""
    variant, _ = derivative.variant_for(args, {})
    return {step.argval for step in dis.get_instructions(variant.main)}


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize("f, shapes", [
    (products, [(3,), (3, 3)]), (products, [(1,), (1, 1)]), (products, [(0,), (0, 0)]),
    (in_a_loop, [(3,), (3, 3)]), (matrices, [(3, 3), (3, 3)]), (matrices, [(0, 0), (0, 0)])])
def test_gradients_are_those_of_the_text(f, shapes, dtype):
    args = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    derivative = tl.vjp if dtype is complex else tl.grad
    if dtype is complex:
        value, pullback = tl.vjp(f, *args)
        found = pullback(np.complex128(1.0))
        return_to = tl.vjp(f, *[np.asfortranarray(a) for a in args])[1](np.complex128(1.0))
    else:
        found = derivative(f, wrt=(0, 1))(*args)
        return_to = derivative(f, wrt=(0, 1))(*[np.asfortranarray(a)[::1] for a in args])
        space = {}
        text = derivative(f, wrt=(0, 1)).source_for(*args)
        exec(text, space)
        for one, other in zip(found, space[f"{f.__name__}_grad"](*args)):
            np.testing.assert_allclose(one, other, rtol=1e-5 if dtype is np.float32 else 1e-13)
    for one, other, a in zip(found, return_to, args):
        assert one.shape == a.shape and one.dtype == a.dtype
        np.testing.assert_allclose(one, other, rtol=1e-4 if dtype is np.float32 else 1e-12)


def test_the_ways_are_taken_and_not_shown():
    v, M = np.ones(3), np.ones((3, 3))
    d = tl.grad(products, wrt=(0, 1))
    assert "dot" in names_called(d, v, M)
    assert ".dot(" not in d.source_for(v, M) and "@" in d.source_for(v, M)
    d = tl.grad(in_a_loop)
    assert "zeros" in names_called(d, v, M) and "zeros_like" not in names_called(d, v, M)
    assert "np.zeros_like(" in d.source_for(v, M)


def signed(v):
    return np.sign(v) * v * abs(v)


def test_what_the_user_asks_of_numpy_gives_numpys_numbers():
    for value in (tl.value_and_grad(signed)(0.3)[0], tl.jvp(signed, (0.3,), (1.0,))[0]):
        assert type(value) is type(signed(0.3)) and value == signed(0.3)


def drag(v, k, n):
    for _ in range(n):
        v = v + 0.1 * (1.0 - k * v * abs(v))
    return v


def test_signs_of_numbers_are_told_by_comparing():
    d = tl.grad(drag, wrt=(0, 1))
    assert "np.sign(v)" in d.source_for(0.3, 0.2, 5) and "sign" not in names_called(d, 0.3, 0.2, 5)
    assert all(type(one) is float for one in d(0.3, 0.2, 5))
    assert all(type(one) is float for one in tl.jvp(drag, (0.3, 0.2, 5), (1.0, 0.0, None)))
    for v in (-2.0, 0.3, np.float64(0.3), np.float32(-0.3)):
        found = d(v, 0.2, 5)
        steps = [(drag(float(v) + h, 0.2 + k, 5) - drag(float(v) - h, 0.2 - k, 5)) / 2e-4
                 for h, k in ((1e-4, 0.0), (0.0, 1e-4))]
        np.testing.assert_allclose(found, steps, rtol=1e-5)


@pytest.mark.parametrize("x", [0.0, -0.0, np.nan, np.inf, -np.inf, 2.0, -3.0])
def test_signs_are_those_of_numpy(x):
    found = tl.grad(lambda x: abs(x))(x)
    assert repr(float(found)) == repr(float(np.sign(x)))
    _, slope = tl.jvp(lambda x: abs(x), (x,), (1.0,))
    np.testing.assert_equal(slope, np.sign(x))
    found = tl.grad(tl.grad(lambda x: abs(x) * x))(x)
    np.testing.assert_equal(found, 2.0 * np.sign(x))
