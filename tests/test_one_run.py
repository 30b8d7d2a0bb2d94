"""A call of a derivative runs the function once: what it prints and draws is what the function
prints and draws, in either strategy, in any order and mode."""
import random

import numpy as np
import pytest

import tangent_lite as tl

u, v = np.array([0.5, -1.2, 0.8]), np.array([0.3, 0.7, -0.2])


def by_names(x):
    print("ran")
    return np.sum(x * x * np.random.standard_normal(3))


def by_identity(x, *rest):
    print("ran")
    return np.sum(np.sin(x * np.random.standard_normal(3)) * x)


def in_a_list(x):
    print("ran")
    ys = [x * x, x]
    zs = ys
    zs[0] += x * random.gauss(0.0, 1.0)
    return np.sum(ys[0] * ys[1])


def over_elements(x):
    print("ran")
    w = np.random.standard_normal()
    s = 0.3
    for i in range(len(x)):
        s = s + x[i] * np.sin(s) * w
    return s


def itself(x, n):
    return x if n == 0 else x * itself(x, n - 1)


def recursive(x):
    print("ran")
    return np.sum(itself(x * np.random.standard_normal(3), 2))


FUNCTIONS = [by_names, by_identity, in_a_list, over_elements, recursive]
CALLS = {
    "grad": lambda f: tl.grad(f)(u),
    "value_and_grad": lambda f: tl.value_and_grad(f)(u)[1],
    "vjp": lambda f: tl.vjp(f, u)[1](1.0)[0],
    "jvp": lambda f: tl.jvp(f, (u,), (v,))[1],
    "linearize": lambda f: [tl_map(e) for tl_map in [tl.linearize(f, u)[1]] for e in np.eye(3)],
    "jacobian": lambda f: tl.jacobian(f)(u),
    "jacfwd": lambda f: tl.jacfwd(f)(u),
    "jacrev": lambda f: tl.jacrev(f)(u),
    "hvp": lambda f: tl.hvp(f)(u, v),
    "hessian": lambda f: tl.hessian(f)(u),
    "gradient of a gradient": lambda f: tl.grad(lambda x: np.sum(tl.grad(f)(x) * v))(u),
}
SECOND = {"hvp", "hessian", "gradient of a gradient"}


def seeded(call, *args):
    np.random.seed(3)
    random.seed(3)
    return call(*args)


def drawn():
    return np.random.rand(), random.random()


@pytest.mark.parametrize("how", CALLS)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.sweep(8)
def test_the_function_runs_once(f, how, capsys):
    seeded(f, u.copy())
    after = drawn()
    seeded(CALLS[how], f)
    assert drawn() == after
    assert capsys.readouterr().out == "ran\n" * 2


def differences(f, x, h=1e-3):
    return np.array([(8 * (f(x + h * e) - f(x - h * e)) - (f(x + 2 * h * e) - f(x - 2 * h * e)))
                     / (12 * h) for e in np.eye(3)])


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.sweep(2)
def test_all_of_a_derivative_is_of_one_draw(f):
    def once(x):
        return seeded(f, x.copy())

    first = differences(once, u)
    second = differences(lambda x: differences(once, x), u)
    want = {"jvp": first @ v, "hvp": second @ v, "hessian": second,
            "gradient of a gradient": second @ v}
    for how, call in CALLS.items():
        np.testing.assert_allclose(seeded(call, f), want.get(how, first), rtol=1e-5, atol=1e-5,
                                   err_msg=how)


def unseeded(x, *rest):
    rng = np.random.default_rng()
    return np.sum(np.sin(x * rng.standard_normal(3)) * x)


def nested(x, *rest):
    return np.sum(tl.grad(unseeded)(x, *rest) ** 2)


@pytest.mark.parametrize("f", [unseeded, nested], ids=lambda f: f.__name__)
def test_generators_without_a_seed_are_one(f):
    H = tl.hessian(f)(u)
    np.testing.assert_allclose(H, np.diag(np.diag(H)), atol=1e-14)
    _, along = tl.linearize(f, u)
    np.testing.assert_allclose(along(v) + along(2.0 * v), along(3.0 * v))


def test_a_linear_map_stays_at_its_point():
    for f in (by_names, by_identity):
        x = u.copy()
        y, along = seeded(tl.linearize, f, x)
        before = along(v)
        x[:] = np.nan
        np.random.seed(8)
        assert along(v) == before and np.isfinite(y)


def test_a_linear_map_leaves_hooks_out():
    def f(x):
        return np.sum(tl.grad_hook(x * x, lambda g: 5.0 * g))

    np.testing.assert_allclose(tl.linearize(f, u)[1](v), 2.0 * u @ v)
