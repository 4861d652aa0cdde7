// The table of diagnosis codes (diagnosis.def).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gg::pinpoint {

enum class Diagnosis : std::uint8_t {
#define DIAGNOSIS(Enum, id, title, text) Enum,
#include "harness/report/diagnosis.def"
#undef DIAGNOSIS
};

struct DiagnosisInfo {
  Diagnosis diagnosis;
  std::string_view id;     ///< "GG-D001"
  std::string_view title;  ///< a few words
  std::string_view text;   ///< what `explain` prints
};

/// All codes in the order of diagnosis.def.
std::span<const DiagnosisInfo> diagnoses();
const DiagnosisInfo& info(Diagnosis diagnosis);

}  // namespace gg::pinpoint
