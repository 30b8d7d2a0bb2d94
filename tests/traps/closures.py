"""Traps of functions within functions: what they capture, when they read it, what they change."""
import functools
import math

import numpy as np

from tests.traps.case import case

u4 = np.array([0.5, -1.2, 0.8, 1.7])


def late_in_loop(x):
    fs = []
    for k in range(3):
        fs.append(lambda v: v * k + x)
    return sum(f(x) for f in fs) * x


case(late_in_loop, 0.7)


def early_by_default(x):
    fs = []
    y = x
    for k in range(3):
        y = y * x
        fs.append(lambda v, y=y, k=k: v * k + y)
    return sum(f(x) for f in fs)


case(early_by_default, 0.7)


def captured_then_rebound(x, y):
    def scaled(v):
        return v * y
    a = scaled(x)
    y = y * x
    return a * scaled(x)


case(captured_then_rebound, 0.7, 1.3)


def captured_before_bound(x):
    def shifted(v):
        return v + rate
    rate = x * x
    a = shifted(x)
    rate = 2.0
    return a * shifted(x)


case(captured_before_bound, 0.7)


def captured_loop_variable_after(x):
    for k in range(4):
        x = x + 0.1 * k

    def f(v):
        return v * k
    return f(x) * x


case(captured_loop_variable_after, 0.7)


def spring(k):
    def force(q):
        return -k * q * q
    return force


def from_factory(x, y):
    f, g = spring(x), spring(y)
    x = 5.0
    return f(y) * g(x) + f(2.0)


case(from_factory, 0.7, 1.3)


def counter():
    count = 0

    def tick(v):
        nonlocal count
        count += 1
        return v * count
    return tick


def counts(x):
    tick, tock = counter(), counter()
    a = tick(x)
    b = tick(x * x)
    return a * b + tock(x) * tick(x)


case(counts, 0.7)


def accumulates(x, y):
    total = x

    def add(v):
        nonlocal total
        total = total * y + v
        return total
    a = add(x)
    b = add(y)
    return a * b * total


case(accumulates, 0.7, 1.3)


def two_share_a_cell(x):
    s = x

    def double():
        nonlocal s
        s = 2.0 * s

    def square():
        nonlocal s
        s = s * s
    double()
    square()
    double()
    return s * x


case(two_share_a_cell, 0.7)


def three_deep(x, y):
    def outer(a):
        def middle(b):
            def inner(c):
                return a * b * c * x
            return inner(b) + inner(y)
        return middle(a) * middle(x)
    return outer(y)


case(three_deep, 0.7, 1.3)


def calls_itself(x, n):
    def power(k):
        return 1.0 if k == 0 else x * power(k - 1)
    return power(n) + power(2)


case(calls_itself, 0.7, 3)


def each_other(x, n):
    def even(v, k):
        return v if k == 0 else odd(math.sin(v), k - 1)

    def odd(v, k):
        return v * x if k == 0 else even(v * v, k - 1)
    return even(x, n)


case(each_other, 0.7, 3)
case(each_other, 0.7, 4)


def parameter_shadows(x, y):
    def f(x):
        return x * y
    return f(y) * x + f(x)


case(parameter_shadows, 0.7, 1.3)


def local_shadows(x):
    def f(v):
        x = v * v
        return x
    return f(x) * x


case(local_shadows, 0.7)


def writes_captured_array(x, c):
    def push(v):
        x[0] = x[0] * v
        x[1:] += x[0]
    push(c)
    push(x[2])
    return np.sum(x * x)


case(writes_captured_array, u4, 0.7)


def appends_to_captured_list(x):
    seen = [x]

    def note(v):
        seen.append(v * seen[-1])
        return v
    a = note(x * 2.0) * note(3.0)
    return a * sum(seen) + seen[-1]


case(appends_to_captured_list, 0.7)


def defined_in_branch(x):
    if x > 0.0:
        def f(v):
            return v * v * x
    else:
        def f(v):
            return -v
    return f(x)


case(defined_in_branch, 0.7)
case(defined_in_branch, -0.7)


def redefined(x):
    def f(v):
        return v * x
    g = f

    def f(v):
        return v + x * x
    return f(x) * g(2.0)


case(redefined, 0.7)


def compose(f, g):
    return lambda v: f(g(v))


def composed(x, y):
    h = compose(lambda v: v * y, math.sin)
    h = compose(h, lambda v: h0(v) + x)
    return h(x)


def h0(v):
    return v * v


case(composed, 0.7, 1.3)


def chain_of_lambdas(x):
    fs = [lambda v: v]
    for k in range(3):
        fs.append((lambda g, k: lambda v: g(v) * x + k)(fs[-1], k))
    return fs[-1](x)


case(chain_of_lambdas, 0.7)


def applied(f, *vs):
    return f(*vs)


def function_argument(x, y):
    return applied(math.hypot, x, y) * applied(lambda a: a * x, y) + applied(max, x, y)


case(function_argument, 0.7, 1.3)


def bisect(f, low, high, n):
    for _ in range(n):
        middle = 0.5 * (low + high)
        if f(middle) > 0.0:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


def root_by_closure(x, y):
    return bisect(lambda v: v * v - 2.0, x, y, 5)


case(root_by_closure, 0.7, 2.3)


def partial_of_active(x, y):
    f = functools.partial(h2, x, c=y)
    x = x * 2.0
    return f(x) * f(1.0, c=2.0)


def h2(a, b, c=1.0):
    return a * b * b + c


case(partial_of_active, 0.7, 1.3)


def partial_of_partial(x, y):
    f = functools.partial(functools.partial(h2, x), c=y)
    return f(y) * functools.partial(f, b=x)()


case(partial_of_partial, 0.7, 1.3)


def logged(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)
    return inner


@logged
def decorated(a, b=0.5):
    return a * b


def calls_decorated(x, y):
    @logged
    def here(v):
        return v * v * y
    return decorated(x) * decorated(y, b=x) + here(x)


case(calls_decorated, 0.7, 1.3)


def scale_by(c):
    def decorator(f):
        def inner(v):
            return c * f(v)
        return inner
    return decorator


def decorated_by_active(x, y):
    @scale_by(x)
    @scale_by(y)
    def f(v):
        return v * v
    return f(x)


case(decorated_by_active, 0.7, 1.3)


def default_of_active(x):
    def f(v, c=x * x):
        return v * c
    x = 3.0 * x
    return f(x) * x


case(default_of_active, 0.7)


def mutable_default(x):
    def f(v, seen=[]):
        seen.append(v)
        return len(seen) * v
    return f(x) * f(x * x)


case(mutable_default, 0.7)


def in_dict_by_key(x, y, names):
    table = {"mul": lambda a, b: a * b, "add": lambda a, b: a + b, "first": lambda a, b: a}
    for name in names:
        x = table[name](x, y)
    return x


case(in_dict_by_key, 0.7, 1.3, ["mul", "add", "mul"])
case(in_dict_by_key, 0.7, 1.3, [])


def closure_over_array_element(x):
    fs = [lambda v, k=k: v * x[k] for k in range(3)]
    y = fs[0](2.0)
    x[0] = 5.0 * x[1]
    return y * fs[0](x[2]) * fs[2](y)


case(closure_over_array_element, u4)


def unused_closure(x):
    def never(v):
        return v / 0.0
    return x * x


case(unused_closure, 0.7)


def returns_closure_and_value(x):
    def make(v):
        w = v * v
        return w, lambda z: z * w
    a, f = make(x)
    b, g = make(a)
    return f(b) * g(x)


case(returns_closure_and_value, 0.7)
