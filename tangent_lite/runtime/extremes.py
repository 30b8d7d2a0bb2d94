"""What emitted code may call for Python's max and min: of several arguments, or of one sequence."""
from __future__ import annotations

import numpy as np


def taken(xs, top):
    """Which of xs are max(*xs), which is top, or min(*xs): all that are equal to it.

    NaN is larger and smaller than nothing, so it is what comes first, or else it is passed over.
    """
    if top != top:
        return [True] + [False] * (len(xs) - 1)
    return [bool(x == top) for x in xs]


def nothing_of(dy):
    """Zeros in the place of a share of dy, which may be infinite."""
    return np.zeros_like(dy) if isinstance(dy, np.ndarray) else 0.0


def largest_part(dy, k, xs):
    """Adjoint of xs[k] in y = max(*xs), ties sharing equally; of one sequence, of its parts."""
    if len(xs) == 1:
        items = xs[0]
        hit = taken(items, max(items))
        parts = [dy / sum(hit) if h else nothing_of(dy) for h in hit]
        return np.array(parts) if isinstance(items, np.ndarray) else parts
    hit = taken(xs, max(xs))
    return dy / sum(hit) if hit[k] else nothing_of(dy)


def smallest_part(dy, k, xs):
    """Adjoint of xs[k] in y = min(*xs), as largest_part."""
    if len(xs) == 1:
        return largest_part(dy, 0, ([-x for x in xs[0]] if not isinstance(xs[0], np.ndarray)
                                    else -xs[0],))
    return largest_part(dy, k, [-x for x in xs])


def largest_tangent(dxs, xs):
    """Tangent of max(*xs) along dxs: the mean of those where xs is largest."""
    if len(xs) == 1:
        dxs, xs = dxs[0], xs[0]
    return mean_of_taken(dxs, taken(xs, max(xs)))


def smallest_tangent(dxs, xs):
    """Tangent of min(*xs) along dxs, as largest_tangent."""
    if len(xs) == 1:
        dxs, xs = dxs[0], xs[0]
    return mean_of_taken(dxs, taken(xs, min(xs)))


def mean_of_taken(dxs, hit):
    """The mean of the numbers dxs that hit says."""
    chosen = [dx for dx, h in zip(dxs, hit) if h]
    return sum(chosen) / len(chosen)


def largest_back(by, k, xs):
    """Adjoint of dy in largest_part(dy, k, xs), which is linear in dy."""
    return largest_tangent((by,), xs) if len(xs) == 1 else largest_part(by, k, xs)


def smallest_back(by, k, xs):
    """Adjoint of dy in smallest_part(dy, k, xs)."""
    return smallest_tangent((by,), xs) if len(xs) == 1 else smallest_part(by, k, xs)
