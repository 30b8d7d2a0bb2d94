"""Ten layers and one sample: nothing is large, so that every superfluous call shows."""

from itertools import pairwise

import numpy as np
import peers
from harness import Workload


# Straight-line, every weight a parameter ---------------------------------------------------------
def ten_layers(w1, b1, w2, b2, w3, b3, w4, b4, w5, b5, w6, b6, w7, b7, w8, b8, w9, b9, w10, b10,
               x, y):
    """The squared error of ten layers, relu between them, at one sample."""
    h1 = np.maximum(w1 @ x + b1, 0.0)
    h2 = np.maximum(w2 @ h1 + b2, 0.0)
    h3 = np.maximum(w3 @ h2 + b3, 0.0)
    h4 = np.maximum(w4 @ h3 + b4, 0.0)
    h5 = np.maximum(w5 @ h4 + b5, 0.0)
    h6 = np.maximum(w6 @ h5 + b6, 0.0)
    h7 = np.maximum(w7 @ h6 + b7, 0.0)
    h8 = np.maximum(w8 @ h7 + b8, 0.0)
    h9 = np.maximum(w9 @ h8 + b9, 0.0)
    e = w10 @ h9 + b10 - y
    return np.sum(e * e)


def last_layer_hand(w1, b1, w2, b2, w3, b3, w4, b4, w5, b5, w6, b6, w7, b7, w8, b8, w9, b9,
                    w10, b10, x, y):
    """Forward, and a single step back."""
    h1 = np.maximum(w1 @ x + b1, 0.0)
    h2 = np.maximum(w2 @ h1 + b2, 0.0)
    h3 = np.maximum(w3 @ h2 + b3, 0.0)
    h4 = np.maximum(w4 @ h3 + b4, 0.0)
    h5 = np.maximum(w5 @ h4 + b5, 0.0)
    h6 = np.maximum(w6 @ h5 + b6, 0.0)
    h7 = np.maximum(w7 @ h6 + b7, 0.0)
    h8 = np.maximum(w8 @ h7 + b8, 0.0)
    h9 = np.maximum(w9 @ h8 + b9, 0.0)
    e = w10 @ h9 + b10 - y
    be = 2.0 * e
    return be[:, None] * h9, be


def all_layers_hand(w1, b1, w2, b2, w3, b3, w4, b4, w5, b5, w6, b6, w7, b7, w8, b8, w9, b9,
                    w10, b10, x, y):
    """Backpropagation; an output above zero says that relu let its input through."""
    h1 = np.maximum(w1 @ x + b1, 0.0)
    h2 = np.maximum(w2 @ h1 + b2, 0.0)
    h3 = np.maximum(w3 @ h2 + b3, 0.0)
    h4 = np.maximum(w4 @ h3 + b4, 0.0)
    h5 = np.maximum(w5 @ h4 + b5, 0.0)
    h6 = np.maximum(w6 @ h5 + b6, 0.0)
    h7 = np.maximum(w7 @ h6 + b7, 0.0)
    h8 = np.maximum(w8 @ h7 + b8, 0.0)
    h9 = np.maximum(w9 @ h8 + b9, 0.0)
    e = w10 @ h9 + b10 - y
    bb10 = 2.0 * e
    bb9 = (bb10 @ w10) * (h9 > 0.0)
    bb8 = (bb9 @ w9) * (h8 > 0.0)
    bb7 = (bb8 @ w8) * (h7 > 0.0)
    bb6 = (bb7 @ w7) * (h6 > 0.0)
    bb5 = (bb6 @ w6) * (h5 > 0.0)
    bb4 = (bb5 @ w5) * (h4 > 0.0)
    bb3 = (bb4 @ w4) * (h3 > 0.0)
    bb2 = (bb3 @ w3) * (h2 > 0.0)
    bb1 = (bb2 @ w2) * (h1 > 0.0)
    return (
        bb1[:, None] * x, bb1, bb2[:, None] * h1, bb2, bb3[:, None] * h2, bb3,
        bb4[:, None] * h3, bb4, bb5[:, None] * h4, bb5, bb6[:, None] * h5, bb6,
        bb7[:, None] * h6, bb7, bb8[:, None] * h7, bb8, bb9[:, None] * h8, bb9,
        bb10[:, None] * h9, bb10,
    )


# The same as a loop over a list of layers --------------------------------------------------------
def layer_list(params, x, y):
    """The squared error of a list of layers (W, b), relu between them, at one sample."""
    h = x
    for W, b in params[:-1]:
        h = np.maximum(W @ h + b, 0.0)
    W, b = params[-1]
    e = W @ h + b - y
    return np.sum(e * e)


def layer_list_hand(params, x, y):
    """Backpropagation over the list."""
    hs = [x]
    for W, b in params[:-1]:
        hs.append(np.maximum(W @ hs[-1] + b, 0.0))
    W, b = params[-1]
    bb = 2.0 * (W @ hs[-1] + b - y)
    bparams = [(bb[:, None] * hs[-1], bb)]
    for k in range(len(params) - 1, 0, -1):
        bb = (bb @ params[k][0]) * (hs[k] > 0.0)
        bparams.append((bb[:, None] * hs[k - 1], bb))
    bparams.reverse()
    return (bparams,)


def layer_list_numba():
    """The list is handed over as a tuple: Numba takes no list of tuples."""
    import numba

    hand = numba.njit(layer_list_hand)
    return lambda params, x, y: hand(tuple(params), x, y)


# Peers and arguments -----------------------------------------------------------------------------
def layer_list_torch(torch, params, x, y):
    """With relu."""
    h = x
    for W, b in params[:-1]:
        h = torch.relu(W @ h + b)
    W, b = params[-1]
    e = W @ h + b - y
    return torch.sum(e * e)


def ten_layers_torch(torch, *args):
    """The same, from twenty parameters."""
    *weights, x, y = args
    return layer_list_torch(torch, list(zip(weights[::2], weights[1::2])), x, y)


def ten_layers_jax(jax, *args):
    """With relu, from twenty parameters."""
    *weights, x, y = args
    h = x
    for W, b in zip(weights[:-2:2], weights[1:-2:2]):
        h = jax.nn.relu(W @ h + b)
    e = weights[-2] @ h + weights[-1] - y
    return jax.numpy.sum(e * e)


def layer_list_jax(jax, params, x, y):
    """With relu."""
    return ten_layers_jax(jax, *[leaf for layer in params for leaf in layer], x, y)


def layer_list_args():
    """Widths 1, nine times 10, 1."""
    rng = np.random.default_rng(0)
    widths = [1] + [10] * 9 + [1]
    params = [
        (rng.normal(size=(m, n)) * np.sqrt(2.0 / n), 0.1 * rng.normal(size=m))
        for n, m in pairwise(widths)
    ]
    return params, np.array([0.6]), np.array([-0.3])


def ten_layers_args():
    """The same, one by one."""
    params, x, y = layer_list_args()
    return (*(leaf for layer in params for leaf in layer), x, y)


_ALL = tuple(f"{kind}{k}" for k in range(1, 11) for kind in "wb")
_PEERS = {
    "autograd": peers.autograd(),
    "torch": peers.torch(ten_layers_torch),
    "jax": peers.jax(ten_layers_jax),
}

WORKLOADS = (
    Workload(
        name="ten_last",
        title="ten layers, the gradient of the last",
        primal=ten_layers,
        args=ten_layers_args,
        wrt=("w10", "b10"),
        hand=last_layer_hand,
        peers=_PEERS,
    ),
    Workload(
        name="ten_all",
        title="ten layers, the gradient of all",
        primal=ten_layers,
        args=ten_layers_args,
        wrt=_ALL,
        hand=all_layers_hand,
        peers=_PEERS,
    ),
    Workload(
        name="ten_list",
        title="ten layers as a list of tuples",
        primal=layer_list,
        args=layer_list_args,
        wrt=("params",),
        hand=layer_list_hand,
        peers={
            "autograd": peers.autograd(),
            "torch": peers.torch(layer_list_torch),
            "jax": peers.jax(layer_list_jax),
        },
        hand_numba=layer_list_numba,
    ),
)
