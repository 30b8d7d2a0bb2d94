"""Lists, dicts and objects that live outside and change under another name, and what functions
hold: refused, or with the number of the function, and what lives outside stays what it was.
"""
import functools

import numpy as np
import pytest

import tangent_lite as tl

TABLE = np.array([1.0, 2.0, 3.0])


class Held:
    def __init__(self, v):
        self.v = v


# Containers that live outside ---------------------------------------------------------------------
SHELF = [1.0, 2.0]
ROW = (SHELF,)
DRAWER = {"shelf": SHELF, "n": 2.0}
STATE = Held(2.0)


@pytest.fixture(autouse=True)
def as_they_were():
    yield
    SHELF[:] = [1.0, 2.0]
    DRAWER.update(shelf=SHELF, n=2.0)
    STATE.v = 2.0
    TABLE[:] = [1.0, 2.0, 3.0]


def list_beside_global(x, held):
    held[0] = 3.0 * x
    return held[0] * SHELF[0] * x


def dict_beside_global(x, held):
    held["n"] = x * held["n"]
    return held["n"] * DRAWER["n"]


def object_beside_global(x, held):
    held.v = x * held.v
    return held.v * STATE.v


def reads_state(x):
    return STATE.v * x


def object_beside_helper(x, held):
    held.v = 3.0 * x
    return reads_state(x) * held.v


def gives_state():
    return STATE


def object_beside_what_a_helper_gives(x, held):
    held.v = x * x
    return gives_state().v * x


BESIDE = [(list_beside_global, SHELF), (dict_beside_global, DRAWER), (object_beside_global, STATE),
          (object_beside_helper, STATE), (object_beside_what_a_helper_gives, STATE)]


@pytest.mark.parametrize("function, held", BESIDE, ids=lambda f: getattr(f, "__name__", ""))
def test_an_argument_that_changes_lives_outside_as_well(function, held):
    derivative = tl.value_and_grad(function)
    with pytest.raises(tl.AliasError, match="changes held, and a list, dict or object of it is "
                                            "part of"):
        derivative(0.7, held)
    other = {list: [1.0, 2.0], dict: {"shelf": [1.0, 2.0], "n": 2.0}}.get(type(held), Held(2.0))
    assert derivative(0.7, other)[0] == function(0.7, other)
    with pytest.raises(tl.AliasError, match="is part of"):
        derivative(0.7, held)


def global_under_a_name(x):
    held = SHELF
    held[0] = 3.0 * x
    return held[0] * 2.0


def item_of_a_global_tuple(x):
    held = ROW[0]
    held[0] = 3.0 * x
    return held[0] * SHELF[0]


def unpacked_from_a_global(x):
    held, = ROW
    held[0] = 3.0 * x
    return held[0] * SHELF[0]


def item_of_a_global_dict(x):
    held = DRAWER["shelf"]
    held.append(3.0 * x)
    return held[-1] * SHELF[-1] * x


def given_to_a_helper(x):
    return list_beside_global(x, ROW[0])


def spread_into_a_helper(x):
    return list_beside_global(x, *ROW)


def gives_shelf():
    return SHELF


def given_by_a_helper(x):
    held = gives_shelf()
    held[0] = 3.0 * x
    return held[0] * SHELF[0]


def given_by_a_helper_to_another(x):
    return list_beside_global(x, gives_shelf())


def written_here_and_read_there(x):
    SHELF[0] = 3.0 * x
    return DRAWER["shelf"][0] * SHELF[0]


def object_under_a_name(x):
    held = STATE
    held.v = x * held.v
    return held.v * STATE.v


@pytest.mark.parametrize("function", [
    global_under_a_name, item_of_a_global_tuple, unpacked_from_a_global, item_of_a_global_dict,
    given_to_a_helper, spread_into_a_helper, given_by_a_helper, given_by_a_helper_to_another,
    lambda x, give=gives_shelf: list_beside_global(x, give()), written_here_and_read_there,
    object_under_a_name],
    ids=lambda f: f.__name__)
def test_what_lives_outside_changes_under_another_name(function):
    """The number is that of the function, and what lives outside stays what it was."""
    def fresh(x):
        SHELF[:] = [1.0, 2.0]
        STATE.v = 2.0
        return function(x)

    value, slope = fresh(0.7), (fresh(0.7 + 1e-6) - fresh(0.7 - 1e-6)) / 2e-6
    for derivative in (lambda: tl.value_and_grad(function)(0.7),
                       lambda: tl.jvp(function, (0.7,), (1.0,))):
        SHELF[:] = [1.0, 2.0]
        STATE.v = 2.0
        np.testing.assert_allclose(derivative(), (value, slope), rtol=1e-8)
        assert SHELF == [1.0, 2.0] and STATE.v == 2.0


# What functions hold ------------------------------------------------------------------------------
def reader_of(held):
    return lambda x: held[0] * x


class Reader:
    shared = [1.0, 2.0]

    def __init__(self, held):
        self.held = held

    def __call__(self, x):
        return self.held[0] * x

    def read(self, x):
        return self.held[0] * x


def read_first(held, x):
    return held[0] * x


def reads_shelf(x):
    return SHELF[0] * x


READER = Reader(SHELF)
TABLE_READER = Reader(TABLE)
METHOD = READER.read
PARTIAL = functools.partial(read_first, SHELF)
READERS = {"closure": reader_of(SHELF), "partial": PARTIAL}


def beside_a_method(x, held):
    held[0] = 3.0 * x
    return METHOD(x) * held[0]


def beside_an_object(x, held):
    held[0] = 3.0 * x
    return READER.read(x) * held[0]


def beside_a_partial(x, held):
    held[0] = 3.0 * x
    return PARTIAL(x) * held[0]


def beside_functions_in_a_dict(x, held):
    held[0] = 3.0 * x
    return READERS["closure"](x) * READERS["partial"](x) * held[0]


@pytest.mark.parametrize("function", [beside_a_method, beside_an_object, beside_a_partial,
                                      beside_functions_in_a_dict], ids=lambda f: f.__name__)
def test_what_is_changed_is_held_by_a_function(function):
    derivative = tl.value_and_grad(function)
    with pytest.raises(tl.AliasError):
        derivative(0.7, SHELF)
    assert derivative(0.7, [1.0, 2.0])[0] == function(0.7, [1.0, 2.0])
    assert SHELF == [1.0, 2.0]


def writes_shelf(x, read):
    SHELF[0] = 3.0 * x
    return read(x) * SHELF[0]


def writes_table(x, read):
    TABLE[0] = 3.0 * x
    return read(x) * TABLE[0]


@pytest.mark.parametrize("function, read", [
    (writes_shelf, reader_of(SHELF)), (writes_shelf, PARTIAL), (writes_shelf, METHOD),
    (writes_shelf, READER), (writes_shelf, reads_shelf), (writes_table, reader_of(TABLE)),
    (writes_table, TABLE_READER.read), (writes_table, functools.partial(read_first, TABLE))])
def test_a_function_that_is_given_reads_what_is_changed(function, read):
    """Both ways of the writing are right: refused, or with the number of the function."""
    value = function(0.7, read)
    slope = (function(0.7 + 1e-6, read) - function(0.7 - 1e-6, read)) / 2e-6
    SHELF[:], TABLE[:] = [1.0, 2.0], [1.0, 2.0, 3.0]
    for derivative in (lambda: tl.value_and_grad(function)(0.7, read),
                       lambda: tl.jvp(function, (0.7, read), (1.0, None))):
        try:
            found = derivative()
        except tl.AliasError:
            pass
        else:
            np.testing.assert_allclose(found, (value, slope), rtol=1e-8)
        assert SHELF == [1.0, 2.0] and TABLE[0] == 1.0


def writes_what_a_class_shares(x, held):
    held.shared[0] = 3.0 * x
    return held.shared[0] * READER.shared[0]


def reads_what_a_class_shares(x, held):
    held[0] = 3.0 * x
    return READER.shared[0] * held[0]


@pytest.mark.parametrize("function, held", [
    (writes_what_a_class_shares, Reader), (writes_what_a_class_shares, Reader([1.0])),
    (reads_what_a_class_shares, Reader.shared)])
def test_objects_share_what_their_class_holds(function, held):
    try:
        found = tl.value_and_grad(function)(0.7, held)
    except tl.AliasError:
        pass
    else:
        np.testing.assert_allclose(found, (4.41, 12.6))
    assert Reader.shared == [1.0, 2.0]


# Derivatives of derivatives, and what is called as it stands --------------------------------------
def writes_and_asks_a_helper(x):
    if x > 0.2:
        SHELF[1] = x + x * x
    scaled = [u * 0.5 for u in gives_shelf()]
    return x * scaled[0] * scaled[1] * SHELF[1]


def global_under_two_names(x):
    SHELF[0] *= np.sin(x)
    return ROW[0][0] * SHELF[0] * x


def attribute_bound_anew(x):
    STATE.v *= 2.0
    return x * x * STATE.v


BOUND = [1.0, 2.0]
ALSO_BOUND = BOUND
ARRAY = np.array([1.0, 2.0])
VIEW = ARRAY[1:]
COUNT = 0


def changes_and_reads_the_other(x):
    BOUND.append(x)
    return ALSO_BOUND[-1]


def binds_anew_what_has_two_names(x):
    global BOUND
    y = changes_and_reads_the_other(np.sin(x))
    BOUND = [x]
    return y * changes_and_reads_the_other(x) + BOUND[-1] * x


def writes_and_counts(x):
    global COUNT
    COUNT += 1
    ARRAY[1] = x * COUNT
    return VIEW[0] * COUNT


def counts_what_it_writes(x):
    return writes_and_counts(x) * writes_and_counts(x * x)


@pytest.mark.parametrize("function", [binds_anew_what_has_two_names, counts_what_it_writes],
                         ids=lambda f: f.__name__)
def test_variables_that_are_bound_beside_what_has_two_names(function):
    def fresh(f, *args):
        global BOUND, COUNT
        BOUND, COUNT = ALSO_BOUND, 0
        ALSO_BOUND[:], ARRAY[:] = [1.0, 2.0], [1.0, 2.0]
        return f(*args)

    slope = (fresh(function, 0.7 + 1e-6) - fresh(function, 0.7 - 1e-6)) / 2e-6
    assert fresh(tl.value_and_grad(function), 0.7)[0] == fresh(function, 0.7)
    np.testing.assert_allclose(fresh(tl.grad(function), 0.7), slope, rtol=1e-7)
    assert BOUND is ALSO_BOUND == [1.0, 2.0] and COUNT == 0 and ARRAY[1] == 2.0
    np.testing.assert_allclose(fresh(tl.jvp, function, (0.7,), (1.0,))[1], slope, rtol=1e-7)


@pytest.mark.parametrize("function", [writes_and_asks_a_helper, global_under_two_names,
                                      attribute_bound_anew], ids=lambda f: f.__name__)
def test_second_derivatives_and_what_lives_outside(function):
    def fresh(f, x):
        SHELF[:] = [1.0, 2.0]
        STATE.v = 2.0
        return f(x)

    first, second = tl.grad(function), tl.grad(tl.grad(function))
    slope = (fresh(function, 0.7 + 1e-6) - fresh(function, 0.7 - 1e-6)) / 2e-6
    bend = (fresh(first, 0.7 + 1e-6) - fresh(first, 0.7 - 1e-6)) / 2e-6
    np.testing.assert_allclose(fresh(first, 0.7), slope, rtol=1e-7)
    np.testing.assert_allclose(fresh(second, 0.7), bend, rtol=1e-7)
    np.testing.assert_allclose(fresh(lambda x: tl.jvp(function, (x,), (1.0,))[1], 0.7), slope,
                               rtol=1e-7)
    assert SHELF == [1.0, 2.0] and STATE.v == 2.0
