// Complex types in a text.
#pragma once

#include <string>
#include <string_view>

namespace gg::hlo {

/// `c64[8]{0}` where it stands at `at`: its length, and 0 elsewhere.
std::size_t complex_type_at(std::string_view text, std::size_t at);
/// f32[8]{0} of c64[8]{0}.
std::string real_type(std::string_view type);
/// Every complex type outside strings as a tuple of two, or as its real type.
std::string replace_types(std::string_view text, bool pairs);

}  // namespace gg::hlo
