#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Double precision, compiled and run on the model, against a chip, as TAP: draw_double.awk draws 128 programs of all
# instructions and roundings of .f64; double.sha256 has the checksums of an NVIDIA H200's results (driver 580), and of
# the programs themselves.
#
#     testbench/compiler/run_double.sh [dNN...]
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sums=testbench/compiler/double.sha256
LC_ALL=C awk -v folder="$work" -f testbench/compiler/draw_double.awk || exit 2
drawn=$(cat "$work"/*.hex "$work"/*.ptx | sha256sum)
grep -q "^${drawn%% *}  drawn$" $sums || { echo "Bail out! this awk draws other programs"; exit 2; }

# Prints the fault of a program, or nothing. 2 blocks of 128 threads, n = 200.
try() { # NAME
    local name=$1 said=$1.said
    printf "$(tr -d '\n' < "$name.hex" | sed 's/../\\x&/g')" > "$name.in"
    build/bin/warp-cc "$name.ptx" -o "$name.img" > "$said" 2>&1 || { grep error "$said"; return; }
    build/bin/warp-run "$name.img" -w --strict --grid 2 --block 128 --param 0x10000,0,0x18000,0,200 \
        --global 0x10000=@"$name.in" --dump 0x18000:8192="$name.out" > "$said" 2>&1 || { head -1 "$said"; return; }
    grep -q "^$(sha256sum < "$name.out" | cut -d' ' -f1)  ${name##*/}.out$" $sums ||
        echo "other words than the chip's: $(sed -n 29p "$name.ptx")"
}
export -f try
export sums
[ $# -gt 0 ] || set -- $(cd "$work" && printf '%s\n' *.ptx | sed 's/\.ptx$//')
printf "$work/%s\n" "$@" | xargs -P 2 -I{} bash -c 'wrong=$(try {}); echo "$wrong" > {}.wrong'
number=0
for name in "$@"; do
    number=$((number + 1))
    if [ -s "$work/$name.wrong" ] && grep -q . "$work/$name.wrong"; then
        echo "not ok $number - $name"
        sed 's/^/# /' "$work/$name.wrong"
    else
        echo "ok $number - $name"
    fi
done
echo "1..$number"
