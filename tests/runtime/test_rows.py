"""Rows that are added to: against np.add.at, with SciPy and without."""

import numpy as np
import pytest

import tangent_lite as tl
from tangent_lite.runtime import add_at
from tangent_lite.runtime import rows as runtime_rows

SHAPES = [((50, 7), (6000,)), ((50, 7), (200, 30)), ((50, 3, 4), (40, 100)), ((50, 3), (4,)),
          ((1, 3), (20_000,)), ((300, 3), (20_000,)), ((50, 0), (4,)), ((5, 3), ()),
          ((50_000, 2), (20_000,)), ((90_000, 2), (20_000,))]


@pytest.mark.parametrize("lacking", [[], ["scipy"]])
@pytest.mark.parametrize("dtype", [float, np.float32, np.float16, complex])
@pytest.mark.parametrize("shape, index_shape", SHAPES)
def test_rows_are_added_up(monkeypatch, shape, index_shape, dtype, lacking):
    monkeypatch.setattr(runtime_rows, "LACKING", lacking)
    rng = np.random.default_rng(0)
    for whole in (np.int64, np.int32, np.int8, np.uint8):
        lowest = 0 if whole is np.uint8 else -shape[0]
        index = rng.integers(max(lowest, -100), min(shape[0], 100), index_shape).astype(whole)
        dy = rng.integers(-4, 5, size=index_shape + shape[1:]).astype(dtype) * dtype(0.5)
        found = rng.integers(0, 3, size=shape).astype(dtype)
        wanted = found.copy()
        add_at(found, index, dy)
        np.add.at(wanted, index, dy)
        assert found.dtype == dtype and np.array_equal(found, wanted)


@pytest.mark.parametrize("dtype", [np.float32, float])
def test_what_is_not_finite_stays_in_its_row(dtype):
    rows = np.arange(40_000) % 100
    dy = np.ones((40_000, 2), dtype)
    dy[3, 0], dy[5, 1] = np.inf, np.nan
    found = np.zeros((100, 2), dtype)
    add_at(found, rows, dy)
    assert np.isinf(found[3, 0]) and np.isnan(found[5, 1])
    assert np.isfinite(found).sum() == 198


def test_a_library_that_is_not_there_is_looked_for_once(monkeypatch):
    import builtins
    importing, asked = builtins.__import__, []

    def without_scipy(name, *rest, **more):
        if name.startswith("scipy"):
            asked.append(name)
            raise ImportError(name)
        return importing(name, *rest, **more)

    monkeypatch.setattr(runtime_rows, "LACKING", [])
    monkeypatch.setattr(builtins, "__import__", without_scipy)
    for _ in range(2):
        found = np.zeros((10, 4))
        add_at(found, np.arange(10_000) % 10, np.ones((10_000, 4)))
        assert np.array_equal(found, np.full((10, 4), 1000.0))
    assert asked == ["scipy.sparse"]


def embedding_loss(table, tokens, targets):
    e = table[tokens]
    return np.sum((e * e - targets) ** 2)


def test_an_embedding_of_batches_of_tokens(tmp_path):
    rng = np.random.default_rng(1)
    table, tokens = rng.normal(size=(30, 8)), rng.integers(0, 30, (64, 80))
    targets = rng.normal(size=(64, 80, 8))
    e = table[tokens]
    wanted = np.zeros_like(table)
    np.add.at(wanted, tokens, 4.0 * e * (e * e - targets))
    derivative = tl.grad(embedding_loss)
    assert np.allclose(derivative(table, tokens, targets), wanted, rtol=1e-12)
    derivative.save(tmp_path / "saved.py")
    space: dict = {}
    exec((tmp_path / "saved.py").read_text(), space)
    assert np.allclose(space["embedding_loss_grad"](table, tokens, targets), wanted, rtol=1e-12)
