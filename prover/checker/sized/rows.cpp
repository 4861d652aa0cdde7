#include "prover/checker/sized/rows.h"

#include <algorithm>

namespace gg::checker {
namespace {

constexpr std::int64_t kReach = 16;  ///< a number beside a product of sizes

bool constant(const std::vector<std::int64_t>& row) {
  return std::all_of(row.begin(), row.end(), [&](std::int64_t n) { return n == row[0]; });
}

}  // namespace

Rows::Rows(const std::vector<std::vector<std::int64_t>>& values) {
  for (std::size_t s = 0; s < values[0].size(); ++s) {
    Atom symbol{{}, Polynomials::symbol_sum(s)};
    for (const auto& of_member : values) symbol.row.push_back(of_member[s]);
    symbols_.push_back(std::move(symbol));
  }
  atoms_ = symbols_;
}

void Rows::state(const Row& row, const Polynomials::Sum& sum) {
  if (!known_.emplace(row, sum).second || constant(row)) return;
  if (sum.size() == 1) sums_.push_back({row, sum});
  if (sum.size() > 1 && std::all_of(row.begin(), row.end(), [](std::int64_t n) { return n > 1; })) atoms_.push_back({row, sum});
}

const Polynomials::Sum& Rows::of(const Row& row) {
  if (const auto it = known_.find(row); it != known_.end()) return it->second;
  state(row, explained(row));
  return known_.at(row);
}

// A number times a product of sizes.
std::optional<Polynomials::Sum> Rows::product(Row row) const {
  Polynomials::Sum result = Polynomials::constant(1);
  for (const Atom& atom : atoms_) {
    const auto divides = [&] {
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k] == 0 || row[k] % atom.row[k] != 0) return false;
      }
      return true;
    };
    while (divides()) {
      for (std::size_t k = 0; k < row.size(); ++k) row[k] /= atom.row[k];
      result = Polynomials::product(result, atom.sum);
    }
  }
  if (!constant(row)) return std::nullopt;
  return Polynomials::product(result, Polynomials::constant(Exact(row[0])));
}

std::optional<Polynomials::Sum> Rows::beside_product(const Row& row, std::int64_t reach) const {
  for (std::int64_t step = 0; step <= 2 * reach; ++step) {
    const std::int64_t beside = step % 2 == 0 ? step / 2 : -(step + 1) / 2;
    Row moved = row;
    for (std::int64_t& n : moved) n += beside;
    auto sum = product(std::move(moved));
    if (!sum) continue;
    Polynomials::add(*sum, Polynomials::constant(Exact(-beside)), 1);
    return sum;
  }
  return std::nullopt;
}

Polynomials::Sum Rows::explained(const Row& row) const {
  if (constant(row)) return Polynomials::constant(Exact(row[0]));
  auto sum = beside_product(row, kReach);
  for (auto other = sums_.begin(); !sum && other != sums_.end(); ++other) {  // two products
    for (const int sign : {1, -1}) {
      Row rest = row;
      for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= sign * other->row[k];
      sum = constant(rest) ? Polynomials::constant(Exact(rest[0])) : beside_product(rest, 2);
      if (!sum) continue;
      Polynomials::add(*sum, other->sum, sign);
      break;
    }
  }
  if (!sum) throw Limit("the number " + std::to_string(row[0]) + " is no product of sizes");
  return *sum;
}

}  // namespace gg::checker
