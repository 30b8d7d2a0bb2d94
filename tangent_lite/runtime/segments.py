"""Helper of emitted code for loops with checkpoints."""
from __future__ import annotations

import math


def segment_length(n):
    """How many of n steps a loop with checkpoints keeps at once: as many as there are checkpoints.

    At least one, also where there are no steps.
    """
    return math.isqrt(max(n, 0)) + 1
