"""Programs with context managers of the user, made at random: what is set back, and by whom."""
import random

WORLD = '''
import contextlib

class Model:
    def __init__(self, a, b):
        self.a, self.b, self.flag = a, b, True
        self.table = {"u": a * b, "v": 0.5}
        self.log = []

    def __call__(self, y):
        z = self.a * y + self.b + self.table["u"] * 0.3
        return z * 0.5 if self.flag else z * y

    @contextlib.contextmanager
    def frozen(self, value):
        old, self.b = self.b, value
        try:
            yield self
        finally:
            self.b = old

@contextlib.contextmanager
def plainly(model, value):
    old = model.a
    model.a = value
    yield model
    model.a = old

@contextlib.contextmanager
def surely(model, name, value):
    old = getattr(model, name)
    setattr(model, name, value)
    try:
        yield
    finally:
        setattr(model, name, old)

@contextlib.contextmanager
def grown(model, by=1.5):
    model.a *= by
    try:
        yield model.a
        model.b = model.b + 0.1
    finally:
        model.a /= by

@contextlib.contextmanager
def keyed(model, value):
    before = model.table["u"]
    model.table["u"] = value
    try:
        yield model.table
    finally:
        model.table["u"] = before

class Switched:
    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.saved = self.model.flag
        self.model.flag = not self.saved
        return self.model

    def __exit__(self, *what):
        self.model.flag = self.saved
        return False

class Scaled:
    def __init__(self, model, factor):
        self.model, self.factor, self.inside = model, factor, 0

    def __enter__(self):
        self.saved = self.model.b
        self.model.b = self.saved * self.factor
        self.inside += 1
        return self

    def __exit__(self, kind, error, trace):
        self.model.b = self.saved
        self.inside -= 1

class Said(Scaled):
    def __exit__(self, kind, error, trace):
        self.model.b = self.saved
        self.inside -= 1
        print("left", self.inside)
'''


class Drawn:
    """One program."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 0
        self.held = ["m"]
        self.loops = 0
        self.tries = self.random.random() < 0.25

    def value(self):
        one = self.random.choice(self.held)
        return self.random.choice([
            "x", "y", "1.5", f"{one}.a", f"{one}.b", f"{one}.a * x", f"0.5 * {one}(y)",
            f"{one}.table['u']", "y * y * 0.1", f"x - {one}.b"])

    def manager(self):
        one, value = self.random.choice(self.held), self.value()
        return self.random.choice([
            (f"plainly({one}, {value})", True), (f"surely({one}, 'a', {value})", False),
            (f"surely({one}, 'b', {value})", False), (f"{one}.frozen({value})", True),
            (f"surely({one}, 'flag', {one}.flag and {value} > 0.5)", False),
            (f"grown({one})", False), (f"grown({one}, by={value} + 2.5)", False),
            (f"keyed({one}, {value})", False), (f"Switched({one})", True),
            (f"Scaled({one}, {value})", False),
            (f"{self.random.choice(['Scaled', 'Said'])}({one}, {value})", False)])

    def block(self, depth, pad):
        before = list(self.held)
        lines = [line for _ in range(self.random.randint(1, 3))
                 for line in self.statement(depth, pad)]
        self.held = before
        return lines

    def statement(self, depth, pad):
        draw, inner = self.random.random(), pad + "    "
        if depth and draw < 0.45:
            made, gives_model = self.manager()
            tail = ""
            outer = list(self.held)
            if self.random.random() < 0.4:
                self.number += 1
                tail = f" as n{self.number}"
                if gives_model:
                    self.held.append(f"n{self.number}")
            if self.random.random() < 0.15:
                tail += f", {self.manager()[0]}"
            lines = [f"{pad}with {made}{tail}:", *self.block(depth - 1, inner)]
            self.held = outer if self.random.random() < 0.7 else self.held
            return lines
        if depth and draw < 0.58:
            self.number += 1
            self.loops += 1
            lines = [f"{pad}for k{self.number} in range({self.random.randint(0, 3)}):",
                     *self.block(depth - 1, inner)]
            self.loops -= 1
            return lines
        if depth and draw < 0.68:
            return [f"{pad}if {self.value()} > {self.random.choice(['0.3', 'y'])}:",
                    *self.block(depth - 1, inner),
                    *([f"{pad}else:", *self.block(depth - 1, inner)]
                      if self.random.random() < 0.5 else [])]
        if depth and draw < 0.73 and self.tries:
            return [f"{pad}try:", *self.block(depth - 1, inner),
                    f"{inner}if y > {self.value()}:", f"{inner}    raise ValueError('high')",
                    f"{pad}except ValueError:", *self.block(0, inner)]
        if draw < 0.77:
            leave = ["return y"] + (["break", "continue"] if self.loops else [])
            return [f"{pad}if {self.value()} > 1.1:", f"{inner}{self.random.choice(leave)}"]
        one = self.random.choice(self.held)
        return [pad + self.random.choice([
            f"y = y + 0.3 * {one}(x)", f"y = {one}(y) * 0.4", f"{one}.a = {self.value()}",
            f"{one}.b = {one}.b * 0.9 + 0.1 * {self.value()}", f"{one}.log.append({self.value()})",
            f"y = y - 0.2 * {self.value()}", f"{one}.table['u'] = {self.value()}",
            f"{one}.flag = not {one}.flag", f"y += {one}.a"])]

    def text(self):
        body = [line for _ in range(self.random.randint(2, 4))
                for line in self.statement(3, "    ")]
        given = self.random.random() < 0.3
        head = ["def f(x, m):", "    y = 0.7 * x"] if given else [
            "def f(x, b):", "    m = Model(x, b)", "    y = 0.7 * x"]
        return WORLD + "\n".join([*head, *body, "    return y + m.a * m.b + m.table['u'] "
                                                "+ sum(m.log)"]), \
            "Model(1.2, 0.4)" if given else "0.4"
