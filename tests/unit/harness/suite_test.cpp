// Suites: what a file lists, jobs in processes of their own, reports as bytes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "harness/report/report_archive.h"
#include "harness/suite/run_jobs.h"
#include "harness/suite/suite_command.h"
#include "harness/suite/suite_file.h"
#include "models/base/file.h"

namespace gg {
namespace {

namespace fs = std::filesystem;

TEST(ReportArchive, EveryFieldComesBack) {
  Report report;
  report.case_name = "a";
  report.input_hashes = {{"sequential", "1f"}};
  report.verdict = Verdict::Refuted;
  report.reason = Reason::Budget;
  report.explained.divergent = Blame{"dot.3", {"main", "body"}, "dot", "t.py:3", "distributed", "f.hlo", 7, 3, "%dot.3 = ..."};
  report.explained.findings.push_back({"wrong", "dot.3", "", "", "GG-D001", "text", "", report.explained.divergent});
  report.explained.hypotheses.push_back({"edit", true, "proof", {"- a", "+ b"}});
  report.explained.preconditions.push_back({"equal-sums", "m", {"dp"}, "text", 3});
  report.outputs.push_back({1, "out", OutputState::Differs, "text"});
  report.islands.push_back({"i", "d", "s", {0, 2}});
  report.conditional = Conditional{{{AssumptionKind::Equal, {"a", "b"}}}, {1}};
  report.assumptions.push_back({AssumptionKind::InputRange, {"x"}});
  report.explained.story.push_back({"d", "r", "s", "bad", {0.5, -1}});
  report.details.push_back({"seeds", "42+3"});
  report.seconds = 1.5;
  report.failure = Failure{3, "GG-P001", "text"};
  report.expected = Verdict::Unknown;
  report.exit_code = 2;
  report.sizes = SizesTheorem{true, "", {{"a", 3, false, 2}}, {"x: f32[a]"}, {"y: f32[a]"}, {"a <= 99"}, {"literal 3 of %c = a"}, {}};
  const std::string bytes = pack(report);
  const auto again = unpack(bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(to_json(*again), to_json(report));
  EXPECT_EQ(again->explained.story.at(0).errors, report.explained.story[0].errors);
  EXPECT_EQ(pack(*again), bytes);
  for (const char* told : {"\"least\": 2", "\"a <= 99\""}) EXPECT_NE(to_json(report).find(told), std::string::npos) << told;
}

TEST(ReportArchive, BytesThatEndEarlyAreNoReport) {
  Report report;
  report.notes = {"one", "two"};
  const std::string bytes = pack(report);
  for (std::size_t k = 0; k < bytes.size(); ++k) EXPECT_FALSE(unpack(bytes.substr(0, k))) << k;
  EXPECT_FALSE(unpack(bytes + "x"));
}

Report named(const std::string& note) {
  Report report;
  report.verdict = Verdict::Proved;
  report.notes = {note};
  return report;
}

Options limits(int jobs, double seconds) {
  Options options;
  options.jobs = jobs;
  options.budget_seconds = seconds;
  return options;
}

TEST(RunJobs, OneThatFailsDoesNotStopTheOthers) {
  const std::vector<PairJob> jobs = {
      {"slow", [] { ::usleep(200'000); return named("slow"); }},
      {"input", []() -> Report { throw InputError(DiagCode::Syntax, {"f.hlo", 3, 4}, "bad"); }},
      {"memory", []() -> Report { throw std::bad_alloc(); }},
      {"check", []() -> Report { throw std::runtime_error("own fault"); }},
      {"crash", []() -> Report { ::signal(SIGSEGV, SIG_DFL); ::raise(SIGSEGV); return {}; }},
      {"exit", []() -> Report { ::_exit(9); }},
      {"good", [] { return named("good"); }},
  };
  for (const int parallel : {1, 3}) {
    std::vector<std::string> told;
    const auto reports = run_jobs(jobs, limits(parallel, 30), [&](const Report& report) { told.push_back(report.case_name); });
    ASSERT_EQ(reports.size(), jobs.size());
    for (std::size_t k = 0; k < jobs.size(); ++k) EXPECT_EQ(told[k], jobs[k].name);
    EXPECT_EQ(reports[0].notes.at(0), "slow");
    EXPECT_EQ(reports[1].failure->code, "GG-P001");
    EXPECT_EQ(reports[1].failure->exit_code, 3);
    EXPECT_EQ(reports[2].failure->exit_code, 3);
    EXPECT_EQ(reports[3].failure->text, "own fault");
    EXPECT_EQ(reports[3].failure->exit_code, 4);
    EXPECT_EQ(reports[4].failure->exit_code, 4);
    EXPECT_NE(reports[5].failure->text.find("exit code 9"), std::string::npos);
    EXPECT_FALSE(reports[6].failure);
  }
}

TEST(RunJobs, OneThatDoesNotEndIsStopped) {
  const auto reports = run_jobs({{"endless", [] { for (;;) ::usleep(1000); return Report(); }}, {"good", [] { return named("good"); }}}, limits(1, 0.3),
                                [](const Report&) {});
  EXPECT_EQ(reports[0].verdict, Verdict::Unknown);
  EXPECT_EQ(reports[0].reason, Reason::Budget);
  EXPECT_FALSE(reports[1].failure);
}

TEST(RunJobs, AReportLargerThanAPipe) {
  const std::string note(3'000'000, 'x');
  const auto reports = run_jobs({{"large", [&] { return named(note); }}}, limits(1, 30), [](const Report&) {});
  EXPECT_EQ(reports[0].notes.at(0), note);
}

TEST(Suite, ExitCodesFromBadToGood) {
  EXPECT_EQ(worse(0, 2), 2);
  EXPECT_EQ(worse(2, 3), 3);
  EXPECT_EQ(worse(3, 1), 1);
  EXPECT_EQ(worse(1, 4), 4);
  EXPECT_EQ(worse(4, 0), 4);
}

class SuiteFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("gg_suite_" + std::to_string(::getpid()));
    for (const char* name : {"b", "a", "sub/c", "other"}) {
      fs::create_directories(folder_ / name);
      if (std::string(name) != "other") write_file((folder_ / name / "sequential.hlo").string(), "");
    }
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::vector<SuitePair> read(const std::string& text) {
    write_file((folder_ / "s.suite").string(), text);
    return read_suite((folder_ / "s.suite").string(), defaults_);
  }
  fs::path folder_;
  Options defaults_;
};

TEST_F(SuiteFile, PatternsGiveCaseFoldersByName) {
  const auto pairs = read("# all\n*\nsub/*   --seed 7\n");
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].name, "a");
  EXPECT_EQ(pairs[1].name, "b");
  EXPECT_EQ(pairs[2].name, "sub/c");
  EXPECT_EQ(pairs[2].options.seed, 7U);
  EXPECT_EQ(pairs[2].options.inputs, std::vector<std::string>{(folder_ / "sub/c").string()});
  EXPECT_EQ(read_suite(folder_.string(), defaults_).size(), 2U);
}

TEST_F(SuiteFile, APairNamedAgainReplacesTheFirst) {
  const auto pairs = read("*\nexpect=refuted a\n");
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].expected, Verdict::Refuted);
  EXPECT_FALSE(pairs[1].expected);
}

TEST_F(SuiteFile, ArgumentsAsOnTheCommandLine) {
  defaults_.budget_seconds = 9;
  const auto pairs = read("name=step expect=unknown x.hlo 'y z.hlo' --relation r.json --range \"s['step']=0:8\"\r\n--xla-dump d --module m\n");
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].name, "step");
  EXPECT_EQ(pairs[0].options.inputs.at(1), (folder_ / "y z.hlo").string());
  EXPECT_EQ(pairs[0].options.relation, (folder_ / "r.json").string());
  EXPECT_EQ(pairs[0].options.ranges, std::vector<std::string>{"s['step']=0:8"});
  EXPECT_EQ(pairs[0].options.budget_seconds, 9);
  EXPECT_EQ(pairs[1].name, "d:m");
}

TEST_F(SuiteFile, ABadLineIsABrokenPair) {
  for (const char* line : {"nothing/*", "a b c", "a --json r.json", "a --frobnicate", "expect=maybe a", "expect=proved", "name=x *", "a --help",
                           "--xla-dump d --all-modules", "--seed 3", "a --xla-dump d", "a --backend mpi"}) {
    const auto pairs = read(std::string("a\n") + line + "\nb\n");
    ASSERT_EQ(pairs.size(), 3U) << line;
    ASSERT_TRUE(pairs[1].problem) << line;
    EXPECT_EQ(pairs[1].problem->where.line, 2U) << line;
    EXPECT_FALSE(pairs[2].problem);
  }
  EXPECT_THROW(read("# nothing\n"), InputError);
  EXPECT_THROW(read_suite((folder_ / "none.suite").string(), defaults_), InputError);
}

TEST(Reports, TextOfInputsIsPrintable) {
  Report report = named("a\nproved claim=refinement");
  report.case_name = "x\x1b[2J\xff";
  report.details = {{"opaque", "t\nrefuted"}};
  report.failure = Failure{3, "", "f.hlo:1: error: no\nnote: more"};
  const Report clean = printable(report);
  EXPECT_EQ("a\\nproved claim=refinement", clean.notes[0]);
  EXPECT_EQ("x\\x1b[2J\\xff", clean.case_name);
  EXPECT_EQ("t\\nrefuted", clean.details[0].value);
  EXPECT_EQ(report.failure->text, clean.failure->text);  // lines of diagnostics
}

}  // namespace
}  // namespace gg
