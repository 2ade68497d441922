#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# refine makes a small design faster and keeps it valid for nextpnr. Prints TAP.
#
#     fpga/timing/refine.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/timing/refine.work
mkdir -p $work
for what in json sdf cells; do awk -v what=$what -f fpga/timing/refine.awk > $work/before.$what || exit 2; done
refine() { build/fpga/timing/refine -r 300 "$@" $work/before.json $work/before.sdf; }
# Cells with enable, reset and place.
places() { grep -o '"NEXTPNR_BEL":"[^"]*"' "$1" | cut -d '"' -f 4 | paste -d ' ' $work/before.cells -; }

echo 1..15
verdict() { # NAME CONDITION...
    number=$((${number:-0} + 1))
    if "${@:2}"; then echo "ok $number - $1"; else echo "not ok $number - $1"; failed=1; fi
}
none() { [ -z "$("$@")" ] || { "$@" | sed 's/^/# /'; return 1; }; }
same_place() { places $work/after.json | cut -d ' ' -f 4 | sort | uniq -d; }
registers() { places $work/after.json | grep -E '^(from|to)'; }
two_enables() { registers | awk '{ sub(/\.FF.$/, "", $4); if ($4 in e && e[$4] != $2) print; e[$4] = $2 }'; }
two_resets() { registers | awk '{ sub(/.SLICE.*/, "", $4); if ($4 in r && r[$4] != $3) print; r[$4] = $3 }'; }
apart() {
    places $work/after.json | awk '$1 ~ /^lut/ { sub(/K/, "FF", $4); at[substr($1, 4)] = $4 }
        $1 ~ /^to/ && at[substr($1, 3)] != $4'
}
broken_chain() {
    places $work/after.json | awk '$1 ~ /^carry/ { split($4, p, /[XY\/.]/)
        n = (p[2] + 128 * p[4]) * 8 + 2 * (index("ABCD", substr(p[5], 6)) - 1) + substr(p[6], 2)
        if (++count > 1 && n != last + 1) print; last = n }'
}
refine > $work/after.json 2> $work/log
verdict "its slowest path becomes shorter: $(tail -1 $work/log)" \
    awk '/expected/ { ok = $2 > 1.3 * $5 } END { exit !ok }' $work/log
verdict "no two cells have one place" none same_place
verdict "registers of a slice have one enable" none two_enables
verdict "registers of a tile have one reset" none two_resets
verdict "a register stays beside the LUT that it reads" none apart
verdict "a carry chain stays in one piece" none broken_chain
torn_multiplexer() {
    places $work/after.json | awk '$1 == "mux0" { first = $4 } $1 == "mux1" { second = $4 } $1 ~ /^from/ { at[$4] = $1 }
        END {
            beside = first; sub(/K0$/, "K1", beside); if (second != beside) print first, second
            sub(/K0$/, "FF0", first); if (first in at) print at[first], "has its input there"
        }'
}
verdict "a multiplexer keeps its LUTs and its pin" none torn_multiplexer
far_away() { places $work/after.json | awk '$1 ~ /^(there|back)$/ { split($4, p, /[XY\/]/); if (p[2] < 15) print }'; }
verdict "what a path goes to and comes back from comes along" none far_away
verdict "a pin stays where it is" grep -q 'pin.*"X0/Y20/PIOA"' $work/after.json
refine > $work/again.json 2> /dev/null
refine -s 7 > $work/other.json 2> /dev/null
one_result() { cmp -s $work/after.json $work/again.json && ! cmp -s $work/after.json $work/other.json; }
verdict "a seed has one result" one_result
# Tiles of wire and of excess wire, from the last line of a run and from a fresh count.
wire() { tail -n 1 "$1" | sed 's/.*before; //'; }
build/fpga/timing/refine -r 0 $work/after.json $work/before.sdf 2> $work/anew.log > /dev/null
verdict "it knows how long its wires are: $(wire $work/log)" [ "$(wire $work/log)" = "$(wire $work/anew.log)" ]
sed 's/"NEXTPNR_BEL":"[^"]*"//' $work/before.json > $work/nowhere.json
verdict "says so where nothing is placed" grep -q 'the design is not placed' \
    <(build/fpga/timing/refine $work/nowhere.json $work/before.sdf 2>&1 > /dev/null)
# The slowest path before, in ns.
slowest() { refine -f 100 "$@" 2>&1 > /dev/null | awk '/round 0:/ { print $4 }'; }
verdict "a path to a clock of 400 MHz has 7.5 ns less than to one of 100: $(slowest) and $(slowest -c clock=400) ns" \
    awk "BEGIN { more = $(slowest -c clock=400) - $(slowest); exit !(more > 7.45 && more < 7.55) }"
verdict "says so where the clock is not there" grep -q "no net 'tick'" <(refine -c tick=200 2>&1 > /dev/null)
refused() {
    local rate
    for rate in "-f 0" "-f fast" "-c clock" "-c clock=" "-c clock=0" "-c clock=200x" "-p 5" "-p x-7"; do
        # shellcheck disable=SC2086
        refine $rate 2>&1 > /dev/null | grep -q '^usage:' || { echo "# $rate"; return 1; }
    done
}
verdict "takes rates and parts only" refused
exit "${failed:-0}"
