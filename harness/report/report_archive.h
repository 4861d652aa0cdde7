// Reports as bytes between two processes of one program: no format for files (that is to_json).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/report/report.h"

namespace gg {

/// All fields of a report.
std::string pack(const Report& report);

/// The report that was packed; nothing where the bytes end early.
std::optional<Report> unpack(std::string_view bytes);

/// The report with every text of an input as a terminal may show it (models/base/text.h); paths stay what they are, as text.
Report printable(Report report);

}  // namespace gg
