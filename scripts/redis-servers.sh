#!/usr/bin/env bash
# Unpacks newer Redis and Valkey servers out of Debian's own packages, without installing anything: each with the libraries
# it was built against and starters `redis-server`, `redis-cli` and `redis-sentinel`. Needs Debian or Ubuntu.
#
#   scripts/redis-servers.sh DIR    makes DIR/redis-8.6/bin, DIR/redis-8.0/bin, DIR/valkey-9.1/bin, DIR/valkey-8.1/bin
set -euo pipefail
dir=$(mkdir -p "${1:?where to}" && cd "$1" && pwd)
mirror=$( (grep -hoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true) | grep -v security | head -n 1 | tr -d " ")
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
apt="$dir/.apt"; mkdir -p "$apt/lists/partial" "$apt/archives/partial"; : > "$apt/status"
for suite in trixie sid experimental; do echo "deb [signed-by=$keyring] ${mirror%/} $suite main"; done > "$apt/sources.list"
opts=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" -o "Dir::State::status=$apt/status")
apt-get "${opts[@]}" -q update >/dev/null

unpack() { # NAME SUITE SERVER-PACKAGE TOOLS-PACKAGE
  local root="$dir/$1" from=(-o "APT::Default-Release=$2") packages
  [ -x "$root/bin/redis-server" ] && { echo "$1: $("$root/bin/redis-server" --version)"; return; }
  rm -rf "$root"; mkdir -p "$root/bin" "$root/deb"
  packages=$(apt-cache "${opts[@]}" "${from[@]}" depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$3" "$4" 2>/dev/null |
    grep -E '^(lib|redis|valkey)' | grep -vE '^lib(pam|debconf|perl|c-)' | sort -u)
  (cd "$root/deb" && apt-get "${opts[@]}" "${from[@]}" -q download $packages >/dev/null 2>&1; for deb in *.deb; do dpkg-deb -x "$deb" "$root"; done; rm -rf "$root/deb")
  local loader libs real tool
  loader=$(find "$root" -name 'ld-linux-*.so.*' -print -quit)
  libs=$(find "$root" -name '*.so.*' -printf '%h\n' | sort -u | paste -sd:)
  for tool in server cli sentinel; do
    real=$(find "$root/usr/bin" \( -name "redis-$tool" -o -name "valkey-$tool" \) -print -quit)
    printf '#!/bin/sh\nexec "%s" --argv0 redis-%s --library-path "%s" "%s" "$@"\n' "$loader" "$tool" "$libs" "$real" > "$root/bin/redis-$tool"
    chmod +x "$root/bin/redis-$tool"
  done
  echo "$1: $("$root/bin/redis-server" --version)"
}
unpack redis-8.6 experimental redis-server redis-tools
unpack redis-8.0 trixie redis-server redis-tools
unpack valkey-9.1 sid valkey-server valkey-tools
unpack valkey-8.1 trixie valkey-server valkey-tools
