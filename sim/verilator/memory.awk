# SPDX-License-Identifier: Apache-2.0
# Finds global memory in the header of Verilator's code: an array for each byte of a line in block RAM, or of a beat of
# the memory behind a bus. Prints nothing for several banks, whose lines are hashed.
#
#     awk -f memory.awk Vgpu_flat___024root.h      MEMORY(WORD, BYTE, NAME), for each array
/VlUnpacked<CData\/\*7:0\*\/, [0-9]+> / && match($0, /[A-Za-z_0-9]+;/) {
    name = substr($0, RSTART, RLENGTH - 1)
    if (name ~ /each_bank_n2_/) banks = 1
    if (!match(name, /(u_memory__DOT__word|in_block_ram_u_global__DOT__each_bank_n1_words)_n[0-9]+_u_/)) next
    split(substr(name, RSTART, RLENGTH), part, /_n/)
    word = part[length(part)] + 0
    if (!match(name, /__DOT__access_memory_memory_n[0-9]+$/)) next
    split(substr(name, RSTART), part, /_n/)
    line[++count] = "MEMORY(" word - 1 ", " part[length(part)] - 1 ", " name ")"
}
END { for (i = 1; i <= count && !banks; i++) print line[i] }
