#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The RTL as Verilog: the output of `ghdl --synth`, in one form for all versions, made safe, with small products, by
# passes of sim/netlist. All simulations, proofs, mutants, measurements and builds from Verilog use this script, so that
# all of them read the same text.
#
#     sim/ghdl/verilog.sh [-p PASS] GHDL [OPTION ...] FILE.vhd ... -e ENTITY > FILE.v      -p: one more pass
set -eu -o pipefail
pass=()
[ "$1" != -p ] || { pass=("$2"); shift 2; }
"$1" --synth --std=08 --out=verilog "${@:2}" |
    "$(dirname "$0")/../../build/sim/netlist/netlist" - form bits complete products "${pass[@]}"
