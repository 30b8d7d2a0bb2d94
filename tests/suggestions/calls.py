"""Functions without a rule, and rules that do not cover what they are given."""
from tests.suggestions import done, rewritten

# That the template of a rule works is tested where rules are: tests/registry.
rewritten("no adjoint rule for rng.binomial", "0.3", """
import tangent_lite

tangent_lite.nondifferentiable(np.random.Generator.binomial)

def f(p):
    rng = np.random.default_rng(0)
    return np.mean(rng.binomial(10, p, size=100)) + p
""", expect="(1.0,)")

rewritten("what an operator does with an object is said by its class", "np.array([1.0, 2.0])", """
import enum

class Unit(float, enum.Enum):
    HALF = 0.5

def f(x):
    return np.sum(x * Unit.HALF.value)
""")

rewritten("np.intersect1d is not differentiated: numbers that are in both arrays are so by "
          "chance, and "
          "not any more when one of them changes", "np.array([0.5, 2.0, 1.5])", """
labels = np.array([3, 1, 2])

def f(x):
    _, mine, _ = np.intersect1d(labels, np.array([2, 3]), return_indices=True)
    return np.sum(x[mine] ** 2)
""")

for reason in ("an active value is the key of an object", "a float is the key of an object"):
    rewritten(reason, "2.0", """
class Table:
    def __init__(self):
        self.scale = 2.0

    def at(self, key):
        row, column = key
        return self.scale * row

table = Table()

def f(x):
    return table.at((x, 0))
""")

rewritten("the rule cov does not cover the argument dtype=", "np.array([1.0, 2.5, 4.0])", """
def f(x):
    return np.cov(x) * 1.0
""")

rewritten("the rule sqrt does not cover the argument dtype=", "np.array([4.0, -1.0])", """
def f(x):
    return np.sum(np.abs(np.sqrt(x.astype(complex))))
""")

rewritten("the rule exp does not cover the argument where=", "np.array([1.0, -1.0])", """
def f(x):
    return np.sum(np.where(x > 0.0, np.exp(x), 0.0))
""")

rewritten("a call that may change an active value is not handled yet",
          "np.array([[1.0, 2.0], [0.5, -1.0]])", """
def f(x):
    y = np.zeros((2, 2), complex)
    y[...] = np.fft.ifft2(x)
    return np.sum(np.abs(y))
""")

rewritten("a call that may change an active value is not handled yet",
          "np.array([[1.0, 2.0], [0.5, -1.0]])", """
def f(x):
    y = np.fft.ifft2(x)
    return np.sum(np.abs(y))
""")

rewritten("a call that may change an active value is not handled yet", "1.5", """
def f(x):
    xs = []
    xs.append(x)
    xs.append(2.0 * x)
    return sum(xs) ** 2
""")

rewritten("scipy.ndimage.median_filter is not differentiated: it has no rule",
          "np.array([1.0, 3.0, 2.0, 5.0])", """
def f(x):
    return np.sum(np.median(np.stack([x[:-2], x[1:-1], x[2:]]), axis=0))
""")

rewritten("the rule gaussian_filter has no derivative with respect to sigma: how wide the filter "
          "is has "
          "no derivative here", "np.arange(5.0), 0.8", """
import scipy.ndimage
import tangent_lite

def f(x, width):
    return np.sum(scipy.ndimage.gaussian_filter(x, tangent_lite.stop_gradient(width)) ** 2)
""")

rewritten("gradient_along is not differentiated: second derivatives take the spacings of "
          "np.gradient "
          "as constant", "0.5", """
from tangent_lite import grad

def rough(h):
    return np.sum((np.gradient(np.array([1.0, 2.0, 4.0])) / h) ** 2)

def f(h):
    return grad(rough)(h)
""")

rewritten("the derivative of several series of coefficients at once is not known",
          "np.array([0.5, 0.3, -0.2])", """
def f(x):
    c = np.outer(x, x)
    return sum(np.sum(np.polynomial.legendre.legval(x, c[:, k])) for k in range(3))
""")

rewritten("scipy.stats.norm is not differentiated: it makes an object that keeps its parameters",
          "np.array([0.5, 1.5]), 2.0", """
import scipy.stats

def f(x, scale):
    return np.sum(scipy.stats.norm.logpdf(x, 0.0, scale))
""", wrt=(0, 1))

rewritten("np.polynomial.Polynomial is not differentiated: it makes an object that keeps its "
          "coefficients", "np.array([1.0, 2.0, 3.0])", """
def f(c):
    return np.polynomial.polynomial.polyval(0.5, c)
""")

rewritten("a sparse matrix that varies is written into", "np.array([1.0, 2.0, 3.0])", """
import scipy.sparse

def f(x):
    numbers, rows, columns = np.concatenate(([1.0], x[1:])), np.arange(3), np.arange(3)
    A = scipy.sparse.csr_matrix((numbers, (rows, columns)))
    return np.sum(A @ x)
""")

rewritten("data of a sparse matrix that varies is read apart from it", "np.array([1.0, 2.0, 3.0])",
          """
def f(x):
    return np.sum(x ** 2)
""")

for product in ("A @ (A @ x)", "A.multiply(A) @ x", "(2.0 * A + A - A) @ x",
                "scipy.sparse.linalg.spsolve(A, x ** 2)"):
    rewritten("this is not differentiated for a matrix of scipy.sparse that varies",
              "np.array([1.0, 2.0, 3.0])", f"""
import scipy.sparse
import scipy.sparse.linalg

def f(x):
    A = scipy.sparse.diags(x).tocsr()
    return np.sum({product})
""")

for total in ("A @ np.ones(A.shape[1])", "np.asarray(scipy.sparse.csr_array(A).sum(axis=1))"):
    rewritten("sum of a sparse matrix along an axis gives an np.matrix",
              "np.array([1.0, 2.0, 3.0])", f"""
import scipy.sparse

def f(x):
    A = scipy.sparse.diags(x)
    return np.sum({total} ** 2)
""")

for total in ("np.asarray(A.toarray() + np.ones((3, 3)))",
              "np.asarray(scipy.sparse.csr_array(A) + np.ones((3, 3)))"):
    rewritten("a sum of a sparse matrix and an array is an np.matrix", "np.array([1.0, 2.0, 3.0])",
              f"""
import scipy.sparse

def f(x):
    A = scipy.sparse.diags(x)
    return np.sum({total} ** 2)
""")

rewritten("a class cannot be defined in a differentiated function", "np.array([1.0, 2.0, 3.0])", """
import scipy.sparse

class Holder:
    pass

def f(x):
    return np.sum(scipy.sparse.diags(x) @ x)
""")

rewritten("numbers in a sparse matrix are changed in place", "np.array([1.0, 2.0, 3.0])", """
import scipy.sparse

def f(x):
    numbers = np.concatenate((x[:1], np.ones(2)))
    A = scipy.sparse.csr_matrix((numbers, (np.arange(3), np.arange(3))))
    return np.sum(A @ x)
""")

rewritten("a number is taken for a matrix here", "0.5", """
import scipy.linalg

def f(x):
    return np.sum(scipy.linalg.expm(np.atleast_2d(x)))
""")

rewritten("the rule is made for one matrix, not for a stack of them",
          "np.arange(1.0, 9.0).reshape(2, 2, 2)", """
import scipy.linalg

def f(blocks):
    total = 0.0
    for block in blocks:
        total = total + np.sum(scipy.linalg.block_diag(block) ** 2)
    return total
""")

rewritten("the places have more dimensions than what is integrated",
          "np.array([1.0, 2.0, 4.0]), np.array([[0.0, 1.0, 3.0], [0.5, 1.0, 2.0]])", """
def f(y, x):
    return np.sum(np.trapezoid(np.broadcast_to(y, np.shape(x)), x))
""", wrt=(0, 1))

rewritten("of a list NumPy makes another list here, not an array", "np.array([2.0, 3.0])", """
def f(x):
    kept = np.trim_zeros(np.array([0.0, x[0], x[1]]))
    return kept[0] * kept[1]
""")

rewritten("<lambda> is handed to quad, which cannot be looked into, and reads what may vary or "
          "change",
          "0.5", """
import scipy.integrate

def decaying(t, rate):
    return t * np.exp(-rate * t)

def f(rate):
    return scipy.integrate.quad(decaying, 0.0, 1.0, args=(rate,))[0]
""")

rewritten("the rule is made for real numbers", "np.array([1.0, 0.5])", """
import scipy.special
import tangent_lite

def digamma_real(x):
    return scipy.special.digamma(x + 1j).real

@tangent_lite.custom_derivative(adjoint=lambda y, x, by: by * (
    digamma_real(x + 1e-5) - digamma_real(x - 1e-5)) / 2e-5)
def above(x):
    return digamma_real(x)

def f(x):
    return np.sum(above(x))
""")

rewritten("an active number is written into a text from which a number is read again", "2.0", """
def f(x):
    return x * 2.0
""")

rewritten("y may share memory with y_part, which this call reads while it writes",
          "np.array([1.0, 2.0, 0.5])", """
def f(x):
    y = 2.0 * x
    y[...] = np.concatenate((y[1:], y[:1]))
    return np.sum(y * y * np.arange(3.0))
""")

rewritten("y_part may share memory with y_part_1, which this call reads while it writes",
          "np.array([1.0, 2.0, 0.5, 3.0, 4.0]), np.array([True, False, True])", """
def f(x, m):
    y = 2.0 * x
    np.copyto(y[::2], y[:3].copy(), where=m)
    return np.sum(y * y)
""")

rewritten("what is written overlaps with where it goes, and NumPy overwrites some of it unread",
          "np.arange(6.0)", """
def f(x):
    u = x * x
    u[::2] = u[:3].copy()
    return np.sum(u * u)
""")

rewritten("what is written overlaps with where it goes, and NumPy overwrites some of it unread",
          "np.arange(3.0)", """
def f(x):
    u = np.outer(x, x)
    np.fill_diagonal(u, u.diagonal()[::-1].copy())
    return np.sum(u * u)
""")

rewritten("the attribute shape of an array is assigned", "np.array([1.0, 2.0, 3.0])", """
def f(x):
    y = 2.0 * x
    z = y.reshape(3, 1)
    return np.sum(z * z * y)
""")

rewritten("w may share memory with default_rng, which this call reads while it writes",
          "np.array([1.0, 2.0, 3.0])", """
def f(x):
    w = np.array([3.0, 1.0, 2.0])
    y = x * w
    w[...] = np.random.default_rng(0).permuted(w)
    return np.sum(y * w)
""")

rewritten("the rule gamma has no derivative with respect to shape: the shape of a gamma "
          "distribution "
          "decides what is drawn", "2.0, 1.5", """
import tangent_lite

def f(scale, a):
    rng = np.random.default_rng(0)
    return np.mean(rng.gamma(tangent_lite.stop_gradient(a), scale, size=100))
""")

rewritten("this loop has checkpoints, so that the backward pass runs it again, and this call must "
          "not run twice", "0.9", """
from tangent_lite import checkpoint

def f(x):
    draw = np.random.default_rng(0).normal()
    for i in checkpoint(range(3)):
        x = x * draw * x
    return x
""")

rewritten("this loop has checkpoints, so that the backward pass runs it and what it calls again, "
          "and "
          "this call must not run twice", "0.9, Step(1.5)", """
from tangent_lite import checkpoint

class Step:
    def __init__(self, draw):
        self.draw = draw

    def __call__(self, x):
        return x * self.draw

def f(x, step):
    for i in checkpoint(range(3)):
        x = step(x) * x
    return x
""")

rewritten("this loop has checkpoints, so that the backward pass runs it again, and this context "
          "must "
          "not be entered twice", "0.9", """
import threading
from tangent_lite import checkpoint

lock = threading.Lock()

def f(x):
    with lock:
        for i in checkpoint(range(10)):
            x = x * x
    return x
""")

rewritten("the loop has checkpoints, and v, which it changes, may not be bound in front of it",
          "np.array([1.0, 0.5, 2.0, 1.5, 0.7]), 4", """
from tangent_lite import checkpoint

def f(u, n):
    v = u
    for i in checkpoint(range(n)):
        v = u[i:]
        v *= 1.5
        v[0] = v[-1] * v[0]
    return np.sum(u * u) + v[0]
""")

rewritten("a comprehension keeps all that it makes, so that there is nothing to save", "1.5", """
from tangent_lite import checkpoint

def f(x):
    total = 0.0
    for k in checkpoint(range(3)):
        total = total + x * k
    return total
""")

rewritten("a comprehension keeps all that it makes, so that there is nothing to save", "1.5", """
def f(x):
    return sum([x * k for k in range(3)])
""")

rewritten("checkpoint takes one argument", "0.9", """
import tangent_lite as tl

def f(x):
    for k in tl.checkpoint(range(3)):
        x = x * x
    return x
""")

rewritten("ThreadPoolExecutor is not differentiated: what another thread computes is not followed",
          "2.0", """
def f(x):
    return sum([k * x for k in [1.0, 2.0]])
""")

done("ThreadPoolExecutor is not differentiated: what another thread computes is not followed",
     "total([2.0, 3.0])", "10.0", """
from concurrent.futures import ThreadPoolExecutor
from tangent_lite import grad

def squared(x):
    return x * x

def total(xs):
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(grad(squared), xs))
""")
