#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The table of OpenCL's mathematics: function, largest error in units of the last place over a sweep on the model, what
# OpenCL allows, instructions a thread, and the operands of the largest error. Exits 1 when one is above its bound.
#
#     testbench/compiler/math_table.sh [-n COUNT] [-s SEED] [FUNCTION...]    COUNT a multiple of 256; default 16384
set -u
cd "$(dirname "$0")/../.." || exit 2
count=16384 seed=1 code=0
while getopts n:s: option; do
    case $option in
    n) count=$OPTARG ;;
    s) seed=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool=build/testbench/compiler/math_error
if build/bin/warp-cc --emit-ptx kernels/c/saxpy.cl -o "$work/k.ptx" 2>&1 | grep 'clang is not there'; then
    echo "1..0 # SKIP clang is not there"
    exit 0
fi
$tool draw "$count" "$seed" "$work/x" "$work/y" || exit 2
printf 'function\terror\tallowed\tinstructions\tx\ty\tresult\n'
while IFS=$'\t' read -r name expression bound; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    printf '__kernel void k(__global float *z, __global const float *xs, __global const float *ys) {
        int i = get_global_id(0); float x = xs[i], y = ys[i]; z[i] = %s; }' "$expression" > "$work/k.cl"
    said=$(build/bin/warp-run "$work/k.cl" --grid $((count / 256)) --block 256 --global-bytes 0x400000 \
        --arg zero:$((4 * count)),out="$work/z" --arg "$work/x" --arg "$work/y" 2>&1) ||
        { printf '%s\tfails: %s\n' "$name" "$(head -1 <<< "$said")"; code=1; continue; }
    executed=$(sed -n 's/.* \([0-9]*\) executed.*/\1/p' <<< "$said" | tail -1)
    error=$($tool check "$name" "$work/x" "$work/y" "$work/z") || code=1
    printf '%s\t%s\t%s\t%d\t%s\n' "$name" "${error%%$'\t'*}" "$bound" $((executed / count)) "${error#*$'\t'}"
done < <($tool list)
exit $code
