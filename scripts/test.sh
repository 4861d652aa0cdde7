#!/bin/sh
# test.sh [NAME...] [--list] [--label L] [--sanitize] [--all]: builds everything and runs the tests.
#   NAME         only the tests of that name (a unit test builds its own program alone)
#   --list       the tests with their labels; runs nothing
#   default      g++ Release, labels short, core and xla (XLA's CPU client as referee, from PyPI into .venv; skipped with a
#                count where it cannot be installed)
#   --label L    only this label (short, xla, long; core: what continuous integration runs under sanitizers) or these (L|M)
#   --sanitize   AddressSanitizer and UndefinedBehaviorSanitizer, in a build folder of its own; GG_LINES=OFF: stacks without lines, built in less time
#   --all        everything: g++ and clang, sanitizers, CUDA compile where nvcc is installed, long campaigns
# shellcheck disable=SC2086  # options as words
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
label= sanitize=0 all=0 list=0 names=
while [ $# -gt 0 ]; do
  case $1 in
    --label) label=$2; shift ;;
    --sanitize) sanitize=1 ;;
    --all) all=1 ;;
    --list) list=1 ;;
    [!-]*) names="$names $1" ;;
    *) echo "test.sh: unknown option '$1'" >&2; exit 3 ;;
  esac
  shift
done

run() {  # run FOLDER LABELS [cmake options]
  folder=$1 labels=$2
  shift 2
  case $labels in
    core) targets=core_tests ;;
    short | xla | 'short|xla') targets=all ;;
    'short|core' | 'short|xla|core') targets='all core_tests' ;;
    *) targets='all core_tests further_tests' ;;
  esac
  GG_TARGETS=$targets "$root/scripts/build.sh" "$folder" -DGG_TESTS=ON "$@"
  (cd "$folder" && ctest --output-on-failure -j $(($(nproc) + 1)) -L "$labels")
}

further=
if [ "$all$sanitize" != 00 ]; then further='clang libclang-rt-dev'; fi
"$root/scripts/packages.sh" $further

xla() {
  if ! "$root/scripts/venv.sh" >&2; then
    echo "gg: XLA's CPU client could not be installed from PyPI; its tests are reported as skipped" >&2
  fi
}

# Sanitizers with clang, which compiles what is not optimised in two fifths of the time (docs/performance.md).
# Label core alone is quick with most of it not optimised; other tests search for long.
cold=-O1
[ "$label" != core ] || cold=-O0
sanitized="-DGG_SANITIZE=ON -DCMAKE_CXX_COMPILER=clang++ -DGG_SANITIZED_LINES=${GG_LINES:-ON} -DGG_SANITIZED_COLD=$cold"

# The tests of one name: a unit test has the name of its target, the others ask for everything.
named() {
  folder=$1
  shift
  [ -f "$folder/build.ninja" ] || GG_TARGETS=none "$root/scripts/build.sh" "$folder" -DGG_TESTS=ON "$@"
  for name in $names; do
    ninja -C "$folder" -t query "$name" >/dev/null 2>&1 && target=$name || target='all core_tests further_tests'
    GG_TARGETS=$target "$root/scripts/build.sh" "$folder"
    (cd "$folder" && ctest --output-on-failure --no-tests=error -R "^$name\$")
  done
}

if [ "$list" = 1 ]; then
  folder=${GG_BUILD:-$root/build}
  [ -f "$folder/build.ninja" ] || GG_TARGETS=none "$root/scripts/build.sh" "$folder" -DGG_TESTS=ON
  ctest --test-dir "$folder" --show-only=json-v1 | python3 -c '
import json, sys
for test in json.load(sys.stdin)["tests"]:
    print(test["name"], *[label for p in test["properties"] if p["name"] == "LABELS" for label in p["value"]])'
elif [ -n "$names" ] && [ "$sanitize" = 1 ]; then
  named "$root/build-sanitize" $sanitized
elif [ -n "$names" ]; then
  named "${GG_BUILD:-$root/build}"
elif [ "$all" = 1 ]; then
  xla
  "$root/scripts/venv.sh" old >&2 || echo "gg: the older jaxlib could not be installed from PyPI; its tests are reported as skipped" >&2
  run "$root/build" 'short|core|xla|long'
  run "$root/build-sanitize" 'short|core|long' $sanitized
  if command -v clang++ >/dev/null; then
    GG_FAST=0 run "$root/build-clang" 'short|core' -DCMAKE_CXX_COMPILER=clang++  # file by file: each includes what it uses
  else
    echo "gg: skipped 1: clang++ is not installed" >&2
  fi
elif [ "$sanitize" = 1 ]; then
  run "$root/build-sanitize" "${label:-short|core}" $sanitized
else
  case ${label:-xla} in *xla*) xla ;; esac
  run "${GG_BUILD:-$root/build}" "${label:-short|xla|core}"
fi
