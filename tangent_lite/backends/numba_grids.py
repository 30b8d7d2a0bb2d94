"""np.meshgrid for Numba, whose own gives a list, which nothing can be unpacked from."""
from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from tangent_lite.backends.numba_functions import (
    is_array,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_overloads import compiled_for


@compiled_for(np.meshgrid, prefer_literal=True)
def np_meshgrid(x0, x1=None, x2=None, x3=None, copy=True, sparse=False, indexing="xy"):
    given = [x for x in (x0, x1, x2, x3) if not isinstance(x, types.Omitted) and x is not None]
    options = value_of(copy), value_of(sparse), value_of(indexing)
    if not all(is_array(x) and x.ndim == 1 for x in given) or options[0] is not True \
            or options[2] not in ("xy", "ij"):
        return None                             # without copies there are views with strides of 0
    return written_function([
        "def run(x0, x1=None, x2=None, x3=None, copy=True, sparse=False, indexing='xy'):",
        *_lines(len(given), bool(options[1]), options[2])], {"np": np})


def _lines(count: int, is_sparse: bool, indexing: Any) -> list[str]:
    """The grids of so many vectors, each filled along its own axis."""
    axes = list(range(count))
    if indexing == "xy" and count > 1:
        axes[:2] = 1, 0
    sizes = [""] * count
    for k, axis in enumerate(axes):
        sizes[axis] = f"x{k}.size"
    lines = []
    for k, axis in enumerate(axes):
        shape = ", ".join(size if one == axis or not is_sparse else "1"
                          for one, size in enumerate(sizes))
        index = ", ".join(":" if one == axis else "None" for one in range(count))
        lines += [f"    y{k} = np.empty(({shape},), x{k}.dtype)", f"    y{k}[:] = x{k}[{index}]"]
    return [*lines, f"    return ({', '.join(f'y{k}' for k in range(count))},)"]
