"""Expressions, and what stands in them: comprehensions, slices, contexts."""

RIGHT = {
"BoolOp": '''
# args: 0.7, 1.3
def f(x, y):
    z = (x > 1.0 and y) or x * y
    return z * z
''',
"NamedExpr": '''
# args: 0.7, 1.3
def f(x, y):
    if (z := x * y) > 0.5:
        return z * x
    return z
''',
"BinOp": '''
# args: 0.7, 1.3
def f(x, y):
    return (x + y) * x - y / x
''',
"UnaryOp": '''
# args: 0.7
def f(x):
    return -x * x
''',
"Lambda": '''
# args: 0.7, 1.3
def f(x, y):
    square = lambda v, c=y: c * v * v + x
    return square(x) * square(2.0, x)
''',
"IfExp": '''
# args: 0.7, 1.3
def f(x, y):
    return x * y if x < y else x - y
''',
"Dict": '''
# args: 0.7, 1.3
def f(x, y):
    d = {"a": x * y, "b": y}
    e = {**d, "c": x}
    return d["a"] * e["b"] * e["c"]
''',
"ListComp": '''
# args: np.array([0.7, 1.3, -0.4]), 0.6
def f(x, c):
    return sum([c * v * v for v in x if v > 0.0])
''',
"DictComp": '''
# args: np.array([0.7, 1.3, -0.4]), 0.6
def f(x, c):
    d = {k: c * v for k, v in enumerate(x)}
    return d[0] * d[1]
''',
"GeneratorExp": '''
# args: np.array([0.7, 1.3, -0.4]), 0.6
def f(x, c):
    return sum(c * v * v for v in x) * max(v for v in x)
''',
"comprehension": '''
# args: np.array([0.7, 1.3, -0.4]), 0.6
def f(x, c):
    return sum(v * w * c for v in x if v > 0.0 for w in x[1:] if w != v)
''',
"Compare": '''
# args: 0.7, 1.3
def f(x, y):
    return x * y if 0.0 < x <= y < 2.0 else x
''',
"Call": '''
# args: 0.7, 1.3
def f(x, y):
    return math.sin(x) * np.power(y, 2)
''',
"Call: of what is known at run time": '''
# args: 0.7, 1.3
def f(x, y):
    g = math.sin if x < y else math.cos
    return g(x) * [math.exp, math.tanh][1](y)
''',
"FormattedValue": '''
# args: 0.7
def f(x):
    d = {"w1": x * x}
    k = 1
    return d[f"w{k}"] * x
''',
"JoinedStr": '''
# args: 0.7
def f(x):
    text = f"x is {x:.3f} and {x!r}"
    return x * x * (len(text) > 3)
''',
"Constant": '''
# args: 0.7
def f(x):
    return 2.5 * x + 3 * x * x
''',
"Attribute": '''
# args: np.array([[0.7, 1.3], [0.2, -0.4]])
def f(x):
    return np.sum(x.T @ x) * x.shape[0]
''',
"Attribute: of an argument": '''
# args: SimpleNamespace(w=0.7, b=1.3)
def f(p):
    return p.w * p.b * p.b
''',
"Subscript": '''
# args: np.array([0.7, 1.3, -0.4])
def f(x):
    return x[0] * x[-1]
''',
"Subscript: with arrays": '''
# args: np.array([0.7, 1.3, -0.4])
def f(x):
    return np.sum(x[[0, 0, 2]]) * np.sum(x[x > 0.0])
''',
"Slice": '''
# args: np.array([0.7, 1.3, -0.4, 0.9])
def f(x):
    return np.sum(x[1:] * x[:-1]) * np.sum(x[::-2])
''',
"Starred": '''
# args: 0.7, 1.3
def f(x, y):
    first, *rest = [x, y, x * y]
    return first * rest[0] * rest[-1]
''',
"Starred: in a call": '''
# args: 0.7, 1.3
def product(*vs):
    p = 1.0
    for v in vs:
        p = p * v
    return p
def f(x, y):
    return product(x, *[y, x * y])
''',
"Name": '''
# args: 0.7
def f(x):
    return x
''',
"List": '''
# args: 0.7, 1.3
def f(x, y):
    xs = [x, y, *[x * y]]
    xs[0] = xs[1] * xs[2]
    return xs[0] * sum(xs)
''',
"Tuple": '''
# args: 0.7, 1.3
def f(x, y):
    pair = x, y
    x, y = pair[1], pair[0] * x
    return x * y
''',
"Load": '''
# args: np.array([0.7, 1.3])
def f(x):
    return x[0] * x[1]
''',
"Store": '''
# args: np.array([0.7, 1.3])
def f(x):
    y = x.copy()
    y[0] = x[1] * x[0]
    return y[0] * y[1]
''',
"Del": '''
# args: 0.7
def f(x):
    y = x * x
    z = y * x
    del y
    return z
''',
"Yield: in a helper": '''
# args: 0.7
def powers(x):
    for k in range(3):
        yield x ** k
def f(x):
    return sum(powers(x))
''',
"Yield: whose value is used": '''
# args: 0.7
def powers(x):
    y = yield x * x  # here
    yield x * y
def f(x):
    items = powers(x)
    return next(items) * items.send(x)
''',
"YieldFrom: whose value is used": '''
# args: 0.7
def powers(x):
    yield x * x
    return x
def both(x):
    y = yield from powers(x)  # here
    yield x * y
def f(x):
    return sum(both(x))
''',
"YieldFrom: in a helper": '''
# args: 0.7
def powers(x):
    yield from [x, x * x]
def f(x):
    y = 1.0
    for v in powers(x):
        y = y * v
    return y
''',
}
EITHER = {
"Set": '''
# args: 0.7
def f(x):
    names = {"a", "b"}  # here
    return x * x * len(names)
''',
"SetComp": '''
# args: 0.7
def f(x):
    rests = {k % 2 for k in range(4)}  # here
    return x * x * len(rests)
''',
"Set: of numbers that vary": '''
# args: 0.7
def f(x):
    return sum({x, x * x})  # here
''',
}
REFUSED = {
"Await": '''
# args: 0.7
async def f(x):  # here
    return await x
''',
"Yield": '''
# args: 0.7
def f(x):
    yield x * x  # here
''',
"Yield: in a try": '''
# args: 0.7
def powers(x):
    try:
        yield x * x  # here
    finally:
        x = 0.0
def f(x):
    return sum(powers(x))
''',
"YieldFrom": '''
# args: 0.7
def f(x):
    yield from [x]  # here
''',
}
