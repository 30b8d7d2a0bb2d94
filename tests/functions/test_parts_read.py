"""Helpers that read parts of what they are given are written out in loops, so that a gradient takes
time linear in the number of parts; where they cannot be, they are called as they were."""
import dataclasses
import importlib
import time

import numpy as np
import pytest

import tangent_lite as tl


def product(x, i):
    return np.sin(x[i]) * x[i + 1]


def chain(x):
    total = 0.0
    for i in range(len(x) - 1):
        total += product(x, i)
    return total


def while_it_lasts(x):
    total, i = 0.0, 0
    while i < len(x) - 1 and total < 100.0:
        total += product(x, i)
        i += 1
    return total


def window(x, i, width=2):
    if i < width:
        return x[i] * 2.0
    return np.sum(x[i - width:i] ** 2)


def by_windows(x):
    return sum([window(x, i) for i in range(len(x))])


def in_a_helper(x, i):
    return product(x, i) + product(x, i - 1) * 0.5


def deeper(x):
    total = 0.0
    for i in range(1, len(x) - 1):
        if x[i] > 0.0:
            total += in_a_helper(x, i)
        else:
            total = total + product(x, 0)
    return total + in_a_helper(x, 1)


def of_two(x, y, i):
    return x[i] * y[-1 - i]


def alike(x):
    """One array as two parameters."""
    total = 0.0
    for i in range(len(x)):
        total += of_two(x, x, i)
    return total


def set_then_read(x, i):
    x[i] = x[i] * x[i - 1]
    return x[i]


def written(x):
    x = x.copy()
    total = 0.0
    for i in range(len(x)):
        total += set_then_read(x, i) + product(x, i - 1)
    return total


def bound_in_the_loop(x):
    for i in range(len(x) - 1):
        x = x * product(x, i)
    return np.sum(x)


def down(x, i):
    """Calls itself, so it stays a function."""
    return x[i] if i == 0 else x[i] * down(x, i - 1) + x[i]


def recursions(x):
    total = 0.0
    for i in range(len(x)):
        total += down(x, i)
    return total


def one_name(i, total, x):
    total = total * 0.5 + x[i]
    return total


def names_of_the_caller(x):
    total, i = 0.0, 2.0
    for j in range(len(x)):
        total = one_name(j, total, x) + i
    return total * i


CASES = [chain, while_it_lasts, by_windows, deeper, alike, written, bound_in_the_loop, recursions,
         names_of_the_caller]
X = np.array([0.5, -1.2, 0.8, 1.5, 0.3])


@pytest.mark.parametrize("fun", CASES, ids=lambda f: f.__name__)
def test_derivatives_are_right(fun):
    tl.check_grads(fun, (X,))


@pytest.mark.parametrize("fun", [chain, deeper, alike, recursions, names_of_the_caller],
                         ids=lambda f: f.__name__)
def test_of_lists(fun):
    assert np.allclose(tl.grad(fun)(X.tolist()), tl.grad(fun)(X))
    rows = [np.array([x, 2.0 * x]) for x in X]
    if fun is chain:
        gradient = tl.grad(lambda xs: np.sum(chain(xs)))(rows)
        assert np.allclose(np.array(gradient)[:, 0], tl.grad(fun)(X))


@pytest.mark.parametrize("fun", [chain, while_it_lasts, by_windows, deeper, alike])
def test_they_are_written_out(fun):
    text = tl.grad(fun).source_for(X)
    assert text.count("zeros_like") == 1 or fun is deeper
    assert "_bwd(" not in text or fun is deeper             # which calls one outside as well


def test_what_is_no_variable_is_called():
    def weighted(w, x, i):
        return np.sum(w) * x[i]

    def fun(w, x):
        total = 0.0
        for i in range(len(x)):
            total += np.exp(weighted(w, x, i))
        return total

    assert "_bwd(" in tl.grad(fun).source_for(X, X)
    assert "_bwd(" not in tl.grad(fun, wrt="x").source_for(X, X)
    tl.check_grads(fun, (X, X))


@pytest.mark.parametrize("length", [0, 1, 2])
def test_short_ones(length):
    x = X[:length]
    gradient = tl.grad(chain)(x)
    wanted = np.zeros(length)
    for i in range(length - 1):
        wanted[i] += np.cos(x[i]) * x[i + 1]
        wanted[i + 1] += np.sin(x[i])
    assert np.allclose(gradient, wanted) and gradient.shape == (length,)


def test_pullbacks_run_twice():
    _, pullback = tl.vjp(chain, X)
    first = pullback(2.0)[0]
    assert np.array_equal(first, pullback(2.0)[0]) and np.allclose(first, 2.0 * tl.grad(chain)(X))


def test_time_is_linear():
    """With all zeros made in each step it would be some thousand times that of the function."""
    def seconds(function):
        start = time.perf_counter()
        function(x)
        return time.perf_counter() - start

    x = np.full(8000, 0.5).tolist()
    gradient = tl.grad(chain)
    gradient(x)
    assert min(seconds(gradient) for _ in range(3)) < 50.0 * min(seconds(chain) for _ in range(3))


# Layers ------------------------------------------------------------------------------------
def layer(params, k, x):
    W, b = params[k]
    return np.tanh(x @ W + b)


def net(params, x):
    for k in range(len(params)):
        x = layer(params, k, x)
    return np.sum(x ** 2)


class Net:
    def __init__(self, params):
        self.params = params

    def layer(self, k, x):
        W, b = self.params[k]
        return np.tanh(x @ W + b)

    def predict(self, x):
        for k in range(len(self.params)):
            x = self.layer(k, x)
        return x

    def loss(self, x):
        return np.sum(self.predict(x) ** 2)


def of_an_object(params, x):
    return Net(params).loss(x)


@dataclasses.dataclass
class Weights:
    layers: list
    scale: float

    def at(self, k, x):
        W, b = self.layers[k]
        return np.tanh(x @ W + b) * self.scale


def of_a_record(params, x):
    weights = Weights(params, 1.0)
    for k in range(len(params)):
        x = weights.at(k, x)
    return np.sum(x ** 2)


def by_hand(params, x):
    values = [x]
    for W, b in params:
        values.append(np.tanh(values[-1] @ W + b))
    bx, found = 2.0 * values[-1], []
    for (W, _), x, h in zip(params[::-1], values[-2::-1], values[::-1]):
        bt = bx * (1.0 - h * h)
        found.append((x.T @ bt, bt.sum(axis=0)))
        bx = bt @ W.T
    return found[::-1]


@pytest.mark.parametrize("fun", [net, of_an_object, of_a_record], ids=lambda f: f.__name__)
@pytest.mark.parametrize("depth", [1, 3])
def test_layers(fun, depth):
    rng = np.random.default_rng(0)
    params = [(rng.normal(size=(3, 3)), rng.normal(size=3)) for _ in range(depth)]
    x = rng.normal(size=(4, 3))
    d = tl.grad(fun)
    for found, wanted in zip(d(params, x), by_hand(params, x), strict=True):
        assert np.allclose(found[0], wanted[0]) and np.allclose(found[1], wanted[1])
    text = d.source_for(params, x)
    assert "layer_bwd" not in text and "at_bwd" not in text


def test_helpers_that_call_helpers_do_not_make_the_text_long(tmp_path, monkeypatch):
    text = "def h0(x, i):\n    return x[i] * x[i - 1]\n"
    for k in range(1, 11):
        text += f"def h{k}(x, i):\n    return h{k - 1}(x, i) + 0.5 * h{k - 1}(x, -i)\n"
    text += "def total(x):\n    s = 0.0\n    for i in range(len(x)):\n        s += h10(x, i)\n"
    (tmp_path / "many_helpers.py").write_text(text + "    return s\n")
    monkeypatch.syspath_prepend(tmp_path)
    fun = importlib.import_module("many_helpers").total
    tl.check_grads(fun, (X,), order=1)
    assert tl.grad(fun).source_for(X).count("\n") < 1_000


def test_helpers_that_are_bound_anew(monkeypatch):
    d = tl.grad(chain)
    before = d(X)

    def product(x, i):
        return x[i] * x[i]

    monkeypatch.setitem(globals(), "product", product)
    assert np.allclose(d(X), [*2.0 * X[:-1], 0.0])
    monkeypatch.undo()
    assert np.array_equal(d(X), before)


@tl.checkpoint
def kept(x, i):
    return np.sin(x[i]) * x[i]


def with_derivatives_of_their_own(x):
    total = 0.0
    for i in range(len(x)):
        total += kept(x, i)
    return total


def test_checkpoints_stay():
    tl.check_grads(with_derivatives_of_their_own, (X,))


# Steps from dict to dict --------------------------------------------------------------------
def swung(state, g, dt):
    return {**state, "v": state["v"] - dt * g * state["x"], "x": state["x"] + dt * state["v"]}


def copied(state, g, dt):
    new = dict(state)
    new["x"] = state["x"] + dt * state["v"]
    if g > 1.0:
        new["v"] = state["v"] - dt * g * np.sin(new["x"])
    return new


def shown(state, g, dt):
    v = state["v"] - dt * g * state["x"]
    return {"x": state["x"] + dt * v, "v": v, "t": state["t"] + dt}, state["x"] * v


def by_keys(state, g, dt):
    return {k: v * (1.0 - dt * g) for k, v in state.items()}


def swings(step, x, g, n):
    state = {"x": x, "v": np.zeros_like(x), "t": 0.0}
    for _ in range(n):
        state = step(state, g, 0.1)
    return np.sum(state["x"] ** 2 + state["v"])


def with_copies(x, g, n):
    return swings(copied, x, g, n)


def with_keys(x, g, n):
    return swings(by_keys, x, g, n)


def with_seen_state(x, g, n):
    state, energy = {"x": x, "v": x * g, "t": 0.0}, 0.0
    while state["t"] < 0.1 * n - 0.05:
        before = state
        state, work = shown(state, g, 0.1)
        energy = energy + work + np.sum(before["x"]) * state["t"]
    return np.sum(state["x"] * energy)


def of_numbers(x, g, n):
    state = {"x": g, "v": 0.0}
    for k in range(n):
        state = swung(state, g, 0.1) if k != 1 else swung(swung(state, g, 0.1), g, 0.2)
    return state["x"] ** 2 + np.sum(x) * state["v"]


@pytest.mark.parametrize("fun", [with_copies, with_keys, with_seen_state, of_numbers],
                         ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_steps_of_dicts(fun, n):
    x, h = np.array([0.4, -0.7]), 1e-6
    gradient = tl.grad(fun, wrt=("x", "g"))
    of_x, of_g = gradient(x, 1.3, n)
    wanted = [(fun(x + e, 1.3, n) - fun(x - e, 1.3, n)) / (2.0 * h) for e in h * np.eye(2)]
    assert np.allclose(of_x, wanted, rtol=1e-6, atol=1e-8)
    assert np.isclose(of_g, (fun(x, 1.3 + h, n) - fun(x, 1.3 - h, n)) / (2.0 * h), atol=1e-8)
    text = gradient.source_for(x, 1.3, n)
    assert not any(f"{step.__name__}_bwd(" in text for step in (copied, by_keys, shown, swung))
    value, pullback = tl.vjp(fun, x, 1.3, n)
    assert value == fun(x, 1.3, n)
    assert np.array_equal(pullback(1.0)[0], of_x) and np.array_equal(pullback(1.0)[0], of_x)
    assert np.allclose([tl.jvp(fun, (x, 1.3, n), (e, 0.0, None))[1] for e in np.eye(2)], of_x)


def test_second_order_of_steps_of_dicts():
    tl.check_grads(lambda x, g: of_numbers(x, g, 3) + with_seen_state(x, g, 2),
                   (np.array([0.4, -0.7]), 1.3))


# Cross-entropies in two helpers ---------------------------------------------------------------
def logs_of_shares(z):
    z = z - np.max(z, axis=1, keepdims=True)
    return z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))


def logs_along_columns(z):
    return z - np.log(np.sum(np.exp(z), axis=0))


def shares(z):
    e = np.exp(z - np.max(z, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def likelihood(logs, labels):
    return -np.sum(logs[np.arange(len(labels)), labels])


def of_shares(p, labels):
    return -np.sum(np.log(p[np.arange(len(labels)), labels]))


def in_two(W, x, labels):
    return likelihood(logs_of_shares(x @ W), labels)


def by_names(W, x, labels):
    logs = logs_of_shares(x @ W)
    return likelihood(logs, labels) + 0.1 * np.sum(np.exp(logs) * logs)


def another_axis(W, x, labels):
    return likelihood(logs_along_columns(x @ W), labels)


def shares_in_two(W, x, labels):
    return of_shares(shares(x @ W), labels)


def both_twice(W, x, labels):
    return likelihood(logs_of_shares(x @ W), labels) * of_shares(shares(x @ W * 0.5), labels)


def in_a_loop(W, x, labels):
    total = 0.0
    for k in range(3):
        total += likelihood(logs_of_shares(x @ W), labels)
        W = W * 0.5
    return total


def some_rows(W, x, labels):
    logs = logs_of_shares(x @ W)
    return -np.sum(logs[labels, labels])            # some of them twice


ENTROPIES = [in_two, by_names, another_axis, shares_in_two, both_twice, in_a_loop, some_rows]


@pytest.mark.parametrize("fun", ENTROPIES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("rows", [0, 1, 5])
def test_cross_entropies_in_helpers(fun, rows):
    drawn = np.random.default_rng(0)
    W, x, labels = drawn.normal(size=(4, 3)), drawn.normal(size=(5, 4))[:rows], np.array(
        [0, 2, 2, 1, 0])[:rows]
    if fun is some_rows and rows == 1:
        labels = np.array([0])
    elif fun is some_rows:
        labels = np.minimum(labels, max(rows - 1, 0))
    wanted = np.zeros_like(W)
    for spot in np.ndindex(W.shape):
        moved = np.array(W)
        moved[spot] += 1e-6
        high = fun(moved, x, labels)
        moved[spot] -= 2e-6
        wanted[spot] = (high - fun(moved, x, labels)) / 2e-6
    value, found = tl.value_and_grad(fun)(W, x, labels)
    assert value == fun(W, x, labels)
    assert np.allclose(found, wanted, rtol=1e-6, atol=1e-7)
    assert np.allclose(tl.vjp(fun, W, x, labels)[1](1.0)[0], wanted, rtol=1e-6, atol=1e-7)
    small = tl.grad(fun)(W.astype(np.float32), x.astype(np.float32), labels)
    assert small.dtype == np.float32 and np.allclose(small, wanted, rtol=1e-3, atol=1e-4)


def test_cross_entropies_are_written_out():
    W, x, labels = np.eye(3), np.ones((2, 3)), np.array([0, 2])
    for fun in (in_two, shares_in_two):
        assert "_bwd(" not in tl.grad(fun).source_for(W, x, labels)
    tl.check_grads(lambda W: in_two(W, x, labels) + shares_in_two(W, x, labels), (W,))
