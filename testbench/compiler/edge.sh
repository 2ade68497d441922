#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the thesis' EdgeDetection.cu and compares it with nvcc's machine code of it, both from the corpus: what the
# kernels leave in memory, and the warp instructions that they take, of which ours may be at most 1.05 times as many. As
# TAP; the figures are comments.
#
#     testbench/compiler/edge.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
corpus=../shared/corpus name=EdgeDetection_64threads
source=$corpus/thesis/EdgeDetection.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -e "$source" ] || { echo "ok 1 - EdgeDetection # SKIP $corpus is not there"; echo 1..1; exit; }
[ -n "${WARPSTEP_CLANG-}" ] || command -v clang-14 > /dev/null ||
    { echo "ok 1 - EdgeDetection # SKIP clang-14 is not there"; echo 1..1; exit; }
build/testbench/apps/corpus_launch "$corpus/apps/$name.json" "$work" || exit 2
mapfile -t flags < "$work/flags"
build/bin/warp-cc "$source" --variables 0x400 -o "$work/ours.img" || exit 2

# The launch without what the machine code itself says.
launch=()
for ((i = 0; i < ${#flags[@]}; i += 2)); do
    case ${flags[i]} in
        --reg | --shared | --const) ;;
        *) launch+=("${flags[i]}" "${flags[i + 1]}") ;;
    esac
done
count() { # WARP-RUN'S ARGUMENTS...
    build/bin/warp-run "$@" --json 2> /dev/null | grep -o '"warp_instructions": *[0-9]*' | grep -o '[0-9]*$'
}
verdict=ok
build/bin/warp-run "$work/ours.img" "${launch[@]}" > "$work/said" 2>&1 || verdict='not ok'
nvcc=$(count "$work/code.hex" "${flags[@]}")
ours=$(count "$work/ours.img" "${launch[@]}")
echo "$verdict 1 - EdgeDetection.cu gives the expected picture"
[ "$verdict" = ok ] || sed 's/^/# /' "$work/said"
awk -v ours="$ours" -v nvcc="$nvcc" 'BEGIN {
    ratio = ours / nvcc
    print (ratio <= 1.05 ? "ok" : "not ok") " 2 - at most 1.05 times the instructions of nvcc"
    printf "# warp instructions: %d, of nvcc %d, ratio %.3f\n", ours, nvcc, ratio
}'
echo 1..2
