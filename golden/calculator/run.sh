#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks the calculator and prints TAP: its rules give the canonical rows of the semantic vectors, and the expected
# values of kernels/formats, regress and bringup; `expects --write` restores these values exactly after they are wiped
# out; and README.md of these folders lists the kernels that are computed by hand.
set -u
cd "$(dirname "$0")/../.." || exit 2
built=build/golden/calculator
failed=0

$built/vectors golden/vectors/int_*.tsv golden/vectors/atom32.tsv || failed=1
$built/expects kernels/{formats,regress,bringup}/*.sass || failed=1

test_number=0
report() { # name, error
    test_number=$((test_number + 1))
    [ -z "$2" ] && { echo "ok $test_number - $1"; return; }
    echo "not ok $test_number - $1"
    head -20 <<< "$2" | sed 's/^/# /'
    failed=1
}

# Zeros for the hexadecimal values of .expect; addresses, comments, and values with a parameter of .rept stay.
wipe() {
    awk '{
        comment = match($0, "//") ? substr($0, RSTART) : ""
        text = substr($0, 1, length($0) - length(comment))
        kept = ""
        if (text ~ /^ *\.expect/ && text !~ /\\/) {
            expects = 1
            kept = substr(text, 1, index(text, "="))
            text = substr(text, length(kept) + 1)
        }
        if (expects) {
            while (match(text, /0x[0-9a-f]+/)) {
                zeros = substr(text, RSTART + 2, RLENGTH - 2)
                gsub(/./, "0", zeros)
                kept = kept substr(text, 1, RSTART - 1) "0x" zeros
                text = substr(text, RSTART + RLENGTH)
            }
            expects = text ~ /, *$/
        }
        print kept text comment
    }' "$1"
}

wiped=$(mktemp -d)
trap 'rm -rf "$wiped"' EXIT
mkdir "$wiped/kernels" "$wiped"/kernels/{formats,regress,bringup}
cp kernels/formats/*.inc "$wiped/kernels/formats"
cp kernels/bringup/*.inc "$wiped/kernels/bringup"
by_hand=$(grep -l '^// Worked by hand: ' kernels/{formats,regress,bringup}/*.sass)
kernels=$(comm -23 <(printf '%s\n' kernels/{formats,regress,bringup}/*.sass | sort) <(sort <<< "$by_hand"))
for kernel in $kernels; do wipe "$kernel" > "$wiped/$kernel"; done
changed=$(for kernel in $kernels; do cmp -s "$kernel" "$wiped/$kernel" || echo "$kernel"; done | wc -l)
$built/expects --write "$wiped"/kernels/*/*.sass > /dev/null
report "wiped values of $changed kernels are written again" \
    "$(for kernel in $kernels; do diff "$kernel" "$wiped/$kernel"; done)"

report "README.md lists the kernels that are worked by hand" \
    "$(diff <(sed 's,.*/,,; s/\.sass$//' <<< "$by_hand" | sort) \
        <(awk -v RS= '/^Worked by hand/' kernels/{formats,regress,bringup}/README.md | grep -o '`[a-zTPX0-9-]*`' |
            tr -d '`' | sort))"
echo 1..$test_number
exit $failed
