# SPDX-License-Identifier: Apache-2.0
# Reads what `ghdl --synth --out=raw-vhdl` writes and prints each `when others` that a value of the selector can reach:
# the Verilog of ghdl 2 has no default there and keeps the old value, a latch. Synthesis writes a case as a choice by
# comparisons, of which one is true; later versions call n1_o n1:
#
#     n1_o <= '1' when op = "00" else '0';          n4_o <= n1_o & n2_o & n3_o;
#     with n4_o select n5_o <= a when "100", b when "010", c when "001", d when others;
#
# An arm of X does no harm, nor does any arm when the comparisons name all values of `op`. Exits 1 when it printed any.
/^ *-- / { source = $2 }

$2 == "<=" && / when .* = .* else '0';$/ {
    value = $7
    gsub(/["']/, "", value)
    compared[$1] = $5
    constant[$1] = value
}
$2 == "<=" && / or / && !/ when / { parts[$1] = $0 }
$2 == "<=" && / & / && !/ when / { parts[$1] = $0 }

/^ *with / { selector = $2 }
/ when others;$/ && !/'X'/ && !/"X+"/ && !complete(selector) {
    print source ": a case whose others can be reached: " $0
    found = 1
}
END { exit found }

# All values of what the selector's parts compare with constants are among these constants.
function complete(net,    i, n, leaf, width, seen, operand) {
    delete leaves
    count = 0
    collect(net)
    n = 0
    for (i = 1; i <= count; i++) {
        leaf = leaves[i]
        if (!(leaf in compared)) return 0
        if (i > 1 && compared[leaf] != operand) return 0
        operand = compared[leaf]
        width = length(constant[leaf])
        if (!((constant[leaf]) in seen)) n++
        seen[constant[leaf]] = 1
    }
    return count > 0 && n == 2 ^ width
}

# The comparisons behind a net, through concatenations and "or".
function collect(net,    words, n, i) {
    if (!(net in parts)) {
        leaves[++count] = net
        return
    }
    n = split(parts[net], words, /[ ;]+/)
    for (i = 1; i <= n; i++)
        if (words[i] ~ /^n[0-9]+(_o)?$/ && words[i] != net) collect(words[i])
}
