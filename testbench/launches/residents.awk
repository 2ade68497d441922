# SPDX-License-Identifier: Apache-2.0
# Reads a trace (.txt) of a launch whose blocks have WARPS warps each and prints, for each SM, the maximum number of
# resident blocks; then the total number of blocks that began while block (LONG,0) was running; then the maximum number
# of busy SMs. A block is resident from its first record to the last record of its last warp.
BEGIN { most_sms = refilled = 0 }
/^[0-9]+ sm/ {
    sm = substr($2, 3) + 0
    if (!($4 in left)) {
        left[$4] = WARPS
        if (++there[sm] > most[sm]) most[sm] = there[sm]
        if (running_long) refilled++
        if (there[sm] == 1 && ++sms > most_sms) most_sms = sms
    }
    if ($4 == "block(" LONG ",0)") running_long = 1
    if ($NF == "finished" && --left[$4] == 0) {
        if (--there[sm] == 0) sms--
        if ($4 == "block(" LONG ",0)") running_long = 0
    }
}
END {
    for (sm = 0; sm in most; sm++) printf "%d ", most[sm]
    printf "| %d | %d\n", refilled, most_sms
}
