// Definitions of custom calls as HLO (docs/formats.md); one row a target.
#include "models/hlo/expand.h"

#include <array>
#include <charconv>

#include "models/base/text.h"

namespace gg::hlo {
namespace {

std::string braces(const std::vector<std::int64_t>& list) { return "{" + joined_text(list, ",") + "}"; }

/// Appends lines with fresh names.
class Lines {
 public:
  explicit Lines(const Expansion& expansion) : expansion_(expansion) {}

  /// `type rhs` under a new name; returns `%name`.
  std::string add(const Type& type, const std::string& rhs) {
    lines_.push_back({expansion_.fresh(), type, rhs, false});
    return "%" + lines_.back().name;
  }
  /// The same, of this type also where floats are widened.
  std::string exact(const Type& type, const std::string& rhs) {
    const std::string name = add(type, rhs);
    lines_.back().as_written = true;
    return name;
  }
  /// The last line, with the instruction's own name and type.
  std::vector<Line> finish(const std::string& rhs) {
    const Module& module = expansion_.module;
    lines_.push_back({std::string(module.name_of(expansion_.id)), module.type(expansion_.id), rhs, false});
    return std::move(lines_);
  }
  std::string operand(std::size_t k) const {
    return "%" + std::string(expansion_.module.name_of(expansion_.module.operands(expansion_.id)[k]));
  }
  const Type& operand_type(std::size_t k) const {
    return expansion_.module.type(expansion_.module.operands(expansion_.id)[k]);
  }

 private:
  const Expansion& expansion_;
  std::vector<Line> lines_;
};

/// y = w[i_d] * x * rsqrt(mean over d of x^2 + eps), d = backend_config.
std::optional<std::vector<Line>> expand_rms_norm(const Expansion& expansion) {
  const std::string& config = expansion.module.attributes(expansion.id).text(Attr::BackendConfig);
  std::int64_t d = -1;
  std::from_chars(config.data(), config.data() + config.size(), d);
  Lines lines(expansion);
  if (expansion.module.operands(expansion.id).size() != 3 || d < 0 || d >= lines.operand_type(0).rank()) {
    return std::nullopt;
  }
  const Type full = Type::array(lines.operand_type(0).element, lines.operand_type(0).dims);
  const Type scalar = Type::array(full.element, {});
  Type rest = full;
  rest.dims.erase(rest.dims.begin() + d);
  std::vector<std::int64_t> others;
  for (std::int64_t k = 0; k < full.rank(); ++k) {
    if (k != d) others.push_back(k);
  }
  const std::string x = lines.operand(0);
  const std::string square = lines.add(full, "multiply(" + x + ", " + x + ")");
  const std::string zero = lines.add(scalar, "constant(0)");
  const std::string sum = lines.add(rest, "reduce(" + square + ", " + zero + "), dimensions={" + std::to_string(d) +
                                              "}, to_apply=%" + expansion.sum(full.element));
  const std::string count =
      lines.add(scalar, "constant(" + std::to_string(full.dims[static_cast<std::size_t>(d)]) + ")");
  const std::string counts = lines.add(rest, "broadcast(" + count + "), dimensions={}");
  const std::string mean = lines.add(rest, "divide(" + sum + ", " + counts + ")");
  const std::string eps = lines.add(scalar, "convert(" + lines.operand(2) + ")");
  const std::string epses = lines.add(rest, "broadcast(" + eps + "), dimensions={}");
  const std::string shifted = lines.add(rest, "add(" + mean + ", " + epses + ")");
  const std::string root = lines.add(rest, "rsqrt(" + shifted + ")");
  const std::string scale = lines.add(full, "broadcast(" + root + "), dimensions=" + braces(others));
  const Type weight_type = Type::array(full.element, lines.operand_type(1).dims);
  const std::string weight = lines.add(weight_type, "convert(" + lines.operand(1) + ")");
  const std::string weights = lines.add(full, "broadcast(" + weight + "), dimensions={" + std::to_string(d) + "}");
  const std::string normal = lines.add(full, "multiply(" + x + ", " + scale + ")");
  const std::string scaled = lines.add(full, "multiply(" + normal + ", " + weights + ")");
  return lines.finish("convert(" + scaled + ")");
}

/// The operand itself.
std::optional<std::vector<Line>> expand_transfer(const Expansion& expansion) {
  Lines lines(expansion);
  if (expansion.module.operands(expansion.id).size() != 1) return std::nullopt;
  return lines.finish("copy(" + lines.operand(0) + ")");
}

struct Row {
  std::string_view target;
  std::optional<std::vector<Line>> (*expand)(const Expansion& expansion);
};

constexpr std::array kRows = {
    Row{"AwsNeuronRmsNorm", expand_rms_norm},
    Row{"AwsNeuronTransferWithStaticRing", expand_transfer},
};

}  // namespace

std::optional<std::vector<Line>> expand_custom_call(const Expansion& expansion) {
  const std::string& target = expansion.module.attributes(expansion.id).text(Attr::CustomCallTarget);
  for (const Row& row : kRows) {
    if (row.target == target) return row.expand(expansion);
  }
  return std::nullopt;
}

std::vector<Line> expand_bits(const Expansion& expansion) {
  const auto narrower = [](const Type& type) { return is_float(type.element) && type.element != ElementType::F64; };
  Lines lines(expansion);
  const Type& result = expansion.module.type(expansion.id);
  const Type& operand = lines.operand_type(0);
  if (!narrower(result) && !narrower(operand)) return {};
  const std::string value = narrower(operand) ? lines.exact(operand, "convert(" + lines.operand(0) + ")") : lines.operand(0);
  if (!narrower(result)) return lines.finish("bitcast-convert(" + value + ")");
  return lines.finish("convert(" + lines.exact(result, "bitcast-convert(" + value + ")") + ")");
}

std::vector<Line> expand_rank_id(const Expansion& expansion, RankLayout layout) {
  const bool replica = expansion.module[expansion.id].op == Op::ReplicaId;
  const Type type = Type::array(ElementType::U32, {});
  Lines lines(expansion);
  if ((replica ? layout.replicas : layout.partitions) == 1) return lines.finish("constant(0)");
  if ((replica ? layout.partitions : layout.replicas) == 1) return lines.finish("replica-id()");
  // rank = replica * partitions + partition
  const std::string rank = lines.add(type, "replica-id()");
  const std::string partitions = lines.add(type, "constant(" + std::to_string(layout.partitions) + ")");
  return lines.finish((replica ? "divide(" : "remainder(") + rank + ", " + partitions + ")");
}

}  // namespace gg::hlo
