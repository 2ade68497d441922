# SPDX-License-Identifier: Apache-2.0
# Writes bits that the Verilog of ghdl --synth repeats as replications. VHDL's (31 downto 0 => enable) comes out as a
# net for each of the 32 bits, joined by fours and these by fours again, and Verilator computes nearly every piece on
# its own; of `{32{enable}}` it makes one negation. The pieces are left without a reader and go.
#
#     awk -f replicate.awk gpu_flat-C8-S1.v > replicated.v

# What a net is known to be: `what`, so many times.
/^module / { split("", what); split("", times) }

$1 == "assign" && NF == 4 && $4 ~ /^[a-z_0-9]+\[[0-9]+\];$/ {
    what[$2] = substr($4, 1, length($4) - 1)
    times[$2] = 1
}

$1 == "assign" && $4 ~ /^\{[a-z]/ && $NF ~ /\};$/ {
    runs = 0
    for (i = 4; i <= NF; i++) {
        net = $i
        gsub(/[{},;]/, "", net)
        piece = net in what ? what[net] : net
        if (runs == 0 || piece != run[runs]) {
            run[++runs] = piece
            count[runs] = 0
        }
        count[runs] += net in what ? times[net] : 1
    }
    if (runs == 1) {
        what[$2] = run[1]
        times[$2] = count[1]
    }
    text = ""
    for (i = 1; i <= runs; i++) text = text (i > 1 ? ", " : "") (count[i] > 1 ? "{" count[i] "{" run[i] "}}" : run[i])
    $0 = "  assign " $2 " = {" text "};"
}

{ print }
