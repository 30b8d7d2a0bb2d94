"""Random draws: what NumPy's and Python's generators draw, and put in another order."""
import random

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import kinds, registry
from tests.heap.forced import by_identity, by_names

X = np.array([0.6, 1.7, 2.3, 0.9, 1.3])
NUMPY = {"generator": lambda: np.random.default_rng(3), "state": lambda: np.random.RandomState(3),
         "module": lambda: (np.random.seed(3), np.random)[1]}
PYTHON = {"random": lambda: random.Random(3), "module": lambda: (random.seed(3), random)[1]}


def differences(f, x, h=1e-6):
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


def judge(f, x=X):
    """The derivative in all modes, beside differences."""
    wanted, given = differences(f, x), x.copy()
    value, found = tl.value_and_grad(f)(x)
    assert value == f(x.copy())
    for gradient in (found, tl.grad(f)(x), tl.vjp(f, x)[1](1.0)):
        np.testing.assert_allclose(np.ravel(gradient), wanted, rtol=2e-5, atol=2e-6)
    direction = np.linspace(-1.0, 2.0, len(x))
    value, slope = tl.jvp(f, (x,), (direction,))
    assert value == f(x.copy())
    np.testing.assert_allclose(slope, wanted @ direction, rtol=2e-5, atol=2e-5)
    assert (x == given).all()


# Each draw, in every spelling, with parameters that vary and that do not.
DRAWS = """
normal(x[0], x[1])|normal(x[0])|normal(loc=x[2], scale=x[3])|normal(x, 2.0)|normal(0.5, x)
normal(x[0], 1.0, size=3)|normal(x[0], x[1], (2, 3))|normal(scale=x[0], size=4)
normal(0.0, 1.0)*x[0]
uniform(x[0], x[1] + 3.0)|uniform(-x, x)|uniform(high=x[2], size=(2, 2))|uniform(1.0, 2.0)*x[0]
exponential(x[1])|exponential(x)|exponential(scale=x[2], size=3)|exponential()*x[3]
rayleigh(x[1])|rayleigh(x, 5)|laplace(x[0], x[1])|laplace(x, x)|logistic(x[0], x[1], 2)
gumbel(x[0], x[1])|gumbel(x)|gamma(2.0, x[0])|gamma(2.0, x)|gamma(1.5, scale=x[1], size=3)
lognormal(0.1*x[0], 0.2*x[1])|lognormal(sigma=0.1*x)|weibull(x[1])|weibull(x + 1.0)
power(x[0] + 1.0)|power(x + 2.0)|pareto(x[0] + 2.0)|pareto(x + 3.0, 5)
multivariate_normal(x[:2], np.array([[1.0, 0.3], [0.3, 2.0]]))
multivariate_normal(x[:2], np.array([[1.0, 0.3], [0.3, 2.0]]), size=3)
beta(2.0, 3.0)*x[0]|standard_t(4.0)*x[0]|triangular(0.0, 1.0, 2.0)*x|poisson(3.0)*x[0]
binomial(5, 0.4)*x[1]|choice([1.0, 2.0, 3.0])*x[0]|choice(5, 3)@x[:3]|permutation(5)*x
standard_normal(5)*x|standard_normal()*x[0]|chisquare(3.0)*x[0]
permutation(x)*np.arange(5.0)|permutation(np.outer(x, x))@x|choice(x)|choice(x, 3)*np.arange(3.0)
choice(x, (2, 2), replace=False)|choice(x, p=np.array([0.1, 0.2, 0.3, 0.2, 0.2]))
choice(x*x, size=2)
"""
CALLS = [call for line in DRAWS.strip().splitlines() for call in line.split("|")]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("place", NUMPY)
@pytest.mark.sweep(8)
def test_draws(place, call, tmp_path):
    f = program(tmp_path, f"""
        rng = make()
        s = 0.0
        for _ in range(2):
            s = s + np.sum(rng.{call}) + rng.normal() * x[1]**2
        return s * np.sum(rng.{call})""", NUMPY[place])
    with by_names():
        judge(f)


PYTHON_CALLS = ["gauss(x[0], x[1])", "normalvariate(x[0], x[1])", "uniform(x[0], x[1])",
                "expovariate(x[2])", "lognormvariate(0.1 * x[0], 0.3 * x[1])",
                "gauss(mu=x[0], sigma=2.0)", "random() * x[0]", "randint(1, 5) * x[0]",
                "randrange(5) * x[1]", "choice([1.0, 2.0]) * x[0]", "betavariate(2.0, 3.0) * x[0]",
                "triangular(0.0, 2.0, 1.0) * x[0]"]


@pytest.mark.parametrize("call", PYTHON_CALLS)
@pytest.mark.parametrize("place", PYTHON)
@pytest.mark.sweep(8)
def test_draws_of_python(place, call, tmp_path):
    f = program(tmp_path, f"""
        rng = make()
        s = 0.0
        for _ in range(3):
            s = s + rng.{call} + rng.random() * x[1]**2
        return s * rng.{call}""", PYTHON[place])
    judge(f)


def program(folder, body, make):
    """A function of a file of its own."""
    file = folder / "drawing.py"
    file.write_text(f"def f(x):{body}\n")
    space = {"np": np, "make": make, "random": random}
    if make in NUMPY.values() or make in PYTHON.values():
        # What makes the generator is written out: a derivative looks into it.
        spelled = {id(NUMPY["generator"]): "rng = np.random.default_rng(3)",
                   id(NUMPY["state"]): "rng = np.random.RandomState(3)",
                   id(NUMPY["module"]): "rng = np.random; np.random.seed(3)",
                   id(PYTHON["random"]): "rng = random.Random(3)",
                   id(PYTHON["module"]): "rng = random; random.seed(3)"}[id(make)]
        file.write_text(f"def f(x):{body}\n".replace("rng = make()", spelled))
    exec(compile(file.read_text(), str(file), "exec"), space)
    return space["f"]


HELD = """
        keep = [[x]]
        q = keep[0]
        q.append(x * x)
        return np.sum(rng.{call}) * q[1][0] + keep[0][1][2] + rng.normal(0.0, 1.0) * x[1]**2"""


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("place", NUMPY)
@pytest.mark.sweep(8)
def test_draws_by_identity(place, call, tmp_path):
    if call in ("poisson(3.0)*x[0]", "binomial(5, 0.4)*x[1]"):
        pytest.skip("refused: see test_refused_by_identity")
    f = program(tmp_path, "\n        rng = make()" + HELD.replace("{call}", call), NUMPY[place])
    with by_identity():
        judge(f)


@pytest.mark.parametrize("call", PYTHON_CALLS)
@pytest.mark.parametrize("place", PYTHON)
def test_draws_of_python_by_identity(place, call, tmp_path):
    f = program(tmp_path, f"""
        rng = make()
        keep = [[x]]
        q = keep[0]
        q.append(x * x)
        return rng.{call} * q[1][0] + keep[0][1][2] + rng.gauss(0.0, 1.0) * x[1]**2""",
                PYTHON[place])
    with by_identity():
        judge(f)


# What draws stands in the order in which it was written, whatever is recorded of it.
def recorded_later(x):
    rng = np.random.default_rng(3)
    s = 0.0
    for i in range(3):
        s += rng.normal(x[i], 2.0)**2 + x[i] * rng.normal(0.0, 1.0) + rng.choice([1.0, 2.0]) * x[0]
    return s


def two_names(x):
    rng = np.random.default_rng(3)
    s = 0.0
    for _ in range(3):
        a = x[1] * rng.normal()
        b = rng.random() * x[0]**2
        s += a + b
    return s


def in_a_condition(x):
    rng = np.random.default_rng(1)
    n, s = 0, 0.0
    for _ in range(30):
        k = rng.integers(0, 5)
        u = rng.random()
        if u < 0.5:
            s = s + x[k] * u
        else:
            s = s * 0.5 + x[k - 1]
        n += rng.integers(1, 3)
    return s * n


def in_a_while(x):
    rng = np.random.default_rng(1)
    s = 0.0
    while s < 50.0:
        step = rng.normal(0.0, 1.0, size=3)
        s += np.sum(step**2) * x[0]
        if rng.random() < 0.3:
            s *= x[1]
    return s


def drawn(rng, mean, scale):
    return mean + scale * rng.standard_normal()


def in_helpers(x):
    rng = np.random.default_rng(1)
    s = 0.0
    for _ in range(5):
        s += drawn(rng, x[0], x[1])**2 * drawn(rng, x[2], 1.0)
    return s


class Walk:
    def __init__(self, seed):
        self.rng, self.s = np.random.default_rng(seed), 0.0

    def step(self, mean, scale):
        self.s += self.rng.normal(mean, scale)**2


def in_an_object(x):
    walk = Walk(2)
    for k in range(5):
        walk.step(x[k], x[0])
    return walk.s


def in_comprehensions(x):
    rng = np.random.default_rng(1)
    z = [rng.normal(x[i], 1.0) for i in range(5)]
    return sum(rng.normal() * v for v in z) * z[0]


def of_several(x):
    s = 0.0
    for rng in [np.random.default_rng(k) for k in range(3)]:
        s += rng.normal(x[0], x[1]) * rng.random()
    return s


def by_a_function_inside(x):
    rng = np.random.default_rng(1)

    def noise(scale):
        return rng.normal(0.0, scale)
    s = 0.0
    for k in range(5):
        s += noise(x[k]) * noise(1.0)
    return s


def batches(x):
    rng = np.random.default_rng(1)
    w = x.copy()
    for _ in range(3):
        p = rng.permutation(5)
        for k in range(0, 5, 2):
            batch = p[k:k + 2]
            w[batch] -= 0.1 * (w[batch] * 2.0 - 1.0)
    return np.sum(w**2)


def shuffled_positions(x):
    rng = np.random.default_rng(1)
    order, s, w = np.arange(5), 0.0, x.copy()
    for _ in range(4):
        rng.shuffle(order)
        for i in order:
            w[i] = w[i] * 0.9 + 0.1 * w[order[0]]**2
        s += x[order[0]] * x[order[1]]**2
    return np.sum(w * x) + s


def shuffled_list(x):
    order, s = list(range(5)), 0.0
    random.seed(1)
    for _ in range(4):
        random.shuffle(order)
        s += x[order[0]] * x[order[1]]**2
    return s


def shuffled_list_of_an_object(x):
    order, s, drawing = list(range(5)), 0.0, random.Random(1)
    for _ in range(4):
        drawing.shuffle(order)
        s += x[order[0]] * x[order[1]]**2
    return s


def into_an_array(x):
    rng = np.random.default_rng(1)
    s, b = 0.0, np.zeros(3)
    for _ in range(4):
        t = np.sum(b * x[:3]) * x[4]
        rng.random(out=b)
        s += t * x[0] + np.sum(b * x[:3])
        rng.standard_normal(None, np.float64, b)
        s += np.sum(b * x[:3]) * x[1]
    return s


def between_products(x):
    rng, b = np.random.default_rng(1), np.ones(5)
    s = np.sum(b * x)
    rng.random(out=b)
    return s * np.sum(b * x)


def test_draws_into_an_array_in_several_directions():
    x, e = X.copy(), np.eye(5)
    second = [[between_products(x + a + b) - between_products(x + a) - between_products(x + b)
               + between_products(x) for a in e] for b in e]
    np.testing.assert_allclose(tl.hessian(between_products)(x), second, rtol=1e-9)
    np.testing.assert_allclose(tl.jacfwd(between_products)(x), differences(between_products, x),
                               rtol=1e-6)


def shuffled(x):
    s = 0.0
    np.random.seed(4)
    for rng in (np.random.default_rng(2), np.random.RandomState(2)):
        y, z, values = x * x, np.outer(x, x), [v * v for v in x]
        rng.shuffle(y)
        rng.shuffle(z)
        rng.shuffle(values)
        np.random.shuffle(y)
        s += np.sum(y * np.arange(5.0)) + np.sum(z @ np.arange(5.0)) * values[0] * values[1]**2
    return s


def shuffled_by_python(x):
    drawing = random.Random(3)
    values = list(x)
    drawing.shuffle(values)
    some, one = drawing.sample(values, 2), drawing.choice(values)
    more = drawing.choices(values, k=2)
    return values[0] * values[1]**2 + some[0] * some[1] + one * more[0]


def where_nothing_depends_on_it(x):
    """Whether a loop or a branch is needed or not, what it draws in its head is drawn."""
    rng = np.random.default_rng(5)
    s, count = 0.0, 0
    for _ in range(4):
        while rng.random() < 0.5:
            count += 1
        for k in range(rng.integers(0, 3)):
            count += k
        if rng.random() < 0.5:
            count = 0
        s += x[0]**2 * rng.normal() * x[1]
    return s


def added_to_what_is_linear(x):
    """What is added has no slope, and is drawn in second derivatives, too."""
    rng = np.random.default_rng(5)
    y = x.copy()
    for _ in range(3):
        k = rng.integers(0, 5, 3)
        y -= 0.1 * y * np.sum(x[k])
        y += 0.1 * rng.standard_normal(y.shape)
    return y @ y


WRITTEN = (recorded_later, two_names, in_a_condition, in_a_while, in_helpers, in_an_object,
           in_comprehensions, of_several, by_a_function_inside, batches, shuffled_positions,
           shuffled_list, shuffled_list_of_an_object, into_an_array, shuffled, shuffled_by_python,
           where_nothing_depends_on_it, added_to_what_is_linear)
NOT_BY_NAMES = {shuffled_list, shuffled_list_of_an_object, shuffled, shuffled_by_python}


@pytest.mark.parametrize("f", WRITTEN)
@pytest.mark.sweep(5)
def test_programs(f):
    if f not in NOT_BY_NAMES:
        with by_names():
            tl.grad(f)(X)
    judge(f)
    with by_identity():
        judge(f)


@pytest.mark.parametrize("f", [recorded_later, two_names, in_a_while, in_helpers, in_an_object,
                               batches, shuffled_positions, where_nothing_depends_on_it,
                               added_to_what_is_linear])
def test_second_derivatives(f):
    def slope(x):
        return tl.jvp(f, (x,), (np.ones(5),))[1]

    wanted = differences(lambda x: np.sum(differences(f, x, 1e-4)), X, 1e-3)
    np.testing.assert_allclose(tl.hvp(f)(X, np.ones(5)), wanted, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(tl.grad(slope)(X), wanted, rtol=1e-3, atol=1e-3)


def test_the_stream_goes_on():
    """A derivative draws as often as the function, from the generator that it is given."""
    def f(x, rng):
        return rng.normal(x, 1.0)**2

    one, other = np.random.default_rng(8), np.random.default_rng(8)
    for _ in range(3):
        value, slope = tl.value_and_grad(f)(1.5, one)
        assert value == f(1.5, other) and slope == 2 * np.sqrt(value) * np.sign(slope)
    assert one.random() == other.random()


@pytest.mark.parametrize("call, reason", [
    ("gamma(x[0])", "the shape of a gamma distribution decides what is drawn"),
    ("beta(x[0], 2.0)", "no .* rule for"), ("poisson(x[0])", "no .* rule for"),
    ("binomial(10, x[0], size=5)", "no .* rule for"), ("poisson(x, size=5)", "no .* rule for"),
    ("multivariate_normal(np.zeros(2), np.eye(2) * x[0])", "which root of the covariance"),
    ("choice(5, p=x / np.sum(x))", "no .* rule for")])
def test_refused(call, reason, tmp_path):
    f = program(tmp_path, f"\n        rng = make()\n        return np.sum(rng.{call}) * x[0]",
                NUMPY["generator"])
    with pytest.raises(tl.MissingRuleError, match=reason):
        tl.grad(f)(X)
    with pytest.raises(tl.MissingRuleError, match=reason):
        tl.jvp(f, (X,), (X,))


@pytest.mark.parametrize("call", ["beta(2.0 * x[0], 2.0)", "gamma(x[0])", "poisson(3.0)"])
def test_refused_by_identity(call, tmp_path):
    f = program(tmp_path, "\n        rng = make()" + HELD.replace("{call}", call),
                NUMPY["generator"])
    with by_identity(), pytest.raises(tl.MissingRuleError):
        tl.grad(f)(X)


KINDS = """
normal()|normal(1.0, 2.0)|normal(1.0, 2.0, 3)|normal(1.0, 2.0, None)|normal(size=(2, 3))
normal(np.ones(2))|normal(np.ones((2, 1)), np.ones(3))|normal([1.0, 2.0])|normal(1, 2)
normal(np.array(1.0))|normal(size=())|normal(size=[2, 3])|uniform(1, 2)|uniform(size=1)
exponential()|exponential(2)|gamma(2)|gamma(2.0, np.ones(3))|poisson()|poisson(2.0, 3)
poisson(np.ones(2))|binomial(3, 0.5)|geometric(0.5, size=2)|permutation(4)|permutation([1, 2, 3])
permutation(np.ones((2, 3)))|choice(4)|choice(4, 2)|choice([1.0, 2.0])|choice(np.ones(3))
choice(np.ones(3), 2)|choice(4, (2, 3))|choice([1, 2], None)|standard_normal()
standard_normal(3)|standard_normal((2, 3))|multivariate_normal(np.zeros(2), np.eye(2))
multivariate_normal(np.zeros(2), np.eye(2), 3)|beta(1.0, 2.0)|chisquare(2.0, 3)|lognormal(size=2)
dirichlet(np.ones(3))|multinomial(3, [0.5, 0.5])|standard_t(3.0)|triangular(0.0, 1.0, 2.0)
"""
OF_GENERATORS = "integers(5)|integers(0, 5, 3)|integers(np.array([3, 4]))|random()|random(3)|" \
    "integers(2, dtype=bool)|integers(5, endpoint=True)|random(3, dtype=np.float32)|" \
    "standard_normal(2, np.float32)|permuted(np.ones(3))|permuted([1.0, 2.0])|" \
    "choice(np.ones((3, 2)), axis=1)|" \
    "choice(np.ones((3, 2)))|choice(np.ones((3, 2)), 2)"
OF_STATES = "rand()|rand(2)|rand(2, 3)|randn(2)|randint(5)|randint(0, 5, 3)|random_sample(3)|" \
    "randint(0, 5, dtype=np.int8)|random_sample()|randint(2, size=(2, 2))"
SAMPLES = [(place, call) for place in NUMPY for call in (
    KINDS.replace("\n", "|").strip("|") + "|"
    + (OF_GENERATORS if place == "generator" else OF_STATES)).split("|")]


@pytest.mark.parametrize("place, call", SAMPLES)
def test_kinds(place, call):
    """What is said of a result before the call is true of it."""
    rng = NUMPY[place]()
    name, _, given = call.partition("(")
    space = {"np": np, "taken": lambda *args, **options: (args, options)}
    args, options = eval(f"taken({given}", space)
    function = getattr(rng if place == "module" else type(rng), name)
    first = [] if place == "module" else [kinds.kind_of(rng)]
    said = registry.lookup(function).kind(*first, *map(kinds.kind_of, args),
                                          **{k: kinds.kind_of(v) for k, v in options.items()})
    found = getattr(rng, name)(*args, **options)
    if isinstance(said, kinds.Number):
        assert not isinstance(found, np.ndarray)
        assert np.asarray(found).dtype.kind == {"float": "f", "int": "i", "complex": "c"}[said.type]
    elif isinstance(said, kinds.Array):
        assert isinstance(found, np.ndarray) and said.ndim in (None, found.ndim)
        assert found.dtype.kind == {"float": "f", "int": "i", "complex": "c"}[said.dtype]
    elif isinstance(said, kinds.Numeric):
        assert np.asarray(found).dtype.kind == {"float": "f", "int": "i", None: found}[said.dtype]
    else:
        assert said is kinds.UNKNOWN
    assert not isinstance(said, kinds.Number) or kinds.value_of(said) is kinds.NO_VALUE
