# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What prove.sh and prove_decode.sh, which source this, do alike: an entity that is told by its input `mutant` which one
# is in it, compared by yosys with and without one, and what yosys says. Their arguments are DIR NUMBER...
dir=$1
shift
seconds=${PROVE_SECONDS:-60}
top=$(sed -n 's/^module //p' "$dir/gpu_flat.v" | tail -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The entity, told by an input which mutant is in it, without assertions, which yosys does not read. What is in it is
# told, too, where HOW is whole; where it is boxes, and if it is a memory, it is a black box.
entity() { # MODULE HOW
    build/sim/netlist/netlist "$dir/gpu_flat.v" "mutants:$dir/netlist.list:$top" "entity:$1:$2"
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
