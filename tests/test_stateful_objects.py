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
