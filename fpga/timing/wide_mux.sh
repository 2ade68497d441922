#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# wide_mux.v selects the same word as rtl/common/mux_word.vhd, for any words and any index. Prints TAP.
#
#     fpga/timing/wide_mux.sh
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 2
ghdl=${GHDL:-$(command -v ghdl-mcode || command -v ghdl-llvm || command -v ghdl)}
netlist=build/sim/netlist/netlist here=fpga/timing work=build/timing/wide_mux.work
rm -rf $work && mkdir -p $work
mapfile -t packages < <(sed -n '/_pkg.*\.vhd$/s,^,rtl/,p' rtl/files.f)
"$ghdl" -a --std=08 --workdir=$work "${packages[@]}" rtl/common/mux_word.vhd || exit 2

echo 1..4
verdict() { # NAME CONDITION...
    number=$((${number:-0} + 1))
    local verdict=ok
    "${@:2}" > $work/log 2>&1 || { verdict="not ok" && failed=1; }
    echo "$verdict $number - $1"
    [ "$verdict" = ok ] || sed 's/^/# /' $work/log
}
gates() { # WORDS: named as an instance is
    sim/ghdl/verilog.sh "$ghdl" --workdir=$work -gCORES="$1" mux_word |
        sed "s/^module mux_word$/&_$1/" > $work/gates.v
}
same() { # WORDS
    gates "$1" && $netlist $work/gates.v wide_mux > $work/wide.v && grep -q wide_mux $work/wide.v || return 1
    yosys -q -p "read_verilog $work/wide.v $here/wide_mux.v; read_verilog -DNO_INCLUDES +/ecp5/cells_sim.v
        hierarchy -top mux_word_$1; proc; flatten; rename mux_word_$1 wide
        read_verilog $work/gates.v; proc; rename mux_word_$1 gates
        miter -equiv -flatten gates wide both; hierarchy -top both; opt -full
        sat -verify -prove trigger 0 both"
}
for words in 8 16 32; do verdict "of $words words" same $words; done
untouched() { gates 4 && $netlist $work/gates.v wide_mux | cmp - $work/gates.v; }
verdict "four words stay as they are" untouched
exit "${failed:-0}"
