#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the programs of testbench/compiler/programs for the host and with warp-cc, and compares their 128 words, as
# TAP: on the model at -O2, -O0, and with all functions called, also with few registers; with all called in lockstep. No
# register may be read before it is written.
#
#     testbench/compiler/run_programs.sh [-v "8"] [PROGRAM...]      duff calls ...; default: all
#
#     -v   cores of machines under Verilator; default 8, "" for none
set -u
cd "$(dirname "$0")/../.." || exit 2
folder=testbench/compiler/programs machines=8
if [ "${1-}" = -v ]; then
    machines=$2
    shift 2
fi
[ $# -gt 0 ] || set -- $(cd $folder && printf '%s\n' *.c | sed 's/\.c$//')
[ -n "${WARPSTEP_CLANG-}" ] || testbench/toolchain/clang.sh clang > /dev/null ||
    { echo "ok 1 - programs in C # SKIP clang not found"; echo 1..1; exit; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C awk 'BEGIN {
    x = 12345
    for (i = 0; i < 256; i++) { x = (x * 16807) % 2147483647; printf "\\x%02x", int(x / 256) % 256 } }' > "$work/hex"
printf "$(cat "$work/hex")" > "$work/in"

number=0 failed=0
report() { # WHAT WRONG
    number=$((number + 1))
    [ -z "$2" ] && { echo "ok $number - $1"; return; }
    failed=1
    echo "not ok $number - $1"
    sed 's/^/# /' <<< "$2"
}
differs() { # TOOL OPTIONS...
    rm -f "$work/out"
    "$@" --grid 2 --block 64 --arg "zero:512,out=$work/out" --arg "$work/in" > "$work/said" 2>&1 ||
        { head -3 "$work/said"; return; }
    cmp "$work/out" "$work/expected" 2>&1
}
for name in "$@"; do
    wrong=$(cc -std=gnu11 -O1 -w -ffp-contract=off -o "$work/host" "$folder/$name.c" 2>&1 &&
        "$work/host" < "$work/in" 2>&1 > "$work/expected") || { report "$name on the host" "$wrong"; continue; }
    printf '#include "%s.c"\n' "$name" > "$work/$name.cu"
    for options in -O2 -O0 "-O2 --no-inline" "-O0 --no-inline" "-O2 --no-inline --max-registers 10"; do
        # shellcheck disable=SC2086 # a list
        wrong=$(build/bin/warp-cc "$work/$name.cu" -I$folder $options -w -o "$work/k.img" 2>&1 | grep error:)
        [ -n "$wrong" ] || wrong=$(differs build/bin/warp-run "$work/k.img" --strict --max-cycles 50000000)
        report "$name $options: model" "$wrong"
        [ "$options" = "-O2 --no-inline" ] || continue
        for cores in $machines; do
            report "$name $options: V $cores" \
                "$(differs build/bin/warp-lockstep "$work/k.img" --cores "$cores" --strict)"
        done
    done
done
echo "1..$number"
exit $failed
