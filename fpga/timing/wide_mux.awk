# SPDX-License-Identifier: Apache-2.0
# The slices of an ECP5 have multiplexers beside their LUTs, and eight words need four LUT4 a bit where gates need five.
# yosys' mapper knows these multiplexers as part of LUTs of five and six inputs only. wide_mux.v has them, and takes the
# place of rtl/common/mux_word.vhd where there are that many words or more.
#
#     awk -f wide_mux.awk FILE.v > FILE.wide.v                which needs wide_mux.v

/^module mux_word_/ {
    split($2, name, "_") # mux, word, CORES
    replaced = name[3] >= 8
}
/^endmodule/ { left_out = replaced = 0 }
!left_out { print }
replaced && /\);$/ {
    printf "  wide_mux #(.WORDS(%d), .BITS(%d)) u_mux (.words_i(words_i), .index_i(index_i), .word_o(word_o));\n",
        name[3], 32
    left_out = 1
    replaced = 0
}
