#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Everything that the tools of the C side read, under a checker: each kernel assembled, listed in both dialects, listed
# again from the listing, made into a cubin and back, and run, some in lockstep; the sources with mistakes; the cubins.
# And random kernels: made, printed, run in lockstep. Exit code and output must equal the plain tool's, except for
# times, and the checker must be silent. Prints TAP, a line a file or seed.
#
#     testbench/robust/c_side.sh asan|valgrind [FILE|seed:N ...]
#
#     asan       build/asan/bin, with the address and undefined behaviour sanitizers
#     valgrind   build/bin under valgrind's memcheck
set -u
cd "$(dirname "$0")/../.." || exit 2
checker=$1
shift
simulation=build/sim/libsim-verilator-C8-S1.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $checker in
    asan) under=() bin=build/asan/bin complaint=70 ;;
    valgrind)
        complaint=70 bin=build/bin
        under=(valgrind -q --error-exitcode=$complaint --leak-check=full --errors-for-leak-kinds=definite,possible)
        command -v valgrind > /dev/null || { echo "Bail out! there is no valgrind: apt-get install valgrind"; exit 1; }
        ;;
    *) exit 2 ;;
esac
export ASAN_OPTIONS=detect_leaks=1:exitcode=$complaint UBSAN_OPTIONS=print_stacktrace=1:exitcode=$complaint
# The address sanitizer sometimes crashes if the kernel randomises many bits of addresses.
fixed=()
setarch -R true 2> /dev/null && fixed=(setarch -R)

# Runs a tool plainly and under the checker. Its OUT files are kept for the next command.
complaints=()
same() { # TOOL ARGUMENTS...
    local tool=$1 usual code
    shift
    rm -f "$work/OUT"
    "build/bin/$tool" "${@//OUT/$work/OUT}" > "$work/usual.out" 2> "$work/usual.err" < /dev/null
    usual=$?
    [ ! -e "$work/OUT" ] || mv "$work/OUT" "$work/usual.file"
    ${fixed[@]+"${fixed[@]}"} ${under[@]+"${under[@]}"} "$bin/$tool" "${@//OUT/$work/OUT}" \
        > "$work/out" 2> "$work/err" < /dev/null
    code=$?
    sed -i "s|$bin/$tool|build/bin/$tool|" "$work/err" # in the command that repeats a run
    sed -i 's/; [0-9]* seconds, .* kernels an hour and job$//' "$work/out" "$work/usual.out"
    if [ $code -ne $usual ] || ! cmp -s "$work/out" "$work/usual.out" || ! cmp -s "$work/err" "$work/usual.err"; then
        complaints+=("$tool $*: exit code $code, usually $usual" "$(diff "$work/usual.err" "$work/err" | head -n 20)")
    elif [ -e "$work/OUT" ] && ! cmp -s "$work/OUT" "$work/usual.file"; then
        complaints+=("$tool $*: writes another file than usual")
    fi
    return $usual
}

kernel() { # FILE.sass
    same warp-run "$1" --json --max-cycles 200000
    case $checker.$1 in # valgrind takes too long over the RTL
        asan.kernels/apps/* | asan.kernels/traps/*) same warp-lockstep "$1" --sim "$simulation" --json --no-wave ;;
    esac
    same warp-as "$1" -o OUT || return
    mv "$work/OUT" "$work/k.img"
    same warp-dis --dialect 5 "$work/k.img"
    same warp-dis "$work/k.img" || return
    mv "$work/out" "$work/k.txt"
    same warp-as --verify "$work/k.txt"
    same warp-as "$work/k.txt" --list
    same warp-run "$work/k.img" --trace OUT.kanata --max-cycles 20000
    same warp-as "$1" --format cubin-text -o OUT || return
    mv "$work/OUT" "$work/k.cubin"
    same warp-dis "$work/k.cubin"
}

random() { # SEED
    same warp-fuzz --seed "$1" --count 1 --print
    [ $checker = valgrind ] || same warp-fuzz --seed "$((4 * $1))" --count 4 --sim "$simulation"
}

file() { # FILE|seed:N
    case $1 in
        seed:*) random "${1#seed:}" ;;
        */diag/*) same warp-as "$1" -o OUT && same warp-as --list "$1" ;;
        *.sass) kernel "$1" ;;
        *) same warp-dis "$1" && same warp-run "$1" --json --max-cycles 1000 ;;
    esac
}

if [ $# -eq 0 ]; then
    build/testbench/fuzz/make_cubins "$work" || exit 2
    set -- kernels/*/*.sass assembler/test/diag/*.sass "$work"/k32.cubin "$work"/k64.cubin \
        testbench/fuzz/found/*/* testbench/fuzz/seeds/cubin_text/* seed:{1..40}
fi
number=0 failed=0
for name in "$@"; do
    number=$((number + 1)) complaints=()
    file "$name"
    if [ ${#complaints[@]} -eq 0 ]; then
        echo "ok $number - $checker, ${name#"$work"/}"
    else
        failed=1
        echo "not ok $number - $checker, ${name#"$work"/}"
        printf '%s\n' "${complaints[@]}" | sed 's/^/# /'
    fi
done
echo "1..$number"
exit $failed
