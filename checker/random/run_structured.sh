#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random structured programs (golden/host/structured.c) on the model, and some of them on the RTL in lockstep. The
# expected stores of each thread were computed without warps. Prints TAP, the first seed first; a failing kernel stays
# in build/random/.
#
#     [SEED=N] checker/random/run_structured.sh COUNT [LOCKSTEP]
#
#     COUNT      kernels on the model
#     LOCKSTEP   number of these under Verilator on 8, 16, 32 cores in turn (default 6)
set -u
cd "$(dirname "$0")/../.." || exit 2
count=${1:?usage: checker/random/run_structured.sh COUNT [LOCKSTEP]}
lockstep=${2:-6}
seed=${SEED:-$((RANDOM * 32768 + RANDOM + 1))}
mkdir -p build/random
echo "# SEED=$seed checker/random/run_structured.sh $*"

number=0
run_all() { # NAME COUNT COMMAND...; CORES in it takes its values in turn
    local name=$1 last=$((seed + $2 - 1)) s kernel
    shift 2
    number=$((number + 1))
    for ((s = seed; s <= last; s++)); do
        kernel=build/random/structured-$s.sass
        build/golden/host/structured "$s" > "$kernel" || exit 2
        if ! "${@/CORES/$((8 << s % 3))}" "$kernel" > "$kernel.log" 2>&1; then
            echo "not ok $number - $name, seed $s"
            sed 's/^/# /' "$kernel.log"
            echo "1..$number"
            exit 1
        fi
        rm "$kernel" "$kernel.log"
    done
    echo "ok $number - $name, $((last - seed + 1)) kernels"
}

run_all model "$count" build/bin/warp-run
[ "$lockstep" -gt 0 ] && run_all verilator "$lockstep" build/bin/warp-lockstep --sim verilator --cores CORES
echo "1..$number"
