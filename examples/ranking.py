"""Learning to rank from what people liked: the derivative is called from a compiled loop.

    python examples/ranking.py [EPOCHS]         (needs numba: pip install '.[numba]')

Bayesian personalised ranking: of two items, the one that a user liked should have the higher score.
The loss of one such triple is written as one thinks of it; its derivative, compiled by Numba, is
called once for each triple, and the loop around it is compiled as well.
"""
import sys
import time

import numba
import numpy as np

import tangent_lite as tl


def loss(u, i, j):
    """Of one triple: the factors of a user, of a liked item and of another one."""
    score = 0.0
    for k in range(u.shape[0]):
        score += u[k] * (i[k] - j[k])
    return np.log1p(np.exp(-score))


gradient = tl.grad(loss, wrt=("u", "i", "j"), backend="numba")


@numba.njit
def epoch(U, V, users, liked, others, rate):
    """One pass over the triples; the factors are changed in place."""
    for t in range(users.shape[0]):
        u, i, j = U[users[t]], V[liked[t]], V[others[t]]
        bu, bi, bj = gradient(u, i, j)
        for k in range(u.shape[0]):
            u[k] -= rate * bu[k]
            i[k] -= rate * bi[k]
            j[k] -= rate * bj[k]


def triples(taste, items, count, rng):
    """Of two items that a user meets, the user likes the one that is nearer to its taste."""
    users = rng.integers(0, len(taste), count)
    one = rng.integers(0, len(items), count)
    other = (one + rng.integers(1, len(items), count)) % len(items)
    likes = np.sum(taste[users] * (items[one] - items[other]), axis=1) > 0
    return users, np.where(likes, one, other), np.where(likes, other, one)


def main(epochs=5):
    rng = np.random.default_rng(0)
    taste, items = rng.normal(size=(200, 3)), rng.normal(size=(300, 3))
    data, unseen = (triples(taste, items, n, rng) for n in (20_000, 5_000))
    U, V = 0.1 * rng.normal(size=(200, 8)), 0.1 * rng.normal(size=(300, 8))
    for number in range(epochs):
        start = time.perf_counter()
        epoch(U, V, *data, 0.05)
        seconds = time.perf_counter() - start
        users, liked, others = unseen
        right = np.mean(np.sum(U[users] * (V[liked] - V[others]), axis=1) > 0)
        print(f"epoch {number + 1}: {1e3 * seconds:7.1f} ms, "
              f"{100 * right:.1f}% of unseen pairs right")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
