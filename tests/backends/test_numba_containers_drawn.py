"""Drawn programs over lists of tuples, lists and dicts, compiled: against the Python backend."""
import importlib.util
import random

import numpy as np
import pytest

import tangent_lite as tl

pytest.importorskip("numba")

from tests.backends.containers import check, layers  # noqa: E402

RNG = np.random.default_rng(7)
X = RNG.normal(size=3)
_HOLDERS = {"tuple": "({W}, {b})", "list": "[{W}, {b}]", "dict": '{{"W": {W}, "b": {b}}}'}
_LOOPS = {
    "items": "for p in params:",
    "slice": "for p in params[{low}:]:",
    "backwards": "for p in reversed(params):",
    "numbered": "for i, p in enumerate(params):",
    "together": "for p, q in zip(params, params[1:]):",
    "index": "for i in range(len(params)):\n        p = params[-1 - i]",
}
_STEPS = ["h = np.tanh({W} @ h + {b})", "h = h * {b} + {W}[0]", "total = total + np.sum({b} * h)",
          "h = np.maximum({W}.T @ h, {b})", "total = total * 0.5 + {W}[1, 2] * {b}[0]",
          "h = h + np.exp(-{b} * {b})"]


def program(seed):
    """The text of a function of a list of layers, and how a layer is held."""
    draw = random.Random(seed)
    holder = draw.choice(sorted(_HOLDERS))
    lines = ["import numpy as np", "", "", "def drawn(params, x):", "    h, total = x * 1.0, 0.0"]
    if draw.random() < 0.4:
        made = _HOLDERS[holder].format(W=_part("params[0]", "W", holder) + " * 0.5",
                                       b=_part("params[-1]", "b", holder) + " + 1.0")
        lines.append(draw.choice([f"    params = params + [{made}]", f"    params.append({made})"]))
    for _ in range(draw.randint(1, 2)):
        lines.append("    " + _LOOPS[draw.choice(sorted(_LOOPS))].format(low=draw.randint(0, 1)))
        for _ in range(draw.randint(1, 3)):
            lines.append("        " + draw.choice(_STEPS).format(
                W=_part("p", "W", holder), b=_part("p", "b", holder)))
    return "\n".join([*lines, "    return total + np.sum(h)", ""]), holder


def _part(owner, name, holder):
    return f'{owner}["{name}"]' if holder == "dict" else f"{owner}[{'Wb'.index(name)}]"


@pytest.mark.parametrize("seed", [
    1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 2, 3, 4, 5))])
def test_drawn_programs(seed, tmp_path):
    text, holder = program(seed)
    file = tmp_path / f"drawn_{seed}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    held = {"tuple": tuple, "list": list, "dict": lambda p: dict(zip("Wb", p))}[holder]
    params = [held(p) for p in layers(RNG)]
    outcome, detail = check(module.drawn, (params, X))
    assert outcome in ("same", "skipped", "refused"), text + detail
    if outcome == "refused":                        # as the Python backend refuses it
        with pytest.raises(tl.TangentError):
            tl.grad(module.drawn)(params, X)
