"""A derivative whose two halves run one after the other, as one function that can be read again."""
from __future__ import annotations

import inspect
import itertools
import linecache
from collections.abc import Callable
from typing import Any

from tangent_lite.runtime import zeros_like
from tangent_lite.runtime_tangents import seed_of

_numbers = itertools.count(1)
_BODIES = {
    ("grad", False): ["value, saved = forward({arguments})",
                      "return backward(saved, seed_of(value))"],
    ("value_and_grad", False): ["value, saved = forward({arguments})",
                                "gradient = backward(saved, seed_of(value))",
                                "return value, gradient"],
    ("grad", True): ["both, saved = forward({arguments})", "value, aux = both",
                     "gradient = backward(saved, (seed_of(value), zeros_like(aux)))",
                     "return gradient, aux"],
    ("value_and_grad", True): ["both, saved = forward({arguments})", "value, aux = both",
                               "gradient = backward(saved, (seed_of(value), zeros_like(aux)))",
                               "return (value, aux), gradient"],
}


def whole(forward: Callable[..., Any], backward: Callable[..., Any], form: str,
          has_aux: bool) -> Callable[..., Any]:
    """`f_grad(x)`, made of `f_fwd(x)` and `f_bwd(saved, bf)`."""
    parameters = ", ".join(inspect.signature(forward).parameters)
    name = forward.__name__.removesuffix("_fwd") + f"_{form}"
    body = "".join(f"    {line}\n" for line in _BODIES[form, has_aux]).format(arguments=parameters)
    text = f"def {name}({parameters}):\n{body}"
    filename = f"<tangent_lite {name} whole {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space: dict[str, Any] = {"__name__": forward.__module__, "forward": forward,
                             "backward": backward, "seed_of": seed_of, "zeros_like": zeros_like}
    exec(compile(text, filename, "exec"), space)
    made = space[name]
    made.rests_on = getattr(forward, "rests_on", [])
    return made
