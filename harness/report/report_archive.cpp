// One list of fields a structure serves both directions.
#include "harness/report/report_archive.h"

#include <cstring>
#include <type_traits>

#include "models/base/text.h"

namespace gg {
namespace {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// The bindings name every field: a structure that gets another one does not compile here.
#define GG_FIELDS(Struct, ...)             \
  template <class A>                       \
  void fields(A& archive, Struct& value) { \
    auto& [__VA_ARGS__] = value;           \
    archive(__VA_ARGS__);                  \
  }                                        \
  static_assert(true)

GG_FIELDS(Blame, a, b, c, d, e, f, g, h, i);
GG_FIELDS(Finding, a, b, c, d, e, f, g, h);
GG_FIELDS(Hypothesis, a, b, c, d, e);
GG_FIELDS(OfferedPrecondition, a, b, c, d, e);
GG_FIELDS(OutputStatus, a, b, c, d);
GG_FIELDS(IslandReport, a, b, c, d, e);
GG_FIELDS(Conditional, a, b);
GG_FIELDS(StoryRow, a, b, c, d, e);
GG_FIELDS(Detail, a, b);
GG_FIELDS(Assumption, a, b);
GG_FIELDS(SizeSymbol, a, b, c, d);
GG_FIELDS(SizesTheorem, a, b, c, d, e, f, g, h);
GG_FIELDS(Failure, a, b, c);
template <class A>
void fields(A& archive, std::pair<std::string, std::string>& value) {
  archive(value.first, value.second);
}
GG_FIELDS(Explanation, a, b, c, d, e, f, g);
GG_FIELDS(Report, command, name, arguments, hashes, verdict, claim, reason, explained, outputs, islands, conditional, assumptions, precision, sizes, certificate, details, notes, seconds, peak, failure, expected, code);

#undef GG_FIELDS

class Writer {
 public:
  template <class... T>
  void operator()(T&... values) { (one(values), ...); }
  std::string bytes;

 private:
  template <Plain T>
  void one(T& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void size(std::size_t n) { one(n); }
  void one(std::string& value) {
    size(value.size());
    bytes += value;
  }
  template <class T>
  void one(std::vector<T>& values) {
    size(values.size());
    for (T& value : values) one(value);
  }
  template <class T>
  void one(std::optional<T>& value) {
    size(value ? 1 : 0);
    if (value) one(*value);
  }
  template <class T>
  requires(!Plain<T>) void one(T& value) { fields(*this, value); }
};

/// Texts of inputs made printable. What a failure says are diagnostics, which are.
class Cleaner {
 public:
  template <class... T>
  void operator()(T&... values) { (one(values), ...); }

 private:
  template <Plain T>
  void one(T&) {}
  void one(std::string& value) { value = printable(value); }
  void one(Failure& value) { value.text = printable_lines(value.text); }
  template <class T>
  void one(std::vector<T>& values) {
    for (T& value : values) one(value);
  }
  template <class T>
  void one(std::optional<T>& value) {
    if (value) one(*value);
  }
  template <class T>
  requires(!Plain<T>) void one(T& value) { fields(*this, value); }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class... T>
  void operator()(T&... values) { (one(values), ...); }
  bool whole() const { return good_ && rest_.empty(); }

 private:
  bool has(std::size_t n) { return good_ = good_ && n <= rest_.size(); }
  template <Plain T>
  void one(T& value) {
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
  template <class T>
  void one(std::vector<T>& values) {
    values.resize(size());
    for (T& value : values) one(value);
  }
  template <class T>
  void one(std::optional<T>& value) {
    if (size() != 0) one(value.emplace());
  }
  template <class T>
  requires(!Plain<T>) void one(T& value) { fields(*this, value); }

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

Report printable(Report report) {
  Cleaner cleaner;
  cleaner(report);
  return report;
}

}  // namespace gg
