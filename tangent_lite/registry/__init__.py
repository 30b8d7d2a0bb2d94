"""The rules: which formula is the derivative of which function.

A rule is a function that is read and never run. Its first parameter is the result, the others are
the parameters of the primal; `d[x] = ...` says what is added to the adjoint of x:

    @adjoint(np.multiply, operator.mul, kind=elementwise)
    def multiply(z, x, y):
        d[x] = unbroadcast(d[z] * y, x)
        d[y] = unbroadcast(d[z] * x, y)

Every parameter is assigned, or constant by declaration (`constant=("spec",)`), or an option by
nature (its default is None, a bool or a string). One that is forgotten is refused when the rule is
read (`registry/reading`). A constant or an option may not vary: a call in which it does is
refused. A parameter that may vary without effect, since only its shape or its sign is read, gets
`d[x] = None`.
"""
from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from tangent_lite import kinds
from tangent_lite.calling.collector import resting
from tangent_lite.calling.reuse import forget, none_rests_on_these
from tangent_lite.errors import MissingRuleError, Place
from tangent_lite.modules import module_of, package_of
from tangent_lite.registry.fitting import check_callable, check_fits
from tangent_lite.registry.reading import (  # noqa: F401
    Constants,
    Contribution,
    Local,
    Parameter,
    Rule,
    Unread,
    parameters_of,
    read_rule,
    turned_around,
    varying_parameters,
)

# Of the kinds of arguments: why a call is refused and what to write in its place, or None.
Limit = Callable[..., "tuple[str, str] | None"]


@dataclass(eq=False, repr=False)
class Entry:
    """All that is known of one function."""
    function: Any
    reverse: Rule | Unread | None = None
    forward: Rule | Unread | None = None
    constant: bool = False                      # declared non-differentiable
    constant_of_real: bool = False              # where it is given real numbers
    kind: kinds.KindFunction | None = None
    view: str = "never"                         # may the result share memory with the first
    #                                             argument: "never", "always" or "maybe"; with any
    #                                             of them: "any"
    pure: bool = True                           # may be run again and gives the same
    writes: tuple[str, ...] = field(default=())  # parameters that a call writes into
    limit: Limit | None = None                  # which calls our rules are not made for

    @property
    def adjoint(self) -> Rule | None:
        """The reverse rule."""
        return self.reverse.rule() if isinstance(self.reverse, Unread) else self.reverse

    @property
    def tangent(self) -> Rule | None:
        """The forward rule."""
        return self.forward.rule() if isinstance(self.forward, Unread) else self.forward


_entries: dict[Any, Entry] = {}
_owners: dict[int, Any] = {}            # objects whose methods have rules, by id
_entry_points_loaded = False


def key_of_function(function: Any) -> Any:
    """What a function is filed under: itself, its address if it has no hash (as those of ctypes).
    """
    try:
        hash(function)
    except TypeError:
        return id(function)
    return function


def entry_for(function: Any) -> Entry:
    """The entry of a function, made if there is none."""
    if isinstance(function, types.MethodType):
        _owners[id(function.__self__)] = function.__self__
    return _entries.setdefault(key_of_function(function), Entry(function))


def owns_rules(thing: Any) -> bool:
    """Whether methods of this one object have rules (scipy.stats.norm.logpdf)."""
    return _owners.get(id(thing)) is thing


def owned_objects() -> list[Any]:
    """The objects whose methods have rules."""
    return list(_owners.values())


def lookup(function: Any) -> Entry | None:
    """The entry of a function, or None. The rules that come with us are read at the first call."""
    if len(sys.modules) != _modules_seen:           # SciPy may have come into use in between
        load_rules()
    return _entries.get(key_of_function(function))


def has_our_rules(function: Any) -> bool:
    """Whether the rules of a function are those that come with us, and so its true derivative."""
    entry = lookup(function)
    return entry is not None and all(
        rule is None or isinstance(rule, Unread) for rule in (entry.reverse, entry.forward))


_loaded_areas: set[str] = set()
LATER = {
    "scipy.linalg": ("scipy_linalg", "scipy_linalg_factors", "scipy_linalg_functions",
                     "scipy_linalg_structured"),
    "scipy.fft": ("scipy_fourier",),
    "scipy.special": ("scipy_rules", "scipy_special", "scipy_bessel", "scipy_orthogonal",
                      "scipy_cumulative", "scipy_declared"),
    "scipy.optimize": ("scipy_functions", "scipy_optimize"),
    "scipy.integrate": ("scipy_functions", "scipy_integrate"),
    "scipy.signal": ("scipy_signal", "scipy_filters"),
    "scipy.sparse": ("scipy_sparse", "scipy_sparse_made", "scipy_sparse_solutions",
                     "scipy_sparse_helpers"),
    "scipy.ndimage": ("scipy_ndimage",),
    "scipy.interpolate": ("scipy_interpolate",),
    "scipy.spatial.distance": ("scipy_spatial",),
    "scipy.stats": ("scipy_stats", "scipy_stats_discrete", "scipy_stats_joint"),
    "statistics": ("statistics_rules",),
    "threading": ("threads",),
    "concurrent.futures.process": ("processes",),
    "multiprocessing.pool": ("processes",),
    "cupy": ("cupy_functions",)}
_awaited = set(LATER)                   # what has not been in use so far
_modules_seen = 0                       # how many modules there were when that was looked at


def load_rules() -> None:
    """Import the rules that come with tangent_lite; those for SciPy once SciPy is in use."""
    global _modules_seen
    if "numpy" in _loaded_areas and sys.modules.keys().isdisjoint(_awaited):
        _modules_seen = len(sys.modules)
        return
    with resting(), none_rests_on_these():
        if "numpy" not in _loaded_areas:
            import tangent_lite.rules  # noqa: F401
            _loaded_areas.add("numpy")
        for package, areas in LATER.items():
            if package in sys.modules and package not in _loaded_areas:
                import importlib
                for area in areas:
                    importlib.import_module(f"tangent_lite.rules.{area}")
                _loaded_areas.add(package)
                _awaited.discard(package)


def load_third_parties() -> bool:
    """Import what the entry-point group `tangent_lite.rules` names; True the first time."""
    global _entry_points_loaded
    if _entry_points_loaded:
        return False
    _entry_points_loaded = True
    from importlib.metadata import entry_points
    with none_rests_on_these():
        for point in entry_points(group="tangent_lite.rules"):
            point.load()
    return True


def all_entries() -> Iterable[Entry]:
    load_rules()
    return _entries.values()


# Registering ----------------------------------------------------------------------------------
def adjoint(*functions: Any, constant: Constants = (), kind: Any = None, view: str = "never",
            pure: bool = True, spelled: dict[str, str] | None = None) -> Callable[[Any], Any]:
    """Register the reverse rule of functions (several if they take the same parameters).

    `constant` names the parameters that may not vary; a dict says why: `{"v": "the order ..."}`.
    `spelled` gives parameters the names that they have in these functions: `{"a": "df"}`.
    `kind` says what kind of value they return (`elementwise` of tangent_lite.result_kinds and the
    like); `view` says whether the result may share memory with the first argument ("never",
    "always", "maybe"); `pure=False` marks functions that must not be run again (random numbers,
    input and output).
    """
    def register(definition: Any) -> Any:
        rule = _rule_of(definition, constant, False, spelled, functions)
        for function in functions:
            entry = entry_for(function)
            entry.reverse, entry.view, entry.pure = _for(function, rule), view, pure
            entry.constant = False
            entry.kind = kind or entry.kind
        forget()
        return definition
    return register


def tangent(*functions: Any, constant: Constants = (), kind: Any = None,
            spelled: dict[str, str] | None = None) -> Callable[[Any], Any]:
    """Register the forward rule of functions: one formula, `d[y] = d[x] * ...`."""
    def register(definition: Any) -> Any:
        rule = _rule_of(definition, constant, True, spelled, functions)
        for function in functions:
            entry = entry_for(function)
            entry.forward = _for(function, rule)
            entry.constant = False
            entry.kind = kind or entry.kind
        forget()
        return definition
    return register


def pointwise(*functions: Any, constant: Constants = (), kind: Any = None, view: str = "never",
              spelled: dict[str, str] | None = None) -> Callable[[Any], Any]:
    """Register both rules of functions that work element by element, from the reverse one.

        @pointwise(np.multiply)
        def multiply(z, x, y):
            d[x] = unbroadcast(d[z] * y, x)
            d[y] = unbroadcast(d[z] * x, y)

    is also the tangent `d[z] = d[x] * y + d[y] * x`. The formulas must be complex-linear in d[z].
    """
    def register(definition: Any) -> Any:
        adjoint(*functions, constant=constant, kind=kind, view=view, spelled=spelled)(definition)
        for function in functions:
            entry = entry_for(function)
            reverse = entry.reverse
            assert reverse is not None              # registered in the line above
            entry.forward = turned_around(reverse) if isinstance(reverse, Rule) else \
                Unread(functools.partial(_turned, reverse))
        return definition
    return register


def _rule_of(definition: Any, constant: Constants, forward: bool, spelled: dict[str, str] | None,
             functions: tuple[Any, ...]) -> Rule | Unread:
    """The rule that a function defines. What is wrong with one of the user's is said at once; ours
    are many, and tests read them all."""
    read = functools.partial(read_rule, definition, constant, forward, spelled)
    if module_of(definition).startswith("tangent_lite.rules."):
        return Unread(read)
    load_rules()            # or one of ours would take the place of the user's later on
    for function in functions:
        check_callable(function)
    rule = read()
    for function in functions:
        check_fits(rule, function, definition)
    return rule


def _for(function: Any, rule: Rule | Unread) -> Rule | Unread:
    """The rule of a method for one object: `np.random.normal` is that of RandomState, without the
    parameter `self`."""
    if not isinstance(function, types.MethodType):
        return rule
    return _of_one_object(rule) if isinstance(rule, Rule) else \
        Unread(functools.partial(_read_of_one_object, rule))


def _read_of_one_object(rule: Unread) -> Rule:
    return _of_one_object(rule.rule())


def _of_one_object(rule: Rule) -> Rule:
    first, *rest = rule.parameters
    return replace(rule, parameters=tuple(rest)) if first.name == "self" else rule


def _turned(reverse: Unread) -> Rule:
    return turned_around(reverse.rule())


def nondifferentiable(*functions: Any, kind: Any = None, view: str = "never",
                      pure: bool = True) -> Any:
    """Declare functions piecewise constant, or integer- or boolean-valued: derivative zero.

    As a decorator it returns the function: `@nondifferentiable`, `@nondifferentiable(pure=False)`.
    """
    if not functions:
        return functools.partial(nondifferentiable, kind=kind, view=view, pure=pure)
    for function in functions:
        check_callable(function)
        entry = entry_for(function)
        entry.constant, entry.view, entry.pure = True, view, pure
        entry.kind = kind or entry.kind
    forget()
    return functions[0] if len(functions) == 1 else None


def nondifferentiable_of_real(*functions: Any) -> None:
    """Declare that functions, whose rules are for complex numbers, are piecewise constant where
    their arguments are real."""
    for function in functions:
        entry_for(function).constant_of_real = True
    forget()


# In the place of what has no rule and is given a function, whose variables no rule would reach.
WRITE_OUT = "write out what it does, in a loop"
_refused: dict[Any, tuple[str, str]] = {}
_refused_objects: dict[type, tuple[str, str]] = {}      # of a class, where they are called


def refuse(*functions: Any, why: str, instead: str = "write a rule of your own") -> None:
    """Declare that functions get no rule, on purpose: why, and what to write in their place.

    A call of them with what does not vary is as good as any other; one with what varies is refused,
    and the message says both.
    """
    for function in functions:
        _refused[key_of_function(function)] = why, instead
        if hasattr(function, "__code__") or isinstance(function, type):
            # Or its source would be looked into, which differs from version to version.
            entry = entry_for(function)
            entry.view, entry.pure = "maybe", False


def refuse_calls_of(kind: type, *, why: str, instead: str) -> None:
    """Declare that objects of a class get no rule where they are called: why, and what to write in
    the place of such a call."""
    _refused_objects[kind] = why, instead


def refuse_where(limit: Limit, *functions: Any) -> None:
    """Declare which calls of functions their rules are not made for, by the kinds of the arguments
    (`tangent_lite.result_kinds.limits`)."""
    for function in functions:
        entry_for(function).limit = limit


def all_refusals() -> Iterable[tuple[Any, tuple[str, str]]]:
    """All functions that get no rule on purpose, with why and what to write instead."""
    load_rules()
    return [pair for pair in _refused.items() if not isinstance(pair[0], int)]


def refusal_of(function: Any) -> tuple[str, str] | None:
    """Why a function has no rule, and what to write in its place; None if nobody decided that."""
    entry = lookup(function)
    if entry is not None and (entry.adjoint is not None or entry.tangent is not None):
        return None                 # of a third party
    return _refused.get(key_of_function(function)) or _refused_objects.get(type(function))


_fresh: set[Any] = set()


def makes_fresh(*functions: Any) -> None:
    """Declare that helpers without rules, which are differentiated as they are written, never
    return memory of what they are given."""
    _fresh.update(functions)


def is_fresh(function: Any) -> bool:
    """Whether a helper returns arrays of its own."""
    try:
        return function in _fresh
    except TypeError:
        return False


def same_as(model: Any, *functions: Any) -> None:
    """Let functions share the rules of a model with the same parameters (x.sum and np.sum)."""
    source = entry_for(model)
    for function in functions:
        entry = entry_for(function)
        entry.reverse, entry.forward = source.reverse, source.forward
        entry.constant, entry.kind = source.constant, source.kind
        entry.view, entry.pure, entry.writes = source.view, source.pure, source.writes
        entry.limit = source.limit


# Functions that need no rule, since what they do can be written in Python ------------------------
# What a parameter of a model is annotated with that takes what cannot vary.
CONSTANT: Any = type("Constant", (), {"__repr__": lambda self: "CONSTANT"})()

_models: dict[Any, list[Callable[..., Any]]] = {}


def written_as(*functions: Any) -> Callable[[Any], Any]:
    """Register what functions do with what may vary, as a function in Python that is read:

        @written_as(itertools.pairwise)
        def pairwise(items):
            pairs = []
            for k in range(len(items) - 1):
                pairs.append((items[k], items[k + 1]))
            return pairs

    A call of them is written out as that. There may be several for one function: the first that
    takes the arguments of a call stands for it. An annotation is the literal that has to be passed,
    a kind or a tuple of the kinds that the argument may have, or CONSTANT: what cannot vary.
    """
    def register(definition: Any) -> Any:
        for function in functions:
            _models.setdefault(function, []).append(definition)
        return definition
    return register


def all_models() -> Iterable[tuple[Any, list[Callable[..., Any]]]]:
    """All functions that are written out as Python, with what stands for them."""
    load_rules()
    return [pair for pair in _models.items() if callable(pair[0])]


def models_of(function: Any) -> list[Callable[..., Any]]:
    """What was registered for a function by `written_as`."""
    load_rules()
    try:
        return _models.get(function, [])
    except TypeError:
        return []


# A missing rule -------------------------------------------------------------------------------
def positional_names(function: Any, count: int) -> list[str]:
    """What a function calls its first parameters, if it says so of as many as it is given."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[:count]
    except (TypeError, ValueError):
        return []
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return names if len(names) == count and "d" not in names else []


def missing_rule(function: Any, spelled: str, place: Place, parameters: list[str],
                 mode: str = "adjoint", constant: tuple[str, ...] = ()) -> MissingRuleError:
    """The error for a function without a rule, with the rule to write.

    constant: the parameters that do not vary in this call.
    """
    refused = refusal_of(function)
    if refused is not None:
        why, instead = refused
        error = MissingRuleError(f"{spelled} is not differentiated: {why}", place, instead)
        error.is_on_purpose = True
        return error
    name = spelled.split(".")[-1]
    parameters = _told_apart(parameters)
    taken = set(parameters)
    result = next(c for c in ("y", "z", "out", "result") if c not in taken)
    varying = [p for p in parameters if p not in constant] or parameters
    if mode == "adjoint":
        lines = [f"d[{p}] = d[{result}] * ...        # the derivative with respect to {p}"
                 for p in varying]
    else:
        lines = [f"d[{result}] = " + " + ".join(f"d[{p}] * ..." for p in varying)]
    body = "\n        ".join(lines) or "pass"
    told = [p for p in parameters if p not in varying]
    quoted = ", ".join(f'"{p}"' for p in told) + ("," if len(told) == 1 else "")
    options = f", constant=({quoted})" if told else ""
    template = (f"write its rule:\n\n    @tangent_lite.{mode}({spelled}{options})\n"
                f"    def {name}_{mode}({', '.join([result, *parameters])}):\n        {body}\n\n"
                f"    or, if it is piecewise constant: "
                f"tangent_lite.nondifferentiable({spelled})")
    return MissingRuleError(f"no {mode} rule for {spelled}", place, template)


def _told_apart(names: list[str]) -> list[str]:
    """The names, those that stand twice with a number."""
    return [n if names.count(n) == 1 else f"{n}_{names[:k].count(n) + 1}"
            for k, n in enumerate(names)]


def is_ours(function: Any) -> bool:
    """Whether a function is one of tangent_lite's own, which is not read as the user's are: no
    helper of emitted code, and nothing that was emitted."""
    module = module_of(function)
    return module.startswith("tangent_lite.") and not hasattr(function, "rests_on") \
        and not module.startswith("tangent_lite.runtime")


_libraries = {"numpy", "scipy"}


def add_library(package: str) -> None:
    """Declare that the functions of a package need rules, and are not read."""
    _libraries.add(package)


def is_library(function: Any) -> bool:
    """Whether a function is Python's, NumPy's, SciPy's or another library's, none of which are
    read: if it varies, it needs a rule."""
    top = package_of(function)
    return top in _libraries or module_of(function) in _libraries or \
        (top in sys.stdlib_module_names and top != "__main__")
