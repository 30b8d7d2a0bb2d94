"""Which functions have a derivative: the page docs/coverage.md, made from the registry.

    python -m tangent_lite.coverage > docs/coverage.md
"""
from __future__ import annotations

import builtins
import cmath
import importlib
import math
import operator
import os
import sys
import textwrap
import types
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.analyses import writers
from tangent_lite.modules import module_of

RULE, REVERSE, CONSTANT = "a rule in both modes", "a rule in reverse mode", "constant"
FOLLOWED, REFUSED, UNDECIDED = "followed", "refused on purpose", "undecided"
DECISIONS = (RULE, REVERSE, CONSTANT, FOLLOWED, REFUSED, UNDECIDED)
# What Python's syntax is made of, which the passes know by itself.
LANGUAGE: set[Any] = {
    super, property, classmethod, staticmethod, object, operator.itemgetter, operator.attrgetter,
    operator.methodcaller, operator.inv, operator.invert, operator.lshift, operator.rshift,
    operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift,
    np.ndenumerate, np.ndindex, np.errstate, np.printoptions}
_PROMPT = {"copyright", "credits", "exit", "license", "quit"}      # of the interactive prompt
OPERATORS = ("abs", "add", "and", "bool", "contains", "divmod", "eq", "floordiv", "ge", "getitem",
             "gt", "invert", "le", "len", "lshift", "lt", "matmul", "mod", "mul", "ne", "neg", "or",
             "pos", "pow", "rshift", "setitem", "sub", "truediv", "xor")
METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")
SCIPY = {
    "scipy.integrate": "odeint quad solve_ivp",
    "scipy.linalg": "cholesky det expm inv lu_factor lu_solve solve solve_banded solve_sylvester "
                    "solve_triangular sqrtm",
    "scipy.ndimage": "convolve correlate gaussian_filter map_coordinates uniform_filter",
    "scipy.signal": "convolve",
    "scipy.spatial.distance": "cdist cityblock cosine euclidean minkowski pdist sqeuclidean "
                              "squareform",
    "scipy.special": "beta betainc betaln boxcox boxcox1p comb dawsn digamma entr erf erfc erfcinv "
                     "erfcx erfinv exp1 expi expit expn factorial fresnel gamma gammainc gammaincc "
                     "gammaln gammasgn hyp1f1 i0 i0e i1 i1e iv ive j0 j1 jn kl_div log_ndtr "
                     "log_softmax loggamma logit logsumexp multigammaln ndtr ndtri owens_t poch "
                     "polygamma psi rel_entr rgamma sici softmax spence wofz xlog1py xlogy y0 y1 "
                     "yn zeta",
    "scipy.stats": "beta.cdf beta.logpdf beta.pdf chi2.cdf chi2.logpdf chi2.pdf dirichlet.logpdf "
                   "dirichlet.pdf gamma.cdf gamma.logpdf gamma.pdf multivariate_normal.entropy "
                   "multivariate_normal.logpdf multivariate_normal.pdf norm.cdf norm.logcdf "
                   "norm.logpdf norm.logsf norm.pdf norm.sf poisson.cdf poisson.logpmf poisson.pmf "
                   "t.cdf t.logcdf t.logpdf t.pdf",
}


@dataclass
class Area:
    """A namespace: its title, and for each name what was decided, with the place or the reason."""
    title: str
    names: dict[str, tuple[str, str]] = field(default_factory=dict)

    def having(self, decision: str) -> list[str]:
        return [name for name, (what, _) in self.names.items() if what == decision]


def decision_on(function: Any) -> tuple[str, str]:
    """What was decided on a function, and where its formula stands or why it is refused."""
    from tangent_lite.heap.modelled import HANDLERS
    entry = registry.lookup(function)
    rule = None if entry is None else entry.adjoint
    if rule is not None and entry is not None:
        return RULE if entry.tangent is not None else REVERSE, _file_of(rule)
    if entry is not None and entry.constant:
        return CONSTANT, ""
    models = registry.models_of(function)
    if models:
        return FOLLOWED, _file(models[0].__code__.co_filename)
    if writers.is_in(function, HANDLERS) or writers.is_in(function, LANGUAGE) \
            or writers.is_in(function, writers.FUNCTIONS):
        return FOLLOWED, ""
    refused = registry.refusal_of(function)
    if refused is not None:
        return REFUSED, f"{refused[0]}; {refused[1]}"
    return UNDECIDED, ""


def _file_of(rule: Any) -> str:
    return _file(rule.source.function.__code__.co_filename)


def _file(path: str) -> str:
    return f"rules/{os.path.basename(path)}"


# Namespaces -----------------------------------------------------------------------------------
def areas() -> list[Area]:
    """All namespaces, those of SciPy where it is installed."""
    found = [area_of("numpy", np), area_of("numpy.linalg", np.linalg), area_of("numpy.fft", np.fft),
             members_of_arrays(), operators_of_arrays(), methods_of_ufuncs(),
             area_of("math", math), area_of("cmath", cmath), area_of("operator", operator),
             area_of("builtins", builtins)]
    return found + scipy_areas()


def public(space: Any) -> list[str]:
    """The names of the functions and classes of a namespace; no errors, no types of numbers."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")                     # names that NumPy takes back
        for name in dir(space):
            thing = getattr(space, name, None)
            if name.startswith("_") or not callable(thing) or isinstance(thing, types.ModuleType):
                continue
            if isinstance(thing, type) and (issubclass(thing, (BaseException, np.generic))
                                            or (space is np and thing in vars(builtins).values())):
                continue
            if space is builtins and (name in _PROMPT or thing is None):
                continue
            if module_of(thing) in ("numpy._pytesttester", "typing"):
                continue
            found.append(name)
    return found


def area_of(title: str, space: Any) -> Area:
    """What was decided on each public function of a module."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Area(title, {name: decision_on(getattr(space, name)) for name in public(space)})


def members_of_arrays() -> Area:
    """Methods and attributes of arrays: what writes into the array is followed by identity."""
    from tangent_lite.passes.activity import CONSTANT_ATTRIBUTES
    found = Area("numpy.ndarray")
    for name in dir(np.ndarray):
        if name.startswith("_"):
            continue
        decision = decision_on(getattr(np.ndarray, name))
        if decision[0] == UNDECIDED and name in CONSTANT_ATTRIBUTES | {"device", "setflags",
                                                                      "to_device"}:
            decision = CONSTANT, ""
        if decision[0] == UNDECIDED and name in ("fill", "sort", "put", "partition"):
            decision = FOLLOWED, ""
        found.names[name] = decision
    return found


def operators_of_arrays() -> Area:
    """The methods behind operators: those of the module operator, of indexing and of `in`."""
    found = Area("operators of numpy.ndarray")
    for name in OPERATORS:
        function = getattr(operator, name, None) or getattr(operator, f"{name}_", None)
        if name in ("bool", "contains", "len"):
            found.names[f"__{name}__"] = CONSTANT, ""
        elif name in ("getitem", "setitem"):
            found.names[f"__{name}__"] = FOLLOWED, ""
        elif name == "divmod":
            found.names[f"__{name}__"] = decision_on(divmod)
        else:
            found.names[f"__{name}__"] = decision_on(function)
        if name in ("and", "or", "xor", "invert", "lshift", "rshift"):
            found.names[f"__{name}__"] = CONSTANT, ""       # of integers
    return found


def methods_of_ufuncs() -> Area:
    """np.add.reduce and its like, of the ufuncs with a rule that take two numbers."""
    found = Area("methods of ufuncs")
    seen = set()
    for name in public(np):
        ufunc = getattr(np, name)
        if not isinstance(ufunc, np.ufunc) or ufunc.nin != 2 or ufunc.nout != 1 \
                or ufunc.signature is not None or ufunc in seen:
            continue
        entry = registry.lookup(ufunc)
        if entry is None or entry.adjoint is None:
            continue
        seen.add(ufunc)
        for method in METHODS:
            decision = decision_on(getattr(ufunc, method))
            if method == "at" and decision[0] == UNDECIDED:
                decision = FOLLOWED, ""
            found.names[f"{name}.{method}"] = decision
    return found


def scipy_areas() -> list[Area]:
    """What was decided on the functions of SciPy, module by module; nothing without SciPy."""
    found = []
    for module, names in SCIPY.items():
        try:
            space = importlib.import_module(module)
        except ImportError:
            return []
        area = Area(module)
        for name in names.split():
            thing: Any = space
            for part in name.split("."):
                thing = getattr(thing, part, None)
            if thing is not None:
                area.names[name] = decision_on(thing)
        found.append(area)
    return found


# The page -------------------------------------------------------------------------------------
def version() -> str:
    """The versions that the names of the page are those of."""
    scipy = sys.modules.get("scipy")
    return f"NumPy {_short(np.__version__)}" + (
        f", SciPy {_short(scipy.__version__)}" if scipy is not None else "") \
        + f", Python {sys.version_info[0]}.{sys.version_info[1]}"


def _short(version: str) -> str:
    return ".".join(version.split(".")[:2])


HEAD = """\
# What has a derivative

This page is made from the registry of rules: `python -m tangent_lite.coverage > docs/coverage.md`.
It lists the public functions of {versions}; of SciPy those whose derivative is asked for most.

* **a rule in both modes**: its formula stands in the file that is named, and
  `python -m tangent_lite rules NAME` prints it. *In reverse mode*: gradients have it.
* **constant**: integer- or boolean-valued, constant but for jumps, or about shapes, types, text and
  files.
* **followed**: it calls functions, writes into an array, or belongs to the language; what it does
  is followed step by step.
* **refused on purpose**: the error says why, and what to write in its place. A call with what does
  not vary is as good as any other.

What is not listed is refused with the rule to write ([writing rules](writing-rules.md)).
"""


def page() -> str:
    """The text of docs/coverage.md."""
    found = areas()
    shown = [d for d in DECISIONS if any(a.having(d) for a in found) or d == UNDECIDED]
    lines = [HEAD.format(versions=version())]
    lines.append("| | names | " + " | ".join(shown) + " |")
    lines.append("|---|---:|" + "---:|" * len(shown))
    for area in found:
        lines.append(f"| {area.title} | {len(area.names)} | "
                     + " | ".join(str(len(area.having(d))) for d in shown) + " |")
    for area in found:
        lines += ["", f"## {area.title}", ""]
        by_place: dict[tuple[str, str], list[str]] = {}
        for name, (what, place) in area.names.items():
            by_place.setdefault((what, place), []).append(name)
        for what in shown:
            for (decision, place), names in sorted(by_place.items()):
                if decision == what:
                    lines.append(_line(what, place, names))
    return "\n".join(lines) + "\n"


def _line(what: str, place: str, names: list[str]) -> str:
    listed = ", ".join(f"`{n}`" for n in names)
    head = f"**{what}**" if not place else f"**{what}** ({place})" if place.startswith("rules/") \
        else f"**{what}**, for {place}"
    return textwrap.fill(f"* {head}: {listed}", 116, subsequent_indent="  ",
                         break_long_words=False, break_on_hyphens=False)


def main() -> None:
    for module in SCIPY:                                    # its rules are read once it is in use
        try:
            importlib.import_module(module)
        except ImportError:
            break
    sys.stdout.write(page())


if __name__ == "__main__":
    main()
