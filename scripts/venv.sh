#!/bin/sh
# Puts the Python packages of scripts/requirements.txt into .venv (XLA's CPU client: the referee of the tests).
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
want=$root/scripts/requirements.txt have=$root/.venv/requirements.txt
cmp -s "$want" "$have" && exit 0
python3 -m venv "$root/.venv"
"$root/.venv/bin/pip" install -q --disable-pip-version-check -r "$want"
cp "$want" "$have"
