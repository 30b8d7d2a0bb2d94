"""What is refused where derivatives are found by identity: generators, iterators, contexts."""
from tests.suggestions import rewritten

rewritten("what a generator is sent, or returns, cannot be followed", "2.0", """
def powers(x, y=None):
    yield x * x
    yield x if y is None else y

def f(x):
    return sum(part for part in powers(x))
""")

rewritten("a generator is sent something while it hands out the items of another", "2.0", """
def powers(x):
    y = yield x * x
    yield x * y

def both(x):
    items = powers(x)
    y = yield next(items)
    yield items.send(y)

def f(x):
    items = both(x)
    return next(items) * items.send(x)
""")

for squared in ("    yield y\n    yield y", "    return [y, y]"):
    rewritten("a generator that returns a value, which whoever loops over it drops", "2.0", f"""
def squared(x):
    y = x * x
{squared}

def f(x):
    return sum(part for part in squared(x))
""")

rewritten("a generator that returns a value, which whoever loops over it drops", "2.0", """
def squared(x):
    y = x * x
    yield y
    return y

def whole(x):
    total = yield from squared(x)
    yield total

def f(x):
    return sum(whole(x))
""")

rewritten("a generator that may be left inside of a `try` or a `with` cannot be followed", "2.0",
          """
def powers(x):
    try:
        square = x * x
        cube = x * x * x
    finally:
        print("done")
    yield square
    yield cube

def f(x):
    return sum(powers(x))
""")

rewritten("a dict is updated by a generator, which may look at it", "2.0", """
def squares(d):
    for key in list(d):
        yield key + "2", d[key] ** 2 * len(d)

def f(x):
    d = {"x": x}
    items = [*squares(d)]
    d.update(items)
    return d["x2"]
""")

rewritten("a generator that is kept cannot be followed", "np.array([1.0, 2.0])", """
def twice(items):
    return sum(items) * 2.0

def f(xs, *rest, key=None):
    return sum([twice([x * y for y in xs for _ in range(2)]) for x in xs])
""")

rewritten("a generator cannot be followed", "2.0, [float(k) for k in range(1, 4)]", """
def f(x, steps, *rest, key=None):
    for step in steps:
        x = x * step
    return x
""")

for given in ("list(steps)", "np.array(steps)"):
    rewritten("what a array goes through cannot be followed", f"2.0, {given}", """
import array

steps = array.array("d", [1.0, 2.0])

def f(x, steps, *rest, key=None):
    for step in steps:
        x = x * step
    return x
""")

rewritten("a generator is given to a function", "np.array([1.0, 2.0])", """
def sum(items):
    return max(items)

def f(xs, *rest, key=None):
    return sum([v * v for v in xs])
""")

rewritten("_ss cannot be followed: a generator that is kept cannot be followed", "2.0", """
import statistics

def f(x, *rest, key=None):
    values = [x, 2.0 * x, 3.0]
    return statistics.fmean(values)
""")

rewritten("the rule variance does not cover the argument xbar=", "2.0", """
import statistics

def f(x):
    return statistics.variance([x, 2.0 * x, 3.0])
""")

rewritten("groupby goes by numbers that may vary", "2.0", """
import itertools

def f(x, *rest, key=None):
    total = 0.0
    for key, items in itertools.groupby([x, x, 2.0 * x], key=lambda v: int(v > 3.0)):
        total = total + sum(items) * (1 + key)
    return total
""")

rewritten("what __next__ changes before it stops is lost", "2.0", """
class Steps:
    def __init__(self, x):
        self.left, self.x = 2, x

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.x = self.x * 2.0
        self.left -= 1
        return self.x

def f(x, *rest, key=None):
    return sum(Steps(x))
""")

rewritten("what a function changes before it stops the loop is lost", "2.0", """
def f(x, *rest, key=None):
    xs = [x]
    items = iter([1.0, 3.0, 9.0])

    def take():
        item = next(items)
        if item < 9.0:
            xs[0] = xs[0] * 2.0
        return item

    return sum(iter(take, 9.0)) * xs[0]
""")

rewritten("what __getitem__ changes before it ends a loop is lost", "2.0", """
class Table:
    def __init__(self, x):
        self.x, self.scale = [x, 2.0 * x], 1.0

    def __getitem__(self, k):
        if k >= len(self.x):
            raise IndexError
        self.scale = self.scale * self.x[0]
        return self.x[k]

def f(x, *rest, key=None):
    table = Table(x)
    return sum([v for v in table]) * table.scale
""")

rewritten("what is changed before an attribute turns out to be missing is lost", "2.0", """
class Body:
    def __init__(self, x):
        self.x = x

    @property
    def mass(self):
        raise AttributeError("mass")

def f(x, *rest, key=None):
    body = Body(x)
    return getattr(body, "mass", 1.0) * body.x
""")

rewritten("what a function changes before it raises StopIteration is lost", "2.0", """
def f(x, *rest, key=None):
    seen = [x]

    def scaled(v):
        if v > 2.0:
            raise StopIteration
        seen[0] = seen[0] * 2.0
        return v * x

    return sum(map(scaled, [1.0, 3.0])) * seen[0]
""")

rewritten("Ticket.__str__ reads what has changed, and is called unseen here", "2.0", """
class Ticket:
    sold = 0

    def text(self, sold):
        return f"no. {sold}"

def f(x, *rest, key=None):
    sold = Ticket.sold + 1
    return x * len(Ticket().text(sold))
""")

rewritten("Ticket.__hash__ changes something, and is called unseen here", "2.0", """
class Ticket:
    def __init__(self, price):
        self.price = price

    def double(self):
        self.price = self.price * 2.0
        return 1

def f(x, *rest, key=None):
    ticket = Ticket(x)
    seats = {ticket.double(): 1.0}
    return seats[1] * ticket.price
""")

rewritten("functools.wraps copies the attributes of a function which this run has changed", "2.0",
          """
import functools

class Count:
    calls = 0

def g(v, count):
    count.calls += 1
    return v * v

def f(x, *rest, key=None):
    count = Count()
    y = g(x, count)
    return y * count.calls
""")

rewritten("the method close of an iterator cannot be followed", "2.0", """
def squares(x):
    for k in range(3):
        yield k * x * x

def f(x, *rest, key=None):
    items = list(squares(x))
    return items[1]
""")

rewritten("what is called in this try fails after it has changed something", "2.0", """
def f(x, *rest, key=None):
    items = []
    try:
        for v in [x, -x]:
            items.append(v)
            x = math.sqrt(v)
    except ValueError:
        pass
    return sum(items) + x * 3.0
""")

rewritten("a context manager hides an exception", "2.0", """
def f(x, *rest, key=None):
    try:
        x = math.sqrt(-x)
    except ValueError:
        pass
    return x
""")

rewritten("what the context manager scaled does cannot be followed", "2.0", """
class Scaled:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x if self.x > 3.0 else 2.0 * self.x

    def __exit__(self, *error):
        pass

def f(x, *rest, key=None):
    with Scaled(x) as y:
        z = y * x
    return z
""")

rewritten("the context manager forgiving may handle an exception", "2.0", """
def f(x, *rest, key=None):
    log = [x]
    try:
        log.append(math.sqrt(-x))
    except ValueError:
        log.append(1.0)
    return sum(log)
""")
