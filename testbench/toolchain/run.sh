#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests with the installed tools whether each rule of docs/evidence/toolchain.md is still needed. A probe is one entity
# with the architecture `avoid` (which the rule forbids) and usually `instead` (which it requires); its head lists the
# known verdict of each:
#
#     agrees      GHDL's simulation and the Verilog of ghdl --synth, in Verilator, print the same numbers
#     differs     they do not                        wrong       they do, but differ from `instead`
#     rejected    GHDL does not analyse it           refused     ghdl --synth reports an error
#     crash       GHDL crashes                       unparsable  Verilator does not read the Verilog
#     larger      right, but the Verilog is more than twice that of `instead`
#     renamed     the ports of the entity named in `-- top:` have other names in its Verilog
#
# A head has the verdict of ghdl 2, and those of ghdl 5 that differ: see known.sh. Prints TAP. A test fails if a tool
# behaves differently: the rule may go, or a new one is needed. A ghdl of another version may have either verdict, or be
# right. Rules that this ghdl does not need are reported; they stay while another version needs them.
#
#     testbench/toolchain/run.sh [NAME ...]       all probes, or those
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD here=testbench/toolchain
work=build/toolchain
. $here/known.sh
head_of() { sed -n "s/^-- $2: *//p" "$here/$1.vhd"; }

if [ $# -gt 0 ]; then
    probes=("$@")
else
    mapfile -t probes < <(cd $here && ls -- *.vhd | grep -v '^probe_tb' | sed 's/\.vhd$//')
fi
cases=()
for probe in "${probes[@]}"; do
    for variant in avoid instead; do
        [ -n "$(known_of "$probe" $variant)" ] && cases+=("${probe}__$variant")
    done
done

breaks_down() { grep -qi 'bug occurred\|raised\|exception' "$1"; }

# Each port of the VHDL entity is one of the Verilog module's.
keeps_ports() { # ENTITY
    "$ghdl" --synth --std=08 --out=verilog "$1" > top.v || return
    local port ports
    mapfile -t ports < <("$root/build/sim/netlist/vhdl_tool" ports probe.vhd | grep -P "^[^\t]*\t$1\t" | cut -f 3)
    [ ${#ports[@]} -gt 0 ] || return
    for port in "${ports[@]}"; do grep -q "^ .*[ (]\(input\|output\) .*\<$port[,)]" top.v || return; done
}

# Simulates, synthesises and parses one case in its directory. Writes the verdict, or nothing if it depends on running
# the Verilog.
try_case() {
    local probe=${1%__*} variant=${1##*__} top other=
    top=$(head_of "$probe" top)
    # The other architecture is omitted, so that a default binding finds this one.
    [ "$variant" = avoid ] && other=instead
    sed "/^architecture ${other:-avoid} /,/^end architecture/d" "$here/$probe.vhd" > "$work/$1/probe.vhd"
    cp "$here/probe_tb.vhd" "$work/$1" && cd "$work/$1" || return 2
    if ! "$ghdl" -a --std=08 probe.vhd > analysis 2>&1; then
        cat analysis
        if breaks_down analysis; then echo crash; else echo rejected; fi > verdict
        return
    fi
    if ! { "$ghdl" -a --std=08 probe_tb.vhd && "$ghdl" -e --std=08 probe_tb && "$ghdl" -r --std=08 probe_tb \
        > simulated; } 2> simulation; then
        cat simulation
        if breaks_down simulation; then echo crash; else echo "does not simulate"; fi > verdict
        return
    fi
    "$ghdl" --synth --std=08 --no-assert-cover --out=verilog probe > probe.v 2> synth.err
    local status=$?
    cat synth.err
    if breaks_down synth.err || [ $status -gt 2 ]; then
        echo crash > verdict
    elif [ $status -ne 0 ]; then
        echo refused > verdict
    elif ! verilator --lint-only -Wno-fatal probe.v; then
        echo unparsable > verdict
    elif [ "$variant" = avoid ] && [ -n "$top" ] && ! keeps_ports "$top"; then
        echo renamed > verdict
    else
        sed "s/^module probe\$/module $1/" probe.v
        sed "s/^module probe\$/module $1/" probe.v > renamed.v
    fi
}

rm -rf $work
for case in "${cases[@]}"; do
    mkdir -p "$work/$case"
    (try_case "$case") > "$work/$case/log" 2>&1
done

# All readable Verilog goes into one model, whose rows have a column for each case.
runnable=()
for case in "${cases[@]}"; do [ -e "$work/$case/verdict" ] || runnable+=("$case"); done
{
    width=$((${#runnable[@]} * 8))
    echo "module probes(input clk, input [7:0] a, input [7:0] b, output [$((width - 1)):0] y);"
    for i in "${!runnable[@]}"; do
        echo "${runnable[$i]} u$i(.clk(clk), .a(a), .b(b), .y(y[$((width - 8 - i * 8)) +: 8]));"
    done
    echo endmodule
} > $work/probes.v
(
    cd $work &&
        verilator --cc --build --exe -Wno-fatal -Wno-lint -O1 --prefix Vprobes --top-module probes -CFLAGS -O0 \
            probes.v "${runnable[@]/%//renamed.v}" "../../$here/probe_main.cpp" -o probes &&
        obj_dir/probes ${#runnable[@]} > verilog.out
) > $work/log 2>&1 || { echo "Bail out! the probes' Verilog does not build, see $work/log"; exit 1; }

# Lines of two outputs agree; lines that are undefined in the simulation do not count, but most must be defined.
same() {
    paste "$1" "$2" | awk '$1 ~ /[^0-9A-F]/ { next } { seen++; if ($1 != $2) differs = 1 }
        END { exit seen < 2048 || differs }'
}
is_larger() { # CASE
    local other=$work/${1%__*}__instead/probe.v
    [ -e "$other" ] && [ "$(wc -c < "$work/$1/probe.v")" -gt $((2 * $(wc -c < "$other"))) ]
}
for i in "${!runnable[@]}"; do
    case=${runnable[$i]}
    cut -c$((i * 2 + 1))-$((i * 2 + 2)) $work/verilog.out > "$work/$case/verilog"
    other=$work/${case%__*}__instead/simulated
    if ! same "$work/$case/simulated" "$work/$case/verilog"; then
        echo differs
    elif [ -e "$other" ] && ! same "$work/$case/simulated" "$other"; then
        echo wrong
    elif is_larger "$case"; then
        echo larger
    else
        echo agrees
    fi > "$work/$case/verdict"
done

# True if the verdict is the known one, or if this version of ghdl was not tried and another version has this verdict.
as_known() { # PROBE VARIANT FOUND
    [ "$3" = "$(known_of "$1" "$2")" ] && return
    ! is_tried && { [ "$3" = agrees ] || verdicts_of "$1" "$2" | grep -qx "[0-9]* $3"; }
}
failed=0 needless=()
echo "1..${#cases[@]}"
for i in "${!cases[@]}"; do
    probe=${cases[$i]%__*} variant=${cases[$i]##*__}
    found=$(< "$work/${cases[$i]}/verdict")
    [ "$variant.$found" = avoid.agrees ] && needless+=("$probe")
    if as_known "$probe" "$variant" "$found"; then
        echo "ok $((i + 1)) - $probe, $variant: $found"
        continue
    fi
    failed=1
    echo "not ok $((i + 1)) - $probe, $variant: known was '$(known_of "$probe" "$variant")', found is '$found'"
    echo "# rule: $(head_of "$probe" rule); see $work/${cases[$i]}/log, repeat: $here/run.sh $probe"
done
[ ${#needless[@]} -eq 0 ] || echo "# ghdl $ghdl_version does not need the rules of ${needless[*]}"
exit $failed
