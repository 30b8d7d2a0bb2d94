"""The examples in docstrings run; every pass has one, which is its specification."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "tangent_lite"


def dotted(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


# Rules are templates, and their folder is a link; `__main__` would run the command line.
MODULES = [dotted(path) for path in sorted(PACKAGE.rglob("*.py"))
           if "rules" not in path.relative_to(PACKAGE).parts and path.name != "__main__.py"]
PASSES = [name for name in MODULES
          if name.startswith("tangent_lite.passes.") and not name.endswith("__init__")]
# Where there are none, looking for them takes as long as running some.
WITH_EXAMPLES = [name for name in MODULES if ">>> " in (
    PACKAGE.parent / (name.replace(".", "/") + ".py")).read_text(encoding="utf-8")]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_run(name):
    if "numba" in name:
        pytest.importorskip("numba")
    module = importlib.import_module(name.removesuffix(".__init__"))
    assert doctest.testmod(module, optionflags=OPTIONS).failed == 0


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_shows_what_it_does(name):
    assert ">>> " in (importlib.import_module(name).__doc__ or ""), \
        f"{name} has no doctest, before => after"


def test_the_pipeline_on_the_page_has_every_pass():
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    pipeline = page[page.index("```text\nread"):].split("```")[1]
    assert {name.rpartition(".")[2] for name in PASSES} <= set(re.findall(r"\w+", pipeline))
