"""Lists, tuples, dicts and sets: adjoints follow the slots, whatever moves them."""
import pytest

from tests.heap.referee import held

# Each body stands between `a = [x, y, x * y]; d = {"p": x, "q": x * y}` and a sum over both.
BODIES = [
    "a.append(x * x)", "a.append(a)\na.pop()", "b = a\nb[0] = y * y", "a[-1] = a[0] * a[1]",
    "a.insert(1, x * x)", "a.insert(-1, a[0])", "a.insert(99, x)", "a.reverse()", "a.sort()",
    "a.sort(key=lambda v: -v)", "a.sort(reverse=True)", "a.remove(a[1])", "s = a.pop(0)\n"
    "a[0] = s * s",
    "s = a.pop()\na.append(s * s)", "a.extend([x * x, y])", "a.extend((x * x, y))", "a.extend(a)",
    "a += [x * x]", "a += (y, x)", "a *= 2", "a *= 0", "a = a * 2", "a = 2 * a", "a = a + [x * x]",
    "a = [*a, x, *(y, x * x)]", "a[1:] = [x * x, y * y, x]", "a[::2] = [y, y * y]", "a[:0] = [x]",
    "del a[0]", "del a[::2]", "del a[-1], a[0]", "a.clear()", "b = a.copy()\nb[0] = 1.0\n"
    "a.append(b[1])",
    "b = a[:]\nb[0] = x * x\na.append(b[0])", "b = list(a)\na[0] = 1.0\na.append(b[0])",
    "a[0], a[1] = a[1], a[0]", "a[0] += y", "a[0] *= a[0]", "p, *q = a\na = q + [p * p]",
    "*p, q = a\na = [q, *p]", "(p, q), r = (x, y), x * y\na = [p * r, q]", "n = len(a)\n"
    "a.append(n * x)",
    "t = (x, (y, x * y))\na.append(t[1][0] * t[0])", "t = (x, y) + (x * y,)\na = list(t[1:]) * 2",
    "t = (x, y) * 2\na = [t[0] * t[3]]", "k = a.index(y)\n"
    "a[k] = x", "a[0] = a[0] if a[0] > 9 else y",
    "a.append([x * x])\na[3][0] = y\ns = a.pop()\na[0] = s[0] * s[0]",
    "b = [[0.0] * 2 for _ in range(2)]\nb[0][1] = x\nb[1] = b[0]\nb[1][0] = y\na = [*b[0], *b[1]]",
    "a.append(sum(a, x))", "a = sorted(a)", "a = list(reversed(a))", "a[0] = max(a) * min(a)",
    "d['r'] = y * y", "d['p'] *= y", "del d['p']", "d.update(p=y, r=x * x)", "d.update({'q': y})",
    "d.update([('q', y * y), ('s', x)])", "d |= {'p': y * y}", "d = d | {'r': x * x}",
    "d = {**d, 'p': y, 's': x * x}", "s = d.pop('p')\nd['q'] = s * s", "k, s = d.popitem()\n"
    "d[k] = s * s",
    "s = d.setdefault('z', x * x)\nd['p'] = s * y", "s = d.setdefault('p', y)\nd['q'] = s * y",
    "s = d.get('p', y) * d.get('z', y)\nd['p'] = s", "d.clear()", "e = d\ne['p'] = y * y",
    "e = d.copy()\ne['p'] = 1.0\nd['r'] = e['q']", "e = dict(d)\nd['p'] = 1.0\nd['r'] = e['p'] * y",
    "d['in'] = {'a': x * x}\nd['in']['a'] *= y\nd['in'] = d['in']['a']", "d[1, 'k'] = x * x",
    "for k in d:\n    d[k] = d[k] * y", "for k, v in d.items():\n    a.append(v * v)",
    "a.append(sum(d.values()))", "d = {k: v * y for k, v in d.items()}", "d = dict(zip('pq', a))",
    "d = dict.fromkeys('pq', x * x)", "a = [d.pop(k) for k in ('p', 'q')]", "d = dict(p=x * y)",
    "s = {1, 2}\ns.add(3)\na = [x * k for k in sorted(s)]", "s = {k for k in (1, 2)} | {5}\n"
    "a = [x * sum(s)]",
    "import collections\nq = collections.deque(a, maxlen=2)\nq.append(x * x)\na = list(q)",
    "import collections\nc = collections.Counter(p=1)\nv = c.values()\n"
    "c += collections.Counter(q=2)\na = [n * x for n in v]",
    "import collections\nq = collections.deque(a)\nq.appendleft(y * y)\nq.rotate(1)\n"
    "a = [q.popleft(), q[0]]",
    "import collections\nq = collections.deque([y], 3)\nq.extendleft(a)\na = list(q)",
    "import collections\nq = collections.defaultdict(list)\nfor v in a:\n"
    "    q[v > 1.0].append(v * v)\n"
    "a = q[True] + q[False]",
    "import collections\nq = collections.OrderedDict(d)\nq.move_to_end('p')\nd = q",
    "import collections\nP = collections.namedtuple('P', 'u v')\np = P(x, v=x * y)\n"
    "p = p._replace(u=p.v * y)\na = [p.u, p[1], *p]",
    "b = bytearray(b'ab')\na[0] = x * x\ndel b[0]\na[0] = a[0] * b[0]",
]


@pytest.mark.parametrize("body", BODIES, ids=lambda v: v.split("\n")[0])
@pytest.mark.sweep(8)
def test_changes(body):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    held("def f(x, y):\n    a = [x, y, x * y]\n    d = {'p': x, 'q': x * y}\n" + lines +
         "    s = 0.0\n    for k, v in enumerate(a):\n        s = s + (k + 1.0) * v * v\n"
         "    for k, v in enumerate(d.values()):\n        s = s + (k + 0.5) * v * v\n"
         "    return s\n", "1.3, 0.7", wrt=(0, 1))


ARGUMENTS = [
    ("{'w': np.array([1.5, 0.7]), 'b': 2.0}",
     "def f(p):\n    p['w'][0] = p['b']\n    p['b'] = p['w'][1] * p['b']\n"
     "    return p['b'] * p['w'][0]\n"),
    ("[1.5, [0.7, 2.2]]", "def f(p):\n    p[1].append(p[0])\n    p[0] = 0.0\n"
     "    return p[1][2] * p[1][0]\n"),
    ("(1.5, np.array([0.7, 2.2]))", "def f(p):\n    a, w = p\n    w *= a\n"
     "    return np.sum(w * w)\n"),
    ("{'a': {'b': [1.5]}, 'c': 2.0}",
     "def f(p):\n    q = p['a']\n    q['b'][0] *= p['c']\n    p['d'] = q\n"
     "    return p['d']['b'][0] ** 2\n"),
    ("[np.array([1.5, 0.7]), np.array([2.0, 3.0])]",
     "def f(p):\n    p[0], p[1] = p[1], p[0]\n    p[0][0] = p[1][1]\n"
     "    return np.sum(p[0] * p[1])\n"),
    ("{'a': 1.5}", "def f(p):\n    p.clear()\n    p['a'] = 2.0\n    return p['a'] * 3.0\n"),
]


@pytest.mark.parametrize("given, text", ARGUMENTS)
def test_arguments_that_are_containers(given, text):
    held(text, given)


def test_deques_given_to_functions_with_rules():
    held("""
import collections

def f(x):
    d = collections.deque([x, 2.0 * x], maxlen=3)
    again = d
    again.append(x * x)
    again.appendleft(x)
    return np.sum(np.array(d) ** 2) * np.mean(d)
""", "1.5")
