#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs experiments (experiments.sh) in lockstep under Verilator; `make experiments` calls it.
#
#     measure/experiments/run.sh                  all: docs/evidence/experiments.md, a table (CSV) and a plot (SVG) of
# each
#     measure/experiments/run.sh -c NAME ...      repeats some and compares with the tables: TAP
#
# SMS="1 2" skips the machine of four SMs, which needs its own build; JOBS=N runs N at a time (default 2); RESUME=1
# continues with the files of an interrupted call in build/experiments.
set -u
cd "$(dirname "$0")/../.." || exit 2
. measure/experiments/measure.sh
. measure/experiments/experiments.sh
template=measure/experiments/experiments.in.md
pages=docs/experiments
compare=
[ "${1-}" != -c ] || { compare=yes && shift; }
names=${*:-$EXPERIMENTS}

[ -n "${RESUME-}" ] || rm -rf $work
mkdir -p $work/runs && rm -f $work/jobs
for name in $names; do
    if declare -F "${name}_data" > /dev/null; then "${name}_data" || exit 1; fi
    $name > /dev/null || exit 1
done
[ ! -e $work/failed ] || exit 1
run_noted "${JOBS:-2}" || exit 1
for name in $names; do
    { echo series,x,y && $name; } > "$work/$name.csv"
done

if [ -n "$compare" ]; then
    number=0 failed=0
    for name in $names; do
        number=$((number + 1))
        if diff "$pages/$name.csv" "$work/$name.csv" > "$work/differences"; then
            echo "ok $number - $name"
        else
            failed=1
            echo "not ok $number - $name: run make experiments"
            sed 's/^/# /' "$work/differences"
        fi
    done
    echo "1..$number"
    exit $failed
fi

mkdir -p $pages && cp $work/*.csv $pages
# @plot NAME | TITLE | X | Y
grep '^@plot ' $template | while IFS='|' read -r name title x y; do
    name=${name#@plot } name=${name// /}
    title=${title# } title=${title% }
    awk -v title="$title" -v x_label="$x" -v y_label="$y" -f measure/experiments/plot.awk \
        "$pages/$name.csv" > "$pages/$name.svg" || exit 1
done
awk -v folder=$pages -f measure/experiments/page.awk fpga/timing/timing.md $template > docs/evidence/experiments.md
