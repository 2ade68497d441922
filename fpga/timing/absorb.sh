#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# absorb and replicate do not change the outputs of a netlist: absorb.v mapped for an ECP5, before and after, in one
# simulation with random inputs. And cells at pins read no copy. Prints TAP.
#
#     fpga/timing/absorb.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/timing/absorb.work here=fpga/timing
mkdir -p $work
yosys -q -p "read_verilog $here/absorb.v; synth_ecp5 -top absorbed -nowidelut -json $work/before.json" || exit 2
build/fpga/timing/absorb $work/before.json > $work/absorbed.json 2> $work/report || exit 2
build/fpga/timing/replicate -n 4 $work/absorbed.json > $work/after.json 2> $work/copies || exit 2
for when in before after; do
    $here/simulated.sh $work/$when.json absorbed netlist_$when > $work/$when.v || exit 2
done
yosys -q -p "read_verilog -lib +/ecp5/cells_bb.v; read_verilog $here/pins.v
    synth_ecp5 -top pins -json $work/pins.json" &&
    build/fpga/timing/replicate -n 4 $work/pins.json > $work/pins.after.json 2> $work/pins.copies || exit 2

echo 1..5
verdict() { # NAME CONDITION...
    number=$((${number:-0} + 1))
    if "${@:2}"; then echo "ok $number - $1"; else echo "not ok $number - $1"; failed=1; fi
}
verdict "moves the registers of 3 ports of block RAM, of a product and of its operands: $(cat $work/report)" \
    grep -q 'registers of 3 block RAM ports, 1 products, 2 operands;' $work/report
verdict "leaves 18 registers with a reset, 18 read elsewhere and 36 of the product" \
    [ "$(grep -o '"type":"TRELLIS_FF"' $work/absorbed.json | wc -l)" = 110 ]
verdict "copies the drivers of what more than 4 read: $(cat $work/copies)" [ "$(grep -o '[0-9]*' $work/copies)" -gt 8 ]
verdict "pins share the reset that they had, of which others read copies: $(cat $work/pins.copies)" \
    [ "$(grep -o '"RST":\[[0-9]*\]' $work/pins.after.json | sort | uniq -c | awk '{ print $1 }') $(grep -o '[0-9]*' \
        $work/pins.copies)" = "6 1" ]
rm -rf $work/sim
verilator --binary -Wno-lint -Wno-fatal --top-module absorb_tb --Mdir $work/sim $work/before.v $work/after.v \
    $here/absorb_tb.v > $work/log 2>&1 || { cat $work/log; exit 2; }
verdict "5,000 cycles alike" [ "$($work/sim/Vabsorb_tb | head -1)" = "wrong 0" ]
exit "${failed:-0}"
