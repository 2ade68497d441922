#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a group of the corpus' semantic vectors, derived from functions checked on silicon, on the model and on the RTL,
# as testbench/run_kernel.sh does: results and flags must be those of the vectors. Where the corpus is not there, the
# test is skipped.
#
#     testbench/semantics/run.sh [-v CORES] [-g CORES] GROUP
set -u
cd "$(dirname "$0")/../.." || exit 2
verilator=8 ghdl=""
while getopts v:g: option; do
    case $option in
        v) verilator=$OPTARG ;;
        g) ghdl=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
vectors=../shared/corpus/semantics/int_$1.tsv
[ "$1" = atom32 ] && vectors=../shared/corpus/semantics/atom32.tsv
if [ ! -e "$vectors" ]; then
    echo 1..1
    echo "ok 1 - vectors of $1 # SKIP ../shared/corpus is not there"
    exit 0
fi
work=build/semantics/$1
mkdir -p "$work"
build/testbench/semantics/vector_kernel "$vectors" "$work" || exit 1
mapfile -t flags < "$work/flags"
exec testbench/run_kernel.sh -v "$verilator" -g "$ghdl" "$work/code.hex" "${flags[@]}"
