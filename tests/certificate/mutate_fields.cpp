// mutate_fields CASE[=CERTIFICATE]...: every token of every line of a certificate changed once (integrity hash computed
// anew), every line dropped, doubled and exchanged with the next one: what does the checker say? A changed certificate
// may be refused or may still prove the same pair; both are counted by kind of line, and the accepted ones are listed
// with -v. Each certificate is also offered for the cases behind --strangers (pairs that differ): those must be refused.
// Without =CERTIFICATE the prover makes one; a case that it does not prove is told and passed over.
// Options (before the cases): --check (no mutation: prove and check, with times), --write DIR, -v, --every N (each Nth mutant).
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "models/base/file.h"
#include "prover/checker/checker.h"
#include "prover/prover.h"

namespace {

using Lines = std::vector<std::string>;

struct Options {
  bool only_check = false, verbose = false;
  std::size_t every = 1;
  std::string write;
};

Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The text with its closing hash made anew.
std::string sealed(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (line.rfind("end ", 0) != 0) text += line + "\n";
  }
  return text + "end " + gg::content_hash(text) + "\n";
}

/// Other tokens for one token: another number, another name of its kind, another operator.
std::vector<std::string> others(const std::string& token) {
  static const std::map<std::string, std::vector<std::string>> words = {
      {"S", {"D"}}, {"D", {"S"}}, {"array", {"anchor"}}, {"anchor", {"array"}}, {"gap", {"anchor"}}, {"add", {"maximum", "multiply"}}, {"maximum", {"minimum", "add"}}, {"minimum", {"maximum"}}, {"multiply", {"add"}}, {"and", {"or"}}, {"or", {"and"}}, {"ge", {"eq"}}, {"eq", {"ge"}}, {"case", {"+"}}, {"+", {"*", "-"}}, {"*", {"+"}}, {"-", {"+"}}, {"true", {"false"}}, {"false", {"true"}}, {"inf", {"nan", "0"}}, {"nan", {"inf", "?"}}, {"s", {"x", "g", "k"}}, {"x", {"s"}}, {"g", {"s"}}, {"k", {"s"}}, {"v", {"b"}}, {"b", {"v"}}, {"!", {""}}, {"finite", {"range"}}, {"exponential", {"log", "sine"}}, {"left", {"right"}}, {"/", {"*"}}, {",", {"+", ";"}}, {"i", {"f"}}, {"not", {"and"}}, {"output", {"gap"}}, {"|", {""}}, {"clamp", {"tab"}}, {"tab", {"clamp"}}, {"?", {"0"}}, {"^", {"*"}}};
  if (const auto it = words.find(token); it != words.end()) return it->second;
  if (token.find_first_not_of("0123456789") == std::string::npos) {
    const unsigned long long n = token.size() > 18 ? 7 : std::stoull(token);
    std::vector<std::string> result = {std::to_string(n + 1)};
    if (n > 0) result.push_back(std::to_string(n - 1));
    if (n != 0 && n != 1) result.push_back("0");
    return result;
  }
  if (token == " " || token == "(" || token == ")" || token == "[" || token == "]") return {""};
  return {token + "0", token.substr(0, token.size() - 1)};
}

/// Numbers, words of letters, single signs. Instance names (behind two blanks) stay whole.
std::vector<std::string> tokens_of(const std::string& line) {
  std::vector<std::string> tokens;
  const auto kind = [](char c) { return c >= '0' && c <= '9' ? 1 : (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? 2
                                                                                                                    : 0; };
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    if (at > 0 && line[at - 1] == ' ' && line.find('%', at) < line.find(' ', at)) {
      end = std::min(line.find(' ', at), line.size());
    } else {
      while (kind(line[at]) != 0 && end < line.size() && kind(line[end]) == kind(line[at])) ++end;
    }
    tokens.push_back(line.substr(at, end - at));
    at = end;
  }
  return tokens;
}

struct Tally {
  std::size_t rejected = 0, malformed = 0, accepted = 0;
};

/// One case and its certificate.
struct Subject {
  std::string folder, text;
  gg::Case pair;
};

/// Why a certificate that was changed in this way may still prove the same pair. It is checked from the start like any
/// other, so acceptance is never a matter of what the lines claim.
const char* why_accepted(const std::string& kind) {
  if (kind == "(doubled)") return ": the same step twice";
  if (kind == "(dropped)") return ": a step or assumption that the check does not need";
  if (kind == "(exchanged)") return ": the order of lines of different values says nothing";
  if (kind == "output") return ": more levels than needed";
  return ": another spelling of the same term (an index that is not used, a level more)";
}

std::string kind_of(const std::string& line) { return line.substr(0, line.find(' ')); }

class Mutation {
 public:
  Mutation(Subject& subject, const Options& options) : subject_(subject), options_(options), lines_(lines_of(subject.text)) {}

  void run() {
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const std::vector<std::string> tokens = tokens_of(lines_[k]);
      for (std::size_t n = 0; n < tokens.size(); ++n) {
        for (const std::string& other : others(tokens[n])) {
          std::string line;
          for (std::size_t m = 0; m < tokens.size(); ++m) line += m == n ? other : tokens[m];
          Lines changed = lines_;
          changed[k] = line;
          attempt(kind_of(lines_[k]), "line " + std::to_string(k + 1) + ": " + line, sealed(changed));
        }
      }
      Lines changed = lines_;
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
      attempt("(dropped)", "without line " + std::to_string(k + 1) + ": " + lines_[k], sealed(changed));
      changed = lines_;
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(k), lines_[k]);
      attempt("(doubled)", "twice line " + std::to_string(k + 1) + ": " + lines_[k], sealed(changed));
      if (k + 1 < lines_.size()) {
        changed = lines_;
        std::swap(changed[k], changed[k + 1]);
        attempt("(exchanged)", "line " + std::to_string(k + 1) + " behind the next: " + lines_[k], sealed(changed));
      }
    }
    for (const auto& [kind, t] : tallies_) {
      std::printf("  %-12s %7zu rejected %7zu malformed %6zu accepted%s\n", kind.c_str(), t.rejected, t.malformed, t.accepted,
                  t.accepted == 0 ? "" : why_accepted(kind));
    }
  }

 private:
  void attempt(const std::string& kind, const std::string& what, const std::string& text) {
    if (text == subject_.text || ++count_ % options_.every != 0) return;
    Tally& tally = tallies_[kind];
    try {
      const gg::CheckResult result = gg::check_certificate(text, "mutant", subject_.pair);
      ++(result.accepted ? tally.accepted : tally.rejected);
      if (result.accepted && options_.verbose) std::printf("  still proves: %s\n", what.substr(0, 240).c_str());
    } catch (const gg::InputError&) {
      ++tally.malformed;
    }
  }

  Subject& subject_;
  const Options& options_;
  Lines lines_;
  std::map<std::string, Tally> tallies_;
  std::size_t count_ = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The certificate of a case: given, or made by the prover. Nothing if it is not proved.
bool certify(Subject& s, const std::string& file, double& seconds) {
  if (!file.empty()) {
    s.text = gg::read_file(file);
    return true;
  }
  const auto start = std::chrono::steady_clock::now();
  const gg::ProofResult proof = gg::prove(s.pair);
  seconds = seconds_since(start);
  if (!proof.certificate) {
    std::string why;
    for (const auto& output : proof.outputs) why += why.empty() && !output.proved ? output.text : "";
    std::printf("%-44s not proved in %.3f s: %.160s\n", s.folder.c_str(), seconds, why.c_str());
    return false;
  }
  s.text = gg::print_certificate(*proof.certificate);
  return true;
}

/// Checks the certificate as it is; says what it cost.
bool check(Subject& s, double prove_seconds) {
  const auto start = std::chrono::steady_clock::now();
  const gg::CheckResult result = gg::check_certificate(s.text, s.folder, s.pair);
  std::printf("%-44s %s: prove %.3f s, check %.3f s, %zu bytes, %zu records, %llu steps %.600s\n", s.folder.c_str(),
              result.accepted ? "accepted" : "REFUSED", prove_seconds, seconds_since(start), s.text.size(), result.records,
              static_cast<unsigned long long>(result.steps), result.problem.c_str());
  return result.accepted;
}

/// A certificate must not be taken for another pair, even if its hashes are made to fit.
int offer(const Subject& of, Subject& to) {
  Lines lines = lines_of(of.text);
  lines[1] = "sequential " + to.pair.hashes.sequential;
  lines[2] = "distributed " + to.pair.hashes.distributed;
  lines[3] = "relation " + to.pair.hashes.relation;
  try {
    if (!gg::check_certificate(sealed(lines), "stranger", to.pair).accepted) return 0;
  } catch (const gg::InputError&) {
    return 0;
  }
  std::printf("ACCEPTED: the certificate of %s for %s\n", of.folder.c_str(), to.folder.c_str());
  return 1;
}

int run(const std::vector<std::string>& arguments) {
  Options options;
  std::vector<Subject> subjects;
  std::vector<Subject> strangers;
  bool stranger = false;
  int failures = 0;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& a = arguments[k];
    if (a == "--check") options.only_check = true;
    else if (a == "-v") options.verbose = true;
    else if (a == "--every") options.every = std::stoul(arguments.at(++k));
    else if (a == "--write") options.write = arguments.at(++k);
    else if (a == "--strangers") stranger = true;
    else {
      const auto equals = a.find('=');
      Subject s{a.substr(0, equals), "", {}};
      try {
        s.pair = gg::load_case(s.folder);
        if (stranger) {
          strangers.push_back(std::move(s));
          continue;
        }
        double seconds = 0;
        if (!certify(s, equals == std::string::npos ? "" : a.substr(equals + 1), seconds)) continue;
        if (!options.write.empty()) gg::write_file(options.write + s.folder.substr(s.folder.rfind('/')) + ".cert", s.text);
        if (!check(s, seconds)) ++failures;
        else subjects.push_back(std::move(s));
      } catch (const gg::InputError& error) {
        std::printf("%-44s %s\n", s.folder.c_str(), error.what());
      }
    }
  }
  if (!options.only_check) {
    for (Subject& s : subjects) {
      std::printf("%s\n", s.folder.c_str());
      Mutation(s, options).run();
      for (Subject& other : strangers) failures += offer(s, other);
    }
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
  return run({argv + 1, argv + argc});
}
