# SPDX-License-Identifier: Apache-2.0
# ghdl makes of a memory with several write enables one memory for each, so a block RAM or more. A block RAM has an
# enable for each of its bytes, and ram_columns.v says so. It takes the place of those memories of ram_1r1w.vhd
# that do not promise new data. ghdl names a module after its generics and the digest of the last one.
#
#     awk -f columns.awk FILE.v > FILE.columns.v              which needs ram_columns.v

BEGIN { no_new_data = "5ba93c9db0cff93f52b521d7420e43f6eda2784f" } # SHA-1 of a byte 0, which is false
/^module ram_1r1w_/ {
    split($2, generic, "_") # ram, 1r1w, ADDR_BITS, COLUMN_BITS, COLUMNS, SEED, NEW_DATA
    replaced = generic[5] > 1 && generic[7] == no_new_data
}
/^endmodule/ { left_out = replaced = 0 }
!left_out { print }
replaced && /\);$/ {
    printf "  ram_columns #(.ADDR_BITS(%d), .COLUMN_BITS(%d), .COLUMNS(%d)) u_columns (.clk(clk), .re_i(re_i),\n",
        generic[3], generic[4], generic[5]
    print "    .raddr_i(raddr_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i), .rdata_o(rdata_o));"
    left_out = 1
    replaced = 0
}
