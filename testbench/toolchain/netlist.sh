#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks that yosys turns the RTL's Verilog into a netlist that a board can use: no latch, and when flattened no
# combinational loop, both of which a router times wrongly or refuses. Exits 1 and names its findings. Nothing is
# optimised, and before flattening the cells lose their source lines, which take half of the time to copy: a loop is
# reported by the names of its cells alone.
#
#     testbench/toolchain/netlist.sh FILE.v TOP
set -u
yosys -q -p "read_verilog $1; hierarchy -check -top $2; proc -noopt;
    select -assert-none t:\$dlatch t:\$adlatch t:\$sr t:\$dlatchsr; attrmap -remove src; flatten; check -assert"
