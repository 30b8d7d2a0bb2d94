"""An epoch of Bayesian personalised ranking, the derivative called from the user's compiled loop.

    python benchmarks/bpr_epoch.py [--interactions 100000] [--rounds 15] [--ratios]

For each interaction the rows of a user, an item that the user liked and one that the user did not
are moved along the gradient of the loss of this one triple. Four loops, under `numba.njit`: the
gradient by hand and fused with the step, which stores nothing; a gradient by hand as a function of
its own, which returns three arrays; the derivative of a loss written with a loop, and that of a
loss written with whole rows. All must end at the same factors.
"""
import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))   # a bare checkout will do

import numba
import numpy as np

import tangent_lite as tl

USERS, ITEMS, WIDTH = 943, 1682, 32
RATE, DECAY = 0.05, 0.01


def loss_by_loop(u, i, j):
    """Of one triple: the rows of a user, of a liked item and of another."""
    score = 0.0
    norm = 0.0
    for k in range(u.shape[0]):
        score += u[k] * (i[k] - j[k])
        norm += u[k] * u[k] + i[k] * i[k] + j[k] * j[k]
    return np.log1p(np.exp(-score)) + 0.5 * DECAY * norm


def loss_by_rows(u, i, j):
    """The same with whole rows."""
    norm = np.sum(u * u + i * i + j * j)
    return np.log1p(np.exp(-np.sum(u * (i - j)))) + 0.5 * DECAY * norm


@numba.njit
def gradient_by_hand(u, i, j):
    """The gradient of one triple as a function of its own."""
    bu, bi, bj = np.empty_like(u), np.empty_like(i), np.empty_like(j)
    score = 0.0
    for k in range(u.shape[0]):
        score += u[k] * (i[k] - j[k])
    slope = -1.0 / (1.0 + np.exp(score))
    for k in range(u.shape[0]):
        bu[k] = slope * (i[k] - j[k]) + DECAY * u[k]
        bi[k] = slope * u[k] + DECAY * i[k]
        bj[k] = -slope * u[k] + DECAY * j[k]
    return bu, bi, bj


def epoch_of(gradient):
    """The epoch as its user writes it."""
    @numba.njit
    def epoch(U, V, users, liked, others):
        for t in range(users.shape[0]):
            u, i, j = U[users[t]], V[liked[t]], V[others[t]]
            bu, bi, bj = gradient(u, i, j)
            for k in range(u.shape[0]):
                u[k] -= RATE * bu[k]
                i[k] -= RATE * bi[k]
                j[k] -= RATE * bj[k]

    return epoch


@numba.njit
def epoch_by_hand(U, V, users, liked, others):
    """Gradient and step in one loop, nothing stored."""
    for t in range(users.shape[0]):
        a, b, c = users[t], liked[t], others[t]
        score = 0.0
        for k in range(U.shape[1]):
            score += U[a, k] * (V[b, k] - V[c, k])
        slope = -1.0 / (1.0 + np.exp(score))
        for k in range(U.shape[1]):
            u, i, j = U[a, k], V[b, k], V[c, k]
            U[a, k] -= RATE * (slope * (i - j) + DECAY * u)
            V[b, k] -= RATE * (slope * u + DECAY * i)
            V[c, k] -= RATE * (-slope * u + DECAY * j)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interactions", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--ratios", action="store_true", help="print no times")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    factors = 0.1 * rng.normal(size=(USERS, WIDTH)), 0.1 * rng.normal(size=(ITEMS, WIDTH))
    liked = rng.integers(0, ITEMS, options.interactions)
    # Never the item itself: what two rows of one array do to each other is another function.
    others = (liked + rng.integers(1, ITEMS, options.interactions)) % ITEMS
    triples = rng.integers(0, USERS, options.interactions), liked, others
    wrt = ("u", "i", "j")
    epochs = {"hand, fused": epoch_by_hand, "hand, a function": epoch_of(gradient_by_hand),
              "tl, loss by a loop": epoch_of(tl.grad(loss_by_loop, wrt, backend="numba")),
              "tl, loss by rows": epoch_of(tl.grad(loss_by_rows, wrt, backend="numba"))}
    expected = None
    seconds = {name: [] for name in epochs}
    for turn in range(options.rounds + 1):
        for name, epoch in epochs.items():
            U, V = (table.copy() for table in factors)
            start = time.perf_counter()
            epoch(U, V, *triples)
            if turn:                                # the first one compiles
                seconds[name].append(time.perf_counter() - start)
            expected = expected or (U, V)
            assert np.allclose(U, expected[0], rtol=1e-9, atol=1e-12), name
            assert np.allclose(V, expected[1], rtol=1e-9, atol=1e-12), name
    hand = seconds["hand, fused"]
    print(f"{options.interactions} interactions, {USERS} users, {ITEMS} items, width {WIDTH}")
    for name, times in seconds.items():
        ratio = statistics.median(a / b for a, b in zip(times, hand))
        spent = "" if options.ratios else f" {1e3 * statistics.median(times):8.1f} ms"
        print(f"{name:<20}{spent}   {ratio:5.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
