"""Reading rules: every mistake is refused where the rule stands."""
# ruff: noqa: F821 - rules name what only exists where they are filled in
import ast

import fresh
import gast
import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite import registry
from tangent_lite.errors import TangentError
from tangent_lite.registry import (
    adjoint,
    entry_for,
    lookup,
    nondifferentiable,
    pointwise,
    same_as,
    tangent,
)
from tangent_lite.result_kinds import elementwise


def f(x, y):
    return x * y


def forgotten(z, x, y):
    d[x] = d[z] * y


def unknown_target(z, x, y):
    d[x] = d[z]
    d[w] = d[z]


def no_result():
    pass


def with_options(z, x, **options):
    d[x] = d[z]


def statement(z, x):
    if x:
        d[x] = d[z]


def two_in_a_loop(z, *xs):
    for k, x in enumerate(xs):
        t = k
        d[x] = t


def loop_over_something(z, *xs):
    for k in range(3):
        d[xs] = d[z]


@pytest.mark.parametrize("rule, reason", [
    (forgotten, "says nothing about its parameter y"),
    (unknown_target, "w is no parameter of the rule"),
    (no_result, "first parameter is the result"),
    (with_options, "takes no \\*\\* parameter"),
    (statement, "a rule is made of"),
    (two_in_a_loop, "holds one statement"),
    (loop_over_something, "loop runs over a parameter"),
])
def test_mistakes_are_refused_with_their_place(rule, reason):
    with pytest.raises(TangentError, match=reason) as caught:
        adjoint(f)(rule)
    place = caught.value.place
    first = rule.__code__.co_firstlineno
    assert place.file == __file__ and first <= place.line <= first + 4
    assert f"test_registry.py:{place.line}" in str(caught.value)


def test_a_forgotten_parameter_can_be_declared():
    rule = registry.read_rule(forgotten, frozenset({"y"}), forward=False)
    assert rule.constant == {"y"}


def test_constant_names_no_parameter():
    with pytest.raises(TangentError, match="no parameters of the rule"):
        adjoint(f, constant=("q",))(forgotten)


def test_a_forward_rule_assigns_the_result():
    def wrong(z, x, y):
        d[x] = d[z] * y

    def forgets(z, x, y):
        d[z] = d[x] * y

    with pytest.raises(TangentError, match=r"assigns d\[z\]"):
        tangent(f)(wrong)
    with pytest.raises(TangentError, match="says nothing about its parameter y"):
        tangent(f)(forgets)


def test_options_need_no_formula():
    def rule(y, x, axis=None, keepdims=False, order="C"):
        d[x] = d[y]

    read = registry.read_rule(rule, frozenset(), forward=False)
    assert [p.is_option for p in read.parameters] == [False, True, True, True]


def test_without_effect():
    def rule(y, x, shape):
        d[x] = d[y]
        d[shape] = None

    read = registry.read_rule(rule, frozenset(), forward=False)
    assert read.without_effect == {"shape"}


def test_reads_result():
    def by_result(y, x):
        d[x] = d[y] * y

    def by_argument(y, x):
        d[x] = d[y] * x

    assert registry.read_rule(by_result, frozenset(), False).reads_result
    assert not registry.read_rule(by_argument, frozenset(), False).reads_result


def test_a_pointwise_rule_serves_both_modes():
    def made(x, y):
        return x / y

    @pointwise(made, kind=elementwise)
    def made_rule(z, x, y):
        d[x] = unbroadcast(d[z] / y, x)
        d[y] = unbroadcast(-d[z] * x / (y * y), y)

    entry = lookup(made)
    part, = entry.tangent.parts
    text = ast.unparse(gast.gast_to_ast(part.formula))
    assert part.target == "z" and text == "d[x] / y - d[y] * x / (y * y)"


def test_lookup_by_object():
    assert lookup(np.sin).adjoint is not None
    assert lookup(f) is None or lookup(f).adjoint is None
    assert lookup([]) is None


def test_same_as_shares_all():
    def model(x):
        return x

    def other(x):
        return x

    nondifferentiable(model, kind=elementwise)
    same_as(model, other)
    assert entry_for(other).constant and entry_for(other).kind is elementwise


def test_missing_rule_shows_the_rule_to_write():
    from tangent_lite.errors import Place
    error = registry.missing_rule(f, "lib.f", Place("a.py", 3, "y = lib.f(x)", 4, 12), ["x", "y"])
    assert "@tangent_lite.adjoint(lib.f)" in str(error) and "def f_adjoint(z, x, y):" in str(error)


def test_every_rule_is_complete():
    """Both modes, and a kind."""
    reverse_only = {"add_at", "interp_values", "interp_tangent", "cumprod_tangent"}
    for entry in registry.all_entries():
        name = getattr(entry.function, "__name__", str(entry.function))
        module = getattr(entry.function, "__module__", "") or ""
        rule = entry.adjoint
        ours = rule is None or "tangent_lite.rules" in rule.source.function.__module__
        if module.startswith(("tests", "test_")) or not ours:
            continue                            # other tests write rules of their own
        if entry.adjoint is not None and name not in reverse_only:
            assert entry.tangent is not None, name
            assert entry.kind is not None, name
        assert not (entry.constant and entry.adjoint), name


def test_a_rule_of_the_users_stays_when_ours_are_read(tmp_path):
    """It is registered first, and the rules that come with us are read at the first derivative."""
    (tmp_path / "ruled.py").write_text(
        "import numpy as np\nimport tangent_lite as tl\n\n\n"
        "@tl.adjoint(np.exp)\ndef exp(y, x):\n    d[x] = 2.0 * d[y] * y\n\n\n"
        "@tl.tangent(np.exp)\ndef exp_tangent(y, x):\n    d[y] = 3.0 * d[x] * y\n\n\n"
        "def f(x):\n    return np.exp(x)\n")
    fresh.run("""
        import ruled, tangent_lite as tl
        assert tl.grad(ruled.f)(0.0) == 2.0
        assert tl.jvp(ruled.f, (0.0,), (1.0,))[1] == 3.0
    """, tmp_path)


def test_declared_by_a_decorator():
    @nondifferentiable
    def tens(x):
        return int(x // 10.0)

    @nondifferentiable(pure=False)
    def fives(x):
        return int(x // 5.0)

    assert (tens(25.0), fives(25.0)) == (2, 5)
    assert tl.grad(lambda x: tens(x) * fives(x) * x)(25.0) == 10.0
    assert nondifferentiable(tens, fives) is None
