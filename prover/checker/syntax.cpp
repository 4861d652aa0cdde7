#include "prover/checker/syntax.h"

#include "models/base/file.h"

namespace gg::checker {
namespace {

void parse_split(Scanner& in, LineSyntax& line) {
  if (!in.take(" split ")) return;
  do {
    if (!in.take("v")) in.fail("a variable is expected");
    line.split.push_back(in.natural());
    line.starts.emplace_back();
    while (in.take("@")) line.starts.back().push_back(in.natural());
  } while (in.take(","));
}

void parse_opened(Scanner& in, LineSyntax& line) {
  for (std::string_view before = " open "; in.take(before); before = ",") {
    TermSyntax& opened = line.opened.emplace_back();
    opened.where = in.where();
    opened.head = in.take("g") ? "g" : "s";
    if (opened.head == "s" && !in.take("s")) in.fail("s<n> or g<n> is expected");
    opened.number = in.natural();
  }
}

LineSyntax parse_record(Scanner& in, bool distributed) {
  LineSyntax line;
  line.distributed = distributed;
  line.leaf = in.natural();
  line.instance = in.after(' ').until(" ");
  in.expect(' ');
  in.begin_form();
  line.term = parse_term(in, 0);
  if (in.take(" |")) {
    while (in.ahead(" ") && !in.ahead(" left ") && !in.ahead(" open ") && !in.ahead(" split ")) {
      line.marks.push_back(parse_term(in.after(' '), 0));
      if (line.marks.back().kind != TermKind::Read || line.marks.back().levels < 1) in.fail("a marked read is expected");
    }
  }
  if (in.take(" left ")) line.left = in.natural();
  parse_opened(in, line);
  parse_split(in, line);
  line.form = in.take_form();
  return line;
}

bool take_side(Scanner& in) {
  if (in.take("S ")) return false;
  if (!in.take("D ")) in.fail("S or D is expected");
  return true;
}

constexpr std::pair<std::string_view, LineKind> kRecords[] = {{"invariant ", LineKind::Invariant}, {"closed ", LineKind::Closed}};
constexpr std::pair<std::string_view, LineKind> kNumbered[] = {{"array ", LineKind::Array}, {"anchor ", LineKind::Anchor}, {"carry ", LineKind::Carry}, {"gap ", LineKind::Gap}};

LineSyntax parse_line(Scanner& in) {
  if (in.ahead("S ") || in.ahead("D ")) return parse_record(in, take_side(in));
  LineSyntax line;
  if (in.take("define ")) {
    const std::int64_t number = in.natural(), extent = in.after(' ').natural();
    line = parse_record(in.after(' '), false);
    if (!line.opened.empty()) in.fail("'open' is of records and outputs");
    line.kind = LineKind::Define;
    line.number = number;
    line.extent = extent;
    return line;
  }
  for (const auto& [word, kind] : kRecords) {
    if (!in.take(word)) continue;
    line = parse_record(in, take_side(in));
    if (!line.opened.empty()) in.fail("'open' is of records and outputs");
    line.kind = kind;
    return line;
  }
  for (const auto& [word, kind] : kNumbered) {
    if (!in.take(word)) continue;
    const bool named = kind == LineKind::Anchor || kind == LineKind::Carry;  // of the sequential program
    line.kind = kind;
    line.number = in.natural();
    in.expect(' ');
    line.distributed = !named && take_side(in);
    line.leaf = in.natural();
    line.instance = in.after(' ').until(" ");
    line.finite = kind == LineKind::Carry && in.take(" finite");
    line.defined = kind == LineKind::Gap && in.take(" defined");
    return line;
  }
  line.unrolled = in.take("unroll ");
  line.simulated = !line.unrolled && in.take("simulate ");
  if (line.unrolled || line.simulated || in.take("loop ")) {
    line.kind = LineKind::Loop;
    line.distributed = take_side(in);
    if (!line.simulated) {
      line.number = in.natural();
      in.expect(' ');
    }
    line.instance = in.until(" ");
    if (line.simulated && line.distributed) line.follows = in.after(' ').until("");
  } else if (in.take("output ")) {
    line.kind = LineKind::Output;
    line.number = in.natural();
    if (!in.take(" left ")) in.fail("'left' is expected");
    line.left = in.natural();
    if (!in.take(" right ")) in.fail("'right' is expected");
    line.right = in.natural();
    parse_opened(in, line);
    parse_split(in, line);
  } else {
    in.fail("a line begins with array, anchor, define, carry, S, D, gap, loop, unroll, simulate, invariant, closed, output or end");
  }
  return line;
}

std::string header(Scanner& in, std::string_view word) {
  if (!in.take(word) || !in.take(" ")) in.fail("'" + std::string(word) + "' is expected");
  const std::string rest = in.until("");
  in.end_of_line();
  return rest;
}

// The name, then as many arguments as its row of assumptions.def has, the last one to the end of the line.
Assumption parse_assumption(Scanner& in) {
  std::string rest = header(in, "assume");
  const std::string name = rest.substr(0, rest.find(' '));
  const auto kind = assumption_kind(name);
  if (!kind) in.fail("unknown assumption '" + name + "'");
  Assumption assumption{*kind, {}};
  const std::size_t wanted = info(*kind).arguments;
  rest.erase(0, name.size());
  for (std::size_t k = 0; k < wanted; ++k) {
    const std::size_t end = k + 1 < wanted ? rest.find(' ', 1) : rest.size();
    if (rest.size() < 2 || rest[0] != ' ' || end == std::string::npos) {
      in.fail("'assume " + name + "' needs " + std::to_string(wanted) + " arguments");
    }
    assumption.arguments.push_back(rest.substr(1, end - 1));
    rest.erase(0, end);
  }
  if (!rest.empty()) in.fail("'assume " + name + "' takes no more arguments");
  return assumption;
}

// Lines come in this order: arrays, anchors, definitions and carries, of the sequential program, of the distributed one, outputs.
int stage_of(const LineSyntax& line) {
  switch (line.kind) {
    case LineKind::Array: return 0;
    case LineKind::Anchor:
    case LineKind::Define:
    case LineKind::Carry: return 1;
    case LineKind::Output: return 4;
    default: return line.distributed || line.kind == LineKind::Gap ? 3 : 2;
  }
}

}  // namespace

CertificateSyntax parse_certificate(std::string_view text, const std::string& file) {
  Scanner in(text, file);
  if (text.size() > kMaxBytes) in.fail("a certificate larger than 1 GiB");
  CertificateSyntax result;
  if (header(in, "gg-certificate") != "1") in.fail("a certificate of another version");
  result.sequential = header(in, "sequential");
  result.distributed = header(in, "distributed");
  result.relation = header(in, "relation");
  while (in.ahead("assume ")) result.assumptions.push_back(parse_assumption(in));
  for (std::size_t k = 1; k < result.assumptions.size(); ++k)
    if (!(result.assumptions[k - 1] < result.assumptions[k])) in.fail("assumptions are sorted and unique");
  int stage = 0;  // arrays, anchors, S lines, D lines and gaps, outputs
  while (!in.ahead("end ")) {
    const Location where = in.where();
    LineSyntax line = parse_line(in);
    line.where = where;
    in.end_of_line();
    const int at = stage_of(line);
    if (at < stage) in.fail("lines are ordered: array, anchor, S, D and gap, output");
    stage = at;
    result.lines.push_back(std::move(line));
  }
  const std::size_t body = in.position();
  const std::string hash = header(in, "end");
  if (!in.at_end()) in.fail("text after the end line");
  if (hash != content_hash(text.substr(0, body))) in.fail("the end line's hash is not that of the text before it");
  return result;
}

}  // namespace gg::checker
