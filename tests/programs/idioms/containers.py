"""Lists, dicts, tuples, named tuples, comprehensions, and the built-in functions over them."""

IDIOMS = {
    "history_list": """
        $history = [$F]
        for $k in range($N):
            $history.append(<<math.sin($history[-1]) + $F1|0.9 * $history[-1] - $C * $F1
                |$history[-1] * $E>>)
        $out = <<$history[-1]|sum($history) / len($history)|$history[0] * $history[-1]
            |np.mean(np.array($history))>>
        """,
    "list_of_states": """
        $states = [$V.copy()]
        for $k in range($N):
            $states.append(np.tanh($states[-1] * $F + <<$V|$C|$states[0]>>))
        $path = np.<<array|stack>>($states)
        $out = np.mean($path ** 2)<<| + $states[0][1]>>
        """,
    "list_aliased": """
        $costs = [$F, $E]
        $same = $costs
        $same.append($F1 * $C)
        <<$costs[0] = $same[2] * 0.5|$costs.append($E1)|$same += [$E1]>>
        $out = 0.3 * sum(<<$costs|$same>>)
        """,
    "list_two_names_one_literal": """
        $a = $b = []
        $a.append($F)
        $b.append($E)
        $out = $a[1] * $b[0]
        """,
    "stack_pop_push": """
        $stack = [$F, $E, $C]
        $top = $stack.pop()
        $stack.append($top * $F1)
        $low = $stack.pop(<<0|-1|1>>)
        $out = math.tanh($low * $stack[-1])
        """,
    "insert_and_extend": """
        $parts = [$E]
        $parts.insert(0, $F)
        $parts.extend(<<[$F1, $C]|($F1 * $q for $q in (1.0, 2.0))|$V>>)
        <<del $parts[1]|$parts.reverse()|$parts = $parts[1:]|$parts += [$F]>>
        $out = 0.2 * sum($q * ($k + 1) for $k, $q in enumerate($parts))
        """,
    "list_elements_augmented": """
        $bins = [0.0] * 3
        for $k, $q in enumerate($V):
            $bins[$k % 3] += $q * <<$F|$q|$C>>
        $out = math.tanh($bins[0] * $bins[1] + $bins[2])
        """,
    "list_swaps": """
        $xs = [$F, $E, $C]
        $xs[0], $xs[-1] = $xs[-1], $xs[0] * $xs[1]
        $xs[1] *= $xs[0]
        $out = math.tanh($xs[0] + 2.0 * $xs[1] * $xs[2])
        """,
    "list_slice_written": """
        $xs = [$F, $E, $C, 1.0]
        $xs[1:3] = [$xs[0] * 0.5, <<$F1|$E1>>]
        $out = 0.2 * sum($xs)
        """,
    "arrays_in_list_written": """
        $rows = [$V.copy(), $V * $F]
        $rows[0][1] = $rows[1][0] * $C
        $row = $rows[1]
        $row <<*=|+=|-=>> <<$F|$rows[0]|$C>>
        $out = math.tanh(np.sum($rows[0] * $rows[1]))
        """,
    "nested_lists": """
        $grid = [[$F, $E], [$C, 0.5]]
        $grid[1][0] = $grid[0][1] * $F1
        $row = $grid[0]
        $row[1] <<= $grid[1][0]|+= $F1|*= $C>>
        $out = math.tanh(sum(sum($r) for $r in $grid))
        """,
    "matrix_of_lists": """
        $table = [[0.0] * $L for $_ in range(2)]
        for $j in range($L):
            $table[0][$j] = $V[$j] * $F
            $table[1][$j] = $table[0][$j] + <<$table[1][$j - 1]|$table[0][$j - 1]>>
        $out = math.tanh($table[1][$L - 1])
        """,
    "dict_of_parameters": """
        $params = {"w": $F, "b": $E}
        $params["w"] = $params["w"] * $C
        <<$params["new"] = $params["w"] * $params["b"]|$params["b"] *= $params["w"]
            |$params.update(b=$F1)|$params.update({"b": $E1, "k": $F1})>>
        $out = math.tanh(sum($params.values()))
        """,
    "dict_of_arrays": """
        $fields = {"rho": $V * $F, "mom": $V.copy()}
        $fields["rho"][1:] <<+=|-=>> $C * $fields["mom"][:-1]
        $fields["mom"] = $fields["mom"] * <<$fields["rho"]|$E>>
        $out = math.tanh(np.sum($fields["mom"]))
        """,
    "dict_setdefault_and_pop": """
        $cache = {"a": $F}
        $one = $cache.setdefault("a", $C) * $cache.setdefault("b", $E)
        $two = $cache.pop(<<"a"|"b"|"a", 0.0>>)
        $out = $one + $two * $cache.get("c", $F1)
        """,
    "dict_of_lists": """
        $groups = {}
        for $k, $q in enumerate($V):
            $groups.setdefault(<<$k % 2|"even" if $k % 2 == 0 else "odd">>, []).append($q * $F)
        $out = math.tanh(sum(sum($g) * len($g) for $g in $groups.values()))
        """,
    "counting_dict": """
        $sums = <<collections.defaultdict(float)|{0: 0.0, 1: 0.0}>>
        for $k, $q in enumerate($V):
            $sums[$k % 2] += $q * $q * $C
        $out = math.tanh($sums[0] - $sums[1] * $F)
        """,
    "dict_comprehension": """
        $table = {$k: $q * $F for $k, $q in enumerate($V)<<| if $k != 1>>}
        for $k in $table:
            $table[$k] = $table[$k] * $C
        $out = math.tanh(sum($q for $k, $q in sorted($table.items())))
        """,
    "dict_by_string_key": """
        $grads = {}
        for $k in range(3):
            $grads[f"w{$k}"] = $F * ($k + 1) + $E
        $out = math.tanh($grads["w0"] * $grads["w2"])
        """,
    "dict_merge": """
        $defaults = {"gain": $C, "bias": $F}
        $options = <<{**$defaults, "gain": $E}|$defaults ¦ {"bias": $F1}|dict($defaults, gain=$E)>>
        $out = math.tanh($options["gain"] * $options["bias"])
        """,
    "dict_items_loop": """
        $weights = {"a": $F, "b": $E, "c": 0.5}
        $out = 0.0
        for $key, $w in $weights.items():
            $out += $w * $w if $key != "b" else $w
        """,
    "comprehension": """
        $out = <<sum|max|min>>([$q * $F + $C for $q in $V<<| if $q > 0.11|[::-1]>>] + [0.3])
        """,
    "generator": """
        $out = math.tanh(<<sum|max|min>>(<<$q * $F|math.sin($q)
            |$q * $k>> for $k, $q in enumerate(<<$V|$V1>>)))
        """,
    "nested_comprehension": """
        $outer = [[$p * $q for $q in $V] for $p in ($F, $C)]
        $out = math.tanh(sum($q for $row in $outer for $q in $row))
        """,
    "walrus_in_comprehension": """
        $kept = [$y * $F for $q in $V if ($y := math.sin($q)) > -0.05]
        $out = math.tanh(sum($kept) + $C)
        """,
    "comprehension_shadows": """
        $q = $F
        $squares = [$q * $q for $q in $V]
        $out = math.tanh($q * sum($squares))
        """,
    "zip_and_enumerate": """
        $out = $F
        for $k, ($p, $q) in enumerate(zip($V, <<$V1|$V[1:]|[$F1, $E]>>)<<|, start=1>>):
            $out = $out + $p * $q * ($k + 1) * 0.2
        """,
    "map_and_filter": """
        $big = list(filter(lambda $q: $q > 0.07, $V))
        $out = math.tanh(sum(map(<<lambda $q: $q * $F|math.sin>>, $big)) + $C)
        """,
    "map_two_arguments": """
        $out = math.tanh(sum(map(<<operator.mul|lambda $p, $q: $p * $q * $F>>, $V, $V1)))
        """,
    "sorted_values": """
        $order = sorted(<<$V|[$F, $E, $C]>><<|, reverse=True|, key=lambda $q: -$q>>)
        $out = $order[0] * $C + $order[-1] * <<$F|$order[1]>>
        """,
    "sorted_by_key": """
        $pairs = [($V[$k], $k) for $k in range($L)]
        $pairs = sorted($pairs, key=lambda $pair: <<$pair[0]|-$pair[1]|abs($pair[0])>>)
        $out = math.tanh(sum($v * ($r + 1) for $r, ($v, $k) in enumerate($pairs)))
        """,
    "reversed_recurrence": """
        $out = <<0.0|$F>>
        for $q in reversed(<<$V|[$F, $E]|list($V)>>):
            $out = $out * $C + $q
        """,
    "any_and_all": """
        if any($q > 0.35 for $q in $V):
            $out = $E
        else:
            $out = $F * $C
        if all([$q < 0.9 for $q in $V])<<| and len($V) > 1>>:
            $out = $out * $V[0]
        """,
    "argmax_by_key": """
        $best = max(range($L), key=lambda $k: $V[$k])
        $out = $V[$best] * $F
        """,
    "star_unpacking": """
        $head, *$tail = <<$V|[$F, $E, $C]|($E, $F1, $F)>>
        $out = $head * <<sum($tail)|$tail[-1]|len($tail)>>
        """,
    "star_in_middle": """
        $first, *$middle, $last = [$F, $E, $F1, $C]
        $out = math.tanh($first * $last + sum($middle))
        """,
    "tuple_state": """
        $state = ($F, $E)
        for $k in range($N):
            $state = ($state[1], <<$state[0] * $C|$state[0] - 0.1 * $state[1]|math.sin($state[0])>>)
        $p, $q = $state
        $out = $p * $q + $state[0]
        """,
    "named_tuple": """
        %Point = collections.namedtuple("%Point", "x y")
        ====
        $p = %Point($F, y=$E)
        $p = <<$p._replace(x=$p.y * $C)|%Point($p.y, $p.x)|%Point(*$p)>>
        $x, $y = $p
        $out = $p.x * $p.y + $x
        """,
    "list_as_queue": """
        $queue = [$F, $C]
        $out = 0.0
        while $queue:
            $q = $queue.pop(0)
            $out = $out + 0.5 * $q
            if len($queue) < 2 and $q > 0.35:
                $queue.append($q * 0.5)
        """,
    "array_from_lists": """
        $rows = []
        for $k in range(2):
            $rows.append([$V[$k] * $F, $V[$k - 1]])
        $a = np.array($rows)
        $out = math.tanh(<<np.sum($a * $a)|$a[0] @ $a[1]|$a[1, 0] * $a[0, 1]>>)
        """,
    "list_copy": """
        $xs = [$F, $E]
        $ys = <<$xs[:]|list($xs)|$xs.copy()|[*$xs]>>
        $ys[0] = $ys[1] * $C
        $out = $xs[0] * $ys[0]
        """,
    "container_argument": """
        def %loss(params, x):
            return math.tanh(params["w"] * x + params["layers"][0])
        ====
        $out = %loss({"w": $F, "layers": [$E, $C]}, $F1)
        """,
}
