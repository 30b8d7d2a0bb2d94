"""Parts of lists, dicts and objects, written out part by part."""
import numpy as np
import pytest

import tangent_lite as tl


class Body:
    def __init__(self, x):
        self.x = x * 1.0

    def moved(self, by):
        self.x += by
        return self


def in_a_list(x, y):
    parts = [x.copy()]
    parts[0] += y
    return np.sum(parts[0] * parts[0])


def in_a_dict(x, y):
    parts = {"a": x.copy()}
    parts["a"] -= y * parts["a"]
    return np.sum(parts["a"] * parts["a"])


def in_an_object(x, y):
    return np.sum(Body(x).moved(np.sin(y)).x ** 2)


@pytest.mark.parametrize("f", [in_a_list, in_a_dict, in_an_object],
                         ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [
    ((3,), (3,)), ((3,), (1,)), ((1,), (3,)), ((1,), (1,)), ((2, 3), (3,)), ((3,), (2, 3)),
    ((2, 1), (2, 3)), ((0,), (1,)), ((1,), (0,)), ((3,), ())], ids=str)
def test_a_part_in_place_keeps_its_shape(f, shapes):
    """NumPy raises a ValueError where what is added has another shape, broadcast."""
    x, y = (np.linspace(0.5, 1.5, int(np.prod(shape))).reshape(shape) for shape in shapes)
    try:
        value = f(x.copy(), y.copy())
    except ValueError:
        with pytest.raises(ValueError, match="shape"):
            tl.value_and_grad(f, wrt=(0, 1))(x, y)
        with pytest.raises(ValueError, match="shape"):
            tl.jvp(f, (x, y), (x, y))
        return
    found, slopes = tl.value_and_grad(f, wrt=(0, 1))(x, y)
    assert found == value
    for number, (given, slope) in enumerate(zip((x, y), slopes, strict=True)):
        step = 1e-6 * np.cos(np.arange(given.size)).reshape(given.shape)
        up, down = [x, y], [x, y]
        up[number], down[number] = given + step, given - step
        wanted = (f(*up) - f(*down)) / 2.0
        assert np.sum(slope * step) == pytest.approx(wanted, rel=1e-6, abs=1e-12)
        along = tuple(step if k == number else np.zeros_like(one) for k, one in enumerate((x, y)))
        assert tl.jvp(f, (x, y), along)[1] == pytest.approx(wanted, rel=1e-6, abs=1e-12)
