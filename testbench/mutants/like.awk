# SPDX-License-Identifier: Apache-2.0
# The chosen mutants of one netlist as they are in another, of other generics: same entity, place and kind, and as many
# like it before it, as loops are unrolled in their order; of a loop of another length it may be another turn. Writes
# the list of the other netlist, with the numbers of the first, and of the first's nets, so that the same bits are
# changed where there are as many.
#
#     awk -f like.awk FIRST/all.list FIRST/netlist.list OTHER/all.list

BEGIN { FS = OFS = "\t" }
function like(entity, place, kind,    which) {
    sub(/:.*/, "", kind)
    which = entity FS place FS kind
    before[which]++
    return which FS before[which]
}
FNR == 1 { file++; split("", before) }
file == 1 { name[$1] = like($2, $3, $4); next }
file == 2 {
    number[name[$2]] = $1
    net[name[$2]] = $2
    gsub(/^[^\/]*\/n|_.*/, "", net[name[$2]])
    next
}
{
    which = like($2, $3, $4)
    if (which in number) print number[which], $0, net[which]
}
