# SPDX-License-Identifier: Apache-2.0
# Writes bits as a number where ghdl --synth writes them as a string, which it does with constants of more than 32 bits
# at some places. To Verilog "10" is two letters, of eight bits each.
#
#     ghdl --synth ... --out=verilog ... | awk -f bit_strings.awk > FILE.v

{
    line = ""
    while (match($0, /"[01XZ]+"/)) {
        line = line substr($0, 1, RSTART - 1) (RLENGTH - 2) "'b" substr($0, RSTART + 1, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH)
    }
    print line $0
}
