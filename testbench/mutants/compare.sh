# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What prove.sh and prove_decode.sh, which source this, do alike: an entity that is told by its input `mutant` which one
# is in it, compared by yosys with and without one, and what yosys says. Their arguments are DIR NUMBER...
dir=$1
shift
seconds=${PROVE_SECONDS:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The entity, told by an input which mutant is in it, without assertions, which yosys does not read. What is in it is
# told, too, where HOW is whole; else, and if it is a memory, it is a black box.
entity() { # MODULE HOW
    awk -v top="$1" -v how="$2" '
        function is_box(module) { return how != "whole" || module ~ /^ram_/ }
        function emit(module,    line, lines, word, inside, i) {
            lines = split(text[module], line, "\n")
            for (i = 1; i < lines; i++) {
                split(line[i], word, " ")
                if (line[i] ~ /^  always @\*$/ && line[i + 1] ~ /^    if \(!n[0-9]+_q\)$/) { i += 2; continue }
                if (line[i] ~ /^  `MUTANTS$/) continue
                gsub(/`MUTANT\(/, "(mutant == ", line[i])
                sub(/^  \(input /, "  (input [15:0] mutant,\n   input ", line[i])
                if (word[1] in text && word[3] == "(") {
                    if (!is_box(word[1])) line[i] = line[i] "\n    .mutant(mutant),"
                    if (!(word[1] in seen)) inside = inside " " word[1]
                    seen[word[1]]
                }
                print line[i]
            }
            lines = split(inside, line, " ")
            for (i = 1; i <= lines; i++)
                if (is_box(line[i]))
                    print "(* blackbox *)\n" substr(text[line[i]], 1, index(text[line[i]], ");")) ";\nendmodule"
                else emit(line[i])
        }
        /^module / { module = $2 }
        { text[module] = text[module] $0 "\n" }
        END { emit(top) }' "$dir/netlist.v"
}

# Commands: a module `miter` of the entity with and without a mutant, whose `trigger` is 0 where all outputs are equal.
compare() { # MODULE NUMBER
    cat << END
copy $1 sound; copy $1 mutated
cd sound; delete -input w:mutant; connect -set mutant 16'd0; cd
cd mutated; delete -input w:mutant; connect -set mutant 16'd$2; cd
miter -equiv -flatten -make_outputs sound mutated miter; hierarchy -top miter; opt -fast
END
}

# Command: a proof of it.
prove() { # NUMBER WHAT SIGNAL VALUE
    echo "tee -q -o $work/$1.$2 sat -timeout $seconds -prove $3 $4 miter"
}

# What came of that.
verdict() { # NUMBER WHAT
    if grep -q 'no model found: SUCCESS' "$work/$1.$2" 2> /dev/null; then
        echo proved
    elif grep -q 'model found: FAIL' "$work/$1.$2" 2> /dev/null; then
        echo differs
    else
        echo unknown
    fi
}
