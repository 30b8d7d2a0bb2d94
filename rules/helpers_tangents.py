"""Rules of the helpers in runtime_tangents.py."""
from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import unchanged
from tangent_lite.runtime_tangents import own_tangent, seed_of, zero_tangent

nondifferentiable(zero_tangent, seed_of, kind=unchanged)


@adjoint(own_tangent, kind=unchanged)
def own_tangent_(y, dx):
    d[dx] = d[y]


@tangent(own_tangent)
def own_tangent_tangent(y, dx):
    d[y] = own_tangent(d[dx])
