#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Turns a netlist of ECP5 cells (yosys' JSON) into Verilog for a simulator: yosys' models and cells.v replace the cells.
# Unknown constants, such as unused inputs, become 0.
#
#     fpga/timing/simulated.sh NETLIST.json TOP NAME > FILE.v      NAME: name of the module there
set -eu
netlist=$1 top=$2 name=$3
yosys -q -p "read_json $netlist; delete =A:blackbox
    read_verilog -nooverwrite -DNO_INCLUDES $(dirname "$0")/cells.v +/ecp5/cells_sim.v
    hierarchy -check -top $top; proc; memory_collect; flatten; setundef -zero; opt_clean -purge; rename $top $name
    write_verilog -noattr -norename" 2> >(grep -v 'limited support for tri-state' >&2)
