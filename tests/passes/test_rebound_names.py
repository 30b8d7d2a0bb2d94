"""A variable that a call binds anew is read where Python reads it; held against differences."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.rebound_programs import PROGRAMS

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


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("x", [1.5, 0.8])
@pytest.mark.sweep(8)
def test_function(name, x):
    held(PROGRAMS[name], x)


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)))
@pytest.mark.sweep(8)
def test_expression(number, tmp_path):
    path = tmp_path / "written.py"
    path.write_text(f"{HEAD}    {EXPRESSIONS[number]}\n")
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    held(names["f"], 1.5)
