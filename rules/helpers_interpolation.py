"""Rules of the helpers of np.interp, in runtime/shapes.py: linear in fp, piecewise so in x.

Where x stands between two points says a share, which is the same where x and the points move alike:
so the points get what x gets, the other way, in the shares of fp.
"""
from tangent_lite.registry import adjoint, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.runtime.shapes import (
    interp_slope,
    interp_tangent,
    interp_values,
    interp_values_along,
)


@adjoint(interp_values, kind=unknown)
def interp_values_(y, dy, x, xp, fp, left=None, right=None):
    d[dy] = interp_tangent(d[y], x, xp, left, right)
    d[x] = dy * interp_slope(x, xp, d[y])
    d[xp] = interp_values(-dy * interp_slope(x, xp, d[y]), x, xp, xp)
    d[fp] = None
    d[left] = None
    d[right] = None


@tangent(interp_values)
def interp_values_tangent(y, dy, x, xp, fp, left=None, right=None):
    d[y] = interp_values(d[dy], x, xp, fp, left, right) \
        + interp_values_along(d[x], dy, x, xp, fp) \
        - interp_values_along(interp_tangent(d[xp], x, xp), dy, x, xp, fp)
    d[fp] = None
    d[left] = None
    d[right] = None


@adjoint(interp_values_along, kind=unknown)
def interp_values_along_(y, dx, dy, x, xp, fp):
    d[dx] = dy * interp_slope(x, xp, d[y])
    d[dy] = dx * interp_slope(x, xp, d[y])
    # It is divided by the distance of two points.
    d[xp] = interp_values_along(-dx, dy * interp_slope(x, xp, d[y]), x, xp, xp)
    d[x] = None
    d[fp] = None


@tangent(interp_values_along)
def interp_values_along_tangent(y, dx, dy, x, xp, fp):
    d[y] = interp_values_along(d[dx], dy, x, xp, fp) + interp_values_along(dx, d[dy], x, xp, fp) \
        - interp_values_along(dx * interp_slope(x, xp, d[xp]), dy, x, xp, fp)
    d[x] = None
    d[fp] = None


@adjoint(interp_tangent, kind=unknown)
def interp_tangent_(y, dfp, x, xp, left=None, right=None):
    d[dfp] = interp_values(d[y], x, xp, dfp, left, right)
    d[x] = d[y] * interp_slope(x, xp, dfp)
    d[xp] = interp_values(-d[y] * interp_slope(x, xp, dfp), x, xp, xp)
    d[left] = None
    d[right] = None


@tangent(interp_tangent)
def interp_tangent_tangent(y, dfp, x, xp, left=None, right=None):
    d[y] = interp_tangent(d[dfp], x, xp, left, right) + d[x] * interp_slope(x, xp, dfp) \
        - interp_slope(x, xp, dfp) * interp_tangent(d[xp], x, xp)
    d[left] = None
    d[right] = None
