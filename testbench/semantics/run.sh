#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a group of the vectors of golden/vectors/, derived from functions checked on silicon, on the model and on the
# RTL, with testbench/run_kernel.sh: results and flags must be those of the vectors.
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
case $1 in
    edge) vectors=golden/float/edge.tsv ;;
    atom32 | fp_*) vectors=golden/vectors/$1.tsv ;;
    *) vectors=golden/vectors/int_$1.tsv ;;
esac
work=build/semantics/$1
mkdir -p "$work"
build/testbench/semantics/vector_kernel "$vectors" "$work" || exit 1
mapfile -t flags < "$work/flags"
exec testbench/run_kernel.sh -o -v "$verilator" -g "$ghdl" "$work/code.hex" "${flags[@]}"
