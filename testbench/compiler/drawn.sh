#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles PTX programs, runs them on the model, and compares their memory with the results of the PTX interpreter of
# golden/ptx: the programs of golden/ptx/programs that have a result, then drawn ones. No register may be read before it
# is written, and no two warps may race. Prints TAP, one line for each 25 programs.
#
#     testbench/compiler/drawn.sh [-v CORES] [COUNT [SEED]]        200 programs from seed 1 on; JOBS at a time, 1
#
#     -v   in lockstep with Verilator's machine of this number of cores
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
readonly BATCH=25

# Some get so few registers that values go to local memory, or are compiled without optimisation.
variant() { # SEED
    case $(($1 % 8)) in
        1) echo -O0 ;;
        3) echo --max-registers 8 ;;
        5) echo --max-registers 16 ;;
        7) echo -O1 ;;
    esac
}

# Prints the fault of a program, or nothing.
run() { # FILE.ptx WORDS OPTIONS-OF-WARP-CC...
    local tool=(warp-run --max-cycles 500000000 --global-bytes 1048576)
    [ -z "$cores" ] || tool=(warp-lockstep --cores "$cores")
    "$root/build/bin/warp-cc" "$1" --arch sm_11 "${@:3}" -o program.img > said 2>&1 ||
        { grep -v 'note: ' said; return; }
    # shellcheck disable=SC2086 # a list of words
    "$root/build/bin/${tool[0]}" program.img "${tool[@]:1}" --arch sm_11 -w --strict --check-races $2 > said 2>&1 ||
        head -2 said
}

# golden/ptx/programs: the lines "// run:" and "// words:". Recursion, which cannot be compiled, is skipped.
programs() {
    local program words wrong=() said count=0
    for program in "$root"/golden/ptx/programs/*.ptx; do
        words=$(sed -n 's|^// words: ||p' "$program")
        [ -n "$words" ] && ! grep -q factorial "$program" || continue
        count=$((count + 1))
        said=$(run "$program" "$(sed -n 's|^// run: ||p' "$program")")
        [ -n "$said" ] || [ "$(od -An -v -tx4 OUT | sed 's/\<0*\([0-9a-f]\)/\1/g' | xargs)" = "$words" ] ||
            said="other words"
        [ -z "$said" ] || wrong+=("${program##*/}: $said")
    done
    report "$1" "$count small programs" "${wrong[@]}"
}

drawn() { # NUMBER COUNT SEED
    local wrong=() seed said
    (cd "$root" && build/golden/ptx/draw --seed "$3" --count "$2" -o "$work") > said 2>&1 || wrong+=("$(head -3 said)")
    for ((seed = $3; seed < $3 + $2; seed++)); do
        [ -e "$seed.out" ] || continue
        # shellcheck disable=SC2046 # a list of words
        said=$(run "$seed.ptx" "$(< "$seed.args")" $(variant "$seed"))
        [ -n "$said" ] || said=$(cmp "$seed.got" "$seed.out" 2>&1)
        [ -z "$said" ] || wrong+=("seed $seed $(variant "$seed"): $said")
    done
    report "$1" "$2 programs from seed $3 on" "${wrong[@]}"
}

report() { # NUMBER TITLE WRONG...
    local line="ok $1 - $2"
    [ $# -eq 2 ] || line=$(echo "not $line" && printf '%s\n' "${@:3}" | sed 's/^/# /')
    echo "$line"
    [ $# -eq 2 ]
}

cores=
if [ "${1-}" = -v ]; then
    cores=$2
    shift 2
fi
if [ "${1-}" = programs ] || [ "${1-}" = drawn ]; then
    work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work" || exit 2
    "$@"
    exit
fi
count=${1:-200} seed=${2:-1}
batches=$(((count + BATCH - 1) / BATCH))
echo "1..$((batches + 1))"
{
    echo programs 1
    for ((k = 0; k < batches; k++)); do
        left=$((count - k * BATCH))
        echo drawn $((k + 2)) $((left < BATCH ? left : BATCH)) $((seed + k * BATCH))
    done
} | xargs -P "${JOBS:-1}" -L 1 testbench/compiler/drawn.sh -v "$cores"
