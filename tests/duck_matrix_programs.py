"""Functions over arrays, with their arguments: what leaves arrays of any type as they are, and what
asks for single elements, which only arrays in memory are read and written for."""
import numpy as np

from tests.duck_programs import V, X


def multiplied(x):
    return np.prod(x)


def multiplied_along(x):
    return np.sum(np.prod(x, axis=1))


def in_order(x):
    return np.sum(np.sort(x) * x)


def differences(x):
    return np.sum(np.diff(x, n=2) ** 2) + np.sum(np.diff(x, axis=0, prepend=x[:1]) ** 2)


def padded(x):
    return np.sum(np.tile(x, 2) ** 2) + np.sum(np.append(x[0], x[1]) ** 3)


def inverted(x):
    return np.sum(np.linalg.inv(x) ** 2)


def inverted_each(x):
    return np.sum(np.linalg.inv(x) ** 2)


def solved(x):
    return np.sum(np.linalg.solve(x, x.T) ** 2)


def solved_for_a_vector(x):
    return np.sum(np.linalg.solve(x, x[0]) ** 2)


def logarithm_of_determinant(x):
    return np.linalg.slogdet(x)[1] ** 2


def cholesky(x):
    return np.sum(np.linalg.cholesky(x) ** 3)


def eigenvalues(x):
    return np.sum(np.linalg.eigvalsh(x) ** 3)


def eigenvalues_of_both(x):
    return np.sum(np.linalg.eigh(x)[0] ** 3)


def pseudoinverse(x):
    return np.sum(np.linalg.pinv(x) ** 2)


def power_of_matrix(x):
    return np.sum(np.linalg.matrix_power(x, 3) ** 2)


def norms_by_name(x):
    return np.linalg.norm(x) + np.linalg.norm(x, 1) + np.linalg.norm(x, np.inf)


def inner_products(x):
    return np.inner(x, x) + np.vdot(x, x)


def inner_product_of_matrices(x):
    return np.sum(np.inner(x, x) ** 2)


def kronecker(x):
    return np.sum(np.kron(x, x) ** 2)


def crossed(x):
    return np.sum(np.cross(x[:3], x[3:]) ** 2)


def meshed(x):
    return np.sum(np.meshgrid(x[0], x[1])[0] ** 2)


def averaged(x):
    return np.average(x) ** 2


def areas(x):
    return np.trapezoid(x) ** 2


def ignoring_nan(x):
    return np.nansum(x ** 2) + np.nanmean(x)


def chosen_by_conditions(x):
    return np.sum(np.select([x > 0.5, x > 0], [x * 2, x * x], 0.0))


def sinc(x):
    return np.sum(np.sinc(x)) + np.sum(np.fmax(x, 0.2))


def transformed(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2)


def products_so_far(x):
    return np.sum(np.cumprod(x))


def taken(x):
    return np.sum(np.take(x, [0, 1, 1]) ** 2)


def taken_along_an_axis(x):
    return np.sum(np.take(x, [0, 1, 1], axis=1) ** 2)


def taken_by_order(x):
    return np.sum(np.take_along_axis(x, np.argsort(x, axis=1), axis=1) * x)


def repeated(x):
    return np.sum(np.repeat(x, 2, axis=0) ** 2)


def zeros_around(x):
    return np.sum(np.pad(x, 1) ** 2)


def edges_around(x):
    return np.sum(np.pad(x, ((1, 2), (0, 1)), mode="edge") ** 2)


def traces(x):
    return np.trace(x) ** 2 + np.trace(x @ x.T)


def diagonals(x):
    return np.sum(np.diag(x) ** 2)


def on_a_diagonal(x):
    return np.sum(np.diag(x) ** 2)


def determinant(x):
    return np.linalg.det(x) ** 2


def singular_values(x):
    return np.sum(np.linalg.svd(x, compute_uv=False) ** 3)


def triangle(x):
    return np.sum(np.linalg.qr(x)[1] ** 2)


def back_from_frequencies(x):
    return np.sum(np.fft.irfft(np.fft.rfft(x) * 2) ** 2)


def indexed_twice(x):
    return np.sum(x[[0, 0, 1]] ** 2)


def masked(x):
    return np.sum(x[x > 0] ** 2)


def largest_row(x):
    return np.sum(x[np.argmax(x[:, 0])] ** 2)


def row_by_row(x):
    return sum([np.sum(r ** 2) * k for k, r in enumerate(x)])


A = np.random.default_rng(5).normal(size=(4, 4)) + 3.0 * np.eye(4)
AA = np.stack([A, A.T + np.eye(4)])
S = A @ A.T

OF_ANY_TYPE = [
    (multiplied, (V,)), (multiplied_along, (X,)), (in_order, (V,)), (differences, (X,)),
    (padded, (X,)), (inverted, (A,)), (inverted_each, (AA,)), (solved, (A,)),
    (solved_for_a_vector, (A,)), (logarithm_of_determinant, (A,)), (cholesky, (S,)),
    (eigenvalues, (S,)), (eigenvalues_of_both, (S,)), (pseudoinverse, (X,)), (power_of_matrix,
    (A,)), (norms_by_name, (V,)), (inner_products, (V,)), (inner_product_of_matrices, (X,)),
    (kronecker, (A,)), (crossed, (V,)), (meshed, (X,)), (averaged, (X,)), (areas, (V,)),
    (ignoring_nan, (X,)), (chosen_by_conditions, (X,)), (sinc, (X,)), (transformed, (V,)),
]
IN_MEMORY = [
    (products_so_far, (V,)), (taken, (V,)), (taken_along_an_axis, (X,)), (taken_by_order,
    (X,)), (repeated, (X,)), (zeros_around, (X,)), (edges_around, (X,)), (traces, (A,)),
    (diagonals, (A,)), (on_a_diagonal, (V,)), (determinant, (A,)), (singular_values, (X,)),
    (triangle, (X,)), (back_from_frequencies, (V,)), (indexed_twice, (X,)), (masked, (X,)),
    (largest_row, (X,)), (row_by_row, (X,)),
]
