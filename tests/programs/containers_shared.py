"""Lists, dicts and objects that have a second name, or are held by another one, when they change:
bodies of functions of an array x, each compared with central differences of what Python computes.
"""

PROGRAMS = """\
inner = [x]
t = [inner][:]
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner].copy()
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner] + []
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
s = t[:]
u = s[0]
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = {'a': inner}
s = t.copy()
u = s['a']
u.append(3 * x)
return np.sum(inner[-1])

inner = {'v': x}
t = [inner]
s = t[:]
s[0]['v'] = 3 * x
return np.sum(inner['v'])

inner = [x]
t = [inner] * 2
t[0][0] = 3 * x
return np.sum(t[1][0]) + np.sum(inner[0])

inner = [x]
t = list([inner])
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = tuple([inner])
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
u = sorted(t, key=len)[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [p for p in [inner]]
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = list(reversed([inner]))
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = dict(a=inner)
u = t.get('a')
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = dict(a=inner)
for v in t.values():
    v[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = copy.copy([inner])
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = []
t.append(inner)
t2 = t[::-1]
u = t2[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
t2 = [*t]
u = t2[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
t2 = t
t2 = t2[:]
u, = t2
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
u, = t[:]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
u = t.pop()
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
t += [[x]]
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = []
t.extend([inner])
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [[x], [x]]
t[0:1] = [inner]
u = t[0]
u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
for u in t[:]:
    u[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
for k, u in enumerate(t.copy()):
    u[k] = 3 * x
return np.sum(inner[0])

inner = [x]
t = []
t.append(inner)
inner[0] = 3 * x
return np.sum(t[0][0])

inner = [x]
t = [None]
t[0] = inner
inner[0] = 3 * x
return np.sum(t[0][0])

inner = [x]
t = {}
t['k'] = inner
inner[0] = 3 * x
return np.sum(t['k'][0])

inner = [x]
t = []
t.append(inner)
t[0][0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = []
t.insert(0, inner)
inner.append(3 * x)
return np.sum(t[0][-1])

inner = [x]
t = []
t += [inner]
inner.append(3 * x)
return np.sum(t[0][-1])

t = [[x] for _ in range(2)]
s = t[::-1]
for a, b in zip(t, s):
    a.append(np.sum(b[0]) * x)
return np.sum(s[0][-1])

inner = [x]
t = []
for q in range(2):
    t.append(inner)
t[1].append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = [inner]
d = {'z': t[:]}
d['z'][0].append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = (inner,)
s = t + (inner,)
s[1].append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = (inner,)
s = t[:1]
s[0].append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = [inner]
t.reverse()
t[0].append(3 * x)
return np.sum(inner[-1])

inner = [x]
a = {'p': inner}
b = dict(a)
b['p'].append(3 * x)
return np.sum(inner[-1])

inner = [x]
a = {'p': inner}
b = {**a, 'q': 1.0}
b['p'].append(3 * x)
return np.sum(inner[-1])

inner = [x]
a = {'p': inner}
b = a | {'q': [x]}
b['p'].append(3 * x)
return np.sum(inner[-1])

inner = [x]
a = {'p': inner}
b = {}
b.update(a)
b['p'].append(3 * x)
return np.sum(inner[-1])

inner = [x]
a = {}
u = a.setdefault('p', inner)
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = [inner, [2 * x]]
t.sort(key=len)
t[0].append(3 * x)
return np.sum(inner[-1])

inner = [x]
other = [2 * x]
u = inner if x[0] > 0 else other
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
other = [2 * x]
u = other or inner
v = u
v.append(3 * x)
return np.sum(other[-1])

inner = [x]
other = [2 * x]
u = max(inner, other, key=len)
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
u, v = (inner, [inner])
u[0] = 3 * x
return np.sum(v[0][0])

def get(t):
    return t[0]
inner = [x]
u = get([inner][:])
u[0] = 3 * x
return np.sum(inner[0])

def get(t):
    return t[:]
inner = [x]
u = get([inner])
u[0][0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
while True:
    u = t[:][0]
    u[0] = 3 * x
    break
return np.sum(inner[0])

inner = [x]
t = [[inner]]
u = t[0]
v = u[:]
w = v[0]
w[0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
del t[1:]
t[0][0] = 3 * x
return np.sum(inner[0])

inner = [x]
t = [inner]
t[0] += [3 * x]
return np.sum(inner[-1])

inner = [x]
t = [inner]
t[0] = t[0] + [3 * x]
return np.sum(inner[-1])

inner = [x]
z = list(zip([inner], [2]))
for u, k in z:
    u.append(k * x)
return np.sum(inner[-1])

inner = [x]
d = {'a': inner}
for k, u in d.items():
    u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
d = {'a': inner}
for k, u in dict(d).items():
    u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = [inner]
u = t.copy().pop()
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = [inner]
u = list(map(lambda q: q, t))[0]
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = [inner]
u = [q for q in t if len(q) > 0][0]
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = [inner]
u = next(iter(t))
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
t = [inner]
s = set([0])
u = [t[i] for i in s][0]
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
d = {'a': inner}
u = [v for v in d.values()][0]
u.append(3 * x)
return np.sum(inner[-1])

inner = [x]
d = {'a': inner}
u = list(d.values())
u[0].append(3 * x)
return np.sum(inner[-1])

inner = {'v': x}
state = {'p': inner, 'q': inner}
state['p']['v'] = 3 * x
return np.sum(state['q']['v'])

rows = [{'v': x}] * 2
rows[0]['v'] = 3 * x
return np.sum(rows[1]['v'])

rows = [{'v': x} for _ in range(2)]
rows[0]['v'] = 3 * x
return np.sum(rows[1]['v'])

rows = []
for _ in range(3):
    rows.append({'v': x})
for r in rows:
    r['v'] = r['v'] * x
return np.sum(rows[1]['v'])

rows = [{'v': x} for _ in range(2)]
rows[0] = rows[1]
rows[0]['v'] = 3 * x
return np.sum(rows[1]['v'])

d = {'v': x}
rows = []
for _ in range(3):
    rows.append(d)
rows[0]['v'] = 3 * x
return np.sum(rows[1]['v'])

d = {'v': x}
rows = []
for _ in range(3):
    rows.append(d.copy())
rows[0]['v'] = 3 * x
return np.sum(rows[1]['v'] + rows[0]['v'])

s = {'a': {'b': {'v': x}}}
q = s['a']
s['a']['b']['v'] = 3 * x
return np.sum(q['b']['v'])

s = {'a': {'b': {'v': x}}}
q = s['a']
q['b']['v'] = 3 * x
return np.sum(s['a']['b']['v'])

s = {'a': {'b': {'v': x}}}
s['c'] = s['a']['b']
s['a']['b']['v'] = 3 * x
return np.sum(s['c']['v'])

s = {'a': {'v': x}, 'b': {'v': x}}
s['a'], s['b'] = (s['b'], s['a'])
s['a']['v'] = 3 * x
return np.sum(s['b']['v'] + s['a']['v'])

s = {'a': {'v': x}}
s['b'] = dict(s['a'])
s['a']['v'] = 3 * x
return np.sum(s['b']['v'] + s['a']['v'])

o = Node(x)
p = Node(2 * x)
o.kids.append(p)
o.kids[0].v = 3 * x
return np.sum(p.v)

o = Node(x)
p = Node(2 * x)
o.child = p
o.child.v = 3 * x
return np.sum(p.v)

o = Node(x)
p = Node(2 * x)
o.child = p
p.v = 3 * x
return np.sum(o.child.v)

o = Node(x)
o.child = Node(2 * x)
o.child.v = 3 * x
return np.sum(o.child.v)

o = Node(x)
o.child = o
o.child.v = 3 * x
return np.sum(o.v)

s = {'h': [x]}
for _ in range(3):
    s['h'].append(s['h'][-1] * x)
return np.sum(s['h'][-1])

h = [x]
s = {'h': h}
for _ in range(3):
    s['h'].append(h[-1] * x)
return np.sum(s['h'][-1])

hist = []
st = {'v': x}
for _ in range(3):
    hist.append(st)
    st['v'] = st['v'] * x
return np.sum(hist[0]['v'])

hist = []
st = {'v': x}
for _ in range(3):
    hist.append(dict(st))
    st['v'] = st['v'] * x
return np.sum(hist[0]['v'] + hist[2]['v'])

hist = []
st = {'v': x}
for _ in range(3):
    hist.append(st)
    st = {**st, 'v': st['v'] * x}
return np.sum(hist[0]['v'] + hist[2]['v'])

a = [x]
b = a
a = [2 * x]
b.append(3 * x)
return np.sum(b[-1] + a[-1])

a = [x]
b = [2 * x]
for _ in range(3):
    a, b = (b, a)
    a.append(b[-1] * x)
return np.sum(b[-1] + a[-1])

a = [x]
c = a
while len(a) < 4:
    a.append(c[-1] * x)
return np.sum(c[-1])

try:
    a = [x]
    c = [a]
    c[0].append(3 * x)
    float('q')
except ValueError:
    return np.sum(a[-1])
return np.sum(x)

a = [x]
b = a if x[0] > 100 else [2 * x]
b.append(3 * x)
return np.sum(a[-1])

groups = {}
for k in ('p', 'q', 'p'):
    groups.setdefault(k, []).append(x * len(groups))
return np.sum(sum(groups['p']))

a = [[x], [x]]
for r in a:
    r.append(r[0] * 2)
return np.sum(a[0][1] * a[1][1])

a = [[x], [x]]
a[0], a[1] = (a[1], a[0])
a[0].append(3 * x)
return np.sum(a[0][-1] + a[1][-1])

def push(t, v):
    t.append(v)
a = [x]
b = [a]
push(b[0], 3 * x)
return np.sum(a[-1])

def put(o, t):
    o['k'] = t
a = [x]
d = {'k': [x]}
put(d, a)
d['k'].append(3 * x)
return np.sum(a[-1])

from collections import deque
a = [x]
d = deque([a])
d[0].append(3 * x)
return np.sum(a[-1])

a = [x]
d = set()
t = (a, 1)
t[0].append(3 * x)
return np.sum(a[-1])
""".split("\n\n")
