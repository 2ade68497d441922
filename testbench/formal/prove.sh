#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Proves one property of one entity, or shows that a planted fault breaks it.
#
#     testbench/formal/prove.sh HARNESS PARAMETERS PROPERTY ENTITY GENERICS SIZES ENGINE [FAULTY_FILE SED_EXPRESSION]
#
# HARNESS.sv is the module HARNESS_proofs (its PARAMETERS as name=value) around ghdl's Verilog of ENTITY (with GENERICS,
# name=value). PROPERTY is the label of an assertion there, or several with + between; all others are removed. SIZES,
# name=value, replace constants of the RTL. Files that make generates for a harness are in build/testbench/formal. -
# means none. ENGINE:
#
#     pdr      abc, property directed reachability: for all time, from all states after a reset
#     bmc=N    abc, the first N cycles after reset
#     sat      yosys, SAT on combinational logic; flip-flops become wires. For all inputs
#     same     like sat, but multiplications of the same factors are merged
#     cut      like same, with any value for each product: a proof then holds for real products, too. With a fault they
#              multiply, so that no impossible product is a counterexample
#     cec      like sat through abc, which finds equal nodes on the way
#
# Prints "proved", "refuted WHERE" or "unknown WHY" and the seconds of the engine. Earlier results are kept in
# build/formal/known, by the content of all inputs.
set -u
harness=$1 parameters=$2 property=$3 entity=$4 generics=$5 sizes=$6 engine=$7 faulty=${8-} fault=${9-}
formal=testbench/formal
known=build/formal/known
work=build/formal/$harness.$property.${parameters// /.}${faulty:+.$(cksum <<< "$faulty $fault" | cut -d' ' -f1)}
ghdl=${GHDL:-$(command -v ghdl-llvm || command -v ghdl-mcode || command -v ghdl)}
seconds=${FORMAL_SECONDS:-900}

give_up() {
    echo "unknown $1"
    exit 1
}

# the RTL, with other sizes and possibly a fault, as Verilog
rm -rf "$work" && mkdir -p "$work/ghdl" "$known" && cp -r rtl "$work/rtl" || give_up "no $work"
for size in ${sizes/-/}; do
    sed -E -i "s/^( *constant ${size%=*} +: [a-z]+ := )[0-9]+;/\1${size#*=};/" $(grep -lE "constant ${size%=*} +:" \
        -r "$work/rtl") || give_up "no constant ${size%=*}"
done
if [ -n "$faulty" ]; then
    cp "$work/rtl/$faulty" "$work/sound" && sed -E -i "$fault" "$work/rtl/$faulty"
    cmp -s "$work/rtl/$faulty" "$work/sound" && give_up "the fault does not apply to $faulty"
fi
sources=($(grep -v '^#' rtl/files.f | sed "s,^,$work/rtl/,"))
[ -f "$formal/$entity.vhd" ] && sources+=("$formal/formal_pkg.vhd" "$formal/$entity.vhd")
[ "$entity" = decode_flat ] && sources+=(testbench/decode/decode_flat.vhd)
# Its comments contain VHDL line numbers: without them earlier results stay valid when lines move.
sim/ghdl/verilog.sh "$ghdl" --workdir="$work/ghdl" --no-formal $(printf -- '-g%s ' ${generics/-/}) \
    "${sources[@]}" -e "$entity" > "$work/ghdl.v" 2> "$work/ghdl.log" || give_up "ghdl, see $work/ghdl.log"
grep -v '^ */\*.*\*/$' "$work/ghdl.v" > "$work/design.v"

# ---- yosys: one assertion, as an and-inverter graph or for its own SAT
read -ra labels <<< "${property//+/ }"
kept=$(printf 'n:%s ' "${labels[@]}")$(printf '%%u %.0s' "${labels[@]:1}")
[ ${#labels[@]} -gt 1 ] || kept="n:$property "
wires= graph= set= logic='opt -full; techmap; opt -fast'
for parameter in ${parameters/-/}; do set+=" -chparam ${parameter/=/ }"; done
case $engine in
sat | same | cut | cec) wires="techmap -map $formal/wires.v" ;;
esac
case $engine in
sat | same | cut) logic='opt -fast'
    graph="sat -verify -prove-asserts -show-inputs -timeout $seconds" ;;
*) graph="setundef -undriven -anyseq; opt_clean; dffunmap; aigmap; opt_clean
          write_aiger -I -B -zinit -no-startoffset $work/graph.aig" ;;
esac
if [[ $engine = @(same|cut) ]]; then
    logic="opt -full; simplemap t:\$mul t:\$add t:\$sub %u %u %n; wreduce t:\$mul; opt -full"
    [ $engine = same ] || [ -n "$faulty" ] || logic+="; techmap -map $formal/products.v; setundef -undriven -anyseq"
fi
cat > "$work/prove.ys" << END
read_verilog $work/design.v
read_verilog -sv -formal -I$formal -Ibuild/testbench/formal $formal/$harness.sv
hierarchy -check -top ${harness}_proofs$set; proc; flatten; $wires; opt_clean
select -assert-none t:\$dlatch; delete t:\$assert $kept%d; select -assert-count ${#labels[@]} t:\$assert
memory_nordff; memory_map; opt -fast; async2sync
setundef -undriven -anyseq; setundef -anyseq; setattr -unset keep
delete -output; $logic
$graph
END
case $engine in
pdr) script="fold; strash; scorr; pdr -T $seconds" ;;
bmc=*) script="fold; strash; scorr; bmc3 -F $((${engine#bmc=} + 1)) -T $seconds" ;;
cec) script="strash; iprove" ;;
sat | same | cut) script= ;;
*) give_up "there is no engine $engine" ;;
esac

key=$( (cat "$work/design.v" "$formal/$harness.sv" "$formal"/{model,products,wires}.v
    for part in {build/testbench/formal/{decode_table.v,control.svh},$formal/float_model.v}; do
        ! grep -q "include \"${part##*/}\"" "$formal/$harness.sv" || cat "$part"
    done
    sed "s,$work,,g" "$work/prove.ys"
    echo "$script") | sha256sum | cut -d' ' -f1)
if [ -f "$known/$key" ]; then
    cat "$known/$key"
    rm -rf "$work"
    exit
fi

begin=$EPOCHREALTIME
yosys -q -l "$work/yosys.log" "$work/prove.ys" > "$work/log" 2>&1
code=$?
if [[ $engine != @(sat|same|cut) ]]; then
    [ $code -eq 0 ] || give_up "yosys, see $work/log"
    yosys-abc -c "read_aiger $work/graph.aig; $script" > "$work/log" 2>&1
fi
took=$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $begin }")

case $engine in
sat | same | cut) grep -q 'no model found: SUCCESS' "$work/yosys.log" && verdict=proved ;;
pdr) grep -q '^Property proved' "$work/log" && verdict=proved ;;
bmc=*) grep -q "No output asserted in" "$work/log" && verdict=proved ;;
cec) grep -q '^UNSATISFIABLE' "$work/log" && verdict=proved ;;
esac
if [ -z "${verdict-}" ]; then
    grep -q 'model found: FAIL\|was asserted in frame\|^SATISFIABLE' "$work/log" "$work/yosys.log" ||
        give_up "no answer in $took s, see $work/log"
    verdict=refuted
    cycle=$(sed -n 's/.*asserted in frame \([0-9]*\).*/ in cycle \1/p' "$work/log" | head -1)
fi
echo "$verdict${cycle-}|$took" | tee "$known/$key"
[ "$verdict" = proved ] || [ -n "$faulty" ] || exit 1
rm -rf "$work"
