"""Numbers only: a scalar expression, the logistic map, Newton's method, Lorenz by Runge-Kutta."""

import math

import peers
from harness import Workload


# A scalar expression: what is left is the cost of a call -----------------------------------------
def scalar(x, y):
    """The first thing anyone tries."""
    return x * math.sin(y) + math.exp(-x * x)


def scalar_hand(x, y):
    """As on paper."""
    return math.sin(y) - 2.0 * x * math.exp(-x * x), x * math.cos(y)


def scalar_chain(x, y):
    """The chain rule, statement by statement."""
    sin_y = math.sin(y)
    minus_x = -x
    exp_t = math.exp(minus_x * x)
    bx = sin_y
    bt = exp_t
    bminus_x = bt * x
    bx += bt * minus_x
    bx -= bminus_x
    by = x * math.cos(y)
    return bx, by


def scalar_torch(torch, x, y):
    """The same."""
    return x * torch.sin(y) + torch.exp(-x * x)


# A loop whose variable is overwritten at each step -----------------------------------------------
def logistic_map(r, x, n):
    """n steps of the logistic map."""
    for i in range(n):
        x = r * x * (1.0 - x)
    return x


def logistic_map_hand(r, x, n):
    """One list, read backwards; the derivative of x * (1 - x) as on paper."""
    xs = []
    for i in range(n):
        xs.append(x)
        x = r * x * (1.0 - x)
    br = 0.0
    bx = 1.0
    for x in reversed(xs):
        br += bx * x * (1.0 - x)
        bx *= r * (1.0 - 2.0 * x)
    return br, bx


def logistic_map_chain(r, x, n):
    """The chain rule, statement by statement."""
    x_tape = []
    for i in range(n):
        x_tape.append(x)
        x = r * x * (1.0 - x)
    br = 0.0
    bx = 1.0
    for i in range(n - 1, -1, -1):
        x = x_tape.pop()
        rx = r * x
        u = 1.0 - x
        brx = bx * u
        bu = bx * rx
        bx = brx * r - bu
        br += brx * x
    return br, bx


def logistic_map_numba():
    """Compiled, with a list by index: Numba has no `reversed` of a list."""
    import numba

    @numba.njit
    def gradient(r, x, n):
        xs = []
        for i in range(n):
            xs.append(x)
            x = r * x * (1.0 - x)
        br = 0.0
        bx = 1.0
        for i in range(n - 1, -1, -1):
            x = xs[i]
            br += bx * x * (1.0 - x)
            bx *= r * (1.0 - 2.0 * x)
        return br, bx

    return gradient


def logistic_map_torch(torch, r, x, n):
    """The same."""
    return logistic_map(r, x, n)


def logistic_map_jax(jax, r, x, n):
    """With scan."""
    return jax.lax.scan(lambda x, _: (r * x * (1.0 - x), None), x, None, length=n)[0]


# A while loop ------------------------------------------------------------------------------------
def newton_sqrt(a):
    """Newton's method for the square root."""
    x = 0.5 * (a + 1.0)
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return x


def newton_sqrt_hand(a):
    """The steps recorded and read backwards."""
    x = 0.5 * (a + 1.0)
    xs = []
    while abs(x * x - a) > 1e-12 * a:
        xs.append(x)
        x = 0.5 * (x + a / x)
    ba = 0.0
    bx = 1.0
    for x in reversed(xs):
        bs = 0.5 * bx / x
        ba += bs
        bx = 0.5 * bx - bs * a / x
    return (ba + 0.5 * bx,)


def newton_sqrt_numba():
    """Compiled, with a list by index."""
    import numba

    @numba.njit
    def gradient(a):
        x = 0.5 * (a + 1.0)
        xs = []
        while abs(x * x - a) > 1e-12 * a:
            xs.append(x)
            x = 0.5 * (x + a / x)
        ba = 0.0
        bx = 1.0
        for i in range(len(xs) - 1, -1, -1):
            x = xs[i]
            bs = 0.5 * bx / x
            ba += bs
            bx = 0.5 * bx - bs * a / x
        return (ba + 0.5 * bx,)

    return gradient


def newton_sqrt_best(a):
    """The implicit function theorem: no tape, since the loop has converged."""
    x = 0.5 * (a + 1.0)
    while abs(x * x - a) > 1e-12 * a:
        x = 0.5 * (x + a / x)
    return (0.5 / x,)


def newton_sqrt_jax(jax, a):
    """With while_loop, which JAX differentiates in forward mode only."""
    return jax.lax.while_loop(
        lambda x: abs(x * x - a) > 1e-12 * a, lambda x: 0.5 * (x + a / x), 0.5 * (a + 1.0)
    )


# A user function called in a loop ----------------------------------------------------------------
def lorenz_rates(x, y, z, sigma, rho, beta):
    """The right-hand side of the Lorenz system."""
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def lorenz(x, y, z, sigma, rho, beta, dt, n):
    """The squared norm of the state after n Runge-Kutta steps of order four."""
    for i in range(n):
        kx1, ky1, kz1 = lorenz_rates(x, y, z, sigma, rho, beta)
        h = 0.5 * dt
        kx2, ky2, kz2 = lorenz_rates(x + h * kx1, y + h * ky1, z + h * kz1, sigma, rho, beta)
        kx3, ky3, kz3 = lorenz_rates(x + h * kx2, y + h * ky2, z + h * kz2, sigma, rho, beta)
        kx4, ky4, kz4 = lorenz_rates(x + dt * kx3, y + dt * ky3, z + dt * kz3, sigma, rho, beta)
        x = x + dt / 6.0 * (kx1 + 2.0 * kx2 + 2.0 * kx3 + kx4)
        y = y + dt / 6.0 * (ky1 + 2.0 * ky2 + 2.0 * ky3 + ky4)
        z = z + dt / 6.0 * (kz1 + 2.0 * kz2 + 2.0 * kz3 + kz4)
    return x * x + y * y + z * z


def lorenz_rates_bwd(x, y, z, sigma, rho, beta, bdx, bdy, bdz):
    """Adjoints of all six arguments of lorenz_rates."""
    bsigma = bdx * (y - x)
    brho = bdy * x
    bbeta = -bdz * z
    bx = -bdx * sigma + bdy * (rho - z) + bdz * y
    by = bdx * sigma - bdy + bdz * x
    bz = -bdy * x - bdz * beta
    return bx, by, bz, bsigma, brho, bbeta


def lorenz_hand(x, y, z, sigma, rho, beta, dt, n):
    """The states of the four stages of each step recorded; the rates are not needed again."""
    rates, rates_bwd = lorenz_rates, lorenz_rates_bwd
    h = 0.5 * dt
    w = dt / 6.0
    tape = []
    for i in range(n):
        kx1, ky1, kz1 = rates(x, y, z, sigma, rho, beta)
        x2, y2, z2 = x + h * kx1, y + h * ky1, z + h * kz1
        kx2, ky2, kz2 = rates(x2, y2, z2, sigma, rho, beta)
        x3, y3, z3 = x + h * kx2, y + h * ky2, z + h * kz2
        kx3, ky3, kz3 = rates(x3, y3, z3, sigma, rho, beta)
        x4, y4, z4 = x + dt * kx3, y + dt * ky3, z + dt * kz3
        kx4, ky4, kz4 = rates(x4, y4, z4, sigma, rho, beta)
        tape.append((x, y, z, x2, y2, z2, x3, y3, z3, x4, y4, z4))
        x = x + w * (kx1 + 2.0 * kx2 + 2.0 * kx3 + kx4)
        y = y + w * (ky1 + 2.0 * ky2 + 2.0 * ky3 + ky4)
        z = z + w * (kz1 + 2.0 * kz2 + 2.0 * kz3 + kz4)
    bx, by, bz = 2.0 * x, 2.0 * y, 2.0 * z
    bsigma = brho = bbeta = 0.0
    while tape:
        x, y, z, x2, y2, z2, x3, y3, z3, x4, y4, z4 = tape.pop()
        kx, ky, kz = w * bx, w * by, w * bz
        bx4, by4, bz4, bs4, br4, bb4 = rates_bwd(x4, y4, z4, sigma, rho, beta, kx, ky, kz)
        kx, ky, kz = 2.0 * kx, 2.0 * ky, 2.0 * kz
        bx3, by3, bz3, bs3, br3, bb3 = rates_bwd(
            x3, y3, z3, sigma, rho, beta, kx + dt * bx4, ky + dt * by4, kz + dt * bz4
        )
        bx2, by2, bz2, bs2, br2, bb2 = rates_bwd(
            x2, y2, z2, sigma, rho, beta, kx + h * bx3, ky + h * by3, kz + h * bz3
        )
        kx, ky, kz = w * bx, w * by, w * bz
        bx1, by1, bz1, bs1, br1, bb1 = rates_bwd(
            x, y, z, sigma, rho, beta, kx + h * bx2, ky + h * by2, kz + h * bz2
        )
        bx += bx1 + bx2 + bx3 + bx4
        by += by1 + by2 + by3 + by4
        bz += bz1 + bz2 + bz3 + bz4
        bsigma += bs1 + bs2 + bs3 + bs4
        brho += br1 + br2 + br3 + br4
        bbeta += bb1 + bb2 + bb3 + bb4
    return bx, by, bz, bsigma, brho, bbeta


def lorenz_numba():
    """The same source, its two helpers compiled first."""
    import numba

    scope = {
        "lorenz_rates": numba.njit(lorenz_rates),
        "lorenz_rates_bwd": numba.njit(lorenz_rates_bwd),
    }
    return numba.njit(peers.rebind(lorenz_hand, **scope))


def lorenz_torch(torch, x, y, z, sigma, rho, beta, dt, n):
    """The same."""
    return lorenz(x, y, z, sigma, rho, beta, dt, n)


def lorenz_jax(jax, x, y, z, sigma, rho, beta, dt, n):
    """With scan over the three numbers."""

    def moved(u, h, k):
        return tuple(a + h * b for a, b in zip(u, k))

    def step(u, _):
        k1 = lorenz_rates(*u, sigma, rho, beta)
        k2 = lorenz_rates(*moved(u, 0.5 * dt, k1), sigma, rho, beta)
        k3 = lorenz_rates(*moved(u, 0.5 * dt, k2), sigma, rho, beta)
        k4 = lorenz_rates(*moved(u, dt, k3), sigma, rho, beta)
        k = tuple(a + 2.0 * b + 2.0 * c + d for a, b, c, d in zip(k1, k2, k3, k4))
        return moved(u, dt / 6.0, k), None

    x, y, z = jax.lax.scan(step, (x, y, z), None, length=n)[0]
    return x * x + y * y + z * z


WORKLOADS = (
    Workload(
        name="scalar",
        title="a scalar expression",
        primal=scalar,
        args=lambda: (0.7, 1.3),
        wrt=("x", "y"),
        hand=scalar_hand,
        variants={"chain": scalar_chain},
        peers={"autograd": peers.autograd(), "torch": peers.torch(scalar_torch),
               "jax": peers.jax()},
    ),
    Workload(
        name="logistic",
        title="the logistic map, 100 000 steps",
        primal=logistic_map,
        # At r = 3 derivatives neither explode nor vanish, so that all digits can be compared.
        args=lambda: (3.0, 0.3, 100_000),
        wrt=("r", "x"),
        hand=logistic_map_hand,
        variants={"chain": logistic_map_chain},
        peers={"autograd": peers.autograd(), "torch": peers.torch(logistic_map_torch),
               "jax": peers.jax(logistic_map_jax)},
        hand_numba=logistic_map_numba,
        step=1e-6,
    ),
    Workload(
        name="newton",
        title="Newton's method in a while loop",
        primal=newton_sqrt,
        args=lambda: (1e6,),
        wrt=("a",),
        hand=newton_sqrt_hand,
        variants={"best": newton_sqrt_best},
        peers={"autograd": peers.autograd(),
               "torch": peers.torch(lambda torch, a: newton_sqrt(a)),
               "jax": peers.jax(newton_sqrt_jax, forward=True)},
        hand_numba=newton_sqrt_numba,
    ),
    Workload(
        name="lorenz",
        title="the Lorenz system, 500 Runge-Kutta steps",
        primal=lorenz,
        args=lambda: (1.0, 1.0, 20.0, 10.0, 28.0, 8.0 / 3.0, 0.01, 500),
        wrt=("x", "y", "z", "sigma", "rho", "beta"),
        hand=lorenz_hand,
        peers={"autograd": peers.autograd(), "torch": peers.torch(lorenz_torch),
               "jax": peers.jax(lorenz_jax)},
        hand_numba=lorenz_numba,
    ),
)
