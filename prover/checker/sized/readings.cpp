#include "prover/checker/sized/readings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gg::checker {
namespace {

using Extents = std::set<std::string, std::less<>>;

/// Where readings are found, by what they are and in the order of the texts.
class Readings {
 public:
  Readings(const FamilyText& family, const std::string& file) : family_(family), file_(file) {}

  void program(std::string_view text) {
    extents_.clear();
    each_line(text, [&](std::string_view line) {
      const std::size_t equals = line.find(" = "), percent = line.find('%'), open = line.find('(', line.find(' ', equals + 3));
      if (equals == std::string_view::npos || percent > equals || open == std::string_view::npos) return;
      const std::string name(line.substr(percent, equals - percent));
      Extents near;
      // The type reaches up to the operator's name: `%n = f32[$(a),3]{1,0} slice(%x), ..`; a tuple's has blanks.
      const std::size_t op = line.rfind(' ', open_of(line, equals + 3)) + 1;
      each_polynomial(line.substr(equals, op - equals), file_, [&](std::string_view poly, bool) { near.emplace(poly); });
      extents_[name] = near;
      std::string_view rest = line.substr(op);
      const bool literal = rest.substr(0, kConstant.size()) == kConstant;
      for (std::size_t at = rest.find('%'); at != std::string_view::npos; at = rest.find('%', at + 1)) {
        const auto known = extents_.find(rest.substr(at, rest.find_first_of(",) ", at) - at));
        if (known != extents_.end()) near.insert(known->second.begin(), known->second.end());
      }
      for (const std::string_view key : {"replica_groups=", "source_target_pairs=", "sharding=", "metadata="}) {
        if (const std::size_t at = rest.find(key); at != std::string_view::npos) rest = rest.substr(0, at);  // no attribute behind these has a size
      }
      each_polynomial(rest, file_, [&](std::string_view poly, bool minus) {
        if (near.count(poly) == 0) note(literal ? "literal" : "number", poly, minus, name);
      });
    });
  }

  void relation(std::string_view text) {
    each_line(text, [&](std::string_view line) {
      if (line.find("\"mesh\":") != std::string_view::npos) return;
      each_polynomial(line, file_, [&](std::string_view poly, bool minus) { note("number", poly, minus, "the relation"); });
    });
  }

  std::vector<std::string> lines() const {
    constexpr std::size_t kNamed = 3;
    std::vector<std::string> result;
    for (const Key& key : order_) {
      const auto& [what, poly, minus] = key;
      const std::vector<std::string>& places = places_.at(key);
      const auto value = Polynomials::value_at(parse_sum(poly, family_.names, file_), family_.own);
      std::string line = what + (minus ? " -" : " ") + value.print() + " of ";
      for (std::size_t k = 0; k < std::min(places.size(), kNamed); ++k) line += (k == 0 ? "" : ", ") + places[k];
      if (places.size() > kNamed) line += " and " + std::to_string(places.size() - kNamed) + " more";
      result.push_back(line + (minus ? " = -(" + poly + ")" : " = " + poly));
    }
    return result;
  }

 private:
  using Key = std::tuple<std::string, std::string, bool>;
  static constexpr std::string_view kConstant = "constant(";

  template <class Each>
  static void each_line(std::string_view text, const Each& each) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      each(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// The parenthesis behind the operator's name, of what follows `NAME = `.
  static std::size_t open_of(std::string_view line, std::size_t from) {
    int depth = 0;
    for (std::size_t k = from; k < line.size(); ++k) {
      const bool name = k > from && line[k - 1] != ' ' && line[k - 1] != '$' && line[k - 1] != '(' && line[k - 1] != '{';
      if (line[k] == '(' && depth == 0 && name) return k;
      depth += line[k] == '(' ? 1 : line[k] == ')' ? -1
                                                   : 0;
    }
    return line.size();
  }

  void note(const char* what, std::string_view poly, bool minus, const std::string& place) {
    const Key key{what, std::string(poly), minus};
    std::vector<std::string>& places = places_[key];
    if (places.empty()) order_.push_back(key);
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }

  const FamilyText& family_;
  const std::string& file_;
  std::map<std::string, Extents, std::less<>> extents_;  ///< polynomials in the type of each value
  std::map<Key, std::vector<std::string>> places_;
  std::vector<Key> order_;
};

}  // namespace

std::vector<std::string> readings_of(const FamilyText& family, const std::string& file) {
  Readings readings(family, file);
  readings.program(family.sequential);
  readings.program(family.distributed);
  readings.relation(family.relation);
  return readings.lines();
}

}  // namespace gg::checker
