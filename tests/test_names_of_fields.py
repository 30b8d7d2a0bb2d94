"""Fields of objects that are named like what arrays tell of themselves."""

import linecache
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_lite as tl


@pytest.mark.parametrize("name", ["size", "shape", "ndim", "dtype", "nbytes", "itemsize", "strides",
                                  "flags", "T", "real", "data", "items", "keys", "values"])
@pytest.mark.sweep(5)
def test_fields_that_have_the_names_of_attributes_of_arrays(name):
    text = f"""
@dataclass
class Body:
    {name}: float
    other: float = 1.0

    def doubled(self):
        return self.{name} * 2.0

def made(x):
    body = Body(x, x)
    for k in range(3):
        body = Body(body.{name} * x, body.other + body.{name})
        if body.{name} > 2.0:
            body.{name} = body.{name} + x
    return body.other * body.doubled()

def counted(x):
    body, y = Body(1), 0.0
    for k in range(3):
        y = y * x + x * body.{name}
        body.{name} += 1
    return y * body.{name}

def of_items(x):
    body = Body([x, 2.0 * x], np.array([x, x * x]))
    body.{name}.append(x)
    body.{name}[0] *= x
    return body.{name}[0] * body.{name}[2] * np.sum(body.other)

def several(x):
    return sum(one.{name} for one in [Body(x), Body(x * x)])

def given(body):
    return body.{name} * body.{name}
"""
    file = f"<fields {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {**globals(), "dataclass": dataclass}
    exec(compile(text, file, "exec"), space)
    for f in (space["made"], space["counted"], space["of_items"], space["several"]):
        wanted = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
        np.testing.assert_allclose(tl.grad(f)(1.3), wanted, rtol=1e-7)
        np.testing.assert_allclose(tl.jvp(f, (1.3,), (1.0,))[1], wanted, rtol=1e-7)
    assert getattr(tl.grad(space["given"])(space["Body"](1.5)), name) == 3.0
