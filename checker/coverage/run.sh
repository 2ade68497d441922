#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make coverage`: runs all kernels, the sweep of the instruction table and random kernels in lockstep under Verilator,
# and reports their coverage: a table on stdout, all bins in build/coverage/bins.tsv, the page
# build/coverage/index.html. Fails below the floor. Other suites check the results of kernels, but a difference between
# RTL and model fails here, too. Then lines, branches and toggles of the RTL and of the C side: code_rtl.sh, code_c.sh.
#
# Features that depend on the number of cores, above all memory, run on 16 and 32 cores, too.
#
#     checker/coverage/run.sh            JOBS=N runs N at a time, COUNT=N runs N random kernels a machine
set -u
cd "$(dirname "$0")/../.." || exit 2
out=build/coverage
report=build/checker/coverage/report/coverage_report
list=checker/coverage/unreachable.txt
rm -rf $out/runs && mkdir -p $out/runs || exit 2
export WARPSTEP_COVERAGE=$PWD/$out/runs

runs() { # prints commands
    local cores kernel
    echo "checker/coverage/sweep.sh 8"
    for cores in 16 32; do
        echo "checker/coverage/sweep.sh -k '[!t]*' $cores"
        for kernel in kernels/{apps,memory}/*.sass; do echo "build/bin/warp-lockstep $kernel --cores $cores"; done
    done
    for kernel in kernels/{formats,regress,traps,apps,memory}/*.sass; do echo "build/bin/warp-lockstep $kernel"; done
    for kernel in kernels/sms/*.sass; do echo "build/bin/warp-lockstep $kernel --sms 2"; done
    for cores in 8 16 32; do
        echo "build/bin/warp-fuzz --seed $((1000 * cores)) --count ${COUNT:-40} --cores $cores --jobs 1"
    done
    echo "build/bin/warp-fuzz --seed 2000 --count ${COUNT:-40} --cores 8 --sms 2 --jobs 1"
}

# Only a difference of RTL and model is a failure: some kernels trap or hang on purpose.
run_one() {
    local output code
    output=$(bash -c "$1" 2>&1)
    code=$?
    [ $code -eq 0 ] || [ $code -eq 3 ] || printf 'exit code %d: %s\n%s\n' $code "$1" "$output"
}
export -f run_one
failures=$(runs | xargs -d '\n' -P "${JOBS:-$(nproc)}" -I{} bash -c 'run_one "$1"' _ {})
[ -z "$failures" ] || { printf '%s\n' "$failures"; echo "runs have failed"; exit 1; }

unset WARPSTEP_COVERAGE # unit tests run simulations with planted faults
checker/coverage/code_rtl.sh > $out/rtl.tsv || exit 2
checker/coverage/code_c.sh > $out/c.tsv || exit 2
awk -f checker/coverage/code_page.awk $out/rtl.tsv $out/c.tsv checker/coverage/unreachable-rtl.txt \
    > $out/code.html || exit 2
$report $out/runs $list bins > $out/bins.tsv || exit 2
$report $out/runs $list html $out/code.html > $out/index.html || exit 2
{
    $report $out/runs $list summary
    awk -f checker/coverage/code_sums.awk $out/rtl.tsv $out/c.tsv
} | tee $out/summary.txt
{
    $report $out/runs $list check checker/coverage/floor.txt
    awk -v floor=checker/coverage/floor-code.txt -f checker/coverage/code_sums.awk $out/rtl.tsv $out/c.tsv
} > $out/check.tap
grep '^#\|^not' $out/check.tap
! grep -q '^not' $out/check.tap
