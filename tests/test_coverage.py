"""docs/coverage.md is what the registry says, and says something of every function."""
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tangent_lite import coverage

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "coverage.md"


def test_the_page_is_current():
    made = subprocess.run([sys.executable, "-m", "tangent_lite.coverage"], cwd=ROOT, check=True,
                          capture_output=True, text=True).stdout
    told = re.search("public functions of (.*);", PAGE.read_text(encoding="utf-8")).group(1)
    if f"public functions of {told};" not in made:
        pytest.skip(f"the page is that of {told}")
    assert made == PAGE.read_text(encoding="utf-8"), \
        "python -m tangent_lite.coverage > docs/coverage.md"


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="other names")
@pytest.mark.parametrize("title", [
    "numpy", "numpy.linalg", "numpy.fft", "numpy.ndarray", "operators of numpy.ndarray",
    "methods of ufuncs", "math", "cmath", "operator", "builtins"])
def test_nothing_is_undecided(title):
    area = next(a for a in coverage.areas() if a.title == title)
    assert not set(area.having(coverage.UNDECIDED)), \
        "write a rule, or say nondifferentiable(...) or refuse(...) in rules/declared.py"


def test_decisions():
    assert coverage.decision_on(np.sin) == (coverage.RULE, "rules/elementwise.py")
    assert coverage.decision_on(np.floor) == (coverage.CONSTANT, "")
    assert coverage.decision_on(np.multiply.outer) == (coverage.FOLLOWED,
                                                       "rules/ufunc_methods.py")
    assert coverage.decision_on(np.poly1d)[0] == coverage.REFUSED
    assert coverage.decision_on(coverage.page) == (coverage.UNDECIDED, "")
