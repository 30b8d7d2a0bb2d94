"""How well a rod conducts at each place, found from how its warmth spread.

The heat equation u' = (d u_x)_x is stepped implicitly: at each step the sparse system
(I + dt K(d)) u = u_before is solved by `spsolve`, and the matrix K(d) = D.T diag(d) D is made of
the unknown diffusivities. The adjoint of the matrix is a product of two vectors for each step, of
which only the elements are computed that the diagonals have: nothing dense is made. L-BFGS-B of
SciPy takes value and gradient from `tl.value_and_grad`.

    python examples/diffusivity.py [CELLS]
"""

import sys

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from scipy.sparse.linalg import spsolve

import tangent_lite as tl

STEPS, DT = 12, 0.02


def warmth(log_d, start, D):
    """The temperatures after each step, a row for each; log_d: logarithms of the diffusivities."""
    n = len(start)
    stiffness = D.T @ sparse.diags(np.exp(log_d)) @ D
    system = (sparse.eye(n) + DT * stiffness).tocsc()
    u, rows = start, []
    for _ in range(STEPS):
        u = spsolve(system, u)
        rows.append(u)
    return np.stack(rows)


def misfit(log_d, start, D, measured):
    """How far off the measurements are, and how rough the diffusivities."""
    off = warmth(log_d, start, D) - measured
    return np.sum(off ** 2) + 1e-6 * np.sum(np.diff(log_d) ** 2)


def rod(cells):
    """A matrix of differences between neighbours, a temperature with steps, true diffusivities."""
    D = cells * sparse.diags([-np.ones(cells - 1), np.ones(cells - 1)], [0, 1],
                             shape=(cells - 1, cells)).tocsr()
    x = np.linspace(0.0, 1.0, cells)
    start = np.where(x % 0.25 < 0.125, 1.0, 0.0)
    between = 0.5 * (x[1:] + x[:-1])
    return D, start, np.log(0.01 + 0.03 * np.exp(-60.0 * (between - 0.6) ** 2))


def main(cells=400):
    D, start, true = rod(cells)
    measured = warmth(true, start, D)
    f = tl.value_and_grad(misfit)
    guess = np.full(cells - 1, np.log(0.02))

    small = rod(12)
    seen = warmth(small[2], small[1], small[0])
    tl.check_grads(lambda logs: misfit(logs, small[1], small[0], seen),
                   (np.full(11, np.log(0.02)),), order=1, modes=("rev",))
    print(f.source_for(guess, start, D, measured))
    print("checked against differences: passed")

    print(f"at first: misfit {f(guess, start, D, measured)[0]:.3e}")
    found = minimize(f, guess, args=(start, D, measured), jac=True, method="L-BFGS-B",
                     options={"maxiter": 200})
    error = np.max(np.abs(np.exp(found.x) - np.exp(true)))
    print(f"fitted:   misfit {found.fun:.3e} after {found.nit} iterations")
    print(f"diffusivities: off by at most {error:.4f}, of {np.exp(true).max():.4f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
