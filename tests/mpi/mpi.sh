#!/bin/sh
# mpi.sh PEERS GG_HARNESS EXAMPLES...: real processes. Ranks that die, stop, come late, run another collective or another
# program end the whole job with a message that names them; every example gives the verdict of the local run.
# Exit 77: mpirun is missing or the program was built without MPI.
set -u
peers=$1 program=$2
shift 2
command -v mpirun >/dev/null || { echo "skipped: mpirun is not installed"; exit 77; }
mpi() { mpirun --oversubscribe --allow-run-as-root --bind-to none "$@"; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
bad() { echo "FAILED: $*"; failed=$((failed + 1)); }

if [ -x "$peers" ]; then
  expect() {  # expect MODE DEADLINE PATTERN ok|error
    start=$(date +%s)
    timeout 120 mpirun --oversubscribe --allow-run-as-root --bind-to none -n 4 "$peers" "$1" "$2" >"$folder/out" 2>&1
    code=$?
    grep -q "$3" "$folder/out" || { bad "$1: no '$3' in"; cat "$folder/out"; }
    case $4:$code in ok:0) ;; ok:*) bad "$1: exit $code" ;; error:0) bad "$1: exit 0" ;; esac
    [ $(($(date +%s) - start)) -lt 60 ] || bad "$1 took too long"
    sleep 1
    left=$(ps -eo pid,stat,args | awk -v p="$peers" '$3 == p && $2 !~ /Z/' | wc -l)
    [ "$left" = 0 ] || bad "$1: $left processes left"
    echo "$1: exit $code"
  }
  expect ok 20 "all arrived" ok
  expect delay 20 "all arrived" ok
  expect kill 20 "main/%sum" error
  expect stop 5 "main/%sum.*rank 3 did not arrive" error
  expect order 20 "rank 3 is at main/%ring" error
fi

ranks_of() {
  python3 -c 'import json,math,sys; print(math.prod(a[1] for a in json.load(open(sys.argv[1]))["mesh"]))' "$1/relation.json"
}

first='' second=''
for pair in "$@"; do
  ranks=$(ranks_of "$pair")
  [ "$ranks" -le 8 ] || continue
  name=$(basename "$pair")
  if [ "$name" = mismatched-collectives ]; then  # real processes see the rank that does not arrive: unknown, named
    code=0
    mpi -n "$ranks" "$program" run "$pair" --seeds 1 --backend mpi --deadline-seconds 5 >"$folder/mpi" 2>"$folder/err" || code=$?
    if [ "$code" = 2 ] && grep -q 'did not arrive within' "$folder/err"; then echo "$name: $ranks processes, deadline named"
    else bad "$name: exit $code"; fi
    continue
  fi
  local_code=0 mpi_code=0
  "$program" run "$pair" --seeds 1 >"$folder/local" 2>/dev/null || local_code=$?
  mpi -n "$ranks" "$program" run "$pair" --seeds 1 --backend mpi --deadline-seconds 60 >"$folder/mpi" 2>"$folder/err" ||
    mpi_code=$?
  if ! grep -q "$(tail -n 1 "$folder/local" | sed 's/ seeds=.*//')" "$folder/mpi" || [ "$local_code" != "$mpi_code" ]; then
    bad "$name: local exit $local_code, mpi exit $mpi_code"
    tail -n 1 "$folder/local"
    tail -n 3 "$folder/mpi" "$folder/err"
  else
    echo "$name: $ranks processes, exit $mpi_code"
  fi
  if [ -z "$first" ]; then first=$pair first_ranks=$ranks
  elif [ -z "$second" ] && [ "$ranks" = "$first_ranks" ]; then second=$pair
  fi
done
if [ -n "$second" ]; then
  mpi -n $((first_ranks - 1)) "$program" run "$first" --backend mpi : -n 1 "$program" run "$second" --backend mpi \
    >"$folder/out" 2>&1
  code=$?
  grep -q "another program" "$folder/out" && [ $code != 0 ] || { bad "another program: exit $code"; cat "$folder/out"; }
  echo "another program: exit $code"
fi
# A job that would take minutes, and one of whose ranks stands still, ends within its budget (and what mpirun takes to start and end).
python3 - "$(dirname "$0")/../hostile" "$folder" <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
import hostile, sockets
sockets.TRIPS = 10 ** 8
hostile.write(sys.argv[2], sockets.working("long", "sine"))
EOF
budgeted() {  # budgeted NAME COMMAND: the job, and beside it the command
  start=$(date +%s)
  mpi -n 2 "$program" run "$folder/long" --seeds 1 --backend mpi --budget-seconds 4 >"$folder/out" 2>&1 &
  job=$!
  sleep 2
  $2
  wait $job
  code=$? seconds=$(($(date +%s) - start))
  [ $code = 2 ] && grep -q '^unknown .*reason=budget' "$folder/out" && [ $seconds -lt 10 ] || { bad "$1: exit $code after $seconds s"; cat "$folder/out"; }
  sleep 1
  left=$(ps -eo stat,args | awk -v p="$program" -v f="$folder/long" '$2 == p && $4 == f && $1 !~ /Z/' | wc -l)
  [ "$left" = 0 ] || bad "$1: $left processes left"
  echo "$1: exit $code after $seconds s"
}
stand_still() { kill -STOP "$(ps -eo pid,args | awk -v p="$program" -v f="$folder/long" '$2 == p && $4 == f { last = $1 } END { print last }')"; }
budgeted "a long job" true
budgeted "a rank that stands still" stand_still
echo "$failed failures"
[ $failed = 0 ]
