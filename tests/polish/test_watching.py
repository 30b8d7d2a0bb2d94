"""debug="nan": the statement of the user at which the first nan or inf came up."""
import inspect
import math

import numpy as np
import pytest

import tangent_lite as tl

FORMS = {
    "grad": lambda f, *args: tl.grad(f, debug="nan")(*args),
    "value_and_grad": lambda f, *args: tl.value_and_grad(f, debug="nan")(*args)[1],
    "vjp": lambda f, *args: tl.vjp(f, *args, debug="nan")[1](1.0)[0],
}


def norm(v):
    return np.sqrt(np.sum(v * v))


def in_a_helper(x, n):
    total = 0.0
    for i in range(n):
        total = total + norm(x * i)                     # sqrt at 0 for i = 0
    return total


def masked(x):
    root = np.sqrt(x)
    return np.sum(np.where(x > 0.0, root, 0.0))


def in_place(x):
    y = np.zeros(3)
    y[0] = x[0] ** 0.5
    y[1] = y[0] * 2.0
    return np.sum(y)


def in_a_branch(x):
    if x[0] < 1.0:
        y = x[0] ** 0.5 + x[1]
    else:
        y = x[1]
    return y * 3.0


def overflows(x):
    y = np.exp(x * 1000.0)
    z = y * y
    return np.sum(z / (1.0 + z))


def with_checkpoints(x, n):
    for i in tl.checkpoint(range(n)):
        x = x * (1.0 + norm(x * (i - 2)))
    return np.sum(x)


def line_of(f, text):
    lines, start = inspect.getsourcelines(f)
    return start + next(k for k, line in enumerate(lines) if text in line)


X = np.array([0.0, 1.0, 4.0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("f, args, owner, text, said", [
    (in_a_helper, (X, 3), norm, "np.sqrt", "the adjoint bv becomes nan"),
    (masked, (X,), masked, "np.sqrt", "the adjoint bx becomes nan"),
    (in_place, (X,), in_place, "x[0] ** 0.5", "becomes inf"),
    (in_a_branch, (X,), in_a_branch, "x[0] ** 0.5", "becomes inf"),
    (overflows, (X,), overflows, "np.exp", "y becomes inf"),
    (with_checkpoints, (X, 5), norm, "np.sqrt", "the adjoint bv becomes nan"),
])
def test_the_statement_is_named(form, f, args, owner, text, said):
    with pytest.raises(tl.NonFiniteError) as error:
        FORMS[form](f, *args)
    message = str(error.value)
    assert f"test_watching.py:{line_of(owner, text)}: " in message and said in message
    assert text in message                              # the line itself is shown
    assert isinstance(error.value, FloatingPointError)


@pytest.mark.filterwarnings("ignore")
def test_forward_mode():
    for f, owner, text in ((overflows, overflows, "np.exp"), (masked, masked, "np.sqrt")):
        with pytest.raises(tl.NonFiniteError) as error:
            tl.jvp(f, (X,), (np.ones(3),), debug="nan")
        assert f":{line_of(owner, text)}: " in str(error.value)


def meant(x):
    best = np.inf
    low = float("-inf")
    for k in range(len(x)):
        best = min(best, x[k] * x[k])
        low = max(low, x[k])
    return best * low + math.sin(x[1])


def test_what_is_meant_is_left_alone():
    args = (np.array([0.5, 1.5, -2.0]),)
    for f in (meant, norm):
        for form, make in FORMS.items():
            np.testing.assert_array_equal(make(f, *args), tl.grad(f)(*args), form)


def test_it_is_off_unless_asked_for():
    assert "finite" not in tl.grad(masked).source
    assert "finite(" in tl.grad(masked, debug="nan").source
    with np.errstate(all="ignore"):
        assert np.isnan(tl.grad(masked)(X)[0])
    with pytest.raises(tl.TangentError, match="debug='inf' means nothing"):
        tl.grad(masked, debug="inf")
    with pytest.raises(tl.TangentError, match="leave debug out"):
        tl.grad(masked, debug="nan").save("never.py", X)


def test_second_order_and_decorators():
    @tl.grad(debug="nan")
    def slope(x):
        return x ** 1.5

    assert slope(4.0) == 3.0
    assert tl.grad(slope)(4.0) == pytest.approx(0.375)
    with np.errstate(all="ignore"), pytest.raises(tl.NonFiniteError):
        tl.grad(lambda x: np.sum(tl.grad(lambda y: np.sum(y ** 1.5))(x)), debug="nan")(np.zeros(1))
