"""The command line: what it prints and writes, and what it says when something is wrong."""

import ast
import math

import fresh
import pytest

from tangent_lite import cli

CODE = '''"""A module named as one of the standard library."""
import numpy as np

print("imported")


def loss(a: float = 0.5, b: float = 2.0) -> float:
    y = a * b
    return np.sin(y) + b


def bare(x, n):
    return np.sum(x * x) * n


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return self.w * x * x


def refused(x: float):
    yield x


NUMBER = 3
'''
RULES = '''import numpy as np
import tangent_lite as tl

op = np.frompyfunc(lambda x: x * x, 1, 1)


@tl.adjoint(op)
def op_adjoint(y, x):
    d[x] = d[y] * FACTOR * x


def loss(a: float = 0.5):
    return op(a) * 3.0
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    return tmp_path


def call(folder, *arguments, code=0):
    done = fresh.start("-m", "tangent_lite", *arguments, folder=folder)
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def refusal(folder, *arguments):
    """What is said on stderr, with exit code 2, nothing printed and no traceback."""
    done = call(folder, *arguments, code=2)
    assert done.stdout == "" and "Traceback" not in done.stderr
    return done.stderr.removeprefix("imported\n")


def test_show(folder):
    out = call(folder, "show", "code.py:loss").stdout
    assert out.startswith("import numpy as np\n") and "def loss_grad(a=0.5, b=2.0, " in out
    assert "# y = a * b" in out and "imported" not in out
    assert "self" in call(folder, "show", "code.py:Model.loss", "--args",
                          "Model(2.0), 3.0").stdout


def test_show_for_arguments(folder):
    general = call(folder, "show", "code.py:bare").stdout
    special = call(folder, "show", "code.py:bare", "--args", "np.ones(3), n=2").stdout
    assert general != special and isinstance(ast.parse(special), ast.Module)


def test_show_writes_pages(folder):
    call(folder, "show", "code.py:loss", "-o", "out.html")
    page = (folder / "out.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "<html" in page and "loss_grad" in page
    call(folder, "show", "code.py:loss", "-o", "out.txt")
    assert (folder / "out.txt").read_text() == call(folder, "show", "code.py:loss").stdout


def test_an_output_that_cannot_be_encoded(folder, monkeypatch):
    (folder / "greek.py").write_text("def f(ξ):\n    return ξ * ξ\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    said = refusal(folder, "show", "greek.py:f")
    assert "characters that ascii has not" in said and "PYTHONIOENCODING=utf-8" in said


def test_grad(folder):
    printed = call(folder, "grad", "code.py:loss", "--wrt", "a,b").stdout
    call(folder, "grad", "code.py:loss", "--wrt", "a, 1", "-o", "out.py")
    assert (folder / "out.py").read_text() == printed
    got = fresh.run("import out; print(tuple(map(float, out.loss_grad(0.5, 2.0))))", folder,
                    with_us=False)
    assert ast.literal_eval(got) == pytest.approx((2 * math.cos(1), 0.5 * math.cos(1) + 1))


@pytest.mark.parametrize("command", ["grad", "show", "explain"])
def test_what_is_differentiated_is_not_written_over(folder, command):
    (folder / "shared.py").write_text("def square(x):\n    return x * x\n")
    (folder / "uses.py").write_text("from shared import square\n"
                                    "def f(x: float):\n    return square(x) * square(3.0 * x)\n")
    for name in ("uses.py", "shared.py"):
        before = (folder / name).read_text()
        assert "would be written over" in refusal(folder, command, "uses.py:f", "-o", f"./{name}")
        assert (folder / name).read_text() == before


def test_a_partial_is_named_by_what_it_is_of(folder):
    (folder / "part.py").write_text("import functools, math\n"
                                    "cubes = functools.partial(math.pow, 2.0)\n")
    assert "1 derivative agrees" in call(folder, "check", "part.py:cubes", "--args", "3.0").stdout
    assert "give example arguments" in refusal(folder, "check", "part.py:cubes")
    out = call(folder, "show", "part.py:cubes").stdout
    assert '"""Gradient of pow with respect to y."""' in out
    assert "pow_1 = math.pow(argument_0, y)" in out


def test_grad_of_one_parameter(folder):
    space = {}
    exec(call(folder, "grad", "code.py:loss", "--wrt", "b").stdout, space)
    assert float(space["loss_grad"](0.5, 2.0)) == pytest.approx(0.5 * math.cos(1) + 1)


def test_check(folder):
    assert "loss: 2 derivatives agree" in call(folder, "check", "code.py:loss").stdout
    assert "1 derivative agrees" in call(folder, "check", "code.py:loss", "--wrt", "b").stdout
    out = call(folder, "check", "code.py:bare", "--args", "np.arange(3.0), 2").stdout
    assert "bare: 3 derivatives agree" in out
    out = call(folder, "check", "code.py:Model.loss", "--args", "Model(2.0), 3.0").stdout
    assert "Model.loss: 2 derivatives agree" in out


def test_check_fails_on_a_wrong_rule(folder):
    (folder / "right.py").write_text(RULES.replace("FACTOR", "2.0"))
    (folder / "wrong.py").write_text(RULES.replace("FACTOR", "2.1"))
    call(folder, "check", "right.py:loss")
    out = call(folder, "check", "wrong.py:loss", code=1).stdout
    assert "the derivative of loss is wrong: a: reverse mode 3.58" in out
    assert "differences 3.41" in out


def test_rules(folder):
    assert "np.cos(x)" in call(folder, "rules", "np.sin").stdout
    assert "numpy.sin" in call(folder, "rules").stdout.split()
    assert "zero" in call(folder, "rules", "np.floor").stdout
    assert "there is no rule for np.tann; there is one for numpy.tan" in refusal(folder, "rules",
                                                                                 "np.tann")
    assert " at 0x" not in call(folder, "rules").stdout


@pytest.mark.parametrize("name, told", [
    ("operator.mul", "d[x] = unbroadcast(d[z] * y, x)"), ("ndarray.sum", "unreduce("),
    ("scipy.special.gamma", "sp.digamma(x)"), ("scipy.stats.norm.logpdf", "# scipy.stats.norm"),
    ("np.matrix", "numpy.matrix is not differentiated"), ("itertools.accumulate", "is read as")])
def test_rules_of_what_a_name_means(name, told, capsys):
    """A library's rules are read once it is in use, and few functions say where users find them."""
    assert cli.main(["rules", name]) == 0
    assert told in capsys.readouterr().out


def test_forward_mode(folder):
    assert "def loss_jvp(" in call(folder, "show", "code.py:loss", "--mode", "forward").stdout
    text = call(folder, "grad", "code.py:loss", "--mode", "forward").stdout
    assert "def loss_jvp(" in text and "import tangent_lite" not in text
    assert "agree with differences" in call(folder, "check", "code.py:loss", "--mode",
                                             "forward").stdout


@pytest.mark.parametrize("arguments, said", [
    (["show", "code.py:absent"],
     "tangent_lite: code.py has no function absent; it has loss, bare, Model.loss, "
     "refused\n"),
    (["show", "code.py:Model.absent"], "code.py has no function Model.absent"),
    (["show", "code.py:NUMBER"], "NUMBER in code.py is no function, but int"),
    (["show", "code.py:Model"], "Model in code.py is no function, but a class"),
    (["show", "code.py"], "'code.py' is not of the form FILE.py:FUNCTION"),
    (["show", "absent.py:loss"], "there is no file absent.py"),
    (["grad", "code.py:loss", "--wrt", "zz"], "loss has no parameter zz; loss has a, b"),
    (["grad", "code.py:loss", "--wrt", ","], "names nothing"),
    (["check", "code.py:bare"], 'bare has no default or plain annotation for x, n\n    Instead: '
                                'give example arguments: --args "..., ..."'),
    (["check", "code.py:bare", "--args", "np.ones(3)"], "missing a required argument: 'n'"),
    (["check", "code.py:bare", "--args", "np.ones(3"], "SyntaxError"),
    (["check", "code.py:bare", "--args", "3, 2"], "floating-point"),
    (["show", "code.py:refused"], "code.py:25: a generator cannot be differentiated\n"
                                  "    25 |     yield x\n"),
    (["grad", "code.py:loss", "-o", "absent/out.py"],
     "absent/out.py cannot be written: No such file or directory"),
], ids=lambda case: " ".join(case) if isinstance(case, list) else "")
@pytest.mark.sweep(4)
def test_what_is_wrong(folder, arguments, said):
    assert said in refusal(folder, *arguments)


@pytest.mark.parametrize("text, said", [
    ("import absent_module\n", "cannot be imported: ModuleNotFoundError: No module named "
     "'absent_module'\n    bad.py:1\n        import absent_module\n"),
    ("def f(x):\n    return x *\n",
     "SyntaxError: invalid syntax\n    bad.py:2\n        return x *\n                  ^"),
    ("x = 1\nassert x == 2, 'no'\n", "AssertionError: no\n    bad.py:2\n        assert x == 2"),
    ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
])
@pytest.mark.sweep(2)
def test_files_that_cannot_be_imported(folder, text, said):
    (folder / "bad.py").write_text(text)
    assert said in refusal(folder, "show", "bad.py:f")


def test_a_function_that_fails_when_it_is_checked(folder):
    (folder / "fails.py").write_text(
        "def f(x: float = 1.0):\n    table = [1.0]\n    return x * table[3]\n")
    assert "IndexError" in refusal(folder, "check", "fails.py:f")
    (folder / "divides.py").write_text("def f(x: float = 1.0):\n    return 1.0 / (x - 1.0)\n")
    said = refusal(folder, "check", "divides.py:f")
    assert "ZeroDivisionError" in said and "return 1.0 / (x - 1.0)" in said
    assert "divides.py:2\n" in said


def test_a_file_of_a_package(folder):
    package = folder / "package"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "inner" / "__init__.py").write_text("")
    (package / "shared.py").write_text("def square(x):\n    return x * x\n")
    (package / "inner" / "model.py").write_text(
        "from ..shared import square\n\n\ndef f(x: float):\n    return square(x) * 3.0\n")
    call(folder, "check", "package/inner/model.py:f")


def test_help(folder):
    for arguments in (["--help"], ["show", "--help"], ["rules", "-h"]):
        assert "usage: tangent_lite" in call(folder, *arguments).stdout
    assert "usage" in call(folder, code=2).stderr


def test_main_returns_the_exit_code(folder, monkeypatch, capsys):
    from tangent_lite.cli import main
    monkeypatch.chdir(folder)
    assert main(["check", "code.py:loss"]) == 0
    assert main(["show", "code.py:absent"]) == 2
    assert "absent" in capsys.readouterr().err
