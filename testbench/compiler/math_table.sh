#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# OpenCL's mathematics, swept on the model, as TAP, a test a function: largest error in units of the last place,
# OpenCL's bound, instructions a thread, and the operands and the result with the largest error.
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
room=$((0x400000))
while [ $room -lt $((12 * count + 65536)) ]; do room=$((2 * room)); done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool=build/testbench/compiler/math_error
if build/bin/warp-cc --emit-ptx kernels/c/saxpy.cl -o "$work/k.ptx" 2>&1 | grep 'clang not found'; then
    echo "ok 1 - OpenCL's mathematics # SKIP clang not found"
    echo 1..1
    exit 0
fi
$tool draw "$count" "$seed" "$work/x" "$work/y" || exit 2
printf '# function\terror\tallowed\tinstructions\tx\ty\tresult\n'
number=0
while IFS=$'\t' read -r name expression bound; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    number=$((number + 1))
    printf '__kernel void k(__global float *z, __global const float *xs, __global const float *ys) {
        int i = get_global_id(0); float x = xs[i], y = ys[i]; z[i] = %s; }' "$expression" > "$work/k.cl"
    said=$(build/bin/warp-run "$work/k.cl" --grid $((count / 256)) --block 256 --global-bytes $room \
        --arg zero:$((4 * count)),out="$work/z" --arg "$work/x" --arg "$work/y" 2>&1) ||
        { echo "not ok $number - $name: $(head -1 <<< "$said")"; code=1; continue; }
    executed=$(sed -n 's/.* \([0-9]*\) executed.*/\1/p' <<< "$said" | tail -1)
    verdict=ok
    error=$($tool check "$name" "$work/x" "$work/y" "$work/z") || verdict='not ok' code=1
    printf '%s %d - %s\t%s\t%s\t%d\t%s\n' "$verdict" $number "$name" "${error%%$'\t'*}" "$bound" \
        $((executed / count)) "${error#*$'\t'}"
done < <($tool list)
echo "1..$number"
exit $code
