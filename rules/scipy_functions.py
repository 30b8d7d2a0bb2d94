"""Rules of the helpers in runtime/scipy_functions.py: derivatives of derivatives of functions that
are known only at run time."""
from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.result_kinds.of_scipy import (
    adjoints_of_second,
    front_kind,
    head_kind,
    joined_kind,
    moving_back_kind,
    moving_kind,
    rest_kind,
    tail_kind,
    with_first_kind,
    with_last_kind,
)
from tangent_lite.runtime import zeros_like
from tangent_lite.runtime.scipy_functions import (
    adjoints_of,
    called,
    front,
    head,
    joined,
    moving_back,
    moving_tangents,
    parts_for,
    pull,
    push,
    pushed_of,
    rest,
    tail,
    varying,
    with_first,
    with_last,
)

nondifferentiable(adjoints_of, pushed_of, varying, kind=unknown)


@adjoint(called, kind=unknown, constant=("function",))
def called_(y, function, args):
    d[args] = pull(function, args, d[y])


@tangent(called, constant=("function",))
def called_tangent(y, function, args):
    d[y] = push(function, args, d[args])


@adjoint(pull, kind=adjoints_of_second, constant=("function",))
def pull_(y, function, args, dy):
    parts = pull(adjoints_of(function, args, dy), with_last(args, dy), moving_tangents(args, d[y]))
    d[args] = front(parts)
    d[dy] = parts[-1]


@tangent(pull, constant=("function",))
def pull_tangent(y, function, args, dy):
    d[y] = moving_back(push(adjoints_of(function, args, dy), with_last(args, dy),
                            with_last(d[args], d[dy])), args)


@adjoint(push, kind=unknown, constant=("function",))
def push_(y, function, args, dargs):
    parts = pull(pushed_of(function, args), joined(args, moving_tangents(args, dargs)), d[y])
    d[args] = head(parts, args)
    d[dargs] = moving_back(tail(parts, args), args)


@tangent(push, constant=("function",))
def push_tangent(y, function, args, dargs):
    d[y] = push(pushed_of(function, args), joined(args, moving_tangents(args, dargs)),
                joined(d[args], moving_tangents(args, d[dargs])))


@adjoint(moving_tangents, kind=moving_kind)
def moving_tangents_(y, args, dargs):
    d[args] = None
    d[dargs] = moving_back(d[y], args)


@tangent(moving_tangents)
def moving_tangents_tangent(y, args, dargs):
    d[args] = None
    d[y] = moving_tangents(args, d[dargs])


@adjoint(moving_back, kind=moving_back_kind)
def moving_back_(y, parts, args):
    d[parts] = moving_tangents(args, d[y])
    d[args] = None


@tangent(moving_back)
def moving_back_tangent(y, parts, args):
    d[y] = moving_back(d[parts], args)
    d[args] = None


@adjoint(parts_for, kind=adjoints_of_second, view="maybe")
def parts_for_(y, parts, args):
    d[parts] = d[y]
    d[args] = None


@tangent(parts_for)
def parts_for_tangent(y, parts, args):
    d[y] = parts_for(d[parts], args)
    d[args] = None


@adjoint(joined, kind=joined_kind)
def joined_(z, a, b):
    d[a] = head(d[z], a)
    d[b] = tail(d[z], a)


@tangent(joined)
def joined_tangent(z, a, b):
    d[z] = joined(d[a], d[b])


@adjoint(head, kind=head_kind)
def head_(y, z, a):
    d[z] = joined(d[y], zeros_like(tail(z, a)))
    d[a] = None


@tangent(head)
def head_tangent(y, z, a):
    d[y] = head(d[z], a)
    d[a] = None


@adjoint(tail, kind=tail_kind)
def tail_(y, z, a):
    d[z] = joined(zeros_like(head(z, a)), d[y])
    d[a] = None


@tangent(tail)
def tail_tangent(y, z, a):
    d[y] = tail(d[z], a)
    d[a] = None


@adjoint(with_first, kind=with_first_kind)
def with_first_(z, x, args):
    d[x] = d[z][0]
    d[args] = rest(d[z])


@tangent(with_first)
def with_first_tangent(z, x, args):
    d[z] = with_first(d[x], d[args])


@adjoint(with_last, kind=with_last_kind)
def with_last_(z, args, x):
    d[args] = front(d[z])
    d[x] = d[z][-1]


@tangent(with_last)
def with_last_tangent(z, args, x):
    d[z] = with_last(d[args], d[x])


@adjoint(rest, kind=rest_kind)
def rest_(y, z):
    d[z] = with_first(zeros_like(z[0]), d[y])


@tangent(rest)
def rest_tangent(y, z):
    d[y] = rest(d[z])


@adjoint(front, kind=front_kind)
def front_(y, z):
    d[z] = with_last(d[y], zeros_like(z[-1]))


@tangent(front)
def front_tangent(y, z):
    d[y] = front(d[z])
