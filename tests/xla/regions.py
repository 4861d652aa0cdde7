"""Computations that the modules of operators.py and random_operators.py call, in HLO text."""

REGIONS = """
%add_f (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %r = f32[] add(%x, %y)
}

%mul_f (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %r = f32[] multiply(%x, %y)
}

%max_f (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %r = f32[] maximum(%x, %y)
}

%min_f (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %r = f32[] minimum(%x, %y)
}

%add_s (x: s32[], y: s32[]) -> s32[] {
  %x = s32[] parameter(0)
  %y = s32[] parameter(1)
  ROOT %r = s32[] add(%x, %y)
}

%add_c (x: c128[], y: c128[]) -> c128[] {
  %x = c128[] parameter(0)
  %y = c128[] parameter(1)
  ROOT %r = c128[] add(%x, %y)
}

%or_p (x: pred[], y: pred[]) -> pred[] {
  %x = pred[] parameter(0)
  %y = pred[] parameter(1)
  ROOT %r = pred[] or(%x, %y)
}

%and_p (x: pred[], y: pred[]) -> pred[] {
  %x = pred[] parameter(0)
  %y = pred[] parameter(1)
  ROOT %r = pred[] and(%x, %y)
}

%second_f (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  ROOT %y = f32[] parameter(1)
}

%less_f (x: f32[], y: f32[]) -> pred[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %r = pred[] compare(%x, %y), direction=LT
}

%ge_f (x: f32[], y: f32[]) -> pred[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %r = pred[] compare(%x, %y), direction=GE
}

%greater_pair (x: f32[], y: f32[], i: s32[], j: s32[]) -> pred[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  %i = s32[] parameter(2)
  %j = s32[] parameter(3)
  ROOT %r = pred[] compare(%x, %y), direction=GT
}

%argmax (v: f32[], i: s32[], w: f32[], j: s32[]) -> (f32[], s32[]) {
  %v = f32[] parameter(0)
  %i = s32[] parameter(1)
  %w = f32[] parameter(2)
  %j = s32[] parameter(3)
  %ge = pred[] compare(%v, %w), direction=GE
  %value = f32[] select(%ge, %v, %w)
  %gt = pred[] compare(%v, %w), direction=GT
  %eq = pred[] compare(%v, %w), direction=EQ
  %lt = pred[] compare(%i, %j), direction=LT
  %tie = pred[] and(%eq, %lt)
  %take = pred[] or(%gt, %tie)
  %index = s32[] select(%take, %i, %j)
  ROOT %r = (f32[], s32[]) tuple(%value, %index)
}

%square_sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  %m = f32[] multiply(%x, %x)
  ROOT %r = f32[] add(%m, %y)
}

%body (s: (s32[], f32[3])) -> (s32[], f32[3]) {
  %s = (s32[], f32[3]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %v = f32[3] get-tuple-element(%s), index=1
  %one = s32[] constant(1)
  %j = s32[] add(%i, %one)
  %w = f32[3] sine(%v)
  ROOT %t = (s32[], f32[3]) tuple(%j, %w)
}

%condition (s: (s32[], f32[3])) -> pred[] {
  %s = (s32[], f32[3]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %n = s32[] constant(5)
  ROOT %r = pred[] compare(%i, %n), direction=LT
}

%branch_sin (x: f32[3]) -> f32[3] {
  %x = f32[3] parameter(0)
  ROOT %r = f32[3] sine(%x)
}

%branch_neg (x: f32[3]) -> f32[3] {
  %x = f32[3] parameter(0)
  ROOT %r = f32[3] negate(%x)
}
"""
