"""Objects on their way into compiled code and gradients that are objects."""
import collections
import copy
import dataclasses

import numpy as np
import pytest

import tangent_lite as tl
from tests.backends.comparing import same

pytest.importorskip("numba")

from tangent_lite.runtime.tangents import attributes  # noqa: E402
from tangent_lite.variant.numba import NumbaVariant  # noqa: E402


@dataclasses.dataclass
class Spring:
    k: float
    name: str
    w: np.ndarray


@dataclasses.dataclass(frozen=True, slots=True)
class Fixed:
    k: float
    w: np.ndarray


class Plain:
    """No dataclass; making one is noticed."""
    made = 0

    def __init__(self, k, w):
        type(self).made += 1
        self.k, self.w = k, w


Named = collections.namedtuple("Named", "k w")


def energy(p, x):
    total = 0.0
    for i in range(x.shape[0]):
        total += p.k * x[i] * p.w[i % 2] + x[i] * x[i]
    return total


def energy_of_several(ps, x):
    total = 0.0
    for p in ps["all"]:
        total += p.k * x[0] * np.sum(p.w)
    return total + ps["one"].k * x[1]


W, X = np.array([1.0, 2.0]), np.array([0.5, -1.0, 2.0])


@pytest.fixture
def slow_calls(monkeypatch):
    """The calls that go the way of the first call."""
    found, run = [], NumbaVariant.run

    def noting(self, values):
        found.append(values)
        return run(self, values)
    monkeypatch.setattr(NumbaVariant, "run", noting)
    return found


def agree(function, args, slow_calls, **options):
    compiled, plain = (tl.value_and_grad(function, backend=b, **options)
                       for b in ("numba", "python"))
    given = copy.deepcopy(args)
    expected = plain(*args)
    for _ in range(3):
        assert same(expected, compiled(*args))
    assert same(given, args)
    assert len(slow_calls) == 1                     # the first
    del slow_calls[:]
    return compiled, plain


@pytest.mark.parametrize("p", [Spring(2.0, "left", W), Fixed(2.0, W), Named(2.0, W)],
                         ids=lambda p: type(p).__name__)
def test_gradients_of_objects(p, slow_calls):
    agree(energy, (p, X), slow_calls, wrt=(0, 1))


def test_no_code_of_a_class_is_run(slow_calls):
    p = Plain(2.0, W)
    before = Plain.made
    compiled, _ = agree(energy, (p, X), slow_calls)
    found = compiled(p, X)[1]
    assert type(found) is Plain and list(vars(found)) == ["k", "w"]
    assert found.w is not compiled(p, X)[1].w and Plain.made == before


def test_objects_in_lists_and_dicts(slow_calls):
    ps = {"all": [Fixed(1.0, W), Fixed(3.0, 2.0 * W)], "one": Spring(2.0, "left", W)}
    agree(energy_of_several, (ps, X), slow_calls, wrt=(0, 1))


def test_one_attribute(slow_calls):
    agree(energy, (Spring(2.0, "left", W), X), slow_calls, wrt="p.w")
    agree(energy, (Fixed(2.0, W), X), slow_calls, wrt=("p.k", "x"))


def test_an_object_that_is_another_one_in_the_next_call():
    compiled, plain = (tl.grad(energy, backend=b) for b in ("numba", "python"))
    more = Plain(2.0, W)
    more.other = 1.0
    for p in (Plain(2.0, W), Plain(3.0, W), Plain(2.0, W[::-1]), Plain(np.float64(2.0), W), more,
              Plain(2.0, np.array([1, 2])), Fixed(2.0, W), Plain(2, W)):
        for _ in range(2):
            try:
                expected = plain(p, X)
            except Exception as error:
                with pytest.raises(type(error)):
                    compiled(p, X)
            else:
                found = compiled(p, X)
                assert type(found) is type(p) and same(attributes(expected), attributes(found))
