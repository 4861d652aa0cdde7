"""The command line: `python3 -m gg_torch replay WITNESS [--gloo] [--device cuda]`; as `replay_torch.py` in a witness folder without arguments."""
import argparse
import os
import sys

from .errors import CaptureError
from .witness_replay import replay


def main():
    """The command line; its exit code."""
    parser = argparse.ArgumentParser(description="Runs witnesses of FX graphs with torch. Exit code 0: every one shows a difference, 1: one does not, 3: cannot run.")
    parser.add_argument("witness", nargs="*", default=[os.path.dirname(os.path.abspath(__file__))])
    parser.add_argument("--gloo", action="store_true", help="one process a rank, collectives of torch.distributed")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    options = parser.parse_args(sys.argv[2:] if sys.argv[1:2] == ["replay"] else sys.argv[1:])
    try:
        return 0 if all([replay(folder, options.gloo, options.device) for folder in options.witness]) else 1
    except (CaptureError, OSError) as e:
        print(f"{e}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
