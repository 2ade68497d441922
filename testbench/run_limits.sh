#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Behaviour at the limits of a run that must be equal in both simulators; prints TAP. --max-cycles stops both in exactly
# that cycle, with equally many compared instructions. A trap is reported with the cycle of its record, not with the
# cycle in which the host noticed it. A GHDL that is missing, or not built, is bad usage (exit 2), not a mismatch.
set -u
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failed=0
verdict() { # NAME OK
    number=$((number + 1))
    [ "$2" = yes ] && { echo "ok $number - $1"; return; }
    echo "not ok $number - $1"
    sed 's/^/# /' "$work"/*.err
    failed=1
}
field() { sed -n "s/.*\"$1\": *\"*\([a-z0-9]*\).*/\1/p" "$2" | head -n 1; }

limits=(1 40 100 151 500)
for limit in "${limits[@]}"; do
    for sim in verilator ghdl; do
        build/bin/warp-lockstep kernels/apps/reduce.sass --sim $sim --max-cycles "$limit" --no-wave --json \
            > "$work/$sim.json" 2> "$work/$sim.err"
        echo $? > "$work/$sim.code"
    done
    same=yes
    for key in status compared cycles warp_instructions; do
        [ "$(field $key "$work/verilator.json")" = "$(field $key "$work/ghdl.json")" ] || same=no
    done
    [ "$(field cycles "$work/ghdl.json")" = "$limit" ] || same=no
    [ "$(cat "$work/verilator.code" "$work/ghdl.code" | sort -u)" = 3 ] || same=no
    verdict "--max-cycles $limit" $same
done

for sim in verilator ghdl; do
    build/bin/warp-lockstep kernels/traps/global-range.sass --sim $sim --no-wave --trace "$work/$sim.txt" \
        > "$work/out" 2> "$work/$sim.err"
    cycle=$(tail -n 1 "$work/$sim.txt" | cut -d ' ' -f 1) told=no
    grep -qE "^  simulation $sim, cycle $cycle, [0-9]+ warp instructions agreed\$" "$work/$sim.err" && told=yes
    verdict "$sim: the cycle of a trap" $told
done

# Exit 2 with this text, from a copy of the simulation without the rest of GHDL's files.
refused() { # NAME TEXT ENVIRONMENT...
    local name=$1 text=$2 ok=no
    shift 2
    env "$@" "$PWD/build/bin/warp-lockstep" kernels/apps/vecadd.sass --sim ghdl > "$work/out" 2> "$work/refused.err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q "error: .*$text" "$work/refused.err" && ok=yes
    verdict "$name" $ok
}
cp build/sim/libsim-ghdl.so "$work"
refused "GHDL library without the design" "work-obj08.cf (run 'make build/sim/ghdl/built')" WARPSTEP_SIM_DIR="$work"
mkdir "$work/ghdl" && touch "$work/ghdl/work-obj08.cf"
refused "no ghdl" "cannot run ghdl" WARPSTEP_SIM_DIR="$work" PATH="$work"
echo "1..$number"
exit $failed
