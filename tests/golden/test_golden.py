"""What is emitted, word for word, beside the function it is emitted for. See update.py."""
import copy
import os
import subprocess
import sys

import pytest

from tests.golden.update import (
    FOLDER,
    LINE,
    NAMES,
    REFUSED,
    code_lines,
    derivative,
    emitted,
    golden,
    halves,
    wrt_of,
)
from tests.reference.dual import close, numeric_gradient

WORKING = [name for name in NAMES if REFUSED not in halves(name)[1]]
SHOW = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.golden.update import NAMES, emitted
print("\\n\\n".join(emitted(name) for name in NAMES))
"""


def executed(name):
    """The names of a golden's file: those of the function, and those of the expected text."""
    space = {"__name__": f"golden_{name}_executed"}
    exec(compile((FOLDER / f"{name}.py").read_text(encoding="utf-8"), f"{name}.py", "exec"), space)
    return space


def of(value, path):
    """The part of the arguments at a path like self.W."""
    for step in path:
        value = value[step] if isinstance(value, dict) else getattr(value, step)
    return value


def reference(space, wrt, args):
    """The gradient by differences, as a tuple."""
    names = space["FUNCTION"].__code__.co_varnames
    paths = [(names.index(first), rest) for first, *rest in (w.split(".") for w in wrt)]

    def at(*values):
        mine = copy.deepcopy(list(args))
        for (position, rest), value in zip(paths, values):
            if rest:
                setattr(of(mine[position], rest[:-1]), rest[-1], value)
            else:
                mine[position] = value
        return space["FUNCTION"](*mine)

    values = [of(args[position], rest) for position, rest in paths]
    gradient, trustworthy = numeric_gradient(at, values, range(len(values)))
    assert trustworthy
    return gradient


@pytest.mark.parametrize("name", NAMES)
def test_text(name):
    assert emitted(name) == halves(name)[1], "python tests/golden/update.py, and read the diff"


@pytest.mark.parametrize("name", WORKING)
def test_expected_text_is_right(name):
    space = executed(name)
    args, wrt = space["ARGS"], wrt_of(golden(name))
    form = space.get("FORM", "grad")
    found = space[f"{space['FUNCTION'].__name__}_{form}"](*copy.deepcopy(args))
    if form == "value_and_grad":
        value, found = found
        assert value == space["FUNCTION"](*copy.deepcopy(args))
    found = (found,) if len(wrt) == 1 else found
    assert close(found, reference(space, wrt, args), 1e-7)


@pytest.mark.parametrize("name", WORKING)
def test_derivative_is_right(name):
    module = golden(name)
    found = derivative(module)(*copy.deepcopy(module.ARGS))
    if getattr(module, "FORM", "grad") == "value_and_grad":
        found = found[1]
    assert close(found, reference(vars(module), wrt_of(module), module.ARGS), 1e-7)


@pytest.mark.parametrize("name", [name for name in WORKING if hasattr(golden(name), "LINES")])
def test_about_as_long_as_by_hand(name):
    assert code_lines(halves(name)[1]) <= 1.2 * golden(name).LINES


def test_the_same_from_run_to_run():
    """The order of sets and hashes of text differ from run to run; what is emitted does not."""
    runs = [subprocess.run([sys.executable, "-c", SHOW, str(FOLDER.parent.parent)],
                           env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
                           capture_output=True, text=True).stdout for seed in ("1", "2")]
    assert runs[0] == runs[1]
    assert "def damped_grad(t, k, w, bdamped=1.0):" in runs[0]


def test_lines_are_counted_without_words():
    assert code_lines('import math\n\n\ndef f(x,\n      y):\n    """Text\n    of two lines."""\n'
                      "    # comment\n\n    return (\n        x)\n") == 2
