"""Lists, tuples and dicts that a second one holds when they change: bodies of functions of an array
x, each compared with central differences of what Python computes.
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

d = {}
d.setdefault('z', []).append(x * x)
return np.sum(d['z'][0])

d = {}
d.setdefault('z', []).append(x * x)
return np.sum(sum(d['z']))

d = {'y': [x]}
u = d.setdefault('z', [])
u.append(x * x)
return np.sum(d['z'][0] * d['y'][0])

d = {}
d.setdefault('z', {})['q'] = x * x
return np.sum(d['z']['q'])

d = {}
d.setdefault('q', {}).setdefault('r', []).append(x * x)
return np.sum(d['q']['r'][0])

d = {}
d.setdefault('z', np.zeros(3))[1] += x[0] * x[2]
d['z'][0] += x[1] * d['z'][1]
return np.sum(d['z'])

d = {}
if x[0] > 0:
    d.setdefault('z', []).append(x * x)
else:
    d.setdefault('z', []).append(x)
u = d.setdefault('z', [])
u.append(x)
return np.sum(d['z'][0] * d['z'][1])

inner = [x]
d = {}
d.setdefault('z', inner).append(x * x)
return np.sum(inner[1])

d = {}
for k in range(0):
    d.setdefault('z', []).append(x * x)
return np.sum(d.setdefault('z', [x])[0])
""".split("\n\n")
