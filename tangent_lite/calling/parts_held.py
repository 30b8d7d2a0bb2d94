"""The lists, dicts and objects that something holds, wherever they stand in it."""
from __future__ import annotations

import types
from typing import Any

import numpy as np

from tangent_lite import trees
from tangent_lite.calling.keys import PLAIN
from tangent_lite.runtime.tangents import attributes


def containers_in(value: Any) -> list[Any]:
    """The lists, dicts and objects of a structure, each as often as it stands there; what is in one
    is looked at once."""
    found: list[Any] = []
    seen: set[int] = set()
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, np.ndarray) or not is_data(one):
            continue
        if not isinstance(one, tuple) or hasattr(one, "__dict__"):
            found.append(one)
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, (tuple, list)):
            if not PLAIN.issuperset(map(type, one)):        # a log of numbers holds none
                todo += one
        elif isinstance(one, dict):
            todo += one.values()
        elif trees.is_record(one):
            todo += attributes(one).values()
            found += own_dict(one)
    return found


def own_dict(value: Any) -> list[Any]:
    """The dict in which an object keeps its attributes, `vars(value)`, which others may hold."""
    found = getattr(value, "__dict__", None)
    return [found] if type(found) is dict else []


def is_data(value: Any) -> bool:
    """Whether something may hold arrays that are read as data."""
    return isinstance(value, np.ndarray) or not (
        type(value) in PLAIN or isinstance(value, types.ModuleType)
        or (callable(value) and not trees.has_fields(value)))
