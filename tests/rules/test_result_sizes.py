"""What kind functions say of the sizes of a result is what NumPy and SciPy return, in all cases of
the tests of rules."""
import numpy as np
import pytest

from tangent_lite import kinds, registry
from tangent_lite.calling.parameter_kinds import with_shape
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.shapes.sized_kinds import sized
from tangent_lite.shapes.sizes import Sizes
from tests.rules.cases import collected

MANY = 0.5              # of the arrays that are results, those of which the sizes are known


def kind_of(value, text, assumed):
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return kinds.TupleKind(tuple(kind_of(v, f"{text}[{k}]", assumed)
                                     for k, v in enumerate(value)))
    if type(value) in (bool, int, float, complex, str, type(None)):
        return kinds.literal(value)
    return sized(with_shape(kinds.kind_of(value)), value, text, assumed)


def shapes(kind, value):
    """What is known of the shapes in a value, and what they are."""
    if isinstance(kind, kinds.TupleKind) and isinstance(value, tuple):
        assert len(kind.items) == len(value)
        return [pair for k, v in zip(kind.items, value) for pair in shapes(k, v)]
    if isinstance(kind, kinds.Array) and isinstance(kind.shape, Sizes):
        assert kind.ndim == len(kind.shape.axes)
        return [(tuple(size.value for size in kind.shape.axes), np.shape(value))]
    return []


@pytest.fixture(scope="module")
def found():
    registry.load_rules()
    out = []
    for case in collected():
        assumed, typer = Assumptions(), Typer({}, lambda name: NO_OBJECT)
        args = [kind_of(a, f"x{k}", assumed) for k, a in enumerate(case.args)]
        options = {name: kind_of(a, name, assumed) for name, a in case.options.items()}
        out.append((case, shapes(typer._apply(case.fun, args, options), case.y)))
    return out


def test_sizes_are_those_of_the_result(found):
    wrong = [f"{case.fun.__name__}{tuple(map(np.shape, case.args))} {case.options}: {known}, {is_}"
             for case, pairs in found for known, is_ in pairs if known != is_]
    assert not wrong, "\n".join(wrong)


def arrays_in(value):
    return sum(map(arrays_in, value)) if isinstance(value, tuple) \
        else isinstance(value, np.ndarray)


def test_much_is_known(found):
    """As a share: how many cases are collected depends on which tests run each time."""
    known, all_of_them = (sum(parts) for parts in zip(
        *((len(pairs), arrays_in(case.y)) for case, pairs in found)))
    assert all_of_them > 5000
    assert known / all_of_them > MANY


@pytest.mark.parametrize("make", [np.zeros_like, np.ones_like])
def test_likeness_of_another_shape(make):
    import tangent_lite as tl

    def added(x):
        z = make(x, shape=(2, 3)) + x
        return np.sum(z * z)

    def by_position(x):
        z = make(x, None, "K", True, (2, 3)) + x
        return np.sum(z * z)

    for f in (added, by_position):
        for x in (np.arange(3.0), np.ones(1), np.ones((2, 1))):
            tl.check_grads(f, (x,), modes=("rev", "fwd"))
