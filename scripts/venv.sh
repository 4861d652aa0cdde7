#!/bin/sh
# venv.sh [old|torch|torch-extra]: puts the Python packages of scripts/requirements.txt into .venv (XLA's CPU client: the referee of the tests);
# with `old` those of requirements-old.txt, an older release, into .venv-old; with `torch` torch, the referee of FX graphs, into .venv-torch; with
# `torch-extra` what is captured and tested with it (megatron-core, pytest), without dependencies of their own, into .venv-torch-extra above .venv-torch.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
name=${1:+-$1}
want=$root/scripts/requirements$name.txt venv=$root/.venv$name
cmp -s "$want" "$venv/requirements.txt" && exit 0
above= only=
if [ "$name" = -torch-extra ]; then
  "$0" torch
  above=$(echo "$root"/.venv-torch/lib/python3*/site-packages) only=--no-deps
fi
python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check $only -r "$want"
[ -z "$above" ] || echo "$above" >"$(echo "$venv"/lib/python3*/site-packages)/torch.pth"
cp "$want" "$venv/requirements.txt"
