"""Write anew what the goldens of this folder expect:

    python tests/golden/update.py [NAME ...]

Each golden is a file: a function (FUNCTION), arguments that show it (ARGS), what it is differentiated
by (WRT, all parameters if it is missing), what is made of it (FORM, grad if it is missing), the
number of code lines that a person needed (LINES, where somebody counted); and below a line, word
for word, what tangent_lite emits. Read the difference before you commit it: that is the test.
"""

import ast
import sys
import types
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.py")
               if path.stem not in ("update", "__init__") and not path.stem.startswith("test_"))
REFUSED = "Refused, for now:"
LINE = "\n\n# Emitted " + "-" * 89 + "\n"


def golden(name):
    """The module of a golden, without what is emitted for it (which binds names of its own)."""
    module = types.ModuleType(f"golden_{name}")
    path = FOLDER / f"{name}.py"
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    exec(compile(halves(name)[0], str(path), "exec"), vars(module))
    return module


def halves(name):
    """The text of a golden above the line, and below it."""
    above, _, below = (FOLDER / f"{name}.py").read_text(encoding="utf-8").partition(LINE)
    return above, below


def wrt_of(module):
    """What a golden is differentiated by: all parameters, unless it says."""
    code = module.FUNCTION.__code__
    return getattr(module, "WRT", code.co_varnames[:code.co_argcount])


def derivative(module):
    """The derivative of a golden's function."""
    import tangent_lite as tl

    return getattr(tl, getattr(module, "FORM", "grad"))(module.FUNCTION, wrt=wrt_of(module))


def emitted(name):
    """What is emitted for a golden today; for what is refused, the error as a comment."""
    from tangent_lite import TangentError

    try:
        module = golden(name)
        return derivative(module).source_for(*module.ARGS).strip() + "\n"
    except TangentError as error:
        lines = [REFUSED, *str(error).replace(str(FOLDER) + "/", "").splitlines()]
        return "".join(f"# {line}".rstrip() + "\n" for line in lines)


def code_lines(text):
    """The number of lines of a text that hold code: no comments, docstrings, imports or signatures."""
    tree = ast.parse(text)
    without = {line for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
               for line in range(node.lineno, node.body[1].lineno)
               if isinstance(node.body[0], ast.Expr)}
    without |= {line for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))
                for line in range(node.lineno, node.end_lineno + 1)}
    return sum(bool(line.strip()) and not line.strip().startswith("#") and k not in without
               for k, line in enumerate(text.splitlines(), 1))


def main(names):
    sys.path.insert(0, str(FOLDER.parent.parent))
    for name in names or NAMES:
        above, below = halves(name)
        text = emitted(name)
        print(f"{name:20} {code_lines(text):3} lines", "" if text == below else "changed")
        (FOLDER / f"{name}.py").write_text(above.rstrip("\n") + "\n" + LINE + text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
