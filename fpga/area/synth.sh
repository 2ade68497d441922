#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Synthesises the machine for an ECP5, from ghdl's Verilog.
#
#     fpga/area/synth.sh entities FILE.v OUT    OUT.stat: each entity by itself, with the memories it owns
#     fpga/area/synth.sh whole FILE.v OUT       OUT.stat: all as one netlist, without unused logic;
#                                                    OUT.blif: that netlist
#     fpga/area/synth.sh unit FILE.v OUT TOP    OUT.stat: the module TOP as one netlist
#
# The second fails if a memory or a product became something else than block RAM or DSP. (A $macc is no product: DSPs
# are mapped before sums are merged.) None has LUTs of five inputs or more, which consist of two or more LUT4 (except
# those of wide_mux.v, which instantiates its multiplexers), nor memories of LUTs: one of 32 words would take two of
# them and a multiplexer. LUTs are mapped for number, by area.abc: four times, each from the previous netlist.
set -eu
what=$1 verilog=$2 out=$3
top=${4:-gpu_area}
# A wider register is a memory that was not recognised: the widest record of the pipeline has some 700 bits, beside a
# word for each lane.
cores=$(sed -n 's/^module mux_word_\([0-9]*\).*/\1/p' "$verilog")
most_bits=$((768 + 32 * cores))
# A larger table of constants is a ROM that belongs into block RAM.
most_words=32

timing=$(dirname "$0")/../timing
build/sim/netlist/netlist "$verilog" wide_mux > "$out.wide.v"

# ghdl's generated nets do not name registers.
read="scratchpad -set abc.script $(dirname "$0")/area.abc
    read_verilog $out.wide.v $timing/wide_mux.v; hierarchy -top $top; rename -hide */w:n*_o */w:n*_q */w:n*_data"
map="synth_ecp5 -top $top -nowidelut -nolutram"

if [ "$what" = entities ]; then
    yosys -q -l "$out.log" -p "$read
        setattr -mod -set keep_hierarchy 1 *
        setattr -mod -unset keep_hierarchy ram_1r1w* *wide_mux* $top
        $map -run begin:check
        tee -o $out.stat.tmp stat" > /dev/null
elif [ "$what" = unit ]; then
    yosys -q -l "$out.log" -p "$read
        $map -run begin:check
        tee -o $out.stat.tmp stat" > /dev/null
else
    yosys -q -l "$out.log" -p "$read
        $map -run begin:map_ram
        tee -o $out.products select -list t:\$mul t:\$__soft_mul
        $map -run map_ram:map_ffram
        tee -o $out.memories select -list t:\$mem* r:WR_PORTS>0 r:SIZE>$most_words %u %i
        tee -o $out.registers select -list t:\$*dff* r:WIDTH>=$most_bits %i
        $map -run map_ffram:check
        tee -o $out.stat.tmp stat
        write_blif -gates $out.blif" > /dev/null
    for kind in products memories registers; do
        if [ -s "$out.$kind" ]; then
            echo "$out.$kind: in neither block RAM nor DSP:" >&2
            cat "$out.$kind" >&2
            exit 1
        fi
    done
fi
rm "$out.wide.v"
mv "$out.stat.tmp" "$out.stat"
