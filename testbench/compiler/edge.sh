#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the thesis' EdgeDetection.cu and compares it with nvcc's machine code, both from the corpus (CORPUS): the
# kernels' memory, and their warp instructions and cycles on the RTL with 8 cores: ours at most 1.05 times as many. As
# TAP; the figures are comments.
#
#     testbench/compiler/edge.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
corpus=${CORPUS-} name=EdgeDetection_64threads
source=$corpus/thesis/EdgeDetection.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "$corpus" ] || { echo "ok 1 - EdgeDetection # SKIP CORPUS is not set"; echo 1..1; exit; }
[ -n "${WARPSTEP_CLANG-}" ] || testbench/toolchain/clang.sh clang > /dev/null ||
    { echo "ok 1 - EdgeDetection # SKIP clang not found"; echo 1..1; exit; }
build/testbench/apps/corpus_launch "$corpus/apps/$name.json" "$work" || exit 2
mapfile -t flags < "$work/flags"
build/bin/warp-cc "$source" --variables 0x400 -o "$work/ours.img" || exit 2

# The launch, without the parts that the machine code contains.
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
compare() { # NUMBER WHAT OURS NVCC
    awk -v number="$1" -v what="$2" -v ours="$3" -v nvcc="$4" 'BEGIN {
        good = nvcc > 0 && ours > 0 && ours <= 1.05 * nvcc
        print (good ? "ok " : "not ok ") number " - at most 1.05 times the " what " of nvcc"
        printf "# %s: %d, of nvcc %d, ratio %.3f\n", what, ours, nvcc, (nvcc > 0 ? ours / nvcc : 0)
    }'
}
compare 2 'warp instructions' "$ours" "$nvcc"
cycles() { # WARP-LOCKSTEP'S ARGUMENTS...
    build/bin/warp-lockstep "$@" --cores 8 --json 2> /dev/null | grep -o '"cycles": *[0-9]*' | head -1 |
        grep -o '[0-9]*$'
}
compare 3 cycles "$(cycles "$work/ours.img" "${launch[@]}")" "$(cycles "$work/code.hex" "${flags[@]}")"
echo 1..3
