#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests whether the flags of ghdl --synth in docs/evidence/toolchain.md are still needed and still work with the
# installed tools. Prints TAP; a failing test means that a flag is no longer needed, or no longer works.
#
#     testbench/toolchain/flags.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
ghdl=${GHDL:-$(command -v ghdl-mcode || command -v ghdl-llvm || command -v ghdl)}
sources=$PWD/testbench/toolchain/flags
work=build/toolchain-flags
rm -rf $work && mkdir -p $work && cd $work || exit 2
"$ghdl" -a --std=08 -fpsl "$sources/assertions.vhd" "$sources/latch.vhd" || exit 2
synth() { "$ghdl" --synth --std=08 -fpsl --out=verilog "$@"; }

number=0 failed=0
expect() { # NAME COMMAND...
    number=$((number + 1))
    local verdict=ok
    "${@:2}" > log 2>&1 || { verdict="not ok" && failed=1; }
    echo "$verdict $number - $1"
    [ "$verdict" = ok ] || sed 's/^/# /' log
}
lacks() { ! grep -q "$@"; }
fails() { ! "$@"; }

synth assertions > plain.v
synth --no-assert-cover assertions > no-cover.v
synth --no-assert-cover --no-formal assertions > no-formal.v
expect "the label of an assertion reaches the Verilog" grep -q 'fatal(.*no_twins' no-cover.v
expect "its words do not" lacks 'words of the report' no-cover.v
expect "an implication in PSL becomes a cover that stops the run" grep -q 'assertion(cover) failure follows' plain.v
expect "not so with --no-assert-cover" lacks 'assertion(cover)' no-cover.v
expect "the assertion itself stays" grep -q 'assertion failure follows' no-cover.v
expect "yosys cannot read an assertion" fails yosys -q -p 'read_verilog no-cover.v'
expect "it can with --no-formal" yosys -q -p 'read_verilog no-formal.v'
expect "ghdl refuses a latch" fails synth latch
expect "but with --latches" synth --latches latch
echo "1..$number"
exit $failed
