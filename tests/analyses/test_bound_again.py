"""A name that a loop binds anew changes parts of what it meant before: which of these are None, and
of which class they are, is no matter of the first round."""
from dataclasses import dataclass
from typing import Any

import pytest

from tests.held_to_both import is_right


@dataclass
class Cell:
    t: float
    z: Any = None


class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right


def in_a_tuple(x):
    a, b = Cell(x[0]), Cell(x[1])
    for k in range(2):
        for cell in (a, b):
            if cell.z is None:
                cell.z = x[k + 2]
            else:
                cell.z = cell.z * cell.t
    return a.z * b.z


def twice_in_a_tuple(x):
    a, b = Cell(x[0]), Cell(x[1])
    for cell in (a, b, a):
        if isinstance(cell.z, float):
            cell.z = cell.z * x[2]
        elif cell.z is None:
            cell.z = x[3]
        else:
            cell.z = cell.z * 3.0
    return a.z * b.z * b.t


def in_a_list(x):
    cells = [Cell(x[0]), Cell(x[1])]
    for k in range(2):
        for cell in cells:
            z = cell.z
            if z is None:
                cell.z = x[k + 2]
            else:
                cell.z = z * cell.t
    return cells[0].z * cells[1].z


def in_a_dict(x):
    cells = {"p": Cell(x[0]), "q": Cell(x[1])}
    for _ in range(2):
        for cell in cells.values():
            if cell.z is None:
                cell.z = x[2]
            else:
                cell.z = cell.z * x[3]
    return cells["p"].z * cells["q"].z


def held_by_others(x):
    pair = Pair(Cell(x[0]), Cell(x[1]))
    for k in range(2):
        for cell in (pair.left, pair.right):
            if cell.z is None:
                cell.z = x[k + 2]
            else:
                cell.z = cell.z * cell.t
    return pair.left.z * pair.right.z


def taken_twice(x):
    a, b = Cell(x[0]), Cell(x[1])
    both = a, b
    cell = both[0]
    if cell.z is None:
        cell.z = x[2]
    else:
        cell.z = cell.z * 5.0
    cell = both[0]
    if cell.z is None:
        cell.z = x[2]
    else:
        cell.z = cell.z * 5.0 * x[3]
    return a.z * b.t


@pytest.mark.parametrize("function", (in_a_tuple, twice_in_a_tuple, in_a_list, in_a_dict,
                                      held_by_others, taken_twice))
def test_right(function):
    is_right(function)
