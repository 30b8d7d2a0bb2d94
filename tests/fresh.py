"""Fresh interpreters: what holds in a new process, with tangent_lite or without."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

WITHOUT_US = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("tangent_lite", "gast", "astunparse"):
            raise ImportError("a saved derivative imported " + name)
sys.meta_path.insert(0, Refuse())
"""


def run(code, folder, with_us=True):
    """What a new interpreter in the folder prints; AssertionError if it fails."""
    code = ("" if with_us else WITHOUT_US) + textwrap.dedent(code)
    done = start("-c", code, folder=folder, with_us=with_us)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def start(*arguments, folder, with_us=True):
    """A finished process: python ARGUMENTS in the folder, which is on its path."""
    paths = [str(folder), *([str(ROOT)] if with_us else [])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run([sys.executable, *map(str, arguments)], cwd=folder, env=env,
                          capture_output=True, text=True, timeout=300, check=False)
