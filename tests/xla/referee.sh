#!/bin/sh
# referee.sh RUN_MODULES OUT CASE...: our runtime against XLA's CPU client, on one module an operator form and on both
# programs of every case; in f64 also on GG_DRAWS draws (10), where XLA must lie within twice the radius of our value. Exit 77 (skipped) without .venv.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=${GG_PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || { echo "skipped: no .venv with XLA's CPU client (scripts/venv.sh)"; exit 77; }
run=$1 out=$2
shift 2
rm -rf "$out"
mkdir -p "$out/modules" "$out/run"
"$python" "$here/operators.py" "$out/modules"
code=0
"$run" "$out/run" --draws "${GG_DRAWS:-10}" "$out"/modules/*.hlo "$@" || code=$?
"$python" "$here/compare.py" "$out/run" || code=$?
exit $code
