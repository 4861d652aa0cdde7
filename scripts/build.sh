#!/bin/sh
# build.sh FOLDER [cmake options]: configures and builds into FOLDER, one at a time (a lock), all output on stderr.
# GG_TARGETS names the targets (default: the programs; `all` adds the tests, `none` configures). A new folder is made to be built as a whole: sources several
# at a time and precompiled headers. GG_FAST=0 makes one where a change of one file compiles that file alone.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$1
shift
"$root/scripts/packages.sh"
mkdir -p "$build"
exec 9>"$build/.lock"
flock 9
stamp="$build/.building.$$"
touch "$stamp"
trap 'rm -f "$stamp"' EXIT
if [ ! -f "$build/build.ninja" ] && [ "${GG_FAST:-1}" = 1 ]; then
  set -- -DGG_UNITY=ON -DGG_PRECOMPILE=ON "$@"
fi
[ -f "$build/build.ninja" ] && [ $# -eq 0 ] || cmake -S "$root" -B "$build" -G Ninja "$@" >&2
[ "${GG_TARGETS:-}" != none ] || exit 0
# shellcheck disable=SC2086
cmake --build "$build" -j "$(($(nproc) + 1))" --target ${GG_TARGETS:-gg-harness gg-verify} >&2
# The stamp's time is that of the start: a source changed while the build ran is newer than it.
touch -r "$stamp" "$build/.built"
