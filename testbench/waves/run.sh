#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Waves of both simulators, and the viewers' files for them; prints TAP. fst_value reads Verilator's FST, GTKWave GHDL's
# GHW, if installed, with xvfb-run for its window.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernel=kernels/apps/vecadd.sass
machine=gpu_flat.gpu_clocked.gpu_flat.u_gpu
sm="$machine.multiprocessor(0).u_sm"
number=0 failed=0
verdict() { # NAME OK LOG
    number=$((number + 1))
    [ "$2" = yes ] && { echo "ok $number - $1"; return; }
    echo "not ok $number - $1"
    head -n 20 "$3" | sed 's/^/# /'
    failed=1
}
skip() { # NAME WHY
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}
values() { build/testbench/waves/fst_value "$1"; } # FILE, of "TIME NAME" lines
lockstep() { build/bin/warp-lockstep "$kernel" "$@" > "$work/out" 2> "$work/err"; }

# The port for records holds each record of the trace, as SLOT PC in binary, in its cycle. A cycle has 10 ns.
records_at() { # NAME FILE.fst TRACE PICOSECONDS_BEFORE
    awk -v before="$4" -v sm="$sm" '
        function binary(n, bits,   s) { for (; bits > 0; bits--) { s = n % 2 s; n = int(n / 2) } return s }
        function hex(s,   i, n) {
            for (i = 1; i <= length(s); i++) n = 16 * n + index("0123456789abcdef", substr(s, i, 1)) - 1
            return n
        }
        /^[0-9]+ sm0 slot/ {
            sub(/slot/, "", $3)
            sub(/:/, "", $6)
            for (half = 0; half < 2; half++) {
                time = sprintf("%.0f", before + $1 * 10000 + half * 9999)
                print "1", time, sm ".u_writeback.retire_o.last"
                print binary($3, 8), time, sm ".u_writeback.retire_o.slot"
                print binary(hex($6), 24), time, sm ".u_writeback.retire_o.pc"
                print binary(hex($6), 24), time, sm ".u_writeback.beat.insn.pc"
            }
        }' "$3" > "$work/wanted"
    cut -d ' ' -f 2- "$work/wanted" | values "$2" | paste -d ' ' - "$work/wanted" > "$work/both"
    awk '$1 != $2 { print "found", $0 } END { if (NR < 100) print NR, "values compared" }' "$work/both" > "$work/differ"
    [ -s "$work/differ" ] && verdict "$1" no "$work/differ" || verdict "$1" yes
}

lockstep --wave "$work/v.fst" --trace "$work/v.txt"
records_at "verilator: records by field, at their cycles" "$work/v.fst" "$work/v.txt" 0
lockstep --relaunch --wave "$work/again.fst" --trace "$work/again.txt"
records_at "verilator: a second launch begins at 1 s" "$work/again.fst" "$work/again.txt" 1000000000000

build/testbench/waves/fst_value "$work/v.fst" --names > "$work/names"
shows=yes
for lane in 0 7; do grep -qxF "$sm.u_execute.lane($lane).u_lane.u_alu.src_a_i" "$work/names" || shows=no; done
! grep -q 'lane(8)\|lane_n[0-9]' "$work/names" || shows=no
verdict "verilator: lanes count from 0" $shows "$work/names"
shows=yes
grep -q '^enum .* SRC_ZERO .*SRC_SHARED ' "$work/names" || shows=no
grep -qxF "$sm.stages[12].insn.control.src_a_from" "$work/names" || shows=no
verdict "verilator: names of enumerations" $shows "$work/names"

# An interrupted run leaves waves, and prints how to view them.
lockstep --max-cycles 100
file=$(sed -n 's/^  waves: \(.*\), cycles 1 to 100$/\1/p' "$work/err")
shows=yes
for line in "  look: gtkwave ${file%.fst}.gtkw" "    or: surfer $file -c ${file%.fst}.sucl"; do
    grep -qxF -- "$line" "$work/err" || shows=no
done
verdict "the report says how to look" $shows "$work/err"
mv "${file%.fst}".{fst,gtkw,sucl,pc.txt} "$work"
base=$work/$(basename "$file" .fst)
shows=yes
grep -qE '^\*-[0-9.]+ 1000000$' "$base.gtkw" && grep -qx 'cursor_set 1000000' "$base.sucl" || shows=no
verdict "the cursor is on the cycle" $shows "$base.gtkw"
for kind in gtkw sucl; do
    sed -nE -e 's/^\+\{[^}]*\} //p' -e 's/^variable_add //p' "$base.$kind" | sed -E 's/\[[0-9]+:0\]$//; s/^/1000000 /' \
        > "$work/asked"
    values "$base.fst" < "$work/asked" | paste -d ' ' - "$work/asked" | grep -E '^(none)? ' > "$work/missing"
    shows=yes
    [ ! -s "$work/missing" ] && [ "$(wc -l < "$work/asked")" -ge 80 ] || shows=no
    verdict "each name of .$kind is in the waves" $shows "$work/missing"
done

# GTKWave shows everything in its file, the instruction of a pc, and the same values from both simulators.
show() { # FILE: lines LABEL = VALUE
    cat > "$work/show.tcl" << 'TCL'
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
    puts "TRACE [gtkwave::getTraceNameFromIndex $i] = [gtkwave::getTraceValueAtMarkerFromIndex $i]"
}
gtkwave::/File/Quit
TCL
    timeout 120 xvfb-run -a gtkwave -S "$work/show.tcl" "$1.gtkw" 2>&1 | sed -n 's/^TRACE //p' > "$1.shown"
}
if command -v gtkwave > "$work/which" && command -v xvfb-run > "$work/which"; then
    lockstep --sim ghdl --wave "$work/g.ghw"
    for name in v g; do
        show "$work/$name"
        shows=yes
        [ "$(wc -l < "$work/$name.shown")" -eq "$(grep -c '^@' "$work/$name.gtkw")" ] || shows=no
        grep -qx 'W = GST.U32 global14 \[R1\], R2' "$work/$name.shown" || shows=no
        verdict "gtkwave shows $(basename "$work/$name".[fg][sh][tw])" $shows "$work/$name.shown"
    done
    shows=yes
    diff <(grep '^[A-Z][0-9]* ' "$work/v.shown" | grep -w 'valid\|pc') \
        <(grep '^[A-Z][0-9]* ' "$work/g.shown" | grep -w 'valid\|pc') > "$work/diff" || shows=no
    verdict "both simulators show the same" $shows "$work/diff"
else
    for name in v.fst g.ghw; do skip "gtkwave shows $name" "gtkwave or xvfb-run is not installed"; done
    skip "both simulators show the same" "gtkwave or xvfb-run is not installed"
fi
echo "1..$number"
exit $failed
