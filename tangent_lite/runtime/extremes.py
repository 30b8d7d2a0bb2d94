"""What emitted code may call for Python's max and min: of several arguments, or of one sequence."""
from __future__ import annotations

import numpy as np


def largest_part(dy, k, xs):
    """Adjoint of xs[k] in y = max(*xs), ties sharing equally; of one sequence, of its parts."""
    if len(xs) == 1:
        items = xs[0]
        top = max(items)
        hit = [bool(x == top or x != x) for x in items]
        parts = [dy / sum(hit) if h else 0.0 * dy for h in hit]
        return np.array(parts) if isinstance(items, np.ndarray) else parts
    top = max(xs)
    if xs[k] < top:
        return 0.0 * dy
    hit = [bool(x == top or x != x) for x in xs]
    return dy / sum(hit) if hit[k] else 0.0 * dy


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
    top = max(xs)
    taken = [dx for dx, x in zip(dxs, xs) if x == top or x != x]
    return sum(taken) / len(taken)


def smallest_tangent(dxs, xs):
    """Tangent of min(*xs) along dxs, as largest_tangent."""
    if len(xs) == 1:
        dxs, xs = dxs[0], xs[0]
    bottom = min(xs)
    taken = [dx for dx, x in zip(dxs, xs) if x == bottom or x != x]
    return sum(taken) / len(taken)


def largest_back(by, k, xs):
    """Adjoint of dy in largest_part(dy, k, xs), which is linear in dy."""
    return largest_tangent((by,), xs) if len(xs) == 1 else largest_part(by, k, xs)


def smallest_back(by, k, xs):
    """Adjoint of dy in smallest_part(dy, k, xs)."""
    return smallest_tangent((by,), xs) if len(xs) == 1 else smallest_part(by, k, xs)
