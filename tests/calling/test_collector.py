"""The garbage collector rests while a derivative is written, and has little to do afterwards."""
import gc
import threading

import fresh
import pytest

from tangent_lite.calling import collector
from tangent_lite.calling.collector import resting


@pytest.fixture(autouse=True)
def collecting():
    """The collector is on, whatever a test leaves behind."""
    gc.collect()
    gc.unfreeze()
    gc.enable()
    yield
    gc.unfreeze()
    gc.enable()


def runs_while(call):
    """How often the collector ran, until some objects more were made."""
    found = []

    def note(phase, info):
        found.append(info["generation"])

    gc.callbacks.append(note)
    try:
        call()
        assert len([[] for _ in range(10)]) == 10
    finally:
        gc.callbacks.remove(note)
    return len(found)


def make(kept, count):
    with resting():
        kept += [[] for _ in range(count)]
        assert not gc.isenabled()
    assert gc.isenabled()


def test_many_objects_are_not_gone_through():
    kept = []
    assert runs_while(lambda: make(kept, collector.MANY + 1000)) == 0
    assert any(one is kept[0] for one in gc.get_objects(generation=2))
    assert gc.get_freeze_count() == 0


def test_few_objects_are_left_to_it():
    kept = []
    assert runs_while(lambda: make(kept, 2000)) > 0


def test_what_the_user_froze_stays_frozen():
    gc.freeze()
    before = gc.get_freeze_count()
    assert before
    make([], collector.MANY + 1000)
    assert gc.get_freeze_count() >= before


def test_one_that_was_off_stays_off():
    gc.disable()
    with resting():
        pass
    assert not gc.isenabled()


def test_rest_within_rest_and_exceptions():
    with pytest.raises(ZeroDivisionError), resting():
        with resting():
            pass
        assert not gc.isenabled()
        1 / 0
    assert gc.isenabled()


def test_it_rests_until_the_last_thread_is_done():
    first, second, seen = threading.Event(), threading.Event(), []

    def one():
        with resting():
            first.set()
            second.wait(10)
        seen.append(gc.isenabled())

    thread = threading.Thread(target=one)
    thread.start()
    first.wait(10)
    with resting():
        second.set()
        thread.join()
        assert seen == [False] and not gc.isenabled()
    assert gc.isenabled()
    gc.disable()
    with resting(), resting():
        pass
    assert not gc.isenabled()


def test_it_rests_while_what_writes_derivatives_is_loaded(tmp_path):
    (tmp_path / "square.py").write_text("def f(x):\n    return x * x\n")
    found = fresh.run("""
        import gc
        import square
        import tangent_lite as tl
        runs = []
        gc.callbacks.append(lambda phase, info: runs.append(phase))
        slope = tl.grad(square.f)(3.0)
        print(slope, len(runs) < 20, gc.isenabled())    # 200 without rest
    """, tmp_path)
    assert found.split() == ["6.0", "True", "True"]
