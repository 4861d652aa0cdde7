#!/bin/sh
# packages.sh [PACKAGE...]: makes sure that the Debian packages named in scripts/packages.txt, and those, are installed. As root, or with GG_APT=1, installs
# what is missing; otherwise prints the one apt line and exits 3. Never calls sudo.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
missing=
for package in $(sed 's/#.*//' "$here/packages.txt") "$@"; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] && [ "${GG_APT:-0}" != 1 ]; then
  echo "gg: packages are missing; run as root: apt-get install$missing" >&2
  exit 3
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >&2
# shellcheck disable=SC2086
apt-get install -q -y --no-install-recommends $missing >&2
