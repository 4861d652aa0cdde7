// One list of fields a structure serves both directions.
#include "harness/suite/report_archive.h"

#include <cstring>
#include <type_traits>

namespace gg {
namespace {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// Fields in the order of report.h.
template <class A> void fields(A& a, Blame& v) { a(v.instruction, v.path, v.op, v.source, v.side, v.file, v.line, v.column, v.excerpt); }
template <class A> void fields(A& a, Finding& v) { a(v.kind, v.instruction, v.after, v.before, v.diagnosis, v.text, v.source, v.place); }
template <class A> void fields(A& a, Hypothesis& v) { a(v.edit, v.mends, v.confirmed, v.diff); }
template <class A> void fields(A& a, OfferedPrecondition& v) { a(v.kind, v.input, v.axes, v.text, v.draws); }
template <class A> void fields(A& a, OutputStatus& v) { a(v.index, v.name, v.status, v.text); }
template <class A> void fields(A& a, IslandReport& v) { a(v.instance, v.distributed_form, v.sequential_form, v.outputs); }
template <class A> void fields(A& a, StoryRow& v) { a(v.distributed, v.relation, v.sequential, v.state, v.errors); }
template <class A> void fields(A& a, Detail& v) { a(v.key, v.value); }
template <class A> void fields(A& a, Assumption& v) { a(v.kind, v.arguments); }
template <class A> void fields(A& a, Failure& v) { a(v.exit_code, v.code, v.text); }
template <class A> void fields(A& a, std::pair<std::string, std::string>& v) { a(v.first, v.second); }
template <class A> void fields(A& a, Report& v) {
  a(v.command, v.case_name, v.input_hashes, v.verdict, v.claim, v.reason, v.divergent, v.findings, v.hypotheses, v.preconditions,
    v.outputs, v.islands, v.assumptions, v.precision, v.witness, v.certificate, v.story, v.details, v.notes, v.seconds, v.peak_mb,
    v.failure, v.expected, v.exit_code);
}

class Writer {
 public:
  template <class... T> void operator()(T&... values) { (one(values), ...); }
  std::string bytes;

 private:
  template <Plain T> void one(T& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void size(std::size_t n) { one(n); }
  void one(std::string& value) {
    size(value.size());
    bytes += value;
  }
  template <class T> void one(std::vector<T>& values) {
    size(values.size());
    for (T& value : values) one(value);
  }
  template <class T> void one(std::optional<T>& value) {
    size(value ? 1 : 0);
    if (value) one(*value);
  }
  template <class T> requires(!Plain<T>) void one(T& value) { fields(*this, value); }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class... T> void operator()(T&... values) { (one(values), ...); }
  bool whole() const { return good_ && rest_.empty(); }

 private:
  bool has(std::size_t n) { return good_ = good_ && n <= rest_.size(); }
  template <Plain T> void one(T& value) {
    if (!has(sizeof value)) return;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  std::size_t size() {
    std::size_t n = 0;
    one(n);
    return has(n) ? n : 0;  // every element takes a byte at least
  }
  void one(std::string& value) {
    const std::size_t n = size();
    value = rest_.substr(0, n);
    rest_.remove_prefix(n);
  }
  template <class T> void one(std::vector<T>& values) {
    values.resize(size());
    for (T& value : values) one(value);
  }
  template <class T> void one(std::optional<T>& value) {
    if (size() != 0) one(value.emplace());
  }
  template <class T> requires(!Plain<T>) void one(T& value) { fields(*this, value); }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::string pack(const Report& report) {
  Report copy = report;
  Writer writer;
  fields(writer, copy);
  return std::move(writer.bytes);
}

std::optional<Report> unpack(std::string_view bytes) {
  Report report;
  Reader reader(bytes);
  fields(reader, report);
  return reader.whole() ? std::optional(std::move(report)) : std::nullopt;
}

}  // namespace gg
