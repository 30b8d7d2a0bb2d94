"""What is kept of a look at a statement, and what has to be looked at again."""

import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.inference.visits import Visits, is_same
from tangent_lite.kinds import (
    ANY,
    FLOAT,
    INT,
    UNKNOWN,
    Array,
    ListKind,
    Number,
    RecordKind,
    TupleKind,
    new_shape,
)
from tangent_lite.shapes import anew

NODE = gast.parse("y = f(x)").body[0]


def kept(changes):
    """What is found at the statement after `changes` was called while it was looked at."""
    visits = Visits()
    visits.begin()
    changes(visits)
    visits.note(NODE, ["x"], ["y"], {"x": INT}, {"x": INT, "y": FLOAT})
    return visits.found(NODE, {"x": INT})


def test_a_statement_that_only_binds_is_kept():
    assert kept(lambda visits: None) == {"y": FLOAT}


@pytest.mark.parametrize("changes", [
    lambda visits: visits.changes_more(), lambda visits: new_shape(), lambda visits: anew.token(),
])
def test_what_is_another_each_time_is_not(changes):
    assert kept(changes) is None


def test_a_later_look_counts():
    visits = Visits()
    for more in (False, True):
        visits.begin()
        if more:
            visits.changes_more()
        visits.note(NODE, ["x"], ["y"], {"x": INT}, {"x": INT, "y": FLOAT})
    assert visits.found(NODE, {"x": INT}) is None


def test_a_name_from_outside_that_is_bound_now():
    visits = Visits()
    visits.begin()
    visits.note(NODE, ["f", "x"], ["y"], {"x": INT}, {"x": INT, "y": FLOAT})
    assert visits.found(NODE, {"x": INT}) is not None
    assert visits.found(NODE, {"x": INT, "f": FLOAT}) is None
    assert visits.found(NODE, {}) is None


class Point:
    pass


@pytest.mark.parametrize("one, other", [
    (Number("float", 0.0), Number("float", -0.0)),
    (Number("int", 1), Number("int", True)),
    (Number("float"), Number("float", is_mixed=True)),
    (Array(1, "float", 3), Array(1, "float", 4)),
    (Array(1, "float", 3), Array(1, "float", 3, is_mixed=True)),
    (UNKNOWN, ANY),
    (ListKind(Number("int", 1)), ListKind(Number("int", 2))),
    (RecordKind(Point, ("x",), (INT,)), RecordKind(Point, ("y",), (INT,))),
    (TupleKind((INT,)), TupleKind((INT, INT))),
])
def test_what_differs_in_anything_is_not_the_same(one, other):
    assert not is_same(one, other) and not is_same(other, one)
    assert is_same(one, one) and is_same(TupleKind((one,)), TupleKind((one,)))


def test_arrays_of_another_length_in_each_iteration():
    """What an inner loop makes is of another shape in each iteration of the outer one."""
    def f(x):
        kept = np.zeros(3)
        last = np.zeros(1)
        total = 0.0
        for n in range(1, 4):
            made = np.zeros(n)
            for k in range(n):
                made[k] = x[k] * (k + 1.0)
                part = made * made
            if n > 1:
                total += np.sum(kept[: n - 1] * last[: n - 1])
            last = part
            kept = np.concatenate((part, np.ones(3 - n)))
        return total + np.sum(last) + np.sum(made)

    tl.check_grads(f, (np.array([0.7, -1.2, 0.4]),), order=1)
