"""Backward halves of functions that return several things take the adjoint of each by itself."""

import numpy as np
import pytest

import tangent_lite as tl


def polar(x, y):
    return np.sqrt(x * x + y * y), np.arctan2(y, x)


def both(x, y):
    r, angle = polar(x, y)
    return r * np.sin(angle) + angle * angle


def in_turn(x, y, n):
    for _ in range(n):
        x, y = polar(x + y, 0.5 * y + 1.0)
    return x * y


def first_only(x, y):
    r, _ = polar(x, y)
    return r * r * r


def as_a_whole(x, y):
    found = polar(x, y)
    return found[0] * found[1]


def parts(x):
    n = len(x)
    return x * x, n, np.sum(x)


def with_a_number(x):
    squares, n, total = parts(x)
    return np.sum(squares) / n * total


def countdown(x, n):
    if n == 0:
        return x, x * x
    a, b = countdown(x * 0.5, n - 1)
    return a * b, a + b


def recursive(x, n):
    a, b = countdown(x, n)
    return a * a + b


def either(x, flag):
    if flag:
        return x, x * x
    return np.sin(x), np.cos(x)


def branches(x, flag):
    a, b = either(x, flag)
    a = a * b
    return a + b * x


@pytest.mark.parametrize("function, args", [
    (both, (0.7, 1.2)), (in_turn, (0.7, 1.2, 0)), (in_turn, (0.7, 1.2, 4)),
    (first_only, (0.7, 1.2)), (as_a_whole, (0.7, 1.2)),
    (with_a_number, (np.array([0.3, -0.5, 2.0]),)), (recursive, (0.8, 0)), (recursive, (0.8, 3)),
    (branches, (0.7, True)), (branches, (0.7, False)),
    (both, (np.float32(0.7), np.float32(1.2)))])
@pytest.mark.sweep(3)
def test_derivatives(function, args):
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    found = tl.grad(function, wrt=wrt)(*args)
    wanted = tl.jacfwd(function, wrt=wrt)(*args)
    for one, other in zip(found, wanted):
        assert np.allclose(one, other, rtol=1e-5 if isinstance(args[0], np.float32) else 1e-12)
    if not isinstance(args[0], np.float32):
        tl.check_grads(function, args, order=2)


def test_text():
    text = tl.grad(both, wrt=(0, 1)).source_for(0.7, 1.2)
    assert "def polar_bwd(saved, " in text and "bpolar" not in text
    assert "polar_bwd(polar_saved, br, bangle)" in text
    # What is passed on as a whole stays a tuple; what nobody reads is not passed.
    text = tl.grad(with_a_number).source_for(np.ones(3))
    assert "parts_bwd(parts_saved, bsquares, btotal)" in text


def test_what_is_saved_runs(tmp_path):
    tl.grad(in_turn, wrt=(0, 1)).save(tmp_path / "saved.py")
    space: dict = {}
    exec((tmp_path / "saved.py").read_text(), space)
    found = space["in_turn_grad"](0.7, 1.2, 3)
    assert np.allclose(found, tl.grad(in_turn, wrt=(0, 1))(0.7, 1.2, 3))


def nested(v):
    return v[0] * v, (v, (v[-1], np.sum(v)))


def of_nested(x):
    scaled, (same, (last, total)) = nested(x * x)
    return np.sum(scaled * same) * last + total


def test_tuples_in_tuples():
    x = np.array([0.3, -0.5, 2.0])
    tl.check_grads(of_nested, (x,), order=2)
    text = tl.grad(of_nested).source_for(x)
    assert "nested_bwd(nested_saved, bscaled, bsame, blast, btotal)" in text
