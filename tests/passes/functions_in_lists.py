"""Programs that keep functions of their own in lists, and do nothing but call them."""
import functools

import numpy as np

KS = [0.55 + 0.1 * i for i in range(6)]


def gmake(k):
    def g(v, w=k):
        return v * k + w
    return g


def gmake2(k, j=2.0):
    return lambda v: v * k * j


def scale(k, v, c=1.0):
    return v * k * c


def total(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    for g in fs:
        s += g(x)
    return s


class Net:
    def __init__(self, ks):
        self.ks = ks

    def run(self, x):
        acts = []
        for k in self.ks:
            acts.append(lambda v, k=k: np.tanh(v * k + self.ks[0]))
        for a in acts:
            x = a(x)
        return x


def reads_at_the_call(x, ks):
    fs = []
    for k in ks:
        w = k * x
        fs.append(lambda v, k=k: v * k * w)
    w = 3.0 * x
    return sum(g(x) for g in fs)


def gives_a_default(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    return sum(g(x, 2.0) for g in fs) + sum(g(x, k=x) for g in fs)


def leaves_early(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    for g in fs:
        t = g(x)
        if t > 2.0:
            break
        if s > 50.0:
            return s * x
        s += t * t
    return s


def one_name_for_two(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    hs = [lambda v, k=k: v + k * x for k in ks]
    s = 0.0
    for g in fs:
        s += g(x)
    for g in hs:
        s *= 1.0 + 0.01 * g(x)
    return s


def shares_a_list(x, ks):
    fs = []
    for k in ks[:5]:
        fs.append(lambda v, k=k, seen=[]: v * k + 0.0 * len(seen))
    return sum(g(x) for g in fs)


def holds_arrays(x, ks):
    w = np.array([x, 2.0, 3.0])
    fs = []
    for k in ks[:4]:
        w = w * k
        fs.append(lambda v, w=w: np.sum(w * w) * v)
    w = w * 0.0
    return sum(g(x) for g in fs)


def is_returned(x, ks):
    fs = [gmake(k) for k in ks]
    s = 0.0
    for i, g in enumerate(fs):
        s += g(x) * i
    return s


def from_both_ends(x, ks):
    fs = [gmake2(k) for k in ks]
    return sum(g(x) for g in reversed(fs)) + fs[-1](x) * fs[2](x * x)


def partials(x, ks):
    fs = [functools.partial(scale, k, c=x) for k in ks]
    s = 0.0
    for g, k in zip(fs, ks):
        s += g(x) * k + g(x, c=2.0)
    return s


def branches(x, ks):
    fs = []
    for k in ks[:6]:
        def g(v, k=k):
            t = v * k
            if t > 1.0:
                return t * t
            return t
        fs.append(g)
    s = 0.0
    for g in fs:
        s += g(x)
    return s


def changes_before_it_is_kept(x, ks):
    fs = []
    for k in ks[:6]:
        def h(v, k=k):
            return v * k
        k = k * 100.0
        fs.append(h)
    return sum(g(x) for g in fs)


def called_behind_the_loop(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    for g in fs:
        s += 1.0
    return s + g(x)


def loops_in_loops(x, ks):
    fs = [lambda v, k=k: v * k for k in ks[:4]]
    s = 0.0
    for g in fs:
        for g in fs:
            s += g(x)
        s += g(x) * 3.0
    return s


def in_a_dict(x, ks):
    table = {}
    for i, k in enumerate(ks):
        table["n%d" % i] = lambda v, k=k: v * k
    s = 0.0
    for name in sorted(table):
        s += table[name](x)
    for name, g in table.items():
        s += g(s) * 0.01
    if "n3" in table:
        s = table["n3"](s)
    return s


def in_a_dict_at_once(x, ks):
    table = {i: (lambda v, k=k, j=i: v * k ** 2 + j) for i, k in enumerate(ks)}
    return sum(g(x) for g in table.values()) + table[2](x)


def of_the_last_item(x, ks):
    fs = [lambda v: v * k for k in ks if k > 0.7]
    s = sum(g(x) for g in fs)
    for k in (5.0, 6.0):
        s *= x
    fs = [lambda v: v * k for k in ks if k < 0.7]
    return s + sum(g(x) for g in fs) * k


def in_a_tuple(x, ks):
    fs = tuple((lambda v, k=k: v * k) for k in ks)
    s = 0.0
    for i in range(len(fs)):
        g = fs[i]
        s += g(x)
    return s


def made_anew(x, ks):
    s = 0.0
    for j in range(3):
        fs = [lambda v: v * k + j for k in ks]
        for g in fs:
            s += g(x)
    return s


def in_slices(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    return sum(g(x) for g in fs[1:]) * fs[0](x)


def many_arguments(x, ks):
    fs = [lambda *vs, k=k: vs[0] * k + len(vs) for k in ks]
    return sum(g(x, x) for g in fs)


def given_functions(x, ks):
    fs = [lambda h, k=k: h(k) for k in ks]
    return sum(g(lambda t: t * x) for g in fs)


def the_last_counter(x, ks):
    fs = [lambda v: v ** i for i in range(4)]
    return sum(g(x) for g in fs)


def one_after_the_other(x, ks):
    fs = []
    for k in ks[:6]:
        fs.append(lambda v, k=k: np.sin(v * k) + x)
    for g in fs:
        x = g(x)
    return x


def in_a_helper(x, ks):
    return total(x, ks) * total(x * x, ks[:3])


def in_a_method(x, ks):
    return Net(ks).run(x)


def at_computed_places(x, ks):
    fs = [lambda v, k=k: v * k for k in ks]
    s = 0.0
    for i in range(len(fs)):
        s += fs[(i * 5) % len(fs)](fs[i](x))
    return s


def partials_of_others(x, ks):
    def pw(a, b): return a * b + x
    fs = [functools.partial(pw, k) for k in ks]
    hs = [functools.partial(np.power, x) for k in ks[:3]]
    return sum(g(x) for g in fs) + sum(h(2.0) for h in hs)


def annotated(x, ks):
    """Doc."""
    fs = []
    for k in ks:
        def scaled(v: float, *, k: float = k) -> float:
            """Inner doc."""
            return v * k
        fs.append(scaled)
    return sum([g(x) for g in fs])


def several_last_items(x, ks):
    fs = [lambda v: v * a + b for a in ks for b in (1.0, 2.0) if a > 0.6]
    return sum(g(x) for g in fs)


def last_and_held(x, ks):
    fs = [lambda v, j=k: v * j + k for k in ks]
    return sum(g(x) for g in fs)


def empty(x, ks):
    fs = []
    for k in ks:
        if k > 100.0:
            fs.append(lambda v, k=k: v * k)
    if not fs:
        return x * x
    return sum(g(x) for g in fs)


def arrays_as_defaults(x, ks):
    fs = [lambda v, w=np.array([k, x]): np.sum(w * v) for k in ks]
    return sum(g(x) for g in fs)


PROGRAMS = [
    reads_at_the_call, gives_a_default, leaves_early, one_name_for_two, shares_a_list,
    holds_arrays, is_returned, from_both_ends, partials, branches, changes_before_it_is_kept,
    called_behind_the_loop, loops_in_loops, in_a_dict, in_a_dict_at_once, of_the_last_item,
    in_a_tuple, made_anew, in_slices, many_arguments, given_functions, the_last_counter,
    one_after_the_other, in_a_helper, in_a_method, at_computed_places, partials_of_others,
    annotated, several_last_items, last_and_held, empty, arrays_as_defaults,
]
