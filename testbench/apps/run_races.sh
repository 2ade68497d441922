#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Looks for races in an application of the corpus, as testbench/run_races.sh does: there are none, but in
# EdgeDetection_64threads, where a warp reads grey pixels that the other one writes, and no BAR is between. Where the
# corpus is not there, the test is skipped.
#
#     testbench/apps/run_races.sh [-s SMS] NAME
set -u
cd "$(dirname "$0")/../.." || exit 2
how=()
[ "$1" != -s ] || { how=(-s "$2") && shift 2; }
json=../shared/corpus/apps/$1.json
if [ ! -e "$json" ]; then
    echo 1..1
    echo "ok 1 - races of $1 # SKIP ../shared/corpus is not there"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/testbench/apps/corpus_launch "$json" "$work" || exit 1
mapfile -t flags < "$work/flags"
mv "$work/code.hex" "$work/$1.hex"
must=none
[ "$1" != EdgeDetection_64threads ] || must=some
testbench/run_races.sh "${how[@]}" "$must" "$work/$1.hex" -- "${flags[@]}"
