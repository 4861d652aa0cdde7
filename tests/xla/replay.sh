#!/bin/sh
# replay.sh FOLDER: replays every witness that the examples test left in FOLDER, in one Python process, with JAX alone.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=${GG_PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || { echo "skipped: no .venv with XLA's CPU client (scripts/venv.sh)"; exit 77; }
set -- "$1"/*/replay.py
[ -e "$1" ] || { echo "no witness to replay"; exit 1; }
for file; do
  set -- "$@" "$(dirname "$file")"
  shift
done
"$python" "$here/../../harness/witness/replay.py" "$@"
