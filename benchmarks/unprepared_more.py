"""More programs of scientists' work that nobody prepared for, with gradients by hand:
energies, images, embeddings, recurrences. `unprepared.py` times them.
"""
import numpy as np
from unprepared_programs import R, X, hand, prog, y, zs

# N-body energy vectorised
pos = R.normal(size=(100, 3))


@prog(pos, R.random(100), wrt=(0, 1))
def nbody(x, m):
    d = x[:, None, :] - x[None, :, :]
    r = np.sqrt(np.sum(d**2, axis=-1) + 0.01)
    return -0.5 * np.sum(m[:, None] * m[None, :] / r)


@hand
def nbody_hand(x, m):
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d**2, axis=-1) + 0.01
    i = 1 / np.sqrt(r2)
    w = m[:, None] * m * i / r2
    return np.einsum("ij,ijk->ik", w, d), -(i @ m)


# Cox
tx = R.normal(size=(500, 10)) * 0.3
ev = (R.random(500) < 0.7).astype(float)


@prog(R.normal(size=10), tx, ev)
def cox(w, X, e):
    eta = X @ w
    c = np.cumsum(np.exp(eta)[::-1])[::-1]
    return -np.sum(e * (eta - np.log(c)))


@hand
def cox_hand(w, X, e):
    ex = np.exp(X @ w)
    c = np.cumsum(ex[::-1])[::-1]
    return (ex * np.cumsum(e / c) - e) @ X


# AR(2)
@prog(np.array([0.5, 0.2]), 0.3, zs, wrt=(0, 1))
def ar2(phi, ls, y):
    r = y[2:] - phi[0] * y[1:-1] - phi[1] * y[:-2]
    return np.sum(0.5 * r**2 * np.exp(-2 * ls) + ls)


@hand
def ar2_hand(phi, ls, y):
    r = y[2:] - phi[0] * y[1:-1] - phi[1] * y[:-2]
    i = np.exp(-2 * ls)
    return np.array([-(r @ y[1:-1]) * i, -(r @ y[:-2]) * i]), len(r) - (r @ r) * i


# Image denoise TV
im = R.normal(size=(100, 100))


@prog(im, im * 0.9, 0.3)
def tv(u, f, lam):
    dx = u[1:, :-1] - u[:-1, :-1]
    dy = u[:-1, 1:] - u[:-1, :-1]
    return 0.5 * np.sum((u - f) ** 2) + lam * np.sum(np.sqrt(dx**2 + dy**2 + 1e-3))


@hand
def tv_hand(u, f, lam):
    dx = u[1:, :-1] - u[:-1, :-1]
    dy = u[:-1, 1:] - u[:-1, :-1]
    s = lam / np.sqrt(dx**2 + dy**2 + 1e-3)
    dx *= s
    dy *= s
    b = u - f
    b[1:, :-1] += dx
    b[:-1, 1:] += dy
    b[:-1, :-1] -= dx
    b[:-1, :-1] -= dy
    return b


# 16 2-layer net with softmax
W1 = R.normal(size=(50, 64)) * 0.1
W2 = R.normal(size=(64, 10)) * 0.1
Xb = R.normal(size=(128, 50))
lab = R.integers(0, 10, 128)


@prog(W1, np.zeros(64), W2, np.zeros(10), Xb, lab, wrt=(0, 1, 2, 3))
def net(W1, b1, W2, b2, x, lab):
    h = np.maximum(x @ W1 + b1, 0.0)
    o = h @ W2 + b2
    o = o - np.max(o, axis=1, keepdims=True)
    lp = o - np.log(np.sum(np.exp(o), axis=1, keepdims=True))
    return -np.mean(lp[np.arange(len(lab)), lab])


@hand
def net_hand(W1, b1, W2, b2, x, lab):
    h = np.maximum(x @ W1 + b1, 0.0)
    o = h @ W2 + b2
    e = np.exp(o - o.max(axis=1, keepdims=True))
    e /= e.sum(axis=1, keepdims=True)
    e[np.arange(len(lab)), lab] -= 1
    e /= len(lab)
    bh = (e @ W2.T) * (h > 0)
    return x.T @ bh, bh.sum(axis=0), h.T @ e, e.sum(axis=0)


# Black-scholes-like logistic growth Euler
@prog(0.1, 0.4, 1.5, 0.05, 200, np.linspace(0.1, 1.0, 200), wrt=(0, 1, 2))
def growth(x0, r, k, dt, n, obs):
    x = x0
    s = 0.0
    for i in range(n):
        x = x + dt * r * x * (1 - x / k)
        s = s + (x - obs[i]) ** 2
    return s


@hand
def growth_hand(x0, r, k, dt, n, obs):
    xs = [x0]
    x = x0
    for i in range(n):
        x = x + dt * r * x * (1 - x / k)
        xs.append(x)
    b = br = bk = 0.0
    for i in range(n - 1, -1, -1):
        b += 2 * (xs[i + 1] - obs[i])
        x = xs[i]
        br += b * dt * x * (1 - x / k)
        bk += b * dt * r * x * x / (k * k)
        b += b * dt * r * (1 - 2 * x / k)
    return b, br, bk


# Ising mean field / Sinkhorn
C = R.random((60, 60))


@prog(C, np.full(60, 1 / 60), 0.1, 20)
def sinkhorn(C, a, eps, n):
    K = np.exp(-C / eps)
    u = np.ones(len(a))
    for _ in range(n):
        v = a / (K.T @ u)
        u = a / (K @ v)
    return np.sum(u[:, None] * K * v * C)


@hand
def sinkhorn_hand(C, a, eps, n):
    K = np.exp(-C / eps)
    u = np.ones(len(a))
    rec = []
    for _ in range(n):
        u0 = u
        v = a / (K.T @ u)
        u = a / (K @ v)
        rec.append((u0, v, u))
    KC = K * C
    bu = KC @ v
    bv = u @ KC
    bK = np.outer(u, v) * C
    bC = np.outer(u, v) * K
    for u0, v, u in reversed(rec):
        s = -bu * u * u / a
        bK += np.outer(s, v)
        bv = bv + s @ K
        q = -bv * v * v / a
        bK += np.outer(u0, q)
        bu = K @ q
        bv = 0.0
    return bC - bK * K / eps


# Kernel ridge
Z = R.normal(size=(80, 4))
zy = R.normal(size=80)


@prog(np.zeros(4), 0.0, Z, zy, wrt=(0, 1))
def kernel(ll, ln, x, y):
    z = x * np.exp(-ll)
    s = np.sum(z**2, axis=1)
    d = s[:, None] + s[None, :] - 2 * z @ z.T
    K = np.exp(-0.5 * d) + np.exp(ln) * np.eye(len(y))
    return y @ np.linalg.solve(K, y)


@hand
def kernel_hand(ll, ln, x, y):
    w = np.exp(-ll)
    z = x * w
    s = np.sum(z**2, axis=1)
    E = np.exp(-0.5 * (s[:, None] + s - 2 * z @ z.T))
    a = np.linalg.solve(E + np.exp(ln) * np.eye(len(y)), y)
    bd = 0.5 * np.outer(a, a) * E
    bs = bd.sum(0) + bd.sum(1)
    bz = 2 * bs[:, None] * z - 2 * (bd + bd.T) @ z
    return -np.sum(bz * z, axis=0), -np.exp(ln) * (a @ a)


# Spectra fit: sum of gaussians
xs = np.linspace(0, 10, 1000)


@prog(
    np.array([1.0, 2, 3]),
    np.array([2.0, 5, 8]),
    np.array([0.5, 0.7, 1.0]),
    xs,
    np.sin(xs) ** 2,
    wrt=(0, 1, 2),
)
def peaks(a, c, w, x, y):
    m = np.zeros(len(x))
    for k in range(len(a)):
        m = m + a[k] * np.exp(-0.5 * ((x - c[k]) / w[k]) ** 2)
    return np.sum((m - y) ** 2)


@hand
def peaks_hand(a, c, w, x, y):
    m = -y
    zs = []
    es = []
    for k in range(len(a)):
        z = (x - c[k]) / w[k]
        e = np.exp(-0.5 * z * z)
        m = m + a[k] * e
        zs.append(z)
        es.append(e)
    ba = np.empty_like(a)
    bc = np.empty_like(a)
    bw = np.empty_like(a)
    for k in range(len(a)):
        g = 2 * m * es[k]
        ba[k] = g.sum()
        g *= zs[k]
        f = a[k] / w[k]
        bc[k] = f * g.sum()
        bw[k] = f * (g @ zs[k])
    return ba, bc, bw


# RBF embed/tsne
Yt = R.normal(size=(80, 2))
Pm = R.random((80, 80))
Pm /= Pm.sum()


@prog(Yt, Pm)
def tsne(y, p):
    s = np.sum(y**2, axis=1)
    num = 1 / (1 + s[:, None] + s[None, :] - 2 * y @ y.T)
    q = num / np.sum(num)
    return np.sum(p * (np.log(p) - np.log(q)))


@hand
def tsne_hand(y, p):
    s = np.sum(y**2, axis=1)
    num = 1 / (1 + s[:, None] + s - 2 * y @ y.T)
    b = (p - num / num.sum() * p.sum()) * num
    b = b + b.T
    return 2 * (b.sum(axis=1)[:, None] * y - b @ y)


# Variational bayes
@prog(
    R.normal(size=20),
    R.normal(size=20) * 0.1,
    R.normal(size=20),
    X,
    (y > 0).astype(float),
    wrt=(0, 1),
)
def elbo(mu, ls, eps, X, y):
    w = mu + np.exp(ls) * eps
    l = X @ w
    ll = np.sum(y * l - np.logaddexp(0.0, l))
    kl = 0.5 * np.sum(np.exp(2 * ls) + mu**2 - 1 - 2 * ls)
    return kl - ll


@hand
def elbo_hand(mu, ls, eps, X, y):
    s = np.exp(ls)
    l = X @ (mu + s * eps)
    bw = (1 / (1 + np.exp(-l)) - y) @ X
    return bw + mu, bw * eps * s + s * s - 1


# Rnn
Wh = R.normal(size=(32, 32)) * 0.1
Wx = R.normal(size=(8, 32)) * 0.1
xx = R.normal(size=(50, 8))


@prog(Wh, Wx, np.zeros(32), xx, wrt=(0, 1, 2))
def rnn(Wh, Wx, b, x):
    h = np.zeros(32)
    s = 0.0
    for t in range(len(x)):
        h = np.tanh(h @ Wh + x[t] @ Wx + b)
        s = s + np.sum(h**2)
    return s


@hand
def rnn_hand(Wh, Wx, b, x):
    hs = [np.zeros(32)]
    for t in range(len(x)):
        hs.append(np.tanh(hs[-1] @ Wh + x[t] @ Wx + b))
    bWh = np.zeros_like(Wh)
    bWx = np.zeros_like(Wx)
    bb = np.zeros_like(b)
    bh = np.zeros(32)
    for t in range(len(x) - 1, -1, -1):
        h = hs[t + 1]
        bz = (bh + 2 * h) * (1 - h * h)
        bWh += np.outer(hs[t], bz)
        bWx += np.outer(x[t], bz)
        bb += bz
        bh = Wh @ bz
    return bWh, bWx, bb


# Multivariate t / portfolio
Rt = R.normal(size=(500, 10)) * 0.01


@prog(np.full(10, 0.1), Rt, 3.0)
def portfolio(w, Rt, g):
    p = Rt @ w
    return -np.mean(p) + g * np.var(p) + 0.01 * np.sum(np.sqrt(w**2 + 1e-6))


@hand
def portfolio_hand(w, Rt, g):
    p = Rt @ w
    n = len(p)
    return ((2 * g / n) * (p - p.mean()) - 1 / n) @ Rt + 0.01 * w / np.sqrt(w**2 + 1e-6)


# HMM forward vectors
Tm = R.random((6, 6))
Tm /= Tm.sum(1, keepdims=True)
Em = R.random((6, 8))
Em /= Em.sum(1, keepdims=True)
ob = R.integers(0, 8, 100)


@prog(Tm, Em, ob, wrt=(0, 1))
def hmm(T, E, obs):
    a = np.ones(6) / 6
    ll = 0.0
    for o in obs:
        a = (a @ T) * E[:, o]
        c = np.sum(a)
        a = a / c
        ll = ll + np.log(c)
    return -ll


@hand
def hmm_hand(T, E, obs):
    a = np.ones(6) / 6
    rec = []
    for o in obs:
        p = a @ T
        a2 = p * E[:, o]
        c = a2.sum()
        rec.append((a, p, c, a2 / c))
        a = a2 / c
    bT = np.zeros_like(T)
    bE = np.zeros_like(E)
    ba = np.zeros(6)
    for o, (a0, p, c, a) in zip(obs[::-1], reversed(rec)):
        b = (ba - ba @ a - 1.0) / c
        bE[:, o] += b * p
        bp = b * E[:, o]
        bT += np.outer(a0, bp)
        ba = T @ bp
    return bT, bE
