"""What a function binds around it (`global`, `nonlocal`) is its own in the derivative."""
import functools
import importlib
import sys

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity, by_names, refused_by_names

THIS = sys.modules[__name__]
CALLS = 0
SCALE = 2.0
STATE = None
NAME = "SCALE"
WEIGHTS = np.array([1.0, 2.0])
TABLE = {"reads": lambda v: v * SCALE}


def cost(x):
    global CALLS
    CALLS += 1
    return np.sum(x ** 2)


def counted(x, a):
    return (cost(x) + cost(a * x)) / CALLS


def reads(v):
    return v * SCALE


def rescale(s, *, by=1.0):
    global SCALE
    SCALE = SCALE * s * by
    return SCALE


def at_both_ends(x, a):
    return reads(np.sum(x)) + rescale(a) * np.sum(reads(x))


def as_a_loop_variable(x, a):
    global CALLS
    total = 0.0
    for CALLS in range(4):
        total = total + np.sum(x) * CALLS * a
    return total * CALLS


def on_one_way(x, a):
    global STATE
    if a > 1.0:
        STATE = a * a
    return np.sum(x) * (a if STATE is None else STATE)


def inside(x, a):
    def count(v):
        global CALLS
        CALLS = CALLS + 1
        return v * CALLS
    return np.sum(count(x)) + np.sum(count(x)) * a


def in_a_generator(x, a):
    def numbered():
        global CALLS
        for v in x:
            CALLS += 1
            yield v * CALLS
    return a * sum(v * CALLS for v in numbered())


def make():
    steps, total = 0, 1.0

    def f(x, a):
        nonlocal steps, total
        steps += 1
        total *= a
        return np.sum(x) * total * steps + level() * a

    def level():
        return total * steps
    return f


closure = make()


class Reader:
    @property
    def scale(self):
        return SCALE

    def __mul__(self, other):
        return other * SCALE


def by_a_method(x, a):
    rescale(a)
    return np.sum(Reader() * x) + Reader().scale


def by_a_table(x, a):
    rescale(a)
    return np.sum(TABLE["reads"](x))


def by_a_partial(x, a):
    rescale(a)
    return np.sum(functools.partial(reads)(x))


def by_the_module(x, a):
    rescale(a)
    return np.sum(x) * THIS.SCALE


def by_the_module_and_a_text(x, a):
    rescale(a)
    return np.sum(x) * getattr(THIS, NAME)


def by_a_name_of_the_module(x, a):
    rescale(a)
    here = THIS
    return np.sum(x) * here.reads(a)


def by_a_module_that_is_found(x, a):
    rescale(a)
    return np.sum(x) * getattr(sys.modules[__name__], NAME)


def imports_it(v):
    return v * getattr(importlib.import_module(__name__), NAME)


def by_an_import(x, a):
    rescale(a)
    return np.sum(imports_it(x))


def shadowed(x, a, SCALE=3.0):
    rescale(a)
    return np.sum(x) * SCALE * reads(a)


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch):
    """Plain calls of functions change what is outside."""
    for name in ("CALLS", "SCALE", "STATE"):
        monkeypatch.setattr(THIS, name, getattr(THIS, name))


def plainly(f, x, a):
    """The value of a function that finds the outside as it was, and leaves it so."""
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or ()))
    kept = {name: cell.cell_contents for name, cell in cells.items()}
    outside = CALLS, SCALE, STATE
    try:
        return f(x, a)
    finally:
        THIS.CALLS, THIS.SCALE, THIS.STATE = outside
        for name, cell in cells.items():
            cell.cell_contents = kept[name]


def holds(f, x, a):
    """Whether value and slopes are those of a function, of which nothing is seen outside."""
    outside = CALLS, SCALE, STATE
    value, (bx, ba) = tl.value_and_grad(f, wrt=("x", "a"))(x, a)
    assert (CALLS, SCALE, STATE) == outside
    assert value == plainly(f, x, a)
    for k, step in enumerate(1e-6 * np.eye(len(x))):
        assert bx[k] == pytest.approx(
            (plainly(f, x + step, a) - plainly(f, x - step, a)) / 2e-6, abs=1e-6)
    assert ba == pytest.approx((plainly(f, x, a + 1e-6) - plainly(f, x, a - 1e-6)) / 2e-6, abs=1e-6)
    _, slope = tl.jvp(f, (x, a), (np.ones(len(x)), 1.0))
    assert slope == pytest.approx(np.sum(bx) + ba)


OWN = [counted, at_both_ends, as_a_loop_variable, on_one_way, inside, in_a_generator, closure,
       by_a_partial]


@pytest.mark.parametrize("f", OWN)
@pytest.mark.parametrize("a", [0.7, 1.3])
def test_it_goes_by_names(f, a):
    with by_names():
        holds(f, np.array([0.3, -0.4, 1.2]), a)
    with by_identity():
        holds(f, np.array([0.3, -0.4, 1.2]), a)


@pytest.mark.parametrize("f", [
    by_a_method, by_a_table, by_the_module, by_the_module_and_a_text, by_a_name_of_the_module,
    by_a_module_that_is_found, shadowed])
def test_who_reads_it_outside_reads_what_was_bound(f):
    holds(f, np.array([0.3, -0.4, 1.2]), 0.7)
    refused_by_names(tl.TangentError, f, np.ones(3), 0.7)


def test_who_imports_the_module_reads_it_outside():
    refused_by_names(tl.TangentError, by_an_import, np.ones(3), 0.7)


def test_a_counter_leaves_no_trace():
    assert "CALLS" not in tl.grad(cost).source_for(np.ones(3))


def counter():
    steps = 0

    def step():
        nonlocal steps
        steps += 1
        return steps
    return step


step = counter()


def counts_elsewhere(x):
    return x * step() * step()


def handed_on(x):
    return x * np.sum(np.fromfunction(lambda k: k + step(), (2,)))


def test_a_variable_of_another_function_is_left_as_it_was():
    """Whose cell the function does not have: it cannot be its own."""
    assert tl.grad(counts_elsewhere)(2.0) == 2.0
    assert tl.jvp(counts_elsewhere, (2.0,), (1.0,)) == (4.0, 2.0)
    refused_by_names(tl.UnsupportedSyntaxError, counts_elsewhere, 2.0, match="an outer variable")
    with pytest.raises(tl.TangentError):
        tl.grad(handed_on)(2.0)
    assert step() == 1


def writes(x):
    WEIGHTS[0] = x
    return x * np.sum(getattr(THIS, "WEIGHTS"))  # noqa: B009


def hides(x):
    WEIGHTS[0] = x
    return x * np.sum(THIS.__dict__["WEIGHTS"])


def test_what_is_written_to_is_read_of_the_module():
    """Where it stands, too: its name means a copy in the derivative."""
    assert tl.grad(writes)(3.0) == 8.0
    with pytest.raises(tl.UnsupportedSyntaxError, match="__dict__ exposes"):
        tl.grad(hides)(3.0)
    assert WEIGHTS.tolist() == [1.0, 2.0]


def test_it_starts_from_what_is_there_at_the_call(monkeypatch):
    f = tl.grad(counted)
    assert f(np.ones(2), 0.0).tolist() == [1.0, 1.0]
    monkeypatch.setattr(THIS, "CALLS", 2)
    assert f(np.ones(2), 0.0).tolist() == [0.5, 0.5]
    monkeypatch.setattr(THIS, "CALLS", 2.0)
    assert f(np.ones(2), 0.0).tolist() == [0.5, 0.5]


def test_a_function_beside_it_may_be_replaced(monkeypatch):
    f = tl.grad(at_both_ends)
    assert f(np.ones(2), 0.5).tolist() == [3.0, 3.0]

    def other(v):
        return v + SCALE

    monkeypatch.setattr(THIS, "reads", other)
    assert f(np.ones(2), 0.5).tolist() == [2.0, 2.0]


def multiply(v):
    global LATER
    LATER = LATER * v


def reads_later(x):
    multiply(x)
    return x * LATER


def test_it_may_come_to_be_there_between_two_calls(monkeypatch):
    with by_identity():
        for _ in range(2):
            with pytest.raises(NameError):
                tl.grad(reads_later)(3.0)
            monkeypatch.setattr(THIS, "LATER", 1.0, raising=False)
            assert tl.value_and_grad(reads_later)(3.0) == (9.0, 6.0)
            assert THIS.LATER == 1.0
            monkeypatch.undo()


def test_second_derivatives_and_numba():
    assert tl.hessian(at_both_ends, wrt="a")(np.ones(2), 0.5) == pytest.approx(16.0)
    pytest.importorskip("numba")
    compiled = tl.grad(counted, wrt=("x", "a"), backend="numba")(np.ones(3), 0.7)
    plain = tl.grad(counted, wrt=("x", "a"))(np.ones(3), 0.7)
    np.testing.assert_allclose(compiled[0], plain[0])
    assert compiled[1] == pytest.approx(plain[1])
