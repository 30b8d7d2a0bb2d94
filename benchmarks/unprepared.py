"""Programs of scientists' work that nobody prepared for: the gradient over that by hand.

    python benchmarks/unprepared.py [NAME ...]

Both take turns in one process; minima of the time of the thread, after the gradients agree. To be
run with one thread of BLAS (OPENBLAS_NUM_THREADS=1), since the time of others is not counted.
"""
import sys
import time

import numpy as np
import unprepared_more  # noqa: F401, its programs join the others
from unprepared_programs import PROGRAMS

import tangent_lite as tl

SECONDS = 0.8           # for each program
FEWEST = 7


def as_tuple(found):
    return found if isinstance(found, tuple) else (found,)


def ratio(fun, args, wrt, by_hand):
    """Time of the gradient over that by hand, and the latter in seconds."""
    derivative = tl.grad(fun, wrt=wrt)
    for one, other in zip(as_tuple(derivative(*args)), as_tuple(by_hand(*args)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9 * (1 + np.max(np.abs(other))))
    begin = time.thread_time()
    by_hand(*args)
    calls = max(1, int(2e-3 / max(time.thread_time() - begin, 1e-6)))
    best = [np.inf, np.inf]
    end, rounds = time.monotonic() + SECONDS, 0
    while time.monotonic() < end or rounds < FEWEST:
        rounds += 1
        for k, called in enumerate((derivative, by_hand)):
            begin = time.thread_time()
            for _ in range(calls):
                called(*args)
            best[k] = min(best[k], (time.thread_time() - begin) / calls)
    return best[0] / best[1], best[1]


def main():
    for name in sys.argv[1:] or PROGRAMS:
        times, seconds = ratio(*PROGRAMS[name])
        print(f"{name:12} {times:5.2f}   by hand {seconds * 1e6:6.0f} us", flush=True)


if __name__ == "__main__":
    main()
