# SPDX-License-Identifier: Apache-2.0
# Writes signed products in the Verilog of ghdl --synth as such. ghdl extends both factors to the width of the product
# and multiplies them as unsigned numbers, which is the same, but a multiplier of four times the size. What is not of
# that form stays as it is.
#
#     ghdl --synth ... --out=verilog ... | awk -f signed_products.awk > FILE.v

/^module / { split("", extended) }
$1 == "assign" && $3 == "=" && / \/\/ sext$/ {               # assign NET = {{COUNT{FACTOR[HIGH]}}, FACTOR}; // sext
    factor = $5
    if (sub(/};$/, "", factor) && factor ~ /^[a-z_0-9]+$/ && index($4, "{" factor "[")) extended[$2] = factor
}
$1 == "assign" && $3 == "=" && $5 == "*" && / \/\/ smul$/ {  # assign NET = NET * NET; // smul
    right = $6
    sub(/;$/, "", right)
    if ($4 in extended && right in extended)
        $0 = "  assign " $2 " = $signed(" extended[$4] ") * $signed(" extended[right] "); // smul"
}
{ print }
