#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The RTL as Verilog: the output of `ghdl --synth`, in one form for all versions, made safe, with small products, by
# passes of sim/netlist. All simulations, proofs, mutants, measurements and boards use this script. ghdl runs with
# in_place.c: without it, ghdl can lose assignments.
#
#     sim/ghdl/verilog.sh [-p PASS] GHDL [OPTION ...] FILE.vhd ... -e ENTITY > FILE.v      -p: one more pass
set -eu -o pipefail
pass=()
[ "$1" != -p ] || { pass=("$2"); shift 2; }
# Relative: LD_PRELOAD divides at spaces and colons.
built=$(realpath --relative-to=. "$(dirname "$0")/../../build/sim")
[ -e "$built/libghdl-in-place.so" ] || { echo "$0: make build/sim/libghdl-in-place.so first" >&2; exit 2; }
LD_PRELOAD=./$built/libghdl-in-place.so "$1" --synth --std=08 --out=verilog "${@:2}" |
    "$built/netlist/netlist" - form bits complete products "${pass[@]}"
