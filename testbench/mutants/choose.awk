# SPDX-License-Identifier: Apache-2.0
# Draws mutants from a list, spread over the entities: as many of each as the square root of its number says, two at
# least. Which ones depends on SEED and each one's own name (names.awk): elsewhere code may change, and more be drawn,
# and they stay. Numbers them from 1.
#
#     awk -v count=1000 -v seed=1 -f names.awk -f choose.awk LIST

BEGIN { FS = OFS = "\t" }

{
    line[NR] = $0
    rank[NR] = hash(seed FS name_of($2, $3, $4))
    member[$2, ++among[$2]] = NR
}

function quota(e, share,    q) {
    q = int(share * sqrt(among[e]) + 0.5)
    if (q < 2) q = 2
    return q < among[e] ? q : among[e]
}

# Chooses the lowest rank of an entity that is left.
function choose(e,    i, lowest) {
    for (i = 1; i <= among[e]; i++)
        if (!(member[e, i] in chosen) && (lowest == "" || rank[member[e, i]] < rank[lowest])) lowest = member[e, i]
    chosen[lowest]
}

END {
    low = 0
    high = 1000
    for (i = 0; i < 40; i++) {
        share = (low + high) / 2
        total = 0
        for (e in among) total += quota(e, share)
        if (total > count) high = share; else low = share
    }
    for (e in among) for (i = quota(e, low); i > 0; i--) choose(e)
    for (i = 1; i <= NR; i++) if (i in chosen) print ++number, line[i]
}
