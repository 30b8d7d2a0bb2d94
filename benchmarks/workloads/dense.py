"""Matrix products: the trace of one, a multilayer perceptron, the Iris net."""

import numpy as np
import peers
from harness import Workload


# The trace of a product --------------------------------------------------------------------------
def trace(A, B):
    """The trace of a product of matrices."""
    return np.trace(A @ B)


def trace_hand(A, B):
    """As in the tables; copies, because a gradient is its caller's to keep and change."""
    return B.T.copy(), A.T.copy()


def trace_chain(A, B):
    """The chain rule, statement by statement: the adjoint of the product is an identity."""
    bt = np.eye(A.shape[0])
    return bt @ B.T, A.T @ bt


def trace_args():
    """Two matrices, 30 by 30."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(30, 30)), rng.normal(size=(30, 30))


# A multilayer perceptron -------------------------------------------------------------------------
def mlp_loss(W1, b1, W2, b2, x, y):
    """Cross-entropy of a net with one hidden layer."""
    h = np.tanh(x @ W1 + b1)
    logits = h @ W2 + b2
    logits = logits - np.max(logits, axis=1, keepdims=True)
    logp = logits - np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    return -np.sum(logp * y) / x.shape[0]


def mlp_loss_hand(W1, b1, W2, b2, x, y):
    """softmax minus labels; what the maximum contributes cancels."""
    h = np.tanh(x @ W1 + b1)
    logits = h @ W2 + b2
    logits -= np.max(logits, axis=1, keepdims=True)
    p = np.exp(logits)
    p /= np.sum(p, axis=1, keepdims=True)
    blogits = (p * np.sum(y, axis=1, keepdims=True) - y) / x.shape[0]
    ba = (blogits @ W2.T) * (1.0 - h * h)
    return x.T @ ba, np.sum(ba, axis=0), h.T @ blogits, np.sum(blogits, axis=0)


def mlp_loss_chain(W1, b1, W2, b2, x, y):
    """The chain rule, statement by statement."""
    h = np.tanh(x @ W1 + b1)
    logits = h @ W2 + b2
    top = np.max(logits, axis=1, keepdims=True)
    logits_1 = logits - top
    p = np.exp(logits_1)
    z = np.sum(p, axis=1, keepdims=True)
    blogp = (-1.0 / x.shape[0]) * y
    blogits_1 = blogp
    blog_z = -np.sum(blogp, axis=1, keepdims=True)
    bz = blog_z / z
    blogits_1 = blogits_1 + bz * p
    blogits = blogits_1
    btop = -np.sum(blogits_1, axis=1, keepdims=True)
    is_top = logits == top
    blogits = blogits + is_top * (btop / np.sum(is_top, axis=1, keepdims=True))
    bb2 = np.sum(blogits, axis=0)
    bh = blogits @ W2.T
    bW2 = h.T @ blogits
    ba = bh * (1.0 - h * h)
    bb1 = np.sum(ba, axis=0)
    bW1 = x.T @ ba
    return bW1, bb1, bW2, bb2


def mlp_loss_numba():
    """Compiled, the softmax in loops: Numba has no maximum along an axis."""
    import numba

    @numba.njit
    def gradient(W1, b1, W2, b2, x, y):
        n = x.shape[0]
        h = np.tanh(x @ W1 + b1)
        logits = h @ W2 + b2
        for i in range(n):
            row = logits[i]
            p = np.exp(row - np.max(row))
            logits[i] = (p / np.sum(p) * np.sum(y[i]) - y[i]) / n
        ba = (logits @ W2.T) * (1.0 - h * h)
        return x.T @ ba, np.sum(ba, axis=0), h.T @ logits, np.sum(logits, axis=0)

    return gradient


def mlp_loss_torch(torch, W1, b1, W2, b2, x, y):
    """With the library's own log-softmax."""
    logits = torch.tanh(x @ W1 + b1) @ W2 + b2
    return -torch.sum(torch.log_softmax(logits, dim=1) * y) / x.shape[0]


def mlp_loss_jax(jax, W1, b1, W2, b2, x, y):
    """With the library's own log-softmax."""
    np = jax.numpy
    logits = np.tanh(x @ W1 + b1) @ W2 + b2
    return -np.sum(jax.nn.log_softmax(logits, axis=1) * y) / x.shape[0]


def mlp_args():
    """A batch of 128 of 64 features, 128 hidden units, ten classes."""
    rng = np.random.default_rng(0)
    return (
        0.1 * rng.normal(size=(64, 128)),
        0.1 * rng.normal(size=128),
        0.1 * rng.normal(size=(128, 10)),
        0.1 * rng.normal(size=10),
        rng.normal(size=(128, 64)),
        np.eye(10)[rng.integers(0, 10, 128)],
    )


# The Iris net ------------------------------------------------------------------------------------
def sigmoid(x):
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


def iris_loss(w1, w2, X, Y):
    """Summed binary cross-entropy of a net 4-10-3 of sigmoids."""
    s1 = sigmoid(X @ w1)
    s2 = sigmoid(s1 @ w2)
    return -np.sum(Y * np.log(s2) + (1.0 - Y) * np.log(1.0 - s2))


def iris_loss_hand(w1, w2, X, Y):
    """For a sigmoid under cross-entropy: the output minus the label."""
    s1 = 1.0 / (1.0 + np.exp(-(X @ w1)))
    s2 = 1.0 / (1.0 + np.exp(-(s1 @ w2)))
    ba2 = s2 - Y
    ba1 = (ba2 @ w2.T) * s1 * (1.0 - s1)
    return X.T @ ba1, s1.T @ ba2


def iris_loss_chain(w1, w2, X, Y):
    """The chain rule, statement by statement."""
    s1 = 1.0 / (1.0 + np.exp(-(X @ w1)))
    s2 = 1.0 / (1.0 + np.exp(-(s1 @ w2)))
    bs2 = (1.0 - Y) / (1.0 - s2) - Y / s2
    ba2 = bs2 * s2 * (1.0 - s2)
    bw2 = s1.T @ ba2
    bs1 = ba2 @ w2.T
    ba1 = bs1 * s1 * (1.0 - s1)
    bw1 = X.T @ ba1
    return bw1, bw2


def iris_loss_torch(torch, w1, w2, X, Y):
    """With the library's own sigmoid."""
    s2 = torch.sigmoid(torch.sigmoid(X @ w1) @ w2)
    return torch.nn.functional.binary_cross_entropy(s2, Y, reduction="sum")


def iris_args():
    """150 flowers, of random petals."""
    rng = np.random.default_rng(0)
    return (
        rng.uniform(-1.0, 1.0, size=(4, 10)) * 0.1,
        rng.uniform(-1.0, 1.0, size=(10, 3)) * 0.1,
        rng.uniform(0.1, 8.0, size=(150, 4)),
        np.eye(3)[np.arange(150) // 50],
    )


WORKLOADS = (
    Workload(
        name="trace",
        title="the trace of a product, 30 by 30",
        primal=trace,
        args=trace_args,
        wrt=("A", "B"),
        hand=trace_hand,
        variants={"chain": trace_chain},
        peers={"autograd": peers.autograd(),
               "torch": peers.torch(lambda torch, A, B: torch.trace(A @ B)),
               "jax": peers.jax()},
    ),
    Workload(
        name="mlp",
        title="the loss of a multilayer perceptron",
        primal=mlp_loss,
        args=mlp_args,
        wrt=("W1", "b1", "W2", "b2"),
        hand=mlp_loss_hand,
        variants={"chain": mlp_loss_chain},
        peers={"autograd": peers.autograd(), "torch": peers.torch(mlp_loss_torch),
               "jax": peers.jax(mlp_loss_jax)},
        hand_numba=mlp_loss_numba,
    ),
    Workload(
        name="iris",
        title="the Iris net, full batch",
        primal=iris_loss,
        args=iris_args,
        wrt=("w1", "w2"),
        hand=iris_loss_hand,
        variants={"chain": iris_loss_chain},
        peers={"autograd": peers.autograd(), "torch": peers.torch(iris_loss_torch),
               "jax": peers.jax()},
    ),
)
