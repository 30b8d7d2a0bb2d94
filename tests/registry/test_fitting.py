"""Rules that disagree with their function, and functions that are differentiated by their rules."""
# ruff: noqa: F821 - rules name what only exists where they are filled in
import numpy as np
import pytest

import tangent_lite as tl


def power(x, n=2):
    return float(np.asarray(x)) ** n


def scaled(a, b, *, shift=0.0):
    return a * b + shift


def counted(*xs):
    return xs[0]


def other_order(y, n, x):
    d[n] = None
    d[x] = d[y] * n * x ** (n - 1)


def other_default(y, x, n=5):
    d[x] = d[y] * n * x ** (n - 1)


def default_of_another_type(y, x, n=2.0):
    d[x] = d[y] * n * x ** (n - 1)


def one_too_many(y, x, n, m):
    d[x] = d[y] * n
    d[m] = None


WRONG = {
    "another order": (power, other_order, (), "has n where the function has x"),
    "another default": (power, other_default, ("n",), "says n=5, and the function n=2"),
    "a default of another type": (power, default_of_another_type, ("n",), "says n=2.0, and"),
    "a parameter more": (
        power, one_too_many, ("n",), "has the parameter m, and the function takes 2"),
}


@pytest.mark.parametrize("register", [tl.adjoint])
@pytest.mark.parametrize("case", WRONG)
def test_disagreement_is_said_where_the_rule_stands(case, register):
    function, definition, constant, message = WRONG[case]
    with pytest.raises(tl.TangentError, match=message) as caught:
        register(function, constant=constant)(definition)
    assert f"def {definition.__name__}" in str(caught.value)


def other_names(y, base, exponent=2):
    d[base] = d[y] * exponent * base ** (exponent - 1)


def by_place(z, a, b, shift=0.0):
    d[a] = d[z] * b
    d[b] = d[z] * a
    d[shift] = d[z]


def each(y, *xs):
    for k, x in enumerate(xs):
        d[x] = d[y] if k == 0 else 0.0 * d[y]


@pytest.mark.parametrize("function, definition, constant", [
    (lambda x, n=2: x ** n, other_names, ("exponent",)),
    (lambda a, b, *, shift=0.0: a * b, by_place, ()),
    (lambda *xs: xs[0], each, ()),
])
def test_agreement(function, definition, constant):
    tl.adjoint(function, constant=constant)(definition)


@pytest.mark.parametrize("register", [
    lambda thing: tl.adjoint(thing)(other_names), lambda thing: tl.tangent(thing)(other_names),
    tl.nondifferentiable])
@pytest.mark.parametrize("thing", [3.0, "sin", None])
def test_rules_are_for_what_is_called(register, thing):
    with pytest.raises(tl.InputError, match="a rule is for a function"):
        register(thing)


# A function with rules, itself asked for its derivative ---------------------------------------
def hidden_power(x, n=2):
    return eval("x ** n")


@tl.adjoint(hidden_power, constant=("n",))
def hidden_power_adjoint(y, x, n=2):
    d[x] = d[y] * n * x ** (n - 1)


def known_forwards(x):
    return eval("x ** 3")


@tl.tangent(known_forwards)
def known_forwards_tangent(y, x):
    d[y] = d[x] * 3.0 * x * x


class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def force(self, x):
        return eval("self.stiffness * x")


@tl.adjoint(Spring.force)
def force_adjoint(y, self, x):
    d[self] = None
    d[x] = d[y] * self.stiffness


def test_arguments_with_defaults():
    assert tl.grad(hidden_power)(3.0) == 6.0
    assert tl.grad(hidden_power)(3.0, 3) == 27.0
    assert tl.grad(hidden_power)(3.0, n=3) == 27.0


def test_a_forward_rule_alone():
    assert tl.jvp(known_forwards, (2.0,), (1.0,)) == (8.0, 12.0)
    assert tl.jacfwd(known_forwards)(2.0) == 12.0


def test_a_method():
    assert tl.grad(Spring(4.0).force)(3.0) == 4.0
    assert tl.grad(Spring.force, wrt="x")(Spring(5.0), 3.0) == 5.0
