"""has_aux: of (value, something else) the value alone is differentiated."""
import dataclasses
import threading

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.trees import arrays_in


@dataclasses.dataclass
class Weights:
    scale: float
    w: np.ndarray


def helper(x):
    return x * x, x + 1.0


def with_text(x, y):
    return x * y, "text"


def with_number(x, y):
    return x * y, x + y


def with_tuple(x, y):
    return x * y, (x, (y, None))


def with_dict(x, y):
    return x * y, {"x": x, "sum": x + y}


def by_helper(x, y):
    found = helper(x * y)
    return found


def in_branches(x, y):
    if x > 1.0:
        return x * y, "large"
    return 2.0 * x * y, None


def out_of_a_loop(x, y):
    for k in range(3):
        x = x * y
        if x > 10.0:
            return x, k
    return x, [y]


def with_a_history(x, y):
    history = []
    for _ in range(2):
        x = x * y
        history.append(x)
    return x, history


def alone(function):
    return lambda *args: function(*args)[0]


NUMBERS = [with_text, with_number, with_tuple, with_dict, by_helper, in_branches, out_of_a_loop,
           with_a_history]


def slopes(function, *args):
    """Central differences."""
    def moved(k, by):
        return function(*[a + by * (j == k) for j, a in enumerate(args)])
    return tuple((moved(k, 1e-6) - moved(k, -1e-6)) / 2e-6 for k in range(len(args)))


@pytest.mark.parametrize("function", NUMBERS)
def test_it_is_the_gradient_of_the_value(function):
    for args in ((0.5, 2.0), (3.0, 1.5), (4.0, 3.0)):
        value, aux = function(*args)
        for _ in range(2):
            gradient, beside = tl.grad(function, (0, 1), has_aux=True)(*args)
            assert np.allclose(gradient, slopes(alone(function), *args)) and beside == aux
            both, again = tl.value_and_grad(function, (0, 1), has_aux=True)(*args)
            assert both == (value, aux) and again == gradient


@pytest.mark.parametrize("function", NUMBERS)
def test_no_adjoint_of_what_else_is_returned_is_made(function):
    d = tl.grad(function, has_aux=True)
    text = d.source_for(3.0, 1.5)
    assert "[1]" not in text[text.index("_bwd"):]


def singular(x):
    return x * x, np.log(x)


def far(x, y):
    return x * x, y * x ** 0.5


def test_what_else_is_returned_may_have_no_derivative():
    def rounded(x):
        return x * x, float(f"{x:.1f}")         # which is refused where it is differentiated

    with np.errstate(all="ignore"):
        assert tl.grad(singular, has_aux=True)(0.0) == (0.0, -np.inf)
        gradient, aux = tl.grad(singular, has_aux=True)(np.zeros(1))
        assert gradient.tolist() == [0.0] and aux.tolist() == [-np.inf]
    assert tl.grad(far, wrt=(0, 1), has_aux=True)(0.0, 2.0) == ((0.0, 0.0), 0.0)
    assert tl.grad(rounded, has_aux=True)(1.25) == (2.5, 1.2)


def test_the_derivative_of_one_with_aux():
    x = np.array([0.5, 1.5])

    def both(x):
        return np.sum(x ** 3), np.sin(x)

    d = tl.grad(both, has_aux=True)
    assert np.allclose(tl.grad(lambda x: np.sum(d(x)[0]))(x), 6.0 * x)
    assert np.allclose(tl.grad(lambda x: np.sum(d(x)[1]))(x), np.cos(x))
    e = tl.value_and_grad(both, has_aux=True)
    assert np.allclose(tl.grad(lambda x: np.sum(e(x)[0][1]) + e(x)[0][0])(x),
                       np.cos(x) + 3.0 * x * x)


def scaled_sum(x, k):
    return np.sum(k * x), k


def made_before(x, k):
    z = 2.0 * k
    return np.sum(z * x), z


def seen_from_behind(x, k):
    z = 2.0 * k
    return np.sum(z * x), (z[::-1], {"z": z})


def product(x, k):
    z = 2.0 * k
    return x @ z, z


def passed_on(x, k):
    return np.sum(x) + 0.0 * np.sum(k), x


def written_to(x, k):
    y = np.zeros(3)
    y += k * x
    return np.sum(y), (y, x)


def held(p, x):
    return p.scale * np.sum(p.w * x), (p, p.w)


def held_by_dict(p, x):
    return p["scale"] * np.sum(p["w"] * x), p["w"]


@pytest.mark.parametrize("operator", [tl.grad, tl.value_and_grad])
@pytest.mark.parametrize("dtype", [float, np.float32])
@pytest.mark.parametrize("size", [3, 0])
@pytest.mark.parametrize("function, make", [
    *((f, lambda x: (x, x + 1)) for f in (scaled_sum, made_before, seen_from_behind, product,
                                          passed_on)),
    (written_to, lambda x: (x, x + 1)),
    (held, lambda x: (Weights(2.0, x), x + 1)),
    (held_by_dict, lambda x: ({"scale": 2.0, "w": x}, x + 1))])
def test_gradients_share_no_memory_with_it(operator, dtype, size, function, make):
    if function is written_to and size == 0:
        pytest.skip("is of three")
    for wrt in (0, (0, 1)):
        d = operator(function, wrt=wrt, has_aux=True)
        for _ in range(3):
            args = make(np.arange(size).astype(dtype))
            first, second = d(*args)
            gradient, aux = (first, second) if operator is tl.grad else (second, first[1])
            made = arrays_in(gradient)
            assert made and all(a.dtype == dtype and a.flags.writeable for a in made)
            assert not any(np.shares_memory(a, b) for a in made
                           for b in arrays_in(aux) + arrays_in(args))
            assert not any(np.shares_memory(a, b) for k, a in enumerate(made) for b in made[k + 1:])
            wanted = function(*args)[1]
            assert type(aux) is type(wanted)
            assert [id(a) for a in arrays_in(aux) if any(a is b for b in arrays_in(args))] == [
                id(a) for a in arrays_in(wanted) if any(a is b for b in arrays_in(args))]


def test_the_kind_of_it_may_change():
    table = {"now": "text"}

    def reading(x):
        return x * x, table["now"]

    d = tl.grad(reading, has_aux=True)
    for now in ("text", 1.0, 2, None, (1, 2), np.ones(2), "text", {"k": [1.0]}):
        table["now"] = now
        for _ in range(2):
            gradient, aux = d(3.0)
            assert gradient == 6.0 and aux is now


def test_results_that_are_no_value_and_something_else():
    for function, says in ((lambda x: x * x, "not an object of type float"),
                           (lambda x: (x,), "not a tuple of 1 parts"),
                           (lambda x: [x, x], "not a list of 2 parts"),
                           (lambda x: ((x, x), x), "returns a tuple of 2 parts"),
                           (lambda x: ("text", x), "returns an object of type str")):
        d = tl.grad(function, has_aux=True)
        for _ in range(2):
            with pytest.raises(tl.OutputError, match=says):
                d(2.0)
    d = tl.grad(lambda x: (x * x, x), has_aux=True)
    assert d(np.array([3.0]))[0].tolist() == [6.0]
    with pytest.raises(tl.OutputError, match="shape"):
        d(np.ones(2))


def test_errors_and_threads():
    def indexed(x, table):
        return x * table[1], table

    d = tl.grad(indexed, has_aux=True)
    assert d(2.0, [1.0, 3.0]) == (3.0, [1.0, 3.0])
    with pytest.raises(IndexError):
        d(2.0, [1.0])
    wrong = []

    def work(k):
        for j in range(200):
            if d(2.0, [1.0, k + j]) != (k + j, [1.0, k + j]):
                wrong.append((k, j))

    threads = [threading.Thread(target=work, args=(1000.0 * k,)) for k in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong
