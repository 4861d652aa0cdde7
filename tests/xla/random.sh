#!/bin/sh
# random.sh RUN_MODULES OUT INSTANCES [SEED]: our runtime against XLA's CPU client on random instances of each operator; the table
# goes to OUT/run/table.md. Exit 77 (skipped) without .venv.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=${GG_PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || { echo "skipped: no .venv with XLA's CPU client (scripts/venv.sh)"; exit 77; }
run=$1 out=$2
shift 2
rm -rf "$out"
mkdir -p "$out/modules" "$out/run"
"$python" "$here/random_operators.py" "$out/modules" "$@"
"$run" "$out/run" "$out"/modules/*.hlo
"$python" "$here/compare.py" "$out/run"
