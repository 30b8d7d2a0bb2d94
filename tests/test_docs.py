"""The code blocks of README.md and docs/ run, and print what the pages say they print.

The ```python blocks of a page share one namespace, in order; they are written to a file that keeps
the page's line numbers, so that their source can be found and a traceback names the page's line.
A word after the language says more:

```python no-run         shown only
```python needs=numba    left out where numba is not installed
```python file=model.py  not run, but written to a file that the page's code may import
```python raises         run on its own, as model.py, with math, np, tl and what tl exports
                         imported; it raises an error, which is its output
```text output           all that was printed since the output block before it
```console               each `$ python -m tangent_lite ...` in it is run and must succeed; lines
                         below a command are what it prints
```console fails         the same, and the command must fail
```console no-run        shown only

`python tests/test_docs.py` runs the pages and writes what is printed today into them.
"""

import contextlib
import copy
import importlib.util
import io
import linecache
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import tangent_lite
from tangent_lite import registry

pytestmark = pytest.mark.pages
ROOT = Path(__file__).resolve().parent.parent
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
         if page.is_file()]
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}) *(?P<info>[^`\n]*)$")
COMMAND = re.compile(r"\$ (python3? -m )?tangent_lite\b")
END = "end of the block at line"  # what is printed between the blocks


class Block(NamedTuple):
    language: str
    words: list[str]
    line: int  # of the block's first line of code, from 0
    text: str

    def option(self, name):
        """What stands behind `name=`, if it is there."""
        return next((w.removeprefix(f"{name}=") for w in self.words if w.startswith(f"{name}=")),
                    None)


def blocks(page_text):
    """All fenced blocks of a page."""
    found, opened, lines = [], None, page_text.splitlines()
    for number, line in enumerate(lines):
        fence = FENCE.match(line)
        if not fence:
            continue
        if opened is None:
            opened = fence, number + 1
        elif fence["ticks"] == opened[0]["ticks"] and not fence["info"]:
            language, *words = opened[0]["info"].split() or [""]
            text = textwrap.dedent("\n".join(lines[opened[1]:number]))
            found.append(Block(language, words, opened[1], text))
            opened = None
    assert opened is None, f"the block that begins at line {opened[1]} is never closed"
    return found


def wanted(block):
    """Whether a block runs here."""
    unknown = {w for w in block.words if w not in ("no-run", "output", "fails", "raises")
               and not w.startswith(("needs=", "file="))}
    assert not unknown or block.language not in ("python", "console"), f"unknown words {unknown}"
    needs = block.option("needs")
    return not {"no-run", "raises"} & {*block.words} and block.option("file") is None \
        and (needs is None or importlib.util.find_spec(needs) is not None)


def module_text(page_text):
    """The page's code with every line where it stands in the page; it tells where blocks end."""
    lines = [""] * len(page_text.splitlines())
    for block in blocks(page_text):
        if block.language == "python" and wanted(block):
            inside = block.text.splitlines()
            lines[block.line:block.line + len(inside)] = inside
            lines[block.line + len(inside)] = f"print('{END} {block.line}')"
    return "\n".join(lines) + "\n"


def has_code(page_text):
    return any(b.language == "python" and "no-run" not in b.words for b in blocks(page_text))


def write_files(page_text, folder):
    """The page's blocks that are files; the names of the modules."""
    names = []
    for block in blocks(page_text):
        if block.language == "python" and block.option("file"):
            (folder / block.option("file")).write_text(block.text + "\n", encoding="utf-8")
            names.append(block.option("file").removesuffix(".py"))
    return names


def error_of(code, folder):
    """The error that a piece of code raises, as Python would print it last."""
    path = folder / "model.py"
    path.write_text(code + "\n", encoding="utf-8")
    space = {"__name__": "model", "math": math, "np": np, "tl": tangent_lite,
             **{name: getattr(tangent_lite, name) for name in tangent_lite.__all__}}
    linecache.cache.pop(str(path), None)    # the pieces share the name of their file
    try:
        exec(compile(code + "\n", str(path), "exec"), space)
    except Exception as error:
        return f"{type(error).__name__}: {error}\n"
    raise AssertionError(f"no error:\n{code}")


def commands(page_text):
    """The command lines of ours that a page shows, continuation lines joined, each with the block
    and the lines shown below it."""
    for block in blocks(page_text):
        if block.language != "console" or not wanted(block):
            continue
        command, shown, joined = None, [], block.text.replace("\\\n", " ")
        for line in [*joined.splitlines(), "$"]:
            if not line.startswith("$"):
                shown.append(line)
                continue
            if command is not None:
                yield command, block, as_written("\n".join(shown))
            command = line.removeprefix("$ ") if COMMAND.match(line) else None
            shown = []


def identify(page):
    return page.relative_to(ROOT).as_posix()


@contextlib.contextmanager
def working_in(folder):
    """A page that saves files leaves none behind, and imports what it saved."""
    here = os.getcwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        os.chdir(here)


@contextlib.contextmanager
def rules_of_its_own():
    """The rules that a page registers are gone when it is done."""
    for area in registry.LATER:                 # rules that are read in between would be lost
        with contextlib.suppress(ImportError):
            importlib.import_module(area)
    registry.load_rules()
    before = {key: copy.copy(entry) for key, entry in registry._entries.items()}
    try:
        yield
    finally:
        registry._entries.clear()
        registry._entries.update(before)


@rules_of_its_own()
def run(page, text, folder):
    """What the page's blocks print, by the line of the block."""
    name = "page_" + re.sub(r"\W", "_", identify(page))
    path = folder / f"{name}.py"
    path.write_text(module_text(text), encoding="utf-8")
    files = write_files(text, folder)
    before = {file: sys.modules.pop(file) for file in [name, *files] if file in sys.modules}
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    out = io.StringIO()
    try:
        with working_in(folder), contextlib.redirect_stdout(out):
            spec.loader.exec_module(module)
    finally:
        for file in [name, *files]:
            sys.modules.pop(file, None)
        sys.modules.update(before)
    parts = re.split(rf"{END} (\d+)\n", out.getvalue())
    printed = {int(line): what for what, line in zip(parts[::2], parts[1::2])}
    alone = folder / "alone"
    alone.mkdir()
    with working_in(alone):
        printed |= {block.line: error_of(block.text, alone) for block in blocks(text)
                    if "raises" in block.words}
    return printed


def as_written(text):
    """As an editor leaves it: no blanks at the ends of lines, no empty lines around."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def outputs(text, printed):
    """The page's output blocks, each with what was printed since the one before it."""
    since = ""
    for block in blocks(text):
        since += printed.get(block.line, "")
        if block.language == "text" and "output" in block.words:
            yield block, as_written(since)
            since = ""


def call(command, folder):
    """Run a command line of ours."""
    words = shlex.split(command, comments=True)
    words = words[words.index("tangent_lite") + 1:]
    return subprocess.run([sys.executable, "-m", "tangent_lite", *words], cwd=folder,
                          env={**os.environ, "PYTHONPATH": str(ROOT)},  # in a bare checkout too
                          capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("page", PAGES, ids=identify)
def test_code_runs(page, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    text = page.read_text(encoding="utf-8")
    if not has_code(text):
        pytest.skip("no code on this page")
    for block, printed in outputs(text, run(page, text, tmp_path)):
        assert block.text == printed, f"line {block.line} of {page.name} shows something else " \
                                      "(python tests/test_docs.py writes what is printed)"


@pytest.mark.parametrize("page", PAGES, ids=identify)
def test_commands_run(page, tmp_path):
    text = page.read_text(encoding="utf-8")
    shown = list(commands(text))
    if not shown:
        pytest.skip("no commands on this page")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")  # what the commands are about
    write_files(text, tmp_path)
    for command, block, expected in shown:
        done = call(command, tmp_path)
        failed = "fails" in block.words
        assert (done.returncode != 0) == failed, f"{command}\n{done.stdout}\n{done.stderr}"
        if expected:
            assert expected == as_written(done.stdout + done.stderr), command


def with_results(block, folder):
    """The text of a console block, what its commands print put in the place of what is shown."""
    page = f"```{' '.join([block.language, *block.words])}\n{block.text}\n```\n"
    text = block.text
    for command, _, shown in commands(page):
        done = call(command, folder)
        if shown:
            text = text.replace(f"\n{shown}", f"\n{as_written(done.stdout + done.stderr)}", 1)
    return text


def refresh(page):
    """Write what a page's code and commands print into the page."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        found = list(outputs(text, run(page, text, Path(folder)))) if has_code(text) else []
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        found += [(block, with_results(block, Path(folder))) for block in blocks(text)
                  if block.language == "console" and wanted(block)]
    lines = text.splitlines()
    for block, printed in sorted(found, key=lambda f: -f[0].line):
        lines[block.line:block.line + len(block.text.splitlines())] = printed.splitlines()
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


PAGE = """A page.

```python file=model.py
def half(x):
    return 0.5 * x
```

```python
import inspect
import model
def twice(x):
    return 2 * x
print(model.half(4.0))
```

1. In a list:

   ```python
   print(inspect.getsource(twice))
   ```

```text output
2.0
def twice(x):
    return 2 * x
```

```python no-run
oops
```

```console
$ python -m tangent_lite show examples/demo.py:misfit \\
    --wrt damping
$ pip install x
```
"""


def test_lines_keep_their_numbers():
    lines, page = module_text(PAGE).splitlines(), PAGE.splitlines()
    at = page.index("def twice(x):")
    assert lines[at:at + 2] == page[at:at + 2]
    assert lines[page.index("   print(inspect.getsource(twice))")] \
        == "print(inspect.getsource(twice))"
    assert "oops" not in module_text(PAGE) and "half(x)" not in module_text(PAGE)


def test_compares_what_is_printed(tmp_path):
    ((block, printed),) = outputs(PAGE, run(ROOT / "README.md", PAGE, tmp_path))
    assert block.text == printed


def test_finds_commands():
    ((command, _, shown),) = commands(PAGE)
    assert shlex.split(command)[3:] == ["show", "examples/demo.py:misfit", "--wrt", "damping"]
    assert shown == ""


@pytest.mark.parametrize("page, message", [
    ("```python\nx\n", "never closed"),
    ("```python norun\nx\n```\n", "unknown words"),
])
def test_refuses_pages_that_would_hide_code(page, message):
    with pytest.raises(AssertionError, match=message):
        module_text(page)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for one in [ROOT / name for name in sys.argv[1:]] or PAGES:
        refresh(one)
