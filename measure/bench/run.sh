#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures cycles and writes docs/evidence/performance.md and its derivatives; `make bench` calls it.
set -eu
cd "$(dirname "$0")/../.."
. measure/bench/cases.sh
measure=measure/bench/measure.sh
mkdir -p $work

$measure kernels "$CASES_KERNELS $CASES_CORPUS" "8 16 32" 1 > $work/kernels.tsv
$measure branches "$CASES_BRANCHES" "8 16 32" 1 > $work/branches.tsv
$measure flexgrip "$CASES_FLEXGRIP" "8 16 32" 1 > $work/flexgrip.tsv
$measure scaling "$CASES_SCALING" 8 "1 2 4" > $work/scaling.tsv

cat $work/{kernels,branches,flexgrip,scaling}.tsv > $work/results.tsv
awk -f measure/bench/tables.awk $work/results.tsv measure/bench/performance.in.md > $work/performance.md
cp $work/performance.md docs/evidence/performance.md
if [ -s $work/flexgrip.tsv ]; then make -s generated; fi
cat docs/evidence/performance.md
