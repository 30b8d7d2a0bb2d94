"""Rules of the helpers in runtime/tangents.py, and of sums of structures."""
from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import unchanged
from tangent_lite.result_kinds.numbers import of_floats
from tangent_lite.result_kinds.sequences import sum_of_two, term_of_two
from tangent_lite.runtime import copied_lists, copied_parts, sum_of_structures, term_of_sum
from tangent_lite.runtime.tangents import own_tangent, seed_of, zero_tangent

nondifferentiable(zero_tangent, seed_of, kind=of_floats)


@adjoint(own_tangent, kind=unchanged)
def own_tangent_(y, dx):
    d[dx] = d[y]


@tangent(own_tangent)
def own_tangent_tangent(y, dx):
    d[y] = own_tangent(d[dx])


@adjoint(copied_lists, kind=unchanged, view="maybe")
def copied_lists_(y, x):
    d[x] = d[y]


@tangent(copied_lists)
def copied_lists_tangent(y, x):
    d[y] = copied_lists(d[x])


@adjoint(copied_parts, kind=unchanged)
def copied_parts_(y, x):
    d[x] = d[y]


@tangent(copied_parts)
def copied_parts_tangent(y, x):
    d[y] = copied_parts(d[x])


@adjoint(sum_of_structures, kind=sum_of_two)
def sum_of_structures_(z, a, b):
    d[a] = term_of_sum(d[z], a)
    d[b] = term_of_sum(d[z], b)


@tangent(sum_of_structures)
def sum_of_structures_tangent(z, a, b):
    d[z] = sum_of_structures(d[a], d[b])


@adjoint(term_of_sum, kind=term_of_two, view="maybe")
def term_of_sum_(y, dz, a):
    d[dz] = term_of_sum(d[y], dz)
    d[a] = None


@tangent(term_of_sum)
def term_of_sum_tangent(y, dz, a):
    d[y] = term_of_sum(d[dz], a)
    d[a] = None
