"""Lists of lists, compiled: rows whose adjoints are shared, and copied before they are added to."""
import pytest

import tangent_lite as tl

pytest.importorskip("numba")

from tests.polish import test_items_of_adjoints as programs  # noqa: E402


def scaled(rows, w):
    s = 0.5 * w[0] + rows[-1][1] * w[0]
    row = rows[0]
    for row in rows[1:]:
        for a, b in rows:
            s += a * row[0] - b * b
    for v in row:
        s += v * w[1]
    return s


@pytest.mark.parametrize(("function", "args"), [
    (programs.pairs, (programs.ROWS,)), (programs.looped, (programs.ROWS,)),
    (programs.in_branches, (programs.ROWS,)), (scaled, (programs.ROWS, [0.3, -0.4]))])
@pytest.mark.sweep(2)
def test_gradients(function, args):
    """As in plain Python, which is held against finite differences."""
    tl.check_grads(function, args, order=1)
    for found, other in zip(tl.grad(function, backend="numba")(*args), tl.grad(function)(*args)):
        assert found == pytest.approx(other, rel=1e-12)
