# SPDX-License-Identifier: Apache-2.0
# Gives the cases of ghdl's Verilog the default that they lack: unknown, which a proof takes as any value. Yosys would
# make a latch of them, that keeps the value before. Takes the comments out, which number lines of the VHDL.
/^ *\/\*.*\*\/$/          { next }
/^ *case /                { target = ""; complete = 0 }
/^ *[0-9]+'b[01]+: .* <= / { target = $2 }
/^ *default:/             { complete = 1 }
/^ *endcase/ && !complete { print "      default: " target " <= 'bx;" }
                          { print }
