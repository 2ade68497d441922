# SPDX-License-Identifier: Apache-2.0
# ghdl writes before each statement of its Verilog, as a comment, which line of the VHDL it comes from. This makes of
# the comment what Verilog has for it, so that yosys names lines of VHDL as the source of each register.
#
#     awk -f lines.awk FILE.v > FILE.lines.v

# /* rtl/front/sched.vhd:60:5  */
$1 == "/*" && $3 == "*/" && split($2, place, ":") == 3 {
    line = place[2]
    file = place[1]
    next
}
/^(module|endmodule)/ { file = "" }
file != "" { print "`line " line " \"" file "\" 0" }
{ print }
