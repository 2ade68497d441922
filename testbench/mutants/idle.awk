# SPDX-License-Identifier: Apache-2.0
# Stuck bits without effect, in a flat netlist (yosys' JSON) and all.list (netlist.sh): see idle.sh. ghdl numbers nets
# over all modules, so that the last part of a name identifies the net.

# The entries of a JSON list of bits: numbers, and "0", "1", "x"; 2 is the lowest number.
function split_bits(bit,    list) {
    list = substr($0, index($0, "["))
    gsub(/[^0-9x ]/, " ", list)
    return split(list, bit, " ")
}
function read_bits(    bit, i) { for (i = split_bits(bit); i > 0; i--) reads[bit[i]] }
function name_bits(    bit, i) {
    places[net]++
    for (i = split_bits(bit); i > 0; i--) bits[net, places[net], i - 1] = bit[i]
}

FILENAME ~ /json$/ {
    if (/^      "(ports|cells|netnames)": /) part = $1
    else if (/"direction": /) is_output = /"output"/
    else if (part == "\"ports\":" && /"bits": / && is_output) read_bits()
    else if (/"port_directions": /) split("", is_input)
    else if (/": "input"/) is_input[$1]
    else if (part == "\"cells\":" && /": \[/ && $1 in is_input) read_bits()
    else if (part == "\"netnames\":" && /^        "/) {
        net = $1
        gsub(/[":]/, "", net)
        sub(/.*\./, "", net)
    } else if (part == "\"netnames\":" && /"bits": / && net ~ /^n[0-9]+_[oq]$/) name_bits()
    next
}

{
    split($1, name, "/")
    split(name[3], kind, ":")
    net = name[2]
    idle = 1 # a removed net had no reader
    for (p = 1; p <= places[net] + 0 && idle; p++) {
        bit = bits[net, p, kind[2]]
        idle = bit < 2 ? bit == (kind[1] == "one") : bit != "x" && !(bit in reads)
    }
    if (idle) print
}
