// Random edits of texts: bytes and tokens deleted, repeated, exchanged, numbers made large, lines repeated, files spliced.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace gg::testing {

class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<std::string>& texts) : random_(seed), texts_(texts) {}

  /// An edited copy of one of the texts.
  std::string next() { return next(texts_[pick(texts_.size())]); }

  /// The same for a text that the caller chose; splices come from the others.
  std::string next(std::string text) {
    const std::size_t edits = 1 + pick(3);
    for (std::size_t k = 0; k < edits && !text.empty(); ++k) edit(text);
    return text;
  }

  std::size_t pick(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

 private:
  /// A short run of text that starts and ends at token borders.
  std::pair<std::size_t, std::size_t> token(const std::string& text) {
    constexpr const char* kBorders = " ,(){}[]=\n";
    std::size_t first = text.find_first_not_of(kBorders, pick(text.size()));
    if (first == std::string::npos) first = 0;
    std::size_t last = text.find_first_of(kBorders, first);
    if (last == std::string::npos) last = text.size();
    return {first, last - first};
  }

  void edit(std::string& text) {
    static const char* const kPieces[] = {"999999999999999999999",
                                          "-1",
                                          "{",
                                          "}",
                                          "(",
                                          ")",
                                          "\"",
                                          "/*",
                                          "%",
                                          "1000000000",
                                          "[1000000000,1000000000]<=[1000000000]",
                                          "f32[281474976710656,4]",
                                          "{{}}",
                                          "nan",
                                          "ROOT",
                                          "ENTRY",
                                          "mesh['a'=1000000]",
                                          "\\",
                                          "{...}",
                                          "<=",
                                          "T(1,0)",
                                          "None",
                                          "self.true_graph_0",
                                          "Sym(s0)",
                                          "'0'"};
    const std::size_t at = pick(text.size());
    switch (pick(9)) {
      case 0:
        text[at] = static_cast<char>(pick(256));
        break;
      case 1:
        text.erase(at, 1 + pick(20));
        break;
      case 2:
        text.insert(at, kPieces[pick(std::size(kPieces))]);
        break;
      case 3:
        text.resize(at);
        break;
      case 4: {
        const auto [first, count] = token(text);
        text.replace(first, count, kPieces[pick(std::size(kPieces))]);
        break;
      }
      case 5: {  // one token takes the place of another
        const auto [from, length] = token(text);
        const std::string piece = text.substr(from, length);
        const auto [first, count] = token(text);
        text.replace(first, count, piece);
        break;
      }
      case 6: {  // a line again, somewhere else
        const std::size_t start = text.rfind('\n', at) + 1;
        const std::size_t end = text.find('\n', at);
        const std::string line = text.substr(start, end == std::string::npos ? end : end - start + 1);
        const std::size_t there = text.rfind('\n', pick(text.size())) + 1;
        text.insert(there, line);
        break;
      }
      case 7: {  // the tail of another file
        const std::string& other = texts_[pick(texts_.size())];
        text = text.substr(0, at) + (other.empty() ? "" : other.substr(pick(other.size())));
        break;
      }
      default: {
        const auto [first, count] = token(text);
        text.erase(first, count);
      }
    }
  }

  std::mt19937_64 random_;
  const std::vector<std::string>& texts_;
};

}  // namespace gg::testing
