#!/bin/sh
# test.sh [--label L] [--sanitize] [--all]: builds everything and runs the tests.
#   default      g++ Release, labels short and xla (XLA's CPU client as referee, from PyPI into .venv; skipped with a
#                count where it cannot be installed)
#   --label L    only this label (short, xla, long; core: what continuous integration runs under sanitizers)
#   --sanitize   AddressSanitizer and UndefinedBehaviorSanitizer, in a build folder of its own
#   --all        everything: g++ and clang, sanitizers, CUDA compile where nvcc is installed, long campaigns
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
label= sanitize=0 all=0
while [ $# -gt 0 ]; do
  case $1 in
    --label) label=$2; shift ;;
    --sanitize) sanitize=1 ;;
    --all) all=1 ;;
    *) echo "test.sh: unknown option '$1'" >&2; exit 3 ;;
  esac
  shift
done

run() {  # run FOLDER LABELS [cmake options]
  folder=$1 labels=$2
  shift 2
  targets=all
  [ "$labels" != core ] || targets=core_tests
  GG_TARGETS=$targets "$root/scripts/build.sh" "$folder" -DGG_TESTS=ON "$@"
  (cd "$folder" && ctest --output-on-failure -j 2 -L "$labels")
}

"$root/scripts/packages.sh"

xla() {
  if ! "$root/scripts/venv.sh" >&2; then
    echo "gg: XLA's CPU client could not be installed from PyPI; its tests are reported as skipped" >&2
  fi
}

if [ "$all" = 1 ]; then
  xla
  "$root/scripts/venv.sh" old >&2 || echo "gg: the older jaxlib could not be installed from PyPI; its tests are reported as skipped" >&2
  run "$root/build" 'short|xla|long'
  run "$root/build-sanitize" 'short|long' -DGG_SANITIZE=ON
  if command -v clang++ >/dev/null; then
    run "$root/build-clang" short -DCMAKE_CXX_COMPILER=clang++
  else
    echo "gg: skipped 1: clang++ is not installed" >&2
  fi
elif [ "$sanitize" = 1 ]; then
  run "$root/build-sanitize" "${label:-short}" -DGG_SANITIZE=ON
else
  [ "$label" = short ] || xla
  run "${GG_BUILD:-$root/build}" "${label:-short|xla}"
fi
