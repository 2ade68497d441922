# SPDX-License-Identifier: Apache-2.0
# The chosen mutants of one netlist as they are in another, of other generics: those of the same name (names.awk); of a
# loop of another length it may be another turn. Writes the list of the other netlist, with the numbers of the first.
#
#     awk -f names.awk -f like.awk FIRST/all.list FIRST/netlist.list OTHER/all.list

BEGIN { FS = OFS = "\t" }
FNR == 1 { file++; split("", turns) }
file == 1 { name[$1] = name_of($2, $3, $4); next }
file == 2 { number[name[$2]] = $1; next }
{
    which = name_of($2, $3, $4)
    if (which in number) print number[which], $0
}
