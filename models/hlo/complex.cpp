// One instruction after the other: operators that move elements or add are run on each part, the others are formulas.
#include "models/hlo/complex.h"

#include <algorithm>
#include <array>

#include "models/base/progress.h"
#include "models/hlo/values.h"

namespace gg::hlo {
namespace {

/// Operators that move elements, or act on both parts alike.
constexpr std::array kAlike = {
    Op::Add, Op::AllGather, Op::AllToAll, Op::Bitcast, Op::Broadcast, Op::CollectiveBroadcast, Op::CollectivePermute, Op::Concatenate, Op::Convert, Op::Copy, Op::DynamicSlice, Op::DynamicUpdateSlice, Op::Gather, Op::Negate, Op::OptimizationBarrier, Op::Pad, Op::Reshape, Op::Reverse, Op::Select, Op::Slice, Op::Subtract, Op::Transpose};
/// Operators that add with a computation: alike where that computation is an addition.
constexpr std::array kSums = {Op::AllReduce, Op::Reduce, Op::ReduceScatter, Op::ReduceWindow, Op::Scatter};
/// Operators that take and give tuples: the tuple of a complex value is one.
constexpr std::array kCarriers = {Op::Parameter, Op::GetTupleElement, Op::Tuple, Op::While, Op::Conditional, Op::Call, Op::Fusion, Op::AfterAll};
constexpr std::array<std::string_view, 2> kBorders = {"SPMDFullToShardShape", "SPMDShardToFullShape"};

template <class List, class T>
bool contains(const List& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool holds_complex(const Type& type) { return is_complex(type.element) || std::any_of(type.elements.begin(), type.elements.end(), holds_complex); }

Type real_type(Type type) {
  type.element = part_of(type.element);
  return type;
}

/// The shardings of a tuple's elements, those of complex ones for both parts.
std::string doubled(std::string_view text, const Type& type) {
  if (is_complex(type.element)) return std::string(text) + ", " + std::string(text);
  if (!type.is_tuple()) return std::string(text);
  const std::string file;
  Cursor cursor(text, file);
  std::string result;
  cursor.expect('{');
  for (const Type& element : type.elements) {
    cursor.skip_space();
    if (cursor.peek() != '{') return std::string(text);  // one for all
    result += (result.empty() ? "{" : ", ") + doubled(cursor.balanced("a sharding"), element);
    cursor.accept(',');
  }
  return result + "}";
}

class Lowering {
 public:
  explicit Lowering(const Module& module) : from_(module), builder_(module.file), e_(builder_), made_(module.size(), kNone), parts_(module.size()) {}

  Module run() {
    builder_.copy_header(from_);
    builder_.copy_sources(from_);
    builder_.reserve_all(from_);
    builder_.set_entry(from_.entry());
    for (const ComputationId id : from_.in_order()) {
      const Computation& computation = from_.computation(id);
      define(id, computation, [&](InstructionId k) { instruction(k); });
      if (is_sum(computation)) define(part_of_sum(id), computation, [&](InstructionId k) { put(k, from_[k].op, mapped(k), real_type(from_.type(k)), from_.attributes(k)); });
    }
    Module& module = builder_.module();
    module.scheduled = from_.scheduled;
    module.transfers = from_.transfers;
    module.async_starts = from_.async_starts;
    for (Transfer& transfer : module.transfers) transfer.instruction = made_[transfer.instruction];
    for (InstructionId& id : module.async_starts) id = made_[id];
    return builder_.finish();
  }

 private:
  template <class Each>
  void define(ComputationId id, const Computation& computation, Each each) {
    builder_.begin(id, computation.line);
    e_.names.clear();
    for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) e_.names.emplace(from_.name_of(k));
    for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) {
      ask_deadline();
      e_.open(from_[k], std::string(from_.name_of(k)));
      each(k);
    }
    builder_.end(made_[computation.root]);
  }

  /// A computation that adds its two complex parameters is written a second time for one part.
  bool is_sum(const Computation& computation) const {
    return computation.count == 3 && computation.parameters.size() == 2 && from_[computation.root].op == Op::Add && is_complex(from_.type(computation.root).element);
  }
  ComputationId part_of_sum(ComputationId id) { return builder_.reserve(std::string(from_.string(from_.computation(id).name)) + ".part"); }

  [[noreturn]] void refuse(InstructionId id, const std::string& what) const {
    throw InputError(DiagCode::UnsupportedForm, from_.where(id), what + " of complex numbers is not supported (%" + std::string(from_.name_of(id)) + ")");
  }
  std::string operator_of(InstructionId id) const { return is_complex_operator(from_, id) ? from_.attributes(id).text(Attr::CustomCallTarget) : std::string(info(from_[id].op).name); }

  std::vector<InstructionId> mapped(InstructionId id) const {
    std::vector<InstructionId> result;
    for (const InstructionId operand : from_.operands(id)) result.push_back(made_[operand]);
    return result;
  }

  /// What the instruction itself becomes: it keeps its name, its metadata and its sharding.
  void put(InstructionId id, Op op, const std::vector<InstructionId>& operands, Type type, Attributes attributes) {
    Instruction instruction = builder_.like(from_, id);
    if (op != from_[id].op) instruction.channel = -1;
    instruction.op = op;
    instruction.type = builder_.intern(std::move(type));
    instruction.attributes = builder_.intern(std::move(attributes));
    if (from_[id].sharding != kNone && from_.type(id).is_tuple()) {
      instruction.sharding = builder_.intern(doubled(from_.string(from_[id].sharding), from_.type(id)));
    }
    made_[id] = builder_.add(instruction, operands);
  }

  void instruction(InstructionId id) {
    const Type& type = from_.type(id);
    const auto operands = from_.operands(id);
    const auto complex_operand = [&](InstructionId operand) { return holds_complex(from_.type(operand)); };
    const Op op = from_[id].op;
    const bool touched = holds_complex(type) || is_complex_operator(from_, id) || std::any_of(operands.begin(), operands.end(), complex_operand);
    if (!touched) return put(id, op, mapped(id), type, from_.attributes(id));
    const bool transfer = std::any_of(from_.transfers.begin(), from_.transfers.end(), [&](const Transfer& t) { return t.instruction == id; });
    if (transfer) refuse(id, "a transfer");
    const bool call = op == Op::CustomCall && !is_complex_operator(from_, id) && !contains(kBorders, from_.attributes(id).text(Attr::CustomCallTarget));
    const bool handed_on = type.is_tuple() && (op == Op::Copy || op == Op::OptimizationBarrier);
    if (call || handed_on || contains(kCarriers, op)) return whole(id, call);
    if (!is_complex(type.element)) return put(id, Op::Copy, {real_value(id)}, type, {});
    const Type real = real_type(type);
    const Parts parts = parts_of(id, real);
    parts_[id] = {e_.add(Op::Copy, {parts.re}, real, {}, ".re"), e_.add(Op::Copy, {parts.im}, real, {}, ".im")};
    put(id, Op::Tuple, {parts_[id].re, parts_[id].im}, paired(type), {});
  }

  /// A custom call without a meaning is a function of all parts.
  void whole(InstructionId id, bool call) {
    std::vector<InstructionId> operands;
    for (const InstructionId operand : from_.operands(id)) {
      const bool split = call && is_complex(from_.type(operand).element);
      operands.push_back(split ? parts_[operand].re : made_[operand]);
      if (split) operands.push_back(parts_[operand].im);
    }
    const Type& type = from_.type(id);
    put(id, from_[id].op, operands, paired(type), from_.attributes(id));
    if (!is_complex(type.element)) return;
    const auto part = [&](std::int64_t k, const char* end) { return e_.add(Op::GetTupleElement, {made_[id]}, real_type(type), {Attr::Index, k}, end); };
    parts_[id].re = part(0, ".re");
    parts_[id].im = part(1, ".im");
  }

  Parts operand(InstructionId id, std::size_t k) const {
    const auto operands = from_.operands(id);
    if (operands.size() <= k || !is_complex(from_.type(operands[k]).element)) refuse(id, operator_of(id));
    return parts_[operands[k]];
  }

  /// Operators from complex to real values.
  InstructionId real_value(InstructionId id) {
    const std::string name = operator_of(id);
    if (name == "fft") return fourier(id).re;
    const auto operands = from_.operands(id);
    if (name == "real" && operands.size() == 1 && !is_complex(from_.type(operands[0]).element)) return made_[operands[0]];
    const Parts z = operand(id, 0);
    if (name == "real") return z.re;
    if (name == "imag") return z.im;
    if (name == "abs") return formulas_.length(z);
    const auto both = [&](Op op, InstructionId a, InstructionId b) { return e_.binary(op, a, b); };
    if (name == "is-finite") {
      const Type& flags = from_.type(id);
      return both(Op::And, e_.add(Op::IsFinite, {z.re}, flags), e_.add(Op::IsFinite, {z.im}, flags));
    }
    if (name != "compare") refuse(id, name);
    const std::string& direction = from_.attributes(id).text(Attr::Direction);
    if (direction != "EQ" && direction != "NE") refuse(id, "compare " + direction);
    const Parts y = operand(id, 1);
    return both(direction == "EQ" ? Op::And : Op::Or, e_.compare(direction, z.re, y.re), e_.compare(direction, z.im, y.im));
  }

  Parts parts_of(InstructionId id, const Type& real) {
    const Op op = from_[id].op;
    const Attributes& attributes = from_.attributes(id);
    const auto operands = from_.operands(id);
    const std::string name = operator_of(id);
    const auto zero = [&] { return e_.number(real.element, 0, real.dims); };
    if (name == "complex" && operands.size() == 2) return {made_[operands[0]], made_[operands[1]]};
    if (name == "fft") return fourier(id);
    if (op == Op::Constant && attributes.has(Attr::Literal)) return {literal(id, real, 0), literal(id, real, 1)};
    if (op == Op::Iota) return {e_.add(op, {}, real, attributes), zero()};
    if (op == Op::Convert && operands.size() == 1 && !is_complex(from_.type(operands[0]).element)) return {e_.add(op, {made_[operands[0]]}, real), zero()};
    if (contains(kAlike, op) || (op == Op::CustomCall && name == info(op).name)) return each_part(id, real, attributes);
    if (contains(kSums, op)) {
      const ComputationList& sums = attributes.computations(Attr::ToApply);
      if (sums.size() != 1 || !is_sum(from_.computation(sums[0]))) refuse(id, name + " with anything but an addition");
      Attributes adding = attributes;
      adding.set(Attr::ToApply, ComputationList{part_of_sum(sums[0])});
      return each_part(id, real, adding);
    }
    const Parts a = operand(id, 0);
    switch (op) {
      case Op::Multiply:
      case Op::Dot:
      case Op::Convolution: return formulas_.product(a, operand(id, 1), [&](InstructionId x, InstructionId y) { return e_.add(op, {x, y}, real, attributes); });
      case Op::Divide: return formulas_.quotient(a, operand(id, 1));
      case Op::Exponential: return formulas_.exponential(a);
      case Op::Log: return formulas_.logarithm(a);
      default: refuse(id, name);
    }
  }

  /// The operator on the operands' real parts, then on their imaginary ones; positions and conditions are the same for both.
  Parts each_part(InstructionId id, const Type& real, const Attributes& attributes) {
    std::vector<InstructionId> re, im;
    for (const InstructionId operand : from_.operands(id)) {
      const Type& type = from_.type(operand);
      const bool complex = is_complex(type.element);
      if (!complex && !is_integral(type.element)) refuse(id, operator_of(id) + " with " + to_string(type));
      re.push_back(complex ? parts_[operand].re : made_[operand]);
      im.push_back(complex ? parts_[operand].im : made_[operand]);
    }
    return {e_.add(from_[id].op, re, real, attributes), e_.add(from_[id].op, im, real, attributes)};
  }

  /// The literal of a complex constant has a last dimension of two.
  InstructionId literal(InstructionId id, const Type& real, std::size_t part) {
    const ConstantArray& whole = from_.attributes(id).literal();
    ConstantArray half{Type::array(real.element, real.dims), {}};
    for (std::size_t k = part; k < whole.values.size(); k += 2) half.values.push_back(whole.values[k]);
    return e_.add(Op::Constant, {}, real, {Attr::Literal, std::move(half)});
  }

  /// The last dimensions of the operand are the lengths; the last one of a half spectrum is half of it and one.
  Parts fourier(InstructionId id) {
    constexpr std::int64_t kMostPoints = 4096;
    const std::string& kind = from_.attributes(id).text(Attr::Kind);
    const IntList& lengths = from_.attributes(id).ints(Attr::DynamicSliceSizes);
    const auto operands = from_.operands(id);
    if (!contains(std::array{"FFT", "IFFT", "RFFT", "IRFFT"}, kind) || operands.size() != 1 || (kind == "RFFT") == is_complex(from_.type(operands[0]).element) || (kind == "IRFFT") == is_complex(from_.type(id).element)) refuse(id, "fft of type " + kind);
    const std::vector<std::int64_t>& dims = from_.type(operands[0]).dims;
    IntList wanted = lengths;
    if (kind == "IRFFT" && !wanted.empty()) wanted.back() = wanted.back() / 2 + 1;
    const bool counts = std::all_of(lengths.begin(), lengths.end(), [](std::int64_t n) { return n >= 1 && n <= kMostPoints; });
    const bool fits = counts && !lengths.empty() && wanted.size() <= dims.size() && std::equal(wanted.rbegin(), wanted.rend(), dims.rbegin());
    if (!fits) refuse(id, "fft of " + to_string(from_.type(operands[0])) + " with these lengths");
    return lower_fft(e_, kind, lengths, kind == "RFFT" ? Parts{made_[operands[0]], kNone} : parts_[operands[0]]);
  }

  const Module& from_;
  Builder builder_;
  PairEmitter e_;
  ComplexFormulas<PairEmitter, InstructionId> formulas_{e_};
  std::vector<InstructionId> made_;
  std::vector<Parts> parts_;  // of complex arrays
};

}  // namespace

bool is_complex_operator(const Module& module, InstructionId id) { return module[id].op == Op::CustomCall && module.attributes(id).has(Attr::Kind); }

bool has_complex(const Module& module) {
  for (TypeId id = 0; id < module.type_count(); ++id) {
    if (holds_complex(module.type_by_id(id))) return true;
  }
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (is_complex_operator(module, id)) return true;
  }
  return false;
}

Type paired(const Type& type) {
  if (is_complex(type.element)) return Type::tuple({real_type(type), real_type(type)});
  Type result = type;
  std::transform(type.elements.begin(), type.elements.end(), result.elements.begin(), paired);
  return result;
}

Module lower_complex(const Module& module) { return Lowering(module).run(); }

void PairEmitter::open(const Instruction& instruction, std::string name) {
  site_ = Instruction{};
  site_.line = instruction.line;
  site_.column = instruction.column;
  site_.text = instruction.text;
  site_.channel = instruction.channel;
  stem_ = std::move(name);
  count_ = 0;
}

InstructionId PairEmitter::add(Op op, const std::vector<InstructionId>& operands, const Type& type, Attributes attributes, const std::string& end) {
  Instruction instruction = site_;
  std::string name = stem_ + end;
  while (end.empty() ? !names.insert(name = stem_ + ".part." + std::to_string(count_++)).second : !names.insert(name).second) name += ".part";
  if (info(op).traits != OpTraits::Collective) instruction.channel = -1;
  instruction.op = op;
  instruction.type = builder_.intern(type);
  instruction.attributes = builder_.intern(std::move(attributes));
  instruction.name = builder_.intern(name);
  return builder_.add(instruction, operands);
}

InstructionId PairEmitter::number(ElementType element, double value, const std::vector<std::int64_t>& dims) {
  const Type scalar = Type::array(element, {});
  const InstructionId made = add(Op::Constant, {}, scalar, {Attr::Literal, ConstantArray{scalar, {is_float(element) ? Scalar::of(element, value) : Scalar::of_int(element, static_cast<std::int64_t>(value))}}});
  if (dims.empty()) return made;
  return add(Op::Broadcast, {made}, Type::array(element, dims), {Attr::BroadcastDims, IntList{}});
}

InstructionId PairEmitter::compare(const std::string& direction, InstructionId a, InstructionId b) {
  return add(Op::Compare, {a, b}, Type::array(ElementType::Pred, type(a).dims), {Attr::Direction, direction});
}

}  // namespace gg::hlo
