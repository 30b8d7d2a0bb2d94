"""Writes: every kind of index, out=, add.at, copyto, fill, sort, views, helpers that write."""

IDIOMS = {
    "out_argument": """
        $buf = np.empty($L)
        np.multiply($V, <<$F|$V1|$C>>, out=$buf)
        <<np.add($buf, $V, out=$buf)|np.tanh($buf, out=$buf)|np.subtract($V, $buf, $buf)
            |np.add($buf, $F, out=$buf)>>
        $out = math.tanh(np.sum($buf * $V1))
        """,
    "out_of_reduction": """
        $buf = np.zeros($L)
        np.cumsum($V * $F, out=$buf)
        $out = math.tanh($buf[-1] * $buf[0])
        """,
    "out_is_view": """
        $vec = $V.copy()
        np.multiply($vec[1:], $F, out=$vec[:-1])
        $out = np.sum($vec * $C)
        """,
    "add_at_repeats": """
        $hist = np.zeros(3)
        np.<<add|subtract>>.at($hist, <<[0, 2, 0]|np.array([1, 1, 0])>>, <<np.array([$F, $E, $C])|$F
            |np.array([$E, $F, $E])>>)
        $out = math.tanh(np.sum($hist * np.array([1.0, 2.0, 3.0])) + $hist[0])
        """,
    "copyto": """
        $vec = np.zeros($L)
        np.copyto($vec, <<$V|$F|$V * $C>>)
        np.copyto($vec[1:], <<$F|$V[:-1]|$vec[:-1]>><<|, where=$V[1:] > 0.13>>)
        $out = math.tanh(np.sum($vec))
        """,
    "fill": """
        $vec = np.empty($L)
        $vec.fill(<<$F|$E|$C>>)
        $vec[<<0|-1|1:>>] <<= $E|*= $F|+= $C>>
        $out = $vec[0] * $vec[-1]
        """,
    "sort_in_place": """
        $vec = $V * $C
        $vec.sort()
        $out = $vec[0] * $F + $vec[-1] ** 2
        """,
    "sort_argument": """
        <<$W.sort()|$W[1:].sort()|$W[::-1].sort()>>
        $out = $W[0] * $F - $W[-1]
        """,
    "mask_written": """
        $vec = $V.copy()
        $mask = $vec > <<0.11|$C>>
        $vec[$mask] <<= $F|*= $F|= $vec[$mask] ** 2|+= $E>>
        <<$vec[~$mask] = 0.5|$vec[~$mask] -= $F1|>>
        $out = math.tanh(np.sum($vec * $V))
        """,
    "index_array_written": """
        $wide = np.zeros($L + 1)
        $idx = np.array([0, $L, 0<<|, 1>>])
        $wide[$idx] <<= $F|+= $F|= $idx * $E|+= $E>>
        $out = math.tanh(np.sum($wide) + $wide[0] * $C)
        """,
    "gathered": """
        $idx = <<[0, -1, 0]|np.array([1, 1, 0])|np.argsort($V)>>
        $picked = $V[$idx] * $F
        $picked[0] = $picked[1] * $C
        $out = math.tanh(np.sum($picked))
        """,
    "newaxis_and_ellipsis": """
        $m = $V[:, None] * <<$V1[None, :]|$V[np.newaxis]>>
        $m[..., 0] <<= $F|*= $F|+= $V>>
        $m[0, ...] -= $C
        $out = math.tanh(np.sum($m * $m))
        """,
    "whole_array": """
        $vec = np.empty_like($V)
        $vec[<<:|...>>] = $V * $F
        $vec[:] = <<$vec[::-1]|$vec * $vec|$E>>
        $out = np.sum($vec * $V)
        """,
    "overlapping_slices": """
        $vec = $V.copy()
        <<$vec[1:] = $vec[:-1] * $F|$vec[:-1] = $vec[1:] - $vec[:-1]|$vec[1:] += $vec[:-1]
            |$vec[:-1] *= $vec[1:]>>
        $out = math.tanh(np.sum($vec * $V))
        """,
    "stepped_slices": """
        $wide = np.zeros($L + 2)
        $wide[::2] = $F
        $wide[1::2] <<= $wide[:-1:2] * $E|+= $E|= $C>>
        $wide[::-1][0] *= $C
        $out = math.tanh(np.sum($wide * $wide))
        """,
    "recurrence_in_place": """
        $vec = $V.copy()
        for $i in range(1, $L):
            $vec[$i] = <<$vec[$i - 1] * $vec[$i]|$vec[$i] + $F * $vec[$i - 1]
                |math.sin($vec[$i - 1]) - $vec[$i]>>
        $out = math.tanh($vec[-1] + $vec[0])
        """,
    "view_written_later": """
        $base = $V * $F
        $view = $base[<<1:|::-1|::2|:>>]
        $y = $view * $C
        $base[1] <<= $E|*= $E>>
        $view += <<$C|$F|$y>>
        $out = math.tanh(np.sum($base) + np.sum($y))
        """,
    "views_in_loop": """
        $field = np.zeros((2, $L))
        for $k in range(2):
            $row = $field[$k]
            $row[:] = $V * ($k + $F)
            $row[0] <<= $row[1] * $C|+= $F>>
        $out = math.tanh(np.sum($field * $field))
        """,
    "reshape_written": """
        $flat = np.concatenate([$V, $V * $F])
        $grid = $flat.reshape(2, $L)
        $grid[1] <<*=|+=>> $C
        $grid[0, 0] = $E
        $out = math.tanh(np.sum($flat * $flat))
        """,
    "ravel_written": """
        $grid = np.outer($V, np.array([$F, $C]))
        $flat = $grid<<.ravel()|.T.ravel()|.reshape(-1)>>
        $flat[0] <<= $E|*= $F>>
        $out = math.tanh(np.sum($grid) + np.sum($flat))
        """,
    "transpose_written": """
        $grid = np.outer($V, np.array([$F, $C]))
        $t = <<$grid.T|np.swapaxes($grid, 0, 1)|$grid.transpose()>>
        $t[0] *= <<$F1|$V>>
        $t[1, 0] = $E
        $out = math.tanh(np.sum($grid * $grid))
        """,
    "helper_writes": """
        def %smooth(u, c):
            u[1:-1] = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
            u[0] = u[1] * c
        ====
        $rod = np.concatenate([$V, [$F]])
        for $k in range($N):
            %smooth($rod, <<0.2|$E>>)
        $out = math.tanh(np.sum($rod))
        """,
    "helper_writes_two_views": """
        def %exchange(a, b, c):
            a[:] = a + c * b
            b[:] = b - c * a
        ====
        $both = np.concatenate([$V, $V1 * $F])
        %exchange($both[:$L], $both[$L:], $C)
        $out = math.tanh(np.sum($both * $both))
        """,
    "helper_writes_list": """
        def %push(xs, q):
            xs.append(q)
            xs[0] = xs[0] * q
        ====
        $xs = [$F]
        %push($xs, $E)
        %push($xs, $C)
        $out = math.tanh(sum($xs))
        """,
    "helper_writes_and_returns": """
        def %scaled(u, c):
            u *= c
            return u<<|.sum()|[0]>>
        ====
        $vec = $V.copy()
        $got = %scaled($vec, $F)
        $out = math.tanh(np.sum($got * $C) + $vec[0])
        """,
    "alias_augmented": """
        $a = $V * 1.0
        $b = $a
        $b <<+= $F|*= $F|-= $V * $C>>
        $a = <<$a * $b|$a + 1.0>>
        $out = math.tanh(np.sum($a * $b))
        """,
    "ping_pong_buffers": """
        $old, $new = $V.copy(), np.zeros($L)
        for $k in range($N):
            for $i in range($L):
                $new[$i] = $old[$i] + $F * $old[$i - 1]
            $old, $new = $new, $old
        $out = math.tanh(np.sum($old) + $new[0])
        """,
    "global_work_buffer": """
        %work = np.zeros(2)
        ====
        %work[0] = $F
        %work[1] = %work[0] * $E
        $out = %work[0] * %work[1]
        """,
    "global_table_read": """
        %TABLE = {"rates": np.array([0.3, 0.7]), "scale": 1.4}
        ====
        $out = math.tanh(np.dot(%TABLE["rates"], np.array([$F, $E]))) * %TABLE["scale"]
        """,
    "argument_written": """
        $W[<<0|-1|1:|:-1|::2>>] <<= $F|*= $F|+= $E|= $C>>
        $out = np.sum($W * $C)
        """,
    "arrays_swapped": """
        $p, $q = $V.copy(), $V * $F
        $p, $q = $q, $p
        $p[0] = $q[1] * $C
        $out = math.tanh(np.sum($p * $q))
        """,
    "matrix_elements": """
        $a = np.zeros((2, $L))
        for $j in range($L):
            $a[0, $j] = $V[$j] * $F
            $a[1][$j] = $a[0, $j] * <<$a[1, $j - 1]|$C>> + $E
        $out = math.tanh(np.sum($a[:, <<0|-1|1:>>]))
        """,
    "diagonal_by_index": """
        $a = np.outer($V, $V)
        $i = np.arange($L)
        $a[$i, $i] <<+= 1.0|= $F|*= $C>>
        $out = math.tanh(np.sum($a * $C))
        """,
    "clip_and_where": """
        $vec = np.where($V > 0.13, $V * $F, <<$V|0.0|$C>>)
        $vec = np.<<clip($vec, -0.77, 0.79)|maximum($vec, -0.31)|minimum($vec, $F1)>>
        $out = math.tanh(np.sum($vec * $V))
        """,
}
