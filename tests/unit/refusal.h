// What is refused: the code of the first diagnostic.
#pragma once

#include <functional>

#include "models/base/diag.h"

namespace gg {

/// NotYet where nothing is refused.
inline DiagCode code_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const InputError& error) {
    return error.diags()[0].code;
  }
  return DiagCode::NotYet;
}

}  // namespace gg
