"""What emitted code calls to add to rows of arrays that repeat: the adjoint of `table[rows]`.

Only NumPy is needed; where SciPy is installed, what is large is left to it.
"""
from __future__ import annotations

import numpy as np

LARGE = 2 ** 15             # numbers; for less the product takes longer to set up than it saves
LACKING: list[str] = []                # libraries that were looked for in vain


def add_rows(bx, index, dy):
    """bx[index] += dy with repeated rows added up; bx is changed in place.

    bx: an array in C order with two or more dimensions; index: whole numbers of any shape; dy: an
    array of the shape of bx[index]. The sum over repeated rows is the product of dy with a sparse
    matrix of zeros and ones, one of each row: that takes a third to a sixth of the time of
    np.add.at. It needs as much memory as bx, and is only done where dy is about as large.
    """
    count = len(bx)
    rows = index.astype(np.intp, copy=False).ravel()
    rows = np.where(rows < 0, rows + count, rows)
    table, values = bx.reshape(count, -1), dy.reshape(rows.size, -1)
    if values.size >= LARGE and bx.size <= 4 * values.size and not LACKING \
            and bx.dtype is values.dtype and values.dtype.char in "fdFD":
        try:
            from scipy.sparse import csr_array
        except ImportError:
            LACKING.append("scipy")
        else:
            ones = np.ones(rows.size, values.dtype)
            picked = csr_array((ones, rows, np.arange(rows.size + 1)), (rows.size, count))
            table += picked.T @ values
            return
    # np.add.at is several times faster on one dimension than on two.
    columns = table.shape[1]
    spots = (rows[:, None] * columns + np.arange(columns)).ravel()
    np.add.at(table.reshape(-1), spots, values.ravel())
