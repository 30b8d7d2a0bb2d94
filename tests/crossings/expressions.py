"""Random expressions of crossing programs: numbers, vectors, conditions; texts with gaps.

A gap is a letter in brackets: {e} a number, {v} a vector, {c} a condition, {k} an index of a
vector, {n} a constant; {a}, {u}, {M}, {L}, {R}, {D}, {S}, {O}, {z} and {i} are names of what a
program has of that kind: numbers, vectors, matrices, lists of numbers, lists of vectors, dicts of
numbers, dicts of vectors, objects, complex numbers and ints. {e:1} is the same text at each place.
A line is a weight and a text; one with a kind of name that a program does not have is left out.
"""


def forms(text):
    """[(weight, text)] of forms: lines that begin with a weight, and lines below these."""
    found = []
    for line in text.strip("\n").split("\n"):
        if line[0] != " ":
            weight, first = line.split(None, 1)
            found.append((float(weight), [first]))
        else:
            found[-1][1].append(line[5:])
    return [(weight, "\n".join(lines)) for weight, lines in found]


# Numbers that are named
LEAVES = forms("""
8    {a}
1    {n}
3    {u}[{k}]
2    {L}[{j}]
2    {D}['{key}']
2    {O}.x
1    {R}[{j}][{k}]
1    {S}['{row}'][{k}]
2    {M}[{k}, {k}]
1    {z}.real
1    {i}
0.5  TABLE[{k}]
0.5  {O}.u[{k}]
""")

# Numbers that are computed
NUMBERS = forms("""
3    ({e} + {e})
3    ({e} * {e})
2    ({e} - {e})
1    {e} / (1.5 + {e:1} * {e:1})
2    math.sin({e})
1    np.tanh({e})
1    ({e} if {c} else {e})
0.7  max({e}, {e})
0.5  min({e}, {e}, {n})
0.6  abs({e})
0.7  {e} ** 2
0.4  (-{e})
0.4  {e} ** {small}
0.3  (0.5 + {e:1} * {e:1}) ** {e}
0.6  sum({L})
0.7  np.sum({v})
0.6  np.dot({v}, {v})
0.4  {v}.mean()
0.3  np.max({v})
0.5  sum({q} * {e} for {q} in {L})
0.4  sum({q} * {q} for {q} in {v} if {q} > {n})
0.3  (lambda {q}: {q} * {e})({e})
0.3  (lambda {q}, {p}={e}: {q} - {p})({e})
0.4  sum(map(math.sin, {L}))
0.4  {O}({e})
0.4  {O}.twice
0.3  {O}.area()
0.3  len({L}) * {e}
0.3  next(iter({L}))
0.4  sorted({L})[{j}]
0.3  sorted({L}, key=lambda {q}: -{q})[0]
0.3  max({L}, key=abs)
0.3  functools.reduce(lambda {p}, {q}: {p} * 0.5 + {q}, {L}, {e})
0.3  {e} % 1.7
0.3  np.where({c}, {e}, {e})
0.3  np.array({e})
0.3  np.float64({e})
0.3  float({e})
0.3  ({c}) * {e}
0.3  ({e} or {e})
0.3  ({c} and {e})
0.4  abs({z} * {e})
0.3  ({z} * {z}).imag
0.3  (1j ** {j} * {z}).real
0.3  {D}.get('{any}', {e})
0.3  sum({D}.values())
0.2  max({D}.values())
0.3  {D}[max({D}, key={D}.get)]
0.3  {u}[-1]
0.2  {u}.item({k})
0.3  np.linalg.norm({v})
0.3  TABLE @ np.resize({v}, 3)
0.3  np.sum({M} * {M})
0.3  np.trace({M})
0.3  {M}[{k}] @ {M}[:, {k}]
0.3  CURVES['{curve}']({e})
0.3  [{e}, {e}][{c}]
0.3  ({e}, {e})[{i} % 2]
0.4  HALF({e})
0.3  sum({q}[{k}] for {q} in {R})
0.3  sum(len({q}) * {q}.sum() for {q} in {R})
0.3  sum({p} * {q} for {p}, {q} in zip({L}, {L}[1:]))
0.3  sum({q} * {p} for {p}, {q} in enumerate({v}))
0.2  math.prod({L}[:2])
0.2  np.prod(np.cos({v}))
0.2  [*{L}, {e}][-1]
0.2  {L}[::-1][0]
0.2  np.array({L})[{j}]
0.2  ({O} + {e}).x
0.2  ({e} * {O}).x
0.2  {O}[{k}]
0.2  Box.rate * {e}
0.2  {O}.rate * {e}
0.2  sum(v * {e} for v in {O})
0.2  math.hypot({e}, 0.3 + {e:1} * {e:1})
0.2  np.clip({e}, -0.9, {n})
0.2  np.interp({e}, [-1.0, 0.1, 2.0], [{e}, {e}, {e}])
0.2  STATE['scale'] * {e}
0.2  min(max({e}, -0.8), 0.9)
0.2  np.float32(0.5) * {e}
0.2  True + {e}
0.2  np.minimum({e}, {v})[{k}]
0.2  np.vdot({v}, {v})
0.2  ({v} @ {v})
0.15 sum([{e} for _ in range({j})])
0.15 sum(({p} + {q}) * 0.3 for {p} in {L} for {q} in {v})
""")

# Vectors
VECTORS = forms("""
8    {u}
2    {u}[::-1]
1    -{v}
2    ({v} * {e})
2    ({v} + {v})
1    ({v} - {e})
1    np.sin({v})
0.7  np.where({v} > {n}, {v}, {v})
0.6  np.where({v:1} > 0.1, np.sqrt(np.abs({v:1}) + 0.1), {e})
2    {M}[{k}]
1.5  {M}[:, {k}]
1    {M}.T[{k}]
2    {R}[{j}]
2    {S}['{row}']
2    {O}.u
0.4  np.roll({v}, 1)
0.5  {M} @ {v}
0.4  np.cumsum({v})
0.3  np.sort({v})
0.3  {v}[np.arange(len({u}))[::-1]]
0.3  {v}[np.argsort({u})]
0.3  np.array([{q} * {e} for {q} in {v}])
0.4  np.full(len({u}), {e})
0.3  np.outer({v}, {v})[{k}]
0.5  {v}.copy()
0.3  {u}.reshape(1, -1)[0]
0.3  np.clip({v}, -0.7, {n})
0.3  np.maximum({v}, {e})
0.2  {u}.ravel()
0.3  np.stack([{v}, {v}])[{j} % 2]
0.3  np.einsum('i,i->i', {v}, {v})
0.3  ({z} * {v}).real
0.3  np.zeros_like({u})
0.3  np.concatenate([{v:1}[1:], {v:1}[:1]])
0.3  np.array(list(map(math.sin, {v})))
0.2  np.diff({v}, prepend={e})
0.2  np.asarray({u})
0.2  np.array({u})
0.2  {u}[...]
0.2  {u}[:]
0.2  {u}.astype(float)
0.2  np.broadcast_to({e}, {u}.shape)
0.2  {u} * ({u} > {n})
0.2  np.take({v}, np.arange(len({u})) % 2 * 0)
0.2  np.dot({M}, {v})
0.2  np.mean([{v}, {v}], axis=0)
0.2  sum({R})
0.2  np.add.accumulate({v})
0.2  {M}.sum(axis={b})
0.2  {M}.diagonal()
0.2  np.flip({u})
0.2  np.tensordot({M}, {v}, 1)
0.2  np.multiply({v}, {v})
0.2  ({u} if {c} else {v})
0.2  np.hstack([{v:1}[:1], {v:1}[1:]])
0.2  np.float32(2.0) * {v}
0.15 np.fromiter(({q} * {e} for {q} in {v}), float)
0.15 {u}[{u} > -9.0]
""")

# Conditions
CONDITIONS = forms("""
3    {e} > {n}
2    {e} < {e}
1    {i} % 2 == 0
0.7  -0.6 < {e} <= 0.7
0.5  {c} and {c}
0.5  not {c}
0.5  {c} or {c}
0.5  ({q} := {e}) > {n}
0.4  any({q} > {e} for {q} in {L})
0.4  all({q} < 0.9 for {q} in {v})
0.3  np.any({v} > {n})
0.3  len({L}) > {small}
0.3  '{any}' in {D}
0.3  {u} is {u}
0.3  {R}[{j}] is {u}
0.2  isinstance({e}, float)
0.2  {a} == {a}
0.2  {O}.x > {n}
0.2  {i} in (1, 2)
0.2  np.all({v} < 2.0)
0.2  {L} is {L}
0.2  bool({i})
0.2  np.isfinite({e})
""")
