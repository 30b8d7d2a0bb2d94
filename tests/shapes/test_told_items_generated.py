"""Lists of objects with methods made at random, gone through in ways made at random: right,
whichever way they go, and for other items at each call."""
import copy
import random

import numpy as np
import pytest

import tangent_lite as tl

STATEMENTS = [
    "self.x = x", "self.n += 1", "self.m = 0.9 * self.m + 0.1 * x", "self.m += 0.1 * x",
    "self.buf[0] = np.sum(x)", "self.buf += x", "self.log.append(np.sum(x * x))",
    "self.s = self.s * 1.1", "self.s += 0.1 * np.sum(x)", "self.last = self.m", "self.m = x",
    "self.buf[:] = self.buf * 0.5 + x", "x = x + self.m", "x = x * self.d['k']",
    "if self.n > 1:\n            x = x * self.s", "self.d['k'] = np.sum(x)",
    "if np.sum(x) > 0.0:\n            self.m = x * 0.5"]
RESULTS = ["x * self.s", "np.tanh(x) * self.s", "x + self.m", "x * self.m", "self.buf * x",
           "np.sin(x) + self.buf[1]", "x + self.log[-1]", "self.s * x + self.last"]
WAYS = """
for l in layers:
    x = l.forward(x)

for i in range(len(layers)):
    x = layers[i].forward(x)

for i, l in enumerate(layers):
    x = l.forward(x)
    if i == 1:
        x = x * 0.5

for l in reversed(layers):
    x = l.forward(x)

for l in layers[1:]:
    x = l.forward(x) + 0.1

for l in layers:
    x = l.forward(x)
    if np.sum(x) > 5.0:
        break

for l in layers:
    if isinstance(l, A):
        x = x * l.s
    else:
        x = l.forward(x)

for l, c in zip(layers, (1.0, 2.0, 0.5)):
    x = c * l.forward(x)

for l, c in zip(layers, x * 0.5):
    x = c * l.forward(x)

for l, c in zip(layers, [0.5] * int(x[0] > 0.0) + [2.0]):
    x = c * l.forward(x)

for i, (l, c) in enumerate(zip(layers, list(x))):
    x = c * l.forward(x) + 0.1 * i
    if np.sum(x) > 5.0:
        break

i = 0
while i < len(layers):
    x = layers[i].forward(x)
    i += 1

for i in range(int(x[0] > 0.0) + 2):
    x = layers[i - 1].forward(x)

for i in range(4):
    l = layers[i % len(layers)]
    x = l.forward(x) + 0.1 * l.s

while np.sum(x ** 2) > 2.0:
    x = 0.3 * layers[int(x[0] > 0.0)].forward(x) / (1.0 + np.sum(x ** 2))

for i in range(len(layers) - 1):
    x = layers[i].forward(x) + layers[i + 1].s

for _ in range(2):
    for l in layers:
        x = l.forward(x)

x = layers[0].forward(x)
x = layers[-1].forward(x)

l = layers[0]
x = l.forward(x)
l.s = 2.0
x = x * layers[0].s

for l in layers:
    l.buf[0] = x[0]
x = x + sum(l.buf[0] for l in layers)

keep = []
for l in layers:
    keep.append(l.forward(x))
x = x + sum(keep)

x = x + sum([np.sum(l.m ** 2) for l in layers])

if x[0] > 0.0:
    x = layers[0].forward(x)
else:
    x = layers[-1].forward(x)

for l in layers[1:] + layers[:1]:
    x = l.forward(x)

chain = []
for l in layers:
    if not isinstance(l, B):
        chain.append(l)
for l in chain:
    x = l.forward(x)

chain = list(layers)
others = chain
last = chain.pop()
chain.insert(0, last)
for l in others:
    x = l.forward(x)
x = x + 0.1 * len(chain)

chain = layers.copy()
chain.reverse()
chain += layers[:1]
for l in chain:
    x = l.forward(x)

for l in [l for l in layers if not isinstance(l, A)] + [layers[0]]:
    x = l.forward(x)

chain = [layers[-1]]
for l in reversed(layers):
    chain.append(l)
    x = chain[-2].forward(x)
    if len(chain) == 3:
        chain.pop(0)
for l in chain * 2:
    x = x * l.s

layers.append(layers[0])
for l in layers:
    x = l.forward(x)
layers.pop()

first = layers.pop(0)
for l in layers:
    x = l.forward(x)
layers.append(first)
x = x + sum(l.s for l in layers[1:])
""".strip().split("\n\n")
START = """
    def __init__(self, rng):
        self.s = float(rng.normal())
        self.m, self.buf, self.x, self.last = rng.normal(size=(4, 3)) * 0.5
        self.n, self.log, self.d = 1, [0.5], {"k": 1.5}

    def forward(self, x):
"""
NAMES = ["s", "m", "buf", "last"]


def program(seed):
    drawn = random.Random(seed)
    lines = ["import numpy as np", ""]
    for name in "ABC":
        body = [drawn.choice(STATEMENTS) for _ in range(drawn.randint(0, 4))]
        lines += [f"class {name}:{START}" + "".join(f"        {one}\n" for one in body)
                  + f"        return {drawn.choice(RESULTS)}", ""]
    lines += ["def f(layers, x):"]
    for _ in range(drawn.randint(1, 3)):
        lines += ["    " + line for line in drawn.choice(WAYS).split("\n")]
    return "\n".join([*lines, "    return np.sum(x ** 2) + np.sum(x)", ""])


@pytest.mark.sweep(8)
@pytest.mark.parametrize("seed", range(80))
def test_right(seed, tmp_path, monkeypatch):
    name = f"items_{seed}"
    (tmp_path / f"{name}.py").write_text(program(seed))
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__(name)
    derivative = tl.value_and_grad(module.f, wrt=(0, 1))
    rng = np.random.default_rng(seed)
    for _ in range(3):
        layers = [getattr(module, rng.choice(list("ABC")))(rng) for _ in range(rng.integers(2, 4))]
        x = rng.normal(size=3) * 0.5
        before = copy.deepcopy(layers)
        value, (found, slopes) = derivative(layers, x)
        assert value == module.f(copy.deepcopy(layers), x.copy())
        scale = 1e-5 * max(1.0, abs(value))
        for k, layer in enumerate(layers):
            assert layer.n == before[k].n and layer.log == before[k].log
            assert layer.d == before[k].d
            for part in NAMES:
                assert np.array_equal(getattr(layer, part), getattr(before[k], part))
                way = rng.normal(size=np.shape(getattr(layer, part)))

                def moved(step, k=k, part=part, way=way):
                    others = copy.deepcopy(layers)
                    setattr(others[k], part, getattr(others[k], part) + step * way)
                    return module.f(others, x.copy())

                slope = (moved(1e-6) - moved(-1e-6)) / 2e-6
                assert np.sum(getattr(found[k], part) * way) == pytest.approx(slope, 1e-4, scale)
        way = rng.normal(size=3)
        slope = (module.f(copy.deepcopy(layers), x + 1e-6 * way)
                 - module.f(copy.deepcopy(layers), x - 1e-6 * way)) / 2e-6
        assert np.sum(slopes * way) == pytest.approx(slope, 1e-4, scale)
