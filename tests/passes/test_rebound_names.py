"""A variable that a call binds anew is read where Python reads it; held against differences."""
from functools import partial, reduce

import numpy as np
import pytest

import tangent_lite as tl


def joined(u, v, w=0.0):
    return u*v+w


def apply(fn, v):
    return fn(v)


def closure_reads_a_target(x):      # parallel, closure reads what is bound
    c = x*1.0
    def h():
        return c * 2
    c, e = x*x, h()
    return c*e


def call_binds_a_target(x):      # parallel, call rebinds an earlier target
    d = x
    def h():
        nonlocal d
        d = d*5
        return d
    d, e = x*x, h()
    return d*e


def array_in_place(x):
    a = np.array([x, 2*x])
    b = a
    def h():
        nonlocal a
        a = a*3
        return a
    a += h()
    return np.sum(a*b)


def part_of_the_old_array(x):
    a = np.array([x, 2*x])
    b = a
    def h():
        nonlocal a
        a = a*3
        return x
    a[0] += h()
    return np.sum(a*b)


def loop_over_a_rebound_list(x):
    c = [x, 2*x]
    s = 0.0
    def h():
        nonlocal c
        c = [x*5, x*7]
        return 1.0
    for v in c:
        s += v*h()
    return s*c[0]


def two_levels(x):
    c = x*1.0
    def mid():
        def h():
            nonlocal c
            c = c*2
            return c
        return c*h()
    return c*mid()


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


def in_try(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    try:
        y = c*h()
    except ValueError:
        y = 0.0
    finally:
        z = c*h()
    return y*z


def comprehensions(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return [c for _ in range(2)][0]*h()*[c+h() for _ in range(2)][1]


def lambda_default_behind_a_call(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return joined(h(), (lambda u, w=c: u*w)(x))*c


def map_of_a_local_function(x):
    c = x*1.0
    def h(u):
        nonlocal c
        c = c*u
        return c
    return c*sum(map(h, [c, x, c]))


def reduce_of_a_local_function(x):
    c = x*1.0
    def h(u, v):
        nonlocal c
        c = c+u*v
        return c
    return c*reduce(h, [c, x, c])


def partial_keeps_the_value(x):
    c = x*1.0
    def h(u):
        nonlocal c
        c = c*u
        return c
    p = partial(h, c)
    h(x)
    return p()*c


def loop_variable(x):
    i = 0
    s = 0.0
    def h():
        nonlocal i
        i = i+1
        return x
    for i in range(3):
        s += i*h()*i
    return s


def start_of_enumerate(x):
    n = 1
    s = 0.0
    def h():
        nonlocal n
        n = n+1
        return x
    for k, v in enumerate([x, x*x], n):
        s += k*h()*v
    return s


def value_before_index(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    a = np.array([x, x*x, 3.0])
    a[int(h()*0)] = c
    return np.sum(a)


def condition(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    if h() > c and c > 0:
        return c*h()
    return x


def owner_behind_the_value(x):
    a = np.array([x, 2*x])
    def h():
        nonlocal a
        a = np.array([5.0, x*x])
        return 1
    a[h()] = x*7
    return np.sum(a)


def owner_before_the_index(x):
    a = np.array([x, 2*x])
    b = a
    def h():
        nonlocal a
        a = np.array([5.0, x*x])
        return 1
    a[h()] *= x*7
    return np.sum(a*b)


def defaults_and_keywords(x):
    c = x*1.0
    def h(v=c*2, *, k=c):
        nonlocal c
        c = c*v+k
        return c
    return joined(c, h(), w=c)*apply(h, c)


def parameter_beside_the_variable(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def k(u):
        return c*u*h()*c
    return c*k(c)+k(h())


def condition_of_while(x):
    c = x*1.0
    s = 0.0
    def h():
        nonlocal c
        c = c*1.5
        return c
    while c < 10*x and c*h() < 60*x*x:
        s = s + c*h()
    return s+c


def old_list_grows(x):
    c = [x, x]
    def h():
        nonlocal c
        c = [x*2, x*3, x*4]
        return x*9
    c.append(h())
    return c[0]*c[-1]


def old_list_is_extended(x):
    c = [x, x]
    d = c
    def h():
        nonlocal c
        c = [x*2, x*3, x*4]
        return x*9
    c += [h()]
    return c[0]*c[-1]*len(c)+d[-1]


def tuples(x):
    c = (x, x*x)
    def h():
        nonlocal c
        c = (c[1], c[0]*x)
        return c
    return c[0]*h()[1]+c[1]


def part_of_the_old_dict(x):
    c = {"a": x}
    def h():
        nonlocal c
        c = {"a": c["a"]*x}
        return c["a"]
    c["a"] += h()
    return c["a"]*x


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


def starred_arguments(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def g(*a, **k):
        return a[0]*a[1]+k["w"]*k["z"]
    return g(*[c, h()], **{"w": c, "z": h()}) * g(*(c, x), w=c, z=h())


def augmented_by_calls(x):
    c = x*1.0
    def h():
        nonlocal c
        c *= x
        return c
    c *= h()
    c -= h()*c
    return c


def slice_is_a_view(x):
    a = np.array([x, 2*x, 3*x])
    def h():
        a[0] = x*x
        a[1] = 5*x
        return x
    a[0:2] += h()
    return np.sum(a*np.array([1., 2., 3.]))


def chained_comparison(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return c if c < h() < c*x*9 else c*h()


def methods_of_arrays(x):
    c = np.array([x, x*x])
    def h():
        nonlocal c
        c = c*2
        return x
    return np.sum(c[1:]*h()) + (c*h()).sum() + c.sum()*h() + c.dot(c*h()) + c[0]*h()*c[1]


def recursion(x):
    c = x*1.0
    def h(n):
        nonlocal c
        if n == 0:
            return c
        c = c*x
        return c*h(n-1)
    return h(2)*c


def several_targets(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    y = z = c*h()
    l = [0.0, 0.0]
    l[0] = l[int(h()*0)+1] = c
    return y*z+l[1]+l[0]


def start_of_enumerate_bound_in_the_body(x):
    n = 1
    for k, v in enumerate([x, x*x], n):
        n += 1
        x = x*k*v
    return x*n


def key_of_max(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def gen():
        return max([c, h(), x], key=lambda u: u*h())
    return c*gen()


def part_of_an_array_with_two_names(x):
    a = np.array([x, 2*x])
    def h():
        nonlocal a
        b = a
        a = a*3
        b[0] = 7*x
        return x
    a[0] += h()
    return np.sum(a)


def small_operations(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return -c*h() + abs(c)*h() + (not c) + c**2*h() + [c][0]*h() + (c,)[0]*h()


def two_variables(x):
    c = x*1.0
    y = 0.0
    def h():
        nonlocal c, y
        c = c*2
        y += c
        return c
    y += c*h()
    y = y + h()*y
    return y


def parameter_of_the_function_around(x):
    c = x*1.0
    def outer(t):
        def inner():
            nonlocal t
            t = t*c
            return t
        return t*inner()*t
    return outer(c)*outer(x)


def index_and_step(x):
    it = [x, x*2, x*3]
    k = 0
    def nxt():
        nonlocal k
        k += 1
        return it[k-1]
    return it[k]*nxt() + it[k]*nxt()*it[k]


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


def function_is_set(x):
    def k(u):
        return u*x
    def setk(fn):
        nonlocal k
        k = fn
    setk(lambda u: u*u)
    return k(x)*x


def part_of_a_dict(x):
    st = {"c": x}
    def h():
        st["c"] = st["c"]*2
        return x
    return st["c"]*h()*st["c"]


def part_of_a_list(x):
    l = [x, x]
    def h():
        l[0] = l[0]*2
        return x
    return l[0]*h()*l[0] + sum(l)*h()*sum(l)


class Obj:
    def __init__(self, v):
        self.v = v
    def bump(self):
        self.v = self.v*2
        return self.v


def attribute_of_a_rebound_object(x):
    o = Obj(x)
    p = Obj(x*3)
    o2 = o
    def h():
        nonlocal o
        o = p
        return x
    o.v *= h()
    return o.v*x + o2.v


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


def calls_in_arguments(x):
    c = x*1.0
    def h(v):
        nonlocal c
        c = c*v
        return c
    return h(c*h(c))*c + h(v=c+h(x)*c)


def items_of_loops(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    for v in (c, h(), c):
        x = x*v
    for i, (u, v) in enumerate(zip([c, h()], [h(), c])):
        x += u*v*i
    return x


def ranges(x):
    n = 2
    s = 0.0
    def h():
        nonlocal n
        n = n+1
        return x
    for i in range(n):
        s += h()*i
    for u, v in zip(range(n, n+3), [x, x*2, x*3]):
        s += u*v*h()*n
    for j in reversed(range(1, n)):
        s += j*h()
    for k, j in enumerate(range(n-2, n)):
        s += k*j*h()
    return s*n


def indices_of_two_axes(x):
    a = np.array([[x, x*2], [x*3, x*4]])
    i = 0
    def nxt():
        nonlocal i
        i = 1-i
        return i
    s = a[i, nxt()]*a[nxt(), i] + a[i][nxt()]
    a[i, nxt()] = x*9
    a[i:nxt()+1, i] = x*11
    return s*a[0, 1]+a[1, 0]+a[0,0]*x+a[1,1]


def text(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    s = len(f"{c > 0}{h()}")
    return c*x + s*0


def nested_targets(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    p, (q_, r) = c, (h(), c)
    p, *r2 = [c, h(), c]
    return p*q_*r+r2[0]*r2[1]


def helper_reads_and_calls(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def inner(t):
        return t*c*h()*t*c
    return inner(c)+inner(t=c)*c


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


def handed_to_a_function_of_the_module(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return called_between(h, c)*called_late(h, c)*c


def lambda_that_calls(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    def g():
        return c*h()
    return c*g()*g()


def conditions_of_comprehensions(x):
    c = x*1.0
    a = np.array([x, x*x])
    def h():
        nonlocal c
        c = c*2
        return c
    r = [c*h() for v in a if c < h()*v*100]
    d = {k: c*h()*c for k in ("u", "v")}
    g = sum(c*h()*v for v in a)
    return sum(r)*d["u"]*d["v"]+g


def in_a_handler(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    try:
        y = c + h()
        if y > 0:
            raise ValueError
        y = 0.0
    except ValueError:
        y = c*h()+c
    return y*c


def swap_by_steps(x):
    i = 0
    v = [x, x*2, x*3]
    def nxt():
        nonlocal i
        i += 1
        return i
    v[i], v[nxt()] = v[nxt()], v[i]
    return v[0]+v[1]*2+v[2]*5


def parameter(x):
    x0 = x
    def h():
        nonlocal x
        x = x*2
        return x
    return x*h()*x0


def rebound_in_place(x):
    c = np.array([x, x*x])
    def h():
        nonlocal c
        c *= 2
        return c
    d = c
    return np.sum(c*h()) + np.sum((c+1)*h()) + d[0]


def written_and_not_rebound(x):
    c = np.array([x, x*x])
    def h():
        c[0] = 7*x
        return x
    y = c*h()
    c += h()
    return np.sum(y*c) + np.sum(c[:1]*h())


def short_circuits(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return (c if x > 0 else 1.0)*h() + (c and x)*h() + (c > 0 and c < 100)*h() + (0 < c < h())*c


def conditions_with_and(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c > 0
    y = 1.0
    while h() and c < 50*x:
        y = y*c
    while not c > 100*x or h() and c < 1000*x:
        c = c*3
    return y*c


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


def deleted_part(x):
    a = [x, x*2]
    c = 0
    def h():
        nonlocal c
        c += 1
        return c
    del a[h()-1]
    return a[c-1]*c


def slice_of_a_rebound_array(x):
    a = np.array([x, 2*x, 3*x])
    b = a
    def h():
        nonlocal a
        a[0] = x*x
        a = a*2
        return x
    a[0:2] += h()
    a *= h()
    return np.sum(a*np.array([1., 2., 3.])*b)


class Holder:
    def __init__(self, v):
        self.v = v

    def bump(self):
        self.v = self.v*2
        return self.v


def attribute_before_its_method(x):
    o = Holder(x)
    o.v += o.bump()
    return o.v


def array_of_an_object(x):
    o = Holder(np.array([x, x*2]))
    def h():
        o.v = o.v*3
        return x
    o.v[0] += h()
    return np.sum(o.v)


FUNCTIONS = [
    attribute_before_its_method, array_of_an_object,
    closure_reads_a_target, call_binds_a_target, array_in_place, part_of_the_old_array,
    loop_over_a_rebound_list, two_levels, closures_that_are_returned, in_try, comprehensions,
    lambda_default_behind_a_call, map_of_a_local_function, reduce_of_a_local_function,
    partial_keeps_the_value, loop_variable, start_of_enumerate, value_before_index, condition,
    owner_behind_the_value, owner_before_the_index, defaults_and_keywords,
    parameter_beside_the_variable, condition_of_while, old_list_grows, old_list_is_extended,
    tuples, part_of_the_old_dict, starred_arguments, augmented_by_calls,
    slice_is_a_view, chained_comparison, methods_of_arrays, recursion, several_targets,
    start_of_enumerate_bound_in_the_body, key_of_max, part_of_an_array_with_two_names,
    small_operations, two_variables, parameter_of_the_function_around, index_and_step,
    function_is_rebound, function_is_rebound_in_keywords,
    function_is_rebound_in_a_loop, function_is_set, part_of_a_dict, part_of_a_list,
    attribute_of_a_rebound_object, two_counters, calls_in_arguments, items_of_loops, ranges,
    indices_of_two_axes, text, nested_targets, helper_reads_and_calls,
    function_with_its_own_variable, handed_to_a_function_of_the_module, lambda_that_calls,
    conditions_of_comprehensions, in_a_handler, swap_by_steps, parameter, rebound_in_place,
    written_and_not_rebound, short_circuits, conditions_with_and, sibling_that_binds_as_well,
    deleted_part, slice_of_a_rebound_array,]

# What one expression is made of, behind a call that binds a variable of the function around it.
HEAD = """import math

import numpy as np


def f(x):
    c = x*1.0
    l0 = [x*1.0]
    a = np.array([x, x])
    def add(v):
        nonlocal c
        c = c + v
        return c
    def h():
        nonlocal c
        c = c*2
        return c
    def hx():
        nonlocal c
        c = c*2
        return x
    def one():
        nonlocal c
        c = c*2
        return 1.0
    def zero():
        nonlocal c
        c = c*2
        return 0.0
    def outer():
        return c*h()
    def bump(b):
        b[0] = b[0]*2.0
        return x
    def g(u,v,w): return u*v+w
    i = 0
    def step():
        nonlocal i
        i = i + 1
        return i
"""
EXPRESSIONS = [
    "return c*add(x)",
    "y = c+add(x)\n    return y*x",
    "l=[c,add(x),c]\n    return l[0]*l[1]*l[2]",
    "return (c,hx(),c)[0]",
    "return g(c,one(),c)",
    "return c*x if c<one()*x+1e-9 else -c",
    "c += h()\n    return c",
    "return [c*h() for _ in range(3)][2]",
    "s=0.0\n    while c < 20*x+zero():\n        s += c\n    return s",
    "v=a*1.0\n    return v[int(zero())]*c+[c,h()][0]",
    'd={"u":c,"v":h(),"w":c}\n    return d["u"]*d["v"]+d["w"]',
    "return -c+h()",
    "return outer()*c",
    "return np.sum(a*c*h())",
    "return c**h()",
    "return np.where(c<h(), c, -c)*c",
    "return math.sin(c)*add(c)+c",
    "return (c if c>0 else 0)*h()",
    "return c and h()*c",
    "a[0] += bump(a)\n    return a[0]*a[1]",
    "a[0] = a[0]+bump(a)\n    return a[0]*a[1]",
    "a[i] += step()*x\n    return a[0]**2+a[1]*3",
    "a[step()] += i*x\n    return a[0]**2+a[1]*3",
    "a[i] = step()*x\n    return a[0]**2+a[1]*3",
    "return a[i]*step()*a[i]*x",
    "b = a\n    b[i:step()] *= x\n    return np.sum(b*a)",
    "t = c, h(), c\n    u,v,w = t\n    return u*v+w",
    "c, d = h(), c\n    return c*d*x",
    "return f'{c}' and c*h()",
    "for k in range(2):\n        c = c*h()\n    return c",
    "z = c if h()>0 else x\n    return z*c",
    "return c*(h() if x>0 else x)",
    "return c*(lambda q: q*h())(x)",
    "return sum([c, h(), c])",
    "return max(c, h())*c",
    "assert c < h()\n    return c",
    "return c*h()*c*h()",
    "return g(c, w=c, v=h())",
    "l0[0] += add(l0[0])\n    return l0[0]",
    "if c < h() and c > x: return c*x\n    return x",
    "return c < h() and c*1.0 or x",
    "return (c+h())/(c-add(x))",
    "y = (c:=c*3)*h()\n    return y*c",
    "return c*np.sum(a*h())",
    "k = {'q': c}\n    k['q'] *= h()\n    return k['q']",
]


def held(function, x):
    """Value, gradient and tangent of a function of a number."""
    value = function(x)
    slope = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    found, gradient = tl.value_and_grad(function)(x)
    again, tangent = tl.jvp(function, (x,), (1.0,))
    np.testing.assert_allclose([found, again], value, rtol=1e-9)
    np.testing.assert_allclose([gradient, tangent], slope, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [1.5, 0.8])
@pytest.mark.sweep(8)
def test_function(function, x):
    held(function, x)


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)))
@pytest.mark.sweep(8)
def test_expression(number, tmp_path):
    path = tmp_path / "written.py"
    path.write_text(f"{HEAD}    {EXPRESSIONS[number]}\n")
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    held(names["f"], 1.5)
