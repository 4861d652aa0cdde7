#!/bin/sh
# demo.sh PROGRAM: decides the bundled pairs and prints one line each; witnesses go to a temporary folder.
set -eu
program=$1
examples=$(CDPATH='' cd -- "$(dirname -- "$0")/../examples" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
right=0 all=0
for expect in "$examples"/*/expect.json; do
  pair=$(dirname "$expect")
  name=$(basename "$pair")
  expected=$(sed -n 's/.*"verdict": "\([a-z]*\)".*/\1/p' "$expect")
  code=0
  "$program" check "$pair" --witness "$folder/$name" >"$folder/out" || code=$?
  verdict=$(tail -n 1 "$folder/out")
  printf '%-34s expected %-8s %s\n' "$name" "$expected" "$verdict"
  [ "$code" != 1 ] || sed -n '/error:/p' "$folder/out"
  case $expected:$code in proved:0 | refuted:1) right=$((right + 1)) ;; esac
  [ "$code" != 2 ] || sed -n 's/.*"xfail": "\(.*\)".*/  known gap: \1/p' "$expect"
  [ "$code" -lt 3 ] || exit "$code"
  all=$((all + 1))
done
echo "$right of $all as expected"
