"""Factorisations: Cholesky, eigenvalues, singular values, QR; the phases of complex vectors too."""
import numpy as np
import pytest

import tangent_lite as tl
from tests.rules.support import check
from tests.rules.values import hermitian, of_hermitian

rng = np.random.default_rng(31)
START = rng.bit_generator.state
NUMPY_2 = hasattr(np.linalg, "vecdot")


@pytest.fixture(autouse=True)
def same_numbers():
    """Each test draws the same numbers, whatever runs before it."""
    rng.bit_generator.state = START


def draw(*shape):
    return rng.uniform(-1.0, 1.0, shape)


def complex_draw(*shape):
    return draw(*shape) + 1j * draw(*shape)


def dagger(a):
    return np.conj(np.swapaxes(a, -1, -2))


def apart(*shape, dtype=float):
    """Hermitian matrices of different eigenvalues."""
    a = complex_draw(*shape) if dtype is complex else draw(*shape)
    return hermitian(a) + 2.0 * np.diag(np.arange(1.0, shape[-1] + 1))


HERMITIAN = [apart(3, 3), apart(1, 1), apart(2, 3, 3), apart(3, 3, dtype=complex),
             apart(2, 2, 2, dtype=complex), apart(4, 4)[::-1, ::-1], apart(3, 3).astype(np.float32),
             np.zeros((0, 2, 2)), apart(1, 1, dtype=complex)]


@pytest.mark.parametrize("a", HERMITIAN)
def test_cholesky(a):
    a = a @ dagger(a)
    check(np.linalg.cholesky, a, compare=of_hermitian(np.linalg.cholesky))
    if NUMPY_2:
        check(np.linalg.cholesky, a, compare=of_hermitian(np.linalg.cholesky), upper=True)


@pytest.mark.parametrize("a", HERMITIAN)
@pytest.mark.parametrize("half", ["L", "U"])
def test_hermitian_eigenvalues(a, half):
    check(np.linalg.eigvalsh, a, half, compare=of_hermitian(np.linalg.eigvalsh))
    check(np.linalg.eigh, a, UPLO=half, compare=of_hermitian(np.linalg.eigh), rtol=1e-4)
    check(np.linalg.eigh, a, half.lower(), compare=of_hermitian(np.linalg.eigh), rtol=1e-4)


TURNING = draw(3, 3) + 4.0 * np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 0.5]])     # complex pairs


@pytest.mark.parametrize("a", [
    apart(3, 3) + 0.3 * draw(3, 3), TURNING, apart(1, 1), complex_draw(3, 3), TURNING.T,
    apart(2, 2, 2) + 0.3 * draw(2, 2, 2), complex_draw(2, 3, 3), np.diag([1.0, 2.0]) + 0j,
])
def test_eigenvalues(a):
    check(np.linalg.eigvals, a, rtol=1e-4)
    check(np.linalg.eig, a, rtol=1e-4)


RECTANGULAR = [(3, 2), (2, 9), (9, 2), (2, 3), (3, 3), (2, 3, 2), (2, 2, 3), (3, 1), (1, 3), (1, 1)]


@pytest.mark.parametrize("shape", RECTANGULAR)
def test_singular_values(shape):
    for a in (draw(*shape), complex_draw(*shape)):
        check(np.linalg.svd, a, full_matrices=False, rtol=1e-4)
        check(np.linalg.svd, a, compute_uv=False, rtol=1e-4)
        check(np.linalg.svd, a, False, False, rtol=1e-4)
        if shape[-1] == shape[-2]:
            check(np.linalg.svd, a, rtol=1e-4)
        if NUMPY_2:
            check(np.linalg.svdvals, a, rtol=1e-4)


@pytest.mark.parametrize("a", [apart(3, 3), apart(3, 3, dtype=complex)])
def test_singular_values_of_hermitian_matrices(a):
    check(np.linalg.svd, a, hermitian=True, compare=of_hermitian(np.linalg.svd), rtol=1e-4)
    check(np.linalg.svd, a, True, False, True, compare=of_hermitian(np.linalg.svd), rtol=1e-4)


def test_full_factorisations_where_nothing_arbitrary_is_read():
    a = draw(4, 2)
    for f in (lambda x: np.sum(np.linalg.svd(x)[1] ** 3),
              lambda x: np.sum(np.linalg.svd(x)[0][:, :2] ** 3),
              lambda x: np.sum(np.linalg.qr(x, mode="complete")[1] ** 3)):
        tl.check_grads(f, (a,), order=1, modes=("rev",))


@pytest.mark.parametrize("f, instead", [
    (lambda x: np.linalg.svd(x)[0][0, 3], "full_matrices=False"),
    (lambda x: np.linalg.svd(x.T)[2][3, 0], "full_matrices=False"),
    (lambda x: np.linalg.qr(x, mode="complete")[0][0, 3], 'mode="reduced"'),
    (lambda x: np.sum(np.linalg.qr(x, mode="raw")[0]), 'mode="reduced"'),
])
def test_arbitrary_vectors_are_refused(f, instead):
    with pytest.raises(NotImplementedError, match=instead):
        tl.grad(f)(draw(4, 2))


def test_arbitrary_vectors_are_no_numbers_in_forward_mode():
    a = draw(4, 2)
    du, ds, dvh = tl.jvp(np.linalg.svd, (a,), (draw(4, 2),))[1]
    assert np.all(np.isnan(du[:, 2:])) and np.all(np.isfinite(du[:, :2]))
    assert np.all(np.isfinite(ds)) and np.all(np.isfinite(dvh))


def test_arbitrary_phases_are_refused_where_they_matter():
    def low_rank(z):
        u, s, vh = np.linalg.svd(z, full_matrices=False)
        return np.sum(np.abs((u * s) @ vh) ** 2 * np.arange(3.0))

    def of_the_phase(z):
        return np.sum(np.linalg.eigh(z)[1]).imag

    z = np.diag([1.0 + 0j, 2.0, 3.0])
    tl.check_grads(low_rank, (z,), order=1, modes=("rev",))
    for f in (lambda: tl.grad(of_the_phase)(z), lambda: tl.jvp(low_rank, (z,), (1j * z,))):
        with pytest.raises(NotImplementedError, match="phases are arbitrary"):
            f()


@pytest.mark.parametrize("shape", [(3, 2), (3, 3), (2, 3), (2, 3, 2), (2, 2, 4), (1, 1), (3, 1),
                                   (1, 3)])
def test_qr(shape):
    for a in (draw(*shape), complex_draw(*shape)):
        check(np.linalg.qr, a, rtol=1e-4)
        check(np.linalg.qr, a, "reduced", rtol=1e-4)
        check(np.linalg.qr, a, mode="r", rtol=1e-4)
        if shape[-1] >= shape[-2]:
            check(np.linalg.qr, a, mode="complete", rtol=1e-4)


# Through the public interface -------------------------------------------------------------------
def factor(x):
    return np.sum(np.sin(np.linalg.cholesky(x @ x.T + np.eye(3))) * x)


def upper_factor(x):
    z = x + 0.3j * x.T
    return np.sum(np.abs(np.linalg.cholesky(z @ np.conj(z.T), upper=True)) ** 4)


def spectral(x):
    """A function of a symmetric matrix, by its eigenvalues."""
    w, v = np.linalg.eigh(x + x.T)
    return np.sum(((v * np.sin(w)) @ v.T) ** 3)


def eigenvectors(x):
    values, vectors = np.linalg.eigh(x @ x.T)
    return np.sum(vectors ** 3) + np.sum(values ** 2 * vectors)


def named(x):
    found = np.linalg.eigh(x @ x.T)
    return np.sum(found.eigenvalues ** 2) + np.sum(found.eigenvectors ** 3)


def hermitian_vectors(x):
    z = x + x.T + 1j * (np.sin(x) - np.sin(x.T))
    w, v = np.linalg.eigh(z)
    return np.sum((v ** 2).real) + np.sum(np.abs(v) * w)


def only_values(x):
    return np.sum(np.linalg.eigvalsh(x @ x.T) ** 3) + np.sum(np.linalg.eigvalsh(x + x.T, "U"))


def general(x):
    w, v = np.linalg.eig(x + 3.0 * np.diag(np.arange(3.0)))
    return np.sum(np.abs(w) ** 2) + np.sum(np.abs(v) ** 3)


def general_values(x):
    return np.sum(np.abs(np.linalg.eigvals(x)) ** 2) + np.sum(np.linalg.eigvals(x @ x).real ** 2)


def rotating(x):
    """Complex eigenvalues of a real matrix."""
    z = x + np.array([[0.0, 4.0, 0.0], [-4.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    w, v = np.linalg.eig(z)
    return np.sum(w.imag ** 2 * w.real) + np.sum((v ** 2).real)


def singular(x):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return np.sum((u * np.sqrt(s)) @ vh * np.sin(x)) + np.sum(u ** 3) + np.sum(s * vh)


def rectangular(x):
    u, s, vh = np.linalg.svd(x[:, :2], full_matrices=False)
    values = np.linalg.svd(np.sin(x[:2]), compute_uv=False)
    return np.sum(u ** 3) * np.sum(s ** 2) + np.sum(vh ** 3) + np.sum(values ** 3)


def complex_singular(x):
    u, s, vh = np.linalg.svd(x + 1j * np.cos(x))
    return np.sum((u ** 2).real) + np.sum(s ** 2 * np.abs(vh)) + np.sum((vh ** 3).imag)


def orthogonal(x):
    q, r = np.linalg.qr(x)
    return np.sum(q ** 3) + np.sum(r ** 3)


def thin_and_wide(x):
    q, r = np.linalg.qr(np.sin(x[:, :2]))
    p, s = np.linalg.qr(x[:2])
    return np.sum(q ** 3 @ r) + np.sum(p ** 3 @ s ** 2) + np.sum(np.linalg.qr(x, "r") ** 2)


def complex_orthogonal(x):
    q, r = np.linalg.qr(x + 1j * np.sin(x))
    return np.sum((q ** 2).real) + np.sum((r ** 3).imag)


def iterated(x):
    """The QR algorithm, with the factors from a helper."""
    a = x @ x.T
    for _ in range(2):
        q, r = factors(a)
        a = r @ q
    return np.sum(np.diag(a) ** 2)


def factors(a):
    return np.linalg.qr(a)


@pytest.mark.parametrize("f", [
    factor, spectral, eigenvectors, named, hermitian_vectors, only_values, general, general_values,
    rotating, singular, rectangular, complex_singular, orthogonal, thin_and_wide,
    complex_orthogonal, iterated] + [upper_factor] * NUMPY_2, ids=lambda f: f.__name__)
@pytest.mark.sweep(5)
def test_second_order(f):
    x = draw(3, 3) + np.diag([2.0, 3.0, 5.0])
    tl.check_grads(f, (x,), order=2, modes=("fwd", "rev"))


@pytest.mark.parametrize("f", [factor, spectral, only_values, singular, rectangular, orthogonal,
                               thin_and_wide], ids=lambda f: f.__name__)
def test_single_precision_stays(f):
    x = draw(3, 3) + np.diag([2.0, 3.0, 5.0])
    assert tl.grad(f)(x.astype(np.float32)).dtype == np.float32


def test_repeated_values():
    """Vectors of a repeated value have no derivative; functions of the values alone do."""
    x = np.diag([1.0, 1.0, 2.0])
    weights = draw(3, 3)
    with np.errstate(all="ignore"):
        of_values = tl.grad(lambda x: np.sum(np.linalg.eigh(x)[0] ** 2))(x)
        of_vectors = tl.grad(lambda x: np.sum(np.linalg.eigh(x)[1] * weights))(x)
    assert np.allclose(of_values, 2.0 * x) and not np.all(np.isfinite(of_vectors))
