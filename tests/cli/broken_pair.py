"""The small pair of broken.py, and the table of its edits."""

SEQUENTIAL = """HloModule seq, entry_computation_layout={(f32[4,8]{1,0}, f32[8,6]{1,0}, s32[])->(f32[4,6]{1,0}, s32[])}

%double (v: f32[4,8]) -> f32[4,8] {
  %v = f32[4,8]{1,0} parameter(0)
  ROOT %d = f32[4,8]{1,0} add(%v, %v)
}

ENTRY %main (x: f32[4,8], w: f32[8,6], n: s32[]) -> (f32[4,6], s32[]) {
  %x = f32[4,8]{1,0} parameter(0)
  %w = f32[8,6]{1,0} parameter(1)
  %n = s32[] parameter(2)
  %y = f32[4,8]{1,0} call(%x), to_apply=%double
  %dot = f32[4,6]{1,0} dot(%y, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %r = (f32[4,6]{1,0}, s32[]) tuple(%dot, %n)
}
"""

DISTRIBUTED = """HloModule dist, entry_computation_layout={(f32[2,4]{1,0}, f32[4,6]{1,0}, s32[])->(f32[2,6]{1,0}, s32[])}, num_partitions=4

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

%double (v: f32[2,4]) -> f32[2,4] {
  %v = f32[2,4]{1,0} parameter(0)
  %two = f32[] constant(2)
  %twos = f32[2,4]{1,0} broadcast(%two), dimensions={}
  ROOT %d = f32[2,4]{1,0} multiply(%v, %twos)
}

ENTRY %main (x: f32[2,4], w: f32[4,6], n: s32[]) -> (f32[2,6], s32[]) {
  %x = f32[2,4]{1,0} parameter(0)
  %w = f32[4,6]{1,0} parameter(1)
  %n = s32[] parameter(2)
  %y = f32[2,4]{1,0} call(%x), to_apply=%double
  %dot = f32[2,6]{1,0} dot(%y, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %there = f32[2,6]{1,0} collective-permute(%dot), channel_id=1, source_target_pairs={{0,2},{2,0},{1,3},{3,1}}
  %back = f32[2,6]{1,0} collective-permute(%there), channel_id=1, source_target_pairs={{0,2},{2,0},{1,3},{3,1}}
  %all = f32[2,6]{1,0} all-reduce(%back), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=%sum
  ROOT %r = (f32[2,6]{1,0}, s32[]) tuple(%all, %n)
}
"""

RELATION = """{"mesh": [["dp", 2], ["tp", 2]],
 "inputs": [[["dp"], ["tp"]], [["tp"], []], []],
 "outputs": [[["dp"], []], []],
 "ranges": {"2": [0, 10]}}
"""

BASE = {"sequential.hlo": SEQUENTIAL, "distributed.hlo": DISTRIBUTED, "relation.json": RELATION}
S, D, R = BASE
DIRECTORY, MISSING = object(), None

ROWS = []


def row(name, code, file, change, **more):
    """change: (old, new), whole contents, bytes, MISSING or DIRECTORY."""
    ROWS.append((name, code, {file: change, **more}))
