"""What is kept on disk: another process compiles nothing."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

pytest.importorskip("numba")

PROGRAM = textwrap.dedent('''
    import numpy as np
    from numba.core import event

    import tangent_lite as tl

    from shapes_of_springs import Spring

    def energy(springs, x):
        total = 0.0
        for k, rest in springs:
            total += 0.5 * k * np.sum((x - rest) ** 2)
        return total

    def logistic(r, x, n):
        for i in range(n):
            x = r * x * (1.0 - x)
        return x

    def held(spring, scale):
        for i in range(spring.rest.shape[0]):
            scale += spring.k * spring.rest[i] ** 2 * LENGTHS[i]
        return scale

    LENGTHS = np.array([1.0, 2.0])
    compiled = event.RecordingListener()
    event.register("numba:compile", compiled)
    x = np.array([0.5, 1.5])
    for _ in range(2):
        print(tl.grad(logistic, wrt=("r", "x"), backend="numba", cache=True)(3.1, 0.3, 7))
        print(tl.value_and_grad(energy, wrt="x", backend="numba", cache=True)(
            [(2.0, x * x), (3.0, x)], x))
        print(tl.grad(held, backend="numba", cache=True)(Spring(2.0, x), 1.0))
    print("compiled", len(compiled.buffer))
''')


# A class of a script is another one in each process; one of a module is found there.
CLASSES = textwrap.dedent('''
    from typing import NamedTuple

    import numpy as np

    class Spring(NamedTuple):
        k: float
        rest: np.ndarray
''')


@pytest.mark.heavy
def test_the_second_process_compiles_nothing(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    (tmp_path / "shapes_of_springs.py").write_text(CLASSES)
    environment = {**os.environ, "TANGENT_LITE_CACHE_DIR": str(tmp_path / "cache"),
                   "PYTHONPATH": os.pathsep.join(sys.path)}
    said = [subprocess.run([sys.executable, str(script)], capture_output=True, text=True,
                           env=environment, check=True).stdout.splitlines() for _ in range(2)]
    assert said[0][:-1] == said[1][:-1]
    assert said[0][-1] != said[1][-1] == "compiled 0"


def test_texts_that_mean_something_else():
    from tangent_lite.backends.numba_disk import digest_of, spelled
    assert digest_of("a", "b") == digest_of("a", "b") != digest_of("a", "c")
    assert spelled(np.sin) != spelled(np.cos)
    assert spelled(subprocess.run) == "subprocess.run"
