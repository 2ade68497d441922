# SPDX-License-Identifier: Apache-2.0
# Writes the Verilog of any ghdl --synth in the words of version 2, which everything behind this reads. Later versions
# say the same otherwise:
#
#     version 2                                later
#     assign n1_o = n2_o[3];                   assign n1_o = n2_o[3]; // extract
#     assign y = n1_o;                         assign y = n1_o; //(module output)
#     3'b001: n1_o <= n2_o;                    3'b001: n1_o = n2_o;                     and `default:` alike
#     initial                                  initial
#       n1_q <= 1'b0;                            n1_q = 1'b0;
#     assign n3_o = n1_o * n2_o; // smul       assign n3_o = $signed(n1_o) * $signed(n2_o); // smul
#
# The signs of factors that are as wide as their product make no difference to it, and ghdl's are.
#
#     ghdl --synth ... --out=verilog ... | awk -f one_form.awk > FILE.v

$1 == "assign" && / \/\/ smul$/ { unsigned_factors() }
$1 == "assign" { sub(/; *\/\/ ?(extract|\(module output\))$/, ";") }
$1 == "case" { inside = 1 }
$1 == "endcase" { inside = 0 }
inside && /^ +([0-9]+'b[01]+|default): [^ ]+ = / || begins && /^ +[^ ]+ = / { sub(/ = /, " <= ") }
{
    begins = $1 == "initial" && NF == 1
    print
}

function unsigned_factors() {
    while (match($0, /\$signed\([^()]*\)/))
        $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + 8, RLENGTH - 9) substr($0, RSTART + RLENGTH)
}
