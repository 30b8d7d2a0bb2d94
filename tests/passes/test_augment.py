"""`+=` where the user wrote it, and it means the same."""
import numpy as np

import tangent_lite as tl


class Body:
    def __init__(self, x, v):
        self.x, self.v = x, v


def falls(x, v, dt, n):
    body = Body(x, v)
    for _ in range(n):
        body.v -= dt * body.x * body.x
        body.x = body.x + dt * body.v
    return body.x


def slope(f, x, h=1e-6):
    return (f(x + h) - f(x - h)) / (2.0 * h)


def test_an_attribute():
    text = tl.grad(falls).source_for(1.0, 0.5, 0.1, 3)
    assert "body_v -= dt * body_x * body_x" in text
    assert "body_x = body_x + dt * body_v" in text          # as the user wrote that
    np.testing.assert_allclose(tl.grad(falls)(1.0, 0.5, 0.1, 3),
                               slope(lambda x: falls(x, 0.5, 0.1, 3), 1.0), rtol=1e-7)


def test_an_array_is_not_changed_in_place():
    start = np.array([1.0, 2.0])
    start.flags.writeable = False

    def f(x, dt):
        body = Body(start, x)
        for _ in range(3):
            body.x = body.x + dt * body.v
            body.v = body.v * body.x
        return np.sum(body.x)

    x = np.array([0.3, 0.7])
    found = tl.grad(f)(x, 0.1)
    expected = [slope(lambda h, e=e: f(x + h * e, 0.1), 0.0) for e in np.eye(2)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert start.tolist() == [1.0, 2.0]


def test_forward_mode_and_second_order():
    value, tangent = tl.jvp(falls, (1.0, 0.5, 0.1, 3), (1.0, None, None, None))
    assert value == falls(1.0, 0.5, 0.1, 3)
    np.testing.assert_allclose(tangent, tl.grad(falls)(1.0, 0.5, 0.1, 3), rtol=1e-12)
    second = tl.grad(tl.grad(falls))(1.0, 0.5, 0.1, 3)
    np.testing.assert_allclose(second, slope(lambda x: tl.grad(falls)(x, 0.5, 0.1, 3), 1.0),
                               rtol=1e-6)
