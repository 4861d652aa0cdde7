#!/bin/sh
# jax.sh SCRIPT ARGUMENTS...: runs a script of this folder in the environment of scripts/requirements.txt; exit 77 (skipped)
# without .venv.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=${GG_PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || { echo "skipped: no .venv with JAX (scripts/venv.sh)"; exit 77; }
script=$1
shift
exec "$python" "$here/$script" "$@"
