"""Traps of callees that write: arguments, views of them, globals, closures, shared parameters."""
import numpy as np

from tests.traps.case import case

u5 = np.array([0.5, -1.2, 0.8, 1.7, -0.6])
work = np.zeros(3)


def scale_in_place(u, k):
    u *= k


def step(u, k):
    u[:] = u + k * np.sin(u)


def bump(u, i, x):
    u[i] += x * u[i - 1]
    return u[i]


def writes_argument(u, k):
    y = np.sum(u * u)
    scale_in_place(u, k)
    return np.sum(u * u) * y


case(writes_argument, u5, 0.7)


def writes_in_loop(u, k, n):
    for i in range(n):
        step(u, k)
        step(u, k * k)
    return np.sum(u * u)


case(writes_in_loop, u5, 0.7, 3)
case(writes_in_loop, u5, 0.7, 0)


def writes_view(u, k):
    scale_in_place(u[1:3], k)
    scale_in_place(u[::2], u[0])
    step(u[::-1][:2], k)
    return np.sum(u * u)


case(writes_view, u5, 0.7)


def writes_and_returns(u, x):
    a = bump(u, 1, x)
    b = bump(u, 2, a)
    c = bump(u, 1, b) + bump(u, 1, c_of(a))
    return a * b * c + np.sum(u)


def c_of(x):
    return x * x


case(writes_and_returns, u5, 0.7)


def read_across_call(u, x):
    y = u * x
    v = u[1:]
    scale_in_place(u, 2.0)
    z = y * u
    w = v * x
    return np.sum(z * u) + np.sum(w * w)


case(read_across_call, u5, 0.7)


def writes_local(x, n):
    u = np.ones(3) * x
    for i in range(n):
        scale_in_place(u, x)
        bump(u, i, x)
    return np.sum(u * u)


case(writes_local, 0.7, 3)


def add_to(out, u, w):
    out += u * w
    out[0] = u[1]


def same_array_as_two(u, w):
    add_to(u, w, w)
    add_to(u, u, w)
    return np.sum(u * u)


case(same_array_as_two, u5, u5 + 0.3, label="aliased")


def views_as_two(u):
    add_to(u[:3], u[1:4], u[2:])
    return np.sum(u * u)


case(views_as_two, u5, label="aliased")


def fill_global(x, a):
    work[:] = a * x
    return np.sum(work * work)


def global_buffer(x, a):
    first = fill_global(x, a)
    z = work * x
    second = fill_global(z, first)
    return first * second


case(global_buffer, u5[:3], 0.7)


def global_buffer_here(x):
    work[:] = 2.0 * x
    z = np.zeros(3)
    z[:] = np.sin(work)
    work[1] = z[0] * x[1]
    return np.sum(z * work)


case(global_buffer_here, u5[:3])


def make_cached():
    cache = np.empty(3)

    def cached(x):
        cache[:] = x * x
        cache[1:] *= cache[:-1]
        return np.sum(cache * x)
    return cached


case(make_cached(), u5[:3])


def returns_its_argument(u, x):
    u[0] = x
    return u


def writes_what_it_got_back(u, x):
    v = returns_its_argument(u, x)
    v[1] = v[0] * v[2]
    w = returns_its_argument(v[2:], x * x)
    w *= 2.0
    return np.sum(u * u)


case(writes_what_it_got_back, u5, 0.7)


def parameter_is_other(u, w):
    u[0] = w[0] * w[1]
    w[2] = u[1] * u[0]
    return np.sum(u * w)


case(parameter_is_other, u5, u5 + 0.3)


def out_argument(u, x):
    v = np.empty(5)
    np.multiply(u, x, out=v)
    np.sin(v, out=v)
    np.add(u, v, out=u)
    return np.sum(u * v)


case(out_argument, u5, 0.7)


def ufunc_methods(u, w):
    np.add.at(u, [0, 0, 2], w[:3])
    np.copyto(w, u * 2.0)
    u.sort()
    return np.sum(u * w * np.arange(5.0))


case(ufunc_methods, u5, u5 + 0.33)


def list_writer(xs, x):
    xs.append(x * xs[0])
    xs[0] = x


def writes_list(x, y):
    xs = [y]
    list_writer(xs, x)
    list_writer(xs, y)
    return xs[0] + xs[1] * xs[2]


case(writes_list, 0.7, 1.3)


def dict_writer(p, x):
    p["w"] = p["w"] * x
    p["n"] = p.get("n", 0.0) + x


def writes_dict(p, x):
    dict_writer(p, x)
    dict_writer(p, x * x)
    return p["w"] * p["n"]


case(writes_dict, {"w": 0.4}, 0.7)


class Tank:
    def __init__(self, level):
        self.level = level

    def fill(self, x):
        self.level = self.level + x * self.level


def writes_attribute(x, y):
    tank = Tank(y)
    tank.fill(x)
    tank.level *= x
    tank.fill(y)
    return tank.level * x


case(writes_attribute, 0.7, 1.3, label="object")


def recursive_writer(u, k):
    if len(u) > 1:
        u[0] = u[0] * u[1] * k
        recursive_writer(u[1:], k)
        u[0] += u[-1]


def calls_recursive_writer(u, k):
    recursive_writer(u, k)
    return np.sum(u * u)


case(calls_recursive_writer, u5, 0.7)
