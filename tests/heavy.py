"""The tests that take over half a second, of which every eighth runs each time.

    python -m pytest -m "not slow and not pages" --junitxml=report.xml
    python -m tests.heavy report.xml [--seconds 0.5]

writes their names into tests/heavy.txt, from a report of all of them on a machine that does nothing
else. What they have in common is what they wait for: most compile something, differentiate long
programs, or begin another interpreter.
"""
import argparse
import xml.etree.ElementTree
import zlib
from pathlib import Path

HERE = Path(__file__).parent
LIST = HERE / "heavy.txt"
EVERY = 8


def listed():
    """The names of the heavy tests, as pytest names them."""
    return LIST.read_text().splitlines()


def is_left_out(name, heavy):
    """Whether a test is heavy, and not one of those that run each time: whichever others are
    asked for, it is the same ones."""
    return name in heavy and zlib.crc32(name.encode()) % EVERY != 0


def name_of(case):
    """The name that pytest has for a test case of a report."""
    parts = case.get("classname").split(".")
    length = next(k for k in range(len(parts), 0, -1)
                  if (HERE.parent / Path(*parts[:k])).with_suffix(".py").is_file())
    return "::".join([f"{'/'.join(parts[:length])}.py", *parts[length:], case.get("name")])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path)
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    cases = list(xml.etree.ElementTree.parse(options.report).iter("testcase"))
    found = {name_of(case): float(case.get("time")) for case in cases}
    heavy = {name: seconds for name, seconds in found.items()
             if seconds >= options.seconds and name.isprintable()}
    LIST.write_text("".join(f"{name}\n" for name in sorted(heavy)))
    left = sum(found.values()) - sum(seconds for name, seconds in heavy.items()
                                     if is_left_out(name, heavy))
    print(f"{len(heavy)} of {len(found)} tests are heavy; {sum(found.values()):.0f} s in all, "
          f"{left:.0f} s each time")


if __name__ == "__main__":
    main()
