// Logs of AOT: every line has a prefix, and the lines of several ranks and graphs may interleave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gg::fx {

/// What stands before a line: `[rank1]:I1122 15:21:38.593000 PID torch/...py:1897] [0/0] [__aot_graphs] `, of AOT logs.
struct Prefix {
  std::size_t length = 0;
  std::int64_t rank = -1;
  std::string_view graph;  ///< `0/0] [__aot`: lines of equal ranks and graphs belong together
};

/// The number behind `mark`; -1: there is none.
std::int64_t number_after(std::string_view text, std::string_view mark);

/// Length 0: the line has none.
Prefix prefix_of(std::string_view line);

/// Does a line have a log's prefix?
bool is_log(std::string_view text);

}  // namespace gg::fx
