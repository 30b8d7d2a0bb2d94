"""scipy.linalg: functions of matrices, such as exponential and square root. Read once scipy.linalg
is in use.

The change of f(A) along E stands in a corner of f of a matrix twice as large (Higham, 2008).
"""
import scipy.linalg as sl

from tangent_lite.registry import adjoint, refuse_where, tangent
from tangent_lite.result_kinds import limits
from tangent_lite.result_kinds.factorisations import matrix_function, matrix_power
from tangent_lite.result_kinds.shapes import square_like
from tangent_lite.runtime.linalg import real_for, transposed
from tangent_lite.runtime.matrices import corner, with_corner


@adjoint(sl.expm, kind=square_like)
def expm(y, A):
    d[A] = real_for(corner(sl.expm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.expm)
def expm_tangent(y, A):
    d[y] = corner(sl.expm(with_corner(A, d[A])))


@adjoint(sl.cosm, kind=square_like)
def cosm(y, A):
    d[A] = real_for(corner(sl.cosm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.cosm)
def cosm_tangent(y, A):
    d[y] = corner(sl.cosm(with_corner(A, d[A])))


@adjoint(sl.sinm, kind=square_like)
def sinm(y, A):
    d[A] = real_for(corner(sl.sinm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.sinm)
def sinm_tangent(y, A):
    d[y] = corner(sl.sinm(with_corner(A, d[A])))


@adjoint(sl.tanm, kind=square_like)
def tanm(y, A):
    d[A] = real_for(corner(sl.tanm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.tanm)
def tanm_tangent(y, A):
    d[y] = corner(sl.tanm(with_corner(A, d[A])))


@adjoint(sl.coshm, kind=square_like)
def coshm(y, A):
    d[A] = real_for(corner(sl.coshm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.coshm)
def coshm_tangent(y, A):
    d[y] = corner(sl.coshm(with_corner(A, d[A])))


@adjoint(sl.sinhm, kind=square_like)
def sinhm(y, A):
    d[A] = real_for(corner(sl.sinhm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.sinhm)
def sinhm_tangent(y, A):
    d[y] = corner(sl.sinhm(with_corner(A, d[A])))


@adjoint(sl.tanhm, kind=square_like)
def tanhm(y, A):
    d[A] = real_for(corner(sl.tanhm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.tanhm)
def tanhm_tangent(y, A):
    d[y] = corner(sl.tanhm(with_corner(A, d[A])))


@adjoint(sl.logm, kind=matrix_function)
def logm(y, A):
    d[A] = real_for(corner(sl.logm(with_corner(transposed(A), d[y]))), A)


@tangent(sl.logm)
def logm_tangent(y, A):
    d[y] = corner(sl.logm(with_corner(A, d[A])))


@adjoint(sl.sqrtm, kind=matrix_function)
def sqrtm(y, A):
    d[A] = real_for(sl.solve_sylvester(transposed(y), transposed(y), d[y]), A)


@tangent(sl.sqrtm)
def sqrtm_tangent(y, A):
    d[y] = sl.solve_sylvester(y, y, d[A])


@adjoint(sl.fractional_matrix_power, kind=matrix_power, constant=("t",))
def fractional_matrix_power(y, A, t):
    d[A] = real_for(corner(sl.fractional_matrix_power(with_corner(transposed(A), d[y]), t)), A)


@tangent(sl.fractional_matrix_power, constant=("t",))
def fractional_matrix_power_tangent(y, A, t):
    d[y] = corner(sl.fractional_matrix_power(with_corner(A, d[A]), t))


# Of numbers SciPy makes matrices.
refuse_where(limits.of_matrices, sl.expm, sl.cosm, sl.sinm, sl.tanm, sl.coshm, sl.sinhm, sl.tanhm,
             sl.logm, sl.sqrtm, sl.fractional_matrix_power)
