"""The code blocks of README.md and docs/ run.

The ```python blocks of a page share one namespace, in order; they are written to a file that keeps
the page's line numbers, so that their source can be found and a traceback names the page's line.
A word after the language says more:

```python no-run         shown only
```python needs=numba    left out where numba is not installed
```text output           what the page's code prints contains this
```console               each `$ python -m tangent_lite ...` in it is run and must succeed
```console no-run        shown only
"""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
         if page.is_file()]
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}) *(?P<info>[^`\n]*)$")


class Block(NamedTuple):
    language: str
    words: list[str]
    line: int  # of the block's first line of code, from 0
    text: str


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
    needs = [word.removeprefix("needs=") for word in block.words if word.startswith("needs=")]
    unknown = set(block.words) - {"no-run", "output"} - {f"needs={name}" for name in needs}
    assert not unknown or block.language not in ("python", "console"), f"unknown words {unknown}"
    return "no-run" not in block.words and all(importlib.util.find_spec(name) for name in needs)


def module_text(page_text):
    """The page's code with every line where it stands in the page."""
    lines = [""] * len(page_text.splitlines())
    for block in blocks(page_text):
        if block.language == "python" and wanted(block):
            for k, line in enumerate(block.text.splitlines()):
                lines[block.line + k] = line
    return "\n".join(lines) + "\n"


def commands(page_text):
    """The command lines of ours that a page shows, continuation lines joined."""
    for block in blocks(page_text):
        if block.language == "console" and wanted(block):
            for line in block.text.replace("\\\n", " ").splitlines():
                if re.match(r"\$ (python3? -m )?tangent_lite\b", line):
                    yield line.removeprefix("$ ")


def identify(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=identify)
def test_code_runs(page, tmp_path, monkeypatch, capsys):
    text = page.read_text(encoding="utf-8")
    code = module_text(text)
    if not code.strip():
        pytest.skip("no code on this page")
    name = "page_" + re.sub(r"\W", "_", identify(page))
    path = tmp_path / f"{name}.py"
    path.write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)  # pages that save files leave none behind
    monkeypatch.syspath_prepend(tmp_path)  # and may import what they saved
    monkeypatch.setenv("MPLBACKEND", "Agg")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)

    printed = capsys.readouterr().out
    for block in blocks(text):
        if block.language == "text" and "output" in block.words:
            assert block.text.strip() in printed, f"not printed: line {block.line} of {page.name}"


@pytest.mark.parametrize("page", PAGES, ids=identify)
def test_commands_run(page, tmp_path):
    shown = list(commands(page.read_text(encoding="utf-8")))
    if not shown:
        pytest.skip("no commands on this page")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")  # what the commands are about
    for command in shown:
        words = shlex.split(command, comments=True)
        words = words[words.index("tangent_lite") + 1:]
        done = subprocess.run([sys.executable, "-m", "tangent_lite", *words], cwd=tmp_path,
                              env={**os.environ, "PYTHONPATH": str(ROOT)},  # in a bare checkout too
                              capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


PAGE = """A page.

```python
import inspect
def twice(x):
    return 2 * x
```

1. In a list:

   ```python
   print(inspect.getsource(twice))
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
    lines = module_text(PAGE).splitlines()
    assert lines[4] == "def twice(x):" == PAGE.splitlines()[4]
    assert lines[11] == "print(inspect.getsource(twice))"
    assert "oops" not in module_text(PAGE)


def test_finds_commands():
    (command,) = commands(PAGE)
    assert shlex.split(command)[3:] == ["show", "examples/demo.py:misfit", "--wrt", "damping"]


@pytest.mark.parametrize("page, message", [
    ("```python\nx\n", "never closed"),
    ("```python norun\nx\n```\n", "unknown words"),
])
def test_refuses_pages_that_would_hide_code(page, message):
    with pytest.raises(AssertionError, match=message):
        module_text(page)
