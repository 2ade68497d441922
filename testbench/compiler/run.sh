#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles PTX programs and runs them on the model, as TAP: their memory must equal an NVIDIA chip's, and no register
# may be read before it is written. All programs are kernels k(in, out, n).
#
#     testbench/compiler/run.sh [FOLDER | given | drawn]
#         of N.ptx, N.in, N.out; an archive of golden/silicon/ptx; given
set -u
cd "$(dirname "$0")/../.." || exit 2
programs=${1:-given}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -d "$programs" ]; then
    golden/silicon/ptx/unpack.sh "$programs" "$work/programs" || exit 2
    programs=$work/programs
fi

# Prints the fault of a program, or nothing. 2 blocks of 128 threads, n = 200.
try() { # PROGRAM OPTIONS-OF-WARP-CC...
    local ptx=$1 in=0x10000 out=0x18000 words
    local name=$work/${ptx##*/}
    words=$in,$out,200
    grep -q '^\.address_size 64' "$ptx" && words=$in,0,$out,0,200
    build/bin/warp-cc "$ptx" "${@:2}" -o "$name.img" > "$name.said" 2>&1 || { head -1 "$name.said"; return; }
    build/bin/warp-run "$name.img" -w --strict --grid 2 --block 128 --param $words --global $in=@"${ptx%.ptx}.in" \
        --dump $out:8192="$name.out" --max-cycles 500000000 > "$name.said" 2>&1 || { head -1 "$name.said"; return; }
    cmp "$name.out" "${ptx%.ptx}.out" 2>&1
}

number=0
for program in "$programs"/*.ptx; do
    wrong=$(try "$program")
    number=$((number + 1))
    # Some with too few registers, so that values go to local memory, or without optimisation.
    case $((number % 10)) in
        0) wrong+=$(try "$program" --max-registers 8) ;;
        5) wrong+=$(try "$program" -O0) ;;
    esac
    if [ -z "$wrong" ]; then
        echo "ok $number - ${program##*/}"
    else
        echo "not ok $number - ${program##*/}"
        sed 's/^/# /' <<< "$wrong"
    fi
done
echo "1..$number"
