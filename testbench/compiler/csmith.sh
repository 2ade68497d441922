#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Csmith's programs as kernels of one thread, on the model, where reading an undefined value is an error, and some in
# lockstep: their checksum must equal g++'s. As TAP, a test a program; programs that run for seconds on this machine are
# skipped. Skipped without csmith or clang.
#
#     [SEED=N] testbench/compiler/csmith.sh COUNT [LOCKSTEP]      LOCKSTEP: short ones under Verilator, 8 cores
set -u
cd "$(dirname "$0")/../.." || exit 2
count=${1:?usage: testbench/compiler/csmith.sh COUNT [LOCKSTEP]} lockstep=${2:-0}
seed=${SEED:-$((RANDOM * 32768 + RANDOM + 1))}
# Unions read unwritten bytes; addresses of locals and of globals are in different memories.
options="--lang-cpp --no-argc --quiet --no-hash-value-printf --no-addr-taken-of-locals --no-unions"
header=testbench/compiler/csmith
skip() { echo "ok 1 - Csmith # SKIP $1 is not there"; echo 1..1; exit 0; }
command -v csmith > /dev/null || skip csmith
[ -n "${WARPSTEP_CLANG-}" ] || testbench/toolchain/clang.sh clang > /dev/null || skip clang
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "# SEED=$seed testbench/compiler/csmith.sh $*"

# Exit code 3: not suitable.
draw() { # SEED
    # shellcheck disable=SC2086 # options are a list of words
    (cd "$work" && timeout 20 csmith --seed "$1" $options > drawn.cc) || return 3
    LC_ALL=C awk -f $header/portable.awk "$work/drawn.cc" > "$work/k.cu"
    g++ -x c++ -w -fpermissive -O1 -I$header "$work/k.cu" -o "$work/k" > "$work/log" 2>&1 || return 3
    timeout 2 "$work/k" > "$work/expected" || return 3
}
same() {
    [ "$(od -An -t x4 "$work/found" | tr -d ' ')" = "$(cat "$work/expected")" ] && return
    echo "the checksum differs"
    false
}
run() { # TOOL OPTIONS...
    rm -f "$work/found"
    "$@" "$work/k.img" -w --strict --block 1 --arg zero:4,out="$work/found" --max-cycles 20000000 && same
}
lockstep_done=0
try() { # LEVEL; a short program in lockstep, too
    timeout 300 build/bin/warp-cc "$work/k.cu" -O"$1" -I$header -Wno-everything -o "$work/k.img" ||
        { echo "warp-cc fails, or takes five minutes"; return 1; }
    run build/bin/warp-run || return 1
    local executed
    executed=$(sed -n 's/.* \([0-9]*\) executed.*/\1/p' "$work/log" | tail -1)
    [ $lockstep_done -lt "$lockstep" ] && [ "${executed:-1000000}" -lt 50000 ] || return 0
    lockstep_done=$((lockstep_done + 1))
    run build/bin/warp-lockstep --cores 8 --no-wave
}

# Accepted failures: a program with more instructions or memory than the machine has, or one that runs too long.
too_large() { grep -q 'does not fit\|not finished after\|room for\|is too large' "$work/log"; }
number=0 left_out=0 failed=0
for ((i = 0; number < count; i++)); do
    s=$((seed + i)) level=$((i % 4 == 3 ? 1 : 2))
    if ! draw $s; then
        left_out=$((left_out + 1))
        [ $left_out -lt $((4 * count + 20)) ] || { echo "Bail out! csmith draws nothing that g++ takes"; exit 2; }
        continue
    fi
    if try $level > "$work/log" 2>&1; then
        number=$((number + 1))
        echo "ok $number - seed $s -O$level"
    elif too_large; then
        left_out=$((left_out + 1))
    else
        number=$((number + 1)) failed=1
        echo "not ok $number - seed $s -O$level"
        sed 's/^/# /' "$work/log" | cut -c1-200 | head -20
    fi
done
echo "# left out: $left_out; in lockstep, too: $lockstep_done"
echo "1..$number"
exit $failed
