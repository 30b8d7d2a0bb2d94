"""Arguments of functions with rules: of all sorts, drawn, widened; and products of such trees."""
import numpy as np


def varies(value):
    if isinstance(value, (list, tuple)):
        return any(map(varies, value))
    return isinstance(value, (float, complex, np.ndarray, np.generic)) and \
        np.asarray(value).dtype.kind in "fc"


def is_single(value):
    return not isinstance(value, tuple) and np.asarray(value).dtype in (np.float32, np.complex64)


def widened(value):
    dtype = complex if np.iscomplexobj(value) else float
    return np.asarray(value, dtype) if isinstance(value, (np.ndarray, np.generic)) else \
        dtype(value)


def like_layout(value, model):
    """value in the memory order of model: that of reshape(order="A") depends on it."""
    if not isinstance(model, np.ndarray):
        return value
    made = np.empty_like(model, dtype=value.dtype)
    made[...] = value
    return made


def noise(rng, value):
    shape = np.shape(value)
    made = rng.standard_normal(shape)
    if np.iscomplexobj(value):
        made = made + 1j * rng.standard_normal(shape)
    if isinstance(value, np.ndarray):
        return np.asarray(made, dtype=value.dtype)
    if isinstance(value, np.generic):
        return value.dtype.type(made)
    return complex(made) if np.iscomplexobj(value) else float(made)


def noise_tree(rng, value):
    if isinstance(value, (tuple, list)):
        return tuple(noise_tree(rng, v) for v in value)
    if np.asarray(value).dtype.kind not in "fc":
        return np.zeros(np.shape(value))
    return noise(rng, value)


def tree_map(f, value):
    return tuple(tree_map(f, v) for v in value) if isinstance(value, (tuple, list)) else f(value)


def tree_combine(f, *values):
    if isinstance(values[0], (tuple, list)):
        return tuple(tree_combine(f, *parts) for parts in zip(*values))
    return f(*map(np.asarray, values))


def paired(b, d):
    return np.real(np.sum(np.asarray(b, dtype=complex) * d))


def products(pairs):
    """The real parts of the products of pairs of arrays, in a row."""
    rows = [np.real(np.asarray(b, dtype=complex) * d).ravel() for b, d in pairs]
    return np.concatenate([*rows, np.zeros(0)])


def pairs_of(b, d):
    """The pairs of parts of two results; None stands for a derivative of zero."""
    if d is None:
        return []
    if isinstance(b, tuple):
        return [pair for x, y in zip(b, d) for pair in pairs_of(x, y)]
    return [(b, d)]


def parts_of(value):
    return [part for v in value for part in parts_of(v)] if isinstance(value, (tuple, list)) \
        else [value]


def paired_tree(b, d):
    if isinstance(b, tuple):
        return sum(paired_tree(x, y) for x, y in zip(b, d))
    return paired(b, d)


def hermitian(a):
    """The Hermitian part of matrices."""
    return 0.5 * (a + np.conj(np.swapaxes(a, -1, -2)))


def of_hermitian(function, count=1, **fixed):
    """The function of the Hermitian parts of its first arguments, to be compared with one that
    reads a triangle of each: its derivative is one along Hermitian directions."""
    def of_parts(*args, **options):
        return function(*map(hermitian, args[:count]), *args[count:], **{**options, **fixed})

    of_parts.hermitian_arguments = count
    return of_parts


# Variants of arguments ------------------------------------------------------------------------
def variants(low=-1.5, high=1.5, complex_too=False):
    """Numbers and arrays of all sorts, with values between low and high."""
    rng = np.random.default_rng(7)

    def draw(*shape):
        return rng.uniform(low, high, shape)

    yield float(draw())
    yield np.float64(draw())
    yield np.array(draw())
    yield draw(3)
    yield draw(1)
    yield draw(0)
    yield draw(2, 3)
    yield np.asfortranarray(draw(2, 3))
    yield draw(6)[::2]
    yield draw(4)[::-1]
    yield draw(2, 3).T
    yield draw(2, 0)
    yield draw(3).astype(np.float32)
    yield np.float32(draw())
    if complex_too:
        yield draw(3) + 1j * draw(3)
        yield complex(draw(), draw())
        yield (draw(2) + 1j * draw(2)).astype(np.complex64)


SHAPES = [((), ()), ((3,), (3,)), ((2, 3), (3,)), ((3,), ()), ((), (2, 3)), ((2, 1), (1, 3)),
          ((1,), (3,)), ((0,), (1,)), ((2, 3), (2, 3)), ((1, 1), (2,)), ((2, 1, 3), (4, 1))]


def pairs(low=-1.5, high=1.5, low_2=None, high_2=None, complex_too=False):
    """Pairs of numbers and arrays that broadcast."""
    rng = np.random.default_rng(11)
    low_2, high_2 = (low if low_2 is None else low_2), (high if high_2 is None else high_2)
    for a, b in SHAPES:
        yield rng.uniform(low, high, a), rng.uniform(low_2, high_2, b)
    yield float(rng.uniform(low, high)), float(rng.uniform(low_2, high_2))
    yield float(rng.uniform(low, high)), rng.uniform(low_2, high_2, 3)
    yield rng.uniform(low, high, 6)[::-2], rng.uniform(low_2, high_2, (2, 3))[:, ::-1]
    yield rng.uniform(low, high, 3).astype(np.float32), \
        rng.uniform(low_2, high_2, (2, 3)).astype(np.float32)
    yield rng.uniform(low, high, 3).astype(np.float32), float(rng.uniform(low_2, high_2))
    if complex_too:
        yield rng.uniform(low, high, 3) + 1j * rng.uniform(low, high, 3), \
            rng.uniform(low_2, high_2, (2, 3)) + 1j * rng.uniform(low_2, high_2, (2, 3))
        yield rng.uniform(low, high, 3) + 1j * rng.uniform(low, high, 3), \
            rng.uniform(low_2, high_2, 3)
