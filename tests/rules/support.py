"""`check(fun, *args, **options)`: one line tests the rules of a function against differences.

The rules are filled in as the passes do it, once knowing nothing of the arguments and once with
their kinds; the expressions are evaluated and compared with five-point differences of the function
itself: reverse mode, forward mode (all arguments at once and each alone), shapes, dtypes, and
whether the kind function tells the truth about the result. The two modes are held against each
other by the identity <by, J v> = <J^T by, v>, far closer than differences could tell.

What is passed to `check` is also what second derivatives are taken of: tests/rules/counts.py.
"""
import ast
import itertools
import re

import gast
import numpy as np

from tangent_lite import kinds, lowering, registry, syntax, template
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import (
    UNKNOWN,
    Array,
    Kind,
    ListKind,
    Number,
    Numeric,
    TupleKind,
    kind_of,
    new_shape,
)
from tangent_lite.written import spelling
from tests.rules.values import (
    is_single,
    like_layout,
    noise,
    noise_tree,
    paired,
    paired_tree,
    pairs_of,
    parts_of,
    products,
    tree_combine,
    tree_map,
    varies,
    widened,
)

# What takes each case in place of judging it: tests/rules/cases.py collects them so.
collector = None
# How far the two modes may be apart, relative to the terms of the products.
IDENTITY = 1e-10
CLASSES = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def check(fun, *args, wrt=None, modes=("reverse", "forward"), atol=1e-6, rtol=1e-5, step=1e-3,
          compare=None, zero=False, run=None, **options):
    """Test the rules of fun at args.

    wrt: positions of the arguments that vary (default: all that hold floats); compare: what to
    call in place of fun for the differences; run: what to call in place of an attribute; zero:
    expect a derivative of zero rather than differences (at kinks); options: passed on by keyword.
    """
    case = Case(fun, args, options, wrt, compare or fun, step, zero, run)
    case.modes = modes
    if collector is not None:
        collector(case)
        return case
    case.check_kind()
    for known in (False, True):
        if "reverse" in modes:
            case.check_reverse(known, atol, rtol)
        if "forward" in modes:
            case.check_forward(known, atol, rtol)
        if case.has_identity:
            case.check_identity()
    return case


class Case:
    def __init__(self, fun, args, options, wrt, compare, step, zero, run=None):
        self.run_fun = run or fun
        self.fun, self.args, self.options, self.zero = fun, args, options, zero
        self.compare, self.step = compare, step
        self.entry = registry.lookup(fun)
        assert self.entry is not None, f"no rule for {fun}"
        self.leaves = {}                # name -> value, of all parts that may vary
        self.order = []                 # (position or option, expression)
        self.values = {}
        self.fresh_number = itertools.count()
        if wrt is None:
            wrt = [k for k, a in enumerate(args) if varies(a)] + [
                k for k, a in options.items() if varies(a) and not isinstance(a, float)]
        self.wrt = list(wrt)
        self.expressions = {k: self.expression(a, k in self.wrt, f"x{k}")
                            for k, a in [*enumerate(args), *options.items()]}
        self.y = self.run(self.leaves)
        rng = np.random.default_rng(3)
        self.direction = {n: noise(rng, v) for n, v in self.leaves.items()}
        self.by = noise_tree(rng, self.y)

    def expression(self, value, active, name):
        if isinstance(value, (list, tuple)) and active:
            parts = [self.expression(v, varies(v), f"{name}_{k}") for k, v in enumerate(value)]
            return (gast.List if isinstance(value, list) else gast.Tuple)(parts, gast.Load())
        if active:
            self.leaves[name] = value
            return syntax.load(name)
        try:
            return syntax.parse_expression(repr(value)) if not isinstance(
                value, (np.ndarray, np.generic, type)) and not callable(value) and \
                not {"inf", "array"} & set(re.findall("[a-z]+", repr(value))) else \
                self.named(value, name)
        except SyntaxError:
            return self.named(value, name)

    def named(self, value, name):
        self.values[name] = value
        return syntax.load(name)

    def run(self, leaves, fun=None):
        env = {**self.values, **leaves}
        args = [evaluate(self.expressions[k], env) for k in range(len(self.args))]
        options = {k: evaluate(self.expressions[k], env) for k in self.options}
        return (fun or self.run_fun)(*args, **options)

    # Filling ---------------------------------------------------------------------------------
    def typer(self, known):
        names = {}
        self.tokens = {}
        env = {**self.values, **self.leaves}
        if known:
            for name, value in env.items():
                names[name] = self.kind(value)
        return names, Typer(names, lambda name: self.externals.get(name, NO_OBJECT))

    def kind(self, value):
        found = kind_of(value)
        if isinstance(found, Array):
            token = self.tokens.setdefault(value.shape, new_shape())
            return Array(found.ndim, found.dtype, token)
        return found

    def result_kind(self):
        names, typer = self.typer(True)
        args = [typer.kind(self.expressions[k]) for k in range(len(self.args))]
        options = {k: typer.kind(self.expressions[k]) for k in self.options}
        if self.entry.kind is None:
            return UNKNOWN
        return self.entry.kind(*args, **options)

    def check_kind(self):
        self.externals = {}
        kind = self.result_kind()
        problem = disagreement(kind, self.y)
        assert problem is None, f"{self.fun}: {kind} for {self.y!r}: {problem}"
        if isinstance(kind, Array) and kind.shape is not None:
            for shape, token in self.tokens.items():
                assert token != kind.shape or shape == np.shape(self.y), "wrong shape token"
        if self.entry.view == "never":
            results = self.y if isinstance(self.y, (tuple, list)) else [self.y]
            for leaf, result in itertools.product(self.leaves.values(), results):
                assert not (isinstance(leaf, np.ndarray) and isinstance(result, np.ndarray)
                            and np.shares_memory(leaf, result)), f"{self.fun} returns a view"

    def fill(self, rule, known, adjoints, wanted):
        self.externals = {}
        names, typer = self.typer(known)
        if known:
            # Derived by inference, as in the passes, and not from the value.
            names["y"] = self.result_kind()
        for name, leaf in adjoints.items():
            if known and isinstance(leaf, str):
                names[leaf] = names.get("y" if leaf == "by" else leaf[1:], UNKNOWN)

        def external(thing, name):
            name = f"_{name}" if name in names or name in self.leaves else name
            self.externals[name] = thing
            return syntax.load(name)

        bound = template.bind(rule, *spelling.as_of_rule(
            rule, self.fun, [self.expressions[k] for k in range(len(self.args))],
            {k: self.expressions[k] for k in self.options}, typer))
        self.bound = bound
        return template.fill(
            rule, bound, {rule.result: syntax.load("y")}, wanted(bound), wanted.active(bound),
            external, lambda name: f"{name}_{next(self.fresh_number)}_",
            lambda f, call: lowering.lower(f, call, typer, external))

    # Modes ------------------------------------------------------------------------------------
    def check_reverse(self, known, atol, rtol):
        rule = self.entry.adjoint
        assert rule is not None, f"no adjoint rule for {self.fun}"
        filled = self.fill(rule, known, {rule.result: "by"}, Reverse(self, rule))
        env = {**self.values, **self.leaves, **self.externals, "y": self.y, "by": self.by}
        for name, formula in filled.locals:
            env[name] = evaluate(formula, env)
        found = dict.fromkeys(self.leaves)
        for parameter, number, formula in filled.contributions:
            value = evaluate(formula, env)
            argument = self.bound[parameter]
            if number is not None:
                argument = (argument if isinstance(argument, list) else argument.elts)[number]
            self.add(found, argument, value)
        for name, leaf in self.leaves.items():
            if found[name] is None and self.parameter_of(name) in rule.without_effect:
                found[name] = np.zeros_like(leaf)
                continue
            assert found[name] is not None, f"{self.fun}: nothing for {name}"
            assert np.shape(found[name]) == np.shape(leaf), \
                f"{self.fun}: adjoint of shape {np.shape(found[name])} for {np.shape(leaf)}"
            if is_single(leaf) and is_single(self.y):
                assert np.asarray(found[name]).dtype.itemsize <= np.asarray(leaf).dtype.itemsize \
                    * (2 if np.iscomplexobj(found[name]) else 1), \
                    f"{self.fun}: {np.asarray(found[name]).dtype} for {np.asarray(leaf).dtype}"
        self.pulled = found
        left = sum(paired(found[n], self.direction[n]) for n in self.leaves)
        right = paired_tree(self.by, self.differences(self.direction))
        close(left, right, self.fun, "reverse", atol, rtol, self.leaves)

    def parameter_of(self, leaf):
        return next(p for p, e in self.bound.items() for part in (e if isinstance(e, list) else [e])
                    if leaf in syntax.read_names(part))

    def add(self, found, argument, value):
        if isinstance(argument, gast.Name):
            if argument.id in found:
                found[argument.id] = value if found[argument.id] is None else \
                    found[argument.id] + value
        elif isinstance(argument, (gast.List, gast.Tuple)):
            for part, one in zip(argument.elts, value):
                self.add(found, part, one)

    def check_forward(self, known, atol, rtol):
        rule = self.entry.tangent
        assert rule is not None, f"no tangent rule for {self.fun}"
        choices = [set(self.leaves)]
        if len(self.wrt) > 1:
            choices += [{n for n in self.leaves if n == f"x{k}" or n.startswith(f"x{k}_")}
                        for k in self.wrt]
        for active in choices:
            filled = self.fill(rule, known, {n: f"d{n}" for n in active},
                               Forward(self, rule, active))
            env = {**self.values, **self.leaves, **self.externals, "y": self.y,
                   **{f"d{n}": v for n, v in self.direction.items()}}
            for name, formula in filled.locals:
                env[name] = evaluate(formula, env)
            expected = self.differences({n: v if n in active else np.zeros_like(v)
                                         for n, v in self.direction.items()})
            if active == choices[0]:
                self.pushed = None
            if not filled.contributions:
                close_tree(expected, np.zeros_like(expected), self.fun, atol, rtol, self.leaves)
                continue
            assert len(filled.contributions) == 1
            found = evaluate(filled.contributions[0][2], env)
            if active == choices[0]:
                self.pushed = found
            close_tree(found, expected, self.fun, atol, rtol, self.leaves)

    @property
    def has_identity(self):
        """Whether the two modes can be compared: both are there, and something varies."""
        return {"reverse", "forward"} <= set(self.modes) and bool(self.leaves)

    @property
    def is_precise(self):
        """Whether everything is in double precision or better."""
        return not any(map(is_single, [*self.leaves.values(), *parts_of(self.y)]))

    def check_identity(self):
        """<by, J v> = <J^T by, v>, relative to the sum of the magnitudes of the terms."""
        left = products((self.pulled[n], self.direction[n]) for n in self.leaves)
        right = products(pairs_of(self.by, self.pushed))
        terms = np.concatenate([left, -right])
        if not np.all(np.isfinite(terms)):
            return                      # differences have judged where infinities stand
        allowed = (IDENTITY if self.is_precise else 1e-4) * np.sum(np.abs(terms))
        assert abs(np.sum(terms)) <= allowed, \
            f"{self.fun}: the modes differ by {np.sum(terms)} of {np.sum(np.abs(terms))} " \
            f"at {self.leaves}"

    def differences(self, direction):
        """The directional derivative, by differences in double precision."""
        if self.zero:
            return tree_map(np.zeros_like, self.y)
        wide = {n: widened(v) for n, v in self.leaves.items()}

        def at(t):
            moved = {n: wide[n] + t * np.asarray(direction[n], dtype=np.result_type(
                direction[n], float)) for n in wide}
            moved = {n: v if isinstance(self.leaves[n], np.ndarray) else v.item()
                     if isinstance(v, np.ndarray) or not isinstance(v, (float, complex)) else v
                     for n, v in moved.items()}
            moved = {n: like_layout(v, self.leaves[n]) for n, v in moved.items()}
            return self.run(moved, self.compare)

        h = self.step
        return tree_combine(lambda a, b, c, e: (8.0 * (a - b) - (c - e)) / (12.0 * h),
                            at(h), at(-h), at(2 * h), at(-2 * h))


class Reverse:
    def __init__(self, case, rule):
        self.case, self.rule = case, rule

    def __call__(self, bound):
        return {self.rule.result: syntax.load("by")}

    def active(self, bound):
        def wanted(name, number):
            argument = bound[name]
            if number is not None:
                argument = (argument if isinstance(argument, list) else argument.elts)[number]
            elif isinstance(argument, list):
                return False
            return bool(syntax.read_names(argument) & set(self.case.leaves))
        return wanted


class Forward:
    def __init__(self, case, rule, active):
        self.case, self.rule, self.names = case, rule, active

    def __call__(self, bound):
        found = {}
        for name, argument in bound.items():
            if isinstance(argument, list) or isinstance(argument, (gast.List, gast.Tuple)):
                parts = argument if isinstance(argument, list) else argument.elts
                tangents = [self.tangent(p) for p in parts]
                if any(t is not None for t in tangents):
                    found[name] = tangents
            else:
                tangent = self.tangent(argument)
                if tangent is not None:
                    found[name] = tangent
        return found

    def tangent(self, argument):
        if isinstance(argument, gast.Name) and argument.id in self.names:
            return syntax.load(f"d{argument.id}")
        if isinstance(argument, (gast.List, gast.Tuple)):
            parts = [self.tangent(p) for p in argument.elts]
            if any(p is not None for p in parts):
                return type(argument)([p or syntax.constant(0.0) for p in parts], gast.Load())
        return None

    def active(self, bound):
        return lambda name, number: True


def close(found, expected, fun, what, atol, rtol, leaves):
    if any(map(is_single, leaves.values())):
        atol, rtol = max(atol, 2e-4), max(rtol, 2e-3)
    assert np.allclose(found, expected, atol, rtol) or \
        abs(found - expected) <= atol + rtol * abs(expected), \
        f"{fun} {what}: {found} in place of {expected} at {leaves}"


def close_tree(found, expected, fun, atol, rtol, leaves):
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            close_tree(a, b, fun, atol, rtol, leaves)
        return
    if any(map(is_single, leaves.values())):
        atol, rtol = max(atol, 2e-4), max(rtol, 2e-3)
    assert np.shape(found) == np.shape(expected), \
        f"{fun} forward: shape {np.shape(found)} in place of {np.shape(expected)}"
    found = np.asarray(found)
    if not np.iscomplexobj(expected):
        found = np.real(found)
    np.testing.assert_allclose(found, expected, rtol, atol, err_msg=f"{fun} forward at {leaves}")


def evaluate(node, env):
    tree = ast.fix_missing_locations(gast.gast_to_ast(gast.Expression(syntax.copy(node))))
    with np.errstate(all="ignore"):
        return eval(compile(tree, "<formula>", "eval"), {}, env)


def disagreement(kind: Kind, value):
    """What is wrong about a kind; None if it is true of the value."""
    if kind == UNKNOWN:
        return None
    if isinstance(kind, TupleKind):
        if not isinstance(value, tuple) or len(value) != len(kind.items):
            return "no such tuple"
        return next((p for p in map(disagreement, kind.items, value) if p), None)
    if isinstance(kind, ListKind):
        if not isinstance(value, list):
            return "no list"
        return next((p for v in value for p in [disagreement(kind.item, v)] if p), None)
    if isinstance(kind, kinds.Text):
        return None if isinstance(value, (str, bytes)) else "no text"
    if isinstance(kind, kinds.Nothing):
        return None if value is None else "not None"
    if isinstance(kind, (kinds.RangeKind, kinds.Other, kinds.Known)):
        return None
    if not isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)):
        return "no number and no array"
    dtype = CLASSES.get(np.asarray(value).dtype.kind)
    if isinstance(kind, Number):
        if isinstance(value, np.ndarray):
            return "an array"
        if kind.value is not kinds.NO_VALUE and kind.value != value:
            return "another value"
        return None if kind.type == dtype else f"a {dtype}"
    if isinstance(kind, Array):
        if not isinstance(value, np.ndarray):
            return "no array"
        if kind.ndim is not None and kind.ndim != value.ndim:
            return f"{value.ndim} dimensions"
    if isinstance(kind, (Array, Numeric)):
        return None if kind.dtype in (None, dtype) else f"of {dtype}"
    return "a kind that no function returns"


def gradient(fun, *args, known=False, **options):
    """What the reverse rule gives each varying argument for an adjoint of ones."""
    case = Case(fun, args, options, None, fun, 1e-3, False)
    case.by = np.ones_like(case.y) if np.ndim(case.y) else 1.0
    rule = case.entry.adjoint
    filled = case.fill(rule, known, {rule.result: "by"}, Reverse(case, rule))
    env = {**case.values, **case.leaves, **case.externals, "y": case.y, "by": case.by}
    for name, formula in filled.locals:
        env[name] = evaluate(formula, env)
    found = dict.fromkeys(case.leaves)
    for parameter, number, formula in filled.contributions:
        argument = case.bound[parameter]
        if number is not None:
            argument = (argument if isinstance(argument, list) else argument.elts)[number]
        case.add(found, argument, evaluate(formula, env))
    return list(found.values())
