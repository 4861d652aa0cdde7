"""From capture to verdict: `python3 run.py GG_HARNESS [SCRIPT ...] [--keep FOLDER]` runs every script right and with each of its defects.

Right programs must not be refuted, wrong ones must be; a refutation names the defect's line where the script says `# wrong: DEFECT`: statements that the right program
has otherwise, and those whose value, or the gradient of it, one operation more would mend. Its witness is run again in torch, one process a rank by gloo, and must show
the values that the report names. Exit code 1 if not, or if fewer are proved than `--proved` says, or fewer refutations name the line than the share `--named`; 77 where
there is no torch.
"""
import argparse
import contextlib
import functools
import importlib
import importlib.util
import inspect
import io
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "harness", "capture")]
SCRIPTS = ["block", "dtensor", "fsdp2", "ddp", "sequence_parallel", "vocabulary_loss", "ring_attention", "ulysses", "moe", "pipeline"]


def with_defect(function, defect):
    takes = function is not None and "defect" in inspect.signature(function).parameters
    return functools.partial(function, defect=defect) if takes else function


def lines_of(script, defect):
    """Lines of the script whose comment says `wrong: ... defect ...`."""
    with open(os.path.join(HERE, script + ".py")) as f:
        marks = [(k + 1, re.search(r"# wrong: (.*)", line)) for k, line in enumerate(f)]
    return {f"{script}.py:{k}" for k, mark in marks if mark and defect in mark[1].split()}


def captured(script, defect, folder):
    import gg_torch
    module = importlib.import_module(script)
    return gg_torch.pair(module.sequential, with_defect(module.distributed, defect), module.args, module.RANKS, folder,
                         dist_args=with_defect(getattr(module, "dist_args", None), defect), **module.CASE)


def decided(tool, folder, wrong):
    """(verdict, the lines that the report names) of a proof for right programs, of a run for wrong ones."""
    report = os.path.join(folder, "report.json")
    command = [tool, "run" if wrong else "prove", folder, "--json", report] + (["--witness", os.path.join(folder, "witness")] if wrong else [])
    done = subprocess.run(command, capture_output=True, text=True)
    words = (done.stdout.strip().splitlines() or [''])[-1].split()
    verdict = words[0] if words else f"error {done.returncode}"
    return verdict, named_places(done.stdout + done.stderr), (done.stdout + done.stderr).strip()


def replayed(witness):
    """What is wrong with the witness in torch by gloo; None if it shows what the report says."""
    import gg_torch
    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(told):
            return None if gg_torch.replay(witness, gloo=True) else told.getvalue()
    except (gg_torch.CaptureError, OSError) as e:
        return str(e)


def named_places(said):
    """The places of the first finding, `file.py:line`: the innermost one and its callers, from the comment above the named line."""
    found = re.search(r"^(\S+\.fx):(\d+):\d+: error", said, re.MULTILINE)
    if not found:
        return []
    with open(found[1]) as f:
        above = [line for line in f.readlines()[:int(found[2])] if "File: " in line]
    return re.findall(r"(?:\S*/)?(\w+\.py:\d+)", above[-1].split(", code:")[0]) if above else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("scripts", nargs="*")
    parser.add_argument("--keep", help="leave the cases in this folder")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--proved", type=int, default=0)
    parser.add_argument("--named", type=float, default=0.0)
    options = parser.parse_args()
    if importlib.util.find_spec("torch") is None:
        print(f"{len(options.scripts or SCRIPTS)} scripts skipped: no torch (scripts/venv.sh torch)")
        return 77
    count = dict(right=0, proved=0, false=0, wrong=0, refuted=0, named=0, replayed=0)
    bad = []
    with tempfile.TemporaryDirectory() as scratch:
        for script in options.scripts or SCRIPTS:
            for defect in [None, *importlib.import_module(script).DEFECTS]:
                name = f"{script}-{defect or 'ok'}"
                folder = os.path.join(options.keep or scratch, name)
                started = time.monotonic()
                try:
                    captured(script, defect, folder)
                except Exception as e:
                    bad.append(name)
                    print(f"{name}: not captured: {e}", flush=True)
                    continue
                between = time.monotonic()
                verdict, places, said = decided(os.path.abspath(options.tool), folder, defect is not None)
                count["wrong" if defect else "right"] += 1
                named = defect and bool(lines_of(script, defect) & set(places))
                if defect is None:
                    count["proved"] += verdict == "proved"
                    count["false"] += verdict == "refuted"
                else:
                    count["refuted"] += verdict == "refuted"
                    count["named"] += verdict == "refuted" and named
                other = replayed(os.path.join(folder, "witness")) if defect and verdict == "refuted" else None
                count["replayed"] += defect is not None and verdict == "refuted" and other is None
                if verdict not in (["refuted"] if defect else ["proved", "unknown"]) or other:
                    bad.append(name)
                place = f" at {' < '.join(places) or 'no line'}{'' if named else ' (not the marked line)'}" if verdict == "refuted" else ""
                print(f"{name}: {verdict}{place}  capture {between - started:.1f} s, verdict {time.monotonic() - between:.1f} s", flush=True)
                if other:
                    print(f"    not replayed: {other}", flush=True)
                if options.verbose or verdict.startswith("error"):
                    print("    " + said.replace("\n", "\n    "), flush=True)
    print(f"right: {count['right']}, proved {count['proved']}, falsely refuted {count['false']}; wrong: {count['wrong']}, refuted {count['refuted']}, "
          f"at the marked line {count['named']}, replayed by gloo {count['replayed']}")
    return 1 if bad or count["proved"] < options.proved or count["named"] < options.named * count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
