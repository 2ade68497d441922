#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Holds assembler/ to the order of its folders (assembler/README.md): a file includes only its own folder and those to
# the left of it, and no two objects call each other, be it through others.
#
#     testbench/check_layers.sh build/assembler/image/image.o ...
#
# Prints what breaks the rule, and exits 1.
set -u
order='base isa | image | source cubin | check listing | .'

upwards() {
    grep -o '^#include "[^"]*"' assembler/*.[ch] assembler/{base,isa,image,source,cubin,check,listing}/*.[ch] |
        awk -F'[:"]' -v order="$order" '
            BEGIN {
                n = split(order, folder, " ")
                for (i = 1; i <= n; i++) if (folder[i] == "|") level++; else rank[folder[i]] = level + 0
            }
            function folder_of(path) { return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "." }
            {
                from = folder_of(substr($1, 11))
                to = $3 ~ /^\.\.\/\.\.\// ? from : $3 ~ /^\.\.\// ? folder_of(substr($3, 4)) : \
                     from == "." ? folder_of($3) : from
                if (from != to && rank[to] >= rank[from]) print $1 ": includes " $3
            }'
}

# Pairs "caller callee" for tsort, which names the members of a loop.
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

wrong=$(upwards; calls "$@" | tsort 2>&1 > /dev/null)
[ -z "$wrong" ] || { echo "$wrong"; exit 1; }
