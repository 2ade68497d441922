#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks the decoder (rtl/decode*.vhd) against the instruction table: its Verilog (decode_bench), then GHDL with every
# 21st of the same words. Prints TAP.
#
#     testbench/decode/run.sh [--words N] [--seed S]
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/testbench/decode
ghdl=${GHDL:-$(command -v ghdl-llvm || command -v ghdl-mcode || command -v ghdl)}
mapfile -t rtl < <(sed -nE '/_pkg(_body)?\.vhd$|^front\/decode/s,^,rtl/,p' rtl/files.f)

echo 1..3
$work/decode_bench "$@" --record $work/ghdl.words 160000
failed=$?
mkdir -p $work/ghdl && mv $work/ghdl.words $work/ghdl/decode.words
"$ghdl" -a --std=08 -O0 --workdir=$work/ghdl "${rtl[@]}" testbench/decode/*.vhd &&
    cd $work/ghdl && "$ghdl" --elab-run --std=08 -o decode_words_tb decode_words_tb --ieee-asserts=disable > log 2>&1
code=$?
if [ $code -eq 0 ] && grep -q 'report note): done$' log; then
    echo "ok 3 - GHDL decodes as the Verilog does"
else
    echo "not ok 3 - GHDL decodes as the Verilog does"
    sed 's/^/# /' log
    failed=1
fi
exit $failed
