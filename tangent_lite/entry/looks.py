"""Questions whether arguments are like others, each an expression, for derivatives that ask and
compute in one function (see fusing.py).

    type(p) is Pair and [*p.__dict__] == keys and type(p.x) is float
        and type(part := p.W) is ndarray and part.dtype is dtype and part.shape == shape

What cannot be read raises KeyError or AttributeError, which is a no as well. Lists are no such
arguments: these are walked (see containers.py).
"""
from __future__ import annotations

from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.calling.keys import PLAIN
from tangent_lite.entry.objects import holds_nothing, says_how_often
from tangent_lite.runtime.tangents import attributes
from tangent_lite.structures.bare_objects import is_slotted


class Looks:
    """Writes the questions.

    space: takes what their names mean; counts: whether whole numbers and texts have to be those
    that they are.
    """

    def __init__(self, space: dict[str, Any], counts: bool) -> None:
        self.space, self.counts = space, counts
        self.tests: list[str] = []
        self.parts: list[str] = []          # the names of what is held, which are bound on the way
        self.floats: list[str] = []         # which paths are floats: x0, x0.rate, x1['W'][0]

    def look(self, value: Any, path: str) -> None:
        """Ask whether what has a path is like a value."""
        kind = type(value)
        if kind in PLAIN:
            self.tests.append(f"type({path}) is {self.named(kind)}")
            if self.counts and says_how_often(value):
                self.tests.append(f"{path} == {self.named(value)}")
            self.floats += [path] if kind is float else []
            return
        if isinstance(kinds.kind_of(value), kinds.Known):
            self.tests.append(f"{path} is {self.named(value)}")
            return
        name = path
        if path.isidentifier():
            self.tests.append(f"type({path}) is {self.named(kind)}")
        else:
            name = f"part_{len(self.parts)}"
            self.parts.append(name)
            self.tests.append(f"type({name} := {path}) is {self.named(kind)}")
        if kind is np.ndarray:
            self.tests += [f"{name}.dtype is {self.named(value.dtype)}",
                           f"{name}.shape == {self.named(value.shape)}"]
        else:
            self.look_inside(value, name, path)

    def look_inside(self, value: Any, name: str, path: str) -> None:
        if isinstance(value, tuple):
            self.tests.append(f"len({name}) == {len(value)}")
            held = {f"[{number}]": part for number, part in enumerate(value)}
        elif isinstance(value, dict):
            self.tests.append(f"[*{name}] == {self.named([*value])}")
            held = {f"[{key!r}]": part for key, part in value.items()}
        elif holds_nothing(value):
            self.tests.append(f"not {name}.__dict__")
            return
        else:
            names = attributes(value)
            if not is_slotted(value):
                self.tests.append(f"[*{name}.__dict__] == {self.named([*names])}")
            held = {f".{key}": part for key, part in names.items()}
        # Paths as they are written: by the names of fields too, and from the start.
        paths = {f".{field}": part for field, part in zip(getattr(value, "_fields", ()), value)} \
            if isinstance(value, tuple) else {}
        paths.update(held if name != path else {})
        self.floats += [path + step for step, part in paths.items() if type(part) is float]
        for step, part in held.items():
            self.look(part, name + step)

    def named(self, thing: Any) -> str:
        """A name for something known."""
        name = f"known_{len(self.space)}"
        self.space[name] = thing
        return name
