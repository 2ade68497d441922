#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stuck bits in the netlist of the simulated board: `warp-load run --check` must name the same instruction as lockstep
# with the same bit stuck in its netlist. Each kernel has one warp, so that both agree on the first instruction. The
# bits are those of MUTANTS (netlist.list, libsim-mutants.so) for which BOARD (netlist.list, board_sim) has the same
# module, in an order given by the seed; the first COUNT that lockstep finds are tried. Prints TAP.
#
#     [COUNT=10] [SEED=1] fpga/boards/sim/faults.sh BOARD MUTANTS
set -u
cd "$(dirname "$0")/../../.." || exit 2
board_dir=$1 mutants=$2
work=$(mktemp -d)
board=
trap '[ -z "$board" ] || kill $board; rm -rf "$work"' EXIT
export WARPSTEP_MUTANT WARPSTEP_MUTANT_PLACE=1 BOARD=faulty WARPSTEP_PORT
fit() {
    while read -r kernel; do
        ! build/bin/warp-run "$kernel" --no-fpu --no-sfu > "$work/out" 2>&1 || echo "$kernel"
    done
}
kernels=$(grep -L '^\.grid' kernels/formats/*.sass | xargs grep -l '^\.block 32$' | fit |
    shuf --random-source=<(yes 1) -n 12)
same_modules() {
    awk -F '\t' '{ split($2, part, "/"); key = $1 FS part[1] } NR == FNR { has[key]; next } key in has' "$@"
}

# Block, warp, pc and words of the instruction named in a report.
named() {
    sed -n -e 's/^  kernel [^,]*, \(block ([0-9,]*), warp [0-9]*\),.*/\1/p' \
        -e 's/^  .*    \(pc 0x[0-9a-f]*, words .*\)/\1/p' "$1" | head -n 2
}

# Puts lockstep's report into $work/lockstep; 1: no finding, or no instruction.
lockstep_finds() {
    for kernel in $kernels; do
        timeout 60 build/bin/warp-lockstep "$kernel" --no-wave --sim "$mutants/libsim-mutants.so" --cores 8 \
            --global-bytes 16384 > "$work/lockstep" 2>&1
        [ $? -eq 1 ] && [ "$(named "$work/lockstep" | wc -l)" = 2 ] && return
    done
    return 1
}

check_on_board() {
    fpga/boards/sim/run.sh < /dev/null > "$work/port" &
    board=$!
    while [ ! -s "$work/port" ]; do sleep 0.1; done
    WARPSTEP_PORT=$(cat "$work/port") timeout 600 build/bin/warp-load --timeout 20000 run --check "$kernel" \
        > "$work/board" 2>&1
    kill $board
    wait $board 2> "$work/killed"
    board=
    rm "$work/port"
}

number=0 failed=0
while [ $number -lt "${COUNT:-10}" ] && IFS=$'\t' read -r WARPSTEP_MUTANT _ _ place kind; do
    lockstep_finds || continue
    number=$((number + 1))
    check_on_board
    what="$place ${kind/:/, bit }, $kernel: $(named "$work/lockstep" | tr '\n' ' ')"
    if cmp -s <(named "$work/lockstep") <(named "$work/board"); then
        echo "ok $number - $what($(grep -o 'found in [0-9]* runs' "$work/board"))"
    else
        failed=1
        echo "not ok $number - $what"
        sed 's/^/# /' "$work/lockstep" "$work/board"
    fi
done < <(same_modules "$board_dir/netlist.list" "$mutants/netlist.list" | shuf --random-source=<(yes "${SEED:-1}"))
echo "1..$number"
[ $number -eq "${COUNT:-10}" ] || { echo "# lockstep finds no more than $number of the stuck bits"; exit 1; }
exit $failed
