#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Holds assembler/ to the order of its folders (assembler/README.md): a file includes and calls only what is in its own
# folder or in those to the left of it. Nothing outside assembler/ is included, but for lists (.def) by the generator
# (isa/gen*.c): it writes the VHDL and the pages of those, too. No two objects, of other folders either, call each
# other, be it through others.
#
#     testbench/check_layers.sh build/assembler/image/image.o ...
#
# Prints what breaks the rule, and exits 1.
set -u
folders=assembler/{base,isa,image,source,cubin,listing,check,doc}

# Lines "file needed" as they are where the second is not to the left of the first; both are paths.
upwards() {
    awk -v order='base | isa | image | source cubin | check listing | doc | .' '
        BEGIN {
            n = split(order, folder, " ")
            for (i = 1; i <= n; i++) if (folder[i] == "|") level++; else rank[folder[i]] = level + 0
        }
        function folder_of(path) {
            sub(/.*assembler\//, "", path)
            return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "."
        }
        $1 ~ /assembler\// && $2 !~ /assembler\// {
            if ($1 !~ /^assembler\/isa\/gen[a-z_]*\.c$/ || $2 !~ /\.def$/) print $1 " needs " $2
            next
        }
        $1 ~ /assembler\// {
            from = folder_of($1)
            to = folder_of($2)
            if (from != to && rank[to] >= rank[from]) print $1 " needs " $2
        }'
}

# Includes that leave the folder: "../image/image.h" in assembler/source/emit.c is assembler/image/image.h.
includes() {
    grep -o '^#include "[^"]*/[^"]*"' assembler/*.[ch] $(eval echo "$folders/*.[ch]") | awk -F'[:"]' '{
        path = $1
        sub(/[^\/]*$/, "", path)
        path = path $3
        while (sub(/[a-z_]+\/\.\.\//, "", path)) {}
        print $1, path
    }'
}

# Pairs "caller callee"; tsort names the members of a loop.
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

wrong=$(includes | upwards; calls "$@" | upwards; calls "$@" | tsort 2>&1 > /dev/null)
[ -z "$wrong" ] || { echo "$wrong"; exit 1; }
