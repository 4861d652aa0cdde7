#include "models/pair/control.h"

#include "models/ir/control_flow.h"
#include "models/pair/equal.h"

namespace gg {
namespace {

constexpr std::size_t kShown = 20;

}  // namespace

bool is_control(const std::string& text) { return text.rfind("terminates:", 0) == 0 || text.rfind("uniform:", 0) == 0; }

std::vector<Assumption> parse_control(const Case& c, const std::string& text) {
  const std::size_t colon = text.find(':');
  const bool loop = text.substr(0, colon) == "terminates";
  const std::string name = text.substr(colon + 1);
  const std::string wanted = name.find('/') != std::string::npos || name.empty() || name[0] == '%' ? name : "%" + name;
  std::vector<Assumption> result;
  std::vector<std::string> all;
  for (const Duty& duty : ControlFlow(*c.distributed, c.relation.layout).all()) {
    if (duty.loop != loop) continue;
    const std::string instance = to_string(*c.distributed, duty.instance);
    all.push_back(instance);
    if (instance != wanted && instance.substr(instance.rfind('/') + 1) != wanted) continue;
    result.push_back({loop ? AssumptionKind::Terminates : AssumptionKind::Uniform, {instance}});
  }
  if (!result.empty()) return result;
  const std::string what = loop ? "while" : "conditional with a collective inside";
  std::string message = "--assume: the distributed program has no " + what + " '" + name + "'";
  for (std::size_t k = 0; k < all.size() && k < kShown; ++k) message += (k == 0 ? "; there are '" : ", '") + all[k] + "'";
  throw InputError(DiagCode::Usage, {}, message + (all.size() > kShown ? ", ..." : ""));
}

std::vector<Assumption> parse_stated(const Case& c, const std::string& text) {
  return is_control(text) ? parse_control(c, text) : std::vector<Assumption>{parse_equal(c, text)};
}

}  // namespace gg
