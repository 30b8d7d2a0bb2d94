"""Lists and deques that are kept where a flag asks for them, and are None elsewhere."""
import collections
from collections import deque

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import refused_by_names
from tests.held_to_both import X, is_by_names, is_right


def traced(x, record):
    trace = [] if record else None
    y = x[0]
    for k in range(3):
        y = y * x[1] + 0.1
        if trace is not None:
            trace.append(y)
    return y + (sum(trace) if trace is not None else x[2])


def under_the_flag_itself(x, record):
    trace: "list | None" = None if not record else [x[0]]
    y = x[0]
    for k in range(3):
        y = y * x[1] + 0.1
        if record and k != 1:
            trace.append(y)
    if trace is None:
        return y
    else:
        return y * trace[0] + trace[-1] ** 2


def in_two_statements(x, record):
    y = x[0] * x[1]
    trace = None
    if record:
        trace = [0.0] * 2
    for k in range(4):
        y = y * x[1] + 0.1
        if trace is not None and k > 0:
            trace[k % 2] += y * k
    return y * trace[0] + trace[1] if trace else y


def delayed(x, delay):
    buffer = deque([0.0] * delay, maxlen=delay) if delay else None
    y = 0.0
    for k in range(5):
        if buffer is not None:
            d = buffer[0]
            buffer.append(x[0] * k + d)
        else:
            d = x[0] * k
        y += d * x[1]
    return y


def popped(x, delay):
    buffer = collections.deque() if delay > 0 else None
    y = 0.0
    for k in range(5):
        if not buffer or len(buffer) < delay:
            d = 0.5
        else:
            d = buffer.popleft()
        if buffer is not None:
            buffer.append(x[0] * k + d)
        y += d * x[1]
    return y


def by_other_conditions(x, record):
    mode = "full" if record else "short"
    trace = [v * v for v in x[:3]] if mode == "full" else None
    total = x[0] if trace is None else sum(v * k for k, v in enumerate(trace))
    mode = "full"
    while trace is not None and len(trace) > 1:
        total += trace.pop() * x[3]
    return total


def of_what_changes(x, record):
    """Whether there is a list was said by another one, which gets items later on."""
    asked = [1.0] if record else []
    trace = [] if asked else None
    asked.append(2.0)
    for k in range(2):
        if trace is not None:
            trace.append(x[k] * asked[0])
    return x[0] * x[1] + (trace[0] * trace[1] if trace is not None else x[2])


FUNCTIONS = [traced, under_the_flag_itself, in_two_statements, delayed, popped, by_other_conditions]


@pytest.mark.parametrize("record", [0, 2])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_such_functions(f, record):
    def given(x):
        return f(x, record)
    is_right(given)
    is_by_names(given)
    value, slope = tl.value_and_grad(f)(X, record)
    assert value == f(X, record)
    np.testing.assert_array_equal(slope, tl.grad(given)(X))


@pytest.mark.parametrize("record", [False, True])
def test_a_condition_that_changes(record):
    is_right(lambda x: of_what_changes(x, record))


def test_the_text_asks_the_flag():
    text = tl.grad(traced).source_for(X, False)
    assert "trace = []\n" in text and "if record:\n            trace.append(y)" in text


# Where somebody sees whether it is None, it stays what it is --------------------------------------
def handed_on(x, record):
    trace = [] if record else None
    y = kept(x[0] * x[1], trace)
    return y + (trace[0] if record else 0.0)


def kept(v, trace):
    if trace is not None:
        trace.append(v * v)
    return v


def bound_again(x, record):
    trace = [] if record else None
    if record == 2:
        trace = None
    if trace is not None:
        trace.append(x[0] * x[1])
    return x[2] * x[0] + (trace[0] if trace is not None else 0.0)


def inside(x, record):
    trace = [] if record else None

    def note(v):
        if trace is not None:
            trace.append(v * v)
        return v
    return note(x[0] * x[1]) + (trace[0] if trace is not None else 0.0)


@pytest.mark.parametrize("record", [0, 1, 2])
@pytest.mark.parametrize("f", [handed_on, bound_again, inside])
def test_what_is_seen_elsewhere(f, record):
    is_right(lambda x: f(x, record))


def unguarded(x, record):
    trace = [] if record else None
    trace.append(x[0] * x[1])
    return trace[0] * x[0]


def test_none_has_no_method():
    with pytest.raises(AttributeError):
        tl.grad(unguarded)(X, False)
    refused_by_names(tl.TangentError, unguarded, X, True)
    is_right(lambda x: unguarded(x, True))


def with_result(x, record=False):
    trace = [] if record else None
    y = x[0] * x[1]
    if record:
        trace.append(y * y)
        return y, trace
    return y, None


def test_a_list_that_is_returned():
    for record in (False, True):
        slope, kept_list = tl.grad(with_result, has_aux=True)(X, record)
        np.testing.assert_allclose(slope[:2], [X[1], X[0]])
        assert kept_list == with_result(X, record)[1]
