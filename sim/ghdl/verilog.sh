#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The RTL as Verilog: what `ghdl --synth` writes, in one form for all versions of it, made safe, and its products small
# by passes of sim/netlist. Whoever simulates, proves, mutates, measures or builds the machine from Verilog has it from
# here, so that all of them read the same.
#
#     sim/ghdl/verilog.sh [-p PASS] GHDL [OPTION ...] FILE.vhd ... -e ENTITY > FILE.v      -p: one pass more
set -eu -o pipefail
pass=()
[ "$1" != -p ] || { pass=("$2"); shift 2; }
"$1" --synth --std=08 --out=verilog "${@:2}" |
    "$(dirname "$0")/../../build/sim/netlist/netlist" - form bits complete products "${pass[@]}"
