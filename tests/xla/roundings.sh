#!/bin/sh
# roundings.sh GG_HARNESS EXAMPLES: `replay.py --device cpu`: XLA's kernels in the programs' own types are within a few roundings of
# the witness's exact run, on both sides of a defect.
set -eu
program=$1 examples=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=${GG_PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || { echo "skipped: no .venv with XLA's CPU client (scripts/venv.sh)"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in vocab-embedding-unmasked sp-norm-grad-unreduced masked-loss-grad-mean-of-means; do
  "$program" run "$examples/$name" --witness "$folder/$name" -q >/dev/null || [ $? = 1 ]
  [ -f "$folder/$name/exact.safetensors" ] || { echo "FAILED: $name has no exact run"; exit 1; }
done
set -- "$folder"/*  # before tee makes a file there
"$python" "$here/../../harness/witness/replay.py" --device cpu "$@" | tee "$folder/out"
[ "$(grep -c 'output .* roundings' "$folder/out")" -ge 6 ] || { echo "FAILED: outputs are missing"; exit 1; }
grep -oE 'largest error [0-9.e+-]+' "$folder/out" | awk '$3 > 64 { print "FAILED: " $0; bad = 1 } END { exit bad }'
