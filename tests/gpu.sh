#!/bin/sh
# gpu.sh [FOLDER] [CASES...]: checks a machine with GPUs from the folder that `cmake --build --preset device` makes (default: where
# this script lies, with its bundled cases): every kernel row against the operators' bodies, cuBLAS products, compute-sanitizer
# where it is installed, every case on the device with the verdict of the host, NCCL with one rank a GPU and with several ranks on
# one GPU (2, 4 and 8 processes, by --oversubscribe), throughput. Without a GPU everything is counted as skipped (exit 77).
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=${1:-$here}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- "$folder"/cases/*/
test=$folder/gg-gpu-test program=$folder/gg-harness
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 skipped=0 passed=0
bad() { echo "FAILED  $*"; failed=$((failed + 1)); }
good() { echo "ok      $*"; passed=$((passed + 1)); }
skip() { echo "skipped $*"; skipped=$((skipped + 1)); }
ranks_of() {  # the product of the mesh's extents, without Python
  tr -d ' \n' <"$1/relation.json" | grep -oE '"mesh":(\[\[[^}]*\]\]|\{[^}]*\})' | grep -oE '[,:][0-9]+[]},]' |
    grep -oE '[0-9]+' | { product=1; while read -r n; do product=$((product * n)); done; echo "$product"; }
}
verdict() { grep -E '^(proved|refuted|unknown)' "$1" | tail -n 1 | grep -oE '^[a-z]+|reason=[a-z-]*|level=[a-z]*|rounding=[a-z-]*' | tr '\n' ' '; }

"$test" >"$work/rows" 2>&1
code=$?
if [ $code = 77 ]; then
  cat "$work/rows"
  echo "skipped: $# cases on the device, $# with NCCL, NCCL with 2, 4 and 8 ranks on one GPU, compute-sanitizer, throughput"
  exit 77
fi
grep -E 'FAILED|failed|GPU|GiB' "$work/rows"
if [ $code = 0 ]; then good "kernel rows"; else bad "kernel rows: exit $code"; fi
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck initcheck; do
    if compute-sanitizer --tool $tool --error-exitcode 9 "$test" >"$work/sanitizer" 2>&1; then good "compute-sanitizer $tool"
    else bad "compute-sanitizer $tool"; tail -n 5 "$work/sanitizer"; fi
  done
else
  skip "compute-sanitizer is not installed"
fi

for pair; do
  pair=${pair%/}
  name=$(basename "$pair")
  [ -f "$pair/relation.json" ] || { skip "$name: no relation.json"; continue; }
  ranks=$(ranks_of "$pair")
  expected=0 code=0
  "$program" run "$pair" --seeds 1 --dtype model -q >"$work/host" 2>"$work/host.err" || expected=$?
  if [ $expected = 3 ]; then skip "$name: not read"; continue; fi
  "$program" run "$pair" --seeds 1 --dtype model --device cuda >"$work/device" 2>"$work/err" || code=$?
  if [ "$code:$(verdict "$work/device")" = "$expected:$(verdict "$work/host")" ]; then
    good "$name on the device: $(grep -oE '[0-9]+ kernels.*' "$work/device")"
  else
    bad "$name on the device: exit $code $(verdict "$work/device"), host $expected $(verdict "$work/host")"
    grep -E 'blamed|beyond' "$work/device"
    tail -n 2 "$work/err"
  fi
  if [ -z "$ranks" ] || [ "$ranks" -gt 8 ] || [ "$ranks" -lt 2 ]; then skip "$name with NCCL: $ranks ranks"; continue; fi
  code=0
  "$program" run "$pair" --seeds 1 --dtype model --device cuda --backend nccl --ranks "$ranks" --oversubscribe >"$work/nccl" 2>"$work/err" || code=$?
  if [ "$code:$(verdict "$work/nccl")" = "$expected:$(verdict "$work/host")" ]; then good "$name with NCCL, $ranks ranks"
  else bad "$name with NCCL: exit $code $(verdict "$work/nccl"), host $expected $(verdict "$work/host")"; tail -n 3 "$work/err"; fi
done

"$test" --throughput || bad "throughput"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
