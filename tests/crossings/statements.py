"""Random statements of crossing programs: texts with gaps and, in `@`, blocks of statements.

Beside the gaps of expressions: {A} is a name or place to bind a number to, {U} a vector to write
into, {fresh} and {f}, {g}, {q}, {p} new names; `<<a|b>>` is one of several. A line with `@` alone
is a block; `@1` is one statement.

A form begins with its weight; its further lines stand below its first one.
"""

from tests.crossings.expressions import forms

# One statement, or a few that belong together
SIMPLE = forms("""
5    {A} = {e}
2    {A} += {e}
1.5  {A} *= {e}
1    {A} -= {e}
0.4  {A} /= 1.3 + {e:1} * {e:1}
0.3  {A} **= 2
1    {A} = {A2} = {e}
1    {A}, {A2} = {e}, {e}
0.7  {a1}, {a2} = {a2}, {a1}
0.6  ({A}, *{fresh}), {A2} = ({e}, {e}, {e}), {e}
     {A} += sum({fresh})
0.5  {A}, *_ = {v}
0.4  *{fresh}, {A} = {L}
     {A2} = sum({fresh}, {e})
1    {A} = ({q} := {e}) * {q}
0.6  {A} = [{q} := {e}, {q} * 2.0][1] + {q}
0.4  {i} += 1
0.3  {i} = {i} % 3 + 1
0.3  {i}, {A} = int({e} > {n}), {e}
1.5  {V} = {v}
1    {V} = {u}
0.6  {u1}, {u2} = {u2}, {u1}
0.5  {V} = {V2} = {v}
2    {U}[{k}] = {e}
1.5  {U}[{k}] += {e}
1    {U}[{k}] *= {e}
1    {U}[:] = {v}
0.7  {U}[...] = {v}
1    {U} += {v}
0.8  {U} *= {e}
0.5  {U} -= {e}
0.6  {U}[1:] = {v}[:-1]
0.6  {U}[:-1] += {v}[1:]
0.6  {U}[::2] = {e}
0.5  {U}[::-2] *= {e}
0.4  {U}[1::2] += {v}[1::2]
0.6  {U}[{U1} > {n}] = {e}
0.5  {U}[{v} > {n}] *= {e}
0.4  {U}[{U1} < {e}] += {n}
0.5  {U}[[{k}, {k}]] = [{e}, {e}]
0.5  {U}[[{k:1}, {k:1}]] += [{e}, {e}]
0.4  {U}[np.array([{k}, {k}])] *= {e}
0.4  np.add.at({U}, [{k:1}, {k:1}, {k}], {e})
0.3  np.subtract.at({U}, [{k:1}, {k:1}], [{e}, {e}])
0.3  np.multiply.at({U}, {k}, {e})
0.4  {U}.fill({e})
0.4  {U}.sort()
0.3  {U}[::-1].sort()
0.4  np.copyto({U}, {v})
0.3  np.copyto({U}, {v}, where={v} > {n})
0.3  np.put({U}, [{k}, {k}], [{e}, {e}])
0.3  np.put({U}, {k}, {e})
0.3  np.place({U}, {v} > {n}, [{e}])
0.3  np.putmask({U}, {v} > {n}, {v})
0.5  np.multiply({v}, {e}, out={U})
0.4  np.add({U1}, {v}, {U1})
0.4  np.sin({U1}, out={U1})
0.3  np.cumsum({v}, out={U})
0.3  np.maximum({v}, {e}, out={U})
0.3  {fresh} = np.add({v}, {v}, out={U})
     {fresh}[{k}] *= {e}
0.3  np.add({v}, {e}, out={U}, where={v} > {n})
0.3  {U}.partition(0)
     {A} = {U1}[0]
0.4  {fresh} = {u}[{k}:]
     {fresh} *= {e}
0.4  {fresh} = {u}[::-1]
     {fresh}[{k}] = {e}
     {A} = {fresh} @ {v}
0.3  {fresh} = {u}.reshape(-1, 1)
     {fresh}[{k}, 0] = {e}
0.3  {fresh} = {u}[:, None]
     {fresh} += {e}
0.3  {fresh} = np.atleast_2d({u})
     {fresh}[0, {k}] *= {e}
0.3  {fresh} = {u}[{k:1}:{k:1} + 1]
     {fresh}[...] = {e}
0.3  {fresh} = {u}[{k}, ...]
     {fresh} += {e}
     {A} = {e} + {fresh}
0.3  {fresh} = np.zeros(())
     {fresh}[()] = {e}
     {fresh} += {e}
     {A} = {fresh} * 0.5
0.3  {fresh} = np.array([{e}])
     {fresh} += {e}
     {A} = {fresh}[0]
0.3  {fresh} = np.zeros(len({u}), complex)
     {fresh}[:] = {v}
     {fresh} *= 1j + {e}
     {A} = np.sum(np.abs({fresh} + 1.2))
0.3  {fresh} = np.zeros(len({u}), np.float32)
     {fresh} += 0.5
     {A} = np.sum({fresh} * {v})
0.3  {fresh} = np.arange(len({u}))
     {fresh} *= 2
     {A} = {fresh} @ {v}
0.3  {fresh} = np.empty((2, len({u})))
     {fresh}[0], {fresh}[1] = {v}, {v}
     {V} = {fresh}[{j} % 2]
0.6  {M}[{k}, {k}] = {e}
0.5  {M}[{k}] *= {e}
0.5  {M}[:, {k}] = {v}
0.4  {M} += {v}
0.4  {M}.T[{k}] += {v}
0.4  np.fill_diagonal({M}, {e})
0.4  {M}[np.diag_indices(len({M1}))] += {e}
0.4  {M}[{M1} > {n}] = {e}
0.3  {M}.ravel()[{k}] = {e}
0.3  {M}.flat[{k}] = {e}
0.3  {M}[1:, :-1] = {M2}[:-1, 1:]
0.3  {M}[:] = {M2} @ {M2}.T * 0.3
0.3  {M} = {M2}.T
0.3  {M}[[{k:1}, {k}], :] += {v}
0.3  {M} = {M2} * {v}[:, None]
0.3  {M}[::-1, {k}] -= {e}
0.3  for {q} in {M}:
         {q} *= {e}
1    if len({L1}) < 6:
         {L1}.append({e})
0.6  if len({L1}) > 2:
         {A} = {L1}.pop(<<|0|-1|1>>)
1    {L}[{j}] = {e}
0.7  {L}[{j}] *= {e}
0.4  {L}[:2] = [{e}, {e}]
0.3  {L}[::2] = [{e}] * len({L1}[::2])
0.3  {L}.reverse()
0.3  {L}.sort(<<|reverse=True|key=abs|key=lambda {q}: -{q}>>)
0.3  {L}[0], {L1}[-1] = {L1}[-1], {L1}[0]
0.4  {L} = [{q} * {e} for {q} in {L2}]
0.4  {fresh} = {L}
     {fresh}[0] = {e}
0.3  {fresh} = {L}[:]
     {fresh}[0] = {e}
     {A} = sum({fresh})
0.3  if len({L1}) < 6:
         {L1}.insert(<<0|1|-1>>, {e})
0.3  if len({L1}) < 5:
         {L1} += [{e}]
0.3  if len({L1}) > 2:
         del {L1}[<<0|-1|1>>]
0.3  {L} = [{q} for {q} in {L2} if {q} > -5.0] + [{e}, {e}]
0.3  {L} = list(reversed({L2}))
0.3  {L} = [{e}, *{L2}][:3]
0.2  {L} = {L2} = [{e}, {e}]
0.2  {L} = sorted({L2}, key=lambda {q}: {q} * {n})
0.3  {L} = [({q} := {q} * 0.5 + {e}) for _ in range(3)]
0.2  {L} = ({L2} * 2)[:4]
0.3  {L} = list({v}) + [{e}]
0.3  {L}.extend([{e}] if len({L1}) < 5 else [])
0.2  {L} = [{e}] * 3
0.2  {L} = {v}.tolist() + [{e}, {e}]
0.8  {R}[{j}] = {v}
1    {R}[{j}][{k}] = {e}
0.6  {R}[{j}] *= {e}
0.5  {R}[0] = {R1}[-1]
0.5  {V} = {R}[{j}]
0.4  if len({R1}) < 6:
         {R1}.append(<<{v}|{u}|{u}[1:]|{R1}[0]>>)
0.3  if len({R1}) > 2:
         {V} = {R1}.pop()
0.3  {R} = [{u}] * 2 + [{v}]
0.4  for {q} in {R}:
         {q}[{k}] <<=|+=|*=>> {e}
0.3  for {q} in {R}:
         {q} *= {e}
0.3  {R} = [{q} * {e} for {q} in {R2}]
0.3  {R} = [{q} for {q} in {R2}]
     {R1}[0] = {v}
0.3  {R}[0], {R1}[-1] = {R1}[-1], {R1}[0]
0.3  {R} = list({M})
0.2  {R} = [{u}[{q}:] for {q} in range(2)] + [{v}]
0.9  {D}['{key}'] = {e}
0.7  {D}['{key}'] *= {e}
0.3  {D}['r'] = {e}
0.3  if 'r' in {D1}:
         {A} = {D1}.pop('r')
0.3  {A} = {D}.setdefault('{any}', {e})
0.3  {D}.update({key}={e}, q={e})
0.3  {D} = {{**{D2}, '{key}': {e}}}
0.3  {D} = {{{q}: {p} * {e} for {q}, {p} in {D2}.items()}}
0.3  {D} |= {{'{any}': {e}}}
0.4  for {q} in {D}:
         {D1}[{q}] *= {e}
0.4  for {q} in list({D}):
         {D1}[{q} + 's'] = {D1}[{q}] * {e}
     {D1} = {{{q}: {D1}[{q}] for {q} in ('p', 'q')}}
0.3  {D}['p'], {D1}['q'] = {D1}['q'], {D1}['p']
0.3  for {q}, {p} in sorted({D}.items(), key=lambda {f}: {f}[1]):
         {A} = {e} + {p}
0.2  del {D}['{key:1}']
     {D1}['{key:1}'] = {e}
0.8  {S}['{row}'][{k}] = {e}
0.6  {S}['{row}'] = {v}
0.6  {S}['{row}'] *= {e}
0.5  {V} = {S}['{row}']
0.4  for {q} in {S}.values():
         {q}[{k}] += {e}
0.3  for {q} in {S}:
         {S1}[{q}] = {S1}[{q}] * {e}
0.3  {S}['u'], {S1}['w'] = {S1}['w'], {S1}['u']
0.3  {S}['{row}'][1:] <<+=|-=>> {v}[:-1]
0.3  {S} = {{{q}: {p}<<|.copy()>> for {q}, {p} in {S2}.items()}}
1    {O}.x = {e}
0.8  {O}.x += {e}
0.6  {O}.u[{k}] = {e}
0.5  {O}.u = {v}
0.4  {O}.u *= {e}
0.4  {O}.log.append({e})
0.4  {O}[{k}] = {e}
0.4  {O}.twice = {e}
0.4  {O}.push({e})
0.4  {O} = {O2}
0.3  {O} = Box({e}, {v})
0.3  {O} += {e}
0.3  {O} = {O2} + {e}
0.3  {O} = {O2}.moved({e})
0.3  {V} = {O}.u
0.3  {A} = {O}.push({e}) + {O}.x
0.3  for {q} in (<<{O1}|{O}>>, {O1}):
         {q}.x = {q}.x * 0.7 + {e}
0.2  {O}.x, {O1}.log = {e}, [{e}]
0.2  setattr({O}, 'x', {e})
0.2  {A} = getattr({O}, 'x') * {e}
0.3  {fresh} = {O}.push
     {fresh}({e})
     {A} = {fresh}({e})
0.2  {A} = vars({O})['x'] * {e}
0.7  {z} = complex({e}, {e})
0.5  {z} *= {e} + 1j
0.4  {z} = {z}.conjugate() * {e}
0.3  {z} = np.exp(1j * {e})
0.3  {z} += {e}
0.3  {A} = np.angle({z} + 3.0)
0.3  {z} = cmath.exp({z} * 0.3)
0.3  COUNTS['calls'] += 1
0.3  WORK[0] = {e}
     {A} = WORK[0] * {e}
0.3  WORK[:] = 0.0
     WORK[{j}] += {e}
     {A} = WORK.sum()
""")

# Calls of helpers at the top of the module
CALLS = forms("""
1.5  {A} = {call}
1    {A} = {call} + {e}
0.6  {A} = {call} if {c} else {e}
0.6  {L}[{j}] = {call}
0.6  {U}[{k}] = {call}
0.4  {call}
0.4  {O}.x = {call}
0.4  {D}['{key}'] = {call}
0.3  {A} = sum([{call} for {q} in range(2)])
0.3  if {call} > {n}:
         @1
""")
