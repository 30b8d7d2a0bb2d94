"""del, assert, raise, declarations, and exits nested to any depth."""
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names
from tests.passes.effects import holds


def name(x):
    y = x * x
    del x
    return y * 2


def read_afterwards(x):
    y = x * x
    del x
    return y * x


def in_a_loop(x, n):
    s = 0.0
    for i in range(n):
        t = x * i
        s += t * t
        del t
    return s


def in_a_branch(x, flag):
    y = x * x
    if flag:
        del x
    else:
        y = y * x
    return y


def key_of_argument(x, d):
    del d["a"]
    return x * len(d) * d["b"]


def parts(x):
    opts = {"a": 1, "b": 2}
    del opts["a"]
    xs = [1, 2, 3]
    del xs[0], xs[-1]
    return x * xs[0] * len(opts)


def active_list(x):
    ys = [x, x * x, x * x * x]
    del ys[0]
    return ys[0] * ys[1]


def bound_anew(x):
    y = x
    del y
    y = x * x
    return y


def after_a_return(x, n):
    for i in range(n):
        if i == 2:
            return x
        y = x * i
        x = x + y
        del y
    return x * x


@pytest.mark.parametrize("function, args", [
    (name, ()), (in_a_loop, (4,)), (in_a_branch, (True,)), (in_a_branch, (False,)), (parts, ()),
    (active_list, ()), (bound_anew, ()), (after_a_return, (2,)), (after_a_return, (5,))])
def test_holds(function, args):
    holds(function, 2.0, *args)


def test_a_deleted_name_is_not_read():
    with pytest.raises(UnboundLocalError):
        read_afterwards(2.0)
    with by_names(), pytest.raises(tl.UnsupportedSyntaxError, match="may have been deleted"):
        tl.grad(read_afterwards)(2.0)


def test_an_argument_keeps_its_key():
    d = {"a": 1.0, "b": 2.0}
    assert tl.grad(key_of_argument)(2.0, d) == 2.0
    assert d == {"a": 1.0, "b": 2.0}


def counts_twice(x):
    xs = [1, 2]
    y = x * len(xs)
    xs.append(3)
    return y + x * x * len(xs)


def test_what_grows_is_counted_again():
    holds(counts_twice, 2.0)
