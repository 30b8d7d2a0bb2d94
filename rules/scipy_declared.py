"""scipy.special: what takes whole numbers, and what is refused."""
import numpy as np
import scipy.special as sp

from tangent_lite.registry import nondifferentiable, pointwise, refuse
from tangent_lite.result_kinds import elementwise_float, unknown
from tangent_lite.result_kinds.series import nodes_and_weights
from tangent_lite.runtime import unbroadcast

ORDER = "the derivative with respect to the order has no closed form"

for _name in dir(sp):
    if _name.endswith("_zeros") or _name in (
            "bernoulli", "euler", "stirling2", "geterr", "seterr"):
        nondifferentiable(getattr(sp, _name), kind=unknown)
    elif _name in ("roots_legendre", "roots_sh_legendre", "roots_hermite", "roots_hermitenorm",
                   "roots_laguerre") or _name.startswith(("roots_cheby", "roots_sh_cheby")):
        nondifferentiable(getattr(sp, _name), kind=nodes_and_weights)
    elif _name.startswith("roots_"):
        refuse(getattr(sp, _name), why="how the nodes depend on the parameters is not known",
               instead="pass constants")

refuse(sp.chebyc, sp.chebys, sp.chebyt, sp.chebyu, sp.gegenbauer, sp.genlaguerre, sp.hermite,
       sp.hermitenorm, sp.jacobi, sp.laguerre, sp.legendre, sp.sh_chebyt, sp.sh_chebyu,
       sp.sh_jacobi, sp.sh_legendre, why="it makes an object",
       instead="call the eval_ function of the same name, which gives the value")
refuse(sp.lmbda, sp.lqmn, sp.lqn, sp.mathieu_even_coef, sp.mathieu_odd_coef, sp.obl_cv_seq,
       sp.pbdn_seq, sp.pbdv_seq, sp.pbvv_seq, sp.pro_cv_seq, sp.riccati_jn, sp.riccati_yn,
       why="it takes a number, not an array, and returns a whole sequence",
       instead="call the function of one order")

for _name in ("clpmn", "lpmn", "lpn", "sph_harm", "btdtr", "btdtrc", "btdtri"):
    if hasattr(sp, _name):
        refuse(getattr(sp, _name), why="SciPy gives it up",
               instead="call what stands in its place: lpmv, eval_legendre, sph_harm_y, betainc")

if hasattr(sp, "log_wright_bessel"):
    @pointwise(sp.log_wright_bessel, kind=elementwise_float, constant={"a": ORDER, "b": ORDER})
    def log_wright_bessel(y, a, b, x):
        d[x] = unbroadcast(d[y] * np.exp(sp.log_wright_bessel(a, a + b, x) - y), x)
