# SPDX-License-Identifier: Apache-2.0
# In modules that have one clock of their own (gate.awk), moves logic that nothing but their registers reads into the
# edge of that clock: while it stands still, Verilator computes nothing of it. Else it would compute at every edge of
# the SM's clock what the first registers of a resting unit are not going to take. What moves has no waves: signals like
# s2_in, which a register holds one cycle later.
#
#     awk -f at_edge.awk gated.v > at_edge.v

BEGIN { NAME = "[a-z_][a-z_0-9]*" }

# Puts the names in a text into a list; returns how many.
function names(text, list,    count) {
    while (match(text, NAME)) {
        list[++count] = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
    }
    return count
}

# What is read where it stays must stay, and so must all that it is made of.
function stay(text,    list, count, i, of) {
    count = names(text, list)
    for (i = 1; i <= count; i++) {
        if (!(list[i] in value)) continue
        of = value[list[i]]
        delete value[list[i]]
        stay(of)
    }
}

# Writes the moved nets that a text reads, each behind those that it is made of. What reads a variable of the VHDL means
# what this held before.
function compute(text,    list, count, i) {
    count = names(text, list)
    for (i = 1; i <= count; i++) {
        if (!(list[i] in value) || list[i] in is_variable || computed[list[i]] == "done") continue
        if (computed[list[i]] == "begun") {
            print "at_edge.awk: " module ": " list[i] " is made of itself" > "/dev/stderr"
            exit failed = 1
        }
        computed[list[i]] = "begun"
        compute(value[list[i]])
        computed[list[i]] = "done"
        print "    " list[i] " = " value[list[i]]
    }
}

function write_edge(    i, net) {
    print "  always @(posedge " clock ") begin"
    for (i = 1; i <= lines; i++)
        if (kind[i] == "edge") compute(line[i])
    for (net in is_variable)
        if (net in value) compute(value[net])
    for (net in is_variable)
        if (net in value) print "    " net " = " value[net]
    for (i = 1; i <= lines; i++)
        if (kind[i] == "edge") print "  " line[i]
    print "  end"
}

function write_module(    i, text) {
    for (i = 1; i <= lines; i++)
        if (kind[i] == "stays") stay(line[i])
    for (i = 1; i <= lines; i++) {
        text = line[i]
        if (kind[i] == "edge" || kind[i] == "net" && of[i] in value) continue
        if (kind[i] == "declares" && of[i] in value) {
            sub(/  wire /, "  reg ", text)
            if (text !~ /tracing_off/) text = "/*verilator tracing_off*/" text "/*verilator tracing_on*/"
        }
        print text
    }
    write_edge()
}

# Takes a line of the module: what it is, of which net, as which text.
function take(what, net, text) {
    line[++lines] = text
    kind[lines] = what
    of[lines] = net
}
function take_net(net, text) {
    value[net] = text
    sub(/^[^=]*= /, "", value[net])
    sub(/.*\n/, "", value[net])
    take("net", net, text)
}

/^module / {
    module = $2
    lines = 0
    clock = several = ""
    split("", value)
    split("", is_variable)
    split("", computed)
}
module == "" {
    print
    next
}
/^endmodule/ {
    if (clock != "" && !several) write_module()
    else for (i = 1; i <= lines; i++) print (kind[i] == "edge" ? header[i] "\n" : "") line[i]
    print
    module = ""
    next
}
# What copies a register is its name in waves, and costs nothing.
$1 == "assign" && $2 ~ "^" NAME "$" && $4 !~ /^n[0-9]+_q;/ {
    take_net($2, $0)
    next
}
# A net that ghdl writes as a process, or a variable, which besides has a process that begins it as X.
/^  (always @\*|initial)$/ {
    first = $0
    getline
    if (/ \/\/ \(isignal\)$/) is_variable[$1]
    if (first ~ /always/ && $1 ~ "^" NAME "$" && ($2 == "<=" || $1 in is_variable) && /;/) take_net($1, first "\n" $0)
    else if (!($1 in is_variable)) take("stays", "", first "\n" $0)
    next
}
match($0, /gpu_clocked\.[a-z]*_clk(\[[0-9]+\])?/) && /^  always @\(posedge / {
    several = several || clock != "" && clock != substr($0, RSTART, RLENGTH)
    clock = substr($0, RSTART, RLENGTH)
    text = ""
    header[lines + 1] = $0
    do {
        getline
        text = text (text == "" ? "" : "\n") $0
    } while (!/;/)
    take("edge", "", text)
    next
}
/^(\/\*verilator tracing_off\*\/)?  (wire|reg|\\[a-z_0-9.]+) .*;/ {
    text = $0
    sub(/( *=.*)?;.*/, "", text)
    sub(/.* /, "", text)
    take("declares", text, $0)
    next
}
{ take("stays", "", $0) }

END { exit failed }
