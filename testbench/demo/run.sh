#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The demo (`make demo` builds its prerequisites): one kernel through every tool. Assembles and disassembles the edge
# detector, runs it on a picture with RTL and model in lockstep, writes both pictures, and counts the cycles of another
# picture on machines of 8, 16 and 32 cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=build/demo
bin=build/bin
host=build/golden/host
width=128 height=128
edges_at=0x8000
mkdir -p $work

field() { sed -n "s/.*\"$1\": *\([0-9.]*\).*/\1/p" "$2" | head -n 1; }
thousands() { sed -e ':a' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/;ta' <<< "$1"; }
lockstep() { # JSON FLAGS...: a run in lockstep, with its results in a file; printed only if it fails
    local json=$1
    shift
    $bin/warp-lockstep "$@" --json > "$json" 2> "$json.report" || { cat "$json.report" "$json"; exit 1; }
}

echo "1. kernels/apps/edge.sass -> warp-as -> edge.elf -> warp-dis"
$bin/warp-as kernels/apps/edge.sass -o $work/edge.elf
$bin/warp-dis $work/edge.elf | grep '/\*[0-9a-f]\{4\}\*/' | sed -n '1,4p;29,33p' | sed 's/^[ \t]*/   /; s/\t/ /g'
echo

warps=$((width * height / 32))
echo "2. a picture of $width x $height pixels, $warps warps: RTL (Verilator, 8 cores) and model in lockstep"
$host/draw_picture $width $height > $work/input.grey
$host/edge $width $height < $work/input.grey > $work/expected.grey
begin=$EPOCHREALTIME
lockstep $work/run.json $work/edge.elf --sim verilator --cores 8 --grid $((width / 16)),$((height / 16)) \
    --param 0,$edges_at,$width,$height --global 0=@$work/input.grey --expect $edges_at=@$work/expected.grey \
    --dump $edges_at:$((width * height))=$work/output.grey
micros=$((${EPOCHREALTIME/./} - ${begin/./}))
build/testbench/demo/grey_png $width $height 4 < $work/input.grey > $work/input.png
build/testbench/demo/grey_png $width $height 4 < $work/output.grey > $work/output.png
cycles=$(field cycles $work/run.json)
compared=$(thousands "$(field compared $work/run.json)")
ipc=$(printf %.3f "$(field ipc $work/run.json)")
cat << END
   instructions compared    $compared  (all lanes, flags, addresses: no difference)
   cycles                   $(thousands "$cycles")
   instructions per cycle   $ipc  (8 cores take 4 cycles a warp: 0.25 is the most)
   cycles per wall second   $(thousands $((cycles * 1000000 / micros)))
   pictures                 $work/input.png  $work/output.png
END
echo

# The same in OpenCL C, if clang is installed.
echo "3. kernels/c/edge.cl -> warp-cc -> edge.img, the same picture in lockstep"
if $bin/warp-cc kernels/c/edge.cl -o $work/edge.img 2> $work/cc.txt; then
    $bin/warp-cc kernels/c/edge.cl -S | grep 'edge.cl:1[34]$' | tail -n 4 | sed 's/^ */   /'
    lockstep $work/c.json $work/edge.img --sim verilator --cores 8 --grid $((width / 16)),$((height / 16)) \
        --block 16,16 --arg $work/input.grey --arg zero:$((width * height)),out=$work/c.grey --arg $width --arg $height
    cmp $work/c.grey $work/expected.grey
    build/testbench/demo/grey_png $width $height 4 < $work/c.grey > $work/c.png
    cat << END
   instructions compared    $(thousands "$(field compared $work/c.json)")
   cycles                   $(thousands "$(field cycles $work/c.json)"), by hand $(thousands "$cycles")
   picture                  $work/c.png
END
elif grep -q 'clang not found' $work/cc.txt; then
    sed 's/.*error: /   left out: /' $work/cc.txt
else
    cat $work/cc.txt
    exit 1
fi
echo

# Random kernels reach instructions, flags and divergences that the edge detector does not use.
echo "4. random kernels drawn from the instruction table, the same way"
kernels=30
$bin/warp-fuzz --seed 1 --count $kernels --cores 8 --out $work > $work/fuzz.txt || { cat $work/fuzz.txt; exit 1; }
compared=$(sed -n 's/.*kernels, \([0-9]*\) warp instructions compared.*/\1/p' $work/fuzz.txt)
echo "   instructions compared    $(thousands $compared), in $kernels kernels"
echo

# A colour picture: grey first, one block. Small enough for GHDL, which needs no build for each number of cores.
$host/noise 192 14 > $work/colours
$host/edge-rgb edges 16 16 < $work/colours > $work/colour-edges
cycles_of() { # THREADS CORES SIMULATOR
    lockstep "$work/colour-$1-$2.json" kernels/apps/edge-rgb.sass --sim "$3" --cores "$2" --block "$1" \
        --param 0,0x1000,0x2000,16,16 --global 0=@$work/colours --expect 0x2000=@$work/colour-edges
    thousands "$(field cycles "$work/colour-$1-$2.json")"
}
echo "5. edges in a colour picture of 16 x 16 pixels, one block, clock cycles"
row() { printf '   %-24s %10s %10s %10s\n' "$@"; }
row "" "8 cores" "16 cores" "32 cores"
for threads in 256 64; do
    # Each in its own assignment, so that a failing run ends the demo.
    on8=$(cycles_of $threads 8 verilator)
    on16=$(cycles_of $threads 16 ghdl)
    on32=$(cycles_of $threads 32 ghdl)
    row "$threads threads" "$on8" "$on16" "$on32"
done
