#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Asks the installed tools whether each rule of docs/toolchain.md is still needed. A probe is one entity with the
# architecture `avoid` (what the rule forbids) and mostly `instead` (what it asks for); its head says what is known of
# each:
#
#     agrees      GHDL's simulation and the Verilog of ghdl --synth, in Verilator, print the same numbers
#     differs     they do not                        wrong       they do, but not those of `instead`
#     rejected    GHDL does not analyse it           refused     ghdl --synth says that it cannot
#     crash       ghdl --synth breaks down           unparsable  Verilator does not read the Verilog
#
# Prints TAP. A test fails when a tool behaves otherwise than known: the rule may go, or there is a new one to make.
#
#     testbench/toolchain/run.sh [NAME ...]       all probes, or those
set -u
cd "$(dirname "$0")/../.." || exit 2
here=testbench/toolchain
work=build/toolchain
ghdl=${GHDL:-$(command -v ghdl-mcode || command -v ghdl-llvm || command -v ghdl)}
known_of() { sed -n "s/^-- $2: *//p" "$here/$1.vhd"; }

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

# Simulates, synthesises and parses one case in its directory. Writes the verdict, or nothing where only running the
# Verilog can tell.
try_case() {
    # The other architecture is left out, so that a default binding finds this one.
    awk -v keep="${1##*__}" '/^architecture /{ drop = $2 != keep } !drop; /^end architecture /{ drop = 0 }' \
        "$here/${1%__*}.vhd" > "$work/$1/probe.vhd"
    cp "$here/probe_tb.vhd" "$work/$1" && cd "$work/$1" || return 2
    "$ghdl" -a --std=08 probe.vhd || { echo rejected > verdict; return; }
    "$ghdl" -a --std=08 probe_tb.vhd && "$ghdl" -e --std=08 probe_tb && "$ghdl" -r --std=08 probe_tb > simulated \
        || { echo "does not simulate" > verdict; return; }
    "$ghdl" --synth --std=08 --no-assert-cover --out=verilog probe > probe.v 2> synth.err
    local status=$?
    cat synth.err
    if grep -qi 'bug occurred\|raised\|exception' synth.err || [ $status -gt 2 ]; then
        echo crash > verdict
    elif [ $status -ne 0 ]; then
        echo refused > verdict
    elif ! verilator --lint-only -Wno-fatal probe.v; then
        echo unparsable > verdict
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

# All Verilog that can be read goes into one model, whose rows have a column for each case.
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

# Lines of two outputs agree; those that the simulation left undefined say nothing, but most must be defined.
same() {
    paste "$1" "$2" | awk '$1 ~ /[^0-9A-F]/ { next } { seen++; if ($1 != $2) differs = 1 }
        END { exit seen < 2048 || differs }'
}
for i in "${!runnable[@]}"; do
    case=${runnable[$i]}
    cut -c$((i * 2 + 1))-$((i * 2 + 2)) $work/verilog.out > "$work/$case/verilog"
    other=$work/${case%__*}__instead/simulated
    if ! same "$work/$case/simulated" "$work/$case/verilog"; then
        echo differs
    elif [ -e "$other" ] && ! same "$work/$case/simulated" "$other"; then
        echo wrong
    else
        echo agrees
    fi > "$work/$case/verdict"
done

failed=0
echo "1..${#cases[@]}"
for i in "${!cases[@]}"; do
    probe=${cases[$i]%__*} variant=${cases[$i]##*__}
    known=$(known_of "$probe" "$variant") found=$(< "$work/${cases[$i]}/verdict")
    if [ "$found" = "$known" ]; then
        echo "ok $((i + 1)) - $probe, $variant: $known"
        continue
    fi
    failed=1
    echo "not ok $((i + 1)) - $probe, $variant: known was '$known', found is '$found'"
    echo "# rule: $(known_of "$probe" rule); see $work/${cases[$i]}/log, repeat: $here/run.sh $probe"
    [ "$variant.$found" = avoid.agrees ] && echo "# with these tools the rule may go"
done
exit $failed
