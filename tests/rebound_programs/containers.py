"""Arrays, lists, dicts and objects that a call changes, or whose names it binds anew."""
import numpy as np

from tests.rebound_programs.shared import program


class Holder:
    def __init__(self, v):
        self.v = v

    def bump(self):
        self.v = self.v*2
        return self.v


@program
def array_in_place(x):
    a = np.array([x, 2*x])
    b = a
    def h():
        nonlocal a
        a = a*3
        return a
    a += h()
    return np.sum(a*b)


@program
def part_of_the_old_array(x):
    a = np.array([x, 2*x])
    b = a
    def h():
        nonlocal a
        a = a*3
        return x
    a[0] += h()
    return np.sum(a*b)


@program
def loop_over_a_rebound_list(x):
    c = [x, 2*x]
    s = 0.0
    def h():
        nonlocal c
        c = [x*5, x*7]
        return 1.0
    for v in c:
        s += v*h()
    return s*c[0]


@program
def value_before_index(x):
    c = x*1.0
    def h():
        nonlocal c
        c = c*2
        return c
    a = np.array([x, x*x, 3.0])
    a[int(h()*0)] = c
    return np.sum(a)


@program
def owner_behind_the_value(x):
    a = np.array([x, 2*x])
    def h():
        nonlocal a
        a = np.array([5.0, x*x])
        return 1
    a[h()] = x*7
    return np.sum(a)


@program
def owner_before_the_index(x):
    a = np.array([x, 2*x])
    b = a
    def h():
        nonlocal a
        a = np.array([5.0, x*x])
        return 1
    a[h()] *= x*7
    return np.sum(a*b)


@program
def old_list_grows(x):
    c = [x, x]
    def h():
        nonlocal c
        c = [x*2, x*3, x*4]
        return x*9
    c.append(h())
    return c[0]*c[-1]


@program
def old_list_is_extended(x):
    c = [x, x]
    d = c
    def h():
        nonlocal c
        c = [x*2, x*3, x*4]
        return x*9
    c += [h()]
    return c[0]*c[-1]*len(c)+d[-1]


@program
def tuples(x):
    c = (x, x*x)
    def h():
        nonlocal c
        c = (c[1], c[0]*x)
        return c
    return c[0]*h()[1]+c[1]


@program
def part_of_the_old_dict(x):
    c = {"a": x}
    def h():
        nonlocal c
        c = {"a": c["a"]*x}
        return c["a"]
    c["a"] += h()
    return c["a"]*x


@program
def slice_is_a_view(x):
    a = np.array([x, 2*x, 3*x])
    def h():
        a[0] = x*x
        a[1] = 5*x
        return x
    a[0:2] += h()
    return np.sum(a*np.array([1., 2., 3.]))


@program
def methods_of_arrays(x):
    c = np.array([x, x*x])
    def h():
        nonlocal c
        c = c*2
        return x
    return np.sum(c[1:]*h()) + (c*h()).sum() + c.sum()*h() + c.dot(c*h()) + c[0]*h()*c[1]


@program
def part_of_an_array_with_two_names(x):
    a = np.array([x, 2*x])
    def h():
        nonlocal a
        b = a
        a = a*3
        b[0] = 7*x
        return x
    a[0] += h()
    return np.sum(a)


@program
def index_and_step(x):
    it = [x, x*2, x*3]
    k = 0
    def nxt():
        nonlocal k
        k += 1
        return it[k-1]
    return it[k]*nxt() + it[k]*nxt()*it[k]


@program
def part_of_a_dict(x):
    st = {"c": x}
    def h():
        st["c"] = st["c"]*2
        return x
    return st["c"]*h()*st["c"]


@program
def part_of_a_list(x):
    l = [x, x]
    def h():
        l[0] = l[0]*2
        return x
    return l[0]*h()*l[0] + sum(l)*h()*sum(l)


@program
def attribute_of_a_rebound_object(x):
    o = Holder(x)
    p = Holder(x*3)
    o2 = o
    def h():
        nonlocal o
        o = p
        return x
    o.v *= h()
    return o.v*x + o2.v


@program
def indices_of_two_axes(x):
    a = np.array([[x, x*2], [x*3, x*4]])
    i = 0
    def nxt():
        nonlocal i
        i = 1-i
        return i
    s = a[i, nxt()]*a[nxt(), i] + a[i][nxt()]
    a[i, nxt()] = x*9
    a[i:nxt()+1, i] = x*11
    return s*a[0, 1]+a[1, 0]+a[0,0]*x+a[1,1]


@program
def swap_by_steps(x):
    i = 0
    v = [x, x*2, x*3]
    def nxt():
        nonlocal i
        i += 1
        return i
    v[i], v[nxt()] = v[nxt()], v[i]
    return v[0]+v[1]*2+v[2]*5


@program
def rebound_in_place(x):
    c = np.array([x, x*x])
    def h():
        nonlocal c
        c *= 2
        return c
    d = c
    return np.sum(c*h()) + np.sum((c+1)*h()) + d[0]


@program
def written_and_not_rebound(x):
    c = np.array([x, x*x])
    def h():
        c[0] = 7*x
        return x
    y = c*h()
    c += h()
    return np.sum(y*c) + np.sum(c[:1]*h())


@program
def deleted_part(x):
    a = [x, x*2]
    c = 0
    def h():
        nonlocal c
        c += 1
        return c
    del a[h()-1]
    return a[c-1]*c


@program
def slice_of_a_rebound_array(x):
    a = np.array([x, 2*x, 3*x])
    b = a
    def h():
        nonlocal a
        a[0] = x*x
        a = a*2
        return x
    a[0:2] += h()
    a *= h()
    return np.sum(a*np.array([1., 2., 3.])*b)


@program
def attribute_before_its_method(x):
    o = Holder(x)
    o.v += o.bump()
    return o.v


@program
def array_of_an_object(x):
    o = Holder(np.array([x, x*2]))
    def h():
        o.v = o.v*3
        return x
    o.v[0] += h()
    return np.sum(o.v)
