"""Control flow: exits, try, with, match, del, prints, nested loops with else."""

IDIOMS = {
    "try_not_taken": """
        try:
            $out = <<math.sqrt(1.0 + $F ** 2)|$E / (1.5 + $F ** 2)|$V[1] * $F>>
        except <<ValueError|(ValueError, IndexError)|ZeroDivisionError as $error>>:
            $out = 0.0
        """,
    "try_taken": """
        $values = [$F, $E]
        try:
            $out = $values[7]
        except IndexError:
            $out = $values[-1] * $C
        """,
    "try_else_finally": """
        $out = $F
        try:
            $y = $V[0] * $E
        except IndexError:
            $y = 0.0
        else:
            $y = $y + $F
        finally:
            $out = $out * <<0.5|$C>>
        $out = $out + $y
        """,
    "raise_and_catch": """
        def %checked(x):
            if x > 50.0:
                raise ValueError("too large")
            return math.sin(x) * x
        ====
        try:
            $out = %checked($F)
        except ValueError:
            $out = $F * 2.0
        """,
    "errstate": """
        with np.errstate(<<all="ignore"|divide="ignore", invalid="ignore">>):
            $vec = $V / (1.0 + $V ** 2)
            <<$vec[0] = $F|$vec *= $F|>>
        $out = np.sum($vec)
        """,
    "with_context": """
        with contextlib.nullcontext($F) as $inside:
            $out = $inside * $E
        """,
    "own_context": """
        @contextlib.contextmanager
        def %section(name):
            yield len(name)
        ====
        with %section("solve") as $size, contextlib.suppress(KeyError):
            $out = $F * $size * 0.2 + $E
        """,
    "match_value": """
        $how = <<"cubic"|"linear"|"none">>
        match $how:
            case "linear" | "affine":
                $out = $F * $C
            case "cubic":
                $out = $F ** 3
            case _:
                $out = $E
        """,
    "match_sequence": """
        $item = <<($F, $E)|($F,)|[$F, $E, $C]>>
        match $item:
            case ($x,):
                $out = $x * $x
            case [$x, $y] if $x > $y:
                $out = $x - $y
            case [$x, *$rest]:
                $out = $x + sum($rest)
        """,
    "match_mapping": """
        $task = {"kind": <<"mul"|"add">>, "a": $F, "b": $E}
        match $task:
            case {"kind": "mul", "a": $x, "b": $y}:
                $out = $x * $y
            case {"kind": "add", "a": $x, **$rest}:
                $out = $x + $rest["b"]
        """,
    "match_kind": """
        $value = <<3|$F|None>>
        match $value:
            case int($n):
                $out = $n * 0.1 * $F1
            case float():
                $out = $value * $C
            case None:
                $out = $E
        """,
    "del_name": """
        $tmp = $E
        $out = $tmp * $F
        del $tmp
        """,
    "del_items": """
        $d = {"a": $F, "b": $E}
        $xs = [$F, $C, $E]
        $out = $d["a"] * $xs[0]
        del $d["a"], $xs[0]
        $out = math.tanh($out + sum($xs) * $d["b"])
        """,
    "search_with_for_else": """
        for $k in range($L):
            if $V[$k] > <<0.35|5.0>>:
                $out = $V[$k] * $F
                break
        else:
            $out = $E
        """,
    "while_else": """
        $r, $k = 1.0 + abs($F), 0
        while $r > 0.3:
            $r = $r * <<0.5|0.6>>
            $k += 1
            if $k > <<2|20>>:
                break
        else:
            $r = $r + $E
        $out = $r * $C
        """,
    "break_before_step": """
        $out = $F
        for $k in range(5):
            if <<$k == 3|abs($out) > 1.37|$K>>:
                break
            $out = $out * $C + 0.1 * $E
        """,
    "continue_before_step": """
        $out, $k = $F, 0
        while $k < 4:
            $k += 1
            if <<$k % 2 == 0|$out > 0.83|$k == 2 and $K>>:
                continue
            $out = math.sin($out) + $C * $F
        """,
    "return_in_loop_of_helper": """
        def %first_above(v, level):
            for k, q in enumerate(v):
                if q > level:
                    return q * (k + 1)
            return level * $C
        ====
        $out = %first_above($V, <<$F|0.21|7.5>>)
        """,
    "returns_early": """
        def %soft(x, level=0.44):
            if x < -level:
                return -level + 0.1 * x
            if x > level:
                y = x * x
                return level + 0.1 * y
            return x
        ====
        $out = %soft($E) + %soft($F<<|, $C>>)
        """,
    "nested_search": """
        $found, $out = False, $F
        for $i in range($L):
            for $j in range($i):
                if $V[$i] * $V[$j] < <<-0.1|-9.0>>:
                    $found = True
                    break
                $out = $out + 0.1 * $V[$i] * $V[$j]
            if $found:
                break
        $out = $out * (2.0 if $found else $C)
        """,
    "while_true": """
        $out, $step = $F, 0
        while True:
            $new = 0.5 * math.sin($out) + 0.3 * $F
            $step += 1
            if abs($new - $out) < 1e-3 or $step >= $N:
                break
            $out = $new
        """,
    "prints": """
        $out = $E
        for $k in range(2):
            $out = $out * $C + $F
            print(f"step {$k}: {$out:.3f}<<| {$F!r}>>"<<|, $k|, end="">>)
        """,
    "f_string_key": """
        $name = f"w_{len($V)}"
        $table = {$name: $F, "other": $C}
        $out = $table[f"w_{len($V)}"] * $table["other"]
        """,
    "assertions": """
        assert $L == len($V), f"{$L} and {len($V)}"
        assert np.all(np.isfinite($V))
        $out = $E * $V[0]
        """,
    "short_circuit_values": """
        $out = ($F > 0.3 and $E) or $C * $F
        """,
    "chained_comparison": """
        $out = $E if -0.7 < $F <= 0.8 < 2.0 else $F * $C
        """,
    "walrus_in_while": """
        $k, $out = 0, $F
        while ($y := $out * $C) < 3.0 and $k < $N:
            $out = $out + 0.2 + 0.1 * $y
            $k += 1
        """,
    "isinstance_branch": """
        def %total(q):
            if isinstance(q, (list, tuple)):
                return sum(%total(r) for r in q)
            return <<np.sum(q) if isinstance(q, np.ndarray) else q|np.sum(q)>>
        ====
        $out = math.tanh(%total(<<[$F, ($E, $C)]|[$V, $F]|$V>>))
        """,
    "none_default": """
        def %filtered(v, kernel=None):
            if kernel is None:
                kernel = np.array([0.25, 0.5])
            return np.sum(np.convolve(v, kernel))
        ====
        $out = math.tanh(%filtered($V<<|, $V * $F>>))
        """,
}
