# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by prove.sh and prove_decode.sh, which source this: an entity whose input `mutant` selects the active mutant,
# its comparison by yosys with and without one, and the verdict. Their arguments are DIR NUMBER...
dir=$1
shift
seconds=${PROVE_SECONDS:-60}
top=$(sed -n 's/^module //p' "$dir/gpu_flat.v" | tail -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The entity with an input that selects the mutant, without assertions, which yosys does not read. With HOW whole, the
# inner entities get the input, too; with boxes, as for a memory, they are black boxes.
entity() { # MODULE HOW
    build/sim/netlist/netlist "$dir/gpu_flat.v" "mutants:$dir/netlist.list:$top" "entity:$1:$2"
}

# Commands: a module `miter` of the entity with and without a mutant, whose `trigger` is 0 if all outputs are equal.
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

# The result of the proof.
verdict() { # NUMBER WHAT
    if grep -q 'no model found: SUCCESS' "$work/$1.$2" 2> /dev/null; then
        echo proved
    elif grep -q 'model found: FAIL' "$work/$1.$2" 2> /dev/null; then
        echo differs
    else
        echo unknown
    fi
}
