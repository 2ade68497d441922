#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lines, branches and toggles of the RTL under the kernels, from Verilator, for one SM of 8 cores: a table of entities
# on stdout (code_rtl.awk), uncovered points in build/coverage/rtl/missing.tsv.
#
#     checker/coverage/code_rtl.sh > build/coverage/rtl.tsv
set -u
cd "$(dirname "$0")/../.." || exit 2
export sim=$PWD/build/sim/libsim-verilator-C8-S1-coverage.so runs=build/coverage/rtl/runs
rm -rf $runs && mkdir -p $runs/sweep || exit 2
build/checker/coverage/sweep/sweep $runs/sweep || exit 2

# Runs one kernel and leaves the line numbers of Verilator's file that it has hit: the file is the same for all runs,
# except its counts. A line names a kernel, and flags of its launch.
run_one() {
    local directory
    directory=$(mktemp -d "$runs/XXXXXX")
    export WARPSTEP_COVERAGE='' WARPSTEP_RTL_COVERAGE=$directory
    # shellcheck disable=SC2086
    build/bin/warp-lockstep $1 --sim "$sim" > "$directory/log" 2>&1
    awk '/^C / && $NF > 0 { print FNR }' "$directory"/*.dat > "$directory.hits"
    mv -f "$directory"/*.dat $runs/coverage.dat
    rm -r "$directory"
}
export -f run_one
# The sweep covers the kernels of single formats.
printf '%s\n' kernels/{regress,apps,memory}/*.sass \
    kernels/traps/{largest-grid,local-range,shared-range,barrier-*}.sass \
    'kernels/formats/T78-nop.sass --block '{512,1\,512,1\,1\,64,7\,11\,5,2\,128\,2,3\,2\,63} \
    kernels/formats/{T74,X-bar,X-brx,X-gatom,X-lld,X-pbk,X-pret}*.sass \
    $runs/sweep/[!bt]*.sass $runs/sweep/banks.sass $runs/sweep/barrier{s,_ids,_32_warps,_left_alone}.sass \
    $runs/sweep/trapped_{by,as,full}_*.sass |
    xargs -d '\n' -P "${JOBS:-$(nproc)}" -I{} bash -c 'run_one "$1"' _ {}

sort -n -u $runs/*.hits > $runs/hits
build/sim/netlist/netlist build/sim/C8-S1-coverage/gpu_flat.v arms > $runs/arms || exit 2
set -o pipefail
awk -v missing=build/coverage/rtl/missing.tsv -f checker/coverage/code_rtl.awk \
    checker/coverage/unreachable-rtl.txt $runs/hits $runs/arms $runs/coverage.dat | sort
