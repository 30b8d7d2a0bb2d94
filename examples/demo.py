"""make demo: a pendulum is fitted to what was observed of it.

A function as one writes it (a loop, a helper, an array filled step by step), the source of its
derivative, the check against differences, and the speed beside other ways to the same gradient.

    python examples/demo.py [STEPS]
"""

import contextlib
import importlib.util
import inspect
import math
import sys
import time

import numpy as np

import tangent_lite as tl

WRT = ("damping", "length", "push")


def acceleration(angle, speed, damping, length):
    return -damping * speed - 9.81 / length * math.sin(angle)


def misfit(damping, length, push, observed, dt):
    """How far a pendulum, pushed by so much at each step, swings from what was observed."""
    angle = observed[0]
    speed = 0.0
    angles = np.zeros(len(observed))
    for t in range(len(observed)):
        angles[t] = angle
        speed += dt * (acceleration(angle, speed, damping, length) + push[t])
        angle += dt * speed
    return np.sum((angles - observed) ** 2)


def situation(steps):
    """The arguments of misfit: a first guess beside noisy observations."""
    rng = np.random.default_rng(0)
    t = 0.01 * np.arange(steps)
    observed = 0.8 * np.exp(-0.1 * t) * np.cos(3.0 * t) + 0.01 * rng.standard_normal(steps)
    return 0.3, 1.2, 0.1 * rng.standard_normal(steps), observed, 0.01


def differences(damping, length, push, observed, dt, eps=1e-6):
    """The gradient by central differences: two calls of misfit for each number."""
    x = np.concatenate([[damping, length], push])
    gradient = np.zeros_like(x)
    for i in range(len(x)):
        up, down = x.copy(), x.copy()
        up[i] += eps
        down[i] -= eps
        gradient[i] = (misfit(up[0], up[1], up[2:], observed, dt)
                       - misfit(down[0], down[1], down[2:], observed, dt)) / (2 * eps)
    return gradient[0], gradient[1], gradient[2:]


# The same function once more for each of the tools that cannot take it as it is.


def by_autograd():
    import autograd
    import autograd.numpy as anp

    def misfit(damping, length, push, observed, dt):
        angle, speed, angles = observed[0], 0.0, []
        for t in range(len(observed)):
            angles.append(angle)  # autograd refuses angles[t] = angle
            speed = speed + dt * (-damping * speed - 9.81 / length * anp.sin(angle) + push[t])
            angle = angle + dt * speed
        return anp.sum((anp.array(angles) - observed) ** 2)

    return autograd.grad(misfit, argnum=(0, 1, 2))


def by_jax():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def misfit(damping, length, push, observed, dt):
        def step(carry, force):  # a Python loop would be unrolled, and compile for minutes
            angle, speed = carry
            pull = -damping * speed - 9.81 / length * jnp.sin(angle)
            faster = speed + dt * (pull + force)
            return (angle + dt * faster, faster), angle

        _, angles = jax.lax.scan(step, (observed[0], 0.0), push)
        return jnp.sum((angles - observed) ** 2)

    compiled = jax.jit(jax.grad(misfit, argnums=(0, 1, 2)))
    return lambda *args: jax.block_until_ready(compiled(*args))


def by_torch():
    import torch

    def gradient(damping, length, push, observed, dt):
        # Lists of numbers: reading tensors by element costs PyTorch several times as much.
        damping, length = torch.tensor([damping, length], dtype=torch.float64).unbind()
        push, seen = torch.from_numpy(push), torch.from_numpy(observed)
        wrt = [x.requires_grad_() for x in (damping.clone(), length.clone(), push.clone())]
        angle, speed, angles = seen[0], 0.0, []
        for force in wrt[2].unbind():
            angles.append(angle)
            speed = speed + dt * (-wrt[0] * speed - 9.81 / wrt[1] * torch.sin(angle) + force)
            angle = angle + dt * speed
        loss = torch.sum((torch.stack(angles) - seen) ** 2)
        return [x.numpy() for x in torch.autograd.grad(loss, wrt)]

    return gradient


def installed(name):
    return importlib.util.find_spec(name) is not None


def seconds(call, *args):
    """The best time of a call, after a first one that may compile."""
    call(*args)
    best, spent, runs = math.inf, 0.0, 0
    while runs < 3 or (spent < 0.3 and runs < 50):
        start = time.perf_counter()
        call(*args)
        took = time.perf_counter() - start
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best


def heading(text):
    print(f"\n{text}\n{'-' * len(text)}")


def main(steps=1000):
    args = situation(steps)
    derivative = tl.grad(misfit, wrt=WRT)

    heading("The function")
    print(inspect.getsource(acceleration))
    print(inspect.getsource(misfit).strip())

    heading("Its derivative")
    print(derivative.source_for(*args).strip())

    heading("The check")
    # Small steps: a swing of ten seconds is steep in dt.
    tl.check_grads(misfit, args, order=1, modes=("rev",), eps=1e-5)
    print("tl.check_grads(misfit, args): passed\n")
    start = time.perf_counter()
    want = differences(*args)
    slow = time.perf_counter() - start
    got = derivative(*args)
    middle, last = steps // 2, steps - 2
    print(f"{'':14}{'derivative':>20}{'differences':>20}{'apart':>10}")
    for name, a, b in [("damping", got[0], want[0]), ("length", got[1], want[1]),
                       ("push[0]", got[2][0], want[2][0]),
                       (f"push[{middle}]", got[2][middle], want[2][middle]),
                       (f"push[{last}]", got[2][last], want[2][last])]:
        print(f"{name:14}{a:20.12g}{b:20.12g}{abs(a - b):10.1e}")

    heading("The speed")
    unit = seconds(misfit, *args)
    print(f"One gradient ({steps + 2} numbers), in calls of misfit ({1e3 * unit:.3g} ms each):\n")
    others = {"autograd": by_autograd, "jax": by_jax, "torch": by_torch}
    rows = [("tangent_lite", derivative)]
    if installed("numba"):
        with contextlib.suppress(tl.TangentError):  # that backend is still to come
            rows.append(("tangent_lite, numba", tl.grad(misfit, wrt=WRT, backend="numba")))
    rows += [(name, make()) for name, make in others.items() if installed(name)]
    for name, call in rows:
        for part, expected in zip(call(*args), want):
            np.testing.assert_allclose(part, expected, rtol=1e-5, atol=1e-6, err_msg=name)
        print(f"{name:24}{seconds(call, *args) / unit:10,.1f}")
    print(f"{'finite differences':24}{slow / unit:10,.1f}")
    missing = [name for name in others if not installed(name)]
    if missing:
        print(f"\nCompared too where installed: {', '.join(missing)}.")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
