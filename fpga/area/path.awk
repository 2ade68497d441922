# SPDX-License-Identifier: Apache-2.0
# The longest path from register to register through a mapped ECP5 netlist (BLIF of yosys), in LUT levels: a LUT with
# its wire counts 1, so do entering and leaving a carry chain (two bits of it 0.1); a product, and the output of a block
# RAM, which has no output register, count 4. It serves to compare paths; it is not a time.
#
#     awk -f path.awk [-v all=1] FILE.blif       prints: levels, first register (or its kind, where
# yosys has left it without a name), last register; all: the path too

BEGIN { LUT = 10; CARRY_IN = 10; CARRY_OUT = 10; CARRY = 1; PRODUCT = 40; MEMORY = 40 }

/^\.(gate|subckt)/ {
    cell = $2
    cells++
    kind[cells] = cell
    for (i = 3; i <= NF; i++) {
        at = index($i, "=")
        pin = substr($i, 1, at - 1)
        net = substr($i, at + 1)
        if (net ~ /^[$](false|true|undef)$/) continue
        if (is_output(cell, pin)) {
            driver[net] = cells
            driver_pin[net] = pin
        } else if (is_end(cell, pin))
            ends[net] = net_of(cell, $0)
        else
            inputs[cells] = inputs[cells] " " pin "=" net
    }
}

/^\.names/ && NF == 3 { alias[$3] = $2 }

function is_output(cell, pin) {
    if (cell == "LUT4" || cell == "PFUMX" || cell == "L6MUX21") return pin == "Z"
    if (cell == "CCU2C") return pin == "COUT" || pin == "S0" || pin == "S1"
    if (cell == "TRELLIS_FF") return pin == "Q"
    if (cell == "MULT18X18D") return pin ~ /^P/
    return pin ~ /^DO/
}

# Pins that a clock samples.
function is_end(cell, pin) {
    if (cell == "TRELLIS_FF") return pin == "DI" || pin == "CE" || pin == "LSR"
    return cell == "DP16KD"
}

# The name of an end: that of the net that its cell drives.
function net_of(cell, line) {
    if (match(line, / (Q|DO[AB]?\[?[0-9]+\]?)=[^ ]*/)) line = substr(line, RSTART, RLENGTH)
    return substr(line, index(line, "=") + 1)
}

# The delay from an input of a cell to its output.
function delay(cell, from, to) {
    if (cell != "CCU2C") return cell == "MULT18X18D" ? PRODUCT : LUT
    if (from != "CIN") return to == "COUT" ? CARRY_IN : LUT
    return to == "COUT" ? CARRY : CARRY_OUT
}

function arrive(net,   c, n, i, pins, at, time, latest) {
    while (net in alias) net = alias[net]
    if (net in arrival) return arrival[net]
    arrival[net] = 0                                         # also ends a loop, if there is one
    if (!(net in driver)) return 0
    c = driver[net]
    if (kind[c] == "TRELLIS_FF") return 0
    if (kind[c] == "DP16KD") return arrival[net] = MEMORY
    n = split(inputs[c], pins, " ")
    latest = 0
    for (i = 1; i <= n; i++) {
        at = index(pins[i], "=")
        if (kind[c] == "MULT18X18D" && pins[i] !~ /^[AB]/) continue
        time = arrive(substr(pins[i], at + 1)) + delay(kind[c], substr(pins[i], 1, at - 1), driver_pin[net])
        if (time > latest) {
            latest = time
            before[net] = substr(pins[i], at + 1)
        }
    }
    return arrival[net] = latest
}

END {
    for (net in ends)
        if (arrive(net) > longest) {
            longest = arrive(net)
            last = net
        }
    first = last
    while (1) {
        while (first in alias) first = alias[first]
        if (all) printf "%5.1f %s %s\n", arrival[first] / 10, kind[driver[first]], first
        if (!(first in before)) break
        first = before[first]
    }
    printf "%.1f %s %s\n", longest / 10, first ~ /^[$]/ ? kind[driver[first]] : first, ends[last]
}
