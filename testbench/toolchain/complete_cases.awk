# SPDX-License-Identifier: Apache-2.0
# Gives each case in the Verilog of ghdl --synth the default that it lacks: unknown. ghdl writes no default, and where
# the choices do not name all values (five literals of three bits) yosys would keep the value before, in a latch. What
# the default may lose, a reachable `others`, gate 2 of `make lint` refuses (reachable_others.awk).
#
# A case has one line for each choice, LITERAL: NET <= VALUE; of one net. This refuses any other form, with exit 1,
# rather than to guess what is missing there.
#
#     ghdl --synth ... --out=verilog ... | awk -f complete_cases.awk > FILE.v

function refuse(why) {
    print "complete_cases: line " FNR ": " why ": " $0 > "/dev/stderr"
    failed = 1
    exit 1
}

# reg NET; or reg [HIGH:0] NET; a case assigns no other kind.
$1 ~ /^(\/\*.*\*\/)?reg$/ {
    net = $NF
    sub(/;.*/, "", net)
    bits[net] = $2 ~ /^\[/ ? substr($2, 2) + 1 : 1
}

$1 == "case" {
    if (inside) refuse("a case in a case")
    inside = 1
    target = ""
    complete = 0
}
inside && $1 == "default:" { complete = 1; print; next }
inside && $1 ~ /^[0-9]+'b[01]+:$/ {
    if (NF < 4 || $3 != "<=" || $NF !~ /;$/ || (target != "" && $2 != target)) refuse("not a choice of one net")
    target = $2
    print
    next
}
inside && $1 == "endcase" {
    if (target == "") refuse("a case without a choice")
    if (!(target in bits)) refuse(target " is declared nowhere")
    if (!complete) print "      default: " target " <= " bits[target] "'bx;"
    inside = 0
}
inside && $1 != "case" { refuse("not a choice of one net") }
/^module / { split("", bits) }
{ print }

END {
    if (failed) exit 1
    if (inside) {
        print "complete_cases: the last case does not end" > "/dev/stderr"
        exit 1
    }
}
