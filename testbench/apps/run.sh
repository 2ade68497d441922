#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs an application of the corpus, real compiled sm_10 code, to its verified result, with testbench/run_kernel.sh.
# CORPUS names the folder of the corpus; without it the test is skipped.
#
#     testbench/apps/run.sh [OPTIONS OF run_kernel.sh] NAME
set -u
cd "$(dirname "$0")/../.." || exit 2
name=${!#} options=("${@:1:$#-1}")
json=${CORPUS-}/apps/$name.json
if [ -z "${CORPUS-}" ]; then
    echo 1..1
    echo "ok 1 - $name # SKIP CORPUS is not set"
    exit 0
fi
work=build/apps/$name
mkdir -p "$work"
build/testbench/apps/corpus_launch "$json" "$work" || exit 1
mapfile -t flags < "$work/flags"
exec testbench/run_kernel.sh "${options[@]}" "$work/code.hex" "${flags[@]}"
