#!/bin/sh
# processes.sh PEERS GG_HARNESS EXAMPLES: ranks as processes of this host over sockets (--backend tcp), without MPI: ranks that
# die, stop, come late or run another collective; examples with the verdict of the local run; every launcher's variables.
set -u
peers=$1 program=$2 examples=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Programs of our own: what is left of them is told from what other tests run.
cp "$peers" "$folder/mpi_peers" && peers=$folder/mpi_peers
cp "$program" "$folder/gg-harness" && program=$folder/gg-harness
failed=0
bad() { echo "FAILED: $*"; failed=$((failed + 1)); }
none_left() {  # none_left NAME PROGRAM
  left=$(ps -eo pid,stat,args | awk -v p="$2" '$3 == p && $2 !~ /Z/' | wc -l)
  [ "$left" = 0 ] || bad "$1: $left processes left"
}
GG_JOB_TOKEN=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d " \n")
export GG_JOB_TOKEN
unset RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT 2>/dev/null

expect() {  # expect MODE DEADLINE PATTERN ok|error
  code=0
  timeout 60 "$peers" "$1" "$2" 4 >"$folder/out" 2>&1 || code=$?
  grep -q "$3" "$folder/out" || { bad "$1: no '$3' in"; cat "$folder/out"; }
  case $4:$code in ok:0 | error:[12]) ;; *) bad "$1: exit $code" ;; esac
  none_left "$1" "$peers"
  echo "$1: exit $code"
}
expect ok 20 "all arrived" ok
expect delay 20 "all arrived" ok
expect kill 20 "main/%sum.*rank 3 has ended" error
expect stop 3 "main/%sum.*rank 3 did not arrive within 3 s" error
expect order 20 "rank 3 is at main/%ring" error

for pair in "$examples/tp-mlp" "$examples/vocab-embedding-unmasked" "$examples/../tests/xla/pairs/mismatched-collectives"; do
  name=$(basename "$pair")
  ranks=$(python3 -c 'import json,math,sys; print(math.prod(a[1] for a in json.load(open(sys.argv[1]))["mesh"]))' "$pair/relation.json")
  local_code=0 code=0
  "$program" run "$pair" --seeds 1 -q >"$folder/local" 2>/dev/null || local_code=$?
  timeout 60 "$program" run "$pair" --seeds 1 -q --backend tcp --ranks "$ranks" --deadline-seconds 5 >"$folder/tcp" 2>"$folder/err" || code=$?
  if [ $name = mismatched-collectives ]; then
    [ $code = 2 ] && grep -q 'did not arrive within\|is at\|has ended' "$folder/err" || { bad "$name: exit $code"; cat "$folder/err"; }
  elif ! cmp -s "$folder/local" "$folder/tcp" || [ $local_code != $code ]; then
    bad "$name: local exit $local_code, tcp exit $code"
    cat "$folder/local" "$folder/tcp" "$folder/err"
  fi
  none_left "$name" "$program"
  echo "$name: $ranks processes, exit $code"
done
code=0
timeout 60 "$program" run "$examples/tp-mlp" --backend tcp --ranks 3 >"$folder/out" 2>&1 || code=$?
[ $code = 3 ] && grep -q 'GG-R005' "$folder/out" || { bad "3 ranks of another number: exit $code"; cat "$folder/out"; }

# Started by launchers: their variables, and the same verdict.
ranks=$(python3 -c 'import json,math,sys; print(math.prod(a[1] for a in json.load(open(sys.argv[1]))["mesh"]))' "$examples/tp-mlp/relation.json")
launched() {  # launched NAME: variables of rank $rank by `variables`
  for rank in $(seq $((ranks - 1)) -1 0); do
    command="env $(variables) $program run $examples/tp-mlp --seeds 1 -q --backend tcp --deadline-seconds 30"
    if [ "$rank" != 0 ]; then $command >/dev/null 2>&1 & else code=0; $command >"$folder/out" 2>"$folder/err" || code=$?; fi
  done
  wait
  [ $code = 2 ] && grep -q '^unknown .*reason=agrees-only' "$folder/out" || { bad "$1: exit $code"; cat "$folder/out" "$folder/err"; }
  echo "started as by $1: exit $code"
}
port=$((20000 + $$ % 10000))
variables() { echo "RANK=$rank WORLD_SIZE=$ranks LOCAL_RANK=$rank MASTER_ADDR=localhost MASTER_PORT=$port"; }
launched torchrun
variables() { echo "RANK=$rank WORLD_SIZE=$ranks LOCAL_RANK=$rank MASTER_ADDR=localhost MASTER_PORT=$port TORCHELASTIC_USE_AGENT_STORE=True"; }
launched "torchrun with its own store"
variables() { echo "OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=$ranks OMPI_COMM_WORLD_LOCAL_RANK=$rank OMPI_COMM_WORLD_LOCAL_SIZE=$ranks MASTER_PORT=$port"; }
launched mpirun
variables() { echo "SLURM_PROCID=$rank SLURM_NTASKS=$ranks SLURM_LOCALID=$rank SLURM_STEP_NODELIST=localhost SLURM_JOB_ID=$port"; }
launched srun
echo "$failed failures"
[ $failed = 0 ]
