"""What is refused of arrays that are not NumPy's."""
from tests.suggestions import done

for new in ("np.where(np.arange(3) < 2, x * x, 0.0)",
            "np.concatenate((x[:2] * x[:2], np.zeros(1)))",
            "np.stack((x[0] * x[0], x[1] * x[1]))"):
    done("an array is written into, next to an array of type Array",
         "np.asarray(tl.grad(f)(da.arange(3.0)))", "[0.0, 2.0, 0.0]", f"""
import dask.array as da

def f(x):
    y = {new}
    return np.sum(y)
""", needs="dask")

done("an array is written into, next to an array of type Array", "tl.grad(f)(np.arange(3.0))",
     "[0.0, 2.0, 4.0]", """
def f(x):
    y = np.zeros(3)
    for k in range(3):
        y[k] = x[k] * x[k]
    return np.sum(y)
""")

done("the derivative of this needs median_weights, which works on arrays of NumPy only, not on "
     "arrays of "
     "type Array", "tl.grad(f)(np.arange(3.0))", "[0.0, 2.0, 0.0]", """
def f(x):
    return np.median(x) ** 2
""")

done("the adjoint of this part is added to at indices that may name an element twice, which "
     "arrays of "
     "type Array cannot do", "np.asarray(tl.grad(f)(da.arange(3.0)))", "[0.0, 2.0, 0.0]", """
import dask.array as da

def f(x):
    return np.sum(x[:1] ** 2) * 2.0 + np.sum(x[1:2] ** 2)
""", needs="dask")

FIXED = """
class Fixed(np.lib.mixins.NDArrayOperatorsMixin):
    def __init__(self, data):
        self.data, self.shape, self.dtype = data, data.shape, data.dtype
    def __getitem__(self, index):
        return Fixed(np.asarray(self.data[index]))
    def __array_ufunc__(self, ufunc, method, *args):
        return Fixed(np.asarray(ufunc(*[getattr(a, "data", a) for a in args])))
    def __array_function__(self, function, types, args, options):
        bare = [a.data if isinstance(a, Fixed) else a for a in args]
        return Fixed(np.asarray(function(*bare, **options)))

def f(x):
    return np.sum(x[1:3] * x[1:3])
"""
for call in ("tl.grad(f)(Fixed(np.arange(4.0))).data", "tl.grad(f)(np.arange(4.0))"):
    done("arrays of type Fixed cannot be written into, and this index leaves more out than a "
         "beginning and "
         "an end", call, "[0.0, 2.0, 4.0, 0.0]", FIXED)

for call in ("tl.grad(lambda x: np.sum(f(x)))(da.arange(3.0))",
             "tl.vjp(f, da.arange(3.0))[1](da.ones(3))[0]"):
    done("f returns an array of shape (3,); grad needs one number", f"np.asarray({call})",
         "[0.0, 2.0, 4.0]", """
import dask.array as da

def f(x):
    return x * x
""", needs="dask")

done("a Jacobian takes arrays of NumPy, and was given one of type Array",
     "np.diag(tl.jacobian(f)(np.asarray(da.arange(3.0))))", "[0.0, 2.0, 4.0]", """
import dask.array as da

def f(x):
    return x * x
""", needs="dask")
