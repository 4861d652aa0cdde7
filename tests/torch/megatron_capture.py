"""megatron-core's GPTModel and parts of it, captured by one call each: `python3 megatron_capture.py GG_HARNESS [PROGRAM ...]`. Skipped (77) without torch or megatron-core
(scripts/venv.sh torch-extra)."""
import importlib.util
import logging
import os
import subprocess
import sys
import tempfile
import warnings

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import counted

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "harness", "capture")]


def decided(tool, program):
    """What is wrong with the verdict, or with the place that it names."""
    import gg_torch
    with tempfile.TemporaryDirectory() as folder:
        want, place = program.pop("want"), program.pop("place")
        gg_torch.pair(program.pop("sequential"), program.pop("distributed"), program.pop("args"), program.pop("ranks"), folder, patches=[gg_torch.megatron_cpu()], **program)
        done = subprocess.run([tool, "prove" if want == "proved" else "run", folder], capture_output=True, text=True)
    said = done.stdout + done.stderr
    named = next((line for line in said.splitlines() if line.startswith("note: from ")), "")
    right = (done.stdout.strip().splitlines() or [""])[-1].startswith(want) and (place is None or place in named)
    return None if right else said[-2000:]


def main():
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("megatron") is None:
        print("programs of megatron-core skipped: it is not there (scripts/venv.sh torch-extra)")
        return 77
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    import megatron_gpt
    tool, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or megatron_gpt.PROGRAMS
    return counted((name, decided(tool, megatron_gpt.PROGRAMS[name])) for name in names)


if __name__ == "__main__":
    sys.exit(main())
