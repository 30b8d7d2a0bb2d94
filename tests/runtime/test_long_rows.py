"""Sums and products along the first axis of arrays with long rows, which are taken row by row."""
import subprocess
import sys

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime.reductions import cumprod_adjoint, uncumsum

DRAWN = np.random.default_rng(0)


@pytest.mark.parametrize("shape", [(5, 200), (3, 130, 2), (1, 200), (0, 200), (4, 5), (7,)])
@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("numbers", [float, complex])
def test_as_element_by_element(shape, zeros, numbers):
    x = DRAWN.normal(size=shape)
    dy = DRAWN.normal(size=shape).astype(numbers) * (1.0 if numbers is float else 1.0 + 0.5j)
    if zeros:
        x[::2] = 0.0
    kept = x.copy(), dy.copy()
    wanted = np.zeros(shape, numbers)           # dy/dx of each pair, k behind i or i itself
    for i in range(shape[0]):
        for k in range(i, shape[0]):
            others = np.prod(np.delete(x[:k + 1], i, axis=0), axis=0)
            wanted[i] += dy[k] * others
    assert np.allclose(cumprod_adjoint(dy, x, 0), wanted)
    assert np.allclose(cumprod_adjoint(dy, np.negative(x), -len(shape)) if not zeros else wanted,
                       wanted if zeros else cumprod_adjoint(np.asfortranarray(dy),
                                                            np.asfortranarray(-x), 0))
    summed = np.flip(np.cumsum(np.flip(dy, 0), 0), 0)
    assert np.array_equal(uncumsum(dy, x, 0), summed)
    assert np.array_equal(uncumsum(dy, x, -len(shape)), summed)
    assert np.array_equal(x, kept[0]) and np.array_equal(dy, kept[1])


def paths(rate, z):
    return np.mean(np.maximum(np.cumprod(np.exp(rate + 0.1 * z), axis=0)[-1]
                              + np.cumsum(z * rate, axis=0)[2], 0.5))


def test_a_saved_file_takes_them_along(tmp_path):
    z = DRAWN.normal(size=(6, 150))
    file = tmp_path / "saved.py"
    tl.grad(paths).save(file)
    np.save(tmp_path / "z.npy", z)
    found = subprocess.run(
        [sys.executable, "-c", "import numpy as np; from saved import paths_grad; "
         "print(repr(float(paths_grad(0.2, np.load('z.npy')))))"],
        cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    slope = (paths(0.2 + 1e-6, z) - paths(0.2 - 1e-6, z)) / 2e-6
    assert np.isclose(float(found), slope, rtol=1e-6)
    assert np.isclose(tl.grad(paths)(0.2, z), slope, rtol=1e-6)
