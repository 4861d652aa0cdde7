"""Witnesses of wrong torch programs run again in torch, by threads and by gloo processes: `python3 replay.py GG_HARNESS`. Skipped (77) without torch."""
import importlib.util
import os
import subprocess
import sys
import tempfile

from counted import counted

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "torch"))
WRONG = [("block", "bias-before-reduce"), ("dtensor", "add-to-partial"), ("fsdp2", "sum-loss"), ("ddp", "world-size-twice"), ("sequence_parallel", "norm-gradients-unreduced"),
         ("ring_attention", "no-rescaling"), ("ulysses", "gradients-too-large"), ("moe", "combine-order"), ("pipeline", "sum-loss")]


def problem(tool, script, defect):
    """What is wrong with the replays of a witness: both show the same outputs."""
    import run
    with tempfile.TemporaryDirectory() as folder:
        run.captured(script, defect, folder)
        witness = os.path.join(folder, "witness")
        subprocess.run([tool, "run", folder, "--witness", witness], capture_output=True)
        said = []
        for how in ([], ["--gloo"]):
            done = subprocess.run([sys.executable, os.path.join(witness, "replay_torch.py"), *how], capture_output=True, text=True, timeout=200)
            said.append((done.returncode, [line.split(":")[0] for line in done.stdout.splitlines() if "expected" in line]))
    return None if said[0] == said[1] and said[0][0] == 0 and said[0][1] else f"{said} {done.stderr[-500:]}"


def main():
    if importlib.util.find_spec("torch") is None:
        print(f"{len(WRONG)} witnesses skipped: no torch (scripts/venv.sh torch)")
        return 77
    tool = os.path.abspath(sys.argv[1])
    return counted((f"{script}-{defect}", problem(tool, script, defect)) for script, defect in WRONG)


if __name__ == "__main__":
    sys.exit(main())
