"""Adjoints of an item of a list are the item of the list of adjoints, if nothing tells."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


def element(rows, i):
    return rows[i][0] * rows[i + 1][1] ** 2


def pairs(rows):
    total = 0.0
    for i in range(len(rows)):
        for j in range(i + 1, len(rows)):
            dx = rows[i][0] - rows[j][0]
            dy = rows[i][1] - rows[j][1]
            total -= 1.0 / math.sqrt(dx * dx + dy * dy + 1.0)
    return total


def looped(rows):
    total = 0.0
    for row in rows:
        for v in row:
            total += v * v * v
    for row in rows:
        total += row[0] * row[1]
    return total


def unpacked(rows):
    total = 1.0
    for a, b in rows:
        total = total * a + math.sin(b)
    return total


def three_deep(boxes):
    total = 0.0
    for box in boxes:
        for row in box:
            total += row[0] * row[1] ** 2
    return total * boxes[0][1][0]


def of_dicts(items, i):
    return items[i]["a"] * items[i]["b"][1] ** 2 + items[0]["b"][0]


def in_dicts(table, name):
    total = 0.0
    for key in ("x", name):
        row = table[key]
        total += row[0] * row[1]
    return total


def index_moves(rows):
    total = 0.0
    k = 0
    while k < len(rows):
        row = rows[k]
        k += 1
        total += row[0] * rows[k - 1][1] ** 2
    return total


def order_in_a_list(rows, order):
    total = 0.0
    for k in range(len(order)):
        row = rows[order[k]]
        total = total * row[1] + row[0]
    return total


def one_row_twice(rows):
    both = [rows[0], rows[0], rows[1]]
    total = 0.0
    for row in both:
        total += row[0] ** 2 * row[1]
    return total


def rows_of_arrays(rows, i):
    return np.sum(rows[i][0] * rows[i][1]) + np.sum(rows[0][0] ** 2)


def helper(row):
    return row[0] ** 2 * row[1]


def handed_on(rows):
    total = 0.0
    for k in range(len(rows)):
        total += helper(rows[k]) * rows[k][0]
    return total


def row_is_changed(rows):
    total = 0.0
    for k in range(len(rows)):
        row = list(rows[k])
        row[0] = row[0] * row[1]
        total += row[0] ** 2 + rows[k][1]
    return total


def in_branches(rows):
    total = 0.0
    for row in rows:
        if row[0] > 1.0:
            total += row[0] * row[1]
        else:
            other = rows[0]
            total -= other[1] ** 2 * row[0]
    return total


def nothing_read(rows, n):
    total = rows[0][0]
    for k in range(n):
        row = rows[k]
        for v in row:
            total += v * v
    return total


def growing(x, n):
    rows = [[x[0], x[1]]]
    for _ in range(n):
        new = []
        for j in range(len(rows[-1])):
            new.append(rows[-1][j] * 0.9 + 0.1 * rows[-1][j - 1] ** 2)
        rows.append(new)
    return sum(rows[-1]) * rows[0][1]


def growing_and_read(x, n):
    rows = [[x[0], x[1]]]
    for k in range(n):
        last = rows[-1]
        rows.append([last[1] * rows[0][0], last[0] + rows[k // 2][1]])
        if k % 2:
            rows.insert(0, [rows[-1][0], 2.0])
    first = rows.pop(0)
    return first[0] * rows[-1][1] + rows[0][0]


ROWS = [[0.7, 1.3], [1.9, -0.4], [-0.6, 0.8]]
CASES = {
    "element": (element, (ROWS, 1)), "element of one": (element, (ROWS, -2)),
    "pairs": (pairs, (ROWS,)), "looped": (looped, (ROWS,)), "unpacked": (unpacked, (ROWS,)),
    "three deep": (three_deep, ([ROWS, [[0.1, 0.2]]],)),
    "of dicts": (of_dicts, ([{"a": 1.5, "b": [2.0, 3.0]}, {"a": 0.5, "b": [-1.0, 0.3]}], 1)),
    "of one dict": (of_dicts, ([{"a": 1.5, "b": [2.0, 3.0]}], 0)),
    "in dicts": (in_dicts, ({"x": [1.5, 0.7], "y": [2.0, 3.0]}, "y")),
    "in one dict": (in_dicts, ({"x": [1.5, 0.7], "y": [2.0, 3.0]}, "x")),
    "index moves": (index_moves, (ROWS,)),
    "order in a list": (order_in_a_list, (ROWS, [2, 0, 2, 1])),
    "one row twice": (one_row_twice, (ROWS,)),
    "rows of arrays": (rows_of_arrays, ([[np.ones(2), np.array([0.3, 0.4])],
                                         [np.array([0.1, 2.0]), np.array([0.5, 0.6])]], 0)),
    "handed on": (handed_on, (ROWS,)), "row is changed": (row_is_changed, (ROWS,)),
    "growing": (growing, ([0.7, 1.3], 3)), "growing not": (growing, ([0.7, 1.3], 0)),
    "growing and read": (growing_and_read, ([0.7, 1.3], 3)),
    "in branches": (in_branches, (ROWS,)), "nothing read": (nothing_read, (ROWS, 0)),
    "some read": (nothing_read, (ROWS, 2)), "tuples": (unpacked, ([(1.0, 2.0), (0.5, 0.3)],)),
    "an array": (looped, (np.array(ROWS),)), "elements of an array": (element, (np.array(ROWS), 0)),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.sweep(8)
def test_gradients(name):
    function, args = CASES[name]
    tl.check_grads(function, args, order=2)
    before = repr(args)
    found = tl.grad(function)(*args)
    assert repr(args) == before
    # The gradient that goes by identity knows nothing of this.
    with by_identity():
        other = tl.grad(function)(*args)
    np.testing.assert_allclose(_numbers(found), _numbers(other), rtol=1e-12)


def _numbers(part):
    if isinstance(part, dict):
        part = list(part.values())
    many = isinstance(part, (list, tuple)) or np.ndim(part)
    return [n for p in part for n in _numbers(p)] if many else [part]


@pytest.mark.parametrize("function", [element, pairs, looped, unpacked, three_deep, of_dicts])
def test_rows_are_not_added_up(function):
    args = next(args for one, args in CASES.values() if one is function)
    text = tl.grad(function).source_for(*args)
    assert "sum_of_structures" not in text, text


def test_rows_that_are_added_as_it_runs():
    text = tl.grad(growing).source_for([0.7, 1.3], 3)
    assert "brows[-1][j - 1] += " in text and "brows[-1][j] += 0.9 * " in text


def test_as_written_by_hand():
    text = tl.grad(pairs).source_for(ROWS)
    assert "brows = [[0.0] * len(row) for row in rows]" in text
    assert "brows[j][1] -= bdy\n" in text
    assert "zeros_like" not in text


def test_each_row_is_its_own():
    found = tl.grad(one_row_twice)(ROWS)
    assert len({id(row) for row in found}) == len(ROWS)
