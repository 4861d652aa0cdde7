#!/bin/sh
# gpu.sh FOLDER [CASES...]: from the folder that `cmake --build --preset device` makes: kernels against host loops, cuBLAS
# dots, compute-sanitizer where it is installed, NCCL with one rank a GPU and with --oversubscribe, and every case on the
# device with the verdict of the CPU. Without a GPU everything is counted as skipped (exit 77).
set -u
folder=$1
shift
export LD_LIBRARY_PATH="$folder:${LD_LIBRARY_PATH:-}"
for place in $(python3 -c 'import glob,sys; print(" ".join(p for s in sys.path for p in glob.glob(s + "/nvidia/*/lib")))' 2>/dev/null); do
  LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$place"  # cuBLAS and NCCL of pip's packages
done
test=$(find "$folder" -name gg-gpu-test -type f | head -n 1)
"$test"
code=$?
if [ $code = 77 ]; then
  echo "skipped: $# cases on the device, NCCL with 2, 4 and 8 ranks"
  exit 77
fi
failed=$code
if command -v compute-sanitizer >/dev/null; then
  compute-sanitizer --error-exitcode 1 "$test" >/dev/null || { echo "FAILED compute-sanitizer"; failed=1; }
else
  echo "skipped: compute-sanitizer is not installed"
fi
for pair in "$@"; do
  ranks=$(python3 -c 'import json,math,sys; print(math.prod(a[1] for a in json.load(open(sys.argv[1]))["mesh"]))' \
    "$pair/relation.json")
  [ "$ranks" -le 8 ] || continue
  "$folder/gg-harness" run "$pair" --seeds 1 >/tmp/gg-local.$$ 2>/dev/null
  expected=$?
  mpirun --oversubscribe --allow-run-as-root -n "$ranks" sh -c \
    'NCCL_HOSTID=rank$OMPI_COMM_WORLD_RANK exec "$@"' sh "$folder/gg-harness" run "$pair" --seeds 1 --backend nccl \
    --oversubscribe >/tmp/gg-nccl.$$ 2>&1
  code=$?
  if [ $code = $expected ]; then echo "ok      $pair"; else echo "FAILED  $pair: CPU $expected, NCCL $code"; failed=1; fi
done
exit $failed
