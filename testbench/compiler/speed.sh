#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The time of warp-cc for PTX of 200 to 100,000 lines: without branches, with many consecutive ones, with deeply nested
# ones, of loops, of a table of branches, of calls of one function and of many, of double precision. Prints a table:
# lines, milliseconds of a processor (the best of three), microseconds a line. Exits 1 if 200 lines take more than 50
# ms, or if a line of a long text takes more than three times as long as one of 2,000.
#
#     testbench/compiler/speed.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

write() { # SHAPE LINES
    awk -v shape="$1" -v lines="$2" 'BEGIN {
        print ".version 3.2\n.target sm_20\n.address_size 32"
        functions = shape == "functions" ? lines / 16 : shape == "calls"
        for (n = 0; n < functions; n++) {
            printf ".func (.param .b32 r) f%d(.param .b32 a)\n{\n.reg .b32 %%r<60>;\nld.param.b32 %%r0, [a];\n", n
            printf "mov.u32 %%r1, %d;\n", n
            for (i = 2; i < (shape == "calls" ? 50 : 4); i++)
                printf "mad.lo.u32 %%r%d, %%r%d, %%r%d, %d;\n", i, i - 1, i - 2, i
            printf "st.param.b32 [r], %%r%d;\nret;\n}\n", i - 1
        }
        print ".visible .entry k(.param .u32 to)\n{"
        print ".reg .b32 %r<200000>;\n.reg .pred %p<100000>;\nld.param.u32 %r1, [to];\nmov.u32 %r2, %tid.x;"
        print "mov.u32 %r3, 0;"
        if (shape == "straight")
            for (i = 4; i < lines - 10; i++) printf "xor.b32 %%r%d, %%r%d, %%r%d;\n", i, i - 1, (i > 10 ? i - 7 : 2)
        if (shape == "loops")
            for (n = 0; n < lines / 7; n++) {
                printf "mov.u32 %%r10, 0;\nL%d:\nadd.u32 %%r3, %%r3, %%r10;\nadd.u32 %%r10, %%r10, 1;\n", n
                printf "st.global.u32 [%%r1+%d], %%r3;\nsetp.lt.u32 %%p%d, %%r10, %%r2;\n", 4 * n, n
                printf "@%%p%d bra L%d;\n", n, n
            }
        if (shape == "table") {
            printf "ts: .branchtargets C0"
            for (n = 1; n < lines / 3; n++) printf ", C%d", n
            print ";\nbrx.idx %r2, ts;"
            for (n = 0; n < lines / 3; n++) printf "C%d:\nadd.u32 %%r3, %%r2, %d;\nbra E;\n", n, 7 * n
            print "E:"
        }
        for (n = 0; functions > 0 && n < lines / 8; n++) {
            printf "{\n.param .b32 p;\nst.param.b32 [p], %%r3;\n.param .b32 s;\n"
            printf "call (s), f%d, (p);\nld.param.b32 %%r3, [s];\n}\n", n % functions
        }
        if (shape == "doubles") {
            print ".reg .f64 %d<3>;\ncvt.rn.f64.u32 %d1, %r2;\ncvt.rn.f64.u32 %d2, %r1;"
            for (n = 0; n < lines / 2; n++) print "add.f64 %d1, %d1, %d2;\nmul.f64 %d2, %d1, %d1;"
            print "cvt.rzi.u32.f64 %r3, %d1;"
        }
        depth = shape == "deep" ? int(lines / 6) : 1 # nested branches
        for (n = 0; (shape == "branches" || shape == "deep") && n < lines / (shape == "deep" ? 6 : 5); n += depth) {
            for (i = n; i < n + depth; i++) {
                printf "and.b32 %%r10, %%r2, %d;\nsetp.eq.s32 %%p%d, %%r10, %d;\n", i % 31 + 1, i, i % 5
                printf "@%%p%d bra L%d;\nadd.s32 %%r3, %%r3, %d;\n", i, i, i
            }
            for (i = n + depth - 1; i >= n; i--) printf "L%d:\nadd.s32 %%r3, %%r3, 1;\n", i
        }
        printf "st.global.u32 [%%r1], %s;\nret;\n}\n", (shape == "straight" ? "%r" (lines - 11) : "%r3")
    }'
}
best() { # FILE: milliseconds
    local i TIMEFORMAT='%U %S'
    for i in 1 2 3; do
        { time build/bin/warp-cc "$1" -o "$work/out.img" > /dev/null 2> "$work/said"; } 2>> "$work/times" ||
            { cat "$work/said" >&2 && return 1; }
    done
    awk 'NR == 1 || 1000 * ($1 + $2) < least { least = 1000 * ($1 + $2) } END { printf "%.0f", least }' "$work/times"
    rm "$work/times"
}

code=0
printf '| %-9s | %7s | %8s | %7s |\n|---|---|---|---|\n' shape lines ms 'us/line'
for shape in straight branches deep loops table calls functions doubles; do
    reference=
    for lines in 200 2000 20000 100000; do
        write $shape $lines > "$work/k.ptx"
        real=$(grep -c . "$work/k.ptx")
        ms=$(best "$work/k.ptx") || { echo "$shape $lines: warp-cc failed" >&2; exit 1; }
        each=$(awk -v ms="$ms" -v n="$real" 'BEGIN { printf "%.2f", ms * 1000 / n }')
        printf '| %-9s | %7d | %8s | %7s |\n' $shape "$real" "$ms" "$each"
        [ $lines = 200 ] && awk -v ms="$ms" 'BEGIN { exit ms <= 50 }' && code=1
        [ $lines = 2000 ] && reference=$each
        [ $lines -gt 2000 ] && awk -v a="$each" -v b="$reference" 'BEGIN { exit a <= 3 * b }' && code=1
    done
done
exit $code
