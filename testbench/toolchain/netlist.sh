#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What yosys makes of a Verilog of the RTL must be a netlist that a board can use: no latch, and flattened no loop
# through logic, both of which a router times wrongly or refuses. Exits 1 and names what it found. Nothing is
# optimised, and before it is flattened the cells lose the lines of their source, which take half of the time to copy: a
# loop is reported by the names of its cells alone.
#
#     testbench/toolchain/netlist.sh FILE.v TOP
set -u
yosys -q -p "read_verilog $1; hierarchy -check -top $2; proc -noopt;
    select -assert-none t:\$dlatch t:\$adlatch t:\$sr t:\$dlatchsr; attrmap -remove src; flatten; check -assert"
