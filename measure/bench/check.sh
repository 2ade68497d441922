#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs/evidence/performance.md must agree with the RTL: runs some of its cases again and looks for their rows in it.
# Prints TAP.
#
#     measure/bench/check.sh             cases with kernels in this repository
#     measure/bench/check.sh corpus      those of the corpus, whose folder CORPUS names
set -u
cd "$(dirname "$0")/../.." || exit 2
. measure/bench/cases.sh
page=docs/evidence/performance.md
number=0 failed=0

# Each row of TABLE from the measured cases must be in the page. The last column of FlexGrip is not compared: it changes
# with the clock, which `make timing` measures.
check() { # TABLE GROUP CASES CORES SMS
    local rows=$work/check.rows
    if ! measure/bench/measure.sh "$2" "$3" "$4" "$5" > $work/check.tsv 2> $work/check.log; then
        number=$((number + 1)) failed=1
        echo "not ok $number - the cases of $2 run"
        sed 's/^/# /' $work/check.log
        return
    fi
    awk -v only="$1" -f measure/bench/tables.awk $work/check.tsv | grep '^| [a-z0-9]* | [0-9]' > "$rows"
    while read -r row; do
        number=$((number + 1))
        [ "$1" != flexgrip ] || row=${row% | *}
        if grep -qF "$row" $page; then
            echo "ok $number - $1: $row"
        else
            failed=1
            echo "not ok $number - $1: $row"
            echo "# $page says something else: run 'make bench'"
        fi
    done < "$rows"
}

mkdir -p $work
if [ "${1-}" = corpus ]; then
    check flexgrip flexgrip "flexgrip-edge-256 flexgrip-edge-32 flexgrip-fft-64 flexgrip-fft-32" "8 16 32" 1
    echo "1..$number"
    exit $failed
fi
check kernels kernels "straight chain branch fft" "8 16 32" 1
check branches branches "$CASES_BRANCHES" "8 16 32" 1
check scaling scaling stream 8 "1 2"
# `make test` lacks these builds, so only their presence is checked.
for cores in 8 16 32; do
    number=$((number + 1))
    if grep -q "^| stream | $cores | 4 |" $page; then
        echo "ok $number - the page has several SMs of $cores cores"
    else
        failed=1
        echo "not ok $number - the page has several SMs of $cores cores"
    fi
done
echo "1..$number"
exit $failed
