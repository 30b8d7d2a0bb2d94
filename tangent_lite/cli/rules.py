"""The command rules: the formulas of one function, or the names of all that have some."""
from __future__ import annotations

import argparse
import builtins
import difflib
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.cli import Refusal
from tangent_lite.modules import module_of

_NOTHING = object()


def run(options: argparse.Namespace) -> int:
    """Print what is known of a function, or the names of all of which something is."""
    if options.name is None:
        print("\n".join(sorted({name for name, _ in _named_entries()})))
        return 0
    registry.load_rules()
    registry.load_third_parties()
    asked = options.name
    name = f"numpy.{asked[3:]}" if asked.startswith("np.") else asked
    texts = [*(_of_function(name) if "." in name else ())] or [*_of_all_called(name)]
    if not texts:
        raise Refusal(f"there is no rule for {asked}{_near(name)}")
    print("\n\n".join(dict.fromkeys(texts)))
    return 0


def _of_function(name: str) -> Iterator[str]:
    """What is known of the function that a name with dots means in a program: `numpy.tanh`,
    `scipy.special.gamma`, `operator.mul`, `ndarray.sum`."""
    function = _meant(name)
    entry, models = registry.lookup(function), registry.models_of(function)
    refusal = registry.refusal_of(function)
    if refusal is not None:
        yield _refusal_text(name, *refusal)
    elif entry is not None:
        yield _rule_text(name, entry)
    elif models:
        yield _model_text(name, models)


def _meant(name: str) -> Any:
    """The object of a name with dots. Nothing is imported but libraries that have rules."""
    first, *rest = name.split(".")
    found: Any = np.ndarray if first == "ndarray" else getattr(builtins, first, _NOTHING)
    if found is _NOTHING and first in _libraries():
        found = _module(first)
    path = first
    for part in rest:
        path = f"{path}.{part}"
        inside = getattr(found, part, _NOTHING)
        found = _module(path) if inside is _NOTHING and inspect.ismodule(found) else inside
    registry.load_rules()               # those of a library are read once it is in use
    return found


def _libraries() -> set[str]:
    """Modules at the top whose functions have rules."""
    names = {*registry.LATER, *(module_of(e.function) or "numpy" for e in registry.all_entries())}
    return {name.partition(".")[0].lstrip("_") for name in names}


def _module(path: str) -> Any:
    try:
        return importlib.import_module(path)
    except ImportError:
        return _NOTHING


def _of_all_called(name: str) -> Iterator[str]:
    """What is known of all functions that are called so: `tanh` of NumPy, of math and of cmath."""
    for known, entry in sorted(_named_entries(), key=lambda pair: pair[0]):
        if name in (known, known.rpartition(".")[2]):
            yield _rule_text(known, entry)
    for function, models in registry.all_models():
        known = _public_name(function)
        if name in (known, known.rpartition(".")[2]):
            yield _model_text(known, models)
    for function, refusal in registry.all_refusals():
        known = _public_name(function)
        if name in (known, known.rpartition(".")[2]):
            yield _refusal_text(known, *refusal)


def _near(name: str) -> str:
    """Functions with rules whose names are alike, of the same library if there are some."""
    library = name.partition(".")[0]
    known: dict[str, str] = {}
    for one, _ in sorted(_named_entries(), key=lambda pair: not pair[0].startswith(library)):
        if not one.startswith("tangent_lite."):
            known.setdefault(one.rpartition(".")[2], one)
    near = difflib.get_close_matches(name.rpartition(".")[2], known, 3, 0.7)
    return f"; there is one for {', '.join(known[one] for one in near)}" if near else ""


def _named_entries() -> list[tuple[str, registry.Entry]]:
    return [(_public_name(entry.function), entry) for entry in registry.all_entries()
            if hasattr(entry.function, "__name__")]


# Texts ------------------------------------------------------------------------------------------
def _rule_text(name: str, entry: registry.Entry) -> str:
    if entry.adjoint is None:
        return f"{name}: the derivative is zero or has no meaning" if entry.constant \
            else f"{name}: no adjoint rule"
    texts: list[str] = []
    for rule in (entry.adjoint, entry.tangent):
        if rule is None or (texts and rule.source is entry.adjoint.source):
            continue                                        # one formula serves both modes
        source = rule.source
        text = "".join(source.lines[n] + "\n" for n in
                       range(source.tree.lineno - 1, source.tree.end_lineno))
        texts.append(textwrap.dedent(text).rstrip())
    return "\n\n".join([f"# {name}\n{texts[0]}", *texts[1:]])


def _model_text(name: str, models: list[Any]) -> str:
    return "\n\n".join([f"# {name} is read as", *(
        textwrap.dedent(inspect.getsource(model)).rstrip() for model in models)])


def _refusal_text(name: str, why: str, instead: str) -> str:
    return f"{name} is not differentiated: {why}\n    Instead: {instead}"


def _public_name(function: Any) -> str:
    """numpy.tanh, builtins.max, ndarray.sum, numpy.add.reduce."""
    ufunc: Any = getattr(function, "__self__", None)
    if isinstance(ufunc, np.ufunc):
        return f"numpy.{ufunc.__name__}.{function.__name__}"
    owner = getattr(function, "__objclass__", None)
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", str(function))
    if owner is not None:
        return f"{owner.__name__}.{function.__name__}"
    module = (module_of(function) or "numpy").lstrip("_")     # operator is written in _operator
    return f"{module}.{name}"
