#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Adds an instruction as described in docs/add-an-instruction.md: applies popc.patch, which adds POPC, to a copy of the
# tree, builds it, and runs POPC on the model, on the RTL under GHDL in lockstep, and in random kernels; then every C
# test. Prints TAP.
#
#     testbench/add-an-instruction/run.sh             all of it
#     testbench/add-an-instruction/run.sh --quick     of C tests, those of the rooms that read the table, if short
#     testbench/add-an-instruction/run.sh FILE        omits the patch's changes to FILE: the build must name it
set -u
cd "$(dirname "$0")/../.." || exit 2
patch=$PWD/testbench/add-an-instruction/popc.patch
page=$PWD/docs/add-an-instruction.md
unset MAKEFLAGS WARPSTEP_COVERAGE
quick=false
[ "${1-}" = --quick ] && quick=true && shift
forget=${1-}
work=$PWD/build/add-an-instruction
tree=$work/tree
number=0
failed=0

# check NAME COMMAND...: a line of TAP, and the output of a failing command.
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

# C tests that open the RTL as Verilog get a build without POPC, which they do not execute: a new build takes minutes.
link_simulation() {
    mkdir -p "$tree/build/sim"
    ln -s "$PWD/build/sim/libsim-verilator-C8-S1.so" "$tree/build/sim"
}

# The copy lies inside a checkout, which must be hidden from git: it would look for the files there.
apply_patch() {
    cd "$tree" && GIT_CEILING_DIRECTORIES=$work git apply -C1 ${forget:+--exclude="$forget"} "$patch"
}

in_tree() { (cd "$tree" && "$@"); }

make_pages() {
    in_tree make -s build/assembler/doc/isa_doc && in_tree share/generated.sh write docs/isa.md docs/evidence/formats.md
}

# A random kernel that contains the instruction: the first such seed, run on RTL and model.
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

# The page gives the number of edited files, and names each of them.
page_counts() {
    local file files
    mapfile -t files < <(sed -n 's,^diff --git .* b/,,p' "$patch")
    grep -qE "(^| )${#files[@]} files in " "$page" ||
        { echo "${#files[@]} files, $page says another number"; return 1; }
    for file in "${files[@]}"; do
        grep "^| [1-9]\. " "$page" | grep -qF "$(basename "$file" .sass)" || { echo "no place has $file"; return 1; }
    done
}

# LST is at the place that the page gives, and in the number of files that it gives.
page_stores() {
    local file files
    mapfile -t files < <(awk '
        /^## / { inside = $0 == "## Loads and stores" }
        inside && /^\|/ {
            folder = ""
            for (count = split($0, part, "`"); i + 2 <= count; i += 2) {
                if (part[i + 2] ~ /\/$/) { folder = part[i + 2]; continue }
                print (part[i + 2] ~ /^(checker|golden|rtl|spec|testbench)\// ? "" : folder) part[i + 2]
            }
            i = 0
        }' "$page")
    grep -q " in ${#files[@]} files:$" "$page" || { echo "the table of LST has ${#files[@]} files"; return 1; }
    for file in "${files[@]}"; do
        in_tree grep -qE '\<(OP_)?LST\>|LOCAL_STORE' "$file" || { echo "$file has no LST"; return 1; }
    done
}

c_tests() {
    local rooms=. slow='^$'
    $quick && rooms='^build/(assembler|cmodel|checker)/' slow='/random/|/opinion/|/test_warp_lockstep$'
    in_tree testbench/suites.sh list unit | grep -E "$rooms" | grep -vE "$slow"
}

copy_tree
link_simulation
check "the patch applies" apply_patch
check "the C side builds" in_tree make -s GHDL_OPT=-O0 build/bin/warp-{run,lockstep,fuzz} \
    build/testbench/formats/format_coverage build/golden/calculator/{expects,vectors} $(c_tests)
check "its pages are made" make_pages
check "what the pages name is there" in_tree testbench/check_pages.sh
check "the table is that of golden/" in_tree build/assembler/test/test_csv
check "its rows overlap no others, text gives the word back" in_tree build/assembler/test/test_table
check "the examples of the page assemble" in_tree build/assembler/test/test_isa_doc
check "the examples of the page hold on the model" in_tree build/cmodel/test/test_isa_doc
check "the calculator gives the values of its kernel" in_tree golden/calculator/run.sh
check "kernels execute each row" in_tree testbench/formats/run.sh
check "its kernel on the model" in_tree build/bin/warp-run kernels/formats/X-popc.sass
check "the RTL is analysed" in_tree make -s GHDL_OPT=-O0 build/sim/libsim-ghdl.so build/sim/ghdl/built
check "the decoder is made into Verilog" in_tree make -s build/testbench/decode/decode_bench
check "the decoder says what the table says" in_tree build/testbench/decode/decode_bench
check "its kernel on RTL and model" in_tree build/bin/warp-lockstep kernels/formats/X-popc.sass --sim ghdl --cores 8
check "a random kernel that has it" in_tree random_kernel
for program in $(c_tests); do check "$program" in_tree env CMOCKA_MESSAGE_OUTPUT=TAP "$program"; done
check "the page counts the files" page_counts
check "... and those of a store" page_stores
[ -n "$forget" ] || rm -rf "$work"
echo "1..$number"
exit $failed
