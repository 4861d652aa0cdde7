#!/usr/bin/env python3
"""Holds the pages against the program: the table of diagnostic codes, docs/lemmas.md, the placements of docs/formats.md (each is given to
gg-harness with programs of the stated types), the commands that README.md and the pages show, links between pages.

usage: docs.py PROGRAM ROOT [--write]     --write renews what is printed; closing line: N passed, M failed
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

START, END = "<!-- codes:", "<!-- end of codes -->"


def codes_table(root):
    text = open(os.path.join(root, "models/base/diagnostics.def")).read()
    rows = re.findall(r'^DIAG\(\w+,\s*"(GG-\w+)",\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\)', text, re.M)
    unquote = lambda s: s.replace('\\"', '"').replace("|", "\\|")
    return "| code | title | meaning |\n|---|---|---|\n" + "".join(
        f"| {code} | {unquote(title)} | {unquote(meaning)} |\n" for code, title, meaning in rows), [r[0] for r in rows]


def check_codes(program, root, write):
    path = os.path.join(root, "docs/formats.md")
    page = open(path).read()
    table, codes = codes_table(root)
    start = page.index("-->\n", page.index(START)) + 4
    wanted = page[:start] + table + page[page.index(END):]
    if write:
        open(path, "w").write(wanted)
    elif wanted != page:
        yield "docs/formats.md: the table of codes is not current: tests/lint/docs.py PROGRAM ROOT --write"
    tables = {"harness/report/diagnosis.def": r'^DIAGNOSIS\(\w+, "([^"]+)"', "models/pair/reasons.def": r'^REASON\(\w+, "([^"]+)"',
              "models/pair/assumptions.def": r'^ASSUMPTION\(\w+, "([^"]+)"'}
    for table, row in tables.items():
        codes += re.findall(row, open(os.path.join(root, table)).read(), re.M)
    listed = re.search(r"Reasons of unknown are a closed list.*?(`--json F`)", page, re.S).group(0)
    reasons = re.findall(tables["models/pair/reasons.def"], open(os.path.join(root, "models/pair/reasons.def")).read(), re.M)
    if sorted(re.findall(r"`([a-z-]+)`", listed)) != sorted([*reasons, "explain"]):
        yield f"docs/formats.md: its list of reasons is not that of models/pair/reasons.def: {' '.join(reasons)}"
    explained = subprocess.run([program, "explain", *codes], capture_output=True, text=True)
    for code in codes:
        if f"{code}: " not in explained.stdout:
            yield f"explain {code} does not know the code"


def check_limits(program, root, write):
    path = os.path.join(root, "docs/hostile.md")
    page = open(path).read()
    table = subprocess.run([program, "limits"], capture_output=True, text=True).stdout
    start = page.index("-->\n", page.index("<!-- limits:")) + 4
    wanted = page[:start] + table + page[page.index("<!-- end of limits -->"):]
    if write:
        open(path, "w").write(wanted)
    elif wanted != page:
        yield "docs/hostile.md: the table of limits is not current: tests/lint/docs.py PROGRAM ROOT --write"


def check_lemmas(program, root, write):
    path = os.path.join(root, "docs/lemmas.md")
    wanted = subprocess.run([program, "lemmas"], capture_output=True, text=True).stdout
    if write:
        open(path, "w").write(wanted)
    elif wanted != (open(path).read() if os.path.exists(path) else ""):
        yield "docs/lemmas.md is not current: tests/lint/docs.py PROGRAM ROOT --write"


def module(name, kind, ranks=1):
    head = f", num_partitions={ranks}" if ranks > 1 else ""
    return f"HloModule {name}{head}\n\nENTRY %main (x: {kind}) -> {kind} {{\n  ROOT %x = {kind} parameter(0)\n}}\n"


def check_placements(program, root):
    page = open(os.path.join(root, "docs/formats.md")).read()
    rows = re.findall(r"^\| `(.*?)` \| (\w+\[[\d,]*\]) \| (\w+\[[\d,]*\]) \|", page, re.M)
    if len(rows) < 15:
        yield f"docs/formats.md: only {len(rows)} placements found"
    for text, whole, local in rows:
        with tempfile.TemporaryDirectory() as case:
            open(case + "/sequential.hlo", "w").write(module("seq", whole))
            open(case + "/distributed.hlo", "w").write(module("dist", local, 8))
            relation = {"mesh": [["dp", 2], ["tp", 4]], "inputs": [json.loads(text)], "outputs": [json.loads(text)]}
            json.dump(relation, open(case + "/relation.json", "w"))
            # An identity on the blocks that the placement names: it agrees, and its relation prints and reads again.
            run = subprocess.run([program, "run", case, "--require", "agrees", "-q"], capture_output=True, text=True)
            printed = subprocess.run([program, "relation", case], capture_output=True, text=True)
            if run.returncode != 0 or printed.returncode != 0:
                yield f"placement {text}: {run.stdout}{run.stderr}{printed.stderr}"
                continue
            open(case + "/relation.json", "w").write(printed.stdout)
            again = subprocess.run([program, "relation", case], capture_output=True, text=True)
            if again.stdout != printed.stdout:
                yield f"placement {text}: printed as {printed.stdout}, then as {again.stdout}"


def check_commands(program, root):
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    known = set(re.findall(r"^  ([a-z-]+) ", help_text, re.M))
    options = "".join(subprocess.run([program, command, "--help"], capture_output=True, text=True).stdout for command in sorted(known))
    for page in sorted(glob.glob(os.path.join(root, "docs/*.md")) + glob.glob(os.path.join(root, "*.md"))):
        name = os.path.relpath(page, root)
        text = open(page).read()
        for command in re.findall(r"(?:`(?:\./gg|gg-harness)|\./gg) ([a-z]+)\b", text, re.M):
            if command not in known | {"demo", "test"}:
                yield f"{name}: '{command}' is no command"
        foreign = r"mpirun|MPI|cmake|ctest|nvcc|compute-sanitizer|XLA_FLAGS"  # lines about other programs' options
        own = "\n".join(line for line in text.split("\n") if not re.search(foreign, line))
        for option in sorted(set(re.findall(r"`(--[a-z][a-z-]+)", own))):
            if option not in options and not re.search(re.escape(option) + r"\b", script_options(root)) and "xla" not in option:
                yield f"{name}: {option} is no option"
        for link in re.findall(r"\]\(([^)#]+)\)", re.sub(r"```.*?```", "", text, flags=re.S)):
            if not link.startswith("http") and not os.path.exists(os.path.join(os.path.dirname(page), link)):
                yield f"{name}: broken link {link}"


def check_places(root):
    """CONTRIBUTING.md names places and tests that exist."""
    page = open(os.path.join(root, "CONTRIBUTING.md")).read()
    cmake = "".join(open(f).read() for f in glob.glob(os.path.join(root, "tests/**/CMakeLists.txt"), recursive=True))
    tests = set(re.findall(r"(?:add_test\(NAME|gg_test\() ?(\w+)", cmake))
    rows = [row.split("|")[1:-1] for row in page.split("\n") if row.startswith("| ") and "places" not in row]
    if len(rows) < 12:
        yield f"CONTRIBUTING.md: only {len(rows)} additions found"
    words = known_words(root)
    for _, places, held in rows:
        for name in re.findall(r"`([\w./]+)`", places + held):
            folders = [""] + [os.path.dirname(p) for p in re.findall(r"`([\w./]+/[\w.]+)`", places)]
            if name not in tests and not any(os.path.exists(os.path.join(root, f, name)) for f in folders) and name not in words:
                yield f"CONTRIBUTING.md names {name}, which is neither a file nor a test"


def known_words(root):
    """Types that the tree defines."""
    headers = "".join(open(f).read() for f in glob.glob(os.path.join(root, "*/**/*.h"), recursive=True) if "/build" not in f)
    return set(re.findall(r"^(?:class|struct) (\w+)", headers, re.M)) | {"models", "unknown", "need"}


def check_certificate(program, root, write):
    """The golden certificate of docs/certificate.md: what `prove` writes, and what gg-verify accepts."""
    path = os.path.join(root, "docs/certificate.md")
    page = open(path).read()
    block = re.search(r"(<!-- certificate: (\S+) -->\n```\n)(.*?)(```\n<!-- end of certificate -->)", page, re.S)
    with tempfile.TemporaryDirectory() as folder:
        case, made = os.path.join(root, block.group(2)), os.path.join(folder, "certificate")
        subprocess.run([program, "prove", case, "--certificate", made], capture_output=True)
        text = open(made).read()
        if write:
            open(path, "w").write(page[:block.end(1)] + text + page[block.start(4):])
        elif text != block.group(3):
            yield "docs/certificate.md: the certificate is not current: tests/lint/docs.py PROGRAM ROOT --write"
        open(made, "w").write(text if write else block.group(3))
        verify = os.path.join(os.path.dirname(program), "gg-verify")
        run = subprocess.run([verify, made, case + "/sequential.hlo", case + "/distributed.hlo", "--relation", case + "/relation.json"],
                             capture_output=True, text=True)
        if run.returncode != 0 or "accepted" not in run.stdout:
            yield f"docs/certificate.md: gg-verify says {run.stdout}{run.stderr}"


def script_options(root):
    files = glob.glob(os.path.join(root, "scripts/*")) + glob.glob(os.path.join(root, "tests/lint/*.py"))
    return "\n".join(open(f).read() for f in files)


def main(program, root, write):
    problems, passed = [], 0
    for check in (lambda: check_codes(program, root, write), lambda: check_lemmas(program, root, write),
                  lambda: check_limits(program, root, write),
                  lambda: check_placements(program, root),
                  lambda: check_commands(program, root), lambda: check_places(root), lambda: check_certificate(program, root, write)):
        found = list(check())
        passed += not found
        problems += found
    for problem in problems:
        print("FAIL " + problem)
    print(f"{passed} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], "--write" in sys.argv))
