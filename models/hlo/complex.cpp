// One line of text after the other: signatures and types are rewritten in place, instructions on complex values by the table
// of rules at the end.
#include "models/hlo/complex.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "models/base/diag.h"
#include "models/hlo/complex_types.h"
#include "models/hlo/line_text.h"

namespace gg::hlo {
namespace {

/// Operators that move elements, or act on both parts alike.
constexpr std::array<std::string_view, 24> kAlike = {
    "add", "all-gather", "all-to-all", "bitcast", "broadcast", "collective-broadcast", "collective-permute", "concatenate", "copy",
    "dynamic-slice", "dynamic-update-slice", "gather", "negate", "optimization-barrier", "pad", "reshape", "reverse", "select", "slice",
    "subtract", "transpose", "domain", "copy-start", "copy-done"};
/// Operators that add with a computation: alike where that computation is an addition.
constexpr std::array<std::string_view, 5> kSums = {"all-reduce", "reduce", "reduce-scatter", "reduce-window", "scatter"};
/// Operators that take and give tuples: the tuple of a complex value is one.
constexpr std::array<std::string_view, 8> kWhole = {"parameter", "get-tuple-element", "tuple", "while", "conditional", "call", "fusion", "after-all"};
/// Custom calls that hand their operand on.
constexpr std::array<std::string_view, 4> kMoves = {"\"Sharding\"", "\"SPMDFullToShardShape\"", "\"SPMDShardToFullShape\"", "\"xla.sdy.FuncResultSharding\""};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class Lowering {
 public:
  Lowering(std::string_view text, const std::string& file) : text_(text), file_(file) { find_sums(); }

  std::string run() {
    std::string out;
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      ++number;
      out += line(text_.substr(at, end - at), number) + "\n";
      at = end + 1;
    }
    return out;
  }

 private:
  /// Computations that add their two complex parameters; each is written a second time for one part.
  void find_sums() {
    std::string name;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view row = text_.substr(at, end - at);
      at = end + 1;
      if (row.empty() || row[0] == '}') {
        if (row.empty() || lines.size() != 4) continue;
        const auto last = parse_line(lines[3]);
        if (last && last->root && last->opcode == "add" && complex_type_at(last->type, 0) != 0) sums_[name] = lines;
      } else if (row[0] != ' ') {
        lines.assign(1, std::string(row));
        const auto start = row.find('%') == 0 ? 1U : 0U;
        name = std::string(row.substr(start, row.find_first_of(" (", start) - start));
      } else {
        lines.emplace_back(row);
      }
    }
  }

  std::string line(std::string_view row, std::uint32_t number) {
    if (row.substr(0, 9) == "HloModule") return replace_types(without_aliases(row), true);
    if (row.empty() || (row[0] != ' ' && row[0] != '}')) {
      if (row.find('{') != std::string_view::npos) parts_.clear(), open_ = std::string(row);
      return replace_types(row, true);
    }
    if (row[0] == '}') return std::string(row) + copy_of_sum();
    const auto parsed = parse_line(row);
    if (!parsed || !touches(*parsed)) return std::string(row);
    try {
      return instruction(*parsed, number);
    } catch (const std::logic_error&) {  // a number or an operand is not there
      throw InputError(DiagCode::Syntax, {file_, number, 3}, "'" + parsed->opcode + "' on complex numbers has unexpected operands or attributes");
    }
  }

  /// A donated complex leaf is two leaves: which output takes its buffer is not said of them.
  static std::string without_aliases(std::string_view row) {
    std::string header(row);
    for (const std::string_view name : {", input_output_alias=", ", buffer_donor="}) {
      if (const auto at = header.find(name); at != std::string::npos) header.erase(at, matching(header, at + name.size()) - at);
    }
    return header;
  }

  /// Behind the end of a computation that is a sum: the same for one part.
  std::string copy_of_sum() const {
    for (const auto& [name, lines] : sums_) {
      if (lines[0] != open_) continue;
      std::string text = " " + lines[0].substr(0, lines[0].find(name) + name.size()) + ".part" + lines[0].substr(lines[0].find(name) + name.size());
      for (std::size_t k = 1; k < lines.size(); ++k) text += lines[k];
      return replace_types(text, false) + " }";
    }
    return "";
  }

  bool touches(const InstructionText& line) const {
    const bool complex = line.type.find("c64[") != std::string::npos || line.type.find("c128[") != std::string::npos;
    return complex || std::any_of(line.operands.begin(), line.operands.end(), [&](const auto& name) { return parts_.count(name) != 0; });
  }

  bool is_complex(const std::string& operand) const { return parts_.count(operand) != 0; }

  [[noreturn]] void refuse(const InstructionText& line, std::uint32_t number, const std::string& what) const {
    throw InputError(DiagCode::UnsupportedForm, {file_, number, 3}, what + " of complex numbers is not supported (%" + line.name + ")");
  }

  std::string instruction(const InstructionText& line, std::uint32_t number) {
    std::string out;
    PairWriter writer(out, line.name);
    const bool complex = complex_type_at(line.type, 0) == line.type.size();
    const std::string real = complex ? real_type(line.type) : line.type;
    if (contains(kWhole, line.opcode)) return whole(line, complex ? std::optional(real) : std::nullopt);
    if (line.opcode == "custom-call" && !contains(kMoves, attribute(line, "custom_call_target"))) {
      return opaque(line, complex ? std::optional(real) : std::nullopt);
    }
    if (!complex) return to_real(line, number, writer, out);
    ComplexParts result = parts_of(line, number, writer, real);
    writer.add_named(line.name + ".re", real, "copy(" + result.re + ")");
    writer.add_named(line.name + ".im", real, "copy(" + result.im + ")");
    out += std::string(line.root ? " ROOT" : "") + " %" + line.name + " = (" + real + ", " + real + ") tuple(%" + line.name + ".re, %" +
           line.name + ".im)" + annotations(line);
    parts_[line.name] = {"%" + line.name + ".re", "%" + line.name + ".im", real};
    return out;
  }

  static std::string annotations(const InstructionText& line) {
    std::string text;
    for (const char* name : {"sharding", "metadata"}) {
      if (const std::string value = attribute(line, name); !value.empty()) text += std::string(", ") + name + "=" + value;
    }
    return text;
  }

  /// The parts of a value that is a tuple already.
  std::string open(const std::string& name, const std::string& real) {
    std::string out;
    PairWriter writer(out, name);
    writer.add_named(name + ".re", real, "get-tuple-element(%" + name + "), index=0");
    writer.add_named(name + ".im", real, "get-tuple-element(%" + name + "), index=1");
    parts_[name] = {"%" + name + ".re", "%" + name + ".im", real};
    return out;
  }

  std::string whole(const InstructionText& line, const std::optional<std::string>& real) {
    std::string attributes = line.attributes;
    if (const std::string sharding = attribute(line, "sharding"); sharding.substr(0, 2) == "{{" && line.type.substr(0, 1) == "(") {
      attributes = with_attribute(line, "sharding", doubled(sharding, line.type));
    }
    std::string arguments = without_comments(line.arguments);
    if (line.opcode != "parameter") {
      arguments.clear();
      for (const std::string& operand : line.operands) arguments += (arguments.empty() ? "%" : ", %") + operand;
    }
    const std::string text = " %" + line.name + " = " + replace_types(line.type, true) + " " + line.opcode + "(" + arguments + ")" + attributes;
    if (!real) return (line.root ? " ROOT" : "") + text;
    const std::string parts = open(line.name, *real);
    if (!line.root) return text + parts;
    return text + parts + " ROOT %" + line.name + ".whole = (" + *real + ", " + *real + ") tuple(%" + line.name + ".re, %" + line.name + ".im)" +
           annotations(line);
  }

  /// The shardings of a tuple's leaves, those of complex ones twice.
  static std::string doubled(const std::string& sharding, const std::string& type) {
    const std::vector<std::string> items = split(std::string_view(sharding).substr(1, sharding.size() - 2));
    std::vector<bool> complex;
    leaves(type, complex, 0);
    if (items.size() != complex.size()) return sharding;
    std::string text;
    for (std::size_t k = 0; k < items.size(); ++k) {
      text += (k == 0 ? "" : ", ") + items[k];
      if (complex[k]) text += ", " + items[k];
    }
    return "{" + text + "}";
  }

  static void leaves(const std::string& type, std::vector<bool>& complex, int depth) {
    constexpr int kMostTuples = 64;  // deeper ones are refused by the reader
    if (type.substr(0, 1) != "(" || depth == kMostTuples) {
      complex.push_back(complex_type_at(type, 0) != 0);
      return;
    }
    for (const std::string& part : split(without_comments(std::string_view(type).substr(1, type.size() - 2)))) leaves(part, complex, depth + 1);
  }

  /// A custom call without a meaning: a function of all parts.
  std::string opaque(const InstructionText& line, const std::optional<std::string>& real) {
    std::string operands;
    for (const std::string& operand : line.operands) {
      const auto it = parts_.find(operand);
      operands += (operands.empty() ? "" : ", ") + (it == parts_.end() ? "%" + operand : it->second.re + ", " + it->second.im);
    }
    std::string attributes;
    for (const std::string& part : split(line.attributes)) {
      if (part.rfind("operand_layout_constraints", 0) != 0) attributes += ", " + part;
    }
    const std::string text = " %" + line.name + " = " + replace_types(line.type, true) + " custom-call(" + operands + ")" + attributes;
    if (!real) return (line.root ? " ROOT" : "") + text;
    const std::string parts = open(line.name, *real);
    if (!line.root) return text + parts;
    return text + parts + " ROOT %" + line.name + ".whole = (" + *real + ", " + *real + ") tuple(%" + line.name + ".re, %" + line.name + ".im)";
  }

  const ComplexParts& operand(const InstructionText& line, std::uint32_t number, std::size_t k) const {
    const auto it = k < line.operands.size() ? parts_.find(line.operands[k]) : parts_.end();
    if (it == parts_.end()) refuse(line, number, line.opcode);
    return it->second;
  }

  /// Operators from complex to real values.
  std::string to_real(const InstructionText& line, std::uint32_t number, PairWriter& writer, std::string& out) {
    const ComplexParts& z = operand(line, number, 0);
    std::string rhs;
    if (line.opcode == "real") rhs = "copy(" + z.re + ")";
    else if (line.opcode == "imag") rhs = "copy(" + z.im + ")";
    else if (line.opcode == "abs") rhs = "sqrt(" + squared(writer, z) + ")";
    else if (line.opcode == "compare" && line.operands.size() == 2) rhs = compared(line, number, writer);
    else if (line.opcode == "is-finite") rhs = both_finite(line, writer, z);
    else if (line.opcode == "fft") rhs = "copy(" + fourier(line, number, writer).re + ")";
    else refuse(line, number, line.opcode);
    out += std::string(line.root ? " ROOT" : "") + " %" + line.name + " = " + line.type + " " + rhs + annotations(line);
    return out;
  }

  static std::string squared(PairWriter& w, const ComplexParts& z) {
    const std::string a = w.add(z.type, "multiply(" + z.re + ", " + z.re + ")"), b = w.add(z.type, "multiply(" + z.im + ", " + z.im + ")");
    return w.add(z.type, "add(" + a + ", " + b + ")");
  }

  std::string compared(const InstructionText& line, std::uint32_t number, PairWriter& w) const {
    const ComplexParts &a = operand(line, number, 0), &b = operand(line, number, 1);
    const std::string direction = attribute(line, "direction");
    if (direction != "EQ" && direction != "NE") refuse(line, number, "compare " + direction);
    const std::string re = w.add(line.type, "compare(" + a.re + ", " + b.re + "), direction=" + direction);
    const std::string im = w.add(line.type, "compare(" + a.im + ", " + b.im + "), direction=" + direction);
    return (direction == "EQ" ? "and(" : "or(") + re + ", " + im + ")";
  }

  static std::string both_finite(const InstructionText& line, PairWriter& w, const ComplexParts& z) {
    return "and(" + w.add(line.type, "is-finite(" + z.re + ")") + ", " + w.add(line.type, "is-finite(" + z.im + ")") + ")";
  }

  ComplexParts fourier(const InstructionText& line, std::uint32_t number, PairWriter& w) {
    constexpr long kMostPoints = 4096;
    std::vector<long> lengths;
    const std::string list = attribute(line, "fft_length");
    for (const std::string& part : split(std::string_view(list).substr(1, list.size() - 2))) {
      if (part.size() > 4 || part.find_first_not_of("0123456789") != std::string::npos || std::stol(part) > kMostPoints || std::stol(part) < 1) {
        refuse(line, number, "fft with lengths " + list);
      }
      lengths.push_back(std::stol(part));
    }
    const std::string kind = attribute(line, "fft_type");
    const auto it = parts_.find(line.operands.at(0));
    const bool from_real = kind == "RFFT", known = from_real || kind == "FFT" || kind == "IFFT" || kind == "IRFFT";
    if (!known || from_real == (it != parts_.end()) || lengths.empty()) refuse(line, number, "fft of type " + kind);
    if (!from_real) {
      check_lengths(line, number, lengths, it->second.type, kind == "IRFFT");
      return lower_fft(w, kind, lengths, it->second);
    }
    // The operand of RFFT is real; its type is the result's but for the last dimension.
    std::string type = complex_type_at(line.type, 0) != 0 ? real_type(line.type) : line.type;
    const auto close = type.find(']'), comma = type.rfind(',', close);
    type = type.substr(0, (comma == std::string::npos || comma < type.find('[') ? type.find('[') : comma) + 1) + std::to_string(lengths.back()) + "]";
    check_lengths(line, number, lengths, type, false);
    return lower_fft(w, kind, lengths, {"%" + line.operands[0], "", type});
  }

  /// The last dimensions of the operand are the lengths; the last one of a half spectrum is half of it and one.
  void check_lengths(const InstructionText& line, std::uint32_t number, const std::vector<long>& lengths, const std::string& type, bool half) const {
    const auto open = type.find('[');
    const std::vector<std::string> dims = split(std::string_view(type).substr(open + 1, type.find(']') - open - 1));
    bool good = dims.size() >= lengths.size();
    for (std::size_t k = 0; good && k < lengths.size(); ++k) {
      const bool last = k + 1 == lengths.size();
      good = dims[dims.size() - lengths.size() + k] == std::to_string(half && last ? lengths[k] / 2 + 1 : lengths[k]);
    }
    if (!good) refuse(line, number, "fft of " + type + " with lengths " + attribute(line, "fft_length"));
  }

  /// An instruction on one part: its operands' parts, other operands as they are.
  std::string on(const InstructionText& line, const std::string& attributes, bool imaginary) const {
    std::string text = (line.opcode == "domain" || line.opcode == "copy-start" || line.opcode == "copy-done" ? "copy" : line.opcode) + "(";
    for (std::size_t k = 0; k < line.operands.size(); ++k) {
      const auto it = parts_.find(line.operands[k]);
      text += (k == 0 ? "" : ", ") + (it == parts_.end() ? "%" + line.operands[k] : imaginary ? it->second.im
                                                                                              : it->second.re);
    }
    return text + ")" + attributes;
  }

  static std::string literal_part(const std::string& text, bool imaginary) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '(') {
        result += text[at];
        continue;
      }
      const std::size_t close = text.find(')', at), comma = text.find(',', at);
      if (close == std::string::npos || comma > close) return text;  // no pair: the reader says so
      result += trimmed(imaginary ? text.substr(comma + 1, close - comma - 1) : text.substr(at + 1, comma - at - 1));
      at = close;
    }
    return result;
  }

  /// Operators whose result is complex.
  ComplexParts parts_of(const InstructionText& line, std::uint32_t number, PairWriter& w, const std::string& real) {
    const std::string& op = line.opcode;
    const auto add = [&](const std::string& rhs) { return w.add(real, rhs); };
    const auto binary = [&](const char* name, const std::string& a, const std::string& b) { return add(std::string(name) + "(" + a + ", " + b + ")"); };
    const auto zero = [&] { return add("broadcast(" + w.add(real.substr(0, 3) + "[]", "constant(0)") + "), dimensions={}"); };
    if (op == "constant") return {add("constant(" + literal_part(line.arguments, false) + ")"), add("constant(" + literal_part(line.arguments, true) + ")"), real};
    if (op == "iota") return {add("iota()" + line.attributes), zero(), real};
    if (op == "complex") return {"%" + line.operands.at(0), "%" + line.operands.at(1), real};
    if (op == "convert" && !is_complex(line.operands.at(0))) return {add("convert(%" + line.operands[0] + ")"), zero(), real};
    if (op == "convert" || contains(kAlike, op) || op == "custom-call") return {add(on(line, line.attributes, false)), add(on(line, line.attributes, true)), real};
    if (op == "fft") return fourier(line, number, w);
    if (contains(kSums, op)) {
      std::string sum = attribute(line, "to_apply");
      if (!sum.empty() && sum[0] == '%') sum.erase(0, 1);
      if (sums_.count(sum) == 0) refuse(line, number, op + " with anything but an addition");
      const std::string attributes = with_attribute(line, "to_apply", "%" + sum + ".part");
      return {add(on(line, attributes, false)), add(on(line, attributes, true)), real};
    }
    const ComplexParts& a = operand(line, number, 0);
    if (op == "multiply" || op == "dot" || op == "convolution") {
      const ComplexParts& b = operand(line, number, 1);
      const auto times = [&](const std::string& x, const std::string& y) { return add(op + "(" + x + ", " + y + ")" + line.attributes); };
      return {binary("subtract", times(a.re, b.re), times(a.im, b.im)), binary("add", times(a.re, b.im), times(a.im, b.re)), real};
    }
    if (op == "divide") {
      const ComplexParts& b = operand(line, number, 1);
      const std::string size = squared(w, b);
      const std::string re = binary("add", binary("multiply", a.re, b.re), binary("multiply", a.im, b.im));
      const std::string im = binary("subtract", binary("multiply", a.im, b.re), binary("multiply", a.re, b.im));
      return {binary("divide", re, size), binary("divide", im, size), real};
    }
    if (op == "exponential") {
      const std::string size = add("exponential(" + a.re + ")");
      return {binary("multiply", size, add("cosine(" + a.im + ")")), binary("multiply", size, add("sine(" + a.im + ")")), real};
    }
    const auto length = [&] { return add("sqrt(" + squared(w, a) + ")"); };
    if (op == "log") return {add("log(" + length() + ")"), binary("atan2", a.im, a.re), real};
    refuse(line, number, op);
  }

  const std::string_view text_;
  const std::string file_;
  std::map<std::string, std::vector<std::string>> sums_;  // header and lines
  std::map<std::string, ComplexParts> parts_;             // of the computation that is open
  std::string open_;
};

}  // namespace

bool has_complex(std::string_view text) {
  for (const std::string_view name : {"c64[", "c128["}) {
    for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      if (at == 0 || !in_name(text[at - 1])) return true;
    }
  }
  return false;
}

std::string lower_complex(std::string_view text, const std::string& file) { return Lowering(text, file).run(); }

std::string PairWriter::add(const std::string& type, const std::string& rhs) {
  return add_named(stem_ + ".part." + std::to_string(count_++), type, rhs);
}

std::string PairWriter::add_named(const std::string& name, const std::string& type, const std::string& rhs) {
  out_ += " %" + name + " = " + type + " " + rhs;
  return "%" + name;
}

}  // namespace gg::hlo
