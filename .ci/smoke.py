"""The installed package works: imports, rules, a gradient, the command line. Run outside pytest."""

import importlib
import math
import subprocess
import sys
from pathlib import Path

import numpy as np

import tangent_lite as tl


def energy(x, k):
    total = 0.0
    for i in range(len(x)):
        total += k * math.sin(x[i]) ** 2
    return total + np.sum(np.exp(x))


def main():
    x = np.array([0.1, 0.2, 0.3])
    gx, gk = tl.grad(energy, wrt=("x", "k"))(x, 2.0)
    np.testing.assert_allclose(gx, 4.0 * np.sin(x) * np.cos(x) + np.exp(x), rtol=1e-12)
    np.testing.assert_allclose(gk, np.sum(np.sin(x) ** 2), rtol=1e-12)

    package = Path(tl.__file__).parent
    assert (package / "py.typed").is_file()
    rules = importlib.import_module("tangent_lite.rules")
    assert Path(str(rules.__file__)).parent == package / "rules", rules.__file__

    subprocess.run([sys.executable, "-m", "tangent_lite", "show", f"{__file__}:energy"],
                   check=True, stdout=subprocess.DEVNULL)
    print(f"smoke test passed: {package}")


# The command line imports this file, so that nothing may run then.
if __name__ == "__main__":
    main()
