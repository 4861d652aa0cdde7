#include "models/fx/in_place.h"

#include "models/fx/lowering.h"
#include "models/fx/put_back.h"

namespace gg::fx {

Statement written_form(const Statement& given) {
  Statement statement = given;
  const std::size_t dot = statement.target.rfind('.');
  if (statement.target[dot - 1] != '_') refuse(given, "an overload that writes into a given tensor");
  std::string name = statement.target.substr(0, dot - 1);
  const std::string overload = statement.target.substr(dot);
  if (name == "c10d.allreduce") {  // ([tensors], group, operation, ...): (tensor, operation, group)
    if (statement.arguments.size() < 3) refuse(given, "expected tensors, a group and an operation");
    name = "_c10d_functional.all_reduce";
    statement.arguments = {statement.arguments[0], statement.arguments[2], statement.arguments[1]};
    statement.keywords.clear();
  }
  statement.target = name + overload;
  if (find_overload(statement.target) == nullptr) {
    throw InputError(DiagCode::UnsupportedOps, given.where, "torch.ops." + given.target + " ('" + given.name + "') writes into a tensor and is not known");
  }
  return statement;
}

}  // namespace gg::fx
