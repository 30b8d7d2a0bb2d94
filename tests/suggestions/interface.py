"""What is asked for: wrt, kinds of arguments and results, saving, and derivatives inside."""
from tests.suggestions import done, rewritten

PRODUCT = """
def f(x, y):
    return x * y
"""
WEIGHTS = """
from types import SimpleNamespace

def f(p):
    return p["w"] ** 2

def g(p):
    return p.w ** 2
"""

done("wrt='z': f has no parameter z; f has x, y", "tl.grad(f, wrt='y')(2.0, 3.0)", "2.0", PRODUCT)
done("wrt='m.w': loss has no parameter m; loss has none; its object is self there",
     "tl.grad(m.loss, wrt='self.w')()", "4.0", """
class Model:
    def __init__(self):
        self.w = 2.0

    def loss(self):
        return self.w ** 2

m = Model()
""")
for path in ("p['w']", "p.w[0]"):
    reason = f'wrt="{path}": f has no parameter {path}; f has p' if "'" in path else \
        f"wrt={path!r} names an attribute by what is no name"
    done(reason, "tl.grad(f, wrt='p')({'w': 2.0})['w']", "4.0", WEIGHTS)
    done(reason, "tl.grad(g, wrt='p.w')(SimpleNamespace(w=2.0))", "4.0", WEIGHTS)
done("wrt='p.w': dict has no attribute w", "tl.grad(f, wrt='p')({'w': 2.0})['w']", "4.0", WEIGHTS)
done("a hessian cannot be written to a file: it is put together of several runs of a derivative",
     "tl.grad(lambda x, v: np.sum(tl.grad(f)(x) * v)).save(path, 2.0, 1.0)", "None", """
import tangent_lite as tl

def f(x):
    return x ** 3
""")
done("a hessian cannot be written to a file: it is put together of several runs of a derivative",
     "tl.grad(f).save(path, 2.0)", "None", """
def f(x):
    return x ** 3
""")
done("wrt=2: there is no such parameter; f has x, y", "tl.grad(f, wrt=1)(2.0, 3.0)", "2.0", PRODUCT)
done("wrt=('x', 0) names x twice", "tl.grad(f, wrt=('x',))(2.0, 3.0)", "(3.0,)", PRODUCT)
done("wrt=() names nothing", "tl.grad(f, wrt=('y',))(2.0, 3.0)", "(2.0,)", PRODUCT)
for wrt in ("0", "'x'", "('x',)"):
    done("wrt={0} is no position, name or attribute path", f"tl.grad(f, wrt={wrt})(2.0, 3.0)",
         "(3.0,)" if wrt.startswith("(") else "3.0", PRODUCT)
done("wrt=1.5 is no position, name or attribute path", "tl.grad(f)(1.5, 3.0)", "3.0", PRODUCT)
done("wrt='p.size': SimpleNamespace has no attribute size",
     "tl.grad(g, wrt='p.w')(SimpleNamespace(w=2.0))", "4.0", WEIGHTS)
done("grad() has no argument argnums: write wrt=... (wrt= takes positions, names or attribute "
     "paths)",
     "tl.grad(f, wrt=1)(2.0, 3.0)", "2.0", PRODUCT)
done("f: the argument x is of type int, which cannot vary", "tl.grad(f)(2.0, 3)", "3.0", PRODUCT)
done("f: the argument x is of type int, which cannot vary", "tl.grad(f, wrt='y')(2, 3.0)",
     "2.0", PRODUCT)
done("f_grad() got an unexpected keyword argument 'scale'", "tl.grad(f)(np.ones(2), scale=3.0)",
     "[3.0, 3.0]", """
def f(x, scale=1.0):
    return np.sum(x * scale)
""")
done("f: x holds a MaskedArray, whose operations are not those of plain arrays",
     "tl.grad(f)(masked.filled(0.0))", "[1.0, 1.0]", """
masked = np.ma.masked_array([1.0, 2.0], [False, True])

def f(x):
    return np.sum(x)
""")
done("f: x holds a MaskedArray, whose operations are not those of plain arrays",
     "tl.grad(f)(masked.data, masked.mask)", "[1.0, 0.0]", """
masked = np.ma.masked_array([1.0, 2.0], [False, True])

def f(x, mask):
    return np.sum(x[~mask])
""")
for call, gives in [("tl.grad(lambda x: np.sum(f(x)))(np.zeros(3))", "[1.0, 1.0, 1.0]"),
                    ("tl.jacobian(f)(np.zeros(3))", "np.eye(3)"),
                    ("tl.vjp(f, np.zeros(3))[1](np.ones(3))[0]", "[1.0, 1.0, 1.0]")]:
    done("f returns an array of shape (3,); grad needs one number", call, gives, """
import tangent_lite as tl

def f(x):
    return np.sin(x)
""")
for call, gives in [("tl.grad(f, has_aux=True)(2.0)", "(1.0, 4.0)"),
                    ("tl.jacobian(f)(2.0)", "(1.0, 4.0)"),
                    ("tl.vjp(f, 2.0)[1]((1.0, 0.5))[0]", "3.0")]:
    done("f returns a tuple of 2 parts; grad needs one number", call, gives, """
def f(x):
    return x, x * x
""")
for call, gives in [("tl.grad(g, has_aux=True)(2.0)", "(4.0, 2.0)"), ("tl.grad(f)(2.0)", "4.0")]:
    done("f: has_aux=True needs a result (value, aux), not an object of type float", call, gives,
         """
def f(x):
    return x * x

def g(x):
    return x * x, x
""")
for call, gives in [("tl.grad(lambda z: f(z).real)(1.0 + 2.0j)", "2.0 + 4.0j"),
                    ("tl.grad(lambda z: abs(f(z)))(1.0 + 2.0j)", "2.0 - 4.0j"),
                    ("tl.grad(f, holomorphic=True)(1.0 + 2.0j)", "2.0 + 4.0j")]:
    done("f returns a complex number", call, gives, """
import tangent_lite as tl

def f(z):
    return z * z
""")
done("the cotangent has shape (2,), the value (3,)", "tl.vjp(f, np.zeros(3))[1](np.ones(3))[0]",
     "[1.0, 1.0, 1.0]", """
def f(x):
    return np.sin(x)
""")
done("jvp needs a tangent for each of the 2 primals, not 1",
     "tl.jvp(f, (2.0, 3.0), (1.0, None))[1]", "3.0", PRODUCT)
done("primal 1 is of type int, which cannot vary", "tl.jvp(f, (2.0, 3), (1.0, None))[1]",
     "3.0", PRODUCT)
done("the tangent of x has shape (2,), x has (3,)", "tl.jvp(f, (np.ones(3),), (np.ones(3),))[1]",
     "3.0", """
def f(x):
    return np.sum(x)
""")
done("f: the argument is complex", "tl.jacobian(f, holomorphic=True)(1.0 + 2.0j)", "2.0 + 4.0j", """
def f(z):
    return z * z
""")
for call in ("tl.grad(lambda z: z.real)(1.0 + 2.0j)",
             "tl.vjp(lambda z: z.real, 1.0 + 2.0j)[1](1.0)[0]"):
    done("<lambda> returns real numbers, which have no complex derivative with respect to complex "
         "ones",
         call, "1.0", "import tangent_lite as tl\n")
done("f_hvp takes the arguments of the function and a vector: missing a required argument: 'y'",
     "tl.hvp(f)(2.0, 3.0, 1.0)", "0.0", PRODUCT)
rewritten("jvp needs one tangent for each primal", "2.0", """
import math
from tangent_lite import jvp

def f(x):
    return jvp(math.atan2, (x, 1.0), (1.0, None))[1]
""")
rewritten("hvp takes the arguments of the function and a vector", "2.0", """
from tangent_lite import hvp

def f(x):
    return hvp(lambda y: x * y ** 3, 0)(x, 1.0)
""")
for inside in ("grad(math.sin)(x)", "value_and_grad(math.sin)(x)[1]",
               "jvp(math.sin, (x,), (1.0,))[1]",
               "hvp(math.sin)(x, 1.0)"):
    rewritten("tangent_lite.vjp inside a differentiated function is not handled yet", "2.0", f"""
import math
from tangent_lite import grad, hvp, jvp, value_and_grad

def f(x):
    return {inside}
""")
rewritten("the linear map takes 1 tangents, not 2", "2.0", """
import math
from tangent_lite import linearize

def f(x):
    y, along = linearize(math.hypot, x, 1.0)
    return along(1.0, None)
""")
rewritten("pullback is handed to approx_fprime, which cannot be looked into, and reads what may "
          "vary or "
          "change", "2.0", """
import math
from tangent_lite import vjp

def f(x):
    y, pullback = vjp(math.sin, x)
    slopes = []
    for t in np.ones(1):
        slopes.append((pullback(t + 1e-3)[0] - pullback(t)[0]) / 1e-3)
    return slopes[0]
""")
for backend in ("python",):
    done("there is no backend 'fortran'", f"tl.grad(f, backend={backend!r})(2.0)", "12.0", """
def f(x):
    return x ** 3
""")
done("there is no backend 'fortran'", "tl.grad(f, backend='numba')(2.0)", "12.0", """
def f(x):
    return x ** 3
""", needs="numba")
done("a derivative with has_aux=True cannot be written to a file yet",
     "tl.grad(f).save(path, np.ones(3))", "None", """
def f(x):
    return np.sum(x * x)
""")
done("settings is of type SimpleNamespace and cannot be written into a file",
     "tl.grad(f).save(path, 2.0, settings)", "None", """
from types import SimpleNamespace

settings = SimpleNamespace(scale=2.0)

def f(x, settings):
    return x * settings.scale
""")
done("second derivatives of f are not checked: it takes any number of arguments",
     "tl.check_grads(lambda x, y: f(x, y), (1.0, 2.0), order=2)", "None", """
import tangent_lite as tl

def f(*x):
    return x[0] * x[1]
""")
