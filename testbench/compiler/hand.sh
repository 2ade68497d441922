#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares kernels in C with equivalent ones written in assembly: testbench/compiler/hand/, and two of kernels/c/, with
# kernels/apps/. Both are launched alike, with the same random inputs, and must give the results of the host program of
# golden/host. Prints TAP, and as comments a table: instructions of warps and of threads, their ratio, registers. Fails
# if the geometric mean of the ratios exceeds 1.15, or one of them 1.5, or, with clang 14, if docs/evidence/compiler.md
# has another table.
#
#     [CYCLES=8] testbench/compiler/hand.sh [-t] [KERNEL...]      saxpy ...; default: all
#
#     -t       only the table, in the form of docs/evidence/compiler.md
#     CYCLES   also cycles on the RTL with this number of cores, in lockstep
set -u
cd "$(dirname "$0")/../.." || exit 2
only_table=
if [ "${1-}" = -t ]; then
    only_table=yes
    shift
fi
folder=testbench/compiler/hand
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A sizes=(
    [vecadd]="256 5000" [saxpy]="256 5000 0x40490fdb" [reverse]="256 12" [transpose]="70 100" [reduce]="256 12"
    [scan]="256 6" [bitonic]="256 4" [histogram]="3000 64 3" [collatz]="96 1000" [matmul]="48" [matmul-float]="48"
    [autocorrelation]="300 64" [edge]="50 37" [fft-float]="256 3" [nbody]="64 4 0x3c23d70a"
    [mandelbrot]="64 48 0xc0066666 0x3f99999a 0x3d4ccccd 64 4" [string-match]="3333 7 50 2" [convolve]="19 17 2 3 3 9"
    [merge]="3333 64 50 3" [crc32]="90 64 32 3" [sha256]="90 64 32 2" [life]="17 40 6" [jacobi2d]="16 16 50 33")
[ $# -gt 0 ] || mapfile -t names < <((cd $folder && printf '%s\n' *.c[lu] nbody sha256) | sed 's/\.c[lu]$//' | sort)
[ $# -eq 0 ] || names=("$@")
if [ -z "${WARPSTEP_CLANG-}" ] && ! testbench/toolchain/clang.sh clang > /dev/null; then
    echo "ok 1 - C against assembly # SKIP clang not found"
    echo 1..1
    exit 0
fi

say() { [ -n "$only_table" ] || echo "$@"; }
field() { grep -o "\"$2\": *[0-9]*" "$1" | head -1 | grep -o '[0-9]*$'; } # FILE NAME
registers() { # IMAGE: one more than the highest in its code
    build/bin/warp-dis "$1" | grep -o '\<R[0-9]*' | sed 's/R//' |
        awk '$1 < 124 && $1 >= n { n = $1 + 1 } END { print n + 0 }'
}
measure() { # NAME KERNEL FLAGS...: warp and thread instructions, registers, cycles
    local out=$work/$1.json said=$work/said
    build/bin/warp-run "${@:2}" --json > "$out" 2> "$said" || return 1
    local cycles=0
    if [ -n "${CYCLES-}" ]; then
        build/bin/warp-lockstep "${@:2}" --cores "$CYCLES" --json > "$work/cycles" 2> "$said" || return 1
        cycles=$(field "$work/cycles" cycles)
    fi
    echo "$(field "$out" warp_instructions) $(field "$out" thread_instructions) $(registers "$2") $cycles"
}
number=0 failed=0
: > "$work/rows"
for name in "${names[@]}"; do
    number=$((number + 1))
    source=$(compgen -G "$folder/$name.c[lu]" || compgen -G "kernels/c/$name.c[lu]")
    : > "$work/said"
    read -rd '' -a launch < <(
        SEED=$((number * 1000)) SIZES=${sizes[$name]} testbench/run_golden.sh -n "$name" 2> "$work/said"
    )
    by_hand=${launch[0]}
    # A block as in the assembly; the compiler's shared memory may need more for alignment.
    read -ra flags < <(sed -n 's/^\.block \([0-9]*\), *\([0-9]*\).*/--block \1,\2/p' "$by_hand")
    for ((i = 1; i < ${#launch[@]}; i++)); do
        flags+=("${launch[i]}")
        [ "${launch[i]}" != --shared ] || { i=$((i + 1)) && flags+=($((launch[i] + 16))); }
    done
    build/bin/warp-as "$by_hand" -o "$work/hand.img" 2> "$work/said" || cp "$by_hand" "$work/hand.img"
    if build/bin/warp-cc "$source" -o "$work/c.img" 2> "$work/said" &&
        hand=$(measure hand "$work/hand.img" "${launch[@]:1}") && c=$(measure c "$work/c.img" "${flags[@]}"); then
        say "ok $number - $name"
        echo "$name $hand $c" >> "$work/rows"
    else
        failed=1
        say "not ok $number - $name"
        sed 's/^/# /' "$work/said"
    fi
done
[ -n "$only_table" ] || exec 3>&1 > "$work/table"
LC_ALL=C awk -v cycles="${CYCLES-}" '
    function commas(n, s) { for (s = ""; n >= 1000; n = int(n / 1000)) s = sprintf(",%03d%s", n % 1000, s); return n s }
    BEGIN {
        printf "| kernel | by hand | compiled | ratio | of threads | registers |%s\n", cycles != "" ? " cycles |" : ""
        printf "|---|---:|---:|---:|---:|---:|%s\n", cycles != "" ? "---:|" : ""
    }
    {
        ratio = $6 / $2
        sum += log(ratio)
        if (ratio > most) most = ratio
        printf "| `%s` | %s | %s | %.2f | %.2f | %d, %d |", $1, commas($2), commas($6), ratio, $7 / $3, $4, $8
        if (cycles != "") { printf " %.2f |", $9 / $5; cycle_sum += log($9 / $5) }
        print ""
    }
    END {
        if (NR == 0) exit 1
        printf "\nGeometric mean of %d: %.3f; largest: %.2f.\n", NR, exp(sum / NR), most
        if (cycles != "") printf "Of cycles: %.3f.\n", exp(cycle_sum / NR)
        exit exp(sum / NR) > 1.15 || most > 1.5
    }' "$work/rows" || slow=yes
if [ -z "$only_table" ]; then
    exec >&3
    sed 's/^/# /' "$work/table"
    number=$((number + 1))
    echo "${slow:+not }ok $number - at most 1.15 times the instructions by hand, and none above 1.5"
    if [ $# -eq 0 ] && build/bin/warp-cc -v "$folder/saxpy.cl" -o "$work/c.img" 2>&1 | grep -q '^clang-14 '; then
        number=$((number + 1))
        others=$(grep -vFxf docs/evidence/compiler.md "$work/table")
        [ -z "$others" ] || { failed=1 && sed 's/^/# not in docs\/evidence\/compiler.md: /' <<< "$others"; }
        echo "${others:+not }ok $number - docs/evidence/compiler.md has this table"
    fi
    echo "1..$number"
fi
[ -z "${slow-}" ] && [ $failed = 0 ]
