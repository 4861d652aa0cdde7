"""What harness/capture/gg_torch must refuse, and what it must capture: `python3 capture.py GG_HARNESS [CASE ...]`. Skipped (77) without torch.

Each of the first cases (capture_rules.py) breaks one rule of capturing (a graph that is subtly another program than the step): the helper has to notice.
"""
import importlib
import importlib.util
import os
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import counted


def problem(function, tool):
    with tempfile.TemporaryDirectory() as folder:
        try:
            function(tool, os.path.join(folder, "case"))
        except Exception as e:
            return f"{type(e).__name__}: {e}"


def main():
    if importlib.util.find_spec("torch") is None:
        print("skipped: no torch (scripts/venv.sh torch)")
        return 77
    from capture_case import CASES
    for module in ("capture_rules", "capture_losses", "capture_state", "capture_sources", "capture_parts"):  # each adds its cases
        importlib.import_module(module)
    tool, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    return counted((function.__name__, problem(function, tool)) for function in CASES if not only or function.__name__ in only)


if __name__ == "__main__":
    sys.exit(main())
