"""Operations on arrays of many axes: what is stretched has a stride of zero."""

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from tangent_lite.backends.numba_borrowing import BorrowingCompiler  # noqa: E402

rng = np.random.default_rng(0)
RECORDS = np.zeros((2, 3, 4), [("tag", "i4"), ("x", "f8")])
RECORDS["x"] = rng.normal(size=(2, 3, 4))


def fused(x, y):
    return np.exp(x) * y - x


def changed(x, y):
    x *= y
    return x


@pytest.mark.parametrize(("x", "y"), [
    (rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 3, 4))),
    (rng.normal(size=(2, 3, 4)), rng.normal(size=(1, 3, 1))),
    (rng.normal(size=(2, 1, 4)), rng.normal(size=(3, 4))),
    (rng.normal(size=(2, 3, 4)), rng.normal(size=(1, 1, 1))),
    (rng.normal(size=(2, 3, 4)), 0.5),
    (rng.normal(size=(2, 3, 4)).T, rng.normal(size=(4, 1, 2))),
    (rng.normal(size=(2, 3, 8))[:, ::-1, ::2], rng.normal(size=(2, 3, 4, 5)).sum(-1)),
    (np.broadcast_to(rng.normal(size=(3, 1)), (2, 3, 4)), rng.normal(size=(2, 3, 4))),
    (RECORDS["x"], rng.normal(size=4)),
    (rng.normal(size=(2, 0, 4)), rng.normal(size=(1, 1, 4))),
    (rng.normal(size=(2, 3, 1, 5)), rng.normal(size=(3, 4, 1))),
    (np.arange(24).reshape(2, 3, 4), rng.normal(size=(2, 3, 4)) > 0.0)])
def test_as_numpy(x, y):
    compiled = numba.njit(pipeline_class=BorrowingCompiler)(fused)
    np.testing.assert_allclose(compiled(x, y), fused(x, y), rtol=1e-14)
    if x.flags.writeable and np.ndim(y) <= x.ndim and x.dtype == float \
            and np.broadcast(x, y).shape == x.shape:
        compiled = numba.njit(pipeline_class=BorrowingCompiler)(changed)
        ours, theirs = x.copy(), x.copy()
        compiled(ours, y)
        assert np.array_equal(ours, changed(theirs, y))


def test_shapes_that_do_not_go_together():
    compiled = numba.njit(pipeline_class=BorrowingCompiler)(fused)
    with pytest.raises(ValueError, match="unable to broadcast"):
        compiled(np.ones((2, 3, 4)), np.ones((2, 2, 4)))


def test_loops_are_written_once():
    """Of two arrays with four axes LLVM made 256 loops, and 55 000 lines."""
    compiled = numba.njit(pipeline_class=BorrowingCompiler)(lambda x, y: x + y)
    compiled(np.ones((2, 3, 4, 5)), np.ones((2, 3, 4, 5)))
    assert len(compiled.inspect_llvm(compiled.signatures[0]).splitlines()) < 3000
