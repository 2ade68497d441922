#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What yosys makes of a Verilog of the RTL must be a netlist that a board can use: no latch, and flattened no loop
# through logic, both of which a router times wrongly or refuses. Exits 1 and names what it found.
#
#     testbench/toolchain/netlist.sh FILE.v TOP
set -u
yosys -q -p "read_verilog $1; hierarchy -check -top $2; proc;
    select -assert-none t:\$dlatch t:\$adlatch t:\$sr t:\$dlatchsr; opt_clean; flatten; opt_clean; check -assert"
