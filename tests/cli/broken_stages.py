"""Rows of broken.py for several programs that send and receive: two stages of one rank, halves of the batch one after the other."""
from broken_pair import DISTRIBUTED, MISSING, D, R

ROWS = []

ROUTE = "frontend_attributes={_xla_send_recv_source_target_pairs={{%d,%d}}}"


def send(name, value, token, channel, pair=(0, 1), t="f32[2,8]"):
    return f"  {name} = ({t}, u32[], token[]) send({value}, {token}), channel_id={channel}, {ROUTE % pair}\n"


def recv(name, token, channel, pair=(0, 1), t="f32[2,8]"):
    return (f"  {name} = ({t}, u32[], token[]) recv({token}), channel_id={channel}, {ROUTE % pair}\n"
            f"  {name}.done = ({t}, token[]) recv-done({name}), channel_id={channel}\n"
            f"  {name}.value = {t} get-tuple-element({name}.done), index=0\n")


SEND_A, SEND_B = send("sa", "a", "ready", 1), send("sb", "b", "ready", 2)
RECV_A, RECV_B = recv("ra", "ready", 1), recv("rb", "ready", 2)
DONE_A, DONE_B = "  sa.done = token[] send-done(sa), channel_id=1\n", "  sb.done = token[] send-done(sb), channel_id=2\n"
BACK = recv("back", "ready", 3, (1, 0), "f32[2,6]")
STAGE0 = """HloModule stage0

ENTRY main {
  x = f32[4,8] parameter(0)
  n = s32[] parameter(1)
  y = f32[4,8] add(x, x)
  a = f32[2,8] slice(y), slice={[0:2], [0:8]}
  b = f32[2,8] slice(y), slice={[2:4], [0:8]}
  ready = token[] after-all()
""" + SEND_A + SEND_B + BACK + DONE_A + DONE_B + """  ROOT r = (s32[]) tuple(n)
}
"""
STAGE1 = """HloModule stage1

ENTRY main {
  w = f32[8,6] parameter(0)
  ready = token[] after-all()
""" + RECV_A + """  first = f32[2,6] dot(ra.value, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
""" + send("ack", "first", "ready", 3, (1, 0), "f32[2,6]") + RECV_B + """
  second = f32[2,6] dot(rb.value, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ack.done = token[] send-done(ack), channel_id=3
  dot = f32[4,6] concatenate(first, second), dimensions={0}
  ROOT r = (f32[4,6]) tuple(dot)
}
"""
STAGES = """{"mesh": [["rank", 1]],
 "programs": [{"file": "stage0.hlo", "ranks": [0], "inputs": ["x", "n"], "outputs": [1]},
              {"file": "stage1.hlo", "ranks": [1], "inputs": ["w"], "outputs": [0]}],
 "inputs": ["replicated", "replicated", "replicated"], "outputs": ["replicated", "replicated"],
 "ranges": {"2": [0, 10]}}
"""
STAGED = {"stage0.hlo": STAGE0, "stage1.hlo": STAGE1, R: STAGES}
S0, S1, _ = STAGED


def staged(name, code, file, *changes, **more):
    """changes: (old, new) in one of the stages or their relation, or MISSING."""
    text = STAGED[file]
    for change in changes:
        assert change is MISSING or text.count(change[0]) >= 1, (name, change)
        text = MISSING if change is MISSING else text.replace(*change)
    ROWS.append((name, code, {D: MISSING, **STAGED, file: text, **more}))


staged("a recv that nobody sends", "GG-M001", S0, (SEND_B, ""), (DONE_B, ""))
staged("a send that nobody receives", "GG-M001", S1, (RECV_B, ""), ("dot(rb.value", "dot(ra.value"))
staged("recv on another channel", "GG-M001", S1, (RECV_B, recv("rb", "ready", 4)))
staged("recv of another type", "GG-M001", S1, (RECV_B, recv("rb", "ready", 2, t="f32[1,8]") + "  rb.twice = f32[2,8] concatenate(rb.value, rb.value), dimensions={0}\n"),
       ("dot(rb.value", "dot(rb.twice"))
staged("pairs that count the ranks of one program", "GG-M001", S1, (RECV_A, recv("ra", "ready", 1, (0, 0))))
staged("pairs of a rank that runs nothing", "GG-A006", S0, (SEND_A, send("sa", "a", "ready", 1, (0, 7))))
staged("a target twice in pairs", "GG-A006", S0, ("{{0,1}}", "{{0,1},{2,1}}"))
staged("send without pairs", "GG-A002", S0, (", " + ROUTE % (0, 1), ""))
staged("done of another channel", "GG-A003", S0, (DONE_A, DONE_A.replace("channel_id=1", "channel_id=2")))
staged("send of a tuple", "GG-T002", S0, (SEND_A, "  pair = (f32[2,8]) tuple(a)\n" + SEND_A.replace("send(a", "send(pair")))
staged("host transfer", "GG-N003", S0, ("channel_id=1, ", "channel_id=1, is_host_transfer=true, "))
staged("transfer in some iterations", "GG-N003", S0, ("frontend_attributes={", "frontend_attributes={_xla_send_recv_validation={{0,1}},"))
staged("unknown attribute of a transfer", "GG-A001", S0, ("frontend_attributes={", "frontend_attributes={_xla_send_recv_when=3,"))
staged("send that is not ended", "GG-N003", S0, (DONE_A, ""))
staged("send handed on", "GG-N003", S0, (DONE_A, "  kept = ((f32[2,8], u32[], token[])) tuple(sa)\n" + DONE_A))
staged("everybody receives first", "GG-M002", S0, (BACK, ""), (SEND_A, BACK + SEND_A))
staged("received in another order than sent, without buffers", "GG-M002", S1, (RECV_B, ""), (RECV_A, RECV_B + RECV_A),
       **{S0: STAGE0.replace(DONE_A, "").replace(SEND_A, SEND_A + DONE_A)})
staged("an empty list of programs", "GG-R001", R, (STAGES[STAGES.index('[{"file'):STAGES.index(',\n "inputs"')], "[]"))
staged("two programs of one name", "GG-R001", R, ('"stage1.hlo"', '"stage1.hlo", "name": "stage0"'))
staged("a rank of two programs", "GG-R005", R, ('"ranks": [1]', '"ranks": [0]'))
staged("more ranks than the mesh", "GG-R005", R, ('"ranks": [1]', '"ranks": [1, 2]'))
staged("a program that is not there", "GG-U002", S1, MISSING)
staged("programs and a distributed text", "GG-U001", R, **{D: DISTRIBUTED})
staged("an output of nobody", "GG-R002", R, ('"outputs": [0]', '"outputs": [null]'))
staged("an output in place of another", "GG-R002", R, ('"outputs": [1]', '"outputs": [0]'))
staged("an input that does not exist", "GG-R002", R, ('["w"]', '["v"]'))
staged("too few inputs of a program", "GG-R002", R, ('["x", "n"]', '["x"]'))
staged("a slice of another length", "GG-R004", R, ('["w"]', '[{"of": "w", "slice": [[0, 4]]}]'))
staged("a slice upside down", "GG-R001", R, ('["w"]', '[{"of": "w", "slice": [[4, 4]]}]'))
staged("an input in two shapes", "GG-R004", R, ('["w"]', '["x"]'))
staged("a header of more ranks", "GG-R005", S1, ("HloModule stage1", "HloModule stage1, num_partitions=2"))
