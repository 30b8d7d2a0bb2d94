"""Numbers that are written into texts and read again: refused, not given a derivative of zero."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.heap.referee import world

X = np.array([0.83, 1.27, 0.46])
PROGRAMS = {
    "a file in memory": """
def f(x):
    s = io.StringIO()
    s.write(repr(float(x[0])))
    s.seek(0)
    return float(s.read()) * x[1]
""", "lines of text": """
def f(x):
    return np.genfromtxt(["%.12f" % v for v in x])[0] * x[1]
""", "texts that are joined": """
def f(x):
    return np.fromstring(" ".join("%r" % float(v) for v in x), sep=" ")[0] * x[1]
""", "lines that are appended": """
def f(x):
    lines = []
    for v in x:
        lines.append(f"{v:.12f}")
    return np.loadtxt(lines)[0] * x[1]
""", "an array of texts": """
def f(x):
    return x.astype(str).astype(float)[0] * x[1]
""", "an array of a text": """
def f(x):
    return np.asarray(f"{x[0]:.12f}", dtype=float) * x[1]
""", "an array of a list of texts": """
def f(x):
    return np.array([f"{v:.12f}" for v in x], dtype=float)[0] * x[1]
""", "a ratio of whole numbers": """
def f(x):
    n, d = float(x[0]).as_integer_ratio()
    return n / d * x[1]
"""}


@pytest.mark.parametrize("name", PROGRAMS)
def test_refused(name):
    f = world("import io\nimport numpy as np\n" + PROGRAMS[name])["f"]
    with pytest.raises(tl.TangentError):
        tl.grad(f)(X)
    with by_identity(), pytest.raises(tl.TangentError):
        tl.grad(f)(X)
    try:
        found = tl.jvp(f, (X,), (np.array([1.0, 0.0, 0.0]),))[1]
    except tl.TangentError:
        return
    np.testing.assert_allclose(found, X[1])


def test_texts_that_tell_what_happened():
    f = world("""
def f(x):
    log = []
    for v in x:
        log.append(f"{v:.3f}")
    print(" ".join(log), end="")
    return x[0] * x[1] * len(log)
""")["f"]
    np.testing.assert_allclose(tl.grad(f)(X), [3.0 * X[1], 3.0 * X[0], 0.0])
