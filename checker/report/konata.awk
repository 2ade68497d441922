# SPDX-License-Identifier: Apache-2.0
# Reads a trace for Konata by the rules of Konata's own reader, and by those of the pipeline: a stage begins in an
# instruction that has begun and not left, a lane's stages follow the order of `stages`, each once except those in which
# a beat waits, and a retiring instruction has passed all of them. Prints each retired instruction: the cycle of its
# last stage, thread and label; at the end, on standard error, the violations.
#
#     awk -v stages='SELECT READ WORD CHECK HOLD ROWS ...' -f konata.awk t.kanata

BEGIN { FS = "\t"; for (count = split(stages, list, " "); ++n <= count;) order[list[n]] = n }

function wrong(what) {
    print FILENAME ":" FNR ": " what ": " $0 > "/dev/stderr"
    failed = 1
}

FNR == 1 { if ($0 != "Kanata\t0004") wrong("no header"); next }
$1 == "C=" { cycle = $2; next }
$1 == "C" { if ($2 < 1) wrong("time stands still"); cycle += $2; next }
$1 == "I" {
    if ($2 != begun++) wrong("not the next number")
    thread[$2] = $4
    alive[$2] = 1
    next
}
!alive[$2] { wrong("no such instruction"); next }
$1 == "L" { label[$2] = $4; next }
$1 == "S" {
    if (!($4 in order)) wrong("unknown stage")
    if (order[$4] <= order[stage[$2, $3]]) wrong("behind " stage[$2, $3])
    if ($3 == 0 && order[$4] != order[stage[$2, 0]] + 1) wrong("comes from " stage[$2, 0])
    if ($3 != 0 && !(($2, $3) in stage) && $4 != "ROWS") wrong("does not begin in ROWS")
    if (($2, $3) in ended) wrong("the lane has ended")
    stage[$2, $3] = $4
    lanes[$2] = lanes[$2] " " $3
    next
}
$1 == "E" {
    if (stage[$2, $3] != $4) wrong("not its stage")
    ended[$2, $3] = 1
    last[$2] = $4
    next
}
$1 == "R" {
    for (n = split(lanes[$2], each, " "); n > 0; n--) if (!(($2, each[n]) in ended)) wrong("lane " each[n] " is open")
    if ($4 == 0) {
        if ($3 != retired++) wrong("not the next to retire")
        if (last[$2] != list[count]) wrong("ends in " last[$2])
        print cycle - 1, thread[$2], label[$2]
    }
    delete alive[$2]
    next
}
{ wrong("unknown line") }

END { for (id in alive) { print FILENAME ": " id " has not left" > "/dev/stderr"; failed = 1 } exit failed }
