"""Whole small computations: time steps, nets, filters, dynamic programming, statistics."""

IDIOMS = {
    "runge_kutta": """
        def %rk4(f, t, y, h):
            k1 = f(t, y)
            k2 = f(t + 0.5 * h, y + 0.5 * h * k1)
            k3 = f(t + 0.5 * h, y + 0.5 * h * k2)
            k4 = f(t + h, y + h * k3)
            return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        ====
        $y, $t = <<$F|$V * 0.5>>, 0.0
        for $k in range($N):
            $y = %rk4(lambda $s, $u: np.sin($u) * $F1 - $C * $s, $t, $y, 0.2)
            $t += 0.2
        $out = np.tanh(np.sum($y))
        """,
    "leapfrog": """
        $x, $v = $V.copy(), np.zeros($L)
        for $k in range($N):
            $v <<-= 0.1 * $F * $x|+= -0.1 * np.sin($x) * $F>>
            $x += 0.1 * $v
        $out = 0.5 * np.sum($v * $v) + math.tanh(np.sum($x))
        """,
    "heat_with_buffers": """
        $u = np.zeros($L + 2)
        $u[1:-1] = $V
        $u[0], $u[-1] = $F, $C
        for $k in range($N):
            $u[1:-1] <<+=|-=>> 0.2 * ($u[2:] - 2.0 * $u[1:-1] + $u[:-2])
        $out = np.mean($u ** 2)
        """,
    "dense_net": """
        def %dense(x, layer):
            return np.tanh(layer["w"] * x + layer["b"])
        ====
        $net = [{"w": $V, "b": $F}, {"w": $C, "b": $E}]
        $h = $V1
        for $layer in $net:
            $h = %dense($h, $layer)
        $out = np.mean(($h - $F1) ** 2)
        """,
    "softmax_loss": """
        def %log_softmax(z):
            z = z - np.max(z)
            return z - np.log(np.sum(np.exp(z)))
        ====
        $out = -%log_softmax($V * $F)[<<0|-1|1>>] * 0.3
        """,
    "recurrent_net": """
        $h, $losses = <<0.0|$F>>, []
        for $q in $V:
            $h = math.tanh($F1 * $h + $C * $q)
            $losses.append(($h - 0.2) ** 2)
        $out = sum($losses) / len($losses)
        """,
    "exponential_filter": """
        $level, $smooth = $V[0], []
        for $k in range($L):
            $level = $C * 0.5 * $level + (1.0 - $C * 0.5) * $V[$k]
            $smooth.append($level)
        $out = sum(($a - $b) ** 2 for $a, $b in zip($smooth, $V)) + $smooth[-1] * $F
        """,
    "kalman_filter": """
        $mean, $var = 0.0, 1.0
        for $z in $V:
            $var = $var + 0.1 * $F ** 2
            $gain = $var / ($var + 0.5)
            $mean += $gain * ($z - $mean)
            $var *= 1.0 - $gain
        $out = $mean * $C + $var
        """,
    "edit_distance_soft": """
        $d = [[0.0] * ($L + 1) for $_ in range($L + 1)]
        for $i in range(1, $L + 1):
            for $j in range(1, $L + 1):
                $cost = ($V[$i - 1] - $F) ** 2 * $j
                $d[$i][$j] = $cost + min(
                    $d[$i - 1][$j], $d[$i][$j - 1] + $C, $d[$i - 1][$j - 1] + 0.17)
        $out = math.tanh($d[-1][-1])
        """,
    "viterbi": """
        $score = {"a": $F, "b": $E}
        for $q in $V:
            $score = {
                $to: max($old + ($C if $from_ == $to else -0.13) for $from_, $old in $score.items())
                + ($q if $to == "a" else 0.21) for $to in $score}
        $out = math.tanh(max($score.values()))
        """,
    "memoised_recursion": """
        def %ways(k, x, memo):
            if k < 2:
                return x
            if k not in memo:
                memo[k] = 0.5 * %ways(k - 1, x, memo) + math.sin(%ways(k - 2, x, memo))
            return memo[k]
        ====
        $out = %ways(<<4|5|2>>, $F, {})
        """,
    "running_statistics": """
        $count, $mean, $m2 = 0, 0.0, 0.0
        for $q in $V:
            $count += 1
            $delta = $q - $mean
            $mean += $delta / $count
            $m2 += $delta * ($q - $mean)
        $out = math.tanh($mean * $F) + $m2 / $count
        """,
    "histogram_soft": """
        $centres = np.array([-0.5, 0.0, 0.5])
        $hist = np.zeros(3)
        for $q in $V:
            $hist += np.exp(-(($q - $centres) / (0.5 + $F ** 2)) ** 2)
        $hist /= $hist.sum()
        $out = -np.sum($hist * np.log($hist))
        """,
    "tridiagonal_solve": """
        def %thomas(a, b, c, d):
            n = len(d)
            cp, dp, x = np.zeros(n), np.zeros(n), np.zeros(n)
            cp[0], dp[0] = c / b, d[0] / b
            for i in range(1, n):
                m = b - a * cp[i - 1]
                cp[i] = c / m
                dp[i] = (d[i] - a * dp[i - 1]) / m
            x[-1] = dp[-1]
            for i in range(n - 2, -1, -1):
                x[i] = dp[i] - cp[i] * x[i + 1]
            return x
        ====
        $vec = %thomas(0.3, 2.0 + $F ** 2, $C * 0.4, $V)
        $out = np.sum($vec * $V)
        """,
    "gradient_descent": """
        $theta = np.zeros($L)
        $velocity = np.zeros_like($theta)
        for $k in range($N):
            $g = 2.0 * ($theta - $V) + $F * np.sin($theta)
            $velocity[:] = 0.5 * $velocity - 0.1 * $g
            $theta += $velocity
        $out = np.sum(($theta - $C) ** 2)
        """,
    "monte_carlo_weights": """
        $weights = [math.exp(-$q * $q * $C) for $q in $V]
        $total = sum($weights)
        $weights = [$w / $total for $w in $weights]
        $out = sum($w * math.sin($q * $F) for $w, $q in zip($weights, $V))
        """,
    "cumulative_product": """
        $survival = 1.0
        $curve = []
        for $q in $V:
            $survival *= 1.0 / (1.0 + $q * $q * $F ** 2)
            $curve.append($survival)
        $out = np.sum(np.array($curve) * $V)
        """,
    "spring_network": """
        $forces = np.zeros($L)
        for $i, $j in [(0, 1), (1, 0), ($L - 1, 0)]:
            $stretch = $V[$j] - $V[$i]
            $forces[$i] += $F * $stretch
            $forces[$j] -= $C * $stretch
        $out = math.tanh(np.sum($forces ** 2))
        """,
    "bisection": """
        $low, $high = -3.0, 3.0
        for $k in range($N):
            $mid = 0.5 * ($low + $high) + 0.01 * $F
            if math.tanh($mid) < 0.123:
                $low = $mid
            else:
                $high = $mid
        $out = 0.5 * ($low + $high) * $C
        """,
    "piecewise_interpolation": """
        $knots = [0.0, 0.5, 1.0, 9.0]
        $q, $out = $F ** 2, $E
        for $a, $b, $ya, $yb in zip($knots, $knots[1:], <<$V, $V[1:]
            |[0.1, $C, $F1], [$C, $F1, 0.4]>>):
            if $a <= $q < $b:
                $out = $ya + ($yb - $ya) * ($q - $a) / ($b - $a)
                break
        """,
    "autoregression": """
        $x = np.zeros(6)
        $x[:2] = $F, $E
        for $t in range(2, 6):
            $x[$t] = 0.5 * $x[$t - 1] - $C * 0.3 * $x[$t - 2] + 0.1 * math.sin($x[$t - 1])
        $out = np.mean($x[2:] ** 2)
        """,
    "gram_schmidt": """
        $basis = []
        for $v in ($V + 0.5, $V1 * $V1 + $F):
            for $b in $basis:
                $v = $v - ($v @ $b) / ($b @ $b + 0.3) * $b
            $basis.append($v)
        $out = math.tanh($basis[0] @ $basis[-1] + np.sum($basis[-1] ** 2))
        """,
}
