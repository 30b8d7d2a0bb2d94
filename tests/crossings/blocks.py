"""Random statements of crossing programs that hold other statements, and those that return early.

The gaps and the way in which forms are written are those of `statements`.
"""

from tests.crossings.expressions import forms

# Statements with blocks in them, and functions inside the function
BLOCKS = forms("""
2    if {c}:
         @
2    if {c}:
         @
     else:
         @
1    if {c}:
         @
     elif {c}:
         @
     else:
         @1
2    for {J} in range({trips}):
         @
1    for {J} in range(len({u})):
         {U}[{J}] <<=|+=|*=>> {e}
         @1
0.7  for {J} in range(1, len({u1})):
         {u1}[{J}] = {u1}[{J} - 1] * {e} + {e}
         @1
1    for {A} in {L}:
         @
0.7  for {A} in {v}:
         @
0.7  for {J}, {A} in enumerate({L}):
         @
0.7  for {A}, {A2} in zip({v}, {L}):
         @
0.6  for {V} in {R}:
         @
0.5  for {q} in {R}:
         {q}[{k}] = {e}
         @
0.4  for {V} in {M}:
         {V}[{k}] += {e}
         @1
0.5  for {q} in sorted({D}):
         {D1}[{q}] = {D1}[{q}] * {e}
         @
0.4  for {q}, {A} in {D}.items():
         @
0.4  for {J}, {A} in reversed(list(enumerate({L}))):
         @
0.4  for {A} in reversed({L}):
         @
1    for {J} in range({trips}):
         @
         if {c}:
             <<break|continue>>
         @
0.8  for {J} in range({trips}):
         if {c}:
             @1
             <<break|continue>>
         @
     else:
         @1
0.7  for {J} in range({trips}):
         for {I} in range({trips}):
             if {c}:
                 <<break|continue>>
             @
         @1
0.4  for {J} in range({trips}):
         for {I} in range(2):
             if {c}:
                 break
             @1
         else:
             continue
         @1
         break
0.8  {J} = 0
     while {J} < {trips}:
         {J} += 1
         @
0.6  {J} = 0
     while {J} < 3 and {c}:
         {J} += 1
         @
     else:
         @1
0.5  {J} = {trips}
     while {J}:
         {J} -= 1
         if {c}:
             <<break|continue>>
         @
0.5  {J} = 0
     while True:
         {J} += 1
         @
         if {J} > 2 or {c}:
             break
         @1
0.4  {J} = 0
     while ({p} := {e}) < 2.0 and {J} < 3:
         {J} += 1
         {A} = {p} * 0.5
         @
0.6  try:
         @
         if {c}:
             raise ValueError({q0})
         @
     except ValueError:
         @
0.5  try:
         @
     finally:
         @1
0.4  try:
         {A} = {L}[<<7|1>>] * {e}
         @1
     except IndexError:
         @
     else:
         @1
     finally:
         @1
0.4  try:
         {A} = {D}['<<z|p|r>>'] * {e}
     except KeyError as {q}:
         @
0.4  for {J} in range(3):
         try:
             @1
             if {c}:
                 <<break|continue|continue>>
             @1
         finally:
             @1
0.3  try:
         {A} = {e} / {J0}
     except ZeroDivisionError:
         @
0.4  with Section({L}) as {q}:
         @
         {A} = {e} * {q}
0.3  with Lent({u}) as {q}:
         {q}[{k}] = {e}
         @
0.3  with np.errstate(all='ignore'):
         @
0.3  with contextlib.suppress(ValueError):
         @1
         if {c}:
             raise ValueError
         @1
0.3  with doubled({u}) as {q}:
         @
         {A} = {q} + {e}
0.5  match {i} % 3:
         case 0:
             @
         case 1 | 2 if {c}:
             @1
         case _:
             @1
0.3  match ({e}, {e}):
         case ({p}, {q}) if {p} > {q}:
             {A} = {p} * {q}
             @1
         case ({p}, _):
             {A} = {p}
0.3  match {L}:
         case [{p}, *{q}]:
             {A} = {p} + sum({q})
             @1
0.3  match {D}:
         case {{'r': {p}}}:
             {A} = {p}
             @1
         case {{'p': {p}, **{q}}}:
             {A} = {p} * len({q})
             @1
0.3  match {O}:
         case Box(x={p}) if {p} > {n}:
             {A} = {p} * {e}
             @1
         case Box():
             @1
0.6  def {f}({p}):
         nonlocal {a1}
         {a1} = {a1} * 0.5 + {p}
         return {a1} * {e}
     {A} = {f}({e})
     @1
     {A2} = {f}({e})
0.5  def {f}({p}, {q}={e}):
         return {p} * {q} + {a1}
     @
     {A} = {f}({e}) - {f}({e}, {e})
0.4  def {f}({p}, {q}=[]):
         {q}.append({p})
         return sum({q})
     {A} = {f}({e})
     @1
     {A2} = {f}({e})
0.4  def {f}({p}):
         {u1}[{k}] += {p}
         return {u1}[{k}] * {p}
     {A} = {f}({e})
     @1
     {A2} = {f}({e}) + {f}({e})
0.4  {f} = lambda {p}: {p} * {a1} + {e}
     @1
     {A} = {f}({e})
0.3  {f} = [lambda {p}, {q}={q}: {p} * {q} + {a1} for {q} in range(3)]
     @1
     {A} = sum({g}({e}) for {g} in {f})
0.3  {f} = [lambda {p}: {p} * {q} + {a1} for {q} in range(3)]
     @1
     {A} = {f}[{j}]({e})
0.3  {f} = functools.partial(scaled, {e}, shift={e})
     @1
     {A} = {f}({e})
0.4  def {f}({p}, {q}):
         if {q} <= 0 or {c}:
             return {p} * {a1}
         if {q} == 2:
             return {f}({p} * 0.5, {q} - 1) + {p}
         return {f}(math.sin({p}), {q} - 1) * {e}
     {A} = {f}({e}, 3)
0.4  def {f}():
         for {q} in range(4):
             yield {e} * {q}
             @1
     {g} = {f}()
     {A} = next({g})
     @1
     {A2} = sum({g})
0.4  def {f}({p}):
         while True:
             {p} = math.sin({p}) + {e}
             yield {p}
     {g} = {f}({e})
     {A} = next({g})
     {A2} = next({g})
     @1
0.4  for {A} in ({q} * {e} for {q} in {L} if {q} > -0.8):
         if {c}:
             break
         @
0.4  {g} = iter({L})
     {A} = next({g})
     @1
     for {A2} in {g}:
         @1
0.3  {g} = iter({v})
     {A} = next({g}) + next({g}, {e})
     @1
0.2  for {p}, {q} in itertools.<<combinations({L}, 2)|product({L}[:2], {v})|pairwise({L})>>:
         {A} = {e} + {p} * {q} * 0.2
         @1
0.1  for {p}, {q} in itertools.zip_longest({L}, {v}, fillvalue={e}):
         {A} = {e} + {p} * {q} * 0.2
         @1
0.3  for {q} in itertools.accumulate({L}<<|, lambda {p}, {f}: {p} * {f}>>):
         {A} = {q} * {e}
         @1
0.3  for {q} in itertools.<<chain({L}, {v})|islice({L}, 2)|takewhile(lambda {p}: {p} < 0.9, {L})>>:
         {A} = {q} * {e}
         @1
""")

# Early returns
RETURNS = forms("""
1    if {c}:
         return {e}
0.5  for {J} in range({trips}):
         @1
         if {c}:
             return {e}
         @1
0.5  try:
         @1
         if {c}:
             return {e}
     finally:
         @1
0.4  with Section({L}):
         @1
         if {c}:
             return {e}
0.4  for {J} in range(3):
         try:
             @1
             if {c}:
                 return {e}
         finally:
             @1
0.4  try:
         @1
         return {e} / ({i} % 2)
     except ZeroDivisionError:
         @1
""")
