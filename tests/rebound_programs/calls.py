"""Functions that bind variables of the function around them: nested, handed on, rebound."""
from functools import partial, reduce

from tests.rebound_programs.shared import program


def joined(u, v, w=0.0):
    return u*v+w


def apply(fn, v):
    return fn(v)


@program
def two_levels(x):
    c = x*1.0
    def mid():
        def h():
            nonlocal c
            c = c*2
            return c
        return c*h()
    return c*mid()


@program
def closures_that_are_returned(x):
    def make():
        t = x*1.0
        def step():
            nonlocal t
            t = t*x
            return t
        def look():
            return t*step()
        return step, look
    s, l = make()
    return s()*l()*s()


@program
def lambda_default_behind_a_call(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return joined(h(), (lambda u, w=c: u*w)(x))*c


@program
def map_of_a_local_function(x):
    c = x*1.0
    def h(u):
        nonlocal c
        c = c*u
        return c
    return c*sum(map(h, [c, x, c]))


@program
def reduce_of_a_local_function(x):
    c = x*1.0
    def h(u, v):
        nonlocal c
        c = c+u*v
        return c
    return c*reduce(h, [c, x, c])


@program
def partial_keeps_the_value(x):
    c = x*1.0
    def h(u):
        nonlocal c
        c = c*u
        return c
    p = partial(h, c)
    h(x)
    return p()*c


@program
def defaults_and_keywords(x):
    c = x*1.0
    def h(v=c*2, *, k=c):
        nonlocal c
        c = c*v+k
        return c
    return joined(c, h(), w=c)*apply(h, c)


@program
def parameter_beside_the_variable(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def k(u):
        return c*u*h()*c
    return c*k(c)+k(h())


@program
def function_is_rebound(x):
    def k(u):
        return u*x
    def h():
        nonlocal k
        def other(u):
            return u*u*x
        k = other
        return x
    return k(h())*k(x)


@program
def function_is_rebound_in_keywords(x):
    def k(u, v=2.0, *more, w=1.0):
        return u*v*w*x
    def h():
        nonlocal k
        def other(*u, **w):
            return u[0]*u[0]*x*w.get("w", 3.0)
        k = other
        return x
    first = k(x, w=h())
    return first*k(*[h(), x], **{"w": h()})


@program
def starred_arguments(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def g(*a, **k):
        return a[0]*a[1]+k["w"]*k["z"]
    return g(*[c, h()], **{"w": c, "z": h()}) * g(*(c, x), w=c, z=h())


@program
def recursion(x):
    c = x*1.0
    def h(n):
        nonlocal c
        if n == 0:
            return c
        c = c*x
        return c*h(n-1)
    return h(2)*c


@program
def key_of_max(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def gen():
        return max([c, h(), x], key=lambda u: u*h())
    return c*gen()


@program
def parameter_of_the_function_around(x):
    c = x*1.0
    def outer(t):
        def inner():
            nonlocal t
            t = t*c
            return t
        return t*inner()*t
    return outer(c)*outer(x)


@program
def function_is_rebound_in_a_loop(x):
    def k(u):
        return u*x
    def h():
        nonlocal k
        def other(u):
            return u*u*x
        k = other
        return x
    s = 0.0
    for i in range(3):
        s += k(x*1.1)
        h()
    return s


@program
def function_is_set(x):
    def k(u):
        return u*x
    def setk(fn):
        nonlocal k
        k = fn
    setk(lambda u: u*u)
    return k(x)*x


@program
def two_counters(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def counter():
        n = 0
        def tick():
            nonlocal n
            n += 1
            return n*x
        return tick
    t = counter()
    u = counter()
    return t()*t()+u()*c*h()+c*t()


@program
def calls_in_arguments(x):
    c = x*1.0
    def h(v):
        nonlocal c
        c = c*v
        return c
    return h(c*h(c))*c + h(v=c+h(x)*c)


@program
def helper_reads_and_calls(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def inner(t):
        return t*c*h()*t*c
    return inner(c)+inner(t=c)*c


@program
def function_with_its_own_variable(x):
    def mid(y):
        c = y*1.0
        def h():
            nonlocal c
            c = c*2
            return c
        return c*h()+c
    return mid(x)*mid(x*2)


def called_between(fn, v):
    return v*fn()*v


def called_late(fn, v):
    w = v
    r = fn()
    return w*r


@program
def handed_to_a_function_of_the_module(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return called_between(h, c)*called_late(h, c)*c


@program
def lambda_that_calls(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def g():
        return c*h()
    return c*g()*g()


@program
def sibling_that_binds_as_well(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def k():
        nonlocal c
        c, d = h(), c
        return d
    return c*k()*c*h()
