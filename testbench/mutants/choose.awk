# SPDX-License-Identifier: Apache-2.0
# Draws mutants from a list, spread over the entities: as many of each as the square root of its number says, two at
# least, the same ones for the same seed. Numbers them from 1.
#
#     awk -v count=1000 -v seed=1 -f choose.awk LIST

BEGIN { FS = OFS = "\t" }

# Numbers below 2^31 that awk's doubles hold exactly.
function draw(n) {
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}

{ entity[NR] = $2; line[NR] = $0; among[$2]++ }

function quota(e, share,    q) {
    q = int(share * sqrt(among[e]) + 0.5)
    if (q < 2) q = 2
    return q < among[e] ? q : among[e]
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
    for (e in among) wanted[e] = quota(e, low)
    state = seed * 7919 + 1
    for (i = 0; i < 10; i++) draw(1)
    # One after the other, each with the chance that fills its entity's quota.
    for (i = 1; i <= NR; i++) {
        e = entity[i]
        if (draw(among[e]--) < wanted[e]) {
            wanted[e]--
            print ++chosen, line[i]
        }
    }
}
