#!/bin/sh
# venv.sh [old|torch]: puts the Python packages of scripts/requirements.txt into .venv (XLA's CPU client: the referee of the tests);
# with `old` those of requirements-old.txt, an older release, into .venv-old; with `torch` torch, the referee of FX graphs, into .venv-torch.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
name=${1:+-$1}
want=$root/scripts/requirements$name.txt venv=$root/.venv$name
cmp -s "$want" "$venv/requirements.txt" && exit 0
python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r "$want"
cp "$want" "$venv/requirements.txt"
