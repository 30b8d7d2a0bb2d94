"""What the tests of `source` share: modules from text, and what is looked for in a source."""
import ast
import importlib.util
import itertools
import textwrap

import gast

numbers = itertools.count()


def execute(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    # Python would read a stale .pyc if a file is written twice within a second.
    exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def unparse(source):
    """The function as text of the standard library, to compare with expected text."""
    module = gast.Module(body=[source.tree], type_ignores=[])
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(module)))


def body(source):
    return unparse(source).split("\n", 1)[1].strip()


def carets(source, node):
    line, below = source.place(node).show().splitlines()
    return line[below.index("^") : len(below)]


def find(source, kind, k=0):
    return [node for node in gast.walk(source.tree) if isinstance(node, kind)][k]


def loader(tmp_path):
    """What writes a module into a file and imports it, without pytest's rewriting of asserts."""
    def load(text, name=None, encoding="utf-8"):
        name = name or f"module_{next(numbers)}"
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(text), encoding=encoding)
        return execute(path, name)

    return load
