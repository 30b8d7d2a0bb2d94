"""What stands in the place of functions that get no rule on purpose (registry.refuse)."""
from tests.suggestions import in_place_of

SUGGESTED = set()
X = "np.array([0.8, 0.3, 1.7])"


def formula(suggestion, expression, args=X, **more):
    """The suggestion is an expression of x."""
    SUGGESTED.add(suggestion)
    in_place_of(suggestion, args, f"""
import operator
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse.linalg
import scipy.spatial.distance
import scipy.special
import scipy.stats
import tangent_lite

def f(x):
    return np.sum({expression})
""", **more)


def program(suggestion, text, args=X, **more):
    SUGGESTED.add(suggestion)
    in_place_of(suggestion, args, text, **more)


formula("make the window of an int", "np.hanning(3) * x")
formula("use arrays, with @ for the product and np.block in the place of np.bmat",
        "np.block([[np.outer(x, x), np.eye(3)]]) @ np.block([[np.eye(3)], [np.outer(x, x)]])")
formula("make the array by np.array, np.zeros or np.empty", "np.array(x) ** 2 + np.zeros(3)")
formula("write x[index] = value, x.astype or x.tolist",             # in the place of NumPy 1's
        "x.astype(float) * np.array(x.tolist())")
formula("hand on the array itself, or np.asarray of it", "np.asarray(x) * x")
formula("call np.unique(x) for the values, and np.unique(tangent_lite.stop_gradient(x), "
        "return_counts=True) for the rest",
        "np.unique(x) ** 2 * np.unique(tangent_lite.stop_gradient(x), return_counts=True)[1]")
program("use np.broadcast_arrays, x.ravel(), or a loop over positions", """
def f(x):
    a, b = np.broadcast_arrays(x, np.ones((2, 3)))
    total = np.sum(a.ravel() * b.ravel())
    for k in range(3):
        total = total + x[k] ** 2
    return total
""")
program("find the positions with np.intersect1d(..., return_indices=True) of constant arrays, and "
        "index "
        "with them", """
labels = np.array([3, 1, 2])

def f(x):
    _, mine, _ = np.intersect1d(labels, np.array([2, 3]), return_indices=True)
    return np.sum(x[mine] ** 2)
""")
formula("use np.vectorize, or a loop", "np.vectorize(lambda v: v * v)(x)")
program("write a loop over the elements", """
def f(x):
    total = 0.0
    for v in x:
        total = total + v * v
    return total
""")
program("keep numbers that vary in an array, and read others before", """
numbers = np.fromstring("1 2 3", sep=" ")

def f(x):
    return np.sum(x * numbers * x)
""")
formula("call the function on np.indices(shape)", "(lambda i, j: i * x + j)(*np.indices((2, 3)))")
program("register a rule for the one that you call", """
import tangent_lite

thirds = np.frompyfunc(lambda v: v / 3.0, 1, 1)

@tangent_lite.adjoint(thirds)
def thirds_adjoint(y, x):
    d[x] = d[y] / 3.0

@tangent_lite.tangent(thirds)
def thirds_tangent(y, x):
    d[y] = d[x] / 3.0

def f(x):
    return thirds(x) * 2.0
""", "0.7")
formula("use np.lib.stride_tricks.sliding_window_view, np.broadcast_to, or an index",
        "np.lib.stride_tricks.sliding_window_view(x, 2) ** 2")
formula("use np.lib.stride_tricks.sliding_window_view, np.broadcast_to, or an index",
        "np.broadcast_to(x, (2, 3)) * x[[0, 1, 1]]")
formula("use x.real, x.imag or x.astype; np.asarray(x) for x.view(np.ndarray)",
        "((1 + 2j) * x).real + ((1 + 2j) * x).imag + x.astype(np.float64) * np.asarray(x)")
formula("return the array", "x * 2.0")
formula("write x = x[:n].copy(), or x = np.pad(x, (0, more)) where it grows",
        "np.pad(x, (0, 2))[:4].copy() ** 2")
formula("use x.ravel(), or x.flatten() for a copy", "x.ravel() * x.flatten()")
formula("use the array itself", "x * x")
program("write the code into a function", """
def squared(x):
    return x * x

def f(x):
    return squared(x)
""", "2.0")
program("read the numbers before, and pass them", """
def f(x, numbers):
    return np.sum(x * numbers * x)
""", f"{X}, np.arange(3.0)")
formula("keep the numbers in an array or a list", "np.array([x[0], x[1]]) * [x[1], x[2]][0]")
program("call it through tangent_lite.grad_hook, which sees the adjoints as well", """
import tangent_lite

def look(adjoint):
    return None

def f(x):
    x = tangent_lite.grad_hook(x, look)
    return x * x
""", "2.0")
program("write a loop", """
def f(x):
    found = x[0]
    for v in x[1:]:
        found = np.hypot(found, v)
    return found
""")
program("read the attributes by their names", """
class Scaled:
    factor = 2.0

def f(x):
    return x * Scaled().factor
""", "2.0")
formula("write x + y", "np.array(([x[0]] + [x[1]])) ** 2")
program("write del x[key]", """
def f(x):
    values = [x, 2.0 * x]
    del values[0]
    return values[0] * x
""", "2.0")
program("write f(x)", """
def f(x):
    return np.sin(x)
""", "2.0")
program("draw the order, p = rng.permutation(n), and write x[p]", """
def f(x):
    rng = np.random.default_rng(0)
    p = rng.permutation(3)
    return np.sum(x[p] * np.arange(3.0))
""")
formula("keep the coefficients in an array, and call polyval (chebval, ...) of numpy.polynomial",
        "np.polynomial.polynomial.polyval(x, x) + np.polynomial.chebyshev.chebval(0.3, x)")
formula("keep the coefficients in an array, and call np.polyval and its like",
        "np.polyval(np.polymul(x, x), x) + np.polyval(np.polyder(x), x)")
formula("divide np.gradient(y) by a spacing that varies, or write the differences out",
        "(np.gradient(x) / x[0]) ** 2 + ((x[1] - x[0]) / x[1]) ** 2")

# SciPy
formula("call airy, and scale what it returns",
        "scipy.special.airy(x)[0] * np.exp(2.0 / 3.0 * x * np.sqrt(x))")
formula("call the eval_ function of the same name, which gives the value",
        "scipy.special.eval_legendre(3, x) + scipy.special.eval_gegenbauer(2, 0.5, x)")
formula("call the function of one order", "scipy.special.eval_legendre(2, x)")
formula("call what stands in its place: lpmv, eval_legendre, sph_harm_y, betainc",
        "scipy.special.lpmv(1, 2, x / 2.0) + scipy.special.eval_legendre(2, x) + "
        "scipy.special.betainc(2.0, 3.0, x / 2.0)")
formula("pass constants", "scipy.special.roots_legendre(3)[0] * x")
formula("use cumulative_trapezoid, or simpson",
        "scipy.integrate.cumulative_trapezoid(x) ** 2 + scipy.integrate.simpson(x)")
program("use quad, or a rule for points", """
import scipy.integrate

def inside(t, a):
    return np.exp(-a * t)

def f(a):
    t = np.linspace(0.0, 1.0, 101)
    return scipy.integrate.quad(inside, 0.0, 1.0, args=(a,))[0] + \\
        scipy.integrate.simpson(inside(t, a), x=t)
""", "0.7")
formula("call eigh, eig, qr, svd or cholesky",
        "np.linalg.eigh(A)[0] ** 2 + np.linalg.svd(A)[1]".replace("A",
        "(np.outer(x, x) + np.diag([1.0, 2.0, 4.0]))"))
program("write u, s, vh = np.linalg.svd(a, full_matrices=False): u @ vh is the first factor", """
def f(x):
    a = np.outer(x, x) + np.diag([1.0, 2.0, 4.0]) + np.triu(np.ones((3, 3)))
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum((u @ vh) * np.arange(9.0).reshape(3, 3))
""")
formula("write the matrix out, and call eigh or cholesky; for solutions call solveh_banded",
        "scipy.linalg.eigh(np.diag(x) + np.diag([0.2, 0.3], 1) + np.diag([0.2, 0.3], -1))[0] ** 2 "
        "+ "
        "scipy.linalg.solveh_banded(np.stack([x + 2.0, 0.1 * x]), np.ones(3), lower=True)")
program("call correlate1d along one axis after the other", """
import scipy.ndimage

def f(x):
    a = np.outer(x, x)
    rows = scipy.ndimage.correlate1d(a, [-1.0, 0.0, 1.0], axis=0)
    both = scipy.ndimage.correlate1d(rows, [1.0, 2.0, 1.0], axis=1)
    return np.sum(both ** 2)
""")
formula("call map_coordinates with order=1",
        "scipy.ndimage.map_coordinates(x, [[0.5, 1.3]], order=1) ** 2")
formula("write it with slices, or with correlate and map_coordinates(order=1)",
        "scipy.ndimage.correlate(x, [0.5, 0.3, 0.2]) ** 2")
program("look for a root of the gradient: root(tangent_lite.grad(fun), x0, args).x; for one "
        "variable "
        "brentq or newton", """
import scipy.optimize
import tangent_lite

def cost(u, p):
    return np.sum(np.cosh(u - p) + 0.1 * u ** 4)

def f(p):
    return np.sum(scipy.optimize.root(tangent_lite.grad(cost), np.zeros(3), args=(p,)).x ** 2)
""")
formula("use dense matrices", "np.linalg.inv(A) + scipy.linalg.expm(0.1 * A)".replace(
    "A", "(np.diag(x) + np.triu(np.ones((3, 3))))"))
program("compute with what the matrix is made of", """
def f(x):
    return np.max(x) * np.mean(x)
""")
program("use diags, or the numbers, rows and columns: csr_matrix((data, (rows, columns)))", """
import scipy.sparse

def f(x):
    A = scipy.sparse.diags(x)
    B = scipy.sparse.csr_matrix((x, (np.arange(3), np.array([1, 2, 0]))))
    return np.sum(A @ x) + np.sum(B @ x)
""")
program("use spsolve", """
import scipy.sparse
import scipy.sparse.linalg

def f(x):
    A = scipy.sparse.csc_matrix((x, (np.arange(3), np.arange(3))))
    return np.sum(scipy.sparse.linalg.spsolve(A, np.ones(3)))
""")
formula("write cdist(u[None], v[None], name)[0, 0] of scipy.spatial.distance",
        "scipy.spatial.distance.cdist(x[None], np.ones(3)[None], 'canberra')[0, 0]")
formula("write its formula", "np.sqrt(np.sum((x - 1.0) ** 2 / np.array([1.0, 2.0, 3.0])))")
formula("write it with ellipkinc and ellipeinc, or elliprf",
        "scipy.special.ellipkinc(x, 0.3) + scipy.special.ellipeinc(x, 0.3) + "
        "scipy.special.elliprf(x, 1.0, 2.0)")
formula("call eval_legendre, lpmv or sph_harm_y",
        "scipy.special.eval_legendre(2, x) + scipy.special.lpmv(1, 2, x / 2.0) + "
        "scipy.special.sph_harm_y(2, 1, x, 0.3).real")
formula("pass the parameters to the method: norm.logpdf(x, loc, scale)",
        "scipy.stats.norm.logpdf(x, x[0], x[1])")
program("in one dimension, write the weighted sum of normal densities: "
        "stats.norm.pdf(x[:, None], points, h) @ weights, with points, weights = kde.dataset[0], "
        "kde.weights and h = kde.covariance[0, 0] ** 0.5 outside of the function", """
from scipy import stats

kde = stats.gaussian_kde([0.2, 0.9, 1.4])
points, weights = kde.dataset[0], kde.weights
h = kde.covariance[0, 0] ** 0.5

def f(x):
    return np.sum(stats.norm.pdf(x[:, None], points, h) @ weights)
""")
for family, class_name, value in (
        ("polynomial", "Polynomial", "polyval"), ("chebyshev", "Chebyshev", "chebval"),
        ("legendre", "Legendre", "legval"), ("hermite", "Hermite", "hermval"),
        ("hermite_e", "HermiteE", "hermeval"), ("laguerre", "Laguerre", "lagval")):
    program(f"write np.polynomial.{family}.{value}(offset + scale * x, p.coef), "
            "with offset, scale = p.mapparms() outside of the function", f"""
p = np.polynomial.{class_name}([1.0, 2.0, 3.0], domain=[-2.0, 3.0])
offset, scale = p.mapparms()

def f(x):
    return np.sum(np.polynomial.{family}.{value}(offset + scale * x, p.coef))
""")
program("in one dimension, write the mean of normal densities: "
        "np.mean(stats.norm.pdf(x[:, None], points, h), axis=1), "
        "with h = len(points) ** -0.2 * np.std(points, ddof=1)", """
from scipy import stats

places = np.array([0.2, 0.9])

def density(x, points):
    h = len(points) ** -0.2 * np.std(points, ddof=1)
    return np.mean(stats.norm.pdf(x[:, None], points, h), axis=1)

def f(points):
    return np.sum(density(places, points) ** 2)
""")
formula("write the formula of the moment", "x[0] + x[1] * np.log(x)")
formula("write (x - np.mean(x)) / np.std(x)", "((x - np.mean(x)) / np.std(x)) ** 3")
formula("write (scores - np.mean(compare)) / np.std(compare)", "(1.0 - np.mean(x)) / np.std(x)")
formula("write it of np.log(x): (x - np.mean(x)) / np.std(x)",
        "((np.log(x) - np.mean(np.log(x))) / np.std(np.log(x))) ** 3")
formula("write np.exp(np.std(np.log(x), ddof=1))", "np.exp(np.std(np.log(x), ddof=1))")
formula("call np.mean, np.var and the like", "np.mean(x) + np.var(x)")
for smooth in ("scipy.interpolate.CubicSpline(np.arange(3.0), x)(0.7)",
               "scipy.interpolate.make_interp_spline(np.arange(3.0), x, k=2)(0.7)",
               "scipy.interpolate.interp1d(np.arange(3.0), x)(0.7)",
               "np.interp(0.7, np.arange(3.0), x)"):
    formula("use CubicSpline, make_interp_spline or interp1d; np.interp for straight lines",
            f"{smooth} ** 2")
program("write a rule of your own", """
import scipy.special
import tangent_lite

@tangent_lite.adjoint(scipy.special.zetac)
def zetac_adjoint(y, x):
    d[x] = d[y] * (scipy.special.zetac(x + 1e-5) - scipy.special.zetac(x - 1e-5)) / 2e-5

@tangent_lite.tangent(scipy.special.zetac)
def zetac_tangent(y, x):
    d[y] = d[x] * (scipy.special.zetac(x + 1e-5) - scipy.special.zetac(x - 1e-5)) / 2e-5

def f(x):
    return scipy.special.zetac(x) * 2.0
""", "2.5")
for others, one in (("the threads", "thread"), ("the processes", "process")):
    program(f"call the function itself, in a loop; differentiate what one {one} does, and start "
            f"{others} around that", """
def squared(x):
    return x * x

def f(x):
    return sum([squared(k * x) for k in [1.0, 2.0]])
""", "2.0")
