#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs sources as people write them: whole programs in CUDA C, intrinsics, and refused sources with their messages.
# Prints TAP; one skipped line without clang.
#
#     testbench/compiler/accept.sh [TEXT]      only cases with TEXT in their line of accept/cases.tsv
set -u
cd "$(dirname "$0")/accept" || exit 2
root=../../..
work=$root/build/compiler/accept
mkdir -p $work
for value in 1 2 3 4 5 6 7 10; do printf '%b' "\\0$value\\0\\0\\0"; done > $work/IN # octal
printf '\0\074\0\100' > $work/HALVES
printf '\202\201' > $work/BYTES
if ! $root/build/bin/warp-cc printf.cl -o $work/printf.img 2> $work/log && grep -q 'clang not found' $work/log; then
    echo "ok 1 - sources as people write them # SKIP $(sed 's/.*error: //' $work/log)"
    echo "1..1"
    exit 0
fi

number=0 failed=0
report() { # GOOD TITLE
    number=$((number + 1))
    if [ "$1" = 1 ]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2"
        sed 's/^/# /' $work/log
    fi
}

while IFS=$'\t' read -r file options wanted; do
    case "$file $options $wanted" in
    '#'*) continue ;;
    *"${1-}"*) ;;
    *) continue ;;
    esac
    options=${options//IN/$work/IN} options=${options//HALVES/$work/HALVES}
    options=${options//BYTES/$work/BYTES} options=${options//OUT/$work/OUT}
    rm -f $work/OUT
    # shellcheck disable=SC2086 # options are a list of words
    $root/build/bin/warp-run "$file" $options > $work/log 2>&1
    code=$? good=0
    if [ "${wanted%% *}" = = ]; then
        found=$(od -An -v -t x4 $work/OUT 2>> $work/log | tr -s ' \n' ' ' | sed 's/ 0*\([0-9a-f]\)/ \1/g; s/ $//')
        echo "exit code $code, words$found" >> $work/log
        [ $code = 0 ] && case "$found " in "${wanted#=} "*) good=1 ;; esac
    else
        echo "exit code $code" >> $work/log
        [ $code = "${wanted%% *}" ] && grep -qF -- "${wanted#* }" $work/log && good=1
    fi
    report $good "$file: ${wanted}"
done < cases.tsv
echo "1..$number"
exit $failed
