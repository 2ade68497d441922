#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Adds an instruction as docs/add-an-instruction.md says: applies popc.patch, which adds POPC, to a copy of the tree,
# builds it, and runs POPC on the model, on the RTL under GHDL in lockstep, and in random kernels. Prints TAP.
#
#     testbench/add-an-instruction/run.sh             all of it
#     testbench/add-an-instruction/run.sh FILE        without what the patch does to FILE: ends at what names it
set -u
cd "$(dirname "$0")/../.." || exit 2
patch=$PWD/testbench/add-an-instruction/popc.patch
page=$PWD/docs/add-an-instruction.md
unset MAKEFLAGS WARPSTEP_COVERAGE
forget=${1-}
work=$PWD/build/add-an-instruction
tree=$work/tree
number=0
failed=0

# check NAME COMMAND...: a line of TAP, and what a command that fails says.
check() {
    local name=$1 output
    shift
    number=$((number + 1))
    if output=$("$@" 2>&1); then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        grep -v '^ok \|^\[ *\(OK\|RUN\|=*\|-*\) *\]' <<< "$output" | tail -n 12 | sed 's/^/# /'
        failed=1
        [ -z "$forget" ] || exit 1
    fi
}

copy_tree() {
    rm -rf "$work"
    mkdir -p "$tree"
    tar -c --exclude=./.git --exclude=./build/{sim,verilog,asan,fuzz,mutants,lint,coverage,add-an-instruction} . |
        tar -x -C "$tree"
}

# The copy lies inside a checkout, which git must not see: it would look for the files there.
apply_patch() {
    cd "$tree" && GIT_CEILING_DIRECTORIES=$work git apply -C1 ${forget:+--exclude="$forget"} "$patch"
}

in_tree() { (cd "$tree" && "$@"); }

# A random kernel in which the instruction is: the first seed of one, and that kernel on RTL and model.
random_kernel() {
    local seed
    for seed in $(seq 40); do
        build/bin/warp-fuzz --print --kind runs --steps 250 --seed "$seed" --count 1 | grep -q '\<POPC\>' || continue
        build/bin/warp-fuzz --sim ghdl --kind runs --steps 250 --seed "$seed" --count 1
        return
    done
    echo "no kernel of seeds 1 to 40 has it"
    return 1
}

# The page says how many files one edits.
page_counts() {
    local files
    files=$(grep -c '^diff --git' "$patch")
    grep -q "$files files" "$page" || { echo "the patch edits $files files, $page says another number"; return 1; }
}

copy_tree
check "the patch applies" apply_patch
check "the C side builds" in_tree make -s build/bin/warp-run build/bin/warp-lockstep build/bin/warp-fuzz \
    build/testbench/formats/format_coverage build/assembler/test/test_{csv,table,isa_doc} \
    build/cmodel/test/test_isa_doc build/golden/calculator/{expects,vectors}
check "its page is made" in_tree make -s docs/isa.md
check "the table is that of golden/" in_tree build/assembler/test/test_csv
check "its rows overlap no others, text gives the word back" in_tree build/assembler/test/test_table
check "the examples of the page assemble" in_tree build/assembler/test/test_isa_doc
check "the examples of the page hold on the model" in_tree build/cmodel/test/test_isa_doc
check "its kernel says that the calculator does not know it" in_tree golden/calculator/run.sh
check "kernels execute each row" in_tree testbench/formats/run.sh
check "its kernel on the model" in_tree build/bin/warp-run kernels/formats/X-popc.sass
check "the RTL is analysed" in_tree make -s GHDL_OPT=-O0 build/sim/libsim-ghdl.so build/sim/ghdl/built
check "the decoder is made into Verilog" in_tree make -s build/testbench/decode/decode_bench
check "the decoder says what the table says" in_tree build/testbench/decode/decode_bench
check "its kernel on RTL and model" in_tree build/bin/warp-lockstep kernels/formats/X-popc.sass --sim ghdl --cores 8
check "a random kernel that has it" in_tree random_kernel
check "the page counts the files" page_counts
[ -n "$forget" ] || rm -rf "$work"
echo "1..$number"
exit $failed
