"""Methods of objects that have an adjoint are written out where they are called, and objects that
hold lists are taken apart; what they are made of may change its name, and what calls itself stays a
function."""
import dataclasses

import numpy as np
import pytest

import tangent_lite as tl

R = np.random.default_rng(0)
X = R.normal(size=(4, 3))


class Dense:
    """A layer that is called, as most people write it."""

    def __init__(self, W, b, act="tanh"):
        self.W, self.b, self.act = W, b, act

    def __call__(self, x):
        z = x @ self.W + self.b
        if self.act == "tanh":
            return np.tanh(z)
        return z


class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def loss(self, x):
        return np.sum(self(x) ** 2)


def dense(count, act="tanh"):
    return [Dense(R.normal(size=(3, 3)), R.normal(size=3), act) for _ in range(count)]


def of_the_net(net, x):
    return np.sum(net(x) ** 2)


def by_its_method(net, x):
    return net.loss(x)


def from_parameters(params, x):
    return Net([Dense(W, b) for W, b in params]).loss(x)


def by_hand(layers, x):
    values = [x]
    for layer in layers:
        z = values[-1] @ layer.W + layer.b
        values.append(np.tanh(z) if layer.act == "tanh" else z)
    bx, found = 2.0 * values[-1], []
    for layer, x, h in zip(layers[::-1], values[-2::-1], values[::-1]):
        bt = bx * (1.0 - h * h) if layer.act == "tanh" else bx
        found.append((np.atleast_2d(x).T @ np.atleast_2d(bt),
                      bt.sum(axis=0) if bt.ndim == 2 else bt))
        bx = bt @ layer.W.T
    return found[::-1]


@pytest.mark.parametrize("layers", [dense(1), dense(3), dense(2) + dense(1, "none")],
                         ids=["one", "three", "another at the end"])
@pytest.mark.parametrize("x", [X, X[:1], X[:0], X[0]], ids=["rows", "a row", "no row", "a vector"])
def test_layers(layers, x):
    wanted = by_hand(layers, x)
    for fun in (of_the_net, by_its_method):
        gradient = tl.grad(fun)(Net(layers), x)
        assert type(gradient) is Net
        for one, (bW, bb) in zip(gradient.layers, wanted, strict=True):
            assert np.allclose(one.W, bW) and np.allclose(one.b, bb) and one.act is None
    if all(layer.act == "tanh" for layer in layers):
        gradient = tl.grad(from_parameters)([(la.W, la.b) for la in layers], x)
        for one, other in zip(gradient, wanted, strict=True):
            assert all(map(np.allclose, one, other))


class Plain(Dense):
    def __call__(self, x):
        return np.tanh(x @ self.W + self.b)


def test_the_text_is_one_function():
    net = Net([Plain(la.W, la.b) for la in dense(2)])
    for fun in (of_the_net, by_its_method):
        text = tl.grad(fun).source_for(net, X)
        assert "_bwd" not in text and "zeros_like" not in text
        assert text.count("_tape = []") == 1
    text = tl.grad(from_parameters).source_for([(la.W, la.b) for la in net.layers], X)
    assert "_bwd" not in text and "instance" not in text


def test_one_layer_twice():
    layer = dense(1)[0]
    gradient = tl.grad(of_the_net)(Net([layer, layer]), X)
    for one, (bW, _) in zip(gradient.layers, by_hand([layer, layer], X)):
        assert np.allclose(one.W, bW)
    assert not np.shares_memory(gradient.layers[0].W, gradient.layers[1].W)


@dataclasses.dataclass
class Chain:
    """Each holds the next, so that its method calls itself for another kind of object."""
    w: float
    behind: object = None

    def value(self, x):
        return x * self.w if self.behind is None else self.behind.value(x) * self.w

    def power(self, n):
        return self.w if n == 0 else self.w * self.power(n - 1)


def test_methods_that_call_themselves():
    chain = Chain(2.0, Chain(3.0, Chain(4.0)))
    assert tl.grad(lambda c, x: c.value(x))(chain, 1.5) == Chain(18.0, Chain(12.0, Chain(9.0)))
    assert np.isclose(tl.grad(lambda w: Chain(w).power(4))(1.5), 5 * 1.5 ** 4)


class History:
    def __init__(self, xs):
        self.xs = xs

    def mean(self):
        return sum(self.xs) / len(self.xs)

    def push(self, v):
        self.xs.append(v)


def one_list(xs, v):
    h = History(xs)
    m = h.mean()
    h.push(v * m)
    return h.mean() * xs[-1]


def the_name_is_bound_anew(xs, v):
    h = History(xs)
    ys = h.xs
    xs = [v]
    h.push(v)
    return h.mean() * ys[-1] * xs[0]


def bound_anew_by_a_function(xs, v):
    h = History(xs)

    def again():
        nonlocal xs
        xs = [v * v]

    again()
    return h.mean() * xs[0]


def made_in_a_loop(xs, v):
    total = 0.0
    for _ in range(3):
        ys = [x * v for x in xs]
        h = History(ys)
        ys = [v]
        total = total + h.mean() * ys[0]
        v = v * 1.1
    return total


def made_again(xs, v):
    total = v
    h = History(xs)
    for _ in range(3):
        total = total + h.mean()
        h = History([x * total for x in xs])
    return total


@pytest.mark.parametrize("fun", [one_list, the_name_is_bound_anew, bound_anew_by_a_function,
                                 made_in_a_loop, made_again], ids=lambda f: f.__name__)
def test_objects_that_hold_lists(fun):
    tl.check_grads(fun, ([1.0, 2.0, 0.5], 1.7))


@dataclasses.dataclass
class Bent:
    """Methods that return one thing or another, themselves, or what they are given."""
    a: float
    b: float

    def at(self, x):
        if x > 1.0:
            return self.a * x
        y = self.b * x
        return y

    def same(self, x):
        return x

    def both(self, x):
        return x * self.a, self.b


def swapped(p, x):
    y = p.at(x)
    x = p.at(y)
    y, x = x, y
    u, v = p.both(y)
    u, v = v, u * p.same(x)
    return y * x * u + v


def carried(p, x):
    for _ in range(3):
        x = p.at(x) + p.same(x)
    return x


def by_operators(p, x):
    total = 0.0
    for k in range(2):
        total += p.at(x) * p.at(total + k)
    return total if p.at(x) > 0.0 else p.at(total)


@pytest.mark.parametrize("x", [0.1, 0.7, 1.3])
@pytest.mark.parametrize("fun", [swapped, carried, by_operators], ids=lambda f: f.__name__)
def test_what_methods_return(fun, x):
    tl.check_grads(fun, (Bent(2.0, 3.0), x), order=2 if x == 0.7 else 1)


def test_what_is_no_variable_stays_a_call():
    def fun(x, p):
        return p.at(x) * x

    assert "at_bwd" in tl.grad(fun).source_for(0.5, Bent(2.0, 3.0))
    assert "at_bwd" not in tl.grad(fun, wrt="p").source_for(0.5, Bent(2.0, 3.0))


def test_arrays_that_methods_hand_out():
    class Holder:
        def __init__(self, w):
            self.w = w

        def mine(self):
            return self.w

    def fun(p):
        w = p.mine()
        w[0] = w[1] * w[2]
        return np.sum(p.mine() * w)

    assert np.allclose(tl.grad(fun)(Holder(np.array([1.0, 2.0, 3.0]))).w, [0.0, 40.0, 30.0])


# Objects that are called where they lie ----------------------------------------------------------
class Scaled:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return np.sin(self.w * x)

    def apply(self, x):
        return np.cos(self.w * x)


class Two:
    def __init__(self, first, second):
        self.first, self.second = first, second
        self.all = [first, second]
        self.named = {"first": first, "pair": (first, second)}

    def through(self, x):
        return self.second(self.first(x))

    def by_number(self, x):
        for k in range(len(self.all)):
            x = self.all[k](x) * self.all[k].apply(x)
        return self.all[-1](x)

    def by_name(self, x):
        return self.named["first"](x) + self.named["pair"][1](x) * self.named["pair"][0].apply(x)


def called_in_a_method(two, x):
    return two.through(x)


def called_from_outside(two, x):
    return two.second(two.first(x)) * two.first.apply(x) + two.first.w


def called_by_number(two, x):
    return two.by_number(x) + two.all[0](x)


def called_by_name(two, x):
    return two.by_name(x) + two.named["first"](x)


def called_in_a_loop(two, x):
    for _ in range(3):
        x = two.first(x) + two.second(x) * x
    return x


def called_in_a_comprehension(two, x):
    return sum([two.first(x * k) for k in range(3)]) + sum(layer(x) for layer in two.all)


@pytest.mark.parametrize("fun", [called_in_a_method, called_from_outside, called_by_number,
                                 called_by_name, called_in_a_loop, called_in_a_comprehension],
                         ids=lambda f: f.__name__)
def test_objects_are_called_where_they_lie(fun):
    def of_numbers(v, w, x):
        return fun(Two(Scaled(v), Scaled(w)), x)

    def slope(h, k):
        moved = [[1.3, 0.7, 0.9] for _ in range(2)]
        moved[0][k] += h
        moved[1][k] -= h
        return (of_numbers(*moved[0]) - of_numbers(*moved[1])) / (2.0 * h)

    wanted = [(4.0 * slope(1e-3, k) - slope(2e-3, k)) / 3.0 for k in range(3)]
    assert np.allclose(tl.grad(of_numbers, wrt=(0, 1, 2))(1.3, 0.7, 0.9), wanted, atol=1e-7)
    assert np.allclose(tl.jvp(of_numbers, (1.3, 0.7, 0.9), (1.0, 0.0, 0.0))[1], wanted[0])
    # Each place of an object that lies at several gets what comes through it.
    two = Two(Scaled(1.3), Scaled(0.7))
    bx = tl.grad(fun, wrt="x")(two, 0.9)
    assert np.isclose(bx, wanted[2])
    g = tl.grad(fun)(two, 0.9)
    places = [[g.first.w, g.all[0].w, g.named["first"].w, g.named["pair"][0].w],
              [g.second.w, g.all[1].w, g.named["pair"][1].w]]
    assert np.allclose([sum(one) for one in places], wanted[:2], atol=1e-7)
