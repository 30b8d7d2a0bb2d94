"""Rules of the helpers in runtime/diagonals.py: each is linear in both factors."""
from tangent_lite.registry import adjoint, tangent
from tangent_lite.result_kinds import shaped_like_third
from tangent_lite.result_kinds.products import diagonal_or_trace
from tangent_lite.runtime.diagonals import diagonal_matmul, diagonal_of_matmul, matmul_diagonal


@adjoint(diagonal_matmul, kind=shaped_like_third)
def diagonal_matmul_(z, v, m, x):
    d[v] = diagonal_of_matmul(d[z], m.T, v)
    d[m] = diagonal_matmul(v, d[z], m)
    d[x] = None


@tangent(diagonal_matmul)
def diagonal_matmul_tangent(z, v, m, x):
    d[z] = diagonal_matmul(d[v], m, x) + diagonal_matmul(v, d[m], x)
    d[x] = None


@adjoint(matmul_diagonal, kind=shaped_like_third)
def matmul_diagonal_(z, m, v, x):
    d[m] = matmul_diagonal(d[z], v, m)
    d[v] = diagonal_of_matmul(m.T, d[z], v)
    d[x] = None


@tangent(matmul_diagonal)
def matmul_diagonal_tangent(z, m, v, x):
    d[z] = matmul_diagonal(d[m], v, x) + matmul_diagonal(m, d[v], x)
    d[x] = None


@adjoint(diagonal_of_matmul, kind=diagonal_or_trace)
def diagonal_of_matmul_(y, a, b, v):
    d[a] = diagonal_matmul(d[y], b.T, a)
    d[b] = matmul_diagonal(a.T, d[y], b)
    d[v] = None


@tangent(diagonal_of_matmul)
def diagonal_of_matmul_tangent(y, a, b, v):
    d[y] = diagonal_of_matmul(d[a], b, v) + diagonal_of_matmul(a, d[b], v)
    d[v] = None
