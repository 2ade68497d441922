# SPDX-License-Identifier: Apache-2.0
# The intervals of golden/float/sfu-tables.csv as a function of Verilog, for special_model.v: magnitudes of the three
# coefficients, by function (as special_t of rtl/control.def counts) and interval.
BEGIN {
    FS = ","
    number["rcp"] = 1; number["rsq"] = 2; number["lg2"] = 3; number["sin"] = 4; number["ex2"] = 6
    print "function [57:0] interval(input [2:0] table_, input [6:0] index);\n    case ({table_, index})"
}
function magnitude(x) { return x < 0 ? -x : x }
$1 in number {
    printf "    {3'd%d, 7'd%d}: interval = {30'd%d, 16'd%d, 12'd%d};\n", number[$1], $2, magnitude($3), magnitude($4), \
        magnitude($5)
}
END { print "    default: interval = 0;\n    endcase\nendfunction" }
