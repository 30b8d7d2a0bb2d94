"""What lint finds: all that is refused, is slow or may surprise; and what it leaves alone."""

import ast
import collections
import importlib.util
import re
import types
from pathlib import Path

import numpy as np
import pytest

import tangent_lite as tl
import tangent_lite.api as api
from tangent_lite.calling.reuse import forget
from tangent_lite.cli import functions_of, module_at
from tangent_lite.lint import Report, lint, report
from tangent_lite.lint.refusals import BY_IDENTITY_TOO
from tests import fresh
from tests.heap.followed import CASES
from tests.test_docs import error_of, working_in
from tests.test_limitations import refusals

CODE = '''import os
import numpy as np


def area(side):
    exec("pass")
    return np.emath.sqrt(side)


def many(x):
    y = np.emath.sqrt(x)
    z = np.emath.log(y) + area(x)
    class Point:
        pass
    return np.sum(z) + eval("1.0")


def steps(x: float, n: int):
    return np.floor(x) * n


def unused(x: float, y: float):
    return y * y


def late(x: np.ndarray):
    return np.sum(np.where(x > 0.0, np.sqrt(x), 0.0))


def slow(xs: np.ndarray):
    parts = [xs * xs]
    again = [*parts]
    again[0][0] = 2.0
    return np.sum(parts[0])


def whole(n: int):
    return 2.0 * n


def counted(n=3):
    return 2.0 * n


def text(x: float):
    return f"{x}"


def hinge(x: np.ndarray):
    return np.sum(np.maximum(x, 0.0))


def filled(x: np.ndarray, n: int):
    for k in range(n):
        x = x * np.sin(x)
    return np.sum(x)


TABLE = np.zeros(3)


def kept(x: float):
    TABLE[0] = x
    return TABLE[0] * x


def fine(x, y):
    return np.sum(np.sin(x) * y)


def main(path):
    with open(path) as file:
        return np.loadtxt(file)


def touched(name):
    raise SystemExit(os.remove(name))
'''


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp("lint") / "linted_here.py"
    path.write_text(CODE)
    spec = importlib.util.spec_from_file_location("linted_here", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def told(function, *more, **known):
    return [(f.code, f.place.text.strip()) for f in lint(function, *more, **known)]


def test_all_that_is_refused_is_told_at_once_helpers_included(module):
    assert told(module.many) == [
        ("TL101", 'exec("pass")'),
        ("TL102", "return np.emath.sqrt(side)"),
        ("TL102", "y = np.emath.sqrt(x)"),
        ("TL102", "z = np.emath.log(y) + area(x)"),
        ("TL201", "class Point:"),
        ("TL101", 'return np.sum(z) + eval("1.0")')]


@pytest.mark.parametrize("name, code, line", [
    ("steps", "TL202", "return np.floor(x) * n"),
    ("unused", "TL202", "def unused(x: float, y: float):"),
    ("late", "TL203", "return np.sum(np.where(x > 0.0, np.sqrt(x), 0.0))"),
    ("slow", "TL201", "again[0][0] = 2.0"),
    ("whole", "TL105", "def whole(n: int):"),
    ("counted", "TL204", "def counted(n=3):"),
    ("text", "TL106", 'return f"{x}"'),
    ("hinge", "TL301", "return np.sum(np.maximum(x, 0.0))"),
    ("steps", "TL302", "return np.floor(x) * n"),
    ("kept", "TL304", "TABLE[0] = x")])
def test_each_code(module, name, code, line):
    assert (code, line) in told(getattr(module, name))


def test_what_is_fine_is_left_alone(module):
    for name in ("fine", "main", "touched"):
        assert told(getattr(module, name), is_asked_for=False) == []
    assert told(module.fine) == []
    assert told(module.fine, (np.ones(3), 2.0)) == []


def test_arguments_tell_more(module):
    assert told(module.filled, (np.ones(3), 2)) == [("TL303", "for k in range(n):")]
    assert ("TL105", "def fine(x, y):") in told(module.fine, (3, 2.0))


def test_wrong_wrt_is_a_finding(module):
    found = lint(module.fine, None, "z")
    assert [f.code for f in found] == ["TL105"] and "no parameter z" in found[0].message
    assert found[0].place.text == "def fine(x, y):"


def test_arrays_of_unknown_dimension_are_looked_at_as_vectors_and_matrices():
    def view(x: np.ndarray):
        y = x * 2.0
        v = y[1:]
        v *= 3.0
        return np.sum(y * x)

    def items(x: np.ndarray):
        d = {"a": x * 2.0, "b": x * 3.0}
        d["a"][0] = 1.0
        return np.sum(d["a"] * d["b"])

    assert told(view) == told(items) == []


def test_what_the_annotations_contradict_is_looked_at_all_the_same():
    def f(x: float):
        return np.emath.sqrt(x[0])

    assert [code for code, _ in told(f)] == ["TL102"]


def test_more_may_be_found_where_the_arguments_are_not_known():
    def f(x):                           # a list, for all that is known
        y = x * 2
        kept = (y, x)
        kept[0][0] = 5.0
        return np.sum(y)

    assert report(f) == Report([], is_open=True)
    assert [one.code for one in report(f, (np.ones(3),)).findings] == ["TL201"]
    assert not report(f, (np.ones(3),)).is_open


def energies(parts, p):
    total = 0.0
    for k, part in enumerate(parts):
        total += k * part.energy(p)
    return total


def of_layers(layers, x):
    for layer in layers:
        for unit in layer:
            x = unit(x)
    return x


def first_of_pairs(pairs, x):
    return pairs[0][1].energy(x)


def squared(rows, x):
    return np.sum(np.array([row.area for row in rows]) * x)


@pytest.mark.parametrize("function", [energies, of_layers, first_of_pairs, squared])
def test_items_that_are_objects_are_taken_for_no_numbers(function):
    """What their methods are is known at the call: by kinds that have none nothing is proven."""
    assert report(function) == Report([], is_open=True)


# What to write instead ------------------------------------------------------------------------
def held(x: np.ndarray):
    y = x * 2.0
    kept = [y]
    kept[0][0] = 5.0
    return np.sum(y)


def asked_for_instead(x: np.ndarray):
    d = {}
    for k in range(len(x)):
        old = d[k % 2] if k % 2 in d else 0.0
        d[k % 2] = old + x[k] ** 2
    return d[0] * d[1]


def made(x: np.ndarray):
    sums = collections.defaultdict(complex)
    for k in range(len(x)):
        sums[k % 2] += x[k] ** 2
    return (sums[0] * sums[1]).real


def test_a_copy_of_a_list_is_shallow():
    assert [f.fix for f in lint(held)] == ["put y.copy() in, or do not write to it"]


@pytest.mark.parametrize("function, instead, fix", [
    (made, asked_for_instead, "use a plain dict, list or array")])
def test_the_advice_helps(function, instead, fix, asked):
    assert [(f.code, f.fix) for f in lint(function)] == [("TL201", fix)]
    x = np.array([1.0, 2.0, 3.0, 4.0])
    slow = tl.grad(function)(x)
    assert len(asked) == 1                      # names alone do not do, as lint says
    asked.clear()
    fast = tl.grad(instead)(x)
    assert not asked and not [f for f in lint(instead) if f.severity != "note"]
    np.testing.assert_allclose(fast, slow)


def test_the_function_does_not_run(module):
    before = module.TABLE.copy()
    lint(module.kept, (2.0,))
    assert (module.TABLE == before).all()


# The same as derivatives say ------------------------------------------------------------------
@pytest.fixture
def asked(monkeypatch):
    """What derivatives by names alone refuse: (request, arguments, refusal)."""
    found, plain = [], api.GradientFunction.by_identity

    def by_identity(self, values, refusal):
        if not found and values is not None:
            found.append((self.request, values, refusal))
        return plain(self, values, refusal)

    monkeypatch.setattr(api.GradientFunction, "by_identity", by_identity)
    forget()
    yield found
    forget()


# Found at the call: arguments that share memory, and what duck arrays cannot do.
AT_THE_CALL = re.compile("f writes into x|f changes a|the derivative of this needs")


@pytest.mark.parametrize("code, shown", refusals())
@pytest.mark.sweep(3)
def test_what_is_refused_is_found_on_that_line(code, shown, tmp_path, asked):
    with working_in(tmp_path):
        error_of(code, tmp_path)
        if not asked or asked[0][2].place is None or AT_THE_CALL.search(asked[0][2].reason):
            return
        request, values, refusal = asked[0]
        found = lint(request.fun, values[len(request.bound):],
                     0 if request.wrt is None else request.wrt, request.is_forward)
        lines = {f.place.line for f in found if f.place and f.severity != "note"}
        assert refusal.place.line in lines, found
        if refusal.is_final or (isinstance(refusal, tl.MissingRuleError)
                                and shown.startswith("MissingRuleError")):
            assert refusal.place.line in {f.place.line for f in found if f.severity == "error"}


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", CASES)
def test_what_is_followed_by_identity_is_no_error(name, tmp_path, asked):
    case = CASES[name]
    if case.mode != "grad" or case.is_failing:
        return
    code = f"{case.text}\ngrad({case.entry}, wrt={case.wrt!r})({case.args})\nraise ValueError"
    with working_in(tmp_path):
        error_of(code, tmp_path)
        if asked:
            request, values, _ = asked[0]
            found = lint(request.fun, values[len(request.bound):], request.wrt)
            assert not [f for f in found if f.severity == "error"], found


# The emitted halves of a function that calls itself, read again: the alarm is true.
BY_IDENTITY = {"power_bwd"}


@pytest.mark.parametrize("path", sorted(
    p for folder in ("examples", "benchmarks/workloads", "tests/golden")
    for p in (Path(__file__).parent.parent.parent / folder).glob("*.py")
    if not p.stem.startswith("test_") and p.stem != "update"), ids=lambda p: p.stem)
@pytest.mark.sweep(4)
def test_no_false_alarms(path):
    module = module_at(path)
    for name in functions_of(module):
        found = module
        for part in name.split("."):
            found = getattr(found, part)
        if isinstance(found, types.FunctionType) and found.__code__.co_argcount \
                and not name.endswith(("_hand", "_best", "_torch", "_jax", "_autograd")):
            left = [f for f in lint(found, is_asked_for=False) if f.severity != "note"]
            assert bool(left) == (name in BY_IDENTITY), left


# The command --------------------------------------------------------------------------------------
def call(folder, *arguments, code):
    done = fresh.start("-m", "tangent_lite", "lint", *arguments, folder=folder)
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    return tmp_path


def test_exit_codes(folder):
    assert "nothing found in 1 function" in call(folder, "code.py:fine", code=0).stdout
    assert "5 errors, 1 warning in 1 function" in call(folder, "code.py:many", code=1).stdout
    assert "no function nobody" in call(folder, "code.py:nobody", code=2).stderr
    done = call(folder, "code.py:many", "nosuch.py", code=2)
    assert "no file or folder nosuch.py" in done.stderr and "TL102" in done.stdout
    (folder / "broken.py").write_text("def f(x)\n")
    done = call(folder, "broken.py", "code.py:many", code=2)
    assert "broken.py cannot be imported" in done.stderr and "TL102" in done.stdout


def test_short_lines_and_choice_of_codes(folder):
    out = call(folder, "code.py", "--format", "short", "--select", "TL102,TL2", "--ignore",
               "TL202", code=1).stdout.splitlines()
    assert out[0] == "code.py:7:12: TL102 no adjoint rule for np.emath.sqrt"
    assert {line.split()[1] for line in out} == {"TL102", "TL201", "TL203"}
    assert "there is no code TL9" in call(folder, "code.py", "--select", "TL9", code=2).stderr


def test_notes_are_asked_for(folder):
    quiet = call(folder, "code.py:hinge", code=0).stdout
    assert quiet == "nothing found in 1 function (1 note more with --notes)\n"
    assert "TL301 note: np.maximum has a kink" in call(folder, "code.py:hinge", "--notes",
                                                       code=0).stdout


def test_the_summary_says_what_was_not_looked_at(folder):
    assert call(folder, "code.py", "--ignore", "TL", code=0).stdout == (
        "nothing found in 11 functions, 4 passed over, which take or give no numbers\n")
    (folder / "empty.py").write_text("")
    assert call(folder, "empty.py", code=0).stdout == "no function was looked at\n"
    (folder / "guess.py").write_text("def f(x):\n    y = x * 2\n    kept = [y]\n"
                                     "    kept[0][0] = 5.0\n    return y[1]\n")
    assert "more may be found if the arguments are known" in call(folder, "guess.py", code=0).stdout


def test_followed_by_identity_in_a_fresh_process(folder):
    # What is followed is in a table that fills as modules are imported.
    (folder / "pieces.py").write_text(
        "import itertools\nimport numpy as np\ndef f(x: np.ndarray):\n"
        "    return sum(sum(g) ** 2 for _, g in itertools.groupby(x, key=np.sign))\n")
    assert "TL201" in call(folder, "pieces.py:f", code=1).stdout


def test_methods_of_classes(folder):
    (folder / "model.py").write_text(
        "import numpy as np\nclass Model:\n    @staticmethod\n    def act(z: float):\n"
        "        return np.emath.log(z)\n    def __call__(self, x: float):\n"
        "        return 2.0 * np.floor(x)\n")
    out = call(folder, "model.py", "--format", "short", code=1).stdout.splitlines()
    assert [line.split()[:2] for line in out] == [["model.py:5:16:", "TL102"],
                                                  ["model.py:7:22:", "TL202"]]


def test_what_a_file_of_a_package_prints_is_no_part_of_the_answer(folder):
    (folder / "pack").mkdir()
    (folder / "pack" / "__init__.py").write_text("")
    (folder / "pack" / "loud.py").write_text("print('loud')\ndef f(x: float):\n    return x\n")
    done = call(folder, "pack", code=0)
    assert done.stdout == "nothing found in 1 function\n" and "loud" in done.stderr


def test_a_folder_and_arguments(folder):
    assert "TL102" in call(folder, ".", code=1).stdout
    assert "TL105" in call(folder, "code.py:fine", "--args", "3, 2.0", code=1).stdout
    assert "one function" in call(folder, "code.py", "--args", "3", code=2).stderr


def test_reasons_that_hold_by_identity_too_are_those_that_are_given():
    """Each is the text of some refusal: one that is reworded would be told of as slow."""
    root = Path(tl.__file__).parent
    texts, patterns = set(), set()
    for path in [*root.glob("*.py"), *root.glob("*/*.py")]:
        if path.name != "lint/refusals.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    patterns.add("".join(re.escape(part.value) if isinstance(
                        getattr(part, "value", None), str) else ".+" for part in node.values))
                elif isinstance(node, ast.Constant):
                    texts.add(node.value)
    written = re.compile("|".join(sorted(p for p in patterns if len(p) > 20)))
    for reason in BY_IDENTITY_TOO.pattern.split("|"):
        example = re.sub(r"\\w\+|\.\*", "name", reason)
        assert example in texts or written.fullmatch(example), reason
