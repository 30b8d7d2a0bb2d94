"""Objects: dataclasses, classes with attributes, methods, properties, calls, aliases."""

IDIOMS = {
    "dataclass_state": """
        @dataclass
        class %Particle:
            x: float
            v: float = 0.0
            trail: list = field(default_factory=list)
        ====
        $p = %Particle($F<<|, $E|, v=$C>>)
        for $k in range($N):
            $p.v = $p.v - 0.1 * $p.x * $F1
            $p.x += 0.1 * $p.v
            <<$p.trail.append($p.x)|>>
        $out = $p.x * <<$C|$p.v>> + <<0.0|sum($p.trail)>>
        """,
    "object_methods": """
        class %Oscillator:
            def __init__(self, k, x=$C):
                self.k, self.x, self.v = k, x, 0.0
            def force(self):
                return -self.k * self.x
            def step(self, h):
                self.v += h * self.force()
                self.x += h * self.v
                return <<self|None>>
            @property
            def energy(self):
                return 0.5 * self.v ** 2 + 0.5 * self.k * self.x ** 2
        ====
        $osc = %Oscillator($F<<|, $E|, x=$F1>>)
        for $i in range($N):
            $osc.step(0.1)
        $out = math.tanh($osc.energy) + $osc.x
        """,
    "layer_object": """
        class %Layer:
            def __init__(self, w, b):
                self.w, self.b = w, b
            def __call__(self, x):
                return np.tanh(self.w * x + self.b)
        ====
        $layers = [%Layer($V, $F), %Layer($C, <<$E|$V>>)]
        $h = <<$V1|$F1>>
        for $layer in $layers:
            $h = $layer($h)
        $out = np.sum($h * $V)
        """,
    "object_aliased": """
        class %Cell:
            def __init__(self, value):
                self.value = value
        ====
        $a = %Cell($F)
        $b = $a
        $b.value = $b.value * $E
        <<$a.value += $C|$a.value *= $F1|$b = %Cell($C)>>
        $out = $a.value * $b.value
        """,
    "object_in_list": """
        class %Node:
            def __init__(self, value, parents=()):
                self.value, self.parents = value, parents
            def total(self):
                return self.value + sum(0.5 * p.total() for p in self.parents)
        ====
        $nodes = [%Node($F), %Node($E)]
        $nodes.append(%Node($nodes[0].value * $C, $nodes[:2]))
        $nodes[0].value = <<$F1|$nodes[1].value * 0.5>>
        $out = math.tanh($nodes[-1].total())
        """,
    "array_attribute_written": """
        class %Grid:
            def __init__(self, u):
                self.u = <<u.copy()|u * 1.0|np.array(u)>>
            def relax(self, c):
                self.u[1:] = self.u[1:] + c * (self.u[:-1] - self.u[1:])
        ====
        $grid = %Grid($V)
        for $k in range($N):
            $grid.relax(<<$F|0.3>>)
            $grid.u[0] <<= $F1|+= 0.1|*= $C>>
        $out = math.tanh(np.sum($grid.u ** 2))
        """,
    "class_and_static_methods": """
        class %Scaled:
            rate = $C
            def __init__(self, x):
                self.x = x
            @classmethod
            def double(cls, x):
                return cls(2.0 * x)
            @staticmethod
            def wave(q):
                return math.sin(q)
            def value(self):
                return self.wave(self.x) * self.rate
        ====
        $s = <<%Scaled($F)|%Scaled.double($E)>>
        $out = $s.value() + %Scaled.wave($F1)
        """,
    "inheritance": """
        class %Base:
            def __init__(self, x):
                self.x = x
            def value(self):
                return math.sin(self.x) * self.gain()
            def gain(self):
                return 1.0
        class %Derived(%Base):
            def __init__(self, x, g):
                super().__init__(x)
                self.g = g
            def gain(self):
                return self.g * <<self.x|super().gain()>>
        ====
        $out = %Derived($E, $F).value() + <<%Base($F1).value()|$C>>
        """,
    "operator_methods": """
        class %Vec:
            def __init__(self, x, y):
                self.x, self.y = x, y
            def __add__(self, other):
                return %Vec(self.x + other.x, self.y + other.y)
            def __mul__(self, c):
                return %Vec(self.x * c, self.y * c)
            def dot(self, other):
                return self.x * other.x + self.y * other.y
        ====
        $p = %Vec($F, $E) * $C + %Vec($F1, 0.5)
        $out = math.tanh($p.dot(<<$p|%Vec($F, 1.0)>>))
        """,
    "property_counts_reads": """
        class %Sensor:
            def __init__(self, x):
                self.x, self.reads = x, 0
            @property
            def reading(self):
                self.reads += 1
                return self.x * self.reads
        ====
        $s = %Sensor($F)
        $out = math.tanh($s.reading + $s.reading * $E)
        """,
    "property_with_setter": """
        class %Ball:
            def __init__(self):
                self._r = 1.0
            @property
            def radius(self):
                return self._r
            @radius.setter
            def radius(self, r):
                self._r = r * r
        ====
        $ball = %Ball()
        $ball.radius = $E
        <<$ball.radius += $F|>>
        $out = math.tanh($ball.radius)
        """,
    "bound_method_kept": """
        class %Filter:
            def __init__(self, c):
                self.c, self.state = c, 0.0
            def push(self, q):
                self.state = self.c * self.state + q
                return self.state
        ====
        $filter = %Filter($C)
        $push = $filter.push
        $push($F)
        $out = <<$push($E)|math.tanh(sum($push($q) for $q in $V))
            |sum(map($push, [$F, $E])) * 0.3>> + $filter.state
        """,
    "simple_namespace_like": """
        class %Config:
            pass
        ====
        $cfg = %Config()
        $cfg.rate = $F
        $cfg.bias = $E
        setattr($cfg, "extra", $C) if False else None
        $out = $cfg.rate * getattr($cfg, <<"bias"|"rate">>) + $cfg.bias
        """,
    "object_from_helper": """
        @dataclass
        class %Fit:
            slope: float
            offset: float
        def %fitted(v, c):
            n = len(v)
            t = np.arange(n) - 0.5 * (n - 1)
            return %Fit(np.sum(t * v) / np.sum(t * t), c * np.mean(v))
        ====
        $fit = %fitted($V, $F)
        $out = math.tanh($fit.slope * $C + $fit.offset)
        """,
    "object_argument_written_by_helper": """
        @dataclass
        class %State:
            x: float
            n: int = 0
        def %advance(s, h):
            s.x = s.x + h * math.sin(s.x)
            s.n += 1
        ====
        $s = %State($F)
        for $k in range($N):
            %advance($s, <<0.1|$E>>)
        $out = $s.x * <<$s.n * 0.3|$C>>
        """,
    "container_object": """
        class %Series:
            def __init__(self, values):
                self.values = list(values)
            def __len__(self):
                return len(self.values)
            def __getitem__(self, k):
                return self.values[k]
        ====
        $s = %Series(<<$V|[$F, $E]>>)
        $out = $s[0] * $s[-1] + $F1 / len($s)
        """,
}
