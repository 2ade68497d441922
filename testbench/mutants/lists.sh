#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests of the lists of mutants: source.c finds those of VHDL and C, and inserts one; draw.c chooses some, and finds the
# same ones in another list, and after code has moved. Prints TAP.
#
#     testbench/mutants/lists.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
source=$PWD/build/testbench/mutants/source draw=$PWD/build/testbench/mutants/draw
work=build/mutants-lists
rm -rf $work && mkdir -p $work && cd $work || exit 2

number=0 failed=0
expect() { # NAME COMMAND...
    number=$((number + 1))
    local verdict=ok
    "${@:2}" > log 2>&1 || { verdict="not ok" && failed=1; }
    echo "$verdict $number - $1"
    [ "$verdict" = ok ] || sed 's/^/# /' log
}

cat > a.vhd << 'END'
  constant a : bit := '0'; -- and not b
begin
      x <= not a and b; -- or c
      assert p report "this and that";
END
cat > a.c << 'END'
int f(int n);
    if (n + 2 < 3 && s("a + b")) { // c - d
        return false;
    q = 4; // = 5
    n += g[5];
END
kinds() { "$source" "$1" | cut -f 3,4 | sed "s/^$1://" | tr '\t' ' ' | paste -sd ,; }
expect "mutants of VHDL, none of a comment or a string" \
    eval '[ "$(kinds a.vhd)" = "1:23 bit,3:18 and or,3:12 not,3:7 dropped" ]'
expect "mutants of C" eval '[ "$(kinds a.c)" = "2:19 && ||,2:15 < <=,2:11 + -,2:15 < >=,2:9 negated,2:13 constant,'\
'2:17 constant,3:9 true,4:5 dropped,4:9 constant,5:7 += -=,5:5 dropped,5:12 constant" ]'
expect "one is put in" eval '"$source" -m a.vhd:3:18:and_or a.vhd | diff - <(sed "3s/ and / or /" a.vhd)'
expect "a condition becomes its opposite" eval '"$source" -m a.c:2:9:negated a.c |
    grep -qxF "    if (!(n + 2 < 3 && s(\"a + b\"))) { // c - d"'
expect "one that is not there is an error" eval '! "$source" -m a.vhd:3:18:or_and a.vhd > out 2> said &&
    grep -q "a.vhd:3:18:or_and: no such mutant" said'

# Ten entities of 1, 4, 9 ... mutants each.
cat > e.vhd << 'END'
one
two
END
for e in {1..10}; do
    for ((i = 1; i <= e * e; i++)); do
        printf 'm/e%d_%d\te%d\te.vhd:%d:%d\tzero:%d\n' $e $i $e $((i % 2 + 1)) $e $i
    done
done > all
expect "as many are chosen of each as the root says, two at least" eval '"$draw" choose 55 1 all > chosen &&
    [ "$(cut -f 3 chosen | uniq -c | tr -s " \n" " ")" = \
    " 1 e1 2 e2 3 e3 4 e4 5 e5 6 e6 7 e7 8 e8 9 e9 10 e10 " ] && cut -f 1 chosen | diff - <(seq 55)'
expect "by the seed" eval '"$draw" choose 55 2 all | cut -f 2 | { ! cmp -s - <(cut -f 2 chosen); }'
moved() { # of a file with one more line
    sed 's/e\.vhd:2:/f.vhd:3:/; s/e\.vhd:1:/f.vhd:2:/' all > others && { echo new && cat e.vhd; } > f.vhd &&
        "$draw" choose 55 1 others | cut -f 1,2 | diff - <(cut -f 1,2 chosen)
}
expect "code that moves changes nothing" moved
expect "the same ones are found in another list" eval '"$draw" like all chosen others | cut -f 1,2 |
    diff - <(cut -f 1,2 chosen)'
expect "names say the turn and the line" eval '[ "$("$draw" names all | tail -n 1)" = $'"'m/e10_100\t50\tone'"' ]'
expect "a list that is not there is an error" eval '! "$draw" choose 1 1 none'
echo "1..$number"
exit $failed
