"""Training the Iris net: 10 000 gradients of the full batch, beside other libraries.

    python benchmarks/iris_training.py [--steps 10000] [--rounds 3]

Gradient descent on a net 4-10-3 of sigmoids without biases, 150 rows, at a fixed rate. Each
contender runs the whole training, as its user would write it: a loop of Python around the gradient
by hand, around ours, autograd's, torch's and JAX's (under jit); our gradient in a loop that Numba
compiles; JAX with the loop inside jit (`fori_loop`). All of these must end at the same weights.
scikit-learn's MLPClassifier runs as many epochs of one batch; it trains another net (softmax, with
biases), so only its time is compared. Contenders that are not installed are left out.

Printed: the time over that of the loop with the gradient by hand, the median over the rounds.
"""
import argparse
import statistics
import sys
import time
import warnings
from pathlib import Path

import threads

threads.limit(sys.argv)   # before NumPy is imported

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))   # a bare checkout will do

import numpy as np  # noqa: E402
from workloads.dense import iris_args, iris_loss, iris_loss_hand, iris_loss_torch  # noqa: E402

import tangent_lite as tl  # noqa: E402

RATE = 1e-3


def loop_of(gradient):
    """Gradient descent in Python around a gradient."""
    def train(w1, w2, X, Y, steps):
        for _ in range(steps):
            bw1, bw2 = gradient(w1, w2, X, Y)
            w1 = w1 - RATE * bw1
            w2 = w2 - RATE * bw2
        return w1, w2
    return train


def numba_loop():
    """The same loop compiled, around our gradient compiled."""
    import numba

    return numba.njit(loop_of(tl.grad(iris_loss, wrt=("w1", "w2"), backend="numba")))


def autograd_loop():
    """autograd's gradient in a loop of Python; its NumPy in place of ours."""
    import autograd
    import autograd.numpy as anp

    def loss(w1, w2, X, Y):
        s1 = 1.0 / (1.0 + anp.exp(-(X @ w1)))
        s2 = 1.0 / (1.0 + anp.exp(-(s1 @ w2)))
        return -anp.sum(Y * anp.log(s2) + (1.0 - Y) * anp.log(1.0 - s2))

    return loop_of(autograd.grad(loss, (0, 1)))


def torch_loop():
    """Backward and a step in place, as torch's users write it."""
    import torch

    torch.set_num_threads(1)

    def train(w1, w2, X, Y, steps):
        w1, w2 = (torch.tensor(w, requires_grad=True) for w in (w1, w2))
        X, Y = torch.tensor(X), torch.tensor(Y)
        for _ in range(steps):
            w1.grad = w2.grad = None
            iris_loss_torch(torch, w1, w2, X, Y).backward()
            with torch.no_grad():
                w1 -= RATE * w1.grad
                w2 -= RATE * w2.grad
        return w1.detach().numpy(), w2.detach().numpy()
    return train


def jax_loss():
    import jax

    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy

    def loss(w1, w2, X, Y):
        s2 = jax.nn.sigmoid(jax.nn.sigmoid(X @ w1) @ w2)
        return -jnp.sum(Y * jnp.log(s2) + (1.0 - Y) * jnp.log(1.0 - s2))
    return jax, jax.grad(loss, (0, 1))


def jax_loop():
    """The step under jit, the loop in Python."""
    jax, gradient = jax_loss()

    @jax.jit
    def step(w1, w2, X, Y):
        bw1, bw2 = gradient(w1, w2, X, Y)
        return w1 - RATE * bw1, w2 - RATE * bw2

    def train(w1, w2, X, Y, steps):
        for _ in range(steps):
            w1, w2 = step(w1, w2, X, Y)
        return np.asarray(w1), np.asarray(w2)
    return train


def jax_whole():
    """The loop inside jit too."""
    jax, gradient = jax_loss()

    @jax.jit
    def run(w1, w2, X, Y, steps):
        def step(_, w):
            bw1, bw2 = gradient(*w, X, Y)
            return w[0] - RATE * bw1, w[1] - RATE * bw2
        return jax.lax.fori_loop(0, steps, step, (w1, w2))

    return lambda *args: tuple(map(np.asarray, run(*args)))


def sklearn_loop():
    """As many epochs of one batch of scikit-learn's net."""
    from sklearn.neural_network import MLPClassifier

    def train(w1, w2, X, Y, steps):
        net = MLPClassifier((10,), activation="logistic", solver="sgd", alpha=0.0,
                            batch_size=len(X), learning_rate_init=RATE, max_iter=steps,
                            shuffle=False, tol=0.0, momentum=0.0, nesterovs_momentum=False,
                            n_iter_no_change=steps)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")                 # that it did not converge
            net.fit(X, np.argmax(Y, axis=1))
        return
    return train


CONTENDERS = {
    "by hand": lambda: loop_of(iris_loss_hand),
    "tangent_lite": lambda: loop_of(tl.grad(iris_loss, wrt=("w1", "w2"))),
    "tangent_lite, Numba": numba_loop,
    "autograd": autograd_loop,
    "torch": torch_loop,
    "jax": jax_loop,
    "jax, loop in jit": jax_whole,
    "scikit-learn": sklearn_loop,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    args = iris_args()
    trainings = {}
    expected = None
    for name, make in CONTENDERS.items():
        try:
            trainings[name] = make()
        except ImportError as error:
            print(f"{name:<20}  left out: {error}")
            continue
        found = trainings[name](*args, 50)                  # compiles, and must agree
        expected = expected or found
        if found is not None:
            assert all(np.allclose(a, b, rtol=1e-8) for a, b in zip(found, expected)), name
    seconds = {name: [] for name in trainings}
    for _ in range(options.rounds):
        for name, train in trainings.items():
            start = time.perf_counter()
            train(*args, options.steps)
            seconds[name].append(time.perf_counter() - start)
    print(f"{options.steps} gradients of the full batch: time over that by hand")
    for name, times in seconds.items():
        ratio = statistics.median(a / b for a, b in zip(times, seconds["by hand"]))
        print(f"{name:<20}  {ratio:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
