"""Dicts in dicts, objects, histories and growing lists that have a second name when they change:
bodies of functions of an array x, each compared with central differences of what Python computes.
"""

PROGRAMS = """\
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
