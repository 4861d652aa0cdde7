// Small cases from texts, for tests of the runtime.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/hlo/parser.h"
#include "models/pair/hlo_frontend.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg::test {

inline Case make_case(const std::string& sequential, const std::string& distributed, const std::string& relation) {
  Case c = case_of_texts(sequential, distributed, relation);
  c.name = "test";
  return c;
}

/// One program over `ranks` ranks (partitions) with everything that is needed to run it.
struct Program {
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();
  std::unique_ptr<Module> module;
  std::unique_ptr<BodyTable> bodies;
  std::unique_ptr<Communicator> communicator;
  std::unique_ptr<Executor> executor;

  Program(const std::string& text, std::int64_t ranks) {
    module = std::make_unique<Module>(parse_hlo(text, "program.hlo"));
    const RankLayout layout{1, ranks};
    const RankDigits digits = ranks == 1 ? RankDigits() : rank_digits(*module, Mesh{}, layout);
    bodies = std::make_unique<BodyTable>(*arena, *module, digits, layout);
    if (ranks > 1) communicator = local_communicator(ranks);
    executor = std::make_unique<Executor>(*bodies, communicator.get());
  }
  /// F64 run over doubles and integers, as given.
  RunResult run(std::vector<Buffer> inputs, RunOptions options = {}) {
    options.mode = NumberMode::F64;
    return executor->run(std::move(inputs), options);
  }
};

inline Buffer doubles(std::vector<double> values) {
  Buffer buffer(Storage::Double, static_cast<std::int64_t>(values.size()));
  std::copy(values.begin(), values.end(), buffer.as<double>().begin());
  return buffer;
}

inline Buffer integers(std::vector<std::int64_t> values) {
  Buffer buffer(Storage::Int64, static_cast<std::int64_t>(values.size()));
  std::copy(values.begin(), values.end(), buffer.as<std::int64_t>().begin());
  return buffer;
}

inline std::vector<double> values(const Buffer& buffer) {
  return {buffer.as<double>().begin(), buffer.as<double>().end()};
}

inline std::vector<std::int64_t> ints(const Buffer& buffer) {
  return {buffer.as<std::int64_t>().begin(), buffer.as<std::int64_t>().end()};
}

template <class... B>
std::vector<Buffer> buffers(B&&... each) {
  std::vector<Buffer> all;
  (all.push_back(std::move(each)), ...);
  return all;
}

}  // namespace gg::test
