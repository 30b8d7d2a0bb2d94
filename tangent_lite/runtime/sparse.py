"""Matrices of scipy.sparse: they are constants, and nothing may be computed of their adjoints."""
from __future__ import annotations

from tangent_lite.runtime.duck import is_duck


def is_sparse(x):
    """Whether x is a matrix of scipy.sparse, of any class."""
    return hasattr(x, "tocsr") and not is_duck(x)


def is_sparse_matrix(x):
    """Whether x is of one of the older classes of scipy.sparse, for which `*` is the product of
    matrices; for csr_array and its like it works element by element."""
    return hasattr(x, "getH") and is_sparse(x)


class OfSparse:
    """The adjoint of a matrix of scipy.sparse for which `*` is no product of arrays. Where the
    class is known before the program runs, one that varies is refused; elsewhere its adjoint may be
    asked for, and what would be computed of it is refused then."""

    __array_ufunc__ = None              # arrays leave all operators to it

    def refuse(self, *others):
        raise NotImplementedError("the derivative of a matrix of scipy.sparse that varies; "
                                  "multiply what comes out of a constant one, or use a dense array")

    def __getattr__(self, name):
        if name.startswith("_"):        # which NumPy asks for, and does without
            raise AttributeError(name)
        return self.refuse()

    def added(self, other):
        return self

    __add__ = __radd__ = added
    __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = refuse
    __matmul__ = __rmatmul__ = __neg__ = __getitem__ = __array__ = __float__ = refuse
