"""Traps of names: the user's variables are called what we would like to call ours."""
import math
from math import sin as s

import numpy
import numpy as np
from numpy import exp, tanh

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def adjoint_names(x, bx, by):
    y = x * bx
    bx = y * by
    by = bx + x
    return bx * by * y


case(adjoint_names, 0.7, 1.3, 0.4)


def adjoint_of_adjoint_names(x, bx, bbx, n):
    for b in range(n):
        bx = bx * x
        bbx = bbx + bx * b
        x_tape = bx
        x = math.sin(x_tape)
    return bbx * x * x_tape


case(adjoint_of_adjoint_names, 0.7, 1.3, 0.4, 3)


def temporaries(x, t, t_1, t_2):
    d = x * t
    t = d * t_1 + math.sin(x * t_2)
    t_1 = t * d
    return t * t_1 * d


case(temporaries, 0.7, 1.3, 0.4, 0.6)


def tapes(x, tape, n):
    x_tape = 2.0
    tape_1 = [1.0, 2.0]
    for i_tape in range(n):
        x = x * tape * x_tape
        x_tape = x_tape + math.cos(x)
        tape = tape * tape_1[0]
    return x * x_tape


case(tapes, 0.7, 0.6, 3)


def seeds(bf, bseeds, out):
    f = bf * bseeds
    bf = f * out
    return bf * f


case(seeds, 0.7, 1.3, 0.4)


def machinery(value, gradient, saved, pullback, returned, stopped, result, wrt):
    stopped = value * gradient
    for i in range(2):
        returned = returned * saved
        saved = saved + stopped
        if returned > 100.0:
            stopped = stopped * 2.0
    return stopped * returned + pullback * result * wrt


case(machinery, 0.7, 1.3, 0.4, 0.6, 0.2, 1.1, 0.9, 0.8)


def versions(x, x_1, x_2, x_old, x_0, dx, sin_x):
    for i in range(3):
        x_1 = math.sin(x) * x_2
        x = x_1 * sin_x + x_old
        x_old = x_0 * dx * x
    return x * x_1 * x_old


case(versions, 0.7, 1.3, 0.4, 0.6, 0.2, 1.1, 0.9)


def underscores(_, __, _x):
    for _ in range(3):
        __ = __ * _x + _
    _x, _ = _ * __, _x
    return _x * __ * _


case(underscores, 0.7, 1.3, 0.4)


def np_is_a_number(np, x):
    np = np * x
    y = numpy.sin(np) * math.exp(x)
    for i in range(2):
        np = np * y
    return np * y


case(np_is_a_number, 0.7, 1.3)


def np_is_an_array(np, x):
    np[1:] *= x
    np[0] = numpy.sum(np * np)
    return numpy.sum(np) * x


case(np_is_an_array, u4, 1.3)


def math_is_a_number(math, u):
    numpy = math * 2.0
    y = np.sin(numpy) * u
    y[0] = numpy * math
    return np.sum(y * y)


case(math_is_a_number, 0.7, u4)


def builtins_shadowed(len, max, x):
    range_ = len * max
    sum = range_ * x
    abs = sum * sum
    for i in range(2):
        abs = abs * len
    return abs * max


case(builtins_shadowed, 0.7, 1.3, 0.4)


def range_shadowed(x, range, list):
    tuple = x * range
    while tuple < 5.0:
        tuple = tuple * 1.5 + list
        list = list * tuple
    return tuple * list


case(range_shadowed, 0.7, 1.3, 0.4)


def sum_shadowed(u, sum):
    y = np.sum(u) * sum
    u[0] = y
    sum = u * sum
    return np.sum(sum)


case(sum_shadowed, u4, 0.4)


def imported_functions(x, u):
    v = tanh(u) * s(x)
    v += exp(-u * u)
    return np.sum(v) * s(s(x))


case(imported_functions, 0.7, u4)


def local_functions(x):
    f = math.sin
    g = np.exp
    y = f(x) * g(x)
    f = g
    return f(y) * x


case(local_functions, 0.7)


def local_import(x):
    import math as m

    from numpy import tanh as th
    return m.sin(x) * th(x)


case(local_import, 0.7)


def own_name(x, y):
    own_name = x * y
    own_name = own_name * x
    return own_name


case(own_name, 0.7, 1.3)


def grad(x, grad_f, jvp):
    f_grad = x * grad_f
    f_vjp = f_grad * jvp
    return f_vjp * f_grad


case(grad, 0.7, 1.3, 0.4)


def helpers_of_ours(unbroadcast, zeros_like, copy, u):
    np_zeros = unbroadcast * zeros_like
    runtime = u * copy
    v = runtime * np_zeros + u[:1]
    return np.sum(v * v)


case(helpers_of_ours, 0.7, 1.3, 0.4, u4)


def unicode_names(α, β):
    γ = α * β
    for ι in range(2):
        γ = γ * math.sin(α)
    return γ * β


case(unicode_names, 0.7, 1.3)


def keyword_like(lambda_, self, cls, None_):
    class_ = lambda_ * self
    return class_ * cls * None_


case(keyword_like, 0.7, 1.3, 0.4, 0.9)


def long_names(temperature_of_the_inner_wall, heat_transfer_coefficient_at_the_surface):
    total_heat_flux_through_the_wall = (
        temperature_of_the_inner_wall * heat_transfer_coefficient_at_the_surface
        + temperature_of_the_inner_wall ** 2 * heat_transfer_coefficient_at_the_surface ** 2)
    return total_heat_flux_through_the_wall * temperature_of_the_inner_wall


case(long_names, 0.7, 1.3)


def underscore_called(v):
    total = np.zeros(2)
    steps = [lambda a: a * a, np.sin]
    w = sum(np.sum(_(v[::-1])) for _ in steps)
    total[:-1] = 0.33 * v[0]
    return np.sum(total) * v[1] + w


case(underscore_called, np.array([1.0, 0.4, -0.7]))
