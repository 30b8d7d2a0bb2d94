"""try: the backward pass follows the way that was taken."""
import math

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_names, refused_by_names
from tests.passes.effects import holds
from tests.passes.test_contexts import noisy


def cube(x):
    if x < 0:
        raise ValueError("n")
    return x * x * x


def binds_in_both(x):
    try:
        a = math.sqrt(x)
        b = a * x
    except ValueError:
        a = 1.0
        b = x * x
    return a * b


def left_halfway(x):
    s = x
    try:
        s = s * 2
        t = math.sqrt(x)
    except ValueError:
        t = 0.0
    return s + t


def counts_tries(x):
    tries = 0
    while True:
        try:
            tries += 1
            y = math.sqrt(x)
            break
        except ValueError:
            x = x + 1.0
            if tries > 10:
                raise
    return y * tries * x


def raises_from(x):
    try:
        try:
            y = math.log(x)
        except ValueError as e:
            print("inner", e)
            raise ArithmeticError("bad") from e
        finally:
            print("fin")
    except ArithmeticError as e2:
        print(e2)
        y = x * x
    return y


def writes_elements(xs):
    out = np.zeros(len(xs))
    for i in range(len(xs)):
        try:
            out[i] = math.sqrt(xs[i])
        except ValueError:
            out[i] = xs[i] * xs[i]
    return np.sum(out * out * out)


def loop_inside(xs):
    s = 0.0
    for i in range(len(xs)):
        try:
            v = xs[i]
            for k in range(3):
                v = v * v - 0.5
                s2 = math.log(v)
            r = s2 * v
        except ValueError:
            r = xs[i] * 3.0
        s = s + r * r
    return s


def returns_with_finally(x):
    try:
        return math.sqrt(x)
    except ValueError:
        return x * x
    finally:
        print("bye")


def exits_with_finally(x):
    for i in range(5):
        try:
            if i == 3:
                break
            if i == 1:
                continue
            x = x * math.sqrt(i + 1)
        finally:
            print("f", i)
    return x


def several_handlers(x):
    try:
        d = {"a": 1}
        k = d["b"]
    except (KeyError, IndexError):
        k = 2
    except ValueError:
        k = 3
    except Exception as e:
        k = 4
    else:
        k = 5
    return x ** k


def raises_inside(xs):
    s = 0.0
    for x in xs:
        try:
            if x < 0:
                raise ValueError("neg")
            if x > 10:
                raise KeyError
            s = s + x * x
        except ValueError:
            s = s - x
        except KeyError:
            s = s * 2
    return s


def helper_fails(x):
    try:
        y = cube(x)
    except ValueError:
        y = cube(-x) * 2
    return y * y


def all_parts(x):
    try:
        y = x * x
    except ValueError:
        y = 0.0
    else:
        y = y * x
    finally:
        print("done", y)
    return y


def prints_what_was_bound(x):
    n = 0
    try:
        n = 1
        y = math.sqrt(x)
        n = 2
    except ValueError:
        print(n)
        y = x * n
    return y * n


def else_with_context(x):
    with noisy("q"):
        try:
            y = math.sqrt(x)
        except ValueError:
            return x * 5
        else:
            with noisy("r"):
                return y * y * y


def keeps_the_old_value(x):
    y = x
    try:
        y = math.sqrt(x)
    except ValueError:
        pass
    return y * y * y


def integer_division(x):
    z = int(x)
    try:
        w = 1 // z
    except ZeroDivisionError:
        return x * x
    return x * x * x


def context_in_try(xs):
    best = 0.0
    for i in range(len(xs)):
        try:
            with noisy(i):
                v = math.log(xs[i])
                best = max(best, v)
        except ValueError:
            break
    else:
        best = best * 2
    return best


def bare_except(x):
    try:
        y = math.sqrt(x)
    except:  # noqa: E722
        y = -x
    return y


def handler_hides_a_name(x):
    e = None
    try:
        y = math.sqrt(x)
    except ValueError as e:  # noqa: F811
        y = x
    return y * y


def calls_helper(x):
    return log_or_square(x, x + 1) * x


def log_or_square(a, b):
    try:
        return math.log(a) * b
    except ValueError:
        with noisy("h"):
            return b * b


def calls_writer(u):
    v = changed(u)
    w = changed(v * v)
    return np.sum(w * v)


def changed(u):
    u = u.copy()
    with np.errstate(invalid="ignore"):
        u[0] = np.sqrt(u[0])
        try:
            u[1] = math.log(u[1])
        except ValueError:
            u[1] = 7.0 * u[1]
    return u


def else_and_finally(xs):
    s = 0.0
    for x in xs:
        try:
            s += math.log(x)
        except ValueError:
            pass
        else:
            s *= 1.1
        finally:
            s += 0.5 * x
    return s


def looks_up(x, d):
    try:
        v = d["a"]["b"]
    except (KeyError, TypeError):
        v = 1.5
    return v * x * x


def list_grows(xs):
    out = []
    for x in xs:
        try:
            out.append(math.sqrt(x))
        except ValueError:
            out.append(x * x)
    return sum(out)


def goes_on(x):
    for _ in range(2):
        try:
            x = math.sqrt(x)
        except ValueError:
            x = 1.0 - x
        x = x - 3.0
    return x


def breaks_with_finally(x):
    y = 1.0
    for i in range(3):
        try:
            y = y * math.sqrt(x - i)
        except ValueError:
            y = y * x
            break
        finally:
            x = x * 0.9
    return y * x


def array(*values):
    return np.array(values)


@pytest.mark.parametrize("function, x", [
    *((f, x) for x in (2.0, -2.0) for f in (
        binds_in_both, raises_from, returns_with_finally, helper_fails, prints_what_was_bound,
        else_with_context, keeps_the_old_value, bare_except, handler_hides_a_name, calls_helper)),
    (counts_tries, 2.0), (counts_tries, -2.5), (exits_with_finally, 2.0), (several_handlers, 2.0),
    (all_parts, 2.0), (integer_division, 2.5), (integer_division, 0.5), (goes_on, 2.0),
    (goes_on, 10.0), (goes_on, 20.0), (breaks_with_finally, 5.0), (breaks_with_finally, 1.5),
    (breaks_with_finally, 0.5), (writes_elements, array(1.0, -2.0, 3.0)),
    (writes_elements, array(-1.0, -2.0)), (raises_inside, array(1.0, -2.0, 20.0, 3.0)),
    (calls_writer, array(1.0, 2.0)), (calls_writer, array(1.0, -2.0)),
    (else_and_finally, array(1.0, -2.0, 3.0)), (list_grows, array(1.0, -2.0, 4.0))])
def test_holds(function, x):
    holds(function, x)


@pytest.mark.parametrize("d", [{"a": {"b": 2.0}}, {"c": 1}, {"a": 1.0}])
def test_look_up(d):
    holds(looks_up, 2.0, d)


@pytest.mark.parametrize("function, x", [
    (left_halfway, 2.0), (loop_inside, array(1.5, 2.0)), (context_in_try, array(1.5, 2.5))])
def test_left_halfway(function, x):
    """By names, what the body binds before it fails must not be read afterwards."""
    refused_by_names(tl.UnsupportedSyntaxError, function, x, match="may be left halfway")
    holds(function, x)


def jitter(A, n):
    added = 1e-3
    for _ in range(n):
        try:
            L = np.linalg.cholesky(A + added * np.eye(2))
            break
        except np.linalg.LinAlgError:
            added *= 10.0
    return np.sum(L)


@pytest.mark.parametrize("low", [2.0, 0.98, 0.6])
def test_growing_jitter(low):
    A = np.array([[1.0, 1.0], [1.0, low]])
    added = next(a for a in (1e-3, 1e-2, 1e-1, 1.0)
                 if np.all(np.linalg.eigvalsh(A + a * np.eye(2)) > 0.0))

    def plain(A):
        return np.sum(np.linalg.cholesky(A + added * np.eye(2)))

    assert np.allclose(tl.grad(jitter)(A, 5), tl.grad(plain)(A))


def test_it_reads_as_the_user_wrote_it():
    text = tl.grad(jitter).source
    assert "except np.linalg.LinAlgError:" in text
    assert "del L_tape[L_tape_length:]" in text         # of the attempt that failed


def steps_fail(x, n):
    y = x
    for i in range(n):
        try:
            t = y
            for k in range(3):
                t = t * t
                if k == 1 and i == 1:
                    raise ValueError
            z = t
        except ValueError:
            z = y + 1.0
        y = 0.5 * z
    return y


def test_what_a_failed_attempt_recorded_is_dropped():
    holds(steps_fail, 1.1, 4)


def test_a_pullback_runs_again():
    _, pullback = tl.vjp(goes_on, 10.0)
    assert pullback(1.0) == pullback(1.0)


def no_longer_there(x):
    try:
        y = math.sqrt(x)
    except ValueError as error:
        y = x
    print(error)
    return y


def test_the_exception_is_gone_behind_its_handler():
    with pytest.raises(UnboundLocalError):
        no_longer_there(-1.0)
    with pytest.raises(NameError):
        tl.value_and_grad(no_longer_there)(-1.0)


def exit_in_finally(x):
    for _ in range(2):
        try:
            x = x * x
        finally:
            break
    return x


def test_an_exit_in_finally_is_refused():
    with pytest.raises(tl.UnsupportedSyntaxError, match="an exit in `finally`"):
        tl.grad(exit_in_finally)(2.0)


def always_raises(x):
    k = 1
    y = x * x
    try:
        try:
            k = 2
            if y > 0.0:
                raise KeyError("a")
            raise ValueError("b")
        finally:
            k = k + 1
            print("left", k)
        k = 7
    except LookupError as error:
        print(error, k)
    return y * k


def test_finally_behind_a_raise():
    holds(always_raises, 2.0)


def goes_on_after(x):
    s = x
    try:
        s = math.sin(x)
        math.sqrt(x - 1.0)
    except ValueError:
        pass
    return s * s


@pytest.mark.parametrize("x", [0.3, 1.7])
def test_forward_mode_knows_how_far_a_body_came(x):
    """The tangents of a body stand behind it, where one that fails does not come."""
    assert tl.jvp(goes_on_after, (x,), (1.0,))[1] == pytest.approx(math.sin(2.0 * x))
    with by_names(), pytest.raises(tl.UnsupportedSyntaxError, match="left halfway: s is bound"):
        tl.jvp(goes_on_after, (x,), (1.0,))
