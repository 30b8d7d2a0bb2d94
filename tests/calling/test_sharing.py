"""Memory that is known by several names: refused, or copied, and never silently wrong."""
import collections
import dataclasses
import functools
from types import SimpleNamespace

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names

TABLE = np.array([1.0, 2.0, 3.0])
TAIL = TABLE[1:]
BOX = {"table": TABLE}
RECORD = SimpleNamespace(table=TABLE)
OTHER = np.array([4.0, 5.0, 6.0])


@pytest.fixture(autouse=True)
def table():
    yield
    TABLE[:] = [1.0, 2.0, 3.0]


def writes_global(x):
    TABLE[0] = x[1] * 2.0
    return np.sum(x * x) + TABLE[0]


def writes_argument(x):
    x[0] = x[1] * 2.0
    return np.sum(x * TABLE)


def writes_argument_beside_dict(x):
    x[0] = x[1] * 2.0
    return np.sum(x * BOX["table"])


def writes_argument_beside_record(x):
    x[0] = x[1] * 2.0
    return np.sum(x * RECORD.table)


def reader(k):
    return TABLE[0] * k


def writes_argument_beside_helper(x):
    x[0] = x[1] * 2.0
    return x[0] * reader(2.0)


def writes_what_a_helper_reads(k):
    TABLE[0] = k * 3.0
    return reader(k) + TABLE[0]


def deep_reader(k, n):
    if n == 0:
        return TABLE[0] * k
    return deep_reader(k, n - 1)


def writes_what_a_recursive_helper_reads(k):
    TABLE[0] = k * 3.0
    return deep_reader(k, 2) + TABLE[0]


def writes_under_two_names(k):
    TABLE[1] = k * 3.0
    return TAIL[0] * k


@pytest.mark.parametrize(("function", "argument"), [
    (writes_global, TABLE), (writes_argument, TABLE), (writes_argument, TABLE[::-1]),
    (writes_argument_beside_dict, TABLE), (writes_argument_beside_record, TABLE),
    (writes_argument_beside_helper, TABLE)])
def test_written_under_one_name_and_read_under_another(function, argument):
    with pytest.raises(tl.AliasError, match="writes into|is written to"):
        tl.grad(function)(argument)
    with pytest.raises(tl.AliasError, match="writes into|is written to"):
        tl.vjp(function, argument)


def test_read_outside_under_another_name():
    """The run has one copy of all that lives outside, whatever its names are."""
    before = TABLE.copy()
    assert tl.grad(writes_what_a_recursive_helper_reads)(2.0) == 3.0 * 4.0 + 3.0
    assert tl.grad(writes_under_two_names)(2.0) == 3.0 * 4.0
    assert np.array_equal(TABLE, before)


def test_a_helper_reads_what_was_written():
    before = TABLE.copy()
    assert tl.grad(writes_what_a_helper_reads)(2.0) == 3.0 * 4.0 + 3.0
    assert np.array_equal(TABLE, before)


@pytest.mark.parametrize("function", [writes_global, writes_argument, writes_argument_beside_dict,
                                      writes_argument_beside_helper])
@pytest.mark.sweep(2)
def test_other_memory_is_fine(function):
    tl.check_grads(function, (OTHER,))
    assert np.array_equal(OTHER, [4.0, 5.0, 6.0])


def test_a_name_that_comes_to_share_is_seen(monkeypatch):
    d = tl.grad(writes_argument)
    x = np.ones(3)
    d(x)
    monkeypatch.setitem(globals(), "TABLE", x)
    with pytest.raises(tl.AliasError, match="shares memory with TABLE"):
        d(x)


def test_a_closure_shares():
    table = np.ones(3)

    def f(x):
        table[0] = x[0]
        return np.sum(table * x)

    with pytest.raises(tl.AliasError):
        tl.grad(f)(table)
    assert np.array_equal(tl.grad(f)(2.0 * np.ones(3)), [4.0, 1.0, 1.0])


# Pullbacks ---------------------------------------------------------------------------------------
@dataclasses.dataclass
class Line:
    slope: np.ndarray
    offset: float


Pair = collections.namedtuple("Pair", ["a", "b"])


def square(x):
    return x * x


def exponential(x):
    y = np.exp(x)
    return y


def same(x):
    return x


def writer(x):
    x[0] = x[1] * x[0]
    return np.sin(x)


def nested(x):
    return square(x) * np.sum(x)


def looped(x):
    y = x
    for k in range(3):
        y = y * x[0]
    return y


def parameters(p):
    return p["a"] * p["b"][0] * p["a"]


def record(line):
    return line.slope * line.offset * line.slope


def pair(p):
    return p.a * p.b


@pytest.mark.parametrize(("function", "make"), [
    *[(f, lambda: np.array([0.3, 0.7]))
      for f in (square, exponential, same, writer, nested, looped)],
    (parameters, lambda: {"a": np.array([0.3, 0.7]), "b": [np.array([2.0, 3.0])]}),
    (record, lambda: Line(np.array([0.3, 0.7]), 2.0)),
    (pair, lambda: Pair(np.array([0.3, 0.7]), np.array([2.0, 3.0])))])
def test_a_pullback_does_not_see_what_is_changed_later(function, make):
    x = make()
    y, pullback = tl.vjp(function, make())
    seed = np.array([1.0, 2.0])
    wanted = repr(pullback(seed))
    y, pullback = tl.vjp(function, x)
    for array in (*tl.trees.arrays_in(x), y):
        array[...] = 99.0
    if isinstance(x, dict):
        x["b"][0] = None
        x.clear()
        x.update(make())
    if isinstance(x, Line):
        x.offset = 99.0
    assert repr(pullback(seed)) == wanted
    assert repr(pullback(seed)) == wanted


def late_parameters(a, x, b, c):
    c += 0.5
    b = b * c
    y = x * b
    for k in range(2):
        y[k] = c * y[k]
    return y * c


def test_parameters_that_are_bound_anew_are_kept_as_they_were_given():
    x = np.array([0.3, 0.7, 1.1])
    pulled = tl.vjp(late_parameters, 1.0, x, 2.0, 3.0)[1](np.ones(3))
    wanted = tl.grad(lambda a, x, b, c: np.sum(late_parameters(a, x, b, c)), wrt=(0, 1, 2, 3))(
        1.0, x, 2.0, 3.0)
    assert all(np.allclose(p, w) for p, w in zip(pulled, wanted))
    tl.check_grads(late_parameters, (1.0, x, 2.0, 3.0))


def test_nothing_is_copied_that_nobody_holds():
    kept = []

    def f(x):
        y = np.sin(x)
        return np.sum(y * y)

    from tangent_lite.calling import sharing
    y = np.sin(np.ones(3))
    saved = ((y, 2.0, [y]), y)
    made = sharing.detached(saved, kept)
    assert made[0][0] is y and made[0][2][0] is y and made[1] is y


# Cotangents --------------------------------------------------------------------------------------
@pytest.mark.parametrize("cotangent", [1j, None, "1", 1.0 + 0j, [1.0, None], np.ones(2) * 1j])
@pytest.mark.parametrize("argument", [0.5, np.array([0.5, 1.0])])
def test_a_cotangent_that_is_none(cotangent, argument):
    _, pullback = tl.vjp(square, argument)
    with pytest.raises(tl.InputError):
        pullback(cotangent)


def test_a_real_cotangent_of_a_complex_value():
    _, pullback = tl.vjp(square, 1.0 + 2.0j)
    assert pullback(1.0) == (2.0 + 4.0j,)


# Containers that change ---------------------------------------------------------------------------
class Held:
    def __init__(self, v):
        self.v = v


def changes_dict(a, b):
    a["v"] = 3.0 * a["v"]
    return a["v"] * b["v"]


def changes_object(a, b):
    a.v = 3.0 * a.v
    return a.v * b.v


def changes_list(a, b):
    old = a[0]
    a[0] = 3.0 * a[0]
    r = a[0] * b[0]
    a[0] = old
    return r


def changes_part(p):
    p["a"]["v"] = 3.0 * p["a"]["v"]
    return p["b"]["v"] * 2.0


CHANGED = [(changes_dict, lambda: {"v": 2.0}), (changes_object, lambda: Held(2.0)),
           (changes_list, lambda: [2.0, 1.0])]


@pytest.mark.parametrize("function, make", CHANGED, ids=lambda f: getattr(f, "__name__", ""))
def test_one_container_as_two_arguments(function, make):
    derivative = tl.value_and_grad(function)
    assert derivative(make(), make())[0] == 12.0
    same = make()
    with pytest.raises(tl.AliasError, match="changes a, and a list, dict or object of it is part "
                                            "of b, too"):
        derivative(same, same)
    assert derivative(make(), make())[0] == 12.0


def test_one_container_in_two_places_of_an_argument():
    derivative = tl.value_and_grad(changes_part)
    assert derivative({"a": {"v": 2.0}, "b": {"v": 2.0}}) == (4.0, {"a": {"v": 0.0},
                                                                   "b": {"v": 2.0}})
    part = {"v": 2.0}
    value, gradient = derivative({"a": part, "b": part})
    # By identity each place shows the adjoint of the one part.
    assert value == 12.0 and gradient == {"a": {"v": 6.0}, "b": {"v": 6.0}}


# What methods and partials hold -------------------------------------------------------------------
class Counter:
    def __init__(self):
        self.total = np.ones(3)

    def add(self, v):
        self.total = self.total * v


COUNTER = Counter()
ADD = COUNTER.add
ROWS = [np.ones(3), 0.5 * np.ones(3)]


def times(row, v):
    row *= v


SCALE = functools.partial(times, ROWS[0])


def by_a_method_of_an_object_that_is_read(x):
    ADD(x * x)
    return np.sum(COUNTER.total * x)


def by_a_partial_with_an_array_that_is_read(x):
    SCALE(x * x)
    return np.sum(ROWS[0] * x)


def one_of_several_arrays_that_are_read(x):
    row = max(ROWS, key=np.sum)
    row *= x * x
    return np.sum(ROWS[0] * x)


times.row = ROWS[0]


def an_array_of_a_function(x):
    row = times.row
    row *= x * x
    return np.sum(ROWS[0] * x)


@pytest.mark.parametrize("function", [by_a_method_of_an_object_that_is_read, an_array_of_a_function,
                                      by_a_partial_with_an_array_that_is_read,
                                      one_of_several_arrays_that_are_read])
def test_what_changes_by_another_name(function):
    """x ** 3, by one copy of what lives outside, which stays as it is."""
    assert np.allclose(tl.grad(function)(OTHER), 3.0 * OTHER ** 2)
    assert np.array_equal(COUNTER.total, np.ones(3)) and np.array_equal(ROWS[0], np.ones(3))
    with by_names(), pytest.raises(tl.AliasError):
        tl.grad(function)(OTHER)


def sets_attribute(settings, table, x):
    settings.scale = x[0] * 2.0
    return table["scale"] * x[1] * settings.scale


def sets_key(settings, table, x):
    table["scale"] = x[0] * 2.0
    return table["scale"] * x[1] * settings.scale


@pytest.mark.parametrize("function", [sets_attribute, sets_key])
def test_an_object_and_the_dict_of_its_attributes_are_one_thing(function):
    x, settings = np.array([0.3, 0.5]), SimpleNamespace(scale=2.0)
    with by_names():
        value, _ = tl.value_and_grad(function, wrt=2)(settings, {"scale": 3.0}, x)
    assert value == function(SimpleNamespace(scale=2.0), {"scale": 3.0}, x)
    with pytest.raises(tl.AliasError, match="list, dict or object of it is part of"):
        tl.grad(function, wrt=2)(settings, vars(settings), x)
    assert settings.scale == 2.0
