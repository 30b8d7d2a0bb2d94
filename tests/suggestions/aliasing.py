"""What is changed under two names, and what is given twice."""
from tests.suggestions import done, rewritten

rewritten("b and a may be one object, or one holds the other, and b is changed", "1.5", """
def f(x):
    a = {"x": x}
    b = a.copy() if x > 0.0 else {"x": x}
    b["x"] = b["x"] * 2.0
    return a["x"] * b["x"]
""")

done("a derivative with debug= cannot be written to a file", "tl.grad(f).save(path, 2.0)", "None",
     """
def f(x):
    return x * x
""")

for call in ("tl.grad(f)(a, a.copy())",):
    done("f writes into x, which shares memory with y", call, "[0.0, 3.0, 1.0]", """
a = np.ones(3)

def f(x, y):
    x[0] = 2.0 * y[1]
    return np.sum(x * y) + x[0] * x[1]
""")

done("f writes into x, which shares memory with table", "tl.grad(f)(table.copy())",
     "[0.0, 3.0, 1.0]", """
table = np.ones(3)

def f(x):
    x[0] = 2.0 * x[1]
    return np.sum(x * table)
""")

done("f writes into x, which may share memory with table here", "tl.grad(total)(table)",
     "[0.0, 10.0, 2.0]", """
from tangent_lite import grad

table = np.ones(3)

def f(x):
    x[0] = 2.0 * x[1]
    return np.sum(x * x * table)

def total(x):
    return np.sum(grad(f)(x.copy()))
""")

done("f changes a, and a list, dict or object of it is part of b, too",
     "tl.grad(f)(state, copy.deepcopy(state))['v']", "6.0", """
import copy

state = {"v": 2.0}

def f(a, b):
    a["v"] = 3.0 * a["v"]
    return a["v"] * b["v"]
""")

done("what is changed here was given twice: as two arguments, as an argument and from outside, or "
     "at "
     "two places of one", "tl.grad(f)(a, a.copy())", "[0.0, 1.0, 1.0]", """
a = np.ones(3)

def f(x, y, *rest, key=None):
    x[0] = 2.0 * y[1]
    return np.sum(x * y)
""")

done("whether two arrays share memory is asked of what was given twice", "tl.grad(f)([a, a])[0]",
     "[1.0, 1.0, 1.0]", """
a = np.ones(3)

def f(p, *rest, key=None):
    return np.sum(p[0]) if p[0] is p[1] else np.sum(p[1])
""")

done("a derivative that finds adjoints by identity cannot be written to a file",
     "tl.grad(f).save(path, 2.0)", "None", """
def f(x):
    d = {"a": x}
    e = d.copy() if x > 0.0 else {"a": x}
    e["a"] = x * x
    return d["a"] * x
""")

done("c, which <lambda> reads, was bound anew since the value was computed", "slope(2.0)", "12.0",
     """
from tangent_lite import vjp

def slope(x):
    c = 2.0
    y, pullback = vjp(lambda v: c * v * v, x)
    c = 3.0
    y, pullback = vjp(lambda v: c * v * v, x)
    return pullback(1.0)[0]
""")

done("c, which <lambda> reads, was changed since the value was computed", "pullback(1.0)[0]",
     "[2.0, 2.0, 2.0]", """
from tangent_lite import vjp

c = np.ones(3)
y, pullback = vjp(lambda v, c: np.sum(c * v * v), np.ones(3), c)
c[0] = 2.0
""")
