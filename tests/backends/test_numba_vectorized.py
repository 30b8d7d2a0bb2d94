"""`np.vectorize` in compiled derivatives: the loop that stands for it."""
import warnings

import numpy as np
import pytest

import tangent_lite as tl
from tests.expansion.test_elementwise import broadcast, decorated, made_inside, of_floats, outside

pytest.importorskip("numba")


@pytest.mark.parametrize("f", [outside, decorated, made_inside, of_floats, broadcast])
def test_as_in_python(f):
    x = np.array([0.3, 0.9, -0.4, 1.7])
    with warnings.catch_warnings():
        warnings.simplefilter("error")          # that it ran in Python
        found = tl.value_and_grad(f, wrt=("x", "a"), backend="numba")(x, 1.3)
    wanted = tl.value_and_grad(f, wrt=("x", "a"))(x, 1.3)
    assert found[0] == pytest.approx(wanted[0], rel=1e-15)
    for one, other in zip(found[1], wanted[1]):
        np.testing.assert_allclose(one, other, rtol=1e-14)
