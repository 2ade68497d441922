#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Draws PTX programs, compiles them, runs them on the model, and compares their memory with what the PTX interpreter of
# golden/ptx makes of it. No register may be read that nothing has written, and no two warps may race. Prints TAP, one
# line for each 25 programs.
#
#     testbench/compiler/drawn.sh [-v CORES] [COUNT [SEED]]        200 programs from seed 1 on; JOBS at a time, 1
#
#     -v   in lockstep with Verilator's machine of so many cores
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
readonly BATCH=25

# Some have so few registers that others go to local memory, or are as they are written.
variant() { # SEED
    case $(($1 % 8)) in
        1) echo -O0 ;;
        3) echo --max-registers 8 ;;
        5) echo --max-registers 16 ;;
        7) echo -O1 ;;
    esac
}

# Says what is wrong with a program, or nothing.
try() { # SEED
    local flags=(--arch sm_11 -w --strict --check-races) tool=(warp-run --max-cycles 500000000 --global-bytes 1048576)
    [ -z "$cores" ] || tool=(warp-lockstep --cores "$cores")
    # shellcheck disable=SC2046 # lists of words
    "$root/build/bin/warp-cc" "$1.ptx" --arch sm_11 $(variant "$1") -o "$1.img" > said 2>&1 ||
        { grep -v 'note: ' said; return; }
    # shellcheck disable=SC2046
    "$root/build/bin/${tool[0]}" "$1.img" "${tool[@]:1}" "${flags[@]}" $(< "$1.args") > said 2>&1 || { head -2 said; return; }
    cmp "$1.got" "$1.out" 2>&1
}

batch() { # NUMBER COUNT SEED
    local work wrong=() seed said
    work=$(mktemp -d)
    # shellcheck disable=SC2064 # now
    trap "rm -rf $work" EXIT
    build/golden/ptx/draw --seed "$3" --count "$2" -o "$work" > "$work/said" 2>&1 || wrong+=("$(head -3 "$work/said")")
    cd "$work" || exit 2
    for ((seed = $3; seed < $3 + $2; seed++)); do
        [ ! -e "$seed.out" ] || said=$(try "$seed")
        [ -z "$said" ] || wrong+=("seed $seed $(variant "$seed"): $said")
    done
    local line="ok $1 - $2 programs from seed $3 on"
    [ ${#wrong[@]} -eq 0 ] || line=$(echo "not $line" && printf '%s\n' "${wrong[@]}" | sed 's/^/# /')
    echo "$line"
    [ ${#wrong[@]} -eq 0 ]
}

cores=
if [ "${1-}" = -v ]; then
    cores=$2
    shift 2
fi
if [ "${1-}" = batch ]; then
    batch "${@:2}"
    exit
fi
count=${1:-200} seed=${2:-1}
echo "1..$(((count + BATCH - 1) / BATCH))"
for ((at = 0; at < count; at += BATCH)); do
    echo $((at / BATCH + 1)) $((count - at < BATCH ? count - at : BATCH)) $((seed + at))
done | xargs -P "${JOBS:-1}" -L 1 testbench/compiler/drawn.sh -v "$cores" batch
