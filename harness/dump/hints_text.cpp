// What texts beside a pair say, read without a parser: meshes, donated buffers, names of parameters and results.
#include <algorithm>
#include <map>

#include "harness/dump/hints.h"

namespace gg {
namespace {

constexpr std::int64_t kMaxLeaf = std::int64_t{1} << 32;

/// A short text that is looked through from left to right; nothing here is an error, what does not fit ends the search.
struct Scan {
  std::string_view text;

  bool take(std::string_view word) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.substr(0, word.size()) != word) return false;
    text.remove_prefix(word.size());
    return true;
  }
  /// Goes behind the next `word`.
  bool find(std::string_view word) {
    const auto at = text.find(word);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + word.size());
    return true;
  }
  std::optional<std::int64_t> number() {
    take("");
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
      value = value * 10 + (text[digits] - '0');
      if (value > kMaxLeaf) return std::nullopt;
    }
    text.remove_prefix(digits);
    return digits == 0 ? std::nullopt : std::optional(value);
  }
};

/// `"dp"=2, "tp"=4]`, quotes escaped where the mesh stands in a string, or `'dp'=2,'tp'=4]`.
std::optional<std::vector<MeshAxis>> parse_axes(Scan& scan, std::string_view quote) {
  std::vector<MeshAxis> axes;
  while (!scan.take("]")) {
    if (!axes.empty() && !scan.take(",")) return std::nullopt;
    scan.take("\\");
    if (!scan.take(quote)) return std::nullopt;
    const auto end = scan.text.find_first_of("\\\"'");
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    const std::string name(scan.text.substr(0, end));
    scan.text.remove_prefix(end);
    scan.take("\\");
    if (!scan.take(quote) || !scan.take("=")) return std::nullopt;
    const auto size = scan.number();
    if (!size || *size < 1) return std::nullopt;
    axes.push_back({name, *size});
  }
  return axes.empty() ? std::nullopt : std::optional(axes);
}

/// `(3, {}`: an entry parameter that is an array.
std::optional<std::int64_t> parse_parameter(Scan& scan) {
  if (!scan.take("(")) return std::nullopt;
  const auto number = scan.number();
  return number && scan.take(",") && scan.take("{") && scan.take("}") ? number : std::nullopt;
}

/// MLIR writes quotes and what is not printable as a backslash and two hexadecimal digits.
std::string unescaped(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                        : c >= 'a' && c <= 'f'   ? c - 'a' + 10
                                                                 : -1;
  };
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\\' && k + 2 < text.size() && digit(text[k + 1]) >= 0 && digit(text[k + 2]) >= 0) {
      result += static_cast<char>(digit(text[k + 1]) * 16 + digit(text[k + 2]));
      k += 2;
    } else if (text[k] != '\\' || k + 1 == text.size()) {
      result += text[k];
    }
  }
  return result;
}

}  // namespace

std::vector<std::vector<MeshAxis>> parse_meshes(std::string_view text) {
  std::vector<std::vector<MeshAxis>> meshes;
  Scan scan{text};
  while (scan.find("#sdy.mesh<[")) {
    auto axes = parse_axes(scan, "\"");
    if (axes && scan.take(">")) meshes.push_back(*std::move(axes));  // else devices are listed
  }
  scan.text = text;
  while (scan.find("mesh['")) {
    scan.text = text.substr(text.size() - scan.text.size() - 1);
    auto axes = parse_axes(scan, "'");
    const bool listed = scan.take(",") && scan.take("device_ids");
    const auto is_this = [&](const std::vector<MeshAxis>& mesh) {
      return std::equal(mesh.begin(), mesh.end(), axes->begin(), axes->end(), [](const MeshAxis& a, const MeshAxis& b) { return a.name == b.name && a.size == b.size; });
    };
    if (axes && !listed && std::none_of(meshes.begin(), meshes.end(), is_this)) meshes.push_back(*std::move(axes));
  }
  return meshes;
}

void parse_buffers(std::string_view header, DumpHints& hints) {
  Scan scan{header};
  if (scan.find("input_output_alias={")) {
    while (scan.take("{")) {
      const auto output = scan.number();
      if (!scan.take("}") || !scan.take(":")) break;
      const auto input = parse_parameter(scan);
      if (!input || !scan.find(")")) break;
      hints.aliases.push_back({output.value_or(0), *input});
      hints.donors.push_back(*input);
      if (!scan.take(",")) break;
    }
  }
  scan.text = header;
  if (scan.find("buffer_donor={")) {
    while (const auto input = parse_parameter(scan)) {
      hints.donors.push_back(*input);
      if (!scan.take(")") || !scan.take(",")) break;
    }
  }
  std::sort(hints.donors.begin(), hints.donors.end());
  hints.donors.erase(std::unique(hints.donors.begin(), hints.donors.end()), hints.donors.end());
}

std::vector<std::string> parse_result_names(std::string_view mlir) {
  Scan scan{mlir};
  if (!scan.find("func.func public @main(")) return {};
  scan.text = scan.text.substr(0, scan.text.find('\n'));
  std::vector<std::string> names;
  while (scan.find("jax.result_info = \"")) {
    const auto end = scan.text.find('"');
    if (end == std::string_view::npos) return {};
    names.push_back(unescaped(scan.text.substr(0, end)));
  }
  return names;
}

std::vector<std::string> parse_parameter_names(std::string_view text) {
  Scan scan{text};
  if (!scan.find("\nENTRY ")) return {};
  scan.text = scan.text.substr(0, scan.text.find("\n}"));
  std::map<std::int64_t, std::string> names;
  while (scan.find(" parameter(")) {
    const auto number = scan.number();
    Scan line{scan.text.substr(0, scan.text.find('\n'))};
    if (!number || !line.find("op_name=\"")) return {};
    std::string& name = names[*number];
    for (std::size_t k = 0; k < line.text.size() && line.text[k] != '"'; ++k) {
      if (line.text[k] == '\\' && k + 1 < line.text.size()) ++k;
      name += line.text[k];
    }
  }
  std::vector<std::string> result;
  for (auto& [number, name] : names) {
    if (number != static_cast<std::int64_t>(result.size()) || name.empty()) return {};
    result.push_back(std::move(name));
  }
  return result;
}

}  // namespace gg
