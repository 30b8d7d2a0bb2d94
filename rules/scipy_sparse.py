"""scipy.sparse: products of a constant sparse matrix and a dense array, and solutions."""
from scipy import sparse
from scipy.sparse import linalg

from tangent_lite.registry import adjoint, refuse, tangent
from tangent_lite.result_kinds.of_scipy import sparse_product, unchanged_array
from tangent_lite.runtime.scipy_sparse import (
    sparse_back,
    sparse_forth,
    sparse_right_back,
    sparse_right_forth,
    sparse_solution,
    sparse_solution_adjoint,
)

MATRIX = {"self": "a sparse matrix is a constant: nothing says which of its zeros might vary"}
_classes = [getattr(sparse, f"{kind}_{form}") for kind in ("csr", "csc", "coo", "bsr", "dia", "lil")
            for form in ("array", "matrix")]
_products = list(dict.fromkeys(
    [cls.__matmul__ for cls in _classes] + [cls.dot for cls in _classes]
    + [cls.__mul__ for cls in _classes if cls.__name__.endswith("matrix")]))     # A * x is A @ x
_reversed = list(dict.fromkeys(
    [cls.__rmatmul__ for cls in _classes]
    + [cls.__rmul__ for cls in _classes if cls.__name__.endswith("matrix")]))


@adjoint(*_products, kind=sparse_product, constant=MATRIX)
def product(z, self, other):
    d[other] = sparse_back(d[z], self)


@tangent(*_products, constant=MATRIX)
def product_tangent(z, self, other):
    d[z] = sparse_forth(d[other], self)


@adjoint(*_reversed, kind=sparse_product, constant=MATRIX)
def reversed_product(z, self, other):
    d[other] = sparse_right_back(d[z], self)


@tangent(*_reversed, constant=MATRIX)
def reversed_product_tangent(z, self, other):
    d[z] = sparse_right_forth(d[other], self)


@adjoint(linalg.spsolve, kind=sparse_product, constant={"A": MATRIX["self"]})
def spsolve(x, A, b, permc_spec=None, use_umfpack=True):
    d[b] = sparse_solution_adjoint(d[x], A)


@tangent(linalg.spsolve, constant={"A": MATRIX["self"]})
def spsolve_tangent(x, A, b, permc_spec=None, use_umfpack=True):
    d[x] = sparse_solution(A, d[b])


refuse(linalg.cg, linalg.cgs, linalg.bicg, linalg.bicgstab, linalg.gmres, linalg.minres,
       linalg.lsqr, linalg.lsmr, linalg.splu, linalg.spilu, linalg.factorized,
       why="what it returns holds more than the solution", instead="use spsolve")
refuse(linalg.eigs, linalg.eigsh, linalg.svds, linalg.expm_multiply,
       why="only products and spsolve have rules", instead="use dense matrices")


refuse(*dict.fromkeys(getattr(cls, name) for cls in _classes if cls.__name__.endswith("array")
                      for name in ("__mul__", "__rmul__", "multiply")),
       why="what it returns is sparse again", instead="use a dense array, or A @ x")

refuse(*_classes, *(getattr(sparse, name) for name in (
           "diags", "diags_array", "spdiags", "eye", "eye_array", "identity", "kron", "kronsum",
           "block_diag", "block_array", "bmat", "hstack", "vstack", "tril", "triu", "random",
           "random_array", "rand") if hasattr(sparse, name)),
       why="a sparse matrix is a constant", instead="use a dense array, or its numbers, rows and "
       "columns: np.add.at(y, rows, numbers * x[columns])")


# The helpers ------------------------------------------------------------------------------------
@adjoint(sparse_forth, kind=unchanged_array, constant=("matrix",))
def sparse_forth_(z, x, matrix):
    d[x] = sparse_back(d[z], matrix)


@tangent(sparse_forth, constant=("matrix",))
def sparse_forth_tangent(z, x, matrix):
    d[z] = sparse_forth(d[x], matrix)


@adjoint(sparse_back, kind=unchanged_array, constant=("matrix",))
def sparse_back_(y, dz, matrix):
    d[dz] = sparse_forth(d[y], matrix)


@tangent(sparse_back, constant=("matrix",))
def sparse_back_tangent(y, dz, matrix):
    d[y] = sparse_back(d[dz], matrix)


@adjoint(sparse_right_forth, kind=unchanged_array, constant=("matrix",))
def sparse_right_forth_(z, x, matrix):
    d[x] = sparse_right_back(d[z], matrix)


@tangent(sparse_right_forth, constant=("matrix",))
def sparse_right_forth_tangent(z, x, matrix):
    d[z] = sparse_right_forth(d[x], matrix)


@adjoint(sparse_right_back, kind=unchanged_array, constant=("matrix",))
def sparse_right_back_(y, dz, matrix):
    d[dz] = sparse_right_forth(d[y], matrix)


@tangent(sparse_right_back, constant=("matrix",))
def sparse_right_back_tangent(y, dz, matrix):
    d[y] = sparse_right_back(d[dz], matrix)


@adjoint(sparse_solution, kind=sparse_product, constant=("matrix",))
def sparse_solution_(x, matrix, b):
    d[b] = sparse_solution_adjoint(d[x], matrix)


@tangent(sparse_solution, constant=("matrix",))
def sparse_solution_tangent(x, matrix, b):
    d[x] = sparse_solution(matrix, d[b])


@adjoint(sparse_solution_adjoint, kind=unchanged_array, constant=("matrix",))
def sparse_solution_adjoint_(y, dx, matrix):
    d[dx] = sparse_solution(matrix, d[y])


@tangent(sparse_solution_adjoint, constant=("matrix",))
def sparse_solution_adjoint_tangent(y, dx, matrix):
    d[y] = sparse_solution_adjoint(d[dx], matrix)
