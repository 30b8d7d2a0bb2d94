"""Compiled loops that call a helper with loops of its own: gradients over those by hand.

    python benchmarks/helpers_in_loops.py [--rounds N]

A hidden Markov model whose sums of exponentials are a helper's. Times of the thread over those of
the gradient by hand under `numba.njit`: of `tl.grad` and `tl.value_and_grad` with backend="numba",
and of the function under njit. Minima of rounds that take turns; the gradients must agree first.
"""
import argparse
import math
import time

import numba
import numpy as np

import tangent_lite as tl


@numba.njit
def log_of_sum(v):
    most = v[0]
    for i in range(1, len(v)):
        if v[i] > most:
            most = v[i]
    total = 0.0
    for i in range(len(v)):
        total += math.exp(v[i] - most)
    return most + math.log(total)


def likelihood(transitions, emissions):
    steps, states = emissions.shape
    alpha = emissions[0].copy()
    part = np.empty(states)
    for t in range(1, steps):
        after = np.empty(states)
        for j in range(states):
            for i in range(states):
                part[i] = alpha[i] + transitions[i, j]
            after[j] = log_of_sum(part) + emissions[t, j]
        alpha = after
    return log_of_sum(alpha)


@numba.njit
def by_hand(transitions, emissions):
    """Shares of each sum are kept: they are its slopes."""
    steps, states = emissions.shape
    shares = np.empty((steps, states, states))
    alpha, after = emissions[0].copy(), np.empty(states)
    for t in range(1, steps):
        for j in range(states):
            most = alpha[0] + transitions[0, j]
            for i in range(1, states):
                most = max(most, alpha[i] + transitions[i, j])
            total = 0.0
            for i in range(states):
                shares[t, j, i] = math.exp(alpha[i] + transitions[i, j] - most)
                total += shares[t, j, i]
            for i in range(states):
                shares[t, j, i] /= total
            after[j] = most + math.log(total) + emissions[t, j]
        alpha, after = after, alpha
    slope, before = np.empty(states), np.empty(states)
    most, total = alpha.max(), 0.0
    for i in range(states):
        slope[i] = math.exp(alpha[i] - most)
        total += slope[i]
    for i in range(states):
        slope[i] /= total
    of_transitions, of_emissions = np.zeros((states, states)), np.zeros((steps, states))
    for t in range(steps - 1, 0, -1):
        before[:] = 0.0
        for j in range(states):
            of_emissions[t, j] = slope[j]
            for i in range(states):
                share = slope[j] * shares[t, j, i]
                of_transitions[i, j] += share
                before[i] += share
        slope, before = before, slope
    of_emissions[0] = slope
    return of_transitions, of_emissions


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    print(f"{'states':<8}{'grad':>8}{'with value':>12}{'function':>10}")
    for states in (4, 12):
        args = rng.normal(size=(states, states)), rng.normal(size=(300, states))
        functions = [by_hand, tl.grad(likelihood, wrt=(0, 1), backend="numba"),
                     tl.value_and_grad(likelihood, wrt=(0, 1), backend="numba"),
                     numba.njit(likelihood)]
        for one, other in zip(by_hand(*args), functions[1](*args)):
            assert np.allclose(one, other, rtol=1e-9, atol=1e-12)
        best = [math.inf] * len(functions)
        for _ in range(options.rounds):
            for k, function in enumerate(functions):
                function(*args)
                start = time.thread_time()
                for _ in range(5):
                    function(*args)
                best[k] = min(best[k], time.thread_time() - start)
        hand, grad, both, alone = best
        print(f"{states:<8}{grad / hand:>8.2f}{both / hand:>12.2f}{alone / hand:>10.2f}")


if __name__ == "__main__":
    main()
