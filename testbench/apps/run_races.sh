#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks an application of the corpus for races, with testbench/run_races.sh: there are none, except in
# EdgeDetection_64threads, where a warp reads grey pixels that the other one writes, and in FFT64 with two warps, which
# Roascio measured, too: neither has a BAR. CORPUS names the folder of the corpus; without it the test is skipped.
#
#     testbench/apps/run_races.sh [-s SMS] NAME
set -u
cd "$(dirname "$0")/../.." || exit 2
how=()
[ "$1" != -s ] || { how=(-s "$2") && shift 2; }
json=${CORPUS-}/apps/$1.json
if [ -z "${CORPUS-}" ]; then
    echo 1..1
    echo "ok 1 - races of $1 # SKIP CORPUS is not set"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build/testbench/apps/corpus_launch "$json" "$work" || exit 1
mapfile -t flags < "$work/flags"
mv "$work/code.hex" "$work/$1.hex"
code=0 count=0
look() { # some|none [FLAGS]: a line of TAP, whose plan is the last line of all
    count=$((count + 1))
    testbench/run_races.sh "${how[@]}" "$1" "$kernel" -- "${flags[@]}" "${@:2}" > "$work/tap" || code=1
    sed -e '/^1\.\.1$/d' -e "s/^\(not \)\?ok 1 /\1ok $count /" "$work/tap"
}
kernel=$work/$1.hex
case $1 in
    EdgeDetection_64threads) look some ;;
    FFT64) look none; look some --block 64 ;;
    *) look none ;;
esac
echo "1..$count"
exit $code
