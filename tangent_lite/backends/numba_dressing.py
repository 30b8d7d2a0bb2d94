"""Gradients of objects, made of what compiled code returns.

Compiled code has no objects: the gradient of one comes back as a dict of attributes. What makes
objects of these is written once for arguments that are made up in one way:

    def dressed(found):
        part_1 = found["k"]
        part_2 = found["inner"]
        made_4 = new_5(Kind_3); fill_6(made_4, {"W": part_2["W"]})
        made_8 = new_9(Kind_7); fill_10(made_8, {"k": part_1, "inner": made_4})
        return made_8

None of the code of the classes is run, as nowhere else (`trees.finish`).
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tangent_lite.backends.numba_packers import Holder, Part, is_of_object
from tangent_lite.structures.line_writer import LineWriter


def dressing(call: Callable[..., Any], parts: list[Part], with_value: bool,
             in_a_tuple: bool) -> Callable[..., Any]:
    """What calls compiled code and makes objects of the dicts in the gradients that it returns.

    parts: how the arguments are made up that these belong to; with_value: the value stands in front
    of them; in_a_tuple: they come in a tuple, also where it is one.
    """
    if not any(map(_has_objects, parts)):
        return call
    writer = _Writer({"call": call, "set_attribute": object.__setattr__})
    lines = ["    value, found = call(*leaves)" if with_value else "    found = call(*leaves)"]
    names = ["found"]
    if in_a_tuple:
        names = [writer.fresh("gradient") for _ in parts]
        lines.append(f"    ({', '.join(names)},) = found")
    made = [writer.dressed(name, part) for name, part in zip(names, parts)]
    found = f"({', '.join(made)},)" if in_a_tuple else made[0]
    text = "\n".join(["def dressed(*leaves):", *lines, *writer.lines,
                      f"    return {f'value, {found}' if with_value else found}"])
    exec(text, writer.space)
    run: Callable[..., Any] = writer.space["dressed"]
    return run


def _has_objects(part: Part) -> bool:
    return isinstance(part, Holder) and (is_of_object(part) or any(map(_has_objects, part.parts)))


class _Writer(LineWriter):
    def dressed(self, found: str, part: Part) -> str:
        """Write what makes a gradient of what was found; the text that means it."""
        if not _has_objects(part):
            return found
        assert isinstance(part, Holder)
        if part.keys is not None:
            names = [self.fresh("part") for _ in part.parts]
            self.write(1, *(f"{name} = {found}[{key!r}]" for name, key in zip(names, part.keys)))
        else:
            names = self.unpack(found, len(part.parts))
        made = [self.dressed(name, one) for name, one in zip(names, part.parts)]
        if is_of_object(part):
            name, lines = self.made_object(part.kind, self.fresh("Kind", part.kind),
                                           dict(zip(part.keys or (), made)), part.is_slotted)
            self.write(1, *lines)
            return name
        if part.keys is not None:
            return f"{{{', '.join(f'{key!r}: {one}' for key, one in zip(part.keys, made))}}}"
        if part.kind is list:
            return f"[{', '.join(made)}]"
        return f"({', '.join(made)},)" if part.kind is tuple \
            else f"{self.fresh('Named', part.kind)}({', '.join(made)})"
