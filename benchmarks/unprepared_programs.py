"""Programs of scientists' work that nobody prepared for, and the gradient by hand of each:
likelihoods, nets, processes, filters. `unprepared.py` times them; more are in `unprepared_more.py`.
"""
import numpy as np

R = np.random.default_rng(0)
PROGRAMS = {}


def prog(*args, wrt=0):
    def deco(f):
        PROGRAMS[f.__name__] = [f, args, wrt, None]
        return f

    return deco


def hand(f):
    PROGRAMS[f.__name__.removesuffix("_hand")][3] = f
    return f


n = 2000
# Poisson regression
X = R.normal(size=(n, 20)) * 0.1
y = R.poisson(1.0, n).astype(float)


@prog(R.normal(size=20), X, y)
def poisson(w, X, y):
    eta = X @ w
    return np.sum(np.exp(eta) - y * eta)


@hand
def poisson_hand(w, X, y):
    return (np.exp(X @ w) - y) @ X


# Ridge huber
@prog(R.normal(size=20), X, y, 0.7)
def huber(w, X, y, d):
    r = X @ w - y
    a = np.abs(r)
    return np.sum(np.where(a < d, 0.5 * r * r, d * (a - 0.5 * d))) + 0.1 * np.sum(w**2)


@hand
def huber_hand(w, X, y, d):
    r = X @ w - y
    return np.where(np.abs(r) < d, r, d * np.sign(r)) @ X + 0.2 * w


# Layer norm + linear
H = R.normal(size=(64, 128))
G = R.normal(size=128)
W = R.normal(size=(128, 32)) * 0.1


@prog(H, G, G * 0.1, W, wrt=(0, 1, 2, 3))
def layernorm(h, g, b, W):
    mu = np.mean(h, axis=1, keepdims=True)
    var = np.mean((h - mu) ** 2, axis=1, keepdims=True)
    z = (h - mu) / np.sqrt(var + 1e-5)
    o = (z * g + b) @ W
    return np.sum(o**2)


@hand
def layernorm_hand(h, g, b, W):
    mu = h.mean(axis=1, keepdims=True)
    c = h - mu
    s = np.sqrt(np.mean(c**2, axis=1, keepdims=True) + 1e-5)
    z = c / s
    a = z * g + b
    bo = 2 * (a @ W)
    ba = bo @ W.T
    bz = ba * g
    bh = (bz - bz.mean(axis=1, keepdims=True) - z * np.mean(bz * z, axis=1, keepdims=True)) / s
    return bh, np.sum(ba * z, axis=0), ba.sum(axis=0), a.T @ bo


# Attention
Q = R.normal(size=(64, 32))
K = R.normal(size=(64, 32))
V = R.normal(size=(64, 32))


@prog(Q, K, V, wrt=(0, 1, 2))
def attention(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[1])
    e = np.exp(s - np.max(s, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return np.sum((p @ v) ** 2)


@hand
def attention_hand(q, k, v):
    c = 1 / np.sqrt(q.shape[1])
    s = q @ k.T * c
    e = np.exp(s - s.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    bo = 2 * (p @ v)
    bp = bo @ v.T
    bs = p * (bp - np.sum(bp * p, axis=1, keepdims=True))
    bs *= c
    return bs @ k, bs.T @ q, p.T @ bo


# GP
t = np.sort(R.uniform(0, 10, 120))
yy = np.sin(t)


@prog(1.0, 1.2, 0.3, t, yy, wrt=(0, 1, 2))
def gp(amp, length, noise, t, y):
    d = t[:, None] - t[None, :]
    K = amp**2 * np.exp(-0.5 * (d / length) ** 2) + noise**2 * np.eye(len(t))
    L = np.linalg.cholesky(K)
    a = np.linalg.solve(L, y)
    return 0.5 * a @ a + np.sum(np.log(np.diag(L)))


@hand
def gp_hand(amp, length, noise, t, y):
    d2 = (t[:, None] - t[None, :]) ** 2
    E = np.exp(-0.5 * d2 / length**2)
    K = amp**2 * E + noise**2 * np.eye(len(t))
    Ki = np.linalg.inv(K)
    a = Ki @ y
    bK = 0.5 * (Ki - np.outer(a, a))
    g = bK * E
    return 2 * amp * g.sum(), amp**2 * np.sum(g * d2) / length**3, 2 * noise * np.trace(bK)


# GP by solve+slogdet
@prog(1.0, 1.2, 0.3, t, yy, wrt=(0, 1, 2))
def gp2(amp, length, noise, t, y):
    d = t[:, None] - t[None, :]
    K = amp**2 * np.exp(-0.5 * (d / length) ** 2) + noise**2 * np.eye(len(t))
    return 0.5 * y @ np.linalg.solve(K, y) + 0.5 * np.linalg.slogdet(K)[1]


@hand
def gp2_hand(amp, length, noise, t, y):
    return gp_hand(amp, length, noise, t, y)


# Wave in 1D whole arrays
@prog(np.exp(-(np.linspace(-5, 5, 400) ** 2)), np.full(400, 0.5), 80, wrt=(0, 1))
def wave(u0, c, steps):
    up = u0.copy()
    u = u0.copy()
    for _ in range(steps):
        lap = np.zeros_like(u)
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        un = 2 * u - up + c * lap
        up = u
        u = un
    return np.sum(u**2)


@hand
def wave_hand(u0, c, steps):
    up = u0.copy()
    u = u0.copy()
    laps = []
    for _ in range(steps):
        lap = np.zeros_like(u)
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        laps.append(lap)
        up, u = u, 2 * u - up + c * lap
    bu = 2 * u
    bup = np.zeros_like(u)
    bc = np.zeros_like(c)
    for lap in reversed(laps):
        bc += bu * lap
        bl = (bu * c)[1:-1]
        b = 2 * bu + bup
        b[2:] += bl
        b[1:-1] -= 2 * bl
        b[:-2] += bl
        bu, bup = b, -bu
    return bu + bup, bc


# Mixture by broadcasting
D = R.normal(size=(1000, 2))
M = R.normal(size=(5, 2))
LW = R.normal(size=5)


@prog(M, np.zeros(5), LW, D, wrt=(0, 1, 2))
def mixture(mu, ls, lw, x):
    d = x[:, None, :] - mu
    q = -0.5 * np.sum(d**2, axis=2) * np.exp(-2 * ls) - 2 * ls
    a = q + lw - np.log(np.sum(np.exp(lw)))
    m = np.max(a, axis=1, keepdims=True)
    return -np.sum(m[:, 0] + np.log(np.sum(np.exp(a - m), axis=1)))


@hand
def mixture_hand(mu, ls, lw, x):
    d = x[:, None, :] - mu
    s = np.sum(d**2, axis=2)
    i = np.exp(-2 * ls)
    a = -0.5 * s * i - 2 * ls + lw
    e = np.exp(a - a.max(axis=1, keepdims=True))
    r = e / e.sum(axis=1, keepdims=True)
    tot = r.sum(axis=0)
    w = np.exp(lw)
    return (
        -np.einsum("nk,nkd->kd", r, d) * i[:, None],
        2 * tot - np.sum(r * s, axis=0) * i,
        len(x) * w / w.sum() - tot,
    )


# Kalman scalar
zs = np.cumsum(R.normal(size=300))


@prog(0.5, 1.0, zs, wrt=(0, 1))
def kalman(q, r, z):
    m = 0.0
    p = 1.0
    ll = 0.0
    for k in range(len(z)):
        p = p + q
        s = p + r
        v = z[k] - m
        ll = ll + 0.5 * (np.log(s) + v * v / s)
        g = p / s
        m = m + g * v
        p = (1 - g) * p
    return ll


@hand
def kalman_hand(q, r, z):
    m = 0.0
    p = 1.0
    rec = []
    for k in range(len(z)):
        p = p + q
        s = p + r
        v = z[k] - m
        g = p / s
        rec.append((p, s, v, g))
        m = m + g * v
        p = (1 - g) * p
    bm = bp = bq = br = 0.0
    for p, s, v, g in reversed(rec):
        bg = bm * v - bp * p
        bv = bm * g + v / s
        bp = bp * (1 - g) + bg / s
        bs = -bg * g / s + 0.5 / s - 0.5 * v * v / (s * s)
        bm -= bv
        bp += bs
        br += bs
        bq += bp
    return bq, br


# Conv by slices
S = R.normal(size=2000)
Kn = R.normal(size=9)


@prog(S, Kn, wrt=(0, 1))
def conv(x, k):
    m = len(x) - len(k) + 1
    y = np.zeros(m)
    for j in range(len(k)):
        y = y + k[j] * x[j : j + m]
    return np.sum(np.tanh(y))


@hand
def conv_hand(x, k):
    m = len(x) - len(k) + 1
    y = np.zeros(m)
    for j in range(len(k)):
        y += k[j] * x[j : j + m]
    by = 1 - np.tanh(y) ** 2
    bx = np.zeros_like(x)
    bk = np.empty_like(k)
    for j in range(len(k)):
        bk[j] = by @ x[j : j + m]
        bx[j : j + m] += k[j] * by
    return bx, bk


# Matrix factorisation
A = R.normal(size=(200, 100))
U = R.normal(size=(200, 8))
Vv = R.normal(size=(100, 8))
Mask = (R.random((200, 100)) < 0.3).astype(float)


@prog(U, Vv, A, Mask, wrt=(0, 1))
def factor(U, V, A, mask):
    r = mask * (U @ V.T - A)
    return np.sum(r**2) + 0.1 * (np.sum(U**2) + np.sum(V**2))


@hand
def factor_hand(U, V, A, mask):
    r = 2 * (mask * mask * (U @ V.T - A))
    return r @ V + 0.2 * U, r.T @ U + 0.2 * V
