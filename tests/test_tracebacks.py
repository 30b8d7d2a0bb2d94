"""Errors that come up while a derivative runs name the line of the user's function."""

import re
import sys
import traceback

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="errors take no notes")


def layer(x, W):
    return np.tanh(x @ W)                           # of shapes that do not fit


def in_a_helper(x):
    return np.sum(layer(x, np.ones((5, 2))))


def in_a_return(x):
    y = x * x
    return np.sum(y) * no_such_name                 # noqa: F821


def in_a_branch(x):
    if x[0] > 0.0:
        raise ValueError("too large")
    return np.sum(x)


def in_a_loop(x):
    total = 0.0
    for k in range(5):
        total += x[k] ** 2
    return total


X = np.ones(3)
FAILING = [(in_a_helper, ValueError, "return np.tanh(x @ W)"),
           (in_a_return, NameError, "return np.sum(y) * no_such_name"),
           (in_a_branch, ValueError, 'raise ValueError("too large")'),
           (in_a_loop, IndexError, "total += x[k] ** 2")]


def told(call, kind):
    """What is printed behind the message, and the last line of the file that the notes name."""
    with pytest.raises(kind) as caught:
        call()
    note, = caught.value.__notes__
    where, text = note.splitlines()
    assert re.fullmatch(r"  for .*test_tracebacks\.py:\d+", where) and text.startswith("    ")
    assert note in "".join(traceback.format_exception(caught.value))
    return text.strip()


@pytest.mark.parametrize("function, kind, line", FAILING, ids=lambda one: getattr(
    one, "__name__", ""))
def test_the_line_of_the_user(function, kind, line):
    calls = [lambda: tl.grad(function)(X), lambda: tl.value_and_grad(function)(X),
             lambda: tl.vjp(function, X), lambda: tl.jvp(function, (X,), (X,)),
             lambda: tl.hessian(function)(X), lambda: tl.grad(lambda v: function(v) * 2.0)(X)]
    for call in calls:
        assert told(call, kind).startswith(line)
    with by_identity():
        assert told(lambda: tl.grad(function)(X), kind).startswith(line)


def test_one_error_that_is_raised_again_says_it_once():
    error = ValueError("again")
    error.add_note("of the user")

    def fails(x):
        if x > 0.0:
            raise error
        return x

    for _ in range(2):
        with pytest.raises(ValueError, match="again"):
            tl.grad(fails)(1.0)
    assert len(error.__notes__) == 2


def test_refusals_have_their_place_already():
    with pytest.raises(tl.TangentError) as caught:
        tl.grad(lambda x: x)("a")
    assert not hasattr(caught.value, "__notes__")
