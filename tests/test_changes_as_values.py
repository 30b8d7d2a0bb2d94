"""What changes a list or dict and returns None is called for its value: by callbacks, mostly."""
import contextlib
import ctypes
import io
import queue
import sqlite3
import struct

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity


class Log:
    def __init__(self):
        self.kept = []

    def log(self, v):
        return self.kept.append(v)


def minimised(x, callback=None):
    for k in range(3):
        x = x - 0.1 * x * x
        if callback is not None:
            callback(k, x)
    return x


def a_callback(x):
    history = []
    y = minimised(x, callback=lambda k, v: history.append((k, v)))
    return y + sum(v * (k + 1) for k, v in history)


def a_function(x):
    found = []

    def keep(v):
        return found.append(v)
    for k in range(3):
        keep(x * k)
    return found[1] * found[2]


def a_method(x):
    log = Log()
    log.log(x)
    log.log(x * x)
    return log.kept[0] * log.kept[1]


def a_method_as_callback(x):
    log = Log()
    y = minimised(x, callback=lambda k, v: log.log(v * k))
    return y + log.kept[1] * log.kept[2]


def a_comprehension(x):
    found = []
    [found.append(x * k) for k in range(4)]
    return found[1] * found[3]


def a_map(x):
    found = []
    list(map(found.append, [x, x * x]))
    return found[0] * found[1]


def a_bound_method(x):
    found = []
    keep = found.append
    for k in range(3):
        kept = keep(x * k)
    return found[1] * found[2] if kept is None else 0.0


def handed_on(x):
    found = []
    y = minimised(x, callback=lambda k, v: found.insert(0, v * k))
    return y * found[0] * found[1]


def a_condition(x):
    found = []
    done = x > 0 and found.append(x * x)
    return found[0] * x if done is None else x


def one_of_two(x):
    found = []
    (found.append(x) if x > 0 else found.append(-x))
    return found[0] * x


def a_value(x):
    found = [x, x * x]
    nothing = found.clear()
    found.append(x * 3.0)
    return found[0] if nothing is None else x


def removed(x):
    found = [x * x, x, x * 3.0]
    nothing = found.reverse()
    return found[0] * found[1] if nothing is None else x


def updated(x):
    found = {"a": x}
    change = lambda v: found.update(b=v)                    # noqa: E731
    change(x * x)
    return found["a"] * found["b"]


@pytest.mark.parametrize("function", [
    a_callback, a_function, a_method, a_method_as_callback, a_comprehension, a_map, a_bound_method,
    handed_on, a_condition, one_of_two, a_value, removed, updated], ids=lambda f: f.__name__)
@pytest.mark.sweep(5)
def test_against_differences(function):
    x = 1.3
    value, found = tl.value_and_grad(function)(x)
    assert value == function(x)
    expected = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    assert found == pytest.approx(expected, rel=1e-6)
    assert tl.jvp(function, (x,), (1.0,))[1] == pytest.approx(expected, rel=1e-6)
    tl.check_grads(function, (x,), order=2)


def kept_arrays(x):
    found = []
    for k in range(3):
        kept = found.append(x * k)
    return np.sum(found[1] * found[2]) if kept is None else 0.0


def test_arrays():
    tl.check_grads(kept_arrays, (np.array([0.5, -1.0]),), order=2)


def in_a_set(x):
    found = set()
    nothing = found.add(x * x)
    return sum(found) * x if nothing is None else x


def test_sets_are_refused():
    with pytest.raises(tl.UnsupportedSyntaxError, match="may change an active value"):
        tl.grad(in_a_set)(1.3)


def in_lists_by_key(x):
    import collections
    found = collections.defaultdict(list)
    keep = lambda k, v: found[k].append(v)                  # noqa: E731
    keep("a", x)
    keep("a", x * x)
    return found["a"][0] * found["a"][1]


def test_lists_by_key():
    tl.check_grads(in_lists_by_key, (1.3,), order=1)


def appended_by_the_class(x):
    found = [[1.0], [2.0]]
    nothing = list.append(found[0], x)
    list(map(list.append, found, [x * x, x]))
    return found[0][1] * found[0][2] * found[1][1] if nothing is None else x


def changed_in_between(x):
    found = {"a": 2.0}
    before, change = x * x * found["a"], dict.update
    nothing = change(found, {"a": 5.0})
    return before * found["a"] if nothing is None else x


def set_by_a_kept_method(x):
    found, array, named = [x, 2.0, x], np.ones(2), {}
    put, place, name, drop = (found.__setitem__, array.__setitem__, named.__setitem__,
                              found.__delitem__)
    put(1, x * x)
    put(0, 3.0)
    place(1, x)
    any(map(name, "ab", (x, x * x)))
    drop(0)
    return found[0] * found[1] + array[1] * x + named["a"] * named["b"]


def in_queues(x):
    waiting, more = queue.Queue(), queue.LifoQueue()
    waiting.put(x)
    nothing = hand_in(more, x * x)
    queue.Queue.put(more, 3.0 * x)
    return waiting.get() * more.get() * more.get() if nothing is None else x


def hand_in(line, v):
    return line.put(v)


def by_methods_in_a_list(x):
    keep = [found.append for found in ([], [])]
    [add(v) for add, v in zip(keep, (x, x * x))]
    return keep[0].__self__[0] * {}.fromkeys("a", keep[1].__self__[0])["a"]


@pytest.mark.parametrize("function", [appended_by_the_class, by_methods_in_a_list, in_queues,
                                      changed_in_between, set_by_a_kept_method])
def test_asked_of_the_class_or_kept(function):
    x = 1.3
    expected = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    for strategy in (contextlib.nullcontext, by_identity):
        with strategy():
            value, found = tl.value_and_grad(function)(x)
            assert value == function(x)
            assert found == pytest.approx(expected, rel=1e-6)
            assert tl.jvp(function, (x,), (1.0,))[1] == pytest.approx(expected, rel=1e-6)


def packed(x):
    row = np.ones(3)
    nothing = struct.pack_into("d", row, 8, x)
    return np.sum(row) if nothing is None else x


def moved(x):
    row, other = np.ones(2), np.zeros(2)
    total = np.sum(row * x)
    ctypes.memmove(row.ctypes.data, other.ctypes.data, 16)
    return total * x


def in_bytes(x):
    memory = bytearray(16)
    row = np.frombuffer(memory)
    row[0] = x
    return struct.unpack_from("d", memory, 0)[0] * x


def printed(x):
    text = io.StringIO()
    print(x, file=text)
    return float(text.getvalue()) * x


@pytest.mark.parametrize("function, reason", [
    (printed, "a number is read from a text"),
    (packed, "a call that may change an active value"), (moved, "the memory x.ctypes"),
    (in_bytes, "memory that is written to by another name")])
def test_changes_of_bytes_are_refused(function, reason):
    with pytest.raises(tl.UnsupportedSyntaxError, match=reason):
        tl.grad(function)(1.3)


CONNECTION = sqlite3.connect(":memory:", check_same_thread=False)


def test_objects_written_in_c_are_not_copied():
    with by_identity():
        assert tl.grad(lambda x: x * CONNECTION.execute("select 2.5").fetchone()[0])(1.3) == 2.5
