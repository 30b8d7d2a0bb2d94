"""Loops over time: a plain recurrent net at one sample, an LSTM at a batch."""

import numpy as np
import peers
from harness import Workload


# A recurrent net ---------------------------------------------------------------------------------
def rnn_loss(Wx, Wh, b, h, xs, ys):
    """The squared error of the hidden state along a sequence."""
    loss = 0.0
    for t in range(xs.shape[0]):
        h = np.tanh(xs[t] @ Wx + h @ Wh + b)
        e = h - ys[t]
        loss = loss + np.sum(e * e)
    return loss


def rnn_loss_hand(Wx, Wh, b, h, xs, ys):
    """Backpropagation through time, step by step as the primal goes."""
    n = xs.shape[0]
    hs = [h]
    for t in range(n):
        h = np.tanh(xs[t] @ Wx + h @ Wh + b)
        hs.append(h)
    bWx = np.zeros_like(Wx)
    bWh = np.zeros_like(Wh)
    bb = np.zeros_like(b)
    bh = np.zeros_like(h)
    for t in range(n - 1, -1, -1):
        h = hs[t + 1]
        bh += 2.0 * (h - ys[t])
        ba = bh * (1.0 - h * h)
        bb += ba
        bWx += xs[t][:, None] * ba
        bWh += hs[t][:, None] * ba
        bh = ba @ Wh.T
    return bWx, bWh, bb, bh


def rnn_loss_best(Wx, Wh, b, h, xs, ys):
    """All that needs no order of time in one product each, before and after the loops."""
    n = xs.shape[0]
    drive = xs @ Wx + b
    hs = np.empty((n + 1, h.shape[0]))
    hs[0] = h
    for t in range(n):
        hs[t + 1] = np.tanh(drive[t] + hs[t] @ Wh)
    after = hs[1:]
    be = 2.0 * (after - ys)
    slope = 1.0 - after * after
    ba = np.empty_like(after)
    bh = np.zeros_like(h)
    WhT = Wh.T
    for t in range(n - 1, -1, -1):
        ba[t] = (bh + be[t]) * slope[t]
        bh = ba[t] @ WhT
    return xs.T @ ba, hs[:-1].T @ ba, np.sum(ba, axis=0), bh


def rnn_loss_torch(torch, Wx, Wh, b, h, xs, ys):
    """The products with the inputs and the loss outside the loop."""
    hs = []
    for drive in (xs @ Wx + b).unbind():
        h = torch.tanh(drive + h @ Wh)
        hs.append(h)
    e = torch.stack(hs) - ys
    return torch.sum(e * e)


def rnn_loss_jax(jax, Wx, Wh, b, h, xs, ys):
    """With scan, the products with the inputs and the loss outside."""
    np = jax.numpy

    def step(h, drive):
        h = np.tanh(drive + h @ Wh)
        return h, h

    hs = jax.lax.scan(step, h, xs @ Wx + b)[1]
    e = hs - ys
    return np.sum(e * e)


def rnn_args():
    """100 steps, 16 inputs, 32 hidden units."""
    rng = np.random.default_rng(0)
    return (
        rng.normal(size=(16, 32)) / 4.0,
        0.9 * rng.normal(size=(32, 32)) / np.sqrt(32.0),
        0.1 * rng.normal(size=32),
        0.1 * rng.normal(size=32),
        rng.normal(size=(100, 16)),
        0.5 * rng.normal(size=(100, 32)),
    )


# An LSTM -----------------------------------------------------------------------------------------
def sigmoid(x):
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


def lstm_loss(Wx, Wh, b, h, c, xs, ys):
    """The squared error of the hidden state of an LSTM along a batch of sequences."""
    n = h.shape[1]
    loss = 0.0
    for t in range(xs.shape[0]):
        z = xs[t] @ Wx + h @ Wh + b
        i = sigmoid(z[:, :n])
        f = sigmoid(z[:, n:2 * n])
        o = sigmoid(z[:, 2 * n:3 * n])
        g = np.tanh(z[:, 3 * n:])
        c = f * c + i * g
        h = o * np.tanh(c)
        e = h - ys[t]
        loss = loss + np.sum(e * e)
    return loss / xs.shape[0]


def lstm_loss_hand(Wx, Wh, b, h, c, xs, ys):
    """Backpropagation through time; the four gates' adjoints written side by side."""
    n = h.shape[1]
    steps = xs.shape[0]
    tape = []
    for t in range(steps):
        z = xs[t] @ Wx + h @ Wh + b
        i = 1.0 / (1.0 + np.exp(-z[:, :n]))
        f = 1.0 / (1.0 + np.exp(-z[:, n:2 * n]))
        o = 1.0 / (1.0 + np.exp(-z[:, 2 * n:3 * n]))
        g = np.tanh(z[:, 3 * n:])
        c_next = f * c + i * g
        tanh_c = np.tanh(c_next)
        h_next = o * tanh_c
        tape.append((h, c, i, f, o, g, tanh_c, h_next))
        h, c = h_next, c_next
    bloss = 2.0 / steps
    bWx = np.zeros_like(Wx)
    bWh = np.zeros_like(Wh)
    bb = np.zeros_like(b)
    bh = np.zeros_like(h)
    bc = np.zeros_like(c)
    bz = np.empty((h.shape[0], 4 * n))
    for t in range(steps - 1, -1, -1):
        h, c, i, f, o, g, tanh_c, h_next = tape.pop()
        bh += bloss * (h_next - ys[t])
        bc += bh * o * (1.0 - tanh_c * tanh_c)
        bz[:, :n] = bc * g * i * (1.0 - i)
        bz[:, n:2 * n] = bc * c * f * (1.0 - f)
        bz[:, 2 * n:3 * n] = bh * tanh_c * o * (1.0 - o)
        bz[:, 3 * n:] = bc * i * (1.0 - g * g)
        bc *= f
        bb += np.sum(bz, axis=0)
        bWx += xs[t].T @ bz
        bWh += h.T @ bz
        bh = bz @ Wh.T
    return bWx, bWh, bb, bh, bc


def lstm_loss_best(Wx, Wh, b, h, c, xs, ys):
    """One sigmoid for three gates; products with the inputs and weight gradients after the loop."""
    n = h.shape[1]
    steps, batch, width = xs.shape
    drive = (xs.reshape(-1, width) @ Wx + b).reshape(steps, batch, 4 * n)
    hs = np.empty((steps + 1, batch, n))
    hs[0] = h
    tape = []
    for t in range(steps):
        z = drive[t] + hs[t] @ Wh
        s = 1.0 / (1.0 + np.exp(-z[:, :3 * n]))
        g = np.tanh(z[:, 3 * n:])
        tape.append((c, s, g))
        c = s[:, n:2 * n] * c + s[:, :n] * g
        np.multiply(s[:, 2 * n:], np.tanh(c), out=hs[t + 1])
    be = (2.0 / steps) * (hs[1:] - ys)
    bh = np.zeros_like(h)
    bc = np.zeros_like(c)
    bzs = np.empty_like(drive)
    c_next = c
    for t in range(steps - 1, -1, -1):
        c, s, g = tape.pop()
        i, f, o = s[:, :n], s[:, n:2 * n], s[:, 2 * n:]
        tanh_c = np.tanh(c_next)
        bh += be[t]
        bc += bh * o * (1.0 - tanh_c * tanh_c)
        bz = bzs[t]
        np.multiply(bc, g, out=bz[:, :n])
        np.multiply(bc, c, out=bz[:, n:2 * n])
        np.multiply(bh, tanh_c, out=bz[:, 2 * n:3 * n])
        bz[:, :3 * n] *= s * (1.0 - s)
        bz[:, 3 * n:] = bc * i * (1.0 - g * g)
        bc *= f
        c_next = c
        bh = bz @ Wh.T
    flat = bzs.reshape(-1, 4 * n)
    bWx = xs.reshape(-1, width).T @ flat
    bWh = hs[:-1].reshape(-1, n).T @ flat
    return bWx, bWh, np.sum(flat, axis=0), bh, bc


def lstm_loss_torch(torch, Wx, Wh, b, h, c, xs, ys):
    """One sigmoid for three gates; the products with the inputs and the loss outside the loop."""
    n = h.shape[1]
    hs = []
    for drive in (xs @ Wx + b).unbind():
        z = drive + h @ Wh
        i, f, o = torch.sigmoid(z[:, :3 * n]).chunk(3, dim=1)
        c = f * c + i * torch.tanh(z[:, 3 * n:])
        h = o * torch.tanh(c)
        hs.append(h)
    e = torch.stack(hs) - ys
    return torch.sum(e * e) / xs.shape[0]


def lstm_loss_jax(jax, Wx, Wh, b, h, c, xs, ys):
    """With scan, the products with the inputs and the loss outside."""
    np = jax.numpy
    n = h.shape[1]

    def step(state, drive):
        h, c = state
        z = drive + h @ Wh
        i, f, o = np.split(jax.nn.sigmoid(z[:, :3 * n]), 3, axis=1)
        c = f * c + i * np.tanh(z[:, 3 * n:])
        h = o * np.tanh(c)
        return (h, c), h

    hs = jax.lax.scan(step, (h, c), xs @ Wx + b)[1]
    e = hs - ys
    return np.sum(e * e) / xs.shape[0]


def lstm_args():
    """50 steps of a batch of 16, 16 inputs, 32 hidden units."""
    rng = np.random.default_rng(0)
    return (
        rng.normal(size=(16, 128)) / 4.0,
        rng.normal(size=(32, 128)) / np.sqrt(32.0),
        0.1 * rng.normal(size=128),
        0.1 * rng.normal(size=(16, 32)),
        0.1 * rng.normal(size=(16, 32)),
        rng.normal(size=(50, 16, 16)),
        0.5 * rng.normal(size=(50, 16, 32)),
    )


WORKLOADS = (
    Workload(
        name="rnn",
        title="a recurrent net over 100 steps",
        primal=rnn_loss,
        args=rnn_args,
        wrt=("Wx", "Wh", "b", "h"),
        hand=rnn_loss_hand,
        variants={"best": rnn_loss_best},
        peers={
            "autograd": peers.autograd(),
            "torch": peers.torch(rnn_loss_torch),
            "jax": peers.jax(rnn_loss_jax),
        },
    ),
    Workload(
        name="lstm",
        title="an LSTM over 50 steps of a batch of 16",
        primal=lstm_loss,
        args=lstm_args,
        wrt=("Wx", "Wh", "b", "h", "c"),
        hand=lstm_loss_hand,
        variants={"best": lstm_loss_best},
        peers={
            "autograd": peers.autograd(),
            "torch": peers.torch(lstm_loss_torch),
            "jax": peers.jax(lstm_loss_jax),
        },
    ),
)
