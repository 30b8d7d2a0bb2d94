"""Statements, and what stands in them: handlers, with-items, parameters, type parameters."""

RIGHT = {
"FunctionDef": '''
# args: 0.7, 1.3
def f(x, y):
    def area(a, b=2.0):
        return a * b * x
    return area(y) + area(x, y)
''',
"FunctionDef: a helper": '''
# args: 0.7, 1.3
def area(a, b=2.0):
    return a * b
def f(x, y):
    return area(y) + area(x, y)
''',
"Return": '''
# args: 0.7, 1.3
def f(x, y):
    return x * y
''',
"Return: early": '''
# args: 0.7, 1.3
def f(x, y):
    for k in range(4):
        x = x * y
        if x > 1.0:
            return x * k
    return y
''',
"Delete": '''
# args: 0.7, 1.3
def f(x, y):
    t = x * y
    z = t * t
    del t
    return z
''',
"Delete: of items": '''
# args: 0.7, 1.3
def f(x, y):
    xs = [x, y, x * y]
    d = {"a": x, "b": y}
    del xs[0], d["b"]
    return xs[0] * xs[1] * d["a"]
''',
"Assign": '''
# args: 0.7, 1.3
def f(x, y):
    a = b = x * y
    a = a * x
    return a + b
''',
"Assign: to an element": '''
# args: np.array([0.7, 1.3, -0.4])
def f(x):
    x[0] = x[1] * x[2]
    x[1:] = x[:-1] * x[0]
    return np.sum(x)
''',
"Assign: to an attribute": '''
# args: 0.7, 1.3
class Point:
    pass
def f(x, y):
    p = Point()
    p.x = x * y
    p.x = p.x * x
    return p.x
''',
"AugAssign": '''
# args: 0.7, 1.3
def f(x, y):
    z = x
    z += y
    z *= z
    return z - x
''',
"AugAssign: on an array": '''
# args: np.array([0.7, 1.3]), 0.4
def f(x, c):
    y = x
    y *= c
    return np.sum(x * x)
''',
"AnnAssign": '''
# args: 0.7
def f(x):
    y: float = x * x
    z: float
    z = y * x
    return z
''',
"For": '''
# args: np.array([0.7, 1.3, -0.4])
def f(x):
    total = 1.0
    for k, v in enumerate(x):
        total = total * v + k
    return total
''',
"For: with else": '''
# args: 0.7, 1.3
def f(x, y):
    for k in range(3):
        x = x * y
        if x > 5.0:
            break
    else:
        x = x + y
    return x
''',
"While": '''
# args: 0.7, 1.3
def f(x, y):
    while x < 3.0:
        x = x * y + 0.5
    return x
''',
"While: with else": '''
# args: 0.7, 1.3
def f(x, y):
    k = 0
    while k < 3:
        k += 1
        if k == 2:
            continue
        x = x * y
    else:
        x = x + y
    return x
''',
"If": '''
# args: 0.7, 1.3
def f(x, y):
    if x > y:
        z = x
    elif x * y > 0.5:
        z = x * y
    else:
        z = y
    return z * z
''',
"With": '''
# args: np.array([0.7, 1.3])
def f(x):
    with np.errstate(divide="ignore"):
        y = 1.0 / x
    return np.sum(y)
''',
"withitem": '''
# args: 0.7, 1.3
def f(x, y):
    with contextlib.nullcontext(x * y) as z, contextlib.suppress(KeyError):
        z = z * x
    return z
''',
"Match": '''
# args: 0.7, "twice"
def f(x, how):
    match how:
        case "twice":
            y = 2.0 * x * x
        case _:
            y = x
    return y
''',
"Raise": '''
# args: 0.7
def f(x):
    if x > 100.0:
        raise ValueError("too large")
    return x * x
''',
"Raise: and caught": '''
# args: 0.7
def f(x):
    try:
        y = x * x
        raise ValueError("always")
    except ValueError:
        y = x * x * x
    return y
''',
"Try": '''
# args: 0.7
def f(x):
    try:
        y = math.sqrt(x)
    except ValueError:
        y = 0.0
    else:
        y = y * x
    finally:
        z = x * x
    return y * z
''',
"ExceptHandler": '''
# args: 0.7
def f(x):
    xs = [x, x * x]
    try:
        y = xs[5]
    except (IndexError, KeyError) as error:
        y = xs[-1] * len(error.args)
    return y * x
''',
"Assert": '''
# args: 0.7
def f(x):
    assert x > 0.0, f"{x} is not positive"
    return math.sqrt(x)
''',
"Global": '''
# args: 0.7
rate = 3.0
def f(x):
    global rate
    return rate * x * x
''',
"Nonlocal": '''
# args: 0.7
def f(x):
    total = 0.0
    def add(v):
        nonlocal total
        total = total + v * x
    add(x)
    add(2.0)
    return total * x
''',
"Expr": '''
# args: 0.7
def f(x):
    """A docstring is one."""
    xs = [x]
    xs.append(x * x)
    return xs[0] * xs[1]
''',
"Pass": '''
# args: 0.7
def f(x):
    if x > 0.0:
        pass
    else:
        x = -x
    return x * x
''',
"Break": '''
# args: 0.7
def f(x):
    for k in range(10):
        if x > 1.0:
            break
        x = x * 1.4
    return x * k
''',
"Continue": '''
# args: 0.7
def f(x):
    y = 0.0
    for k in range(5):
        if k % 2:
            continue
        y = y * x + k + x
    return y
''',
"arguments": '''
# args: 0.7, 1.3
def scaled(a, /, b=2.0, *more, c, d=1.5, **options):
    return a * b * c + d * sum(more) * options.get("e", 1.0)
def f(x, y):
    return scaled(x, c=y) + scaled(x, y, x, y, c=x, d=y, e=x)
''',
"arg": '''
# args: 0.7, 1.3
def f(x: float, y: float) -> float:
    return x * y * y
''',
"keyword": '''
# args: 0.7, 1.3
def power(base, times):
    return base ** 2 * times
def f(x, y):
    return power(times=x, base=y)
''',
"keyword: with **": '''
# args: 0.7, 1.3
def power(base, times):
    return base ** 2 * times
def f(x, y):
    options = {"times": x, "base": y}
    return power(**options)
''',
}
EITHER = {
"ClassDef": '''
# args: 0.7
def f(x):
    class Point:  # here
        scale = 2.0
    return x * x * Point.scale
''',
"Import": '''
# args: 0.7
def f(x):
    import math  # here
    return math.sin(x)
''',
"ImportFrom": '''
# args: 0.7
def f(x):
    from math import sin  # here
    return sin(x)
''',
"alias": '''
# args: 0.7
def f(x):
    import math as m  # here
    return m.sin(x)
''',
"TryStar": '''
# args: 0.7
# python: 3.11
def f(x):
    try:  # here
        y = math.sqrt(x)
    except* ValueError:
        y = 0.0
    return y * x
''',
"TypeAlias": '''
# args: 0.7
# python: 3.12
def f(x):
    type Number = float  # here
    return x * x
''',
"TypeVar": '''
# args: 0.7
# python: 3.12
def double[T](v: T) -> T:
    return v * 2.0
def f(x):
    return double(x) * x
''',
"ParamSpec": '''
# args: 0.7
# python: 3.12
def double[**P](v, *args: P.args, **kwargs: P.kwargs):
    return v * 2.0
def f(x):
    return double(x) * x
''',
"TypeVarTuple": '''
# args: 0.7
# python: 3.12
def double[*Ts](v, *args: *Ts):
    return v * 2.0
def f(x):
    return double(x) * x
''',
"Global: bound": '''
# args: 0.7
calls = 0
def f(x):
    global calls  # here
    calls = 1
    return x * x
''',
}
REFUSED = {
"AsyncFunctionDef": '''
# args: 0.7
async def f(x):  # here
    return x * x
''',
"AsyncFor": '''
# args: 0.7
async def f(x):  # here
    async for v in x:
        x = x * v
    return x
''',
"AsyncWith": '''
# args: 0.7
async def f(x):  # here
    async with x as y:
        return y
''',
}
