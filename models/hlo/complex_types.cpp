#include "models/hlo/complex_types.h"

#include "models/hlo/line_text.h"

namespace gg::hlo {

std::size_t complex_type_at(std::string_view text, std::size_t at) {
  const bool word = at > 0 && in_name(text[at - 1]);
  const std::size_t name = text.substr(at, 4) == "c64[" ? 3 : text.substr(at, 5) == "c128[" ? 4
                                                                                            : 0;
  if (word || name == 0) return 0;
  std::size_t end = matching(text, at + name);
  if (end < text.size() && text[end] == '{') end = matching(text, end);
  return end - at;
}

std::string real_type(std::string_view type) { return (type.substr(0, 4) == "c64[" ? "f32" : "f64") + std::string(type.substr(type.find('['))); }

std::string replace_types(std::string_view text, bool pairs) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const std::size_t end = skip_string(text, at) + 1;
      result += text.substr(at, end - at);
      at = end;
    } else if (const std::size_t size = complex_type_at(text, at)) {
      const std::string real = real_type(text.substr(at, size));
      result += pairs ? "(" + real + ", " + real + ")" : real;
      at += size;
    } else {
      result += text[at++];
    }
  }
  return result;
}

}  // namespace gg::hlo
