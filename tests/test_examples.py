"""Each example runs as its docstring says, in a small size."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))

# {example: (argument, what its output must hold)}
SMALL = {
    "asian_option.py": ("20000", r"worth_value_and_grad\((.|\n)*passed(.|\n)*worth 9\.[34]\d+ \(in "
                                 r"closed form 9\.413\)\n  by price: 0\.(59|60)\d+ \(0\.599"),
    "controller.py": ("50", r"controller_last is None:(.|\n)*passed\nat first: cost 2\.6686\n"
                            r"tuned:    cost 1\.5\d+, proportional 2\.\d+"),
    "demo.py": ("30", r"def misfit_grad\((.|\n)*args\): passed(.|\n)*finite differences +\d"),
    "diffusivity.py": ("40", r"bsystem = sum_of_structures\(bsystem, product_left\(-bu, system"
                             r"(.|\n)*passed\nat first: misfit \d(.|\n)*"
                             r"fitted:   misfit \d\.\d+e-0[6-9]"),
    "hanging_chain.py": ("400", r"elif type\(part\) is Spring:(.|\n)*passed\nat rest: energy "
                                r"-17\.0\d+(.|\n)*by the last weight: -12\.\d+"),
    "objects_that_learn.py": ("30", r"map\(type, net\.layers\)\] == \[Dense, Centred, Tanh(.|\n)*"
                                    r"passed\nstep 0: loss 0\.88\d+(.|\n)*after 30 steps: 9\d"),
    "iris.py": ("40", r"iteration +0: loss +31[12]\.\d(.|\n)*after +40: loss +\d+\.\d+, \d+\.\d% "),
    "spring_chain.py": ("60", r"def misfit_value_and_grad\((.|\n)*passed(.|\n)*iteration 5: "
                              r"misfit \d\.\d+e[-+]\d+, stiffness 4\.0000, damping 0\.3000"),
    "swing_by.py": ("60", r"bodies_vx\[i\](.|\n)*passed(.|\n)*"
                          r"iteration 7: missed by \d\.\d+e-(0[4-9]|1)"),
    "wavelet.py": ("50", r"def forward_bwd\(saved, ba\):(.|\n)*passed\nnoise: +error 0\.0918\n"
                         r"step +0: error 0\.080\d(.|\n)*step +50: error 0\.0[01]\d+"),
    "pendulums.py": ("20", r"line -4\.3783\d+e-07, by differences -4\.3783\d+e-07\n"
                           r"misfit \d\.\d+e-0[89]: ratio 0\.59\d"),
    "ranking.py": ("2", r"epoch 2: +\d+\.\d ms, [6-9]\d\.\d% of unseen pairs right"),
    "distributed_training.py": ("3", r"100% Completed(.|\n)*epoch 3: loss 0\.69\d+\n"
                                     r"apart from one process: \d\.\de-1[3-9]|0\.0e\+00"),
    "many_starts.py": ("4", r"best of 4: \d+\.\d+ at"),
    "logistic_map.py": ("200", r"def logistic_map_grad\((.|\n)*r = 4\.0:  \+0\.[67]\d+   chaotic"),
}


NEEDED = {"ranking.py": ["numba"], "distributed_training.py": ["distributed"],
          "many_starts.py": ["joblib"]}


def run(name, *arguments):
    # In a bare checkout the package is found by PYTHONPATH; where it is installed, so it is anyway.
    done = subprocess.run([sys.executable, ROOT / "examples" / name, *arguments], timeout=600,
                          env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", EXAMPLES)
def test_runs_small(name):
    for needed in NEEDED.get(name, ()):
        pytest.importorskip(needed)
    argument, pattern = SMALL[name]
    printed = run(name, argument)
    assert re.search(pattern, printed), printed


@pytest.mark.slow
def test_iris_learns():
    *_, loss, right = re.findall(r"(\d+\.\d+)", run("iris.py"))
    assert float(loss) < 20
    assert float(right) >= 97


@pytest.mark.slow
def test_demo_in_full():
    assert "finite differences" in run("demo.py")
