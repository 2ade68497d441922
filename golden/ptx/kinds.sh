#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Draws programs, and reports the instructions of kinds.txt that none of them has. Exit code 1 if there is one.
#
#     golden/ptx/kinds.sh [PROGRAMS [SEED]]        2500 programs from seed 1 on
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/golden/ptx/draw --seed "${2:-1}" --count "${1:-2500}" -o "$work" || exit 1
cat "$work"/*.ptx | awk '/^\t/ { name = $1; if (name ~ /^@/) name = $2; sub(/;$/, "", name); print name }' |
    sort -u > "$work/drawn"
set -f
while read -r line; do
    case $line in '#'*) continue ;; esac
    eval "printf '%s\n' $line"
done < golden/ptx/kinds.txt | sort -u > "$work/wanted"
missing=$(comm -13 "$work/drawn" "$work/wanted")
echo 1..1
[ -z "$missing" ] && { echo "ok 1 - $(wc -l < "$work/wanted") kinds of instructions are drawn"; exit; }
echo "not ok 1 - $(wc -l <<< "$missing") of $(wc -l < "$work/wanted") kinds are not drawn"
sed 's/^/# /' <<< "$missing"
exit 1
