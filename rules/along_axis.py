"""`np.apply_along_axis` of vectors and matrices of floats, as a loop over lines that is read.

The function is handed views, as by NumPy; what it gives is copied before the next line comes, since
it may be a view as well, or a buffer. The first of these says of which type the result is. Of
arrays with more axes it is followed by identity (`heap/models`).
"""
import numpy as np

from tangent_lite.registry import CONSTANT, entry_for, written_as
from tangent_lite.result_kinds.of_numpy import MATRIX, VECTOR, lines_yet_to_come

entry_for(np.apply_along_axis).kind = lines_yet_to_come


@written_as(np.apply_along_axis)
def of_vector(func1d, axis: CONSTANT, arr: VECTOR, *args, **kwargs):
    return np.array(func1d(arr, *args, **kwargs))


@written_as(np.apply_along_axis)
def of_matrix(func1d, axis: CONSTANT, arr: MATRIX, *args, **kwargs):
    parts = [np.array(func1d(line, *args, **kwargs)) for line in np.moveaxis(arr, axis, -1)]
    if len(parts) == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    made = np.array(parts, parts[0].dtype)
    if made.ndim == 1:
        return made
    if made.ndim == 2:
        return np.moveaxis(made, -1, axis)
    return np.moveaxis(made, (1, 2), (axis % 2, axis % 2 + 1))
