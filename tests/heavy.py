"""The tests that take long, of which every eighth runs each time.

    python -m pytest -n 2 --dist loadfile --junitxml=report.xml
    python -m tests.heavy report.xml [--seconds 0.2]

writes their names into tests/heavy.txt. The report says how long each test has computed
(`conftest`), so it may come from a machine that does other things meanwhile; a test that it does
not have stays as it is. What they have in common is what they wait for: most compile something,
differentiate long programs, or begin another interpreter.

Of each file, and of each test with several cases, the quickest case runs each time at least.
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


def seconds_of(case):
    """How long a test case of a report has computed, or taken, where that is not said."""
    computed = case.find("properties/property[@name='computed']")
    return float(case.get("time") if computed is None else computed.get("value"))


def chosen(found, known, seconds):
    """The names of the heavy tests; found: how long tests take, by name; known: those that were
    heavy, of which a report of what runs each time has few."""
    heavy = {name for name in known if name not in found}
    heavy |= {name for name, time in found.items() if time >= seconds and name.isprintable()}
    _keep_the_quickest(heavy, found, [n for n in found if "[" in n], lambda n: n.partition("[")[0])
    _keep_the_quickest(heavy, found, {*found, *heavy}, lambda n: n.partition("::")[0])
    return heavy


def _keep_the_quickest(heavy, found, names, group_of):
    """Take the quickest test off the list, of each group of which none would run."""
    quickest, run = {}, set()
    for name in sorted(names, key=lambda name: (found.get(name, float("inf")), name)):
        quickest.setdefault(group_of(name), name)
        if not is_left_out(name, heavy):
            run.add(group_of(name))
    heavy.difference_update(name for group, name in quickest.items() if group not in run)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path)
    parser.add_argument("--seconds", type=float, default=0.2)
    options = parser.parse_args()
    cases = list(xml.etree.ElementTree.parse(options.report).iter("testcase"))
    found = {name_of(case): seconds_of(case) for case in cases}
    heavy = chosen(found, listed(), options.seconds)
    LIST.write_text("".join(f"{name}\n" for name in sorted(heavy)))
    left = sum(seconds for name, seconds in found.items() if not is_left_out(name, heavy))
    print(f"{len(heavy)} tests are heavy; {sum(found.values()):.0f} s are in the report, "
          f"{left:.0f} s of them each time")


if __name__ == "__main__":
    main()
