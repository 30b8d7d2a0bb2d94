"""Arrays that change hands: `u = new` in a loop, buffers that are swapped, data written into."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.changing_hands_programs import Drawing, K, X, Y, by_complex_steps
from tests.heap.forced import by_names
from tests.source_modules import loader


def heat(u, k, steps):
    for _ in range(steps):
        new = u.copy()
        new[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = new
    return np.sum(u ** 2)


def wave(u, k, steps):
    before = u
    u = u.copy()
    for _ in range(steps):
        after = np.zeros_like(u)
        after[1:-1] = 2 * u[1:-1] - before[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
        after[0] = after[1]
        before, u = u, after
    return np.sum(u ** 2)


def kept_as_well(u, k, steps):
    kept = u
    for i in range(steps):
        new = u * k
        new[0] = u[1]
        u = new
        if i == 1:
            kept = u                        # from here on one array has two names
        u[2] = np.sum(kept) * 0.1
    return np.sum(u * kept)


def a_list_holds_it(u, k, steps):
    seen = []
    for _ in range(steps):
        new = u * 0.9
        new[0] += k
        seen.append(new)
        u = new
    return np.sum(np.array(seen) ** 2) if steps else np.sum(u)


def a_helper_makes_it(u, k, steps):
    for _ in range(steps):
        u = stepped(u, k)
    return np.sum(u ** 2)


def stepped(u, k):
    new = u.copy()
    new[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return new


def numbers_behind(u, k, steps):
    total = 0.0
    for _ in range(steps):
        new = np.empty_like(u)
        for i in range(len(u)):
            new[i] = u[i] * u[i - 1] + k
        total += new[0] * u[2]
        u = new
    return total + np.sum(u)


def what_is_written_is_what_was_there(u, k, steps):
    u = u * k
    for i in range(steps):
        for j in range(2):
            u[j] = u[j] * 1.0
        u[0] = u[0]
    return np.sum(u * u)


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
@pytest.mark.parametrize("f", [heat, wave, kept_as_well, a_list_holds_it, a_helper_makes_it,
                               numbers_behind, what_is_written_is_what_was_there])
def test_arrays_that_change_hands(f, steps):
    u, k = np.linspace(0.2, 1.0, 5) ** 2, 0.3
    u.flags.writeable = False
    value, slopes = tl.value_and_grad(f, wrt=("u", "k"))(u, k, steps)
    assert value == f(u.copy(), k, steps)
    tl.check_grads(f, (u.copy(), k, steps), order=2)
    single = tl.grad(f)(u.astype(np.float32), np.float32(k), steps)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, slopes[0], rtol=1e-4, atol=1e-5)


def test_loops_with_nothing_left_to_do_are_left_out():
    text = tl.grad(what_is_written_is_what_was_there).source_for(np.linspace(0.2, 1.0, 5), 0.3, 4)
    assert "for" not in text[text.index("# Backward pass"):]


@pytest.mark.parametrize("f", [heat, wave])
def test_one_array_a_step_is_recorded(f):
    u = np.linspace(0.2, 1.0, 5)
    text = tl.grad(f, wrt=("u", "k")).source_for(u, 0.3, 4)
    tapes = {line.split()[0] for line in text.splitlines() if line.strip().endswith("= []")}
    assert tapes == {"t_tape"} and "t_tape.append(t)\n" in text


def test_a_step_as_by_hand():
    text = tl.grad(heat, wrt=("u", "k")).source_for(np.linspace(0.2, 1.0, 5), 0.3, 4)
    loop = text[text.index("    for t in reversed(t_tape):"):]
    assert loop == '''\
    for t in reversed(t_tape):
        # new[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
        bnew_part = bu[1:-1]
        bk += bnew_part @ t
        bt = bnew_part * k
        bu[:-2] += bt
        bu[1:-1] -= 2.0 * bt
        bu[2:] += bt
    return bu, bk
'''


def data_that_changes_places(x, a, b, n):
    u, v = a.copy(), b.copy()
    s = 0.0
    for i in range(n):
        s += np.sum(x * x * u * v)
        for j in range(2):
            v[j] = 0.5 + i
        u, v = v, u
    return s


def data_written_through_a_view(x, a, b, n):
    u, v = a.copy(), b.copy()
    s = 0.0
    for i in range(n):
        s += np.sum(x * x * u * v)
        part = v[1:]
        for j in range(2):
            part[j] = 0.5 + i
        u, v = v, u
    return s


def data_made_inside(x, a, b, n):
    u = a
    s = 0.0
    for i in range(n):
        s += np.sum(x * x * u)
        if i % 2 == 0:
            t = u.copy()
            for j in range(2):
                t[j] = 0.5 * i
            u = t
    return s


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("f", [data_that_changes_places, data_written_through_a_view,
                               data_made_inside])
def test_data_that_loops_write_into(f, n):
    """Silently wrong once: the contents of the other array were kept and put back."""
    x, a, b = np.array([0.3, 0.4, 0.7]), np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.6, 0.9])
    a.flags.writeable = b.flags.writeable = False
    step = 1e-20
    wanted = [f(x + 1j * step * d, a, b, n).imag / step if n else 0.0 for d in np.eye(3)]
    with by_names():
        np.testing.assert_allclose(tl.grad(f)(x, a, b, n), wanted, rtol=1e-12)


@pytest.mark.sweep(100)
@pytest.mark.parametrize("seed", range(1000))
def test_drawn_programs(seed, tmp_path):
    f = loader(tmp_path)(Drawing(seed).text()).f
    x, y = X.copy(), Y.copy()
    x.flags.writeable = y.flags.writeable = False
    for n in (3, 0, 1):
        wanted = by_complex_steps(f, n)
        if wanted is None:
            continue
        value, found = tl.value_and_grad(f, wrt=("x", "y", "k"))(x, y, K, n)
        assert value == f(X.copy(), Y.copy(), K, n)
        for one, other in zip(found, wanted):
            np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(tl.grad(f)(x, y, K, n), wanted[0], rtol=1e-8, atol=1e-9)
        along = np.array([0.3, -0.1, 0.4, 0.2])
        tangent = tl.jvp(lambda x: f(x, y, K, n), (x,), (along,))[1]
        np.testing.assert_allclose(tangent, wanted[0] @ along, rtol=1e-8, atol=1e-9)
