"""What is declared constant is constant: numbers that go through text or files are refused."""
import io

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


def positional(x):
    return float(np.format_float_positional(x[0]))


def scientific(x):
    return float(np.format_float_scientific(x[0]))


def shown(x):
    return np.float64(np.array2string(x[0]))


def in_base_sixteen(x):
    return float.fromhex(float(x[0]).hex())


def from_text(x):
    return np.sum(np.fromstring(str(x[0]), sep=" "))


def from_lines(x):
    return np.sum(np.genfromtxt([str(x[0])]))


def from_a_text_file(x):
    return np.sum(np.loadtxt(io.StringIO(str(x[0]))))


def array_of_text(x):
    return np.array([str(x[0])]).astype(float)[0]


def from_a_file(x):
    file = io.BytesIO()
    np.save(file, x)
    file.seek(0)
    return np.sum(np.load(file) ** 2)


X = np.array([0.3, 1.2])


@pytest.mark.parametrize("f", [positional, scientific, shown, in_base_sixteen, from_text,
                               from_lines, from_a_text_file, array_of_text, from_a_file])
def test_numbers_read_again_are_refused(f):
    with pytest.raises(tl.TangentError):
        tl.grad(f)(X)
    with pytest.raises(tl.TangentError):
        tl.jvp(f, (X,), (X,))
    with by_identity(), pytest.raises(tl.TangentError, match="read from"):
        tl.grad(f)(X)


def test_a_file_that_is_read_again(tmp_path):
    path = str(tmp_path / "x.npy")

    def f(x):
        np.save(path, x)
        return np.sum(np.load(path) ** 2)
    for run in (lambda: tl.grad(f)(X), lambda: tl.jvp(f, (X,), (X,))):
        with pytest.raises(tl.TangentError, match="read from"):
            run()


def test_what_was_written_elsewhere_is_read(tmp_path):
    np.save(tmp_path / "weights.npy", np.array([2.0, 3.0]))
    path = str(tmp_path / "weights.npy")

    def f(x):
        weights = np.load(path)
        print(f"{x[0]:.3f}")
        return np.sum(weights * x ** 2)
    tl.check_grads(f, (X,))
    with by_identity():
        assert np.allclose(tl.grad(f)(X), [1.2, 7.2])
