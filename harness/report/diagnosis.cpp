// The table of diagnosis codes (harness/report/diagnosis.h).
#include "harness/report/diagnosis.h"

#include <array>

namespace gg::pinpoint {
namespace {

constexpr std::array kRows = {
#define DIAGNOSIS(Enum, id, title, text) DiagnosisInfo{Diagnosis::Enum, id, title, text},
#include "harness/report/diagnosis.def"
#undef DIAGNOSIS
};

}  // namespace

std::span<const DiagnosisInfo> diagnoses() { return kRows; }

const DiagnosisInfo& info(Diagnosis diagnosis) { return kRows[static_cast<std::size_t>(diagnosis)]; }

}  // namespace gg::pinpoint
