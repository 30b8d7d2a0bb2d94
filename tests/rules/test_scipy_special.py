"""scipy.special."""
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import registry
from tangent_lite.errors import InputError, MissingRuleError
from tests.rules.support import check
from tests.rules.values import pairs, variants

sp = pytest.importorskip("scipy.special")

UNARY = [
    ("erf", -2, 2), ("erfc", -2, 2), ("erfi", -1, 1), ("erfinv", -0.8, 0.8), ("erfcinv", 0.3, 1.7),
    ("erfcx", -1, 2), ("dawsn", -2, 2), ("gamma", 0.5, 3), ("gammaln", 0.5, 3),
    ("loggamma", 0.5, 3), ("rgamma", 0.5, 3), ("digamma", 0.5, 3), ("psi", 0.5, 3),
    ("expit", -2, 2), ("logit", 0.1, 0.9), ("log_expit", -2, 2), ("ndtr", -2, 2),
    ("ndtri", 0.1, 0.9), ("log_ndtr", -2, 2), ("ndtri_exp", -2, -0.2), ("entr", 0.2, 2),
    ("j0", -2, 2), ("j1", -2, 2), ("y0", 0.5, 2), ("y1", 0.5, 2), ("i0", -2, 2), ("i1", -2, 2),
    ("i0e", 0.2, 2), ("i1e", 0.2, 2), ("k0", 0.5, 2), ("k1", 0.5, 2), ("k0e", 0.5, 2),
    ("k1e", 0.5, 2), ("exp1", 0.2, 2), ("expi", 0.2, 2), ("spence", 0.2, 1.8), ("log1p", -0.5, 2),
    ("expm1", -2, 2), ("cosm1", -2, 2), ("cbrt", 0.5, 2), ("exp2", -2, 2), ("exp10", -1, 1),
    ("exprel", -1, 2), ("sindg", -90, 90), ("cosdg", -90, 90), ("tandg", -60, 60),
    ("cotdg", 30, 150), ("ellipk", 0.1, 0.8), ("ellipe", 0.1, 0.8), ("ellipkm1", 0.2, 0.9),
    ("wofz", -1, 1), ("lambertw", 0.2, 2), ("wrightomega", -1, 2), ("ber", 0.2, 2),
    ("bei", 0.2, 2), ("ker", 0.2, 2), ("kei", 0.2, 2), ("berp", 0.2, 2), ("beip", 0.2, 2),
    ("kerp", 0.5, 2), ("keip", 0.5, 2), ("itstruve0", 0.5, 2), ("it2struve0", 0.5, 2),
    ("itmodstruve0", 0.5, 2),
    ("airy", -1, 1), ("itairy", -1, 1), ("itj0y0", 0.5, 2), ("it2j0y0", 0.5, 2),
    ("iti0k0", 0.5, 2), ("it2i0k0", 0.5, 2), ("kelvin", 0.5, 2), ("sici", 0.5, 2),
    ("shichi", 0.5, 2), ("fresnel", -1, 1), ("modfresnelp", 0.2, 1), ("modfresnelm", 0.2, 1),
]
BINARY = [
    ("beta", 0.5, 2), ("betaln", 0.5, 2), ("xlogy", 0.5, 2), ("xlog1py", 0.5, 2),
    ("rel_entr", 0.5, 2), ("kl_div", 0.5, 2), ("boxcox", 0.5, 2), ("boxcox1p", 0.5, 2),
    ("inv_boxcox", 0.5, 2), ("inv_boxcox1p", 0.5, 2), ("powm1", 0.5, 2), ("poch", 0.5, 2),
    ("pseudo_huber", 0.5, 2), ("owens_t", 0.2, 1), ("agm", 0.5, 2), ("elliprc", 0.5, 2),
    ("ellipkinc", 0.1, 0.8), ("ellipeinc", 0.1, 0.8), ("ellipj", 0.1, 0.8), ("binom", 1.2, 1.9),
    ("tklmbda", 0.1, 0.7),
]
# Those whose last parameters vary: the constant ones, and the range of the others.
X = (0.5, 1.5)
OF_ORDER = [
    ("jv", (1.5,), X), ("jn", (2,), X), ("yn", (2,), X), ("yv", (1.5,), X), ("iv", (1.5,), X),
    ("kv", (1.5,), X), ("kn", (0,), X), ("kn", (2,), X), ("kve", (1.5,), X), ("jve", (1.5,), X),
    ("yve", (1.5,), X), ("ive", (1.5,), X), ("hankel1", (1.5,), X), ("hankel2", (1.5,), X),
    ("hankel1e", (1.5,), X), ("hankel2e", (1.5,), X), ("jvp", (1.5,), X), ("yvp", (1.5,), X),
    ("ivp", (1.5,), X), ("kvp", (1.5,), X), ("h1vp", (1.5,), X), ("h2vp", (1.5,), X),
    ("struve", (1.5,), X), ("modstruve", (1.5,), X), ("wright_bessel", (0.5, 1.2), X),
    ("spherical_jn", (2,), X), ("spherical_yn", (2,), X), ("spherical_in", (2,), X),
    ("spherical_kn", (2,), X), ("polygamma", (1,), X), ("zeta", (2.5,), X), ("expn", (0,), X),
    ("expn", (1,), X), ("expn", (3,), X),
    ("gammainc", (1.5,), X), ("gammaincc", (1.5,), X), ("gammaincinv", (1.5,), (0.2, 0.8)),
    ("gammainccinv", (1.5,), (0.2, 0.8)), ("betainc", (1.5, 2.5), (0.2, 0.8)),
    ("betaincinv", (1.5, 2.5), (0.2, 0.8)), ("betaincc", (1.5, 2.5), (0.2, 0.8)),
    ("betainccinv", (1.5, 2.5), (0.2, 0.8)),
    ("eval_legendre", (0,), X), ("eval_legendre", (3,), X), ("eval_legendre", (2.5,), X),
    ("eval_sh_legendre", (3,), X), ("eval_jacobi", (3, 0.5, 1.5), X),
    ("eval_sh_jacobi", (3, 2.0, 1.5), X), ("eval_gegenbauer", (3, 1.5), X),
    ("eval_chebyt", (0,), X), ("eval_chebyt", (3,), X), ("eval_chebyu", (0,), X),
    ("eval_chebyu", (3,), X), ("eval_chebyc", (3,), X), ("eval_chebys", (3,), X),
    ("eval_sh_chebyt", (3,), X), ("eval_sh_chebyu", (3,), X), ("eval_laguerre", (3,), X),
    ("eval_genlaguerre", (3, 0.5), X), ("eval_hermite", (0,), X), ("eval_hermite", (3,), X),
    ("eval_hermitenorm", (0,), X), ("eval_hermitenorm", (3,), X), ("lpmv", (1, 2.0), (0.1, 0.8)),
    ("lpmv", (1, 1.0), (0.1, 0.8)), ("hyp0f1", (1.5,), X), ("hyp1f1", (0.5, 1.5), X),
    ("hyp2f1", (0.5, 1.2, 1.7), (0.1, 0.6)), ("hyperu", (0.5, 1.5), X), ("pbdv", (1.3,), X),
    ("pbvv", (1.3,), X), ("pbwa", (1.3,), X), ("mathieu_cem", (2, 1.5), (10, 60)),
    ("mathieu_sem", (2, 1.5), (10, 60)), ("mathieu_modcem1", (2, 1.5), X),
    ("mathieu_modcem2", (2, 1.5), X), ("mathieu_modsem1", (2, 1.5), X),
    ("mathieu_modsem2", (2, 1.5), X), ("pro_ang1", (1, 2, 1.3), (0.1, 0.8)),
    ("obl_ang1", (1, 2, 1.3), (0.1, 0.8)), ("pro_rad1", (1, 2, 1.3), (1.3, 1.9)),
    ("obl_rad1", (1, 2, 1.3), (0.3, 0.9)),
    ("pro_ang1_cv", (1, 2, 1.3, 6.713257432559762), (0.1, 0.8)),
    ("chdtr", (2.5,), X), ("chdtrc", (2.5,), X), ("chdtri", (2.5,), (0.2, 0.8)),
    ("stdtr", (2.5,), X), ("stdtrit", (2.5,), (0.2, 0.8)), ("fdtr", (2.5, 3.5), X),
    ("fdtrc", (2.5, 3.5), X), ("fdtri", (2.5, 3.5), (0.2, 0.8)), ("pdtr", (2,), X),
    ("pdtrc", (2,), X), ("pdtri", (2,), (0.2, 0.8)), ("bdtr", (2, 5), (0.2, 0.8)),
    ("bdtrc", (2, 5), (0.2, 0.8)), ("bdtri", (2, 5), (0.2, 0.8)), ("nbdtr", (2, 3), (0.2, 0.8)),
    ("nbdtrc", (2, 3), (0.2, 0.8)), ("nbdtri", (2, 3), (0.2, 0.8)),
    ("log_wright_bessel", (0.5, 1.2), X), ("softplus", (), (-2, 2)), ("huber", (1.0,), (1.1, 2)),
    ("huber", (1.0,), (-0.9, 0.9)), ("diric", (), X),
]


# In single precision SciPy gives doubles for these, no numbers, or does not come to an end.
NO_SINGLE = {"itstruve0", "it2struve0", "itmodstruve0", "mathieu_cem", "mathieu_sem",
             "mathieu_modcem1", "mathieu_modcem2", "mathieu_modsem1", "mathieu_modsem2",
             "pro_ang1", "obl_ang1", "pro_rad1", "obl_rad1", "pro_ang1_cv"}


def function(name):
    if not hasattr(sp, name):
        pytest.skip(f"this SciPy has no {name}")
    return getattr(sp, name)


def rough(low, high):
    return 1e-4 if high - low < 1.6 else 1e-3


@pytest.mark.parametrize("name, low, high", UNARY)
def test_unary(name, low, high):
    for x in variants(low, high):
        if name in NO_SINGLE and getattr(x, "dtype", None) == np.float32:
            continue
        check(function(name), x, step=rough(low, high), atol=3e-6)


@pytest.mark.parametrize("name, low, high", BINARY)
def test_binary(name, low, high):
    for x, y in pairs(low, high):
        check(function(name), x, y)


@pytest.mark.parametrize("name, constants, where", OF_ORDER)
def test_of_constant_order(name, constants, where):
    if name == "diric":
        check(function(name), np.array([0.5, -1.2, 4.0]), 4, wrt=[0])
        return
    last = len(constants)
    for x in (np.linspace(*where, 3), float(np.mean(where)), np.linspace(*where, 4).reshape(2, 2),
              np.zeros((0,)), np.linspace(*where, 3, dtype=np.float32)):
        if name in NO_SINGLE and getattr(x, "dtype", None) == np.float32:
            continue
        check(function(name), *constants, x, wrt=[last], step=3e-4, atol=5e-6)


def test_orders_that_broadcast():
    n, x = np.arange(3.0), np.array([[0.5], [1.2]])
    for name in ("jv", "kv", "eval_legendre", "eval_chebyt", "hyp0f1"):
        check(getattr(sp, name), n + 1.0, x, wrt=[1])
    check(sp.expn, np.arange(3), x, wrt=[1])
    check(sp.eval_hermite, np.arange(3), x, wrt=[1])
    check(sp.lpmv, 1.0, np.arange(1.0, 4.0), x / 2, wrt=[2])


def test_several_parameters():
    check(sp.voigt_profile, np.array([0.5, -1.0]), 0.7, 0.3)
    check(sp.radian, 0.5, np.array([0.5, 1.0]), 2.0)
    check(sp.gdtr, 1.2, 1.5, 0.7, wrt=[0, 2])
    check(sp.gdtrc, 1.2, 1.5, np.array([0.7, 0.2]), wrt=[0, 2])
    check(sp.gdtrix, 1.2, 1.5, 0.7, wrt=[0, 2])
    check(sp.gdtria, 0.4, 1.5, 0.7, wrt=[0, 2])
    check(sp.nrdtrimn, 0.3, 1.5, 0.7)
    check(sp.nrdtrisd, 0.3, 0.7, 1.7)
    check(sp.chndtr, 1.5, 2.5, 0.7, wrt=[0, 2])
    check(sp.chndtrix, 0.4, 2.5, 0.7, wrt=[0, 2], atol=1e-5)
    check(sp.elliprf, 0.5, np.array([1.2, 0.9]), 0.7)
    check(sp.huber, 1.0, 1.5)
    check(sp.huber, 1.0, 0.5)
    check(sp.multigammaln, 3.2, 3, wrt=[0])
    check(sp.multigammaln, np.array([3.2, 4.0]), d=2, wrt=[0])


def test_complex():
    z = np.array([0.5 + 0.3j, -0.4 + 0.8j])
    for name in ("erf", "erfc", "erfi", "dawsn", "wofz", "gamma", "rgamma", "loggamma", "airy",
                 "sici", "shichi", "fresnel", "lambertw", "wrightomega", "expi", "exp1", "spence"):
        check(getattr(sp, name), z, step=1e-3)
    for name in ("jv", "yv", "iv", "kv", "kve", "ive", "jve", "yve", "hankel1", "hankel1e",
                 "hankel2e", "spherical_jn", "spherical_in", "hyp0f1", "eval_legendre"):
        check(getattr(sp, name), 2, z, wrt=[1])
    check(sp.hyp1f1, 0.5, 1.5, z, wrt=[2])
    check(sp.hyp2f1, 0.5, 1.5, 1.2, z, wrt=[3])


def test_harmonics():
    if not hasattr(sp, "sph_harm_y"):
        return
    theta, phi = np.array([0.4, 1.2]), np.array([0.3, -2.0])
    for n, m in ((0, 0), (1, 0), (1, 1), (3, -2), (3, -3)):
        check(sp.sph_harm_y, n, m, theta, phi, wrt=[2, 3])
    check(sp.sph_harm_y, np.arange(3), 0, 0.7, 0.5, wrt=[2, 3])
    check(sp.sph_harm_y, 2, 1, np.array([-0.7, 4.0, 6.0]), 0.5, wrt=[2, 3])    # cos repeats
    tl.check_grads(lambda theta, phi: sp.sph_harm_y(2, 1, theta, phi).real
                   + sp.sph_harm_y(3, -2, phi, theta, diff_n=0).imag, (0.7, 0.4))


def test_counts_of_choices():
    N, k = np.array([5.2, 4.0, 3.0]), 2.0
    check(sp.comb, N, k)
    check(sp.comb, 5.0, k, repetition=True)
    check(sp.comb, N, np.array([1.2, 3.5, 5.0]), step=1e-4)
    check(sp.perm, N, k)
    assert tl.grad(lambda N: sp.comb(N, 5))(3.0) == 0.0


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": 1}, {"axis": (0, 1)}, {"axis": -1}])
def test_sums_of_exponentials(options):
    x = np.random.default_rng(3).standard_normal((2, 3))
    for keepdims in (False, True):
        check(sp.logsumexp, x, keepdims=keepdims, **options)
        check(sp.logsumexp, x, b=np.array([1.0, 2.0, 0.5]), keepdims=keepdims, **options)
        check(sp.logsumexp, x, b=np.array([[1.0], [-0.1]]), keepdims=keepdims, return_sign=True,
              **options)
    check(sp.softmax, x, **options)
    check(sp.log_softmax, x, **options)


def test_weights_of_logsumexp():
    x = np.array([0.2, 1.0])
    check(sp.logsumexp, x, b=np.array([0.0, 2.0]), wrt=[0, "b"])
    check(sp.logsumexp, x, None, np.array([[1.0, 2.0], [0.5, 3.0]]))
    check(sp.logsumexp, 0.4)
    check(sp.logsumexp, x + 0.2j)
    with pytest.raises(InputError):
        tl.grad(lambda x: np.real(sp.logsumexp(x + 0.2j, return_sign=True)[0]))(x)


SECOND = [
    lambda x: np.sum(sp.exprel(x) * sp.erf(x)), lambda x: np.sum(sp.boxcox(x, 0.0)),
    lambda x: np.sum(sp.jv(1.5, x) * sp.kv(0.5, x) + sp.ive(1, x)),
    lambda x: np.sum(sp.spherical_jn(2, x) * sp.spherical_in(1, x)),
    lambda x: np.sum(sp.airy(x)[0] + sp.airy(x)[3]), lambda x: np.sum(sp.ellipkinc(x, 0.3 * x)),
    lambda x: np.sum(sp.ellipj(x, 0.5 * x)[1]), lambda x: np.sum(sp.agm(x, 1.0 + x)),
    lambda x: np.sum(sp.logsumexp(x, b=x) ** 2), lambda x: np.sum(sp.stdtr(3.0, x)),
    lambda x: np.sum(sp.gammaincinv(1.5, 0.3 * x)), lambda x: np.sum(sp.eval_legendre(4, x)),
    lambda x: np.sum(sp.betainc(1.5, 2.5, 0.3 * x)), lambda x: np.sum(sp.hyp1f1(0.5, 1.5, x)),
    lambda x: np.sum(sp.voigt_profile(x, 1.0, 0.3 * x)), lambda x: np.sum(sp.fresnel(x)[0]),
    lambda x: np.sum(sp.pseudo_huber(x, 2.0 * x)), lambda x: np.sum(sp.poch(x, 1.5)),
    lambda x: np.sum(sp.pbdv(1.3, x)[1]), lambda x: np.sum(sp.spence(x)),
    lambda x: np.sum(sp.comb(4.0 + x, 2)), lambda x: np.sum(sp.expn(0, x) + sp.expn(2, x)),
    lambda x: np.sum(np.real(sp.wofz(x) * sp.lambertw(x))),
    lambda x: np.sum(sp.lpmv(1, 2, 0.3 * x)),
    lambda x: np.sum(sp.pro_ang1(1, 2, 1.3, 0.3 * x)[1]),
    lambda x: np.sum(sp.tklmbda(0.3 * x, 0.7)),
    lambda x: np.sum(sp.mathieu_modcem1(2, 1.5, x)[1]), lambda x: np.sum(sp.chndtr(x, 2.5, x)),
    lambda x: np.sum(sp.inv_boxcox(x, 0.5 * x)), lambda x: np.sum(sp.multigammaln(2.0 + x, 3)),
]


@pytest.mark.parametrize("number", range(len(SECOND)))
@pytest.mark.sweep(8)
def test_second_order(number):
    tl.check_grads(SECOND[number], (np.array([0.6, 1.1]),), order=2, modes=("fwd", "rev"))
    tl.check_grads(SECOND[number], (0.8,), order=2, modes=("fwd", "rev"))


def test_where_formulas_would_divide_by_zero():
    assert tl.grad(sp.exprel)(0.0) == 0.5
    assert tl.grad(lambda x: sp.boxcox(2.0, x))(0.0) == pytest.approx(0.5 * np.log(2.0) ** 2)
    assert tl.grad(sp.spence)(1.0) == -1.0
    assert tl.grad(lambda x: sp.spherical_jn(2, x, True))(0.0) == pytest.approx(2 / 15)
    assert tl.grad(lambda m: sp.ellipkinc(1.0, m))(0.0) == pytest.approx(
        (sp.ellipkinc(1.0, 1e-4) - sp.ellipkinc(1.0, -1e-4)) / 2e-4)
    assert tl.grad(lambda a: sp.agm(a, 1.0))(1.0) == 0.5


def test_what_is_refused_says_why():
    with pytest.raises(MissingRuleError, match="with respect to v: the derivative with respect to "
                                               "the order has no closed form"):
        tl.grad(lambda v: sp.jv(v, 1.0))(0.5)
    with pytest.raises(MissingRuleError, match="the order has no closed form"):
        tl.jvp(lambda v: sp.jv(v, 1.0), (0.5,), (1.0,))
    with pytest.raises(MissingRuleError, match="kolmogorov is not differentiated"):
        tl.grad(lambda x: sp.kolmogorov(x))(0.5)


def test_all_is_decided():
    left = [n for n in dir(sp) if not n.startswith("_") and callable(getattr(sp, n))
            and not isinstance(getattr(sp, n), type) and registry.lookup(getattr(sp, n)) is None
            and registry.refusal_of(getattr(sp, n)) is None]
    assert set(left) <= {"test", "assoc_legendre_p"} | {n for n in left if n.endswith("_roots")}


@pytest.mark.parametrize(("x", "want"), [(0.6, 0.0), (-0.6, 0.0), (0.4, 1.0)])
def test_tukeys_lambda_beyond_its_ends(x, want):
    assert tl.grad(lambda x: sp.tklmbda(x, 2.0))(x) == pytest.approx(want)
    assert tl.jvp(lambda x: sp.tklmbda(x, 2.0), (x,), (1.0,))[1] == pytest.approx(want)
    assert tl.hessian(lambda x: sp.tklmbda(x, 2.0))(x) == pytest.approx(0.0, abs=1e-12)
