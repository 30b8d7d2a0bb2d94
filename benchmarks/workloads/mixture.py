"""The log-likelihood of a Gaussian mixture, as in ADBench: a loop that fills a matrix."""

import numpy as np
import peers
from harness import Workload


def mixture(alphas, means, logdiag, lower, x, gamma):
    """The log-likelihood of x, up to constants, with a Wishart prior on the precisions.

    Component k has weight softmax(alphas)[k] and the precision Q.T @ Q, Q being lower[k] below
    the diagonal and exp(logdiag[k]) on it.
    """
    n = x.shape[0]
    count = alphas.shape[0]
    terms = np.zeros((n, count))
    for k in range(count):
        Q = np.tril(lower[k], -1) + np.diag(np.exp(logdiag[k]))
        z = (x - means[k]) @ Q.T
        terms[:, k] = alphas[k] + np.sum(logdiag[k]) - 0.5 * np.sum(z * z, axis=1)
    top = np.max(terms, axis=1)
    fit = np.sum(top + np.log(np.sum(np.exp(terms - top[:, None]), axis=1)))
    fit = fit - n * np.log(np.sum(np.exp(alphas)))
    spread = np.sum(np.exp(2.0 * logdiag)) + np.sum(np.tril(lower, -1) ** 2)
    return fit - 0.5 * gamma * gamma * spread


def mixture_hand(alphas, means, logdiag, lower, x, gamma):
    """Responsibilities times the terms' derivatives, component by component."""
    n = x.shape[0]
    count = alphas.shape[0]
    terms = np.zeros((n, count))
    tape = []
    for k in range(count):
        Q = np.tril(lower[k], -1) + np.diag(np.exp(logdiag[k]))
        centred = x - means[k]
        z = centred @ Q.T
        tape.append((Q, centred, z))
        terms[:, k] = alphas[k] + np.sum(logdiag[k]) - 0.5 * np.sum(z * z, axis=1)
    terms -= np.max(terms, axis=1)[:, None]
    p = np.exp(terms)
    p /= np.sum(p, axis=1)[:, None]
    total = np.sum(p, axis=0)
    weights = np.exp(alphas)
    balphas = total - n * weights / np.sum(weights)
    bmeans = np.zeros_like(means)
    blogdiag = np.zeros_like(logdiag)
    blower = np.zeros_like(lower)
    for k in range(count):
        Q, centred, z = tape[k]
        bz = -p[:, k][:, None] * z
        bmeans[k] = -np.sum(bz, axis=0) @ Q
        bQ = bz.T @ centred - gamma * gamma * Q
        blower[k] = np.tril(bQ, -1)
        blogdiag[k] = np.diag(bQ) * np.diag(Q) + total[k]
    return balphas, bmeans, blogdiag, blower


def mixture_stacked(np, alphas, means, logdiag, lower, x, gamma):
    """Without the loop, for libraries whose arrays are not written to."""
    n, dim = x.shape
    strict = np.tril(lower, -1)
    Q = strict + np.exp(logdiag)[:, :, None] * np.eye(dim)
    z = np.einsum("knd,ked->kne", x[None] - means[:, None], Q)
    terms = alphas + np.sum(logdiag, axis=1) - 0.5 * np.sum(z * z, axis=2).T
    top = np.max(terms, axis=1)
    fit = np.sum(top + np.log(np.sum(np.exp(terms - top[:, None]), axis=1)))
    fit = fit - n * np.log(np.sum(np.exp(alphas)))
    spread = np.sum(np.exp(2.0 * logdiag)) + np.sum(strict**2)
    return fit - 0.5 * gamma * gamma * spread


def mixture_autograd(np, alphas, means, logdiag, lower, x, gamma):
    """The loop, its columns stacked at the end."""
    n, dim = x.shape
    below = np.tril(np.ones((dim, dim)), -1)
    columns = []
    for k in range(alphas.shape[0]):
        Q = below * lower[k] + np.diag(np.exp(logdiag[k]))
        z = np.dot(x - means[k], Q.T)
        columns.append(alphas[k] + np.sum(logdiag[k]) - 0.5 * np.sum(z * z, axis=1))
    terms = np.stack(columns, axis=1)
    top = np.max(terms, axis=1)
    fit = np.sum(top + np.log(np.sum(np.exp(terms - top[:, None]), axis=1)))
    fit = fit - n * np.log(np.sum(np.exp(alphas)))
    spread = np.sum(np.exp(2.0 * logdiag)) + np.sum((below * lower) ** 2)
    return fit - 0.5 * gamma * gamma * spread


def mixture_jax(jax, alphas, means, logdiag, lower, x, gamma):
    """Stacked."""
    return mixture_stacked(jax.numpy, alphas, means, logdiag, lower, x, gamma)


def mixture_torch(torch, alphas, means, logdiag, lower, x, gamma):
    """Stacked, with the library's own logsumexp."""
    n = x.shape[0]
    strict = torch.tril(lower, -1)
    Q = strict + torch.diag_embed(torch.exp(logdiag))
    z = (x - means[:, None]) @ Q.transpose(1, 2)
    terms = alphas + torch.sum(logdiag, dim=1) - 0.5 * torch.sum(z * z, dim=2).T
    fit = torch.sum(torch.logsumexp(terms, dim=1)) - n * torch.logsumexp(alphas, dim=0)
    spread = torch.sum(torch.exp(2.0 * logdiag)) + torch.sum(strict**2)
    return fit - 0.5 * gamma * gamma * spread


def mixture_args():
    """1000 points, ten dimensions, ten components."""
    rng = np.random.default_rng(0)
    count, dim = 10, 10
    return (
        rng.normal(size=count),
        rng.normal(size=(count, dim)),
        0.3 * rng.normal(size=(count, dim)),
        0.3 * rng.normal(size=(count, dim, dim)),
        rng.normal(size=(1000, dim)),
        1.0,
    )


def mixture_numba():
    """Compiled; the maximum and the normalisation in a loop, as Numba has no max along an axis."""
    import numba

    @numba.njit
    def gradient(alphas, means, logdiag, lower, x, gamma):
        n, dim = x.shape
        count = alphas.shape[0]
        p = np.zeros((n, count))
        tape = []
        for k in range(count):
            Q = np.tril(lower[k], -1) + np.diag(np.exp(logdiag[k]))
            centred = x - means[k]
            z = centred @ Q.T
            tape.append((Q, centred, z))
            offset = alphas[k] + np.sum(logdiag[k])
            for i in range(n):
                squares = 0.0
                for j in range(dim):
                    squares += z[i, j] * z[i, j]
                p[i, k] = offset - 0.5 * squares
        for i in range(n):
            row = np.exp(p[i] - np.max(p[i]))
            p[i] = row / np.sum(row)
        total = np.sum(p, axis=0)
        weights = np.exp(alphas)
        balphas = total - n * weights / np.sum(weights)
        bmeans = np.zeros_like(means)
        blogdiag = np.zeros_like(logdiag)
        blower = np.zeros_like(lower)
        for k in range(count):
            Q, centred, z = tape[k]
            bz = -p[:, k].copy().reshape(n, 1) * z
            bmeans[k] = -np.sum(bz, axis=0) @ Q
            bQ = bz.T @ centred - gamma * gamma * Q
            blower[k] = np.tril(bQ, -1)
            blogdiag[k] = np.diag(bQ) * np.diag(Q) + total[k]
        return balphas, bmeans, blogdiag, blower

    return gradient


WORKLOADS = (
    Workload(
        name="mixture",
        title="a Gaussian mixture, 1000 points, 10 dimensions, 10 components",
        primal=mixture,
        args=mixture_args,
        wrt=("alphas", "means", "logdiag", "lower"),
        hand=mixture_hand,
        peers={
            "autograd": peers.autograd(mixture_autograd),
            "torch": peers.torch(mixture_torch),
            "jax": peers.jax(mixture_jax),
        },
        hand_numba=mixture_numba,
    ),
)
