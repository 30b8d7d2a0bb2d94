"""python -m tests.nodes [--write]: the table against what tangent_lite does today."""
import sys
import tempfile
from pathlib import Path

from tests.nodes.table import PAGE, WANTED, outcome, page, programs, verdict


def main():
    rows, wanted = [], []
    with tempfile.TemporaryDirectory() as folder:
        for program in programs().values():
            result = outcome(verdict(program, Path(folder)))
            rows.append((program, result))
            if program.must == "right" and result != "gradient":
                wanted.append(program.name)
                print(f"{program.name}: {result}")
    text = page(rows)
    if "--write" in sys.argv:
        if sys.version_info < (3, 12):
            raise SystemExit("the page has syntax of Python 3.12: write it with that or later")
        PAGE.write_text(text, encoding="utf-8")
        WANTED.write_text("".join(f"{name}\n" for name in sorted(wanted)), encoding="utf-8")
    print(f"{len(rows)} programs, {len(wanted)} of them wanted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
