#include "prover/checker/sized/check_sizes.h"

#include <algorithm>
#include <memory>

#include "models/base/text.h"
#include "models/ir/control_flow.h"
#include "prover/checker/check.h"
#include "prover/checker/sized/conditions.h"
#include "prover/checker/sized/kept.h"
#include "prover/checker/sized/member.h"
#include "prover/checker/sized/numbers.h"
#include "prover/checker/sized/readings.h"

namespace gg::checker {
namespace {

using Sum = Polynomials::Sum;
using Values = std::vector<std::int64_t>;

/// Members of a family, and what their numbers are.
class Members {
 public:
  Members(const FamilyText& family, const Case& user, const std::string& file)
      : family_(family), user_(user), file_(file), sums_(polynomials_of(family, file)) {}
  Case& add(const Values& values) {
    values_.push_back(values);
    cases_.push_back(std::make_unique<Case>(member_at(family_, values, user_, file_)));
    return *cases_.back();
  }
  /// Throws Limit where a number of theirs is no polynomial of the sizes, or a body has another form.
  void numbers(Polynomials& all) const {
    std::vector<Case*> cases;
    for (const auto& one : cases_) cases.push_back(one.get());
    FamilyNumbers numbers(cases, values_, all);
    for (const Sum& sum : sums_) {
      Rows::Row row;
      for (const Values& values : values_) row.push_back(whole(Polynomials::value_at(sum, values)));
      numbers.state(row, sum);
    }
    numbers.collect();
  }

 private:
  static std::int64_t whole(const Exact& n) {
    const auto value = n.integer();
    if (!value) throw Limit("a size beyond 64 bits");
    return *value;
  }

  const FamilyText& family_;
  const Case& user_;
  const std::string& file_;
  const std::vector<Sum> sums_;
  std::vector<std::unique_ptr<Case>> cases_;
  std::vector<Values> values_;
};

/// Do bodies and numbers have the same form down to the least sizes: each as small as it may be beside large ones, and all of them?
bool reaches(const FamilyText& family, const Case& user, const std::string& file, const Values& least) try {
  Members members(family, user, file);
  const auto large = family_sizes(family.axes, least.size());
  for (const Values& sizes : large) members.add(sizes);
  for (std::size_t k = 0; k <= least.size(); ++k) {
    Values sizes = k < least.size() ? large[0] : least;
    if (k < least.size()) sizes[k] = least[k];
    members.add(sizes);
  }
  Polynomials all(large[0]);
  members.numbers(all);
  return true;
} catch (const Limit&) {  // another form, or no well-typed pair
  return false;
}

/// Raises the bounds until the family reaches down to them.
bool raise_to_family(const FamilyText& family, const Case& user, const std::string& file, Values& least) {
  constexpr int kMostRaises = 6;
  for (std::int64_t& n : least) n = std::max<std::int64_t>(n, 2);  // a size of one is another program
  for (int raises = 0; raises < kMostRaises; ++raises) {
    if (reaches(family, user, file, least)) return true;
    for (std::int64_t& n : least) ++n;
  }
  return false;
}

std::string shape(const gg::Leaf& told, const gg::Leaf& leaf, const Polynomials& all, const FamilyText& family) {
  std::string text;
  for (const std::int64_t n : leaf.type.dims) text += (text.empty() ? "" : ", ") + print_sum(all.numbers.at(n), family.names);
  return told.shown() + ": " + std::string(info(leaf.type.element).name) + "[" + text + "]";
}

void tell(const FamilyText& family, const Case& user, const Case& first, const Polynomials& all, const Values& least, SizesTheorem& theorem) {
  for (std::size_t k = 0; k < least.size(); ++k) theorem.sizes.push_back({family.names[k], family.own[k], k < family.axes, least[k]});
  const auto shapes = [&](const std::vector<gg::Leaf>& told, const std::vector<gg::Leaf>& leaves, std::vector<std::string>& lines) {
    for (std::size_t k = 0; k < told.size(); ++k) lines.push_back(shape(told[k], leaves.at(k), all, family));
  };
  shapes(input_leaves(*user.sequential), input_leaves(*first.sequential), theorem.inputs);
  shapes(output_leaves(*user.sequential), output_leaves(*first.sequential), theorem.outputs);
}

/// Bounds of assumed ranges as sizes: `[0,tp*c)`.
void tell_ranges(const Polynomials& all, const FamilyText& family, std::vector<Assumption>& assumptions) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (Assumption& a : assumptions) {
    const bool range = a.kind == AssumptionKind::InputRange || a.kind == AssumptionKind::RangeNotGiven || a.kind == AssumptionKind::InBounds;
    if (!range || a.arguments.size() < 2) continue;
    std::string text, number;
    for (const char c : a.arguments[1] + " ") {
      if (is_digit(c)) {
        number += c;
        continue;
      }
      const auto known = number.empty() || number.size() > 18 ? all.numbers.end() : all.numbers.find(std::stoll(number));
      text += known == all.numbers.end() ? number : print_sum(known->second, family.names);
      text += c;
      number.clear();
    }
    text.pop_back();
    a.arguments[1] = text;
  }
}

void check_family(const FamilyText& family, const std::string& file, const Case& user, SizesCheck& result) {
  if (!user.originals.empty()) throw Limit(kNoTheoremOfGraphs);
  Members members(family, user, file);
  const Case own = member_at(family, family.own, user, file);
  result.theorem.reason = not_the_member(user, own);
  if (!result.theorem.reason.empty()) return;
  const auto sizes = family_sizes(family.axes, family.own.size());
  Case& first = members.add(sizes[0]);
  for (const std::size_t k : {1U, 2U}) members.add(sizes[k]);
  if (family.axes != 0 && !ControlFlow(*first.distributed, first.relation.layout).all().empty()) throw Limit("what ranks owe each other in loops and branches is shown for the given ranks only");
  Polynomials all(sizes[0]);
  members.numbers(all);
  const CertificateSyntax syntax = parse_certificate(family.certificate, file);
  if (syntax.sequential != first.hashes.sequential || syntax.distributed != first.hashes.distributed || syntax.relation != first.hashes.relation) throw Limit("the certificate is of another family");
  result.check = Check(syntax, first, true).run();
  result.theorem.reason = result.check.problem;
  if (!result.check.accepted) return;
  tell_ranges(all, family, result.check.assumptions);
  Conditions conditions(family);
  result.theorem.conditions = conditions.read(all);
  Values least = conditions.least();
  if (!raise_to_family(family, user, file, least)) throw Limit("operators have another form at small sizes");
  tell(family, user, first, all, least, result.theorem);
  result.theorem.readings = readings_of(family, file);
  result.theorem.kept = kept_literals(own, first);
  bool among = conditions.hold();
  for (std::size_t k = 0; k < least.size(); ++k) among = among && family.own[k] >= least[k];
  result.theorem.proved = among;
  if (!among) throw Limit("the theorem says nothing of the pair's own sizes: " + bounds_of(result.theorem));
}

}  // namespace
}  // namespace gg::checker

namespace gg {

SizesCheck check_sizes(std::string_view text, const std::string& file, const Case& c) {
  const checker::FamilyText family = checker::parse_family(text, file);
  SizesCheck result;
  try {
    checker::check_family(family, file, c, result);
  } catch (const checker::Limit& limit) {
    result.theorem.reason = limit.what();
  }
  return result;
}

CheckReport report_of(const SizesCheck& result, const Case& c, const std::vector<std::string>& allowed, const std::vector<std::string>& stated, bool all) {
  CheckResult check = result.check;
  check.accepted = result.theorem.proved;
  check.problem = result.theorem.reason;
  CheckReport report = report_of(check, c, allowed, stated, all);
  if (!check.accepted) return report;
  std::string lines;
  for (const std::string& line : size_lines(result.theorem)) lines += printable(line) + "\n";
  report.text = lines + report.text;
  return report;
}

}  // namespace gg
