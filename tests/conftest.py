"""Options and settings of the whole test run."""

import gc
import os
import time

import pytest

from tests import heavy

# Helpers that assert, as the tests themselves do: a failure shows both sides.
pytest.register_assert_rewrite("tests.api.functions", "tests.backends.containers",
                               "tests.backends.loops_in_python", "tests.closeness",
                               "tests.entry.classes", "tests.passes.pairs")

BEGUN = pytest.StashKey()

try:
    import hypothesis
except ImportError:  # the tests that need it say so themselves
    pass
else:
    # A first call transforms a function, which says nothing about the next: no deadlines.
    hypothesis.settings.register_profile("default", deadline=None)
    # In CI a change is judged by its own cases, the same ones at each run.
    hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
    hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    item.stash[BEGUN] = _computed()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    """A report says how long a test has computed, which does not depend on who else computes."""
    result = yield
    item.user_properties.append(("computed", f"{_computed() - item.stash[BEGUN]:.3f}"))
    return result


def _computed():
    """Seconds that this process has computed, and those that it began and that ended."""
    return time.process_time() + sum(os.times()[2:4])


@pytest.fixture(scope="module", autouse=True)
def _left_alone():
    """Derivatives stay as long as their functions, here until the end: some millions of objects,
    which the collector need not go through again for each file."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser):
    parser.addoption("--slow-sample", type=int, default=0, metavar="N",
                     help="with -m slow or -m heavy: run N of the tests, spread evenly over all")


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around what -m and -k choose
def pytest_collection_modifyitems(config, items):
    _mark_sweeps(items)
    _mark_heavy(items)
    yield
    _take_sample(config, items)


# Folders in which all tests with several cases are sweeps: Numba compiles for seconds.
SWEPT = {"backends": 4}


def _mark_sweeps(items):
    """Of the cases of a sweep every n-th runs each time; the others are slow."""
    count = {}
    for item in items:
        sweep = item.get_closest_marker("sweep")
        step = sweep.args[0] if sweep is not None else SWEPT.get(item.path.parent.name, 1)
        if step == 1:
            continue
        number = count[item.function] = count.get(item.function, -1) + 1
        if number % step:
            item.add_marker("slow")


def _mark_heavy(items):
    """Of the tests that take long every few run each time (see heavy.py)."""
    names = set(heavy.listed())
    for item in items:
        if heavy.is_left_out(item.nodeid, names):
            item.add_marker("heavy")


def _take_sample(config, items):
    wanted = config.getoption("--slow-sample")
    if not 0 < wanted < len(items):
        return
    chosen = [items[i * len(items) // wanted] for i in range(wanted)]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def pytest_sessionfinish(session, exitstatus):
    # A sample of no slow tests at all is no failure.
    none = exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
    if none and session.config.getoption("--slow-sample"):
        session.exitstatus = pytest.ExitCode.OK
