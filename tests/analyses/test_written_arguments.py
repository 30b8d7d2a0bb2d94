"""Helpers that write into their arguments show at a first look: chains of them are short work."""
import numpy as np
import pytest
from source_modules import loader

import tangent_lite as tl
from tangent_lite import preparation


def writers(depth):
    """relax0 writes into the array that it is given, and gives it to relax1, and so on."""
    lines = ["import numpy as np"]
    for k in range(depth):
        lines += ["", f"def relax{k}(x, n):", "    for i in range(1, n):",
                  "        x[i] = x[i] * x[i - 1] + 0.1",
                  f"    relax{k + 1}(x, n)" if k + 1 < depth else ""]
    return "\n".join([*lines, "", "def f(x):", "    y = x.copy()", "    relax0(y, 3)",
                      "    return np.sum(y * x)", ""])


def movers(depth):
    """The methods of an object, each of which changes the object and calls the next one."""
    lines = ["import numpy as np", "", "class Body:", "    def __init__(self, x):",
             "        self.x = x", "        self.u = [x]"]
    for k in range(depth):
        lines += ["", f"    def move{k}(self, dt):", "        u = self.u",
                  "        u.append(self.x)", "        self.x = self.x + dt * np.sin(self.x)",
                  f"        self.move{k + 1}(dt)" if k + 1 < depth else ""]
    return "\n".join([*lines, "", "def f(x):", "    body = Body(x)", "    body.move0(0.1)",
                      "    return np.sum(body.x * body.u[1])", ""])


def looks(load, monkeypatch, text):
    """How often kinds were looked for in the gradient of f, and how far it is from differences."""
    count = []
    infer = preparation.infer
    with monkeypatch.context() as patched:
        patched.setattr(preparation, "infer", lambda *given: count.append(1) or infer(*given))
        f = load(text).f
        x, step = np.array([0.3, 0.7, -0.4]), 1e-5
        gradient = tl.grad(f)(x)
    differences = [(f(x + step * e) - f(x - step * e)) / (2.0 * step) for e in np.eye(3)]
    assert gradient == pytest.approx(differences, rel=1e-6)
    return len(count)


@pytest.mark.parametrize("written", [writers, movers])
def test_a_chain_of_helpers_is_looked_at_as_often_as_it_is_long(tmp_path, monkeypatch, written):
    load = loader(tmp_path)
    counts = [looks(load, monkeypatch, written(depth)) for depth in (4, 8, 12)]
    assert counts[2] - counts[1] <= 1.5 * (counts[1] - counts[0])


def test_what_may_be_bound_anew_is_no_argument(tmp_path, monkeypatch):
    # The helper writes into an array of its own, and stays a function of its own.
    text = ("import numpy as np\n\ndef shifted(x, n):\n    x = x + 1.0\n    x[0] = 2.0 * x[0]\n"
            "    return x\n\ndef f(x):\n    return np.sum(shifted(x, 3) * x)\n")
    looks(loader(tmp_path), monkeypatch, text)
    assert "shifted_bwd" in tl.grad(loader(tmp_path)(text).f).source_for(np.ones(3))


class Asked:
    def __init__(self, k, x, memo):
        self.k, self.x, self.memo = k, x, memo


class Found:
    def __init__(self, x):
        self.x = x

    def value(self):
        return self.x * 3.0


def ways(k, x, memo):
    return Found(looked_up(Asked(k, x, memo)))


def looked_up(asked):
    if asked.k < 2:
        return asked.x
    if asked.k not in asked.memo:
        asked.memo[asked.k] = 0.5 * ways(asked.k - 1, asked.x, asked.memo).value() \
            + np.sin(ways(asked.k - 2, asked.x, asked.memo).x)
    return asked.memo[asked.k]


def test_functions_that_call_each_other():
    """What is said of the argument of one of them is not said of the other, which has no such."""
    def f(x):
        return ways(4, x, {}).value()

    value, slope = tl.value_and_grad(f)(1.3)
    assert value == f(1.3)
    assert slope == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6)
