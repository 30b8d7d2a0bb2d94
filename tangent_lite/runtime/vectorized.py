"""What stands for `np.vectorize` until that is written out (`expansion/elementwise`). Only NumPy is
imported."""
from __future__ import annotations

import numpy as np


def elements_of(function, otypes, excluded, *args, **options):
    """np.vectorize(function, otypes, excluded=excluded)(*args, **options).

    >>> elements_of(lambda t, a: a * t, None, (), np.array([1.0, 2.0]), 3.0)
    array([3., 6.])
    """
    return np.vectorize(function, otypes, excluded=excluded)(*args, **options)


def arrays_of(results, first, x):
    """The arrays, one for each result, of what a function gave for each element of x; first: what
    it gave for the first elements, which decides of which type they are, or a dtype.

    >>> arrays_of([1.0, 2.0], np.float32(1.0), np.zeros(2))
    array([1., 2.], dtype=float32)
    >>> arrays_of(["a", "bb"], "a", np.zeros(2))        # as long as the longest of them
    array(['a', 'bb'], dtype='<U2')
    """
    if isinstance(first, tuple) and len(first) != 1:
        return tuple([arrays_of(part, one, x) for part, one in zip(zip(*results, strict=True),
                                                                   first, strict=True)])
    if any(np.ndim(one) for one in results):
        raise ValueError("setting an array element with a sequence.")
    # Of a text, result_type would take the type that it names; of None, floats.
    dtype = first if first is float else np.asarray(first).dtype.char
    return np.reshape(np.array(results, dtype), np.shape(x))
