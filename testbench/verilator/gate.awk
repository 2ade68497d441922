# SPDX-License-Identifier: Apache-2.0
# Gives modules whose registers hold while nothing moves a clock of their own, gpu_clocked.NAME_clk, which the driver
# raises only in cycles in which something does (see clocked.awk): Verilator then leaves out all that follows from them.
# So do the SMs, one for all of them: they hold between grids, while the host clears and reads global memory.
#
#     awk -f gate.awk gpu_flat-C8-S1.v > gated.v

/^module / {
    clock = ""
    if ($2 ~ /^decode_(word_.*|[0-9a-f]+)$/) clock = "decode"
    if ($2 ~ /^store_words_/) clock = "store"
    if ($2 ~ /^(float_(operands|product|add|normalise|round)|special_unit)$/) clock = "unit"
}
$1 ~ /^sm_/ && $2 ~ /_u_sm$/ {
    print
    getline
    sub(/\(clk\)/, "(gpu_clocked.sm_clk)")
}
clock != "" { sub(/posedge clk\)/, "posedge gpu_clocked." clock "_clk)") }
{ print }
