// Sends and recvs of one text: what becomes a collective-permute, what is refused, who waits for whom.
#include <gtest/gtest.h>

#include "models/hlo/parser.h"
#include "models/hlo/printer.h"

namespace gg {
namespace {

std::string route(const std::string& pairs, int channel = 1) {
  return "channel_id=" + std::to_string(channel) + ", frontend_attributes={_xla_send_recv_source_target_pairs=" + pairs + "}";
}

std::string entry(const std::string& lines, const std::string& before = "", const std::string& header = "") {
  return "HloModule m" + header + "\n" + before + "\nENTRY e {\n  x = f32[2] parameter(0)\n  t = token[] after-all()\n" + lines + "}\n";
}

const std::string kRing = "{{0,1},{1,2},{2,0}}";

std::string recv(const std::string& name, const std::string& pairs, int channel = 1) {
  return "  " + name + " = (f32[2], u32[], token[]) recv(t), " + route(pairs, channel) + "\n";
}
std::string send(const std::string& name, const std::string& value, const std::string& pairs, int channel = 1) {
  return "  " + name + " = (f32[2], u32[], token[]) send(" + value + ", t), " + route(pairs, channel) + "\n";
}
std::string received(const std::string& name) {
  return "  " + name + ".d = (f32[2], token[]) recv-done(" + name + ")\n  " + name + ".v = f32[2] get-tuple-element(" + name + ".d), index=0\n";
}
std::string sent(const std::string& name) { return "  " + name + ".d = token[] send-done(" + name + ")\n"; }
const std::string kRoot = "  ROOT y = f32[2] negate(r.v)\n";

std::string printed(const std::string& text) { return print_hlo(parse_hlo(text, "m.hlo")); }

DiagCode code_of(const std::string& text) {
  try {
    parse_hlo(text, "m.hlo");
  } catch (const InputError& error) {
    return error.diags().front().code;
  }
  ADD_FAILURE() << "nothing was thrown for\n"
                << text;
  return DiagCode::Usage;
}

TEST(Transfers, DecomposedPermuteIsAPermute) {
  const std::string text = printed(entry(recv("r", kRing) + send("s", "x", kRing) + received("r") + sent("s") + kRoot));
  EXPECT_NE(text.find("%r.d = f32[2]{0} collective-permute(%x), channel_id=1, source_target_pairs={{0,1},{1,2},{2,0}}"), std::string::npos) << text;
  EXPECT_EQ(text.find("token"), std::string::npos) << text;
  EXPECT_EQ(parse_hlo(entry(recv("r", kRing) + send("s", "x", kRing) + received("r") + sent("s") + kRoot), "m.hlo").replaced_transfers, 2U);
}

TEST(Transfers, PairsMayStandInQuotesAndPlacesAreKept) {
  const std::string text = entry(recv("r", "\"{{0,1}, {1,2}}\"") + send("s", "x", "\"{{0,1}, {1,2}}\"") + received("r") + sent("s") + kRoot);
  const Module module = parse_hlo(text, "m.hlo");
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module[id].op != Op::CollectivePermute) continue;
    EXPECT_EQ(module.where(id).line, 8U);
  }
}

TEST(Transfers, WithoutAChannelRanksAreReplicas) {
  const std::string text = printed(entry(recv("r", kRing, 0) + send("s", "x", kRing, 0) + received("r") + sent("s") + kRoot));
  EXPECT_NE(text.find("collective-permute(%x), source_target_pairs"), std::string::npos) << text;
}

TEST(Transfers, AreMatchedInOrder) {
  const std::string lines = recv("r", kRing) + recv("q", kRing) + send("s", "x", kRing) + "  z = f32[2] add(x, x)\n" + send("p", "z", kRing) +
                            received("r") + received("q") + sent("s") + sent("p") + "  ROOT y = f32[2] subtract(r.v, q.v)\n";
  const std::string text = printed(entry(lines));
  EXPECT_NE(text.find("%r.d = f32[2]{0} collective-permute(%x)"), std::string::npos) << text;
  EXPECT_NE(text.find("%q.d = f32[2]{0} collective-permute(%z)"), std::string::npos) << text;
}

TEST(Transfers, InsideALoopBody) {
  const std::string body =
      "b {\n  p = (s32[], f32[2]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  x = f32[2] get-tuple-element(p), index=1\n"
      "  t = token[] after-all()\n" +
      recv("r", kRing) + send("s", "x", kRing) + received("r") + sent("s") +
      "  one = s32[] constant(1)\n  j = s32[] add(i, one)\n  ROOT o = (s32[], f32[2]) tuple(j, r.v)\n}\n"
      "c {\n  p = (s32[], f32[2]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  n = s32[] constant(3)\n"
      "  ROOT l = pred[] compare(i, n), direction=LT\n}\n";
  const std::string loop =
      "  zero = s32[] constant(0)\n  start = (s32[], f32[2]) tuple(zero, x)\n"
      "  w = (s32[], f32[2]) while(start), condition=c, body=b\n";
  const std::string text = printed(entry(loop + "  ROOT y = f32[2] get-tuple-element(w), index=1\n", body));
  EXPECT_NE(text.find("collective-permute(%x), channel_id=1"), std::string::npos) << text;
  // The entry's own transfer of the same ranks and channel must be over before the loop starts, or the order decides.
  const std::string whole = recv("r", kRing) + send("s", "x", kRing);
  const std::string ended = received("r") + sent("s") + "  ROOT y = f32[2] add(r.v, g)\n";
  const std::string g = "  g = f32[2] get-tuple-element(w), index=1\n";
  EXPECT_NE(printed(entry(whole + loop + g + ended, body)), "");  // sent and to be received: in balance
  EXPECT_EQ(code_of(entry(send("s", "x", kRing) + loop + g + recv("r", kRing) + ended, body)), DiagCode::UnsupportedForm);
}

TEST(Transfers, AcrossIterationsAreRefused) {
  const std::string context = "(f32[2], u32[], token[])";
  const std::string lines = recv("r", kRing) + send("s", "x", kRing) + "  k = (" + context + ") tuple(r)\n  rr = " + context +
                            " get-tuple-element(k), index=0\n  r.d = (f32[2], token[]) recv-done(rr)\n"
                            "  r.v = f32[2] get-tuple-element(r.d), index=0\n" +
                            sent("s") + kRoot;
  EXPECT_EQ(code_of(entry(lines)), DiagCode::UnsupportedForm);
}

TEST(Transfers, ChainsThroughOneTextAreRefused) {
  const std::string line = "{{0,1},{1,2}}";
  const std::string chain = recv("r", line) + received("r") + "  z = f32[2] add(x, r.v)\n" + send("s", "z", line) + sent("s") + kRoot;
  EXPECT_EQ(code_of(entry(chain)), DiagCode::UnsupportedForm);  // rank 1 sends on what it got: no permute
}

TEST(Transfers, DifferentSendsOnDifferentRanksAreRefused) {
  const std::string lines = recv("r", "{{0,1},{1,0}}") + send("s", "x", "{{0,1}}") + "  z = f32[2] add(x, x)\n" + send("p", "z", "{{1,0}}") +
                            received("r") + sent("s") + sent("p") + kRoot;
  EXPECT_EQ(code_of(entry(lines)), DiagCode::UnsupportedForm);
}

TEST(Transfers, ReplicasOfPartitionsAreRefused) {
  const std::string text = entry(recv("r", kRing) + send("s", "x", kRing) + received("r") + sent("s") + kRoot, "", ", replica_count=2, num_partitions=3");
  EXPECT_EQ(code_of(text), DiagCode::UnsupportedForm);
}

const std::string kScheduled = ", is_scheduled=true";

TEST(Progress, NothingIsBuffered) {
  const std::string in_order = send("s", "x", kRing) + sent("s") + recv("r", kRing) + received("r") + kRoot;
  EXPECT_EQ(code_of(entry(in_order, "", kScheduled)), DiagCode::Deadlock);
  EXPECT_NE(printed(entry(in_order)), "");  // no order of execution: XLA is still to choose one
  // In a line the last rank sends to nobody: it gets on, and then the others do.
  const std::string line = "{{0,1},{1,2}}";
  EXPECT_NE(printed(entry(send("s", "x", line) + sent("s") + recv("r", line) + received("r") + kRoot, "", kScheduled)), "");
}

TEST(Progress, CollectivesWaitForTheirGroup) {
  const std::string sum = "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n";
  const std::string all = "  all = f32[2] all-reduce(x), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add\n";
  const std::string to1 = "{{0,1}}";
  // Rank 1 waits for a value before the sum, rank 0 sends it after the sum.
  EXPECT_EQ(code_of(entry(recv("r", to1) + received("r") + all + send("s", "all", to1) + sent("s") + kRoot, sum, kScheduled)), DiagCode::Deadlock);
  // An asynchronous sum waits at its end only.
  const std::string start = "  sum = f32[2] all-reduce-start(x), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add\n";
  const std::string end = "  all = f32[2] all-reduce-done(sum)\n";
  EXPECT_NE(printed(entry(start + send("s", "x", to1) + recv("r", to1) + received("r") + end + sent("s") + kRoot, sum, kScheduled)), "");
  EXPECT_EQ(code_of(entry(recv("r", to1) + received("r") + start + end + send("s", "all", to1) + sent("s") + kRoot, sum, kScheduled)), DiagCode::Deadlock);
}

TEST(Transfers, OrderAndTypesOfMessages) {
  EXPECT_EQ(code_of(entry(recv("r", kRing) + received("r") + kRoot)), DiagCode::BadTransfer);
  EXPECT_EQ(code_of(entry(recv("r", kRing) + send("s", "x", kRing, 2) + received("r") + sent("s") + kRoot)), DiagCode::BadTransfer);
  EXPECT_EQ(code_of(entry(recv("r", "{{0,1},{2,1}}") + send("s", "x", kRing) + received("r") + sent("s") + kRoot)), DiagCode::BadPermute);
}

}  // namespace
}  // namespace gg
