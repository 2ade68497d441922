#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks the order of the C folders: a file includes and calls only files of its own room or of a room in an earlier
# line. So no two rooms use each other; neither do rooms of one line. In assembler/ and cmodel/ there are no cycles of
# calls between objects.
#
#     testbench/check_layers.sh build/assembler/image/image.o ...     prints violations, and exits 1
#     testbench/check_layers.sh draw                                  the uses between rooms, for graphviz
set -u
# A room is a folder with its subfolders that have no line of their own, or a header that rooms of its folder share.
# Programs (warp_*.c, main() of a page) are above all rooms.
order='
spec
spec/gen assembler/base golden/float
assembler/isa golden/calculator golden/host golden/ptx
assembler/image
assembler/source assembler/cubin
assembler/check assembler/listing
assembler/doc assembler
cmodel/machine.h
cmodel/machine_has.h
cmodel/retire.h
cmodel/model.h
cmodel/bounds.h cmodel/turns.h
cmodel/core
cmodel/watch
cmodel
compiler/support
compiler/compiler.h compiler/compile.h
compiler/base
compiler/ptx compiler/ir
compiler/flow compiler/lower
compiler/select compiler/alloc
compiler/calls compiler/emit
compiler
cmodel/run
cmodel/debug
checker/record
checker/port checker/opinion
checker/verdict checker/coverage
checker/report
checker/random checker/view loader
runtime
checker/tool web checker/port/example checker/opinion/liar'

# Passes through the lines "file needed" whose second file is not in an earlier room; `upwards draw=1` prints the uses
# between rooms. Files in no room are ignored.
upwards() {
    awk -v order="$order" '
        BEGIN {
            n = split(order, line, "\n")
            for (i = 1; i <= n; i++) {
                m = split(line[i], room, " ")
                for (k = 1; k <= m; k++) level[room[k]] = i
            }
        }
        function room_of(path) {
            sub(/^build\//, "", path)
            if (path ~ /(^|\/)warp_[a-z]*\.[co]$/) return ""
            while (!(path in level) && sub(/\/[^\/]*$/, "", path)) {}
            return path in level ? path : ""
        }
        {
            from = room_of($1)
            to = room_of($2)
            if (from == "" || to == "" || from == to) next
            if (draw) used["\"" from "\" -> \"" to "\""]
            else if (level[to] >= level[from]) print $1 " needs " $2
        }
        END { for (edge in used) print edge }' "$@"
}

# Includes from other folders: "../image/image.h" in assembler/source/emit.c is assembler/image/image.h.
includes() {
    git ls-files '*.c' '*.h' ':!*/test/*' | xargs grep -o '^#include "[^"]*"' | awk -F'[:"]' '{
        path = $1
        sub(/[^\/]*$/, "", path)
        path = path $3
        while (sub(/[a-z_-]+\/\.\.\//, "", path)) {}
        print $1, path
    }'
}

# Pairs "caller callee"; tsort lists the members of a cycle.
calls() {
    nm -A "$@" | awk '
        { object = $1; sub(/:.*/, "", object); symbol = $NF; kind = $(NF - 1) }
        kind == "U"       { used[object, symbol] = 1 }
        kind ~ /^[TDRB]$/ { home[symbol] = object }
        END {
            for (pair in used) {
                split(pair, p, SUBSEP)
                if (p[2] in home) print p[1], home[p[2]]
            }
        }'
}

if [ "${1-}" = draw ]; then
    echo 'digraph rooms {'
    includes | upwards draw=1 | sort
    echo '}'
    exit
fi
wrong=$(includes | upwards; calls "$@" | upwards
    calls $(printf '%s\n' "$@" | grep -E '^build/(assembler|cmodel)/') | tsort 2>&1 > /dev/null)
[ -z "$wrong" ] || { echo "$wrong"; exit 1; }
