#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# OpenCL's functions of work items, of copies by a group and of atomic operations (builtins/kernels/work.cl), compiled
# and run on the model. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
kernels=testbench/compiler/builtins/kernels
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 code=0
report() { # VERDICT TEXT
    number=$((number + 1))
    echo "$1 $number - $2"
    [ "$1" = ok ] || code=1
}
same() { # TEXT FORMAT: the words in $work/z are those of standard input
    od -An -v -t "$2" -w4 "$work/z" | tr -d ' ' > "$work/found"
    if diff "$work/found" - > "$work/said"; then report ok "$1"; else
        head -5 "$work/said" | sed 's/^/# /'
        report 'not ok' "$1"
    fi
}
run() { # KERNEL OPTION...
    local kernel=$1
    shift
    rm -f "$work/z"
    build/bin/warp-run "$work/k.img" --kernel "$kernel" --arch sm_11 "$@" > "$work/said" 2>&1 ||
        sed 's/^/# /' "$work/said"
}
if ! build/bin/warp-cc --arch sm_11 $kernels/work.cl -o "$work/k.img" 2> "$work/said"; then
    if grep -q 'clang not found' "$work/said"; then
        echo "ok 1 - work items # SKIP clang not found"
        echo 1..1
        exit 0
    fi
    sed 's/^/# /' "$work/said"
fi
run ids --grid 2,2 --block 8,4 --arg "zero:10240,out=$work/z"
same 'work items and groups' u4 < <(
    for y in {0..7}; do
        for x in {0..15}; do
            printf '%s\n' 2 "$x" "$y" 0 $((x % 8)) $((y % 4)) 0 $((x / 8)) $((y / 4)) 0 16 8 1 8 4 1 2 2 1 0
        done
    done
)

LC_ALL=C awk 'BEGIN { for (i = 1; i <= 100; i++) printf "%c%c%c%c", i, 1, 0, 0 }' > "$work/in"
run copies --block 32 --arg "zero:480,out=$work/z" --arg "$work/in" --arg local:440
same 'copies by a group' d4 < <(awk 'BEGIN {
    for (i = 0; i < 100; i++) print 2 * (i + 257)
    for (i = 0; i < 50; i += 5) print 2 * (i + 257)
    for (i = 0; i < 10; i++) print i % 4 == 0 ? 2 * (i / 4 + 257) : 0
}')

run atomics --grid 2 --block 32 --arg "zero:384,out=$work/z" --arg "zero:28,out=$work/more" \
    --arg "zero:4,out=$work/real"
same 'atomic operations of int' d4 < <(
    printf '%s\n' 2016 -2016 64 -64 -63 63 0 -1 0 77 99 128 -128 64 -64 -63 63 0 3 0 33 111 64 0 0 0 0 0 0 0 0 0
    yes 1 | head -64
)
mv "$work/more" "$work/z"
same 'atomic operations of uint' x4 < <(printf '%s\n' 000007e0 fffff820 00000000 8000003f 00000040 ffffffc0 0000003f)
mv "$work/real" "$work/z"
same 'atomic_xchg of float' f4 <<< 2.5
echo "1..$number"
exit $code
