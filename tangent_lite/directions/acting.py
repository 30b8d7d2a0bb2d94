"""What emitted functions call: whether a derivative may be run several times for one call of it.

A Jacobian by forward mode may take one run for each direction. That of a function that draws
random numbers would be made of several functions then, each with numbers of its own.

What is called stays what it is as long as a variant holds (`calling/resolve`), so that each
question is answered once for a derivative.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.analyses.purity import computes
from tangent_lite.calling.resolve import meaning
from tangent_lite.functions.units import Derivative, Unit
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import module_of
from tangent_lite.registry.matrices import computes_for_matrices
from tangent_lite.runtime.custom import hooked

# Methods of what a function made itself, as far as names tell.
_METHODS = (np.ndarray, list, dict, set, str, tuple, float, complex)


def acts(derivative: Derivative) -> bool:
    """Whether a run does more than compute, or may: it draws, prints, reads, or calls what is not
    known."""
    return _answer(derivative, "acts", lambda thing, name: not _computes(thing, name))


def differs(derivative: Derivative) -> bool:
    """Whether a second run may compute something else than the first one; printing is no harm."""
    return _answer(derivative, "differs",
                   lambda thing, name: thing is not print and not _computes(thing, name))


def has_hooks(derivative: Derivative) -> bool:
    """Whether a user's function is called with adjoints."""
    return _answer(derivative, "has_hooks", lambda thing, name: thing is hooked)


def _answer(derivative: Derivative, question: str, asks: Callable[[Any, str], bool]) -> bool:
    """Whether it is so of anything that is called, emitted functions apart."""
    answers = derivative.answers
    if question not in answers:
        answers[question] = any(not isinstance(thing, Unit) and asks(thing, name)
                                for thing, name in _called(derivative))
    return answers[question]


def _called(derivative: Derivative) -> Iterator[tuple[Any, str]]:
    """What emitted functions call, and under what name; NO_OBJECT for methods of their variables.
    """
    for unit in derivative.units:
        own = {node.id for node in syntax.walk(unit.tree) if isinstance(node, gast.Name)
               and not isinstance(node.ctx, gast.Load)}
        for node in syntax.walk(unit.tree):
            if isinstance(node, gast.Call):
                yield _meant(node.func, unit, own), getattr(node.func, "attr", "")


def _meant(node: gast.expr, unit: Unit, own: set[str]) -> Any:
    if isinstance(node, gast.Attribute):
        owner = _meant(node.value, unit, own)
        return NO_OBJECT if owner is NO_OBJECT else getattr(owner, node.attr, NO_OBJECT)
    if not isinstance(node, gast.Name) or node.id in own:
        return NO_OBJECT
    if node.id in unit.external:
        return unit.external[node.id]
    return meaning(unit.source, node.id)


def _computes(thing: Any, name: str) -> bool:
    if thing is NO_OBJECT:
        return computes_for_matrices(name) or any(hasattr(cls, name) for cls in _METHODS)
    module = module_of(thing)
    return module.startswith("tangent_lite.") or bool(computes(thing))
