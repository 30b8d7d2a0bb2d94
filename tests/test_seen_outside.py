"""Objects from outside that change as they are looked at, and attributes that a module computes."""
import sys

import pytest

import tangent_lite as tl
from tests.heap.referee import check, world

_HEAD = """
import sys

class Log:
    def __init__(self):
        self.count = 1.0

    def __str__(self):
        self.count += 1.0
        return "log"

    def __bool__(self):
        self.count += 1.0
        return True

    @property
    def label(self):
        self.count += 1.0
        return "label"

class Model:
    def __init__(self, w):
        self.w = w

    def name(self):
        return f"model {LOG}"

    def label(self):
        return LOG.label

    def is_on(self):
        return 1 if LOG else 0

    @staticmethod
    def text():
        return f"{LOG}"

LOG = Log()
LOGS = {"one": [LOG]}

def shown():
    return str(LOG)

def shown_again():
    return shown() + "!"

def of_default(v, log=LOG):
    return f"{log} {v}"

def outer():
    log = LOG

    def inner():
        return f"{log}"
    return inner

of_closure = outer()
STATE = {"asked": 0.0}

def __getattr__(name):
    if name == "SCALE":
        STATE["asked"] += 1.0
        return 3.0 + STATE["asked"]
    if name == "WIDTH":
        return 4.0
    raise AttributeError(name)
"""
_LOOKS = ["str(LOG)", "f'{LOG}'", "LOG.label", "m.name()", "m.label()", "m.is_on()", "m.text()",
          "Model.text()", "shown()", "shown_again()", "of_default(3)", "of_closure()",
          "'a' if LOG else 'b'", "LOGS['one'][0].label", "str(LOGS['one'][0])"]


@pytest.mark.parametrize("look", _LOOKS)
def test_what_a_look_changes(look):
    def make():
        return world(_HEAD + f"""
def f(x):
    m = Model(2.0 * x)
    {look}
    y = m.w * LOG.count
    s = {look}
    return y * x * LOG.count + len(str(s))
""")["f"], (1.3,)
    check(make)


@pytest.mark.parametrize("text", [
    "return x * me.SCALE + x * x * me.SCALE", "return x * me.WIDTH + x * x * me.SCALE",
    "return x * me.WIDTH", "y = me.SCALE * x\n    return y * me.SCALE * STATE['asked']"])
def test_attributes_that_a_module_computes(text):
    def make():
        made = world(_HEAD + f"def f(x):\n    {text}\n")
        made["me"] = sys.modules[made["__name__"]]
        return made["f"], (1.3,)
    check(make)


def test_the_class_of_a_global_changes():
    made = world(_HEAD + """
class Quiet:
    count = 2.0

    def __str__(self):
        return "log"

def f(x):
    m = Model(2.0 * x)
    m.name()
    y = m.w * LOG.count
    s = m.name()
    return y * x * LOG.count + len(s)

LOUD, LOG = LOG, Quiet()
""")
    f = made["f"]
    d = tl.value_and_grad(f)
    assert d(1.3) == (f(1.3), 4.0 * 1.3 * 4.0)
    made["LOG"] = made["LOUD"]
    value, gradient = d(1.3)
    assert gradient == pytest.approx(4.0 * 1.3 * 2.0 * 3.0)
    assert made["LOUD"].count == 1.0
    assert value == f(1.3)
