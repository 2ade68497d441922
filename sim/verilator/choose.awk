# SPDX-License-Identifier: Apache-2.0
# Writes as a chain of conditions what the Verilog of ghdl --synth makes of a VHDL case or selected assignment: a bit
# for each choice, all of them joined to a vector, and a case of Verilog over that. Verilator builds the vector and
# takes it apart again; of the chain it computes no more conditions than it needs. Only one choice holds at a time. The
# default needs no condition. One of X is never chosen, as one choice always holds then (gate 2 of `make lint` has shown
# that none is missing): the value that most of them have needs none in its place.
#
#     awk -f choose.awk gpu_flat-C8-S1.v > chosen.v

/^module / { split("", joined) }

$1 == "assign" && $4 ~ /^\{/ && $NF ~ /\};$/ {
    bits = $0
    gsub(/.*\{|\};$|,/, "", bits)
    joined[$2] = bits
}

# case (VECTOR) ... endcase, one line a choice: LITERAL: NET <= VALUE; and a default.
$1 == "case" {
    vector = $2
    gsub(/[()]/, "", vector)
    width = vector in joined ? split(joined[vector], bit, " ") : 0
    lines = $0
    most = otherwise = ""
    split("", uses)
    for (choices = 0; getline > 0 && $1 != "endcase";) {
        lines = lines "\n" $0
        if ($1 == "default:") {
            if ($4 !~ /'b[xX];$/) otherwise = substr($4, 1, length($4) - 1)
            continue
        }
        literal = $1
        gsub(/.*'b|:$/, "", literal)
        if (NF != 4 || length(literal) != width || gsub(/1/, "1", literal) != 1) width = 0
        choices++
        condition[choices] = bit[index(literal, "1")]
        value[choices] = substr($4, 1, length($4) - 1)
        if (++uses[value[choices]] > uses[most]) most = value[choices]
        target = $2
    }
    if (choices != width) {
        print lines "\n" $0
        next
    }
    if (otherwise != "") most = otherwise
    chain = most ";"
    for (i = 1; i <= choices; i++)
        if (value[i] != most) chain = condition[i] " ? " value[i] " : " chain
    print "    " target " <= " chain
    next
}

{ print }
