"""Arrays written in place: the heat equation, Burgers' equation, a tridiagonal solve."""

import numpy as np
import peers
from harness import Workload


# Linear, by slices that overlap ------------------------------------------------------------------
def heat(u, k, n):
    """The squared norm of the temperature after n explicit steps."""
    u = u.copy()
    for t in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def heat_hand(u, k, n):
    """Linear, so that nothing is recorded."""
    u = u.copy()
    for t in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    bu = 2.0 * u
    for t in range(n):
        bcurve = k * bu[1:-1]
        bu[2:] += bcurve
        bu[1:-1] -= 2.0 * bcurve
        bu[:-2] += bcurve
    return (bu,)


def heat_autograd(np, u, k, n):
    """Without writing: each step a new array."""
    for t in range(n):
        inner = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = np.concatenate((u[:1], inner, u[-1:]))
    return np.sum(u * u)


def heat_torch(torch, u, k, n):
    """Without writing, which PyTorch does faster than writing to slices."""
    for t in range(n):
        inner = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = torch.cat((u[:1], inner, u[-1:]))
    return torch.sum(u * u)


def heat_jax(jax, u, k, n):
    """With scan."""

    def step(u, _):
        return u.at[1:-1].add(k * (u[2:] - 2.0 * u[1:-1] + u[:-2])), None

    u = jax.lax.scan(step, u, None, length=n)[0]
    return jax.numpy.sum(u * u)


# Not linear: what is overwritten is needed again --------------------------------------------------
def burgers(u, k, n):
    """The squared norm of the velocity after n explicit steps."""
    u = u.copy()
    for t in range(n):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


def burgers_hand(u, k, n):
    """Every state recorded; the differences computed again."""
    u = u.copy()
    us = []
    for t in range(n):
        us.append(u.copy())
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - u[1:-1] * (u[2:] - u[:-2])
    bu = 2.0 * u
    bk = 0.0
    for t in range(n - 1, -1, -1):
        u = us[t]
        mid = u[1:-1]
        bmid = bu[1:-1].copy()
        bcurve = k * bmid
        bslope = bmid * mid
        bk += bmid @ (u[2:] - 2.0 * mid + u[:-2])
        bu[1:-1] -= bmid * (u[2:] - u[:-2]) + 2.0 * bcurve
        bu[2:] += bcurve - bslope
        bu[:-2] += bcurve + bslope
    return bu, bk


def burgers_autograd(np, u, k, n):
    """Without writing: each step a new array."""
    for t in range(n):
        mid, right, left = u[1:-1], u[2:], u[:-2]
        inner = mid + k * (right - 2.0 * mid + left) - mid * (right - left)
        u = np.concatenate((u[:1], inner, u[-1:]))
    return np.sum(u * u)


def burgers_torch(torch, u, k, n):
    """Without writing: PyTorch refuses the gradient when what it saved is written to."""
    for t in range(n):
        mid, right, left = u[1:-1], u[2:], u[:-2]
        inner = mid + k * (right - 2.0 * mid + left) - mid * (right - left)
        u = torch.cat((u[:1], inner, u[-1:]))
    return torch.sum(u * u)


def burgers_jax(jax, u, k, n):
    """With scan."""

    def step(u, _):
        mid, right, left = u[1:-1], u[2:], u[:-2]
        return u.at[1:-1].add(k * (right - 2.0 * mid + left) - mid * (right - left)), None

    u = jax.lax.scan(step, u, None, length=n)[0]
    return jax.numpy.sum(u * u)


# By elements -------------------------------------------------------------------------------------
def tridiagonal(lower, diagonal, upper, right):
    """The squared norm of the solution of a tridiagonal system, by Thomas' algorithm."""
    n = right.shape[0]
    d = diagonal.copy()
    x = right.copy()
    for i in range(1, n):
        w = lower[i - 1] / d[i - 1]
        d[i] = d[i] - w * upper[i - 1]
        x[i] = x[i] - w * x[i - 1]
    x[n - 1] = x[n - 1] / d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / d[i]
    return np.sum(x * x)


def tridiagonal_hand(lower, diagonal, upper, right):
    """Both sweeps reversed, element by element; what the second overwrites is kept as y."""
    n = right.shape[0]
    d = diagonal.copy()
    x = right.copy()
    for i in range(1, n):
        w = lower[i - 1] / d[i - 1]
        d[i] = d[i] - w * upper[i - 1]
        x[i] = x[i] - w * x[i - 1]
    y = x.copy()
    x[n - 1] = x[n - 1] / d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / d[i]
    bx = 2.0 * x
    bd = np.zeros_like(d)
    blower = np.zeros_like(lower)
    bupper = np.zeros_like(upper)
    for i in range(n - 1):
        bt = bx[i] / d[i]
        bd[i] = -bt * x[i]
        bupper[i] = -bt * x[i + 1]
        bx[i + 1] -= bt * upper[i]
        bx[i] = bt
    bt = bx[n - 1] / d[n - 1]
    bd[n - 1] = -bt * x[n - 1]
    bx[n - 1] = bt
    for i in range(n - 1, 0, -1):
        w = lower[i - 1] / d[i - 1]
        bw = -bx[i] * y[i - 1] - bd[i] * upper[i - 1]
        bx[i - 1] -= bx[i] * w
        bupper[i - 1] -= bd[i] * w
        bt = bw / d[i - 1]
        blower[i - 1] = bt
        bd[i - 1] -= bt * w
    return blower, bd, bupper, bx


def tridiagonal_best(lower, diagonal, upper, right):
    """The adjoint of a solution solves the transposed system; lists, as their elements are fast."""
    x = _thomas(lower, diagonal, upper, right)
    adjoint = _thomas(upper, diagonal, lower, 2.0 * x)
    return -adjoint[1:] * x[:-1], -adjoint * x, -adjoint[:-1] * x[1:], adjoint


def _thomas(lower, diagonal, upper, right):
    """The solution of a tridiagonal system."""
    ls, ds, us, xs = lower.tolist(), diagonal.tolist(), upper.tolist(), right.tolist()
    d, x = ds[0], xs[0]
    for i in range(1, len(xs)):
        w = ls[i - 1] / d
        d = ds[i] = ds[i] - w * us[i - 1]
        x = xs[i] = xs[i] - w * x
    x = xs[-1] = x / d
    for i in range(len(xs) - 2, -1, -1):
        x = xs[i] = (xs[i] - us[i] * x) / ds[i]
    return np.array(xs)


def tridiagonal_autograd(np, lower, diagonal, upper, right):
    """With lists of numbers, and a solution put together at the end."""
    n = right.shape[0]
    ls, us = [lower[i] for i in range(n - 1)], [upper[i] for i in range(n - 1)]
    d, x = [diagonal[i] for i in range(n)], [right[i] for i in range(n)]
    return _squared_norm(_eliminate(ls, d, us, x))


def tridiagonal_torch(torch, lower, diagonal, upper, right):
    """With lists of numbers."""
    return _squared_norm(
        _eliminate(lower.unbind(), list(diagonal.unbind()), upper.unbind(), list(right.unbind()))
    )


def _eliminate(lower, d, upper, x):
    """Thomas' algorithm on lists."""
    n = len(x)
    for i in range(1, n):
        w = lower[i - 1] / d[i - 1]
        d[i] = d[i] - w * upper[i - 1]
        x[i] = x[i] - w * x[i - 1]
    x[n - 1] = x[n - 1] / d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / d[i]
    return x


def _squared_norm(xs):
    """The sum of squares of a list."""
    total = 0.0
    for x in xs:
        total = total + x * x
    return total


def tridiagonal_jax(jax, lower, diagonal, upper, right):
    """With two scans."""
    np, scan = jax.numpy, jax.lax.scan

    def down(state, row):
        d, x = state
        low, diag, up, r = row
        w = low / d
        state = (diag - w * up, r - w * x)
        return state, state

    def back(x, row):
        d, up, r = row
        x = (r - up * x) / d
        return x, x

    first = (diagonal[0], right[0])
    (d_n, x_n), (ds, xs) = scan(down, first, (lower, diagonal[1:], upper, right[1:]))
    ds = np.concatenate((diagonal[:1], ds[:-1]))
    xs = np.concatenate((right[:1], xs[:-1]))
    last = x_n / d_n
    solution = scan(back, last, (ds, upper, xs), reverse=True)[1]
    return np.sum(solution * solution) + last * last


def tridiagonal_args():
    """1000 equations, the diagonal dominant."""
    rng = np.random.default_rng(0)
    n = 1000
    return (
        rng.uniform(0.1, 1.0, size=n - 1),
        rng.uniform(3.0, 4.0, size=n),
        rng.uniform(0.1, 1.0, size=n - 1),
        rng.normal(size=n),
    )


WORKLOADS = (
    Workload(
        name="heat",
        title="the heat equation in place, 1000 points, 500 steps",
        primal=heat,
        args=lambda: (np.random.default_rng(0).normal(size=1000), 0.2, 500),
        wrt=("u",),
        hand=heat_hand,
        peers={
            "autograd": peers.autograd(heat_autograd),
            "torch": peers.torch(heat_torch),
            "jax": peers.jax(heat_jax),
        },
    ),
    Workload(
        name="burgers",
        title="Burgers' equation in place, 1000 points, 200 steps",
        primal=burgers,
        args=lambda: (0.1 * np.random.default_rng(0).normal(size=1000), 0.2, 200),
        wrt=("u", "k"),
        hand=burgers_hand,
        peers={
            "autograd": peers.autograd(burgers_autograd),
            "torch": peers.torch(burgers_torch),
            "jax": peers.jax(burgers_jax),
        },
    ),
    Workload(
        name="tridiagonal",
        title="a tridiagonal system by elements, 1000 equations",
        primal=tridiagonal,
        args=tridiagonal_args,
        wrt=("lower", "diagonal", "upper", "right"),
        hand=tridiagonal_hand,
        variants={"best": tridiagonal_best},
        peers={
            "autograd": peers.autograd(tridiagonal_autograd),
            "torch": peers.torch(tridiagonal_torch),
            "jax": peers.jax(tridiagonal_jax),
        },
    ),
)
