#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The RTL as Verilog: what `ghdl --synth` writes, in one form for all versions of it, made safe, and its products small
# by passes of sim/netlist. Simulations, proofs, mutants, measurements and boards all take it from here. ghdl runs with
# in_place.c: without it, ghdl can lose assignments.
#
#     sim/ghdl/verilog.sh [-p PASS] GHDL [OPTION ...] FILE.vhd ... -e ENTITY > FILE.v      -p: one pass more
set -eu -o pipefail
pass=()
[ "$1" != -p ] || { pass=("$2"); shift 2; }
built=$(realpath "$(dirname "$0")/../../build/sim")
[ -e "$built/libghdl-in-place.so" ] || { echo "$0: make build/sim/libghdl-in-place.so first" >&2; exit 2; }
LD_PRELOAD=$built/libghdl-in-place.so "$1" --synth --std=08 --out=verilog "${@:2}" |
    "$built/netlist/netlist" - form bits complete products "${pass[@]}"
