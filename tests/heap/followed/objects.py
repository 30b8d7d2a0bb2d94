"""Objects: attributes, several names of one, properties."""
from tests.heap.followed import case

case("writing to an attribute is not handled yet", "2.0", """
class Body:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, 2.0 * value)

def f(x):
    body = Body()
    body.speed = 2.0 * x
    return body.speed
""")

case("AliasError: state is changed, which lives outside the function", "2.0", """
class State:
    def __new__(cls):
        return super().__new__(cls)

state = State()
state.scale = 1.0

def f(x):
    state.scale = 2.0 * x
    return state.scale
""")

case("AliasError: f changes its argument body, an object that cannot be copied on entry",
     "Body(), 2.0", """
class Body:
    __slots__ = ("speed",)

def f(body, x):
    body.speed = x
    return body.speed * x
""", wrt=(1,))

case("AliasError: same and state may be one object, or one holds the other, and same is changed",
     "2.0", """
def f(x):
    state = {"speed": x}
    same = state if x > 0.0 else {"speed": 1.0}
    same["speed"] = 2.0 * x
    return state["speed"]
""")

case("AliasError: body and bodies may be one object, or one holds the other, and body is changed",
     "2.0", """
class Body:
    def __init__(self, speed):
        self.speed = speed

def f(x):
    bodies = [Body(x), Body(0.5 * x)]
    bodies.reverse()
    for body in bodies:
        body.speed = body.speed * x
    return bodies[0].speed * 2.0
""")

case("AliasError: t may be the array that is changed here", "np.array([1.5, 0.7, 2.2])", """
def f(x):
    state = {"speeds": 2.0 * x}
    speeds = state["speeds"]
    state["speeds"] += 1.0
    return np.sum(speeds * speeds)
""")

case("the attribute energy is no field of the object", "Spring(2.0)", """
class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

def f(spring):
    return spring.energy
""", is_failing=True)

case("a cached property changes its object when it is read", "Spring(2.0)", """
import functools

class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    @functools.cached_property
    def energy(self):
        return 0.5 * self.stiffness ** 2

def f(spring):
    return spring.energy
""")

case("an object is subscripted", "Spring(2.0)", """
class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

def f(spring):
    return spring[0]
""", is_failing=True)

case("an attribute of an object that is not known is changed in place", "2.0, 0", """
def f(x, n):
    p = x
    if n > 1:
        p = {"a": x}
    p.scale += x
    return x
""", is_failing=True)

case("an attribute of an unknown object is read", "2.0, 0", """
def f(x, n):
    p = x
    if n > 1:
        p = {"a": x}
    return p.scale * x
""", is_failing=True)

case("Cell.__lt__ decides what this means", "2.0", """
class Cell:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value

def f(x):
    low, high = 1.0, Cell(x)
    return x * x if high > Cell(low) else x
""")

case("what this call does with an object is said by its class", "2.0", """
class Terms:
    def __init__(self, first):
        self.first = first

    def __iter__(self):
        return reversed((3.0, self.first))

def f(x):
    return math.prod(Terms(x)) * x
""")

case("Gauge.reading changes something, and is called unseen here", "2.0", """
class Gauge:
    def __init__(self, value):
        self.value, self.seen = value, []

    @property
    def reading(self):
        self.seen.append(self.value)
        return self.value

def f(x):
    gauge = Gauge(x)
    if gauge.reading > 0.0:
        return gauge.seen[0] * x
    return x
""")

case("AliasError: both_part_m and both may be one object, or one holds the other",
     "0.1, np.ones(2)", """
class Momentum:
    def __init__(self, rate):
        self.rate, self.m = rate, {}

    def step(self, params):
        for k in params:
            if k not in self.m:
                self.m[k] = np.zeros_like(params[k])
            self.m[k] = 0.9 * self.m[k] + params[k]
            params[k] = params[k] - self.rate * self.m[k]
        return params

def f(rate, w):
    optimiser, p = Momentum(rate), {"w": w}
    both = [optimiser, optimiser]
    for k in range(3):
        p = both[k % 2].step(p)
    return np.sum(p["w"])
""")

case("the type parameters of an object are not followed", "2.0", """
from typing import Generic, TypeVar
T = TypeVar("T")
class Box(Generic[T]):
    def __init__(self, x):
        self.x = x

    def scale(self):
        return 2.0 if hasattr(self, "__orig_class__") else 1.0

def f(x):
    box, plain = Box[float](x), Box(x)
    own = 3.0 if getattr(box, "__orig_class__", None) is not None else 1.0
    return box.scale() * plain.scale() * own * box.x * x
""")
