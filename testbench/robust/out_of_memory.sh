#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tools with each of their allocations failing in turn, alone and with all later ones, including those of
# libelf and the C library. A tool must report that memory is out and leave no file behind, or end as usual. Prints TAP,
# a line a command. Not warp-lockstep: Verilator's runtime does not check the result of malloc. The checker is tested in
# testbench/robust/test/test_out_of_memory.c.
#
#     testbench/robust/out_of_memory.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
shim=$PWD/build/testbench/robust/fail_alloc_preload.so
bin=build/bin
most=400 # number of allocations of a command that are tried; of later ones each hundredth
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kernel=kernels/apps/edge.sass
ptx=testbench/robust/k.ptx
$bin/warp-as $kernel -o "$work/k.img" || exit 2
$bin/warp-as $kernel --format cubin-text -o "$work/k.cubin" 2> /dev/null || exit 2
$bin/warp-dis "$work/k.img" > "$work/k.txt" || exit 2
echo 0x200004050400c780 2102e800 > "$work/words"
build/testbench/fuzz/make_cubins "$work" || exit 2

# Runs a command with allocation $1 failing; standard output, and the files out*, stay in $work.
attempt() { # K ALL COMMAND...
    rm -f "$work"/out*
    FAIL_AT=$1 FAIL_ALL=$2 LD_PRELOAD=$shim "${@:3}" > "$work/stdout" 2> "$work/stderr" 9> "$work/told" < /dev/null
}

# Each written file is complete: equal to the one without failures.
files_are_whole() {
    local file
    for file in "$work"/out*; do [ ! -e "$file" ] || cmp -s "$file" "$work/usual.${file##*/}" || return 1; done
}

# True if it ended as it should; the normal end is in usual*.
acceptable() { # CODE
    files_are_whole || return 1
    [ "$1" -eq "$usual" ] && cmp -s "$work/stdout" "$work/usual.stdout" && return 0
    { [ "$1" -eq 2 ] || [ "$1" -eq 1 ]; } && grep -qi 'out of memory\|cannot allocate memory' "$work/stderr"
}

number=0 failed=0
try() { # NAME COMMAND...
    local name=$1 k step all code bad=() tried=0
    shift
    rm -f "$work"/usual*
    attempt 0 0 "$@"
    usual=$?
    mv "$work/stdout" "$work/usual.stdout"
    for file in "$work"/out*; do [ ! -e "$file" ] || mv "$file" "$work/usual.${file##*/}"; done
    for all in 0 1; do
        for ((k = 1; ; k += step)); do
            step=$((k < most ? 1 : 100))
            attempt $k $all "$@"
            code=$?
            [ -s "$work/told" ] || break
            tried=$((tried + 1))
            acceptable $code || bad+=("FAIL_AT=$k FAIL_ALL=$all: exit code $code: $(head -n 1 "$work/stderr")")
        done
    done
    number=$((number + 1))
    if [ ${#bad[@]} -eq 0 ] && [ $tried -gt 0 ]; then
        echo "ok $number - $name: $tried failures"
    else
        failed=1
        echo "not ok $number - $name: ${#bad[@]} of $tried"
        printf '# %s\n' "${bad[@]:0:8}" "repeat: LD_PRELOAD=$shim $* 9> /dev/null"
    fi
} 2> /dev/null # the shell's own messages about dying processes

try "warp-as, image" $bin/warp-as $kernel -o "$work/out.img"
try "warp-as, list" $bin/warp-as $kernel --list
try "warp-as, cubin" $bin/warp-as $kernel --format cubin-text -o "$work/out.cubin"
try "warp-as, mistakes" $bin/warp-as assembler/test/diag/mistakes-operands.sass -o "$work/out.img"
try "warp-as, verify" $bin/warp-as --verify "$work/k.txt"
try "warp-dis, image" $bin/warp-dis "$work/k.img"
try "warp-dis, fields" $bin/warp-dis --fields "$work/words"
try "warp-dis, text cubin" $bin/warp-dis "$work/k.cubin"
try "warp-dis, ELF cubin" $bin/warp-dis "$work/k32.cubin"
try "warp-dis, ELF cubin of 64 bits" $bin/warp-dis "$work/k64.cubin"
try "warp-cc, image" $bin/warp-cc $ptx -o "$work/out.img"
try "warp-cc, listing" $bin/warp-cc $ptx -S
try "warp-cc, cubin" $bin/warp-cc $ptx -o "$work/out.cubin"
try "warp-run, PTX" $bin/warp-run $ptx --block 32 --arg "zero:128,out=$work/out.bin" --arg 5
try "warp-run, image" $bin/warp-run "$work/k.img" --json --trace "$work/out.txt" --dump "0:64=$work/out.bin"
try "warp-run, source" $bin/warp-run $kernel --json
try "warp-run, races" $bin/warp-run kernels/regress/stores-that-meet.sass --json --check-races
try "warp-run, local memory" $bin/warp-run kernels/formats/X-lld-lst.sass --json
try "warp-run, trap" $bin/warp-run kernels/traps/undefined.sass --json
try "warp-fuzz, kernels" $bin/warp-fuzz --seed 3 --count 1 --print
echo "1..$number"
exit $failed
