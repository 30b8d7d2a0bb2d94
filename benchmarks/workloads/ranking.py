"""Bayesian personalised ranking: rows of embedding tables, read and scattered to."""

import numpy as np
import peers
from harness import Workload


def bpr_loss(U, V, users, liked, others):
    """How badly users' liked items rank above other items, by factors of users and items."""
    u = U[users]
    score = np.sum(u * (V[liked] - V[others]), axis=1)
    return np.mean(np.log1p(np.exp(-score)))


def scatter_rows(rows, values, shape):
    """Sums of rows of values by row number: flattened, where np.add.at is fast."""
    width = shape[1]
    flat = np.zeros(shape[0] * width)
    np.add.at(flat, (rows[:, None] * width + np.arange(width)).ravel(), values.ravel())
    return flat.reshape(shape)


def bpr_loss_hand(U, V, users, liked, others):
    """One scatter for users, one for the liked and the other items together."""
    u = U[users]
    v = V[liked] - V[others]
    score = np.sum(u * v, axis=1)
    bscore = -1.0 / (score.shape[0] * (1.0 + np.exp(score)))
    bu = bscore[:, None] * v
    bv = bscore[:, None] * u
    bU = scatter_rows(users, bu, U.shape)
    bV = scatter_rows(np.concatenate((liked, others)), np.concatenate((bv, -bv)), V.shape)
    return bU, bV


def bpr_loss_best(U, V, users, liked, others):
    """Scattering as the product with a sparse matrix of SciPy's."""
    from scipy.sparse import csr_array

    n = users.shape[0]
    u = U[users]
    v = V[liked] - V[others]
    score = np.einsum("ij,ij->i", u, v)
    bscore = -1.0 / (n * (1.0 + np.exp(score)))
    once = np.arange(n + 1)
    by_user = csr_array((bscore, users, once), shape=(n, U.shape[0]))
    signs = np.stack((bscore, -bscore), axis=1).ravel()
    items = np.stack((liked, others), axis=1).ravel()
    by_item = csr_array((signs, items, 2 * once), shape=(n, V.shape[0]))
    return by_user.T @ v, by_item.T @ u


def bpr_numba():
    """Compiled: a loop over the triples."""
    import numba

    @numba.njit
    def gradient(U, V, users, liked, others):
        n = users.shape[0]
        width = U.shape[1]
        bU = np.zeros_like(U)
        bV = np.zeros_like(V)
        for t in range(n):
            a, b, c = users[t], liked[t], others[t]
            score = 0.0
            for j in range(width):
                score += U[a, j] * (V[b, j] - V[c, j])
            bscore = -1.0 / (n * (1.0 + np.exp(score)))
            for j in range(width):
                bU[a, j] += bscore * (V[b, j] - V[c, j])
                bV[b, j] += bscore * U[a, j]
                bV[c, j] -= bscore * U[a, j]
        return bU, bV

    return gradient


def bpr_loss_torch(torch, U, V, users, liked, others):
    """With the library's own rows and soft plus."""
    row = torch.nn.functional.embedding
    score = torch.sum(row(users, U) * (row(liked, V) - row(others, V)), dim=1)
    return torch.mean(torch.nn.functional.softplus(-score))


def bpr_loss_jax(jax, U, V, users, liked, others):
    """With the library's own soft plus."""
    score = jax.numpy.sum(U[users] * (V[liked] - V[others]), axis=1)
    return jax.numpy.mean(jax.nn.softplus(-score))


def bpr_args():
    """943 users, 1682 items, 32 factors, 10 000 triples."""
    rng = np.random.default_rng(0)
    return (
        0.3 * rng.normal(size=(943, 32)),
        0.3 * rng.normal(size=(1682, 32)),
        rng.integers(0, 943, 10_000),
        rng.integers(0, 1682, 10_000),
        rng.integers(0, 1682, 10_000),
    )


WORKLOADS = (
    Workload(
        name="bpr",
        title="Bayesian personalised ranking, 10 000 triples",
        primal=bpr_loss,
        args=bpr_args,
        wrt=("U", "V"),
        hand=bpr_loss_hand,
        variants={"best": bpr_loss_best},
        peers={
            "autograd": peers.autograd(),
            "torch": peers.torch(bpr_loss_torch),
            "jax": peers.jax(bpr_loss_jax),
        },
        hand_numba=bpr_numba,
    ),
)
