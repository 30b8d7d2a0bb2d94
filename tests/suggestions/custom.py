"""Functions that bring their own derivative, and derivatives that do not fit them."""
from tests.suggestions import rewritten

rewritten("first writes into its argument x; a helper that changes its arguments is not handled "
          "yet",
          "np.array([1.0, 2.0])", """
from tangent_lite import custom_derivative

def first_adjoint(y, x, by):
    bx = by.copy()
    bx[0] = 0.0
    return bx

@custom_derivative(adjoint=first_adjoint)
def first(x):
    x = x.copy()
    x[0] = 3.0
    return x

def f(x):
    return np.sum(first(2.0 * x) ** 2)
""")

rewritten("the adjoint of f is called with (y, x, by): too many positional arguments", "2.0", """
from tangent_lite import custom_derivative

def slope(y, x, by):
    return 2.0 * x * by

@custom_derivative(adjoint=slope)
def f(x):
    return x * x
""")

rewritten("this returns 1 adjoints, and the function has 2 arguments", "2.0, 3.0", """
from tangent_lite import custom_derivative

def slope(y, x, k, by):
    return by * k, None

@custom_derivative(adjoint=slope)
def f(x, k):
    return x * k
""")

for how in ("adjoint=lambda y, x, by: 2.0 * x * by", "tangent=lambda y, x, dx: 2.0 * x * dx"):
    rewritten("f gets no derivative", "2.0", f"""
from tangent_lite import custom_derivative

@custom_derivative({how})
def squared(x):
    return x * x

def f(x):
    return squared(x) * 3.0
""")

rewritten("f takes * or ** or arguments by keyword only, which custom_derivative does not cover",
          "2.0, 3.0", """
from tangent_lite import custom_derivative

@custom_derivative(tangent=lambda y, x, scale, dx, dscale: dx * scale + x * dscale)
def f(x, scale):
    return x * scale
""", wrt=(0, 1))

rewritten("the adjoint of x has shape (), x has (3,)", "np.array([1.0, 2.0])", """
from tangent_lite import custom_derivative

def slope(y, x, by):
    return 2.0 * by * x

@custom_derivative(adjoint=slope)
def squares(x):
    return x * x

def f(x):
    return np.sum(squares(x))
""")
