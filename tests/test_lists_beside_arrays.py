"""Lists of numbers beside arrays, and rows joined to matrices, in loops: what comes out is known to
be an array of so many dimensions, so the derivatives go by names."""
import numpy as np
import pytest
from scipy import linalg

import tangent_lite as tl
from tangent_lite.kinds import FLOAT, INT, Array, ListKind, TupleKind
from tangent_lite.result_kinds.broadcasting import elementwise
from tangent_lite.result_kinds.shapes import joined_at_least
from tests.heap.forced import by_identity, by_names

POINTS = np.array([[0.3, 1.2], [-0.4, 0.8], [1.1, -0.7], [0.2, 0.5]])
NORMALS = np.array([[0.6, 0.8], [-0.8, 0.6], [1.0, 0.0], [0.0, -1.0]])


def align(pose, points, normals):
    """Points moved onto others by their nearest ones, as in registration."""
    angle, across, along = pose
    loss = 0.0
    for _ in range(2):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        moved = points @ turn.T + [across, along]
        nearest = ((moved[:, None] - POINTS[None]) ** 2).sum(-1).argmin(axis=1)
        off = ((moved - POINTS[nearest]) * normals[nearest]).sum(axis=1)
        slopes = np.column_stack([normals[nearest, 1] * moved[:, 0], normals[nearest]])
        step = np.linalg.solve(slopes.T @ slopes + 1e-2 * np.eye(3), -slopes.T @ off)
        angle, across, along = angle + step[0], across + step[1], along + step[2]
        loss += off @ off
    return loss + angle ** 2


def grown(pose, points, normals):
    """A row in front of a matrix, and a matrix below it."""
    rows = np.vstack(([pose[0], 2.0], points))
    for _ in range(2):
        scaled = rows * (pose[1], pose[2])
        rows = np.vstack([scaled[0] + [1, 2], scaled[1:], normals])
    return np.sum(np.sin(rows)) + np.sum([pose[0], 2.0] - rows[-1])


@pytest.mark.parametrize("function", [align, grown])
def test_programs(function):
    given = (np.array([0.1, 0.2, -0.1]), POINTS + 0.05 * NORMALS[::-1], NORMALS)
    with by_names():
        slopes = tl.grad(function, wrt=(0, 1, 2))(*given)
    with by_identity():
        others = tl.grad(function, wrt=(0, 1, 2))(*given)
    for one, other in zip(slopes, others):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    tl.check_grads(function, given, order=1)


@pytest.mark.parametrize("listed, dtype", [
    (ListKind(FLOAT), "float"), (TupleKind((INT, FLOAT)), "float"), (ListKind(INT), "int"),
    (ListKind(Array(1, "complex")), "complex")])
def test_numbers_in_lists_count(listed, dtype):
    assert elementwise(Array(2, "int"), listed) == Array(2, dtype)
    assert elementwise(listed, Array(2, "int")) == Array(2, dtype)


def test_rows_are_raised():
    both = TupleKind((Array(1, "float"), Array(2, "int")))
    assert (joined_at_least(2)(both).ndim, joined_at_least(2)(both).dtype) == (2, "float")
    assert joined_at_least(1)(TupleKind((FLOAT, Array(1, "float")))).ndim == 1
    assert joined_at_least(2)(TupleKind((Array(None, "float"), Array(2, "float")))).ndim is None


def grown_by_blocks(x, n):
    """A covariance that gets a block more for each landmark, and a state with it."""
    state, spread = x.copy(), np.eye(len(x))
    for k in range(n):
        angle = state[-1]
        state[:2] = state[:2] + [np.cos(angle), x[0]]
        spread[0, 0] = x[0] * spread[1, 1]
        spread = linalg.block_diag(spread, x[1] * np.eye(1))
        state = np.append(state, [state[0] * x[1]])
        state = state + spread @ state
    return np.sum(state ** 2) + np.sum(spread ** 2)


@pytest.mark.parametrize("x", [np.array([0.3, 0.4]), np.array([0.3, -0.4, 1.2])], ids=str)
def test_blocks_are_put_on_the_diagonal(x):
    with by_names():
        slope = tl.grad(grown_by_blocks)(x, 3)
    with by_identity():
        np.testing.assert_allclose(slope, tl.grad(grown_by_blocks)(x, 3), rtol=1e-10)
    tl.check_grads(lambda x: grown_by_blocks(x, 2), (x,), order=2)
