"""Numbers of Python's that are divided by zero on the way back: as with arrays."""
import math
import random

import numpy as np
import pytest

import tangent_lite as tl

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
ONE = {
    "np.log(x)": (0.0, np.inf), "np.log2(x)": (0.0, np.inf), "np.log1p(x)": (-1.0, np.inf),
    "np.arctanh(x)": (1.0, np.inf), "np.divide(1.0, x)": (0.0, -np.inf),
    "np.power(x, 0.5)": (0.0, np.inf), "np.power(x, 3.0)": (1e200, np.inf),
    "np.float_power(x, -1.0)": (0.0, -np.inf), "math.sqrt(x)": (0.0, np.inf),
    "x ** 0.5": (0.0, np.inf), "abs(x) ** 0.5": (0.0, np.nan), "math.asin(x)": (1.0, np.inf),
    "2.0 * np.log(x) + x": (0.0, np.inf),
}



@pytest.fixture
def function(tmp_path, monkeypatch):
    """A function of x with such a text, in a module."""
    def make(text):
        name = f"divided_{abs(hash(text))}"
        (tmp_path / f"{name}.py").write_text(
            f"import math\nimport numpy as np\n\ndef f(x):\n    return {text}\n")
        monkeypatch.syspath_prepend(tmp_path)
        return __import__(name).f
    return make


@pytest.mark.parametrize("text", ONE)
def test_as_with_arrays(text, function):
    f, (x, wanted) = function(text), ONE[text]
    for _ in range(3):                          # the way in changes with the second call
        assert tl.grad(f)(x) == pytest.approx(wanted, nan_ok=True)
        assert type(tl.grad(f)(x)) is float
    value, found = tl.value_and_grad(f)(x)
    assert value == f(x) and type(value) is type(f(x))
    assert found == pytest.approx(wanted, nan_ok=True)
    assert tl.vjp(f, x)[1](1.0)[0] == pytest.approx(wanted, nan_ok=True)
    assert tl.jvp(f, (x,), (1.0,))[1] == pytest.approx(wanted, nan_ok=True)
    assert tl.jacobian(f)(x) == pytest.approx(wanted, nan_ok=True)
    if "math" not in text:
        assert tl.grad(f)(np.array(x)) == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize("text", ["np.var(x)", "np.std(x)", "np.mean(x)", "x.var() + x.mean()"])
def test_nothing_to_share(text, function):
    found = tl.grad(function(text))(np.zeros(0))
    assert found.shape == (0,) and found.dtype == float


@pytest.mark.parametrize("text", ["np.var(x, ddof=1)", "np.std(x, ddof=1)"])
def test_one_element_without_freedom(text, function):
    np.testing.assert_array_equal(tl.grad(function(text))(np.ones(1)), [np.nan])


SECOND = {
    "np.log(x)": (0.0, -np.inf), "np.log1p(x)": (-1.0, -np.inf), "x ** 0.5": (0.0, -np.inf),
    "x ** 1.5": (0.0, np.inf), "np.power(x, 0.5)": (0.0, -np.inf), "x * np.log(x)": (0.0, np.inf),
    "np.log(x) + 3.0 * x * x": (0.0, -np.inf), "np.float_power(x, -1.0)": (0.0, np.inf),
}


@pytest.mark.parametrize("text", SECOND)
def test_of_a_second_order(text, function):
    f, (x, wanted) = function(text), SECOND[text]
    gradient = tl.grad(f)
    for _ in range(3):
        for found in (tl.hessian(f)(x), tl.hvp(f)(x, 1.0), tl.grad(gradient)(x),
                      tl.value_and_grad(gradient)(x)[1], tl.grad(gradient, wrt=("x",))(x=x)[0],
                      tl.vjp(gradient, x)[1](1.0)[0], tl.vjp(gradient, x, wrt=0)[1](1.0),
                      tl.jvp(gradient, (x,), (1.0,))[1], tl.linearize(gradient, x)[1](1.0),
                      tl.jacobian(gradient)(x)):
            assert found == pytest.approx(wanted, nan_ok=True)
            assert type(found) is float
    assert tl.value_and_grad(gradient)(x)[0] == gradient(x)
    assert tl.hessian(f)(np.array(x)) == pytest.approx(wanted, nan_ok=True) or "x *" in text
    assert not np.isfinite(tl.grad(tl.grad(gradient))(x))


def test_a_second_order_beside_an_array():
    def f(b, x):
        return np.sum(x * np.log(b))
    x = np.ones(3)
    found = tl.grad(lambda b, x: np.sum(tl.grad(f, wrt="x")(b, x) ** 2))(1.0, x)
    assert found == 0.0
    second = tl.hessian(f, wrt=("b", "x"))
    found, wanted = second(0.0, x), second(np.array(0.0), x)
    assert found[0][0] == wanted[0][0] == -np.inf
    for one, other in ((0, 1), (1, 0), (1, 1)):
        np.testing.assert_array_equal(found[one][other], wanted[one][other])
    np.testing.assert_array_equal(x, np.ones(3))


def test_a_second_order_that_does_not_hold_for_numpys_numbers():
    """What the function catches it catches: of NumPy's numbers the other way would be taken."""
    def f(x):
        try:
            y = 1.0 / x
        except ZeroDivisionError:
            y = 3.0
        return y * np.log(x + 0.0)
    assert tl.value_and_grad(tl.grad(f))(1.0)[0] == 1.0
    assert not np.isfinite(tl.hessian(f)(0.0))
    def square(x):
        try:
            y = 1.0 / x
        except ZeroDivisionError:
            y = 3.0
        return y * x * x
    assert tl.hessian(square)(0.0) == 6.0


def test_a_number_beside_an_array():
    def f(b, x):
        return np.sum(x + np.log(b))
    both = tl.grad(f, wrt=("b", "x"))(0.0, np.ones(3))
    assert both[0] == np.inf
    np.testing.assert_array_equal(both[1], np.ones(3))
    assert tl.grad(f)(b=0.0, x=np.ones(3)) == np.inf


@pytest.mark.parametrize("f", [
    lambda x: 1.0 / x, lambda x: math.log(x), lambda x: x ** -0.5, lambda x: x * (1.0 / (x - x))])
def test_what_the_function_raises_is_raised(f):
    with pytest.raises(Exception) as natural:  # noqa: PT011 - whatever it is
        f(0.0)
    for d in (tl.grad(f), tl.value_and_grad(f), lambda x: tl.vjp(f, x),
              lambda x: tl.jvp(f, (x,), (1.0,))):
        with pytest.raises(type(natural.value)):
            d(0.0)


def test_a_handler_runs_as_in_the_function():
    def f(x):
        try:
            y = 1.0 / x
        except ZeroDivisionError:
            y = 3.0
        return y * np.log(1.0 + x) + y * math.sqrt(x)
    assert tl.grad(f)(0.0) == np.inf

    def g(x):
        try:
            y = 1.0 / x
        except ZeroDivisionError:
            y = 3.0
        return y * x + 0.0 * math.sqrt(1.0 - x)
    assert tl.grad(g)(0.0) == 3.0


def test_what_is_returned_beside():
    def f(x):
        return np.log(x), {"twice": 2.0 * x}
    assert tl.grad(f, has_aux=True)(0.0) == (np.inf, {"twice": 0.0})
    assert tl.value_and_grad(f, has_aux=True)(0.0) == ((-np.inf, {"twice": 0.0}), np.inf)


def test_methods_and_objects():
    class Model:
        def __init__(self):
            self.rate = 0.0

        def loss(self, x):
            return x * np.log(self.rate)
    model = Model()
    assert tl.grad(model.loss, wrt="self.rate")(2.0) == np.inf
    assert tl.grad(Model.loss)(model, 2.0).rate == np.inf


def test_what_acts_does_so_once(capsys):
    def f(x):
        print("here")
        return math.sqrt(x) * random.random()
    with pytest.raises(ZeroDivisionError):
        tl.grad(f)(0.0)
    assert capsys.readouterr().out == "here\n"


def test_by_identity():
    def f(x):
        d = {"a": x}
        e = d if x < 1.0 else {}
        e["a"] = 2.0 * x
        return np.log(d["a"]) + math.sqrt(e["a"])
    assert tl.grad(f)(0.0) == np.inf
    assert tl.jvp(f, (0.0,), (1.0,))[1] == np.inf


# Where what divides is made by functions that give numbers of Python's: f, at what, f', f''.
OF_PYTHON = {
    "math.sqrt(x)": (0.0, np.inf, -np.inf), "math.asin(x)": (1.0, np.inf, np.inf),
    "math.acos(x)": (1.0, -np.inf, -np.inf), "math.acosh(x)": (1.0, np.inf, -np.inf),
    "math.fabs(x) ** 1.5": (0.0, 0.0, None), "float(x) ** 1.5": (0.0, 0.0, np.inf),
    "x ** 0.5": (0.0, np.inf, -np.inf), "math.pow(x, 0.5)": (0.0, np.inf, -np.inf),
    "math.sqrt(x) + x * x": (0.0, np.inf, -np.inf),
}


@pytest.mark.parametrize("text", OF_PYTHON)
def test_of_a_second_order_of_pythons_functions(text, function):
    f, (x, first, second) = function(text), OF_PYTHON[text]
    gradient = tl.grad(f)
    assert gradient(x) == first
    for found in (tl.hessian(f)(x), tl.grad(gradient)(x), tl.hvp(f)(x, 1.0),
                  tl.value_and_grad(gradient)(x)[1], tl.vjp(gradient, x)[1](1.0)[0],
                  tl.jvp(gradient, (x,), (1.0,))[1], tl.linearize(gradient, x)[1](1.0),
                  tl.jacfwd(tl.jacfwd(f))(x), tl.jacfwd(tl.jacrev(f))(x),
                  tl.jacrev(tl.jacfwd(f))(x), tl.grad(lambda x: tl.grad(f)(x))(x),
                  tl.jvp(lambda x: tl.grad(f)(x) + 1.0, (x,), (1.0,))[1]):
        assert found == second or (second in (None, np.inf) and not np.isfinite(found)) \
            or np.isnan(found)
    for value in (tl.value_and_grad(gradient)(x)[0], tl.vjp(gradient, x)[0],
                  tl.jvp(gradient, (x,), (1.0,))[0], tl.linearize(gradient, x)[0]):
        assert value == first


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_second_order_without_freedom(size):
    def f(x):
        return np.var(x, ddof=size)
    def closed(x):                                      # of 2 / n (I - 1 / n)
        return 2.0 * (np.eye(size) - 1.0 / size) / np.zeros((size, size))
    x = np.arange(size) + 1.0
    with np.errstate(all="ignore"):
        wanted = closed(x)
    for found in (tl.hessian(f)(x), tl.jacfwd(tl.grad(f))(x), tl.jacfwd(tl.jacfwd(f))(x)):
        np.testing.assert_array_equal(found, wanted)
    assert not np.any(np.isfinite(tl.hvp(f)(x, np.ones(size))))
    assert not np.any(np.isfinite(tl.grad(lambda x: np.sum(tl.grad(f)(x)))(x)))


def test_what_the_function_raises_stays():
    def itself(x):
        return math.sqrt(x) / x
    def inside(x):
        return tl.grad(math.sqrt)(x) + 1.0 / x
    def caught(x):
        try:
            return tl.grad(lambda x: x * x)(x) / x
        except ZeroDivisionError:
            return 3.0 * x
    for f in (itself, inside):
        for call in (lambda: tl.grad(f)(0.0), lambda: tl.hessian(f)(0.0),
                     lambda: tl.jvp(f, (0.0,), (1.0,)), lambda: tl.vjp(f, 0.0),
                     lambda: tl.jacfwd(tl.jacfwd(f))(0.0)):
            with pytest.raises(ZeroDivisionError):
                call()
    assert tl.grad(caught)(0.0) == 3.0


def test_what_prints_is_not_run_again(capsys):
    def f(x):
        print("once")
        return math.sqrt(x)
    with pytest.raises(ZeroDivisionError):
        tl.grad(tl.grad(f))(0.0)
