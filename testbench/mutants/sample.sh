#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Inserts each mutant of a table into its source: the test named in its row must fail. A row whose text is no longer in
# its file needs an update. Prints TAP.
#
#     testbench/mutants/sample.sh sample     a fixed sample of those of `make mutants`
#     testbench/mutants/sample.sh held       mutants that a bench holds
set -u
cd "$(dirname "$0")/../.." || exit 2
table=testbench/mutants/${1:?usage: testbench/mutants/sample.sh sample|held}.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Leaves the output in $work/log; 0 if the test passes, 2 if it cannot be built. So does bench.sh.
c_test() { # FILE TEST
    local test objects
    test=build/$(find checker cmodel testbench -name "$2.c")
    test=${test%.c}.o
    # Helpers of its folder and of the parent folder, as in the Makefile.
    mapfile -t objects < <(find "${test%/*}" "${test%/*}/../../test" -name '*.o' ! -name 'test_*' 2> /dev/null)
    gcc -std=c11 -D_GNU_SOURCE= -O1 -w -I. -iquote "${1%/*}" -c "$work/${1##*/}" -o "$work/mutant.o" \
        > "$work/log" 2>&1 &&
        gcc -o "$work/test" "$test" "$work/mutant.o" "${objects[@]}" build/libwarpstep.a -lelf -lcmocka -ljansson \
            >> "$work/log" 2>&1 || return 2
    # Ends a test that loops or waits because of a fault. A merely slow test would count as failing: without a fault
    # none of these takes more than 0.2 seconds, so that it stays below ten on a machine ten times slower.
    (ulimit -t 10; timeout 100 "$work/test") >> "$work/log" 2>&1 || return 1
}

number=0 failed=0
while IFS=$'\t' read -r file test text other _; do
    number=$((number + 1))
    name="$file: '$text' for '$other', caught by $test"
    # The first occurrence of the text.
    TEXT=$text OTHER=$other awk '
        !done && (at = index($0, ENVIRON["TEXT"])) {
            $0 = substr($0, 1, at - 1) ENVIRON["OTHER"] substr($0, at + length(ENVIRON["TEXT"]))
            done = 1
        }
        { print }
        END { exit !done }' "$file" > "$work/${file##*/}"
    code=$?
    if [ $code -ne 0 ]; then
        why="the text is not in the file"
        code=3
    elif [[ $file = *.vhd ]]; then
        testbench/mutants/bench.sh "$work/${file##*/}" "$test" "$work"
        code=$?
        why="the bench"
    else
        c_test "$file" "$test"
        code=$?
        why="the test"
    fi
    case $code in
        1) echo "ok $number - $name" ;;
        *)
            failed=1
            echo "not ok $number - $name"
            [ $code = 0 ] && why="$why passes"
            [ $code = 2 ] && why="$why cannot be built"
            echo "# $why"
            [ ! -e "$work/log" ] || tail -n 5 "$work/log" | sed 's/^/# /'
            ;;
    esac
done < <(grep -hv '^#' "$table")
echo "1..$number"
sample=$(grep -cv '^#' testbench/mutants/sample.tsv)
[ "$sample" -eq 45 ] || { echo "# the sample has $sample mutants, not 45"; failed=1; }
exit $failed
