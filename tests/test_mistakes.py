"""Mistakes that users make: what they are told names their line, and what to do."""
import ctypes
import ctypes.util

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.referee import held, world

pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")


def told(text, call, error=tl.TangentError):
    """What a call raises, in the world of a program."""
    space = {**world(text.lstrip()), "tl": tl}
    with pytest.raises(error) as caught:
        eval(call, space)
    return str(caught.value)


THREADS = """
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import Pool

def squared(v):
    return v * v

def mapped(x):
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(lambda k: x * k, [1.0, 2.0]))

def submitted(x):
    with ThreadPoolExecutor(2) as pool:
        return pool.submit(squared, x).result()

def started(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(x * x))
    thread.start()
    thread.join()
    return found[0]

def mapped_aside(x):
    with ProcessPoolExecutor(2) as pool:
        return sum(pool.map(squared, [x, 2.0 * x]))

def mapped_there(x):
    with Pool(2) as pool:
        return sum(pool.map(squared, [x, 2.0 * x]))
"""


@pytest.mark.parametrize("name, line", [("mapped", 9), ("submitted", 13), ("started", 18),
                                        ("mapped_aside", 24), ("mapped_there", 28)])
def test_threads_and_processes(name, line):
    message = told(THREADS, f"tl.grad({name})(2.0)")
    assert f":{line}: " in message and "computes is not followed" in message
    assert "Instead: call the function itself, in a loop" in message


def test_in_the_place_of_threads():
    held("""
def f(x):
    return sum([x * k for k in [1.0, 2.0]])
""", "2.0", forced=False)


def test_functions_of_c_get_a_rule():
    library = ctypes.util.find_library("m")
    if library is None:
        pytest.skip("there is no library of C here")
    libm = ctypes.CDLL(library)
    libm.sin.restype, libm.sin.argtypes = ctypes.c_double, [ctypes.c_double]
    text = """
def by_name(x):
    return sin(x)

def of_library(x):
    return libm.sin(x)
"""
    space = world(text.lstrip())
    space.update(libm=libm, sin=libm.sin)
    for name, line in [("by_name", 2), ("of_library", 5)]:
        with pytest.raises(tl.MissingRuleError, match="no adjoint rule for sin") as caught:
            tl.grad(space[name])(2.0)
        assert caught.value.place.line == line


def test_shapes_that_do_not_fit():
    message = told("""
def f(x):
    y = x * 2.0
    return np.sum(y @ np.ones(4))
""", "tl.grad(f)(np.ones(3))", tl.InputError)
    assert "came out with shape (4,), and the argument has (3,)" in message
    assert "Instead: call the function itself, which says where" in message


@pytest.mark.parametrize("place", [2.0, np.ones(3), [1.0]])
def test_grad_is_given_the_place(place):
    with pytest.raises(tl.WrtError) as caught:
        tl.grad(np.sin, place) if not isinstance(place, list) else tl.grad(np.sin, (place,))
    assert "Instead: call the derivative with the arguments of sin: grad(f)(x)" in str(caught.value)


@pytest.mark.parametrize("result, what, fix", [
    ("(x * k for k in range(3))", "an object of type generator", "return a float"),
    ("str(x)", "an object of type str", "return a float"),
    ("x > 0.0", "an object of type bool", "return a float"),
    ("None", "None", "return the number: a `return` is missing")])
def test_results(result, what, fix):
    message = told(f"""
def f(x):
    return {result}
""", "tl.grad(f)(2.0)", tl.OutputError)
    assert f"f returns {what}; grad needs one number" in message
    assert f"Instead: {fix}" in message


OTHERS = """
import scipy.sparse

M = np.matrix([[1.0, 2.0], [3.0, 4.0]])
MASKED = np.ma.masked_array([1.0, 2.0], [0, 1])
S = scipy.sparse.csr_matrix(np.eye(2))
"""


@pytest.mark.parametrize("expression, fix", [
    ("M @ x", "np.asarray(...), outside the function"),
    ("np.asmatrix(x) * np.asmatrix(x).T", "use arrays, with @ for the product"),
    ("S.todense() @ x", "at once: np.asarray(...)"),
    ("MASKED * x", "fill it outside the function"),
    ("MASKED.filled(0.0) * x", "fill it outside the function"),
    ("np.ma.masked_where(x > 1.0, x)", "np.where(mask, 0.0, x) or x[~mask]")])
def test_arrays_of_other_classes(expression, fix):
    """Where the user's text says so, not where a library goes on with it."""
    message = told(f"""{OTHERS}
def f(x):
    return np.sum({expression})
""", "tl.grad(f)(np.ones(2))")
    assert "are not those of plain arrays" in message and fix in message
    assert ":8: " in message and expression in message


def test_a_matrix_is_made():
    message = told("""
def f(x):
    return np.sum(np.matrix([[1.0, 2.0], [3.0, 4.0]]) @ x)
""", "tl.grad(f)(np.ones(2))")
    assert ":2: " in message and "Instead: use arrays, with @ for the product" in message


@pytest.mark.parametrize("expression", [
    "np.asarray(np.matrix([[1.0, 2.0], [3.0, 4.0]])) @ x", "np.asarray(S.todense()) @ x",
    "np.asarray(np.bmat([[np.eye(2)]])) @ x", "np.where([False, True], 0.0, x)"])
def test_plain_at_once(expression):
    held(f"""{OTHERS}
def f(x):
    return np.sum({expression} * x)
""", "np.array([0.5, 2.0])", forced=False)


@pytest.mark.parametrize("result", [
    "linprog(x, bounds=(0.0, 1.0)).fun", "minimize(cost, np.zeros(3), args=(x,)).fun",
    "minimize(cost, np.zeros(3), args=(x,))['fun']",
    "least_squares(lambda u, p: u - p, np.zeros(3), args=(x,)).cost"])
def test_results_of_searches(result):
    """Their numbers are items that are read as attributes: derivatives of them were zero."""
    text = f"""
from scipy.optimize import least_squares, linprog, minimize

def cost(u, p):
    return np.sum((u - p) ** 2) + np.sum(p)

def f(x):
    return {result}
"""
    for call in ("tl.grad(f)(np.array([-1.0, 2.0, -3.0]))",
                 "tl.jvp(f, (np.array([-1.0, 2.0, -3.0]),), (np.ones(3),))"):
        message = told(text, call, tl.MissingRuleError)
        assert ":7: " in message and "is not differentiated: what is found depends" in message


def test_an_attribute_of_a_dict_that_is_no_item():
    space = world("""
import scipy.optimize

class Result(scipy.optimize.OptimizeResult):
    def __getattr__(self, name):
        return 2.0 * self[name]

def search(x):
    return Result(fun=x)
""".lstrip())
    with pytest.raises(tl.TangentError):
        tl.grad(lambda x: space["search"](x).fun)(2.0)


def test_a_class_that_answers_every_name():
    """An object like it is made without asking it how it is copied."""
    space = world("""
class Open:
    def __init__(self, w):
        self.w, self.name = w, "open"

    def __getattr__(self, name):
        return 1.0

def f(p):
    return p.w * p.w
""".lstrip())
    given = space["Open"](2.0)
    gradient = tl.grad(space["f"])(given)
    assert type(gradient) is space["Open"] and gradient.w == 4.0 and given.w == 2.0
