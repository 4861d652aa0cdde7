#!/bin/sh
# corpus.sh GG_HARNESS FOLDER [PATTERN]: every case below FOLDER (sub-folders with a relation.json) as real processes, up to
# GG_MOST_RANKS of them (8), against the local run: a line a case with both verdicts, the last line counts. Exit 1 where two
# verdicts differ, a message is missing or a process is left behind, 77 where mpirun is missing.
set -u
program=$1 cases=$2 pattern=${3:-.}
most=${GG_MOST_RANKS:-8}
command -v mpirun >/dev/null || { echo "skipped: mpirun is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ranks_of() {
  python3 -c 'import json,math,sys
mesh = json.load(open(sys.argv[1]))["mesh"]
print(math.prod(n for _, n in (mesh.items() if isinstance(mesh, dict) else mesh)))' "$1/relation.json"
}
# The verdict line without what a number of processes may change: seconds and sizes.
verdict() { grep -E '^(proved|refuted|unknown)' "$1" | tail -n 1 | sed -E 's/ (backend|seeds|peak|seconds)=[^ ]*//g'; }
same=0 differing=0 skipped=0
for pair in "$cases"/*/; do
  pair=${pair%/}
  name=$(basename "$pair")
  [ -f "$pair/relation.json" ] && echo "$name" | grep -Eq -- "$pattern" || continue
  ranks=$(ranks_of "$pair")
  if [ "$ranks" -gt "$most" ]; then echo "skipped  $name: $ranks ranks"; skipped=$((skipped + 1)); continue; fi
  local_code=0 mpi_code=0
  timeout 600 "$program" run "$pair" --seeds 1 --budget-seconds 120 >"$folder/local" 2>"$folder/local.err" || local_code=$?
  if [ $local_code = 3 ]; then
    echo "skipped  $name: $(grep -o 'GG-[A-Z][0-9]*' "$folder/local.err" | head -n 1)"
    skipped=$((skipped + 1))
    continue
  fi
  timeout 600 mpirun --oversubscribe --allow-run-as-root --bind-to none -n "$ranks" "$program" run "$pair" --seeds 1 \
    --budget-seconds 120 --backend mpi --deadline-seconds 120 >"$folder/mpi" 2>"$folder/mpi.err" || mpi_code=$?
  here=$(verdict "$folder/local") there=$(verdict "$folder/mpi")
  if [ "$local_code:$here" = "$mpi_code:$there" ]; then
    same=$((same + 1))
    echo "same     $name: $ranks ranks, $here"
  elif [ $mpi_code = 2 ] && grep -q 'program would hang' "$folder/local" && grep -q 'did not arrive within\|is at' "$folder/mpi.err"; then
    same=$((same + 1))  # in one process the ranks that never meet are seen; real ones wait until the deadline
    echo "same     $name: $ranks ranks, hangs and says so"
  else
    differing=$((differing + 1))
    echo "DIFFERS  $name: $ranks ranks, local $local_code '$here', mpi $mpi_code '$there'"
    tail -n 3 "$folder/mpi.err"
  fi
done
left=$(ps -eo stat,args | awk -v p="$program" '$2 == p && $1 !~ /Z/' | wc -l)
echo "$same same, $differing differ, $skipped skipped, $left processes left"
[ $differing = 0 ] && [ "$left" = 0 ]
