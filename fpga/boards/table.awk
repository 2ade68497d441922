# SPDX-License-Identifier: Apache-2.0
# docs/fpga.md with its table of boards made anew from fpga/boards/routed.tsv. A core completes at most one thread
# instruction a cycle.
#
#     awk -f fpga/boards/table.awk fpga/boards/routed.tsv docs/fpga.md

BEGIN { FS = "\t" }
FILENAME ~ /tsv$/ { if (!/^#/) row[++rows] = $0; next }
/^<!-- made by fpga\/boards\/table.awk/ {
    print
    print "| board | cores | SMs | LUT4 | FF | DSP | block RAM | MHz | instructions of threads a second, at most |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= rows; i++) {
        split(row[i], field, "\t")
        printf "| `%s` |", field[1]
        for (k = 2; k <= 8; k++) printf " %s |", field[k]
        printf " %.0f million |\n", field[2] * field[3] * field[8]
    }
    if (rows == 0) print "| none was placed and routed yet | | | | | | | | |"
    made = 1
}
/^<!-- end of what is made -->/ { made = 0 }
!made
