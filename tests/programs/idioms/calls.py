"""Calls: helpers, closures, lambdas, functions as values, recursion, partials, decorators."""

IDIOMS = {
    "closure_reads_active": """
        def $force($q):
            return <<$F * math.sin($q)|-$F * $q|math.tanh($q + $F)>> - $C * $q
        $out = $force($E) + <<$force($F)|0.5 * $force($C)|$F * $force(0.3)>>
        """,
    "closure_defined_then_changed": """
        $rate = $E
        def $decay($q):
            return $q * $rate
        $first = $decay($F1)
        $rate = $rate * $C + <<0.3|$F1>>
        $out = $first - $decay($first)
        """,
    "closure_in_loop": """
        $out = $E
        for $k in range($N):
            def $pull($q):
                return math.tanh($q * $out) + $C * $k
            $out = <<$pull($F)|0.5 * $pull($out)|$pull($F) * 0.7 + 0.1 * $out>>
        """,
    "late_binding": """
        $fs = []
        for $k in range(3):
            $fs.append(<<lambda $q: $q * $k + $F|lambda $q, $c=$k: $q * $c + $F>>)
        $out = 0.2 * sum($g($E) for $g in $fs)
        """,
    "factory": """
        def %make_spring(k, rest=$C):
            def spring(q):
                return -k * (q - rest) ** <<2|3|1>>
            return spring
        ====
        $spring = %make_spring(<<$F|$E|$F, $C>>)
        $out = math.tanh($spring($E1) + $spring($F1))
        """,
    "nonlocal_counter": """
        def %counted(q):
            total, calls = 0.0, 0
            def once(r):
                nonlocal total, calls
                calls += 1
                total = total + r * <<q|calls|q * calls>>
                return total
            once(q)
            once($C)
            return once(q * q) / calls
        ====
        $out = math.tanh(%counted($E))
        """,
    "higher_order": """
        def %simpson(f, a, b):
            m = 0.5 * (a + b)
            return (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b))
        ====
        $out = %simpson(<<lambda $t: math.sin($t * $F)|lambda $t: $t * $t + $F|math.tanh>>, <<0.0
            |$E>>, $F1)
        """,
    "newton_with_functions": """
        def %newton(f, df, start, steps):
            x = start
            for _ in range(steps):
                x = x - f(x) / df(x)
            return x
        ====
        $goal = 1.0 + $F ** 2
        $out = %newton(lambda $t: $t * $t - $goal, lambda $t: 2.0 * $t, 1.5, $N)
        """,
    "compose": """
        def %compose(*fs):
            def all_of(q):
                for f in fs:
                    q = f(q)
                return q
            return all_of
        ====
        $chain = %compose(<<math.sin, math.tanh|lambda $q: $q * $F, math.cos
            |np.tanh, lambda $q: $q - $F, np.sin>>)
        $out = $chain($E)
        """,
    "functions_in_dict": """
        $activations = {"tanh": math.tanh, "square": lambda $q: 0.3 * $q * $q,
                        "scaled": lambda $q: $q * $F}
        $out = $E
        for $name in [<<"tanh", "scaled"|"square"|"scaled", "square", "tanh">>]:
            $out = $activations[$name]($out) + $C * $F1
        """,
    "functions_in_tuple": """
        $layers = (math.sin, math.tanh, lambda $q: $q * $q - $F)
        $out = $F1
        for $layer in <<$layers|$layers[1:]|reversed($layers)>>:
            $out = $layer($out)
        """,
    "function_chosen_at_run_time": """
        def %steep(q):
            return math.tanh(3.0 * q)
        def %gentle(q, c=$C):
            return c * math.sin(q)
        ====
        $how = %steep if $K else %gentle
        $out = $how($E) * $how($F)
        """,
    "star_arguments": """
        def %weighted(first, *rest, scale=$C):
            total = first
            for k, r in enumerate(rest):
                total = total + r * (k + 1)
            return math.tanh(total * scale)
        ====
        $out = %weighted(<<$F|$F, $E|*[$F, $E, $F1]|$F, *($E, $F1), scale=$F2>>)
        """,
    "star_passes_on": """
        def %inner(a, b, c=$C):
            return math.sin(a) * b + c
        def %outer(*args, **kwargs):
            return 0.5 * %inner(*args, **kwargs)
        ====
        $out = %outer(<<$F, $E|$F, b=$E|$F, $E, c=$F1|b=$F, a=$E|$F, **{"b": $E, "c": $F1}>>)
        """,
    "keyword_options": """
        def %spring_energy(q, *, k, shift=0.0, **options):
            e = 0.5 * k * (q - shift) ** 2
            if options.get("damped", False):
                e = e * math.exp(-options["rate"] ** 2)
            return math.tanh(e)
        ====
        $out = %spring_energy($E, k=$F<<|, shift=$F1|, damped=True, rate=$F1>>)
        """,
    "recursion": """
        def %horner(coefficients, x, k=0):
            if k == len(coefficients):
                return 0.0
            return coefficients[k] + x * %horner(coefficients, x, k + 1)
        ====
        $out = math.tanh(%horner(<<$V|[$F, $C, $E]|$V[::-1]>>, $F1))
        """,
    "mutual_recursion": """
        def %even(x, n):
            return x if n <= 0 else %odd(math.sin(x), n - 1)
        def %odd(x, n):
            return x * x if n <= 0 else %even(x * $C, n - 1)
        ====
        $out = %even($E, $N) + %odd($F, 2)
        """,
    "divide_and_conquer": """
        def %halves(v):
            n = len(v)
            if n == 1:
                return v[0]
            left, right = %halves(v[:n // 2]), %halves(v[n // 2:])
            return <<left * right + $C|math.tanh(left + right)|max(left, right) + 0.1 * left>>
        ====
        $out = math.tanh(%halves($V))
        """,
    "recursive_closure": """
        def $fold($k):
            if $k == 0:
                return $F
            return math.sin($fold($k - 1) + $V[$k % $L])
        $out = $fold($N)
        """,
    "partial": """
        def %damped(rate, q, gain=1.0):
            return gain * q * math.exp(-rate * rate)
        ====
        $slow = functools.partial(%damped, $F<<|, gain=$C|, gain=$F1>>)
        $out = $slow($E) + <<0.1|$slow(q=$F2)|$slow($C)>>
        """,
    "wrapped": """
        def %clamped(f):
            @functools.wraps(f)
            def inner(*args, **kwargs):
                return math.tanh(f(*args, **kwargs))
            return inner
        @%clamped
        def %drag(v, c=$C):
            return c * v * abs(v)
        ====
        $out = %drag($E<<|, c=$F|, $F>>)
        """,
    "operator_functions": """
        $out = functools.reduce(<<operator.mul|operator.add
            |lambda $p, $q: $p * 0.5 + math.sin($q)>>, [$F, $E, $C])
        """,
    "apply_to_array": """
        def %each(f, v):
            out = np.zeros(len(v))
            for i in range(len(v)):
                out[i] = f(v[i])
            return out
        ====
        $vec = %each(lambda $q: math.sin($q) * $F, $V)
        $out = np.sum($vec * $V)
        """,
    "default_evaluated_early": """
        $scale = $F
        def $scaled($q, $s=$scale):
            return $q * $s
        $scale = $scale * $C
        $out = $scaled($E) + $scaled($F1, $scale)
        """,
    "immediately_called": """
        $out = (lambda $p, $q=$F: math.sin($p) * $q)($E<<|, $C>>)
        """,
    "callback_with_state": """
        $seen = []
        def $observe($q):
            $seen.append($q * $F)
            return $q
        $out = $observe($E) * $observe($C)
        $out = $out + <<$seen[0]|$seen[-1]|0.5 * sum($seen)>>
        """,
    "returns_several": """
        def %moments(v):
            m = np.mean(v)
            return m, np.mean((v - m) ** 2), <<v - m|v * 2.0|v>>
        ====
        $mean, $var, $rest = %moments(<<$V|$V * $F|$V + $V>>)
        $out = math.tanh($mean * $var) + $rest[0] * $C
        """,
    "returns_dict": """
        def %stats(v, w):
            return {"dot": np.dot(v, w), "first": v[0] * $C}
        ====
        $found = %stats($V, $V1)
        $out = math.tanh($found["dot"]) * $found["first"]
        """,
    "same_array_for_both": """
        def %inner_product(v, w, c=1.0):
            return c * np.sum(v * w[::-1])
        ====
        $out = math.tanh(%inner_product($V, $V<<|, $F>>))
        """,
}
