"""The wheel holds every module once and works in a fresh environment; so does a bare checkout."""

import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What a wheel or a checkout is made of: no environments, caches or left-over build folders, which
# setuptools would pack into the wheel.
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "build", "dist", "*.egg-info", "__pycache__",
                                  ".*_cache", ".hypothesis")


def run(*command: object, cwd: Path) -> None:
    print("$", *command, flush=True)
    subprocess.run([str(part) for part in command], cwd=cwd, check=True)


def expected(checkout: Path) -> set[str]:
    """The files that the wheel must hold: all modules of both trees, and the typing marker."""
    own = {path for path in (checkout / "tangent_lite").rglob("*.py")
           if not path.is_relative_to(checkout / "tangent_lite" / "rules")}
    names = {path.relative_to(checkout).as_posix() for path in own}
    rules = {f"tangent_lite/{path.relative_to(checkout).as_posix()}"
             for path in (checkout / "rules").rglob("*.py")}
    return names | rules | {"tangent_lite/py.typed"}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        checkout = tmp / "checkout"
        shutil.copytree(ROOT, checkout, symlinks=True, ignore=LEFT_OUT)

        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp / "dist",
            checkout, cwd=tmp)
        (wheel,) = (tmp / "dist").glob("*.whl")
        held = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
        assert len(held) == len(set(held)), "a file is in the wheel twice"
        want = expected(checkout)
        assert set(held) == want, (
            f"missing (see `packages` in pyproject.toml): {sorted(want - set(held))}; "
            f"not wanted: {sorted(set(held) - want)}")

        venv.create(tmp / "venv", with_pip=True)
        python = tmp / "venv" / "bin" / "python"
        elsewhere = tmp / "elsewhere"
        elsewhere.mkdir()
        smoke = shutil.copy(ROOT / ".ci" / "smoke.py", elsewhere)
        run(python, "-m", "pip", "install", "--quiet", wheel, cwd=elsewhere)
        run(python, smoke, cwd=elsewhere)
        run(tmp / "venv" / "bin" / "tangent_lite", "--help", cwd=elsewhere)

        # The dependencies stay, the package goes: what is left to import is the checkout.
        run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "tangent-lite", cwd=elsewhere)
        shutil.rmtree(checkout / "build", ignore_errors=True)
        shutil.copy(smoke, checkout / "smoke.py")
        run(python, "smoke.py", cwd=checkout)
    print("the wheel and the bare checkout work")


if __name__ == "__main__":
    main()
