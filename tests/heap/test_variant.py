"""The derivative by identity as an object: what users call, and what they are told."""
import gc

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.memory_of import same_memory
from tests.heap.referee import world

TWO_NAMES = """
def f(x, k=2.0):
    d = {"a": x}
    e = d if k > 0.0 else {"a": x}
    e["a"] = x * x * k
    return d["a"] * x
"""


@pytest.fixture
def f():
    return world(TWO_NAMES.lstrip())["f"]


def test_operators(f):
    assert tl.grad(f)(3.0) == 54.0 and tl.grad(f, wrt="k")(3.0) == 27.0
    assert tl.value_and_grad(f, wrt=(0, 1))(3.0, 1.0) == (27.0, (27.0, 27.0))
    assert tl.jvp(f, (3.0, 1.0), (1.0, None)) == (27.0, 27.0)
    value, pullback = tl.vjp(f, 3.0, 1.0)
    assert value == 27.0 and pullback(2.0) == (54.0, 54.0) == pullback(2.0)
    assert tl.linearize(f, 3.0)[1](2.0) == 108.0
    assert tl.jacobian(f)(3.0) == 54.0


def test_higher_derivatives(f):
    for second in (tl.grad(tl.grad(f)), tl.hessian(f), tl.jacrev(tl.grad(f))):
        assert second(3.0) == 36.0
    assert tl.hvp(f)(3.0, 2.0) == 72.0
    assert tl.grad(tl.grad(tl.grad(f)))(3.0) == 12.0


def test_saving_is_refused(f, tmp_path):
    with pytest.raises(tl.TangentError, match="cannot be written to a file"):
        tl.grad(f).save(tmp_path / "g.py", 3.0)
    assert not (tmp_path / "g.py").exists()


def test_text_can_be_read(f):
    d = tl.grad(f)
    d(3.0)
    assert "def f_fwd(tape, x, k):" in d.source and "def f_bwd(tape," in d.source_for(3.0)


def test_has_aux_and_paths():
    space = world("""
class Net:
    def __init__(self, W):
        self.W, self.seen = W, []
    def loss(self, x):
        me = self
        me.seen.append(self.W * x)
        return np.sum(self.seen[0]), len(me.seen)
""".lstrip())
    net = space["Net"](np.array([1.5, 0.7]))
    with by_identity():
        gradient, aux = tl.grad(space["Net"].loss, wrt="self.W", has_aux=True)(net, 2.0)
    np.testing.assert_array_equal(gradient, [2.0, 2.0])
    assert aux == 1 and net.seen == []


def test_threads(f):
    from concurrent.futures import ThreadPoolExecutor
    d = tl.grad(f)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(d, [float(k) for k in range(100)]))
    assert found == [6.0 * k * k for k in range(100)]


# What users are told -----------------------------------------------------------------------------
def test_the_place_that_stops_it_is_told():
    """The passes stop at line 4, by identity the function goes on to line 5."""
    g = world('def f(x):\n    d = {"a": x}\n    e = d if x[0] else {}\n    e["a"] = x * x\n'
              '    return d["a"] * np.emath.sqrt(x)\n')["f"]
    with pytest.raises(tl.MissingRuleError, match=r":5: no adjoint rule for np.emath.sqrt") as told:
        tl.grad(g)(np.ones(3))
    assert told.value.place.line == 5 and told.value.fix is not None
    assert isinstance(told.value.__cause__, tl.AliasError) and told.value.__cause__.place.line == 4


def test_at_one_place_the_passes_say_it():
    g = world("def f(x):\n    return np.sum(np.emath.sqrt(x))\n")["f"]
    with pytest.raises(tl.MissingRuleError, match=r"sqrt_adjoint\(y, x\)") as told:
        tl.grad(g)(np.ones(3))
    assert told.value.by_identity.place.line == told.value.place.line == 2


def test_errors_of_the_function_are_its_own():
    g = world('def f(x):\n    d = {"a": x}\n    e = d\n    e["a"] = 0.0\n'
              '    return x / d["a"]\n')["f"]
    with pytest.raises(ZeroDivisionError):
        tl.grad(g)(2.0)


# Copies of what is given -------------------------------------------------------------------------
def test_tangents_beside_what_cannot_vary():
    """The tangent of an int is 0.0, its gradient None: they are paired by place."""
    def f(parts, x):
        parts = list(parts)
        parts.append(parts[0])
        return sum(parts[2].values()) * x * parts[1][1]

    args = ({"n": 3, "w": 2.0}, [4, 5.0]), 1.5
    tangents = ({"n": None, "w": 1.0}, [None, 0.5]), 0.0
    assert tl.jvp(f, args, tangents) == (37.5, 1.5 * (5.0 + 5.0 * 0.5))


@pytest.mark.parametrize("change", [
    "x[0] = 5.0", "x.T[1] = 5.0", "x.ravel()[2] = 5.0", "x.sort()", "np.multiply(x, 2.0, out=x)"])
@pytest.mark.parametrize("lie", [np.array, np.asfortranarray, lambda a: a[::-1], lambda a: a.T,
                                 lambda a: np.repeat(a, 2, 0)[::2], lambda a: a[:, ::2]])
def test_copies_lie_as_what_was_given(change, lie):
    """What ravel gives depends on how an array lies; so the value tells."""
    g = world(f"def f(x):\n    {change}\n    return np.sum(x * x * np.arange(1.0, 1.0 + x.size)"
              ".reshape(x.shape))\n")["f"]
    x = lie(np.arange(9.0).reshape(3, 3) / 4.0)
    with by_identity():
        value = tl.value_and_grad(g)(x)[0]
    assert value == g(lie(np.arange(9.0).reshape(3, 3) / 4.0))
    np.testing.assert_array_equal(x, lie(np.arange(9.0).reshape(3, 3) / 4.0))


@pytest.mark.parametrize("x", [
    np.broadcast_to(np.array([0.5]), (3,)), np.broadcast_to(np.array([0.5, 0.7]), (3, 2)),
    np.lib.stride_tricks.sliding_window_view(np.arange(4.0), 2)])
def test_elements_that_lie_at_one_place_have_gradients_of_their_own(x):
    g = world("def f(x, parts):\n    parts[0] = x * x\n    return np.sum(parts[0] * x) + "
              "np.sum(parts[1])\n")["f"]
    with by_identity():
        bx, (_, by) = tl.grad(g, wrt=(0, 1))(x, [1.0, x])
        dy = tl.jvp(g, (x, [1.0, x]), (np.ones_like(x), [0.0, np.ones_like(x)]))[1]
    np.testing.assert_allclose(bx, 3.0 * x * x)
    np.testing.assert_allclose(by, np.ones(x.shape))
    np.testing.assert_allclose(dy, np.sum(3.0 * x * x) + x.size)


def test_windows_of_an_array_beside_it_stay_windows_of_it():
    g = world("def f(p, y):\n    p[0][1] = y\n    return np.sum(p[1] * p[1])\n")["f"]
    x = np.arange(4.0)
    given = [x, np.lib.stride_tricks.sliding_window_view(x, 2)]
    with by_identity():
        assert tl.value_and_grad(g, wrt=1)(given, 2.0) == (0.0 + 4.0 + 4.0 + 4.0 + 4.0 + 9.0, 8.0)
        with pytest.raises(tl.AliasError):      # each place has its own part
            tl.grad(g)(given, 2.0)


def test_memory_is_found_behind_views():
    x = np.arange(12.0).reshape(3, 4)
    for view in (x[1:], x.T, x[::-1, ::2], x.reshape(4, 3), np.broadcast_to(x, (2, 3, 4)),
                 np.lib.stride_tricks.as_strided(x, (2, 2), (8, 8)), np.asarray(memoryview(x))):
        assert same_memory(view, x)
    for other in (x.copy(), x + 0.0, np.array(x), x[[0, 1]], x.flatten()):
        assert not same_memory(other, x)


# Which function it is ----------------------------------------------------------------------------
def test_equal_code_of_two_modules():
    """Code is known by what it is: equal code may have other globals, and stands elsewhere."""
    text = "def f(x, *rest):\n    y = table\n    y += x\n    return np.sum(y * x)\n"
    first, second = world(text + "table = 2.0\n"), world(text + "table = np.ones(2)\n")
    assert first["f"].__code__ == second["f"].__code__
    assert tl.grad(first["f"])(3.0) == 8.0
    assert tl.grad(second["f"])(3.0) == 14.0
    np.testing.assert_array_equal(second["table"], [1.0, 1.0])


def test_a_global_that_becomes_an_array():
    space = world("table = 2.0\nround = np.ones(2)\ndef f(x, *rest):\n    y = table\n    y += x\n"
                  "    z = round\n    z += x\n    return np.sum(y * x) + np.sum(z)\n")
    d = tl.grad(space["f"])
    assert d(3.0) == 10.0
    space["table"] = np.ones(2)
    assert d(3.0) == 16.0
    np.testing.assert_array_equal(space["table"], [1.0, 1.0])
    np.testing.assert_array_equal(space["round"], [1.0, 1.0])


# What is left behind -----------------------------------------------------------------------------
TWICE = """
def twice(x):
    return x * x


def f(x):
    xs = [x, twice(x)]
    ys = xs
    for k in range(2):
        ys[k] = twice(xs[k]) * x
    return np.sum(xs[1])
"""


def _left_by(derivative, x):
    derivative(x)
    return gc.collect()


@pytest.mark.parametrize("differentiated", [
    tl.grad, tl.value_and_grad, lambda f: lambda x: tl.jvp(f, (x,), (x,))])
def test_a_run_leaves_nothing_to_the_garbage_collector(differentiated):
    derivative, x = differentiated(world(TWICE.lstrip())["f"]), np.ones(3)
    with by_identity():
        derivative(x)
        gc.collect()
        gc.disable()
        try:
            # Threads of other tests may leave something meanwhile, but not each time.
            assert min(_left_by(derivative, x) for _ in range(3)) == 0
        finally:
            gc.enable()
