#!/bin/sh
# combinations.sh SOURCE FOLDER: the program's libraries with and without CUDA, NCCL and MPI, each configured and built below
# FOLDER (with ccache the shared sources are compiled once). CUDA is left out where there is no nvcc; ARCH: GPU architectures.
set -u
source=$1 folder=$2
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
failed=0 built=0 skipped=0
build() {  # build CUDA NCCL MPI
  name=cuda-$1-nccl-$2-mpi-$3
  if [ "$1" = ON ] && [ -z "$nvcc" ]; then echo "skipped $name: no nvcc"; skipped=$((skipped + 1)); return; fi
  if cmake -S "$source" -B "$folder/$name" -G Ninja -DGG_TESTS=OFF -DGG_CUDA="$1" -DGG_NCCL="$2" -DGG_MPI="$3" \
      -DCMAKE_CUDA_ARCHITECTURES="${ARCH:-80-real;90-real;100-real}" >"$folder/$name.log" 2>&1 &&
    cmake --build "$folder/$name" -j "${JOBS:-2}" --target gg_job >>"$folder/$name.log" 2>&1; then
    echo "ok      $name"
    built=$((built + 1))
  else
    echo "FAILED  $name"
    tail -n 15 "$folder/$name.log"
    failed=$((failed + 1))
  fi
}
mkdir -p "$folder"
for mpi in ON OFF; do
  build OFF OFF $mpi
  for nccl in ON OFF; do build ON $nccl $mpi; done
done
echo "$built built, $failed failed, $skipped skipped"
[ $failed = 0 ]
