#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A netlist of ECP5 cells (yosys' JSON) as Verilog that a simulator takes: the cells replaced by what they do, by
# yosys' models and cells.v. Constants that are unknown, as inputs that nothing uses, are 0.
#
#     fpga/timing/simulated.sh NETLIST.json TOP NAME > FILE.v      NAME: what the module is called there
set -eu
netlist=$1 top=$2 name=$3
yosys -q -p "read_json $netlist; delete =A:blackbox
    read_verilog -nooverwrite -DNO_INCLUDES $(dirname "$0")/cells.v +/ecp5/cells_sim.v
    hierarchy -check -top $top; proc; memory_collect; flatten; setundef -zero; opt_clean -purge; rename $top $name
    write_verilog -noattr -norename" 2> >(grep -v 'limited support for tri-state' >&2)
