"""Variables that a call binds anew: in expressions, conditions, targets and loops."""
import numpy as np

from tests.rebound_programs.shared import program


@program
def closure_reads_a_target(x):              # parallel, closure reads what is bound
    c = x*1.0
    def h():
        return c * 2
    c, e = x*x, h()
    return c*e


@program
def call_binds_a_target(x):              # parallel, call rebinds an earlier target
    d = x
    def h():
        nonlocal d
        d = d*5
        return d
    d, e = x*x, h()
    return d*e


@program
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


@program
def comprehensions(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return [c for _ in range(2)][0]*h()*[c+h() for _ in range(2)][1]


@program
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


@program
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


@program
def condition(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    if h() > c and c > 0:
        return c*h()
    return x


@program
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


@program
def augmented_by_calls(x):
    c = x*1.0
    def h():
        nonlocal c
        c *= x
        return c
    c *= h()
    c -= h()*c
    return c


@program
def chained_comparison(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return c if c < h() < c*x*9 else c*h()


@program
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


@program
def start_of_enumerate_bound_in_the_body(x):
    n = 1
    for k, v in enumerate([x, x*x], n):
        n += 1
        x = x*k*v
    return x*n


@program
def small_operations(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return -c*h() + abs(c)*h() + (not c) + c**2*h() + [c][0]*h() + (c,)[0]*h()


@program
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


@program
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


@program
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


@program
def text(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    s = len(f"{c > 0}{h()}")
    return c*x + s*0


@program
def nested_targets(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    p, (q_, r) = c, (h(), c)
    p, *r2 = [c, h(), c]
    return p*q_*r+r2[0]*r2[1]


@program
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


@program
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


@program
def parameter(x):
    x0 = x
    def h():
        nonlocal x
        x = x*2
        return x
    return x*h()*x0


@program
def short_circuits(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    return (c if x > 0 else 1.0)*h() + (c and x)*h() + (c > 0 and c < 100)*h() + (0 < c < h())*c


@program
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
