#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs an application of the corpus, real compiled sm_10 code, to its verified result, as testbench/run_kernel.sh does.
# Where the corpus is not there, the test is skipped.
#
#     testbench/apps/run.sh [-c CYCLES] NAME       -c: as run_kernel.sh has it
set -u
cd "$(dirname "$0")/../.." || exit 2
most=()
if [ "$1" = -c ]; then
    most=(-c "$2")
    shift 2
fi
json=../shared/corpus/apps/$1.json
if [ ! -e "$json" ]; then
    echo 1..1
    echo "ok 1 - $1 # SKIP ../shared/corpus is not there"
    exit 0
fi
work=build/apps/$1
mkdir -p "$work"
build/testbench/apps/corpus_launch "$json" "$work" || exit 1
mapfile -t flags < "$work/flags"
exec testbench/run_kernel.sh "${most[@]}" "$work/code.hex" "${flags[@]}"
