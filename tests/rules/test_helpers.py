"""The rules of the helpers: derivatives of derivatives."""
import numpy as np
import pytest

from tangent_lite import runtime
from tangent_lite.runtime import batches as runtime_batches
from tangent_lite.runtime import diagonals as runtime_diagonals
from tangent_lite.runtime import factors as runtime_factors
from tangent_lite.runtime import fourier as runtime_fourier
from tangent_lite.runtime import linalg as runtime_linalg
from tangent_lite.runtime import products as runtime_products
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.runtime import shapes as runtime_shapes
from tests.rules.support import check

rng = np.random.default_rng(12)


def draw(*shape):
    return rng.uniform(0.3, 1.5, shape)


X, Y, V = draw(2, 3), draw(3, 4), draw(3)
A = draw(3, 3) + np.eye(3)

B, EACH = draw(4, 2, 3), draw(4)
CASES = [
    (runtime_batches.unbroadcast_each, (B, X), {}), (runtime_batches.unbroadcast_each, (B, V), {}),
    (runtime_batches.unbroadcast_each, (B, 2.0), {}),
    (runtime_batches.unbroadcast_each, (B, draw(2, 1)), {}),
    (runtime_batches.unbroadcast_each, (draw(4, 3), X), {}),
    (runtime_batches.match_each, (draw(4, 3), X), {}), (runtime_batches.match_each, (B, V), {}),
    (runtime_batches.match_each, (EACH, X), {}),
    (runtime_batches.match_each, (draw(4, 2, 1), V), {}),
    (runtime_batches.each_like, (B, draw(4, 3)), {}),
    (runtime_batches.each_like, (draw(4, 3), B), {}),
    (runtime_batches.each_like, (draw(4, 2, 1), draw(4, 1, 3)), {}),
    (runtime_batches.unreduce_each, (EACH, X), {}),
    (runtime_batches.unreduce_each, (EACH, 2.0), {}), (runtime_batches.spread, (X, 4), {}),
    (runtime_batches.unreduce_each, (draw(4, 3), X, 0), {}),
    (runtime_batches.unreduce_each, (draw(4, 2), X, -1), {}),
    (runtime_batches.unreduce_each, (draw(4, 2, 1), X, 1, True), {}),
    (runtime_batches.reduce_each, (B, EACH, X), {}),
    (runtime_batches.reduce_each, (B, draw(4, 3), X, 0), {}),
    (runtime_batches.reduce_each, (B, draw(4, 2, 1), X, (1,), True), {}),
    (runtime.unbroadcast, (X, V), {}), (runtime.unbroadcast, (X, 2.0), {}),
    (runtime.unbroadcast, (V, V), {}), (runtime.unbroadcast, (V, X), {}),
    (runtime.unbroadcast, (X, draw(2, 1)), {}), (runtime.unbroadcast, (2.0, 3.0), {}),
    (runtime.match, (V, X), {}), (runtime.match, (X, V), {}), (runtime.match, (2.0, X), {}),
    (runtime.fitted, (X, X + 1.0), {}), (runtime.fitted, (2.0, 3.0), {}),
    (runtime.unreduce, (2.0, X), {}), (runtime.unreduce, (V, X, 0), {}),
    (runtime.unreduce, (draw(2, 1), X, 1, True), {}), (runtime.unreduce, (2.0, 3.0), {}),
    (runtime.power_slope, (X, 3.0), {}), (runtime.power_slope, (X, V), {}),
    (runtime.power_slope, (1.2, 0.7), {}), (runtime.power_slopes, (X, V, 2), {}),
    (runtime.power_slopes, (1.2, 0.7, 3), {}), (runtime.log_or_zero, (X,), {}),
    (runtime.divide_or_zero, (X, V), {}), (runtime.divide_or_zero, (1.0, 2.0), {}),
    (runtime.where_larger, (X, V, 0.8), {}), (runtime.where_larger, (1.0, 2.0, 0.8), {}),
    (runtime.of_larger, (X, V, X, 0.8), {}), (runtime.of_larger, (1.0, V, X, 0.8), {}),
    (runtime.where_positive, (X, X - 0.8), {}),
    (runtime.clip_inner, (X, V, 0.4, 1.1), {}),
    (runtime.clip_low, (X, np.array([0.4, 0.9, 1.3]), 0.6), {}),
    (runtime.clip_high, (X, np.array([0.4, 0.9, 1.3]), None, 0.6), {}),
    (runtime.abs_slope, (X + 1j,), {}), (runtime.abs_slope, (X,), {}),
    (runtime.angle_slope, (X + 1j,), {}), (runtime.angle_slope, (X + 1j, True), {}),
    (runtime.sinc_slope, (X,), {}), (runtime.bessel_moment, (X, 1), {}),
    (runtime.polygamma, (0, X), {}), (runtime.polygamma, (1, 1.5), {}),
    (runtime.polygamma, (2, -1.5), {}), (runtime.over_log, (1.0, 2.0), {}),
    (runtime_reductions.products_of_others, (V,), {}),
    (runtime_reductions.products_of_others, (X, 1), {}),
    (runtime_reductions.products_of_others, (X,), {}),
    (runtime_reductions.products_of_others, (np.array([0.0, 2, 0]),), {}),
    (runtime_reductions.products_along, (V, np.stack([V, np.sin(V)])), {}),
    (runtime_reductions.products_along, (X, np.stack([np.cos(X)]), 1), {}),
    (runtime_reductions.cumprod_adjoint, (V, V), {}),
    (runtime_reductions.cumprod_adjoint, (X, X, 1), {}),
    (runtime_reductions.cumprod_tangent, (V, V), {}),
    (runtime_reductions.full_weights, (X, 1, V), {"wrt": [2]}),
    (runtime_reductions.full_weights, (X, (1, 0), draw(3, 2)), {"wrt": [2]}),
    (runtime_reductions.weights_part, (X, X, 1, V), {"wrt": [0]}),
    (runtime_reductions.uncumsum, (V, V), {}), (runtime_reductions.uncumsum, (X, X, 1), {}),
    (runtime.largest_part, (1.5, 0, (1.0, 1.0, 0.5)), {"wrt": [0]}),
    (runtime.largest_part, (1.5, 0, (np.array([1.0, 2.0]),)), {"wrt": [0]}),
    (runtime.smallest_part, (1.5, 0, (1.0, 2.0)), {"wrt": [0]}),
    (runtime.spread_over, (1.5, np.ones(3)), {}), (runtime.spread_over, (V, np.ones((2, 3))), {}),
    (runtime.matmul_adjoint_left, (draw(2, 4), X, Y), {}),
    (runtime.matmul_adjoint_left, (draw(4), V, Y), {}),
    (runtime.matmul_adjoint_left, (draw(2), X, V), {}),
    (runtime.matmul_adjoint_left, (2.0, V, V), {}),
    (runtime.matmul_adjoint_left, (draw(5, 2, 4), X, draw(5, 3, 4)), {}),
    (runtime.matmul_adjoint_right, (draw(2, 4), X, Y), {}),
    (runtime.matmul_adjoint_right, (draw(4), V, Y), {}),
    (runtime.matmul_adjoint_right, (draw(2), X, V), {}),
    (runtime.matmul_adjoint_right, (2.0, V, V), {}),
    (runtime.matmul_adjoint_right, (draw(5, 2, 4), draw(5, 2, 3), Y), {}),
    (runtime.last_written, (V, [0, 2, 0]), {}), (runtime.placed, (V, draw(4), [0, 2, 0]), {}),
    (runtime_products.dot_adjoint_left, (draw(2, 4), X, Y), {}),
    (runtime_products.dot_adjoint_right, (draw(2, 4), X, Y), {}),
    (runtime_products.inner_adjoint_left, (draw(2, 4), X, draw(4, 3)), {}),
    (runtime_products.inner_adjoint_right, (draw(2, 4), X, draw(4, 3)), {}),
    (runtime_products.outer_adjoint_left, (draw(3, 2), V, draw(2)), {}),
    (runtime_products.outer_adjoint_right, (draw(3, 2), V, draw(2)), {}),
    (runtime_products.kron_adjoint_left, (draw(6), V, draw(2)), {}),
    (runtime_products.kron_adjoint_right, (draw(6), V, draw(2)), {}),
    (runtime_products.tensordot_adjoint_left, (draw(2, 4), X, Y, 1), {}),
    (runtime_products.tensordot_adjoint_right, (draw(2, 4), X, Y, 1), {}),
    (runtime_products.einsum_operand, ("ij,jk->ik", 0, draw(2, 4), (X, Y)), {}),
    (runtime_products.einsum_operand, ("ij,jk,kl->il", 1, draw(2, 5), (X, Y, draw(4, 5))), {}),
    (runtime_products.einsum_adjoint, (2, draw(2, 4), (X, [0, 1], Y, [1, 2])), {"wrt": [1]}),
    (runtime_products.einsum_tangent, ("ij,jk", (X, Y), (draw(2, 3), draw(3, 4))), {}),
    (runtime_products.einsum_tangent, ("ij,j,i->i", (X, V, draw(2)), (X, V, draw(2))), {}),
    (runtime.kept_of_mean, (X, draw(2), np.array([True, False, True]), 1), {"wrt": [0]}),
    (runtime_reductions.median_along, (draw(2, 3), X, 1), {"wrt": [0]}),
    (runtime_shapes.reshape_like, (draw(6), X), {}),
    (runtime_shapes.reshape_like, (draw(6), X, "F"), {}),
    (runtime_shapes.reshape_like, (draw(6), X.T, "K"), {}),
    (runtime_shapes.ravel_like, (X, X), {}), (runtime_shapes.ravel_like, (X.T, X.T, "K"), {}),
    (runtime_shapes.transpose_back, (draw(2, 3, 4), (1, 2, 0)), {}),
    (runtime_shapes.transpose_again, (draw(2, 3, 4), (1, 2, 0)), {}),
    (runtime_shapes.roll_back, (V, 1), {}),
    (runtime_shapes.concatenated_part, (draw(5), 1, (draw(2), V)), {"wrt": [0]}),
    (runtime_shapes.stacked_part, (X, 1, 1), {}),
    (runtime_shapes.joined_part, (draw(3, 3), 1, (X, V), "v"), {"wrt": [0]}),
    (runtime_shapes.append_part, (draw(5), 0, V, draw(2)), {"wrt": [0]}),
    (runtime_shapes.parts_like, (V, V), {}),
    (runtime_shapes.untile, (draw(6), V, 2), {}), (runtime_shapes.unresize, (draw(7), V), {}),
    (runtime_shapes.unrepeat, (draw(6), V, 2), {}),
    (runtime_shapes.unpad, (draw(5), V, 1), {}), (runtime_shapes.pad_tangent, (V, 1, "edge"), {}),
    (runtime_shapes.undiag, (draw(3, 3), V), {}), (runtime_shapes.undiag, (draw(2), X), {}),
    (runtime_shapes.undiagonal, (draw(2), X), {}), (runtime_shapes.trace_adjoint, (2.0, X), {}),
    *[(runtime_diagonals.diagonal_matmul, (d, m, x), {"wrt": [0, 1]})
      for m, x in ((draw(2, 3), draw(2, 3)), (draw(4, 3), draw(2, 3)), (draw(2, 3), draw(4, 3)))
      for d in (1.5, draw(2))],
    (runtime_diagonals.diagonal_matmul, (draw(4), draw(4, 3), draw(4, 3)), {"wrt": [0, 1]}),
    *[(runtime_diagonals.matmul_diagonal, (m, d, x), {"wrt": [0, 1]})
      for m, x in ((draw(3, 2), draw(3, 2)), (draw(3, 4), draw(3, 2)), (draw(3, 2), draw(3, 4)))
      for d in (1.5, draw(2))],
    *[(runtime_diagonals.diagonal_of_matmul, (draw(2, 3), draw(3, n), d), {"wrt": [0, 1]})
      for n in (2, 4) for d in (1.5, draw(2))],
    (runtime_shapes.untake, (V, draw(4), [0, 1, 1]), {}),
    (runtime_shapes.untake_along, (X, X, np.array([[0, 0, 1], [2, 1, 1]]), 1), {}),
    (runtime_shapes.unsort, (V, draw(3)), {}), (runtime_shapes.sort_tangent, (V, draw(3)), {}),
    (runtime_shapes.undiff, (V,), {}),
    (runtime_linalg.transposed, (X,), {}), (runtime_linalg.diagonal_sum, (draw(3, 3),), {}),
    (runtime_linalg.as_matrix_factor, (V,), {}),
    (runtime_linalg.dagger, (X + 1j * X ** 2,), {}), (runtime_linalg.dagger, (X,), {}),
    (runtime_linalg.hermitian_part, (draw(2, 2) + 1j * draw(2, 2),), {}),
    (runtime_linalg.on_diagonal, (X,), {}), (runtime_linalg.diagonal_part, (draw(2, 3, 3),), {}),
    (runtime_linalg.real_for, (X + 1j, X), {"wrt": [0]}),
    (runtime_linalg.real_for, (X + 1j, X + 1j), {"wrt": [0]}),
    (runtime_linalg.spin, (V + 1j * V ** 2,), {}), (runtime_linalg.spin, (V,), {}),
    (runtime_linalg.slogdet_weight, (1.0 + 2j, 0.5, 0.6 + 0.8j), {}),
    (runtime_linalg.slogdet_weight, (1.5, 0.5, 1.0), {}),
    (runtime_linalg.cofactors, (np.linalg.det(A), A), {
        "wrt": [1], "compare": lambda y, a: runtime_linalg.cofactors(np.linalg.det(a), a)}),
    (runtime_linalg.cofactors_tangent, (draw(3, 3), np.linalg.det(A), A), {
        "wrt": [0, 2], "compare": lambda da, y, a: runtime_linalg.cofactors_tangent(
            da, np.linalg.det(a), a)}),
    (runtime_linalg.cofactors_tangent, (draw(2, 2), 0.0, np.ones((2, 2))), {"wrt": [0]}),
    (runtime_factors.over_gaps, (draw(3, 3), V), {}),
    (runtime_factors.over_gaps, (draw(3, 3) + 1j * draw(3, 3), V), {}),
    (runtime_fourier.fitted, (V, draw(5), 5), {"wrt": [0]}),
    (runtime_fourier.resized, (V, draw(2)), {"wrt": [0]}),
    (runtime_fourier.rfft_adjoint, (draw(3) + 1j, draw(5)), {"wrt": [0]}),
    (runtime_fourier.ihfft_adjoint, (draw(3) + 1j, draw(4), 4), {"wrt": [0]}),
    (runtime_fourier.irfft_adjoint, (draw(5), draw(4) + 1j), {"wrt": [0]}),
    (runtime_fourier.irfft_adjoint, (draw(5), draw(4)), {"wrt": [0]}),
    (runtime_fourier.hfft_adjoint, (draw(4), draw(3) + 1j), {"wrt": [0]}),
    (runtime_fourier.rfftn_adjoint, (draw(2, 2) + 1j, X), {"wrt": [0]}),
    (runtime_fourier.irfftn_adjoint, (draw(2, 4), X + 1j), {"wrt": [0]}),
]


@pytest.mark.parametrize("fun, args, options", CASES,
                         ids=lambda v: getattr(v, "__name__", "") if callable(v) else "")
def test_helper(fun, args, options):
    check(fun, *args, **options)
