#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Synthesises the machine for speed, from ghdl's Verilog, to a netlist of ECP5 cells for nextpnr. Registers keep their
# line of the VHDL.
#
#     fpga/timing/synth.sh [-e] FILE.v TOP OUT [AROUND.v MODULE]
#                                                        OUT.netlist.json, OUT.stat (cells by kind), OUT.log
#
# With AROUND.v, TOP is in that file, and instantiates FILE.v's MODULE by the same name. -e maps each entity separately
# and flattens afterwards, which takes half the time: logic between registers is then named after its entity, but
# constants and unread ports are not propagated through it, so there are more levels.
#
# shift_factor.vhd is mapped separately in either case. The mapper saves LUTs on every path with fewer levels than the
# longest; the shifter looks short to it, but a long wire and a multiplier follow.
#
# LUTs are mapped for depth (speed.abc), which takes 8 % more area than `make area` and half its levels. There are no
# LUTs of five inputs or more, which consist of two LUT4 and a multiplexer; wide_mux.v instantiates these.
set -eu
how=""
[ "$1" != -e ] || { how=-noflatten; shift; }
verilog=$1 top=$2 out=$3 around=${4-} module=${5-$2} here=$(dirname "$0")
netlist=build/sim/netlist/netlist
$netlist "$verilog" columns wide_mux lines > "$out.lines.v"
$netlist "$verilog" "memories:$module:${5+$module.}" > "$out.memories.ys"
# ghdl's generated nets do not name registers. A register's source is its own line, without those of the instances
# around it.
yosys -q -l "$out.log" -p "scratchpad -set abc.script $here/speed.abc
    read_verilog $out.lines.v $here/ram_columns.v $here/wide_mux.v $around; hierarchy -top $top
    rename -hide */w:n*_o */w:n*_q */w:n*_data
    setattr -mod -set keep_hierarchy 1 shift_factor*
    proc; setattr -unset src */t:* */t:\$* %d
    synth_ecp5 -top $top -nowidelut $how
    setattr -mod -unset keep_hierarchy shift_factor*
    flatten; opt_clean
    cd $top; script $out.memories.ys; cd
    write_json $out.yosys.json" > /dev/null
build/fpga/timing/absorb "$out.yosys.json" > "$out.absorbed.json"
build/fpga/timing/replicate "$out.absorbed.json" > "$out.netlist.json"
grep -o '"type":"[A-Z0-9_]*"' "$out.netlist.json" | cut -d '"' -f 4 | sort | uniq -c |
    awk '{ print $2, $1 }' > "$out.stat"
rm "$out.yosys.json" "$out.absorbed.json" "$out.lines.v" "$out.memories.ys"
