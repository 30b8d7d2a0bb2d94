"""Objects that keep something from call to call, made or given: derivatives by names."""
import numpy as np
import pytest

from tangent_lite import grad, jvp
from tests.heap.forced import by_names
from tests.heap.referee import check, world

CONTROLLER = """
class PID:
    def __init__(self, kp, ki, kd, limit=None):
        self.kp, self.ki, self.kd, self.limit = kp, ki, kd, limit
        self.reset()

    def reset(self):
        self.integral = 0.0
        self.last = None
        self.log = []

    def update(self, error, dt):
        derivative = 0.0 if self.last is None else (error - self.last) / dt
        self.integral += error * dt
        self.last = error
        u = self.kp * error + self.ki * self.integral + self.kd * derivative
        if self.limit is not None and abs(u) > self.limit:
            u = math.copysign(self.limit, u)
            self.integral -= error * dt
        self.log.append({"error": error, "u": u})
        return u

def driven(pid, n):
    x = v = cost = 0.0
    for k in range(n):
        u = pid.update(1.0 - x, 0.05)
        v += 0.05 * (u - 0.5 * v - x)
        x += 0.05 * v
        cost += (1.0 - x) ** 2
    return cost + 1e-3 * sum(entry["u"] ** 2 for entry in pid.log)
"""

LAYERS = """
class Layer:
    def __init__(self):
        self.cache = {}
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        self.cache["x"] = x
        return self.forward(x)

class Dense(Layer):
    def __init__(self, W, b):
        super().__init__()
        self.W, self.b = W, b

    def forward(self, x):
        return x @ self.W + self.b

class Tanh(Dense):
    def forward(self, x):
        z = super().forward(x)
        self.cache["z"] = z
        return np.tanh(z)
"""

MATRICES = ("np.array([[0.3, -0.5], [0.8, 0.2]])", "np.array([0.1, -0.2])", "np.array([0.7, -0.4])")
GAINS = "np.array([2.0, 0.5, 0.1])"
PROGRAMS = {
    "a controller with a limit": (CONTROLLER + """
def f(gains):
    return driven(PID(gains[0], gains[1], gains[2], limit=4.0), 12)
""", GAINS),
    "a controller without": (CONTROLLER + """
def f(gains):
    return driven(PID(gains[0], gains[1], gains[2]), 12)
""", GAINS),
    "a controller of which the log stays empty": (CONTROLLER.replace(
        'self.log.append({"error": error, "u": u})', "pass") + """
def f(gains):
    return driven(PID(gains[0], gains[1], gains[2], limit=4.0), 12)
""", GAINS),
    "a recorder of lists by names": (CONTROLLER + """
class Recorder:
    def __init__(self):
        self.data = {"t": [], "x": []}

    def record(self, **values):
        for name, value in values.items():
            self.data[name].append(value)

def f(gains):
    pid, recorder = PID(gains[0], gains[1], gains[2]), Recorder()
    x = 0.0
    for k in range(9):
        x += 0.05 * pid.update(1.0 - x, 0.05)
        recorder.record(t=0.05 * k, x=x)
    return np.sum((np.array(recorder.data["x"]) - 1.0) ** 2)
""", GAINS),
    "a net that keeps what went through it": (LAYERS + """
class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        self.activations = [x]
        for layer in self.layers:
            x = layer(x)
            self.activations.append(x)
        return x

class Regular(Net):
    def __call__(self, x):
        y = super().__call__(x)
        self.penalty = 0.1 * sum(np.sum(a ** 2) for a in self.activations)
        return y

def f(W, b, x):
    net = Regular([Dense(W, b), Tanh(0.5 * W, b)])
    return np.mean(net(x) ** 2) + net.penalty
""", *MATRICES),
    "a layer that gets an attribute in a loop": (LAYERS + """
class Residual(Tanh):
    def __call__(self, x):
        y = super().__call__(x)
        self.out = y + x
        return self.out

def f(W, b, x):
    layer = Residual(W, b)
    for _ in range(5):
        x = layer(x)
    return np.sum(layer.out * layer.cache["x"]) * layer.calls
""", *MATRICES),
    "an optimiser with moments by name": ("""
class Adam:
    def __init__(self, lr):
        self.lr, self.t, self.m, self.v = lr, 0, {}, {}

    def step(self, params, grads):
        self.t += 1
        for name, g in grads.items():
            if name not in self.m:
                self.m[name] = np.zeros_like(g)
                self.v[name] = np.zeros_like(g)
            self.m[name] = 0.9 * self.m[name] + 0.1 * g
            self.v[name] = 0.99 * self.v[name] + 0.01 * g * g
            m = self.m[name] / (1 - 0.9 ** self.t)
            v = self.v[name] / (1 - 0.99 ** self.t)
            params[name] = params[name] - self.lr * m / (np.sqrt(v) + 1e-8)

def f(W, b, x):
    params = {"W": W, "b": b}
    adam = Adam(0.05)
    for _ in range(4):
        h = np.tanh(x @ params["W"] + params["b"])
        back = h * (1.0 - h * h)
        adam.step(params, {"W": np.outer(x, back), "b": back})
    return np.sum(params["W"] ** 2) + np.sum(params["b"] ** 3)
""", *MATRICES),
    "an optimiser that goes through what it changes": ("""
from collections import defaultdict

class Momentum:
    def __init__(self, rate):
        self.rate, self.v = rate, defaultdict(float)

    def step(self, params, grads):
        for name in params:
            self.v[name] = 0.9 * self.v[name] + grads[name]
            params[name] = params[name] - self.rate * self.v[name]

class Scaled:
    def __init__(self, params):
        self.params, self.s = params, {k: np.zeros_like(p) for k, p in params.items()}

    def step(self, grads):
        for k in self.params.keys():
            self.s[k] += 0.1 * (grads[k] ** 2 - self.s[k])
            self.params[k] -= 0.05 * grads[k] / (np.sqrt(self.s[k]) + 1e-3)

class Sgd:
    def __init__(self, params):
        self.params, self.v = params, [np.zeros_like(p) for p in params]

    def step(self, grads):
        for i, (p, g) in enumerate(zip(self.params, grads)):
            self.v[i] = 0.9 * self.v[i] - 0.05 * g
            self.params[i] = p + self.v[i]

def gradient(params, x):
    h = np.tanh(x @ params["W"] + params["b"]) - 0.3
    return {"W": np.outer(x, h), "b": h}

def f(W, b, x):
    params, momentum = {"W": W, "b": b}, Momentum(0.05)
    scaled, sgd = Scaled({"W": W.copy(), "b": b.copy()}), Sgd([W, b])
    for _ in range(3):
        momentum.step(params, gradient(params, x))
        scaled.step(gradient(scaled.params, x))
        g = gradient({"W": sgd.params[0], "b": sgd.params[1]}, x)
        sgd.step([g["W"], g["b"]])
    return np.sum(params["W"] ** 2) + np.sum(scaled.params["b"]) + np.sum(sgd.params[0] ** 3)
""", *MATRICES),
    "settings outside that are set and set back": ("""
import contextlib
from types import SimpleNamespace

SETTINGS = SimpleNamespace(scale=1.0, order=2)

@contextlib.contextmanager
def setting(name, value):
    old = getattr(SETTINGS, name)
    setattr(SETTINGS, name, value)
    try:
        yield
    finally:
        setattr(SETTINGS, name, old)

def series(x):
    return sum(SETTINGS.scale * x ** k for k in range(SETTINGS.order))

def f(x):
    y = series(x)
    with setting("order", 4), setting("scale", x):
        y = y * series(x)
    return y + series(2.0 * x)
""", "1.3"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_by_names(name):
    text, *given = PROGRAMS[name]

    def make():
        space = world(text, "model")
        return space["f"], tuple(eval(one, space) for one in given)

    f, args = make()
    with by_names():
        grad(f)(*args)
        along = np.ones_like(args[0]) if isinstance(args[0], np.ndarray) else 1.0
        jvp(f, args, (along, *[None] * (len(args) - 1)))
    check(make)
