"""Drawn statements about vectors, matrices and numbers, and drawn values for their names."""
import random

import numpy as np


class Draw:
    """Statements about vectors x, y, ..., matrices A, B, ..., numbers s, t and rows."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.vectors, self.matrices = ["x", "y", "z"], ["A", "B"]
        self.numbers = ["s", "t"]
        self.count = 0
        self.kept = set()
        self.thin = []                  # matrices with an axis of one item

    def new(self, wish):
        self.count += 1
        # Sometimes a name that there is.
        pool = {"v": self.vectors, "m": self.matrices, "n": self.numbers}[wish]
        pool = [name for name in pool if name not in self.kept]
        if self.random.random() < 0.25:
            return self.random.choice(pool)
        return f"{wish}{self.count}"

    def unread(self):
        """A name that stays what it is: all that is bound to it is looked at in the end."""
        self.count += 1
        self.kept.add(f"part{self.count}")
        return f"part{self.count}"

    def slice(self):
        return self.random.choice(["1:", ":-1", "1:-1", "2:", ":-2", ":", "::2", "::-1", "1::2",
                                   "k:", ":k", "-3:"])

    def number(self, depth=0):
        r = self.random.random()
        if r < 0.5 or depth > 1:
            return self.random.choice([*self.numbers, "2.0", "-0.5", "3"])
        if r < 0.6:
            return f"{self.random.choice(self.vectors)}[k]"
        if r < 0.65:
            return f"{self.random.choice(self.vectors)}.size"
        if r < 0.7:
            return f"{self.random.choice(self.matrices)}.shape[{self.random.randrange(2)}]"
        return f"({self.number(depth + 1)} {self.random.choice('+-*')} {self.number(depth + 1)})"

    def vector(self, depth=0):
        r = self.random.random()
        name = self.random.choice(self.vectors)
        if r < 0.35 or depth > 2:
            return name
        if r < 0.45:
            return f"{name}[{self.slice()}]"
        if r < 0.5:
            return f"{self.random.choice(self.matrices)}[k]"
        if r < 0.54:
            return f"{self.random.choice(self.matrices)}[:, k]"
        if r < 0.58:
            return f"{name}[rows]"
        if r < 0.64:
            return f"np.{self.random.choice(['sin', 'tanh', 'square'])}({self.vector(depth + 1)})"
        if r < 0.68:
            return f"unbroadcast({self.new_vector(depth + 1)}, {name})"
        if r < 0.70:
            return f"unreduce({self.number()} * 1.0, {name})"
        if r < 0.71:
            other = self.random.choice(self.vectors)
            return f"unreduce({self.number()} * 1.0, broadcast({name}, {other}))"
        if r < 0.72:
            other = self.random.choice(self.vectors)
            return f"unbroadcast({self.new_vector(depth + 1)}, broadcast({name}, {other}))"
        if r < 0.74:
            return f"(-{self.vector(depth + 1)})"
        if r < 0.77:
            return f"np.maximum({self.vector(depth + 1)}, {self.number()})"
        if r < 0.80:
            return f"np_where({self.vector(depth + 1)} > {self.number()}, " \
                   f"{self.vector(depth + 1)}, {self.number()})"
        other = self.number() if self.random.random() < 0.3 else self.vector(depth + 1)
        return f"({self.vector(depth + 1)} {self.random.choice('+-**')} {other})"

    def new_vector(self, depth):
        """An array that has no other name: in place, emitted code changes only such."""
        return f"(-{self.vector(depth)})"

    def matrix(self, depth=0):
        r = self.random.random()
        name = self.random.choice(self.matrices)
        if r < 0.35 or depth > 2:
            return name
        if r < 0.42:
            return f"{name}[{self.slice()}]"
        if r < 0.47:
            return f"{name}[:, {self.slice()}]"
        if r < 0.53:
            return f"{name}[rows]"
        if r < 0.57:
            return f"({self.vector(2)}[:, None] * {self.vector(2)})"
        if r < 0.6:
            return f"{self.random.choice(self.vectors)}" \
                   + self.random.choice(["[:, None]", "[None, :]"])
        if r < 0.62:
            return f"np_sum({self.matrix(depth + 1)}, axis={self.random.choice([0, 1, -1])}, " \
                   "keepdims=True)"
        if r < 0.66:
            return f"unreduce({self.vector(2)}, {name}, {self.random.choice(['0', '1', '-1'])})"
        if r < 0.68:
            other = self.random.choice([*self.vectors, *self.matrices])
            return f"unreduce({self.number()} * 1.0, broadcast({name}, {other}))"
        if r < 0.69:
            other = self.random.choice([*self.vectors, *self.matrices])
            return f"unbroadcast(-{self.matrix(depth + 1)}, broadcast({other}, {name}))"
        if r < 0.74:
            return f"unbroadcast(-{self.matrix(depth + 1)}, {name})"
        if r < 0.78:
            return f"np.tanh({self.matrix(depth + 1)})"
        if r < 0.84:
            return f"({self.matrix(depth + 1)} {self.random.choice('+-*')} {self.vector(2)})"
        return f"({self.matrix(depth + 1)} {self.random.choice('+-*')} {self.matrix(depth + 1)})"

    def statement(self):
        r = self.random.random()
        if r < 0.04:
            column, name = self.random.choice(["[:, None]", "[None, :]"]), self.unread()
            text = f"{name} = {self.random.choice(self.vectors)}{column}"
            self.matrices += [name] * 3
            return text
        if r < 0.07:
            text = f"unbroadcast(-{self.matrix(1)}, {self.random.choice(self.matrices)})"
            name = self.new("m")
            self.matrices += [name] * 2
            return f"{name} = {text}"
        if r < 0.09:                    # no statement of a loop: what follows is another group
            return f"note{self.count} = 'text'"
        if r < 0.13:
            if self.thin and self.random.random() < 0.5:
                text = f"unbroadcast(-{self.matrix(1)}, {self.random.choice(self.thin)})"
            else:
                text = f"np_sum({self.matrix(1)}, axis={self.random.choice([0, 1, -1])}, " \
                       "keepdims=True)"
            self.count += 1
            name = f"thin{self.count}" if self.random.random() < 0.8 else self.new("m")
            self.thin.append(name)
            self.matrices += [name] * 3
            return f"{name} = {text}"
        if r < 0.25:
            text, name = self.vector(), self.new("v")
            if text.endswith("]"):      # not looked at if nobody reads it, and not out of bounds
                name = self.unread()
            self.vectors += [name] * 2
            return f"{name} = {text}"
        if r < 0.4:
            text, name = self.matrix(), self.new("m")
            if text.endswith("]"):
                name = self.unread()
            self.matrices += [name] * 2
            return f"{name} = {text}"
        if r < 0.48:
            one, two = self.vector(), self.vector()
            text = self.random.choice([f"np_sum({one})", f"{one} @ {two}",
                                       f"{self.number()} + np_sum({self.matrix()})",
                                       f"np_sum({one} * {two}) * {self.number()}"])
            name = self.new("n")
            self.numbers.append(name)
            return f"{name} = {text}"
        if r < 0.53:
            text, name = self.number(), self.new("n")
            self.numbers.append(name)
            return f"{name} = {text}"
        if r < 0.60:
            text, name = f"np_sum({self.matrix()}, axis={self.random.choice([0, 1, -1])})", \
                self.new("v")
            self.vectors.append(name)
            return f"{name} = {text}"
        if r < 0.64:
            like = self.random.choice(self.vectors)
            if self.random.random() < 0.2:
                like = f"broadcast({like}, {self.random.choice(self.vectors)})"
            text, name = f"unbroadcast({self.matrix()}, {like})", self.new("v")
            self.vectors.append(name)
            return f"{name} = {text}"
        if r < 0.72:
            name = self.random.choice(self.vectors)
            return f"{name}[{self.slice()}] {self.operator()} {self.vector()}"
        if r < 0.76:
            name = self.random.choice(self.vectors)
            return f"{name}[{self.slice()}] = {self.vector()}"
        if r < 0.80:
            name = self.random.choice(self.matrices)
            index = self.random.choice(["k", ":, k", self.slice(), f":, {self.slice()}"])
            return f"{name}[{index}] {self.operator()} {self.vector()}"
        if r < 0.84:
            return f"{self.random.choice(self.vectors)} {self.operator()} {self.vector()}"
        if r < 0.87:
            return f"{self.random.choice(self.matrices)} {self.operator()} {self.matrix()}"
        if r < 0.89:
            return f"{self.random.choice(self.numbers)} += np_sum({self.vector()})"
        if r < 0.92:
            name = self.random.choice(self.vectors)
            made = self.new("v")
            self.vectors += [made] * 3
            return f"{made} = {self.random.choice(['np_zeros_like', 'zeros_like'])}({name})"
        if r < 0.96:
            return f"add_at({self.random.choice(self.vectors)}, rows, {self.vector()})"
        if r < 0.98:
            return f"add_at({self.random.choice(self.matrices)}, rows, {self.matrix()})"
        return f"{self.random.choice(self.vectors)}[k] {self.operator()} {self.number()}"

    def operator(self):
        return self.random.choice(["+=", "+=", "-=", "*="])


def values_for(seed, size):
    """Arguments, now and then with arrays that share memory or have other shapes."""
    rng = np.random.default_rng(seed)
    draw = random.Random(seed)
    n = size
    found = {"x": rng.normal(size=n), "y": rng.normal(size=n), "z": rng.normal(size=n),
             "A": rng.normal(size=(n, n)), "B": rng.normal(size=(n, n)), "s": 0.7, "t": -1.3,
             "k": draw.randrange(-n, n) if n else 0, "rows": rng.integers(-n, n, n) if n else
             np.zeros(0, np.int64)}
    chance = draw.random()
    if chance < 0.1:
        found["y"] = found["x"]
    elif chance < 0.2:
        memory = rng.normal(size=n + 1)
        found["x"], found["y"] = memory[1:], memory[:-1]
    elif chance < 0.3 and n:
        found["x"] = found["A"][0]
    elif chance < 0.35:
        found["z"] = rng.normal(size=1)
    elif chance < 0.4:
        found["B"] = rng.normal(size=(n, 1))
    elif chance < 0.45:
        found["x"] = rng.normal(size=2 * n)[::2]
    elif chance < 0.5:
        found["B"] = rng.normal(size=(1, n))
    return found
