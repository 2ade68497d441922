#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The trace processes of docs/bring-your-own-rtl.md: the output of the VHDL process under GHDL is checked against the
# model, as a file and from a pipe, and fails if it is wrong; the SystemVerilog process passes Verilator's linter.
#
#     checker/tool/run_trace_example.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
example=$PWD/checker/port/example
tool=$PWD/build/bin/warp-lockstep
ghdl=${GHDL:-$(command -v ghdl-llvm || echo ghdl)}
number=0 failed=0

ok() { # NAME COMMAND...
    local name=$1
    shift
    number=$((number + 1))
    if "$@" > "$work/log" 2>&1; then
        echo "ok $number - $name"
    else
        failed=1
        echo "not ok $number - $name"
        sed 's/^/# /' "$work/log"
    fi
}
simulate() { # WRONG
    cd "$work" && "$ghdl" -a --std=08 "$example"/trace_writer.vhd "$example"/trace_writer_tb.vhd &&
        "$ghdl" -e --std=08 trace_writer_tb && "$ghdl" -r --std=08 trace_writer_tb "-gWRONG=$1"
}
passes() { "$tool" "$example/five.sass" --check-trace "$1"; }
from_pipe() { "$tool" "$example/five.sass" --check-trace - < <(cat "$work/rtl.txt"); }
fails() {
    passes "$work/rtl.txt"
    [ $? -eq 1 ] && grep -q 'dst R[0-9]* lane 8 .* 0x00000010$' "$work/log"
}
lints() { verilator --lint-only --timing -Wall -Wno-BLKSEQ "$example/trace_writer.sv"; }

ok 'the VHDL process prints' simulate false
ok '... what agrees' passes "$work/rtl.txt"
ok '... from a pipe' from_pipe
ok 'with a wrong bit' simulate true
ok '... it is found' fails
ok 'the SystemVerilog process' lints
echo "1..$number"
exit $failed
