// What a process is doing, kept where the process that supervises it still reads it when it is gone (harness/supervise.h).
#pragma once

#include <string>
#include <string_view>

namespace gg {

/// Phases of a command, in a word or two: `reading`, `run`, `proof`.
void enter_phase(std::string_view phase);
std::string current_phase();

/// A name that the process is writing under and that must not stay if it ends; "" = none. Longer paths than 4095 are not kept.
void note_temporary(const std::string& path);
std::string noted_temporary();
/// Removes what is noted; the process that noted it is gone.
void remove_temporary();

/// From now on both are kept in memory that processes forked later share with this one.
void share_progress();

}  // namespace gg
