"""Lists, dicts and tuples."""
from tests.heap.followed import case

case("a slice of a tuple of active values is not handled yet", "2.0", """
def f(x):
    parts = (x, 2.0 * x, 3.0)
    n = 0
    if x > 1.0:
        n = 1
    rest = parts[n:]
    return rest[0]
""")

case("row holds real numbers and becomes a part of what holds complex ones, so that which part of "
     "an adjoint is its own is not known", "2.0", """
def f(x):
    z = (1 + 2j) * x
    row = [0.0, 0.0]
    for k in range(2):
        row[k] = z.real * (k + 1)
    rows = [[1j * x, z], row]
    s = 0j
    for k in range(2):
        for j in range(2):
            s = s + rows[k][j] * (2 + 1j)
    return abs(s) ** 2
""")

case("joining tuples or lists of active values is not handled yet", "2.0, 3", """
def f(x, n):
    parts = (x, 2.0 * x) * n
    return parts[1]
""")

case("whether this computes with numbers or joins tuples is not known", "2.0, 1", """
def f(x, n):
    parts = (x,)
    for _ in range(n):
        parts = parts + parts
    return parts[0] * parts[-1]
""")

case("whether this computes with numbers or joins tuples is not known", "2.0, 1", """
def f(x, n):
    parts = (x,)
    for _ in range(n):
        parts *= 2
    return parts[0] * parts[-1]
""")

case("whether this computes with numbers or joins tuples is not known", "2.0, 1", """
def both(some, others):
    return some + others

def f(x, n):
    some, others = (x * x,), (x,)
    for _ in range(n):
        some, others = others, both(some, others)
    return some[0] * np.cos(others[-1])
""")

case("what this is made of is not known", '2.0, ["a", "b"]', """
def f(x, names):
    parts = {name: x for name in names}
    return {**parts, "z": x}["z"] * x
""")

case("a part of a list of active values is replaced, which is not handled", "2.0, 2", """
def f(x, k):
    parts = [x, 2.0 * x, 3.0]
    parts[0:k] = [x]
    return parts[0]
""")

case("an item is inserted at a place that may be counted from the end", "2.0, -1", """
def f(x, k):
    parts = [x, 2.0 * x, 3.0]
    parts.insert(k, x)
    return parts[0]
""")

case("a container is taken out of a list of active values, which is not handled", "2.0", """
from collections import namedtuple
Pair = namedtuple("Pair", "a b")

def f(x):
    parts = []
    for i in range(3):
        pair = Pair(x, i * x)
        parts.append(pair)
    parts.pop()
    last = parts[1]
    return last[0] * last[1]
""")

case("AliasError: parts is changed while it is looped over", "2.0", """
def f(x):
    parts = [x, x]
    for part in parts:
        if len(parts) < 4:
            parts.append(part)
    return parts[0]
""")

case("AliasError: y goes into the list parts, and is written to in place",
     "np.array([1.5, 0.7, 2.2])", """
def f(x):
    y = 2.0 * x
    parts = []
    for i in range(2):
        parts.append(y)
    y[0] = 3.0
    return np.sum(parts[0])
""")

case("a nested argument is not handled on active values yet", "np.array([1.5, 0.7])", """
def f(x):
    first = None
    for value in x:
        first = value if first is None else first
    return np.sum(np.concatenate([(first, x[1]), (x[1],)]))
""")

case("AliasError: a list changes here under a name that it did not have before", "2.0", """
def f(x):
    costs = [x, x * x]
    total = 0.0
    for cost in costs:
        total += cost * cost
    others = costs
    costs = [total]
    others[0] = 3.0 * x
    return total * others[0] * costs[0]
""")

case("what this call gives is one of several containers, for which its rule is not made",
     "2.0", """
def f(x):
    return max([x, 3.0], [x * x, 1.0])[0]
""", mode="jvp")

case("UnsupportedSyntaxError: t is a tuple whose parts are tuples on some ways only",
     "np.array([1.5, 0.7])", """
def f(x):
    t = (x, x * x)
    if x[0] > 0.1:
        t = (t, t[0])
        if x[0] > 0.2:
            t = (t, t[0])
    return np.sum(t[1][1])
""")

case("UnsupportedSyntaxError: t is a tuple whose parts are tuples on some ways only",
     "np.array([1.5, 0.7])", """
def f(x):
    t = (x, x * x)
    if x[0] > 0.1:
        t = (t, t[0] if x[1] > 0.0 else x)
        if x[0] > 20.0:
            t = (t, t[0] if x[1] > 0.0 else x)
    return 0.0 + np.sum(t[1])
""")

case("is a dict, of which this takes the keys", "2.0", """
def f(x):
    weights = {}
    for k in range(3):
        weights["abc"[k]] = x * k
    return weights[max(weights)] * x * weights["b"]
""")

case("whether p is a list or an array is not known", "np.array([0.6, 0.7, 0.3])", """
def f(x):
    p = [x[0], x[1] * x[0], 0.7]
    if x[0] > 1.09:
        p -= x
    b = np.square(p)
    p[-1] = x[1]
    return np.sum(b) * np.sum(p)
""")

case("zip is no builtin here, and is written out as one", "2.0", """
def f(x):
    def zip(first, second):
        return [(first, second), (second, 3.0)]
    total = 0.0
    for a, b in zip(x, 2.0):
        total += a * b
    return total
""")

case("d is changed while a view of it is read", "2.0", """
def f(x):
    d = {"a": x, "b": x * x}
    values = d.values()
    d["a"] = 3.0 * x
    return sum(values)
""")

case("AliasError: whether sums has memory of its own is not known, and it is written to in place",
     "np.array([1.5, 0.7, 2.2])", """
from collections import defaultdict

def f(x):
    sums = defaultdict(complex)
    for k in range(len(x)):
        sums[k % 2] += x[k] * x[k]
    return (sums[0] * sums[1]).real
""")

case("AliasError: an array in rows is written to in place, and others may share its memory",
     "np.array([1.5, 0.7, 2.2])", """
def f(x):
    rows = [2.0 * x, x * x]
    rows[0] = rows[1]
    for k in range(2):
        rows[k][0] = x[1] * k
    return np.sum(rows[1] ** 2)
""")

case("what a view of a dict is asked for here, a list would not answer", "2.0", """
def f(x):
    d = {}
    for k in range(3):
        d[k] = x * k
    keys = d.keys()
    total = 0.0
    for k in keys:
        total = total + d[k] * (2.0 if isinstance(keys, list) else 9.0)
    return total
""")
