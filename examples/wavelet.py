"""Thresholds of a wavelet filter, tuned on a signal of which the clean form is known.

The Haar transform works in the array that it is given and calls itself on the half that holds the
averages; the inverse undoes this. A noisy signal is transformed, differences below a threshold are
shrunk, one threshold for each scale, and the signal is transformed back. `tl.value_and_grad` gives
the slopes of the error by all thresholds: its two halves work in one array, too, as long as the
signal is, and run nothing twice.

    python examples/wavelet.py [STEPS]
"""

import sys

import numpy as np

import tangent_lite as tl


def forward(a, n):
    """Replace the first n elements by averages and differences of neighbours, scale by scale."""
    if n < 2:
        return
    half = n // 2
    even, odd = a[:n:2].copy(), a[1:n:2].copy()
    a[:half] = (even + odd) / np.sqrt(2.0)
    a[half:n] = (even - odd) / np.sqrt(2.0)
    forward(a, half)


def backward(a, n):
    """The inverse: the coarsest scale first."""
    if n < 2:
        return
    half = n // 2
    backward(a, half)
    mean, difference = a[:half].copy(), a[half:n].copy()
    a[:n:2] = (mean + difference) / np.sqrt(2.0)
    a[1:n:2] = (mean - difference) / np.sqrt(2.0)


def shrink(v, threshold):
    """Take differences to zero that are small, smoothly, so that all thresholds have slopes."""
    return v * v**2 / (v**2 + threshold**2)


def cleaned(thresholds, noisy):
    a = noisy.copy()
    forward(a, len(a))
    start = 1
    for threshold in thresholds:            # from the coarsest scale to the finest
        a[start:2 * start] = shrink(a[start:2 * start], threshold)
        start *= 2
    backward(a, len(a))
    return a


def error(thresholds, noisy, clean):
    rest = cleaned(thresholds, noisy) - clean
    return np.mean(rest * rest)


def steps_and_waves(n):
    """A signal with jumps and a wave."""
    t = np.arange(n) / n
    return np.where(t < 0.3, 1.0, np.where(t < 0.6, -1.0, 0.5)) + 0.5 * np.sin(4.0 * np.pi * t)


def main(steps=200):
    rng = np.random.default_rng(0)
    clean = steps_and_waves(512)
    noisy = clean + 0.3 * rng.normal(size=clean.size)
    thresholds = np.full(9, 0.1)
    slopes_of = tl.value_and_grad(error)
    print(slopes_of.source_for(thresholds, noisy, clean))
    tl.check_grads(lambda t: error(t, noisy, clean), (thresholds,), order=1)
    print("finite differences: passed")
    print(f"noise:    error {np.mean((noisy - clean)**2):.4f}")
    for number in range(steps + 1):
        value, slopes = slopes_of(thresholds, noisy, clean)
        if number in (0, steps):
            print(f"step {number:3d}: error {value:.4f}, thresholds",
                  " ".join(f"{t:.2f}" for t in thresholds))
        thresholds = thresholds - 10.0 * slopes
    fresh = clean + 0.3 * rng.normal(size=clean.size)
    print(f"on other noise: error {error(thresholds, fresh, clean):.4f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
