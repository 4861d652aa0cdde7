#!/usr/bin/env python3
"""`suite` and `passes` as a nightly job uses them: exit codes, closing lines, report files, one broken pair among good ones, the
same bytes again; the pass that broke a module; relations printed in every notation and read again. usage: suite.py PROGRAM ROOT; closing line: N passed, M failed"""
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

SUITE = """# what a nightly job runs
{examples}/tp-*
{examples}/vocab-embedding-unmasked
expect=refuted name=known {examples}/vocab-embedding-unmasked
{tmp}/broken.hlo {examples}/tp-mlp/distributed.hlo --relation {examples}/tp-mlp/relation.json
/nowhere
name=quick {examples}/tp-mlp --seeds 1
"""
STATE = """HloModule jit_f, entry_computation_layout={{(f32[8]{{0}})->f32[8]{{0}}}}, num_partitions=2

ENTRY %main (x: f32[8]) -> f32[8] {{
  %x = f32[8]{{0}} parameter(0), sharding={{devices=[2]<=[2]}}, metadata={{op_name="x"}}
  {constant}
  %cs = f32[8]{{0}} broadcast(%c), dimensions={{}}, sharding={{devices=[2]<=[2]}}
  {line}
  ROOT %y = f32[8]{{0}} {root}, sharding={{devices=[2]<=[2]}}
}}
"""
PARTITIONED = """HloModule jit_f, entry_computation_layout={{(f32[4]{{0}})->f32[4]{{0}}}}, num_partitions=2

ENTRY %main_spmd (x: f32[4]) -> f32[4] {{
  %x = f32[4]{{0}} parameter(0)
  {constant}
  %cs = f32[4]{{0}} broadcast(%c), dimensions={{}}
  %e = f32[4]{{0}} exponential(%x)
  ROOT %y = f32[4]{{0}} multiply(%e, %cs){note}
}}
"""


class Suite:
    def __init__(self, program, root, tmp):
        self.program, self.tmp, self.examples = program, tmp, os.path.join(root, "examples")
        self.passed = self.failed = 0

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, cwd=self.tmp)

    def expect(self, what, good, run):
        self.passed += bool(good)
        if not good:
            self.failed += 1
            print(f"FAIL {what}: exit {run.returncode}\n{run.stdout}{run.stderr}")

    def suites(self):
        path = os.path.join(self.tmp, "nightly.suite")
        with open(path, "w") as f:
            f.write(SUITE.format(examples=self.examples, tmp=self.tmp))
        with open(os.path.join(self.tmp, "broken.hlo"), "w") as f:
            f.write("HloModule broken\n\nENTRY %main {\n  %x = f32[2] parameter(0\n}\n")
        files = {kind: os.path.join(self.tmp, "report." + kind) for kind in ("json", "junit", "sarif", "html")}
        run = self.run("suite", path, *[part for kind, file in files.items() for part in ("--" + kind, file)], "--witness", "w")
        closing = run.stdout.strip().splitlines()[-1]
        self.expect("exit code of the worst pair", run.returncode == 1, run)
        self.expect("closing line", re.fullmatch(r"refuted suite=nightly pairs=(\d+) proved=\d+ refuted=2 unknown=0 broken=2 failed=3", closing), run)
        lines = [line for line in run.stdout.splitlines() if re.match(r"(ok|FAIL)  ", line)]
        report = json.load(open(files["json"]))
        self.expect("a line a pair, in order", [line[7:].split(": ")[0] for line in lines] == [p["case"] for p in report["pairs"]], run)
        self.expect("expected refutation passes", any(re.match(r"ok +known: refuted .* expected=refuted", line) for line in lines), run)
        broken = [p for p in report["pairs"] if "failure" in p]
        self.expect("broken pairs", [p["failure"]["code"] for p in broken] == ["GG-P001", "GG-U002"] and all(p["verdict"] is None for p in broken), run)
        cases = ET.parse(files["junit"]).getroot().findall("testsuite/testcase")
        kinds = [[child.tag for child in case if child.tag in ("failure", "error")] for case in cases]
        self.expect("JUnit: a failure, two errors, the rest passes", sorted(sum(kinds, [])) == ["error", "error", "failure"] and len(cases) == len(lines), run)
        rules = [r["ruleId"] for r in json.load(open(files["sarif"]))["runs"][0]["results"]]
        self.expect("SARIF: findings and broken pairs", {"GG-P001", "GG-U002"} < set(rules) and len(rules) >= 3, run)
        self.expect("page", all(word in open(files["html"]).read() for word in ("quick", "broken", "GG-P001", "<h2 id=\"known\"")), run)
        self.expect("witnesses in the folder", len(os.listdir(os.path.join(self.tmp, "w"))) == 2, run)
        again = self.run("suite", path, "--json", files["json"] + "2", "--jobs", "3", "--witness", "w")
        without = lambda file: re.sub(r'"run": \{[^}]*\}', "", open(file).read())
        self.expect("the same again, three at a time", without(files["json"]) == without(files["json"] + "2") and again.stdout == run.stdout, again)
        quiet = self.run("suite", path, "-q", "--seeds", "1")
        self.expect("-q", quiet.stdout.count("\n") == 1 and quiet.returncode == 1, quiet)
        only = self.run("suite", path, "--only", "^(quick|known)$")
        self.expect("--only", re.search(r"suite=nightly pairs=2 proved=1 refuted=1 .* failed=0$", only.stdout.strip()) and only.returncode == 0, only)
        self.expect("--only none", self.run("suite", path, "--only", "no such pair").returncode == 3, only)
        self.lines({"/nowhere\n": 3, "expect=refuted {e}/tp-mlp\n": 1, "expect=refuted {e}/vocab-embedding-unmasked\n": 0, "{e}/tp-mlp --seeds 1\n": 0,
                    "{e}/tp-mlp\n/nowhere\n": 3, "{e}/none-*\n": 3, "# only this\n": 3})
        folder = self.run("suite", self.examples, "-q", "--jobs", "2")
        self.expect("a folder", re.search(r"^refuted suite=examples pairs=\d+ .* broken=0 ", folder.stdout) and folder.returncode == 1, folder)

    def lines(self, table):
        for text, code in table.items():
            path = os.path.join(self.tmp, "one.suite")
            with open(path, "w") as f:
                f.write(text.format(e=self.examples))
            run = self.run("suite", path)
            self.expect(f"{text!r} exits with {code}", run.returncode == code, run)

    def states(self, folder, factors, folded=""):
        """before_optimizations, two passes before the partitioner, its result, two passes after it."""
        os.makedirs(folder, exist_ok=True)
        e, m = "%e = f32[8]{0} exponential(%x), sharding={devices=[2]<=[2]}", "multiply(%e, %cs)"
        after = lambda k, note: PARTITIONED.format(constant=folded if folded and k == 4 else self.constant(factors[k]), note=note)
        texts = {
            "before_optimizations": STATE.format(constant=self.constant(factors[0]), line=e, root=m),
            "0000.p.after_a.before_b": STATE.format(constant=self.constant(factors[1]), line=e, root="multiply(%cs, %e)"),
            "0001.spmd-partitioner.after_b.before_spmd-partitioning": STATE.format(constant=self.constant(factors[2]), line=e, root=m),
            "0002.spmd-partitioner.after_spmd-partitioning.before_c": after(3, ""),
            "0003.q.after_c.before_d": after(4, ""),
            "0004.q.after_d.before_pipeline-end": after(5, ', metadata={op_name="y"}'),
        }
        for name, text in texts.items():
            with open(os.path.join(folder, f"module_0001.jit_f.{name}.txt"), "w") as f:
                f.write(text)
        return folder

    @staticmethod
    def constant(factor):
        """A number, or the exponential of one."""
        if factor.startswith("exp "):
            return f"%h = f32[] constant({factor[4:]})\n  %c = f32[] exponential(%h)"
        return f"%c = f32[] constant({factor})"

    def passes(self):
        for k, name in enumerate(["a", "b", "spmd-partitioning", "c", "d"], 1):
            folder = self.states(os.path.join(self.tmp, f"passes{k}"), ["2.5"] * k + ["2.75"] * (6 - k))
            run = self.run("passes", folder)
            self.expect(f"broken by {name}", run.returncode == 1 and f"refuted claim=pass pass={name} " in run.stdout, run)
        good = self.states(os.path.join(self.tmp, "good"), ["2.5"] * 6)
        run = self.run("passes", good)
        self.expect("nothing broken", run.returncode == 2 and "unknown claim=pass reason=agrees-only module=jit_f states=6" in run.stdout, run)
        self.expect("--require agrees", self.run("passes", good, "--require", "agrees").returncode == 0, run)
        both = self.run("passes", good, os.path.join(self.tmp, "passes3"), "-q")
        self.expect("several folders: the worst", both.returncode == 1 and both.stdout.count("claim=pass") == 2, both)
        rounded = self.states(os.path.join(self.tmp, "rounded"), ["exp 0.5"] * 6, "%c = f32[] constant(1.64872122)")
        run = self.run("passes", rounded)
        self.expect("a pass that rounds", run.returncode == 2 and "rounds: " in run.stdout, run)
        unread = self.states(os.path.join(self.tmp, "unread"), ["2.5"] * 3 + ["2.5", "nonsense", "2.75"])
        run = self.run("passes", unread)
        self.expect("a state that is not read", run.returncode == 1 and "d or a pass before it" in run.stdout, run)
        self.expect("no passes", self.run("passes", self.examples).returncode == 3, run)


    def relations(self, root):
        for case in ("tp-mlp", "vocab-embedding"):
            folder, file = os.path.join(self.examples, case), os.path.join(self.tmp, "again.json")
            first = self.run("relation", folder)
            for notation in ("json", "pspec", "hlo", "dtensor", "sdy"):
                printed = self.run("relation", folder, "--as", notation)
                with open(file, "w") as f:
                    f.write(printed.stdout)
                again = self.run("relation", f"{folder}/sequential.hlo", f"{folder}/distributed.hlo", "--relation", file)
                self.expect(f"{case} as {notation} and back", again.stdout == first.stdout and first.stdout, again)


def main(program, root):
    with tempfile.TemporaryDirectory() as tmp:
        suite = Suite(os.path.abspath(program), os.path.abspath(root), tmp)
        suite.suites()
        suite.passes()
        suite.relations(root)
    print(f"{suite.passed} passed, {suite.failed} failed")
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
