#include "prover/checker/sized/family_text.h"

#include <algorithm>

#include "models/base/file.h"
#include "models/base/text.h"
#include "models/hlo/parser.h"
#include "models/hlo/print_values.h"
#include "models/rank/shift.h"
#include "prover/checker/sized/check_sizes.h"
#include "prover/checker/sized/rows.h"

namespace gg::checker {
namespace {

using Sum = Polynomials::Sum;

constexpr std::string_view kFirstLine = "gg-harness sizes 1", kShift = "shift{", kAxis = "axis ";
constexpr std::pair<std::string_view, std::string FamilyText::*> kParts[] = {{"sequential", &FamilyText::sequential},
                                                                             {"distributed", &FamilyText::distributed},
                                                                             {"relation", &FamilyText::relation},
                                                                             {"certificate", &FamilyText::certificate}};

[[noreturn]] void malformed(const std::string& file, const std::string& what) { throw InputError(DiagCode::BadCertificate, {file}, what); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view until(std::string_view& text, std::string_view end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + end.size(), text.size()));
  return part;
}

// `-2*a*b`, without blanks
std::optional<Sum> product(std::string_view text, const std::vector<std::string>& names) {
  Sum result = Polynomials::constant(1);
  const bool minus = !text.empty() && text[0] == '-';
  if (minus) text.remove_prefix(1);
  while (true) {
    const bool last = text.find('*') == std::string_view::npos;
    const std::string_view factor = until(text, "*");
    const auto name = std::find(names.begin(), names.end(), factor);
    const auto value = whole_number(factor);
    if (name == names.end() && (!value || *value < 0)) return std::nullopt;
    result = Polynomials::product(result, name == names.end() ? Polynomials::constant(*value) : Polynomials::symbol_sum(static_cast<std::size_t>(name - names.begin())));
    if (last) break;
  }
  return minus ? Polynomials::product(result, Polynomials::constant(-1)) : result;
}

// Calls with the text between polynomials, with polynomials, and with what stands in `$shift{2,$(tp);1;1;ring;source}`.
template <class Plain, class Poly, class Shift>
void parts(std::string_view text, const std::string& file, const Plain& plain, const Poly& poly, const Shift& shift) {
  while (!text.empty()) {
    plain(until(text, "$"));
    if (text.empty()) break;
    if (text[0] == '$') plain(text.substr(0, 1));
    else if (text.substr(0, kShift.size()) == kShift && text.find('}') != std::string_view::npos) shift(text.substr(kShift.size(), text.find('}') - kShift.size()));
    else if (text[0] == '(' && text.find(')') != std::string_view::npos) poly(text.substr(1, text.find(')') - 1));
    else malformed(file, "a '$' that begins no polynomial");
    text.remove_prefix(text[0] == '$' ? 1 : text.find(text[0] == '(' ? ')' : '}') + 1);
  }
}

std::string at(const std::string& text, const FamilyText& family, const std::vector<std::int64_t>& values, const std::string& file) {
  std::string result;
  parts(
      text, file, [&](std::string_view plain) { result += plain; },
      [&](std::string_view poly) { result += Polynomials::value_at(parse_sum(poly, family.names, file), values).print(); },
      [&](std::string_view inside) {
        const auto shift = RankShift::parse(at(std::string(inside), family, values, file));
        if (!shift) malformed(file, "'$shift{" + std::string(inside).substr(0, 60) + "}' is no shift of ranks");
        result += hlo::print_attribute(Attr::SourceTargetPairs, shift->pairs(), [](ComputationId) { return std::string(); });
      });
  return result;
}

void read_sizes(std::string_view line, FamilyText& family, const std::string& file) {
  if (until(line, " ") != "sizes") malformed(file, "the second line is not 'sizes NAME=N ...'");
  while (!line.empty()) {
    if (line.substr(0, kAxis.size()) == kAxis) {
      if (family.axes++ != family.names.size()) malformed(file, "axes come first");
      line.remove_prefix(kAxis.size());
    }
    const std::string name(until(line, "="));
    const auto value = whole_number(until(line, " "));
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '.' || c == '_'; }) && !is_digit(name[0]);
    if (!plain || !value || *value < 1) malformed(file, "a size is 'NAME=N', N from 1 up");
    if (std::find(family.names.begin(), family.names.end(), name) != family.names.end()) malformed(file, "the size '" + name + "' is there twice");
    family.names.push_back(name);
    family.own.push_back(*value);
  }
  if (family.axes > kMostAxes) malformed(file, "a theorem has at most 4 axes");
  if (family.names.empty() || family.names.size() > Polynomials::kMostSymbols) malformed(file, "a theorem has from 1 to 24 sizes");
}

ParseOptions reading_of(const Case& user) {
  ParseOptions options;
  options.allow_elided = true;
  options.accept_unknown_calls = true;
  for (const Module* module : {user.sequential.get(), user.distributed.get()}) {
    for (InstructionId id = 0; id < module->size(); ++id) {
      const Attributes& a = module->attributes(id);
      if (a.has(Attr::OpaqueBatchDims)) options.opaque_batch_dims.emplace_back(a.text(Attr::CustomCallTarget), a.ints(Attr::OpaqueBatchDims));
    }
  }
  return options;
}

}  // namespace

Sum parse_sum(std::string_view text, const std::vector<std::string>& names, const std::string& file) {
  const std::string whole(text);
  Sum result;
  for (int sign = 1; !text.empty();) {
    const std::size_t plus = text.find(" + "), minus = text.find(" - ");
    const auto term = product(until(text, plus < minus ? " + " : " - "), names);
    if (!term) malformed(file, "'" + whole.substr(0, 60) + "' is no polynomial of the sizes");
    Polynomials::add(result, *term, sign);
    sign = plus < minus ? 1 : -1;
  }
  return result;
}

std::string print_sum(const Sum& sum, const std::vector<std::string>& names) {
  std::string out;
  for (auto it = sum.rbegin(); it != sum.rend(); ++it) {
    const auto& [powers, coef] = *it;
    std::string product;
    for (std::size_t k = 0; k < powers.size(); ++k) {
      for (int n = 0; n < powers[k]; ++n) product += (product.empty() ? "" : "*") + names[k];
    }
    const bool minus = coef.sign() < 0;
    const std::string size = (minus ? -coef : coef).print();
    if (!out.empty()) out += minus ? " - " : " + ";
    else if (minus) out += "-";
    out += product.empty() ? size : size == "1" ? product
                                                : size + "*" + product;
  }
  return out.empty() ? "0" : out;
}

FamilyText parse_family(std::string_view text, const std::string& file) {
  FamilyText family;
  if (until(text, "\n") != kFirstLine) malformed(file, "the first line is not '" + std::string(kFirstLine) + "'");
  read_sizes(until(text, "\n"), family, file);
  for (const auto& [name, part] : kParts) {
    std::string_view line = until(text, "\n");
    const bool named = until(line, " ") == name;
    const std::int64_t lines = whole_number(line).value_or(-1);
    if (!named || lines < 0) malformed(file, "the part '" + std::string(name) + " LINES' is missing");
    for (std::int64_t k = 0; k < lines; ++k) {
      if (text.empty()) malformed(file, "the part '" + std::string(name) + "' is cut short");
      (family.*part += until(text, "\n")) += "\n";
    }
  }
  if (!text.empty()) malformed(file, "there is text behind the certificate");
  return family;
}

std::string print_family(const FamilyText& family) {
  std::string text = std::string(kFirstLine) + "\nsizes";
  for (std::size_t k = 0; k < family.names.size(); ++k) text += (k < family.axes ? " axis " : " ") + family.names[k] + "=" + std::to_string(family.own[k]);
  text += "\n";
  for (const auto& [name, part] : kParts) {
    const std::string& lines = family.*part;
    text += std::string(name) + " " + std::to_string(std::count(lines.begin(), lines.end(), '\n')) + "\n" + lines;
  }
  return text;
}

std::string spanned(const std::vector<std::string>& texts, const std::vector<std::vector<std::int64_t>>& values, const std::vector<std::string>& names) {
  Rows rows(values);
  std::string result;
  std::vector<std::size_t> at(texts.size());
  const auto all = [&](const auto& holds) {
    for (std::size_t k = 0; k < texts.size(); ++k) {
      if (!holds(k)) return false;
    }
    return true;
  };
  while (at[0] < texts[0].size()) {
    const char c = texts[0][at[0]];
    if (!all([&](std::size_t k) { return at[k] < texts[k].size() && (is_digit(c) ? is_digit(texts[k][at[k]]) : texts[k][at[k]] == c); })) throw Limit("other sizes have another text");
    if (!is_digit(c)) {
      const bool shift = c == '$' && texts[0].compare(at[0] + 1, kShift.size(), kShift) == 0;
      result += c == '$' && !shift ? "$$" : std::string(1, c);
      for (std::size_t& n : at) ++n;
      continue;
    }
    std::vector<std::string> digits(texts.size());
    for (std::size_t k = 0; k < texts.size(); ++k) {
      while (at[k] < texts[k].size() && is_digit(texts[k][at[k]])) digits[k] += texts[k][at[k]++];
    }
    if (all([&](std::size_t k) { return digits[k] == digits[0]; })) {
      result += digits[0];
      continue;
    }
    Rows::Row row;
    for (const std::string& n : digits) row.push_back(whole_number(n).value_or(0));
    result += "$(" + print_sum(rows.of(row), names) + ")";
  }
  if (!all([&](std::size_t k) { return at[k] == texts[k].size(); })) throw Limit("other sizes have another text");
  return result;
}

void each_polynomial(std::string_view text, const std::string& file, const std::function<void(std::string_view, bool)>& each) {
  bool minus = false;
  parts(
      text, file, [&](std::string_view plain) { minus = !plain.empty() && plain.back() == '-'; },
      [&](std::string_view poly) { each(poly, minus); }, [](std::string_view) {});
}

std::vector<Sum> polynomials_of(const FamilyText& family, const std::string& file) {
  std::vector<Sum> result;
  for (const std::string* text : {&family.sequential, &family.distributed, &family.relation}) {
    const auto take = [&](std::string_view poly) { result.push_back(parse_sum(poly, family.names, file)); };
    const auto nothing = [](std::string_view) {};
    parts(*text, file, nothing, take, [&](std::string_view inside) { parts(inside, file, nothing, take, nothing); });
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Case member_at(const FamilyText& family, const std::vector<std::int64_t>& values, const Case& user, const std::string& file) try {
  const std::string sequential = at(family.sequential, family, values, file), distributed = at(family.distributed, family, values, file);
  const ParseOptions options = reading_of(user);
  Case result;
  result.folder = user.folder;
  result.name = user.name;
  result.arena = std::make_unique<Arena>();
  result.sequential = std::make_unique<Module>(parse_hlo(sequential, file, options));
  result.distributed = std::make_unique<Module>(parse_hlo(distributed, file, options));
  result.sequential->replaced_transfers = user.sequential->replaced_transfers;
  result.distributed->replaced_transfers = user.distributed->replaced_transfers;
  result.relation_text = at(family.relation, family, values, file);
  result.relation = read_relation(*result.arena, result.relation_text, user.relation.file, *result.sequential, *result.distributed);
  result.hashes = {content_hash(sequential), content_hash(distributed), content_hash(result.relation_text)};
  result.stated = user.stated;
  result.left_out = user.left_out;
  result.sequential_bodies = std::make_unique<BodyTable>(*result.arena, *result.sequential, RankDigits(), RankLayout());
  result.distributed_bodies = std::make_unique<BodyTable>(*result.arena, *result.distributed, result.relation.digits, result.relation.layout);
  return result;
} catch (const InputError& error) {
  throw Limit("the family has no pair at other sizes: " + error.diags().front().message);
}

}  // namespace gg::checker
