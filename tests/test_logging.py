"""What a function says to a log changes no derivative, and is said as often as the function says.

Loggers are not looked into: they and their handlers hold one another."""
import functools
import logging

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names


class Listening(logging.Handler):
    def __init__(self):
        super().__init__()
        self.heard = []
        self.others = []

    def emit(self, record):
        self.heard.append(record.getMessage())


logger = logging.getLogger("tests.of.logging")
logger.setLevel(logging.DEBUG)
logger.propagate = False
listening = Listening()
logger.addHandler(listening)


@pytest.fixture(autouse=True)
def many_loggers_that_hold_one_another():
    handlers = [Listening() for _ in range(12)]
    for number, handler in enumerate(handlers):
        handler.others = handlers[:number]
    for number in range(50):
        logging.getLogger(f"tests.of.logging.many{number}").handlers = list(handlers)
    listening.heard.clear()
    yield
    for number in range(50):
        logging.getLogger(f"tests.of.logging.many{number}").handlers = []


def plain(x):
    logger.debug("x is %s", x)
    return x * x * x


def in_a_loop(x):
    for k in range(2):
        x = x * x
        if logger.isEnabledFor(logging.INFO):
            logger.info("step %d: %.3f", k, x)
    return x


def of_a_name(x):
    logging.getLogger("tests.of.logging").warning("%s", x)
    return x * x


def helped(x):
    return plain(x) * plain(2.0 * x)


def by_identity(x):
    held = [x]
    again = held
    again[0] = held[0] * x
    logger.debug("held is %s", held[0])
    return again[0]


def failing(x):
    try:
        y = x / (0.0 * x)
    except ZeroDivisionError:
        logger.exception("at %s", x)
        y = x
    return y * y


def given_back(x):
    y = logger.debug("x is %s", x) or x
    return y * x


class Louder(logging.Logger):
    def info(self, message, items):
        items[0] = items[0] * 3.0


louder = Louder("tests.of.logging.louder")


def changing_what_it_is_told(x):
    logger.debug("told")
    items = [x]
    louder.info("items", items)
    return items[0] * x


class Model:
    def __init__(self, w):
        self.w = w
        self.log = logging.getLogger("tests.of.logging")

    def loss(self, x):
        self.log.debug("w is %s", self.w)
        return self.w * self.w * x


def said(fun):
    @functools.wraps(fun)
    def wrapper(*args, **kwargs):
        logger.debug("called with %s", args)
        return fun(*args, **kwargs)
    return wrapper


@pytest.mark.parametrize("fun, slope, curvature", [
    (plain, 3.0 * 1.3 ** 2, 6.0 * 1.3),
    (in_a_loop, 4.0 * 1.3 ** 3, 12.0 * 1.3 ** 2),
    (of_a_name, 2.0 * 1.3, 2.0),
    (helped, 48.0 * 1.3 ** 5, 240.0 * 1.3 ** 4),
    (by_identity, 2.0 * 1.3, 2.0),
    (failing, 2.0 * 1.3, 2.0),
    (given_back, 2.0 * 1.3, 2.0),
    (changing_what_it_is_told, 6.0 * 1.3, 6.0),
    (lambda x: Model(x).loss(3.0), 6.0 * 1.3, 6.0),
    (said(lambda x: x ** 3), 3.0 * 1.3 ** 2, 6.0 * 1.3),
])
def test_what_is_said_to_a_log(fun, slope, curvature):
    fun(1.3)
    wanted = list(listening.heard)
    assert wanted
    for derivative in (lambda: tl.grad(fun)(1.3), lambda: tl.jvp(fun, (1.3,), (1.0,))[1]):
        listening.heard.clear()
        assert derivative() == pytest.approx(slope, rel=1e-12)
        assert listening.heard == wanted
    assert tl.grad(tl.grad(fun))(1.3) == pytest.approx(curvature, rel=1e-12)


@pytest.mark.parametrize("fun", [plain, in_a_loop, failing, given_back])
def test_by_names(fun):
    fun(1.3)
    wanted = list(listening.heard)
    with by_names():
        for derivative in (tl.grad(fun), tl.value_and_grad(fun)):
            listening.heard.clear()
            derivative(1.3)
            assert listening.heard == wanted


def test_what_is_written():
    text = tl.grad(in_a_loop).source_for(1.3)
    assert '            logger.info("step %d: %.3f", k, x)\n' in text
    assert "logger.isEnabledFor(logging.INFO)" in text


def test_a_saved_derivative_speaks_to_the_same_log(tmp_path):
    in_a_loop(1.3)
    wanted = list(listening.heard)
    tl.grad(in_a_loop).save(tmp_path / "saved.py", 1.3)
    text = (tmp_path / "saved.py").read_text(encoding="utf-8")
    assert "import logging\n" in text
    assert "logger = logging.getLogger('tests.of.logging')\n" in text
    space = {}
    exec(text, space)
    listening.heard.clear()
    assert space["in_a_loop_grad"](1.3) == pytest.approx(4.0 * 1.3 ** 3, rel=1e-12)
    assert listening.heard == wanted


def test_an_object_that_holds_a_log(tmp_path):
    model = Model(2.0)
    found = tl.grad(Model.loss)(model, 3.0)
    assert (found.w, found.log) == (12.0, None)
    assert tl.grad(model.loss, wrt="self.w")(3.0) == 12.0
    assert tl.vjp(Model.loss, model, 3.0)[1](1.0)[0].w == 12.0


def test_an_object_that_holds_a_file(tmp_path):
    class Writing:
        def __init__(self, w, file):
            self.w, self.file = w, file

        def loss(self, x):
            return np.sum(self.w * x * x)

    with open(tmp_path / "log.txt", "w", encoding="utf-8") as file:
        found = tl.grad(Writing.loss)(Writing(2.0, file), np.ones(3))
        assert (found.w, found.file) == (3.0, None)
