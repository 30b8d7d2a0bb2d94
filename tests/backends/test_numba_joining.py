"""Lists of arrays that are joined, and np.clip, compiled: as in plain Python, which is held against
finite differences."""
import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")

ROWS = [np.array([0.3, -0.7]), np.array([1.1, 0.4]), np.array([0.9, -0.2])]
BLOCKS = [np.array([[0.3, -0.7]]), np.array([[1.1, 0.4], [0.2, 0.6]])]
UNEVEN = [np.array([0.3]), np.array([1.1, 0.4, 0.5]), np.zeros(0)]


def stacked(rows):
    made = []
    for row in rows:
        made.append(row * row)
    tall, wide = np.stack(made), np.stack(made, axis=1)
    return np.sum(tall @ wide) + np.sum(np.stack(rows, -1) ** 3)


def of_vectors(rows):
    return np.sum(np.vstack(rows) ** 2) * np.sum(np.column_stack(rows)[0] ** 3) + np.sum(
        np.hstack(rows) ** 2)


def one_behind_the_other(rows):
    outs = [np.sin(row) for row in rows]
    joined = np.concatenate(outs)
    return np.sum(joined[1:] * joined[:-1])


def blocks(rows):
    tall = np.concatenate(rows, axis=0)
    return np.sum(tall[1:] * tall[:-1] ** 2) + np.sum(np.vstack(rows) ** 3)


def side_by_side(rows):
    turned = [row.T.copy() for row in rows]
    return np.sum(np.concatenate(turned, axis=1) ** 3) + np.sum(np.hstack(turned) ** 2) + np.sum(
        np.column_stack(turned)[0])


def clipped(xs):
    total = 0.0
    for x in xs:
        total += np.sum(np.clip(x * x, 0.1, None)) + np.sum(np.clip(x, None, 0.5) ** 2)
        for v in x:
            u = np.clip(3.0 * v, -1.0, 1.5)
            total += u * v + np.clip(v, None, 0.2) * np.clip(v, 0.1, None)
    return total


@pytest.mark.parametrize(("function", "rows"), [
    (stacked, ROWS), (stacked, ROWS[:1]), (one_behind_the_other, UNEVEN), (clipped, ROWS),
    *[pytest.param(*one, marks=pytest.mark.slow) for one in [
        (of_vectors, ROWS), (one_behind_the_other, ROWS), (blocks, BLOCKS),
        (side_by_side, BLOCKS)]]])
@pytest.mark.sweep(2)
def test_gradients(function, rows):
    tl.check_grads(function, (rows,), order=1)
    found, expected = tl.grad(function, backend="numba")(rows), tl.grad(function)(rows)
    assert [type(a) for a in found] == [np.ndarray] * len(rows)
    for a, b in zip(found, expected):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    assert len({id(a) for a in found}) == len(rows)
    for k, a in enumerate(found):
        assert not any(np.shares_memory(a, b) for b in found[:k])


def test_what_does_not_fit_is_an_error():
    with pytest.raises(ValueError):
        tl.grad(stacked, backend="numba")([np.ones(2), np.ones(3)])
