#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# regroup gives each reader of a copied signal the nearest copy, and leaves readers without a choice alone. Prints TAP.
#
#     fpga/timing/regroup.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/timing/regroup.work
mkdir -p $work
# NAME TYPE PLACE INPUT OUTPUT, ports as "A":[10]: the register "from" and two copies, one of a copy, in three
# corners; their readers; another register.
cells() {
    while read -r name type place input output; do
        printf '%s"%s":{"connections":{%s%s},"type":"%s","attributes":{"NEXTPNR_BEL":"%s"},"port_directions":{%s}}' \
            "${comma-}" "$name" "$input" "${output:+,$output}" "$type" "$place" \
            '"A":"input","DI":"input","M":"input","CE":"input","ADA5":"input","F":"output","Q":"output"'
        comma=,
    done << 'END'
from TRELLIS_FF X10/Y10/SLICEA.FF0 "M":[1] "Q":[10]
from_copy_30 TRELLIS_FF X50/Y10/SLICEA.FF0 "M":[1] "Q":[11]
from_copy_30_copy_40 TRELLIS_FF X10/Y60/SLICEA.FF0 "M":[1] "Q":[12]
right TRELLIS_COMB X45/Y12/SLICEB.K0 "A":[10] "F":[20]
left TRELLIS_COMB X12/Y9/SLICEB.K0 "A":[12] "F":[21]
low TRELLIS_COMB X12/Y50/SLICEB.K0 "A":[11] "F":[22]
here TRELLIS_COMB X9/Y11/SLICEB.K0 "A":[10] "F":[23]
one_enable TRELLIS_FF X30/Y10/SLICEA.FF0 "CE":[11] "Q":[24]
its_neighbour TRELLIS_FF X30/Y10/SLICEC.FF1 "CE":[10] "Q":[25]
memory DP16KD X40/Y10/EBR0 "ADA5":[12]
product MULT18X18D X50/Y20/MULT18_0 "A":[10]
beside TRELLIS_FF X50/Y10/SLICEB.FF0 "DI":[12] "Q":[26]
pin TRELLIS_IO X50/Y0/PIOA "A":[10]
other TRELLIS_FF X10/Y11/SLICEA.FF0 "M":[1] "Q":[13]
its_reader TRELLIS_COMB X50/Y10/SLICEC.K0 "A":[13] "F":[27]
END
}
printf '{"modules":{"top":{"attributes":{"top":"00000000000000000000000000000001"},"cells":{%s}}}}\n' "$(cells)" \
    > $work/before.json
build/fpga/timing/regroup $work/before.json > $work/after.json 2> $work/log || { cat $work/log; exit 2; }

echo 1..8
verdict() { # NAME CONDITION...
    number=$((${number:-0} + 1))
    if "${@:2}"; then echo "ok $number - $1"; else echo "not ok $number - $1"; failed=1; fi
}
reads() { # CELL PORT WIRE
    grep -q "\"$1\":{\"connections\":{\"$2\":\[$3\]" $work/after.json
}
all() { # "CELL PORT WIRE"...
    local each
    for each; do
        # shellcheck disable=SC2086
        reads $each || { echo "# not $each"; return 1; }
    done
}
verdict "who is near a copy reads it, or the original" all "right A 11" "left A 10" "low A 12" "here A 10"
verdict "registers of a tile have one enable" all "one_enable CE 10" "its_neighbour CE 10"
verdict "memory chooses" all "memory ADA5 11"
verdict "products, pins and a register beside its LUT do not" all "product A 10" "pin A 10" "beside DI 12"
verdict "what has no copies stays" all "its_reader A 13"
verdict "what drives them stays" all "from M 1" "from_copy_30 M 1" "from_copy_30_copy_40 M 1"
verdict "it counts: $(cat $work/log)" grep -q 'regroup: 1 signals have copies; 5 readers' $work/log
sed 's/"NEXTPNR_BEL":"[^"]*"//g' $work/before.json > $work/nowhere.json
verdict "changes nothing where nothing is placed" \
    cmp -s <(build/fpga/timing/regroup $work/nowhere.json 2> /dev/null) <(tr -d '\n' < $work/nowhere.json)
exit "${failed:-0}"
