#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles kernels whose comments list what their listings must contain and must not contain, and compares. Prints TAP,
# a line a kernel; one skipped line without clang.
#
#     // has: REGEX        extended, of a line
#     // lacks: REGEX
#     // follows: REGEX    in the whole listing, with ; for line ends
#     // registers: N      at most
#     // options: ...      of warp-cc, for this kernel
#
#     testbench/compiler/listing.sh [FILE...]      listing.cl and listing-few.cl
set -u
cd "$(dirname "$0")/../.." || exit 2
[ $# -gt 0 ] || set -- testbench/compiler/listing.cl testbench/compiler/listing-few.cl
if [ -z "${WARPSTEP_CLANG-}" ] && ! testbench/toolchain/clang.sh clang > /dev/null; then
    echo "ok 1 - listings # SKIP clang not found"
    echo 1..1
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failed=0

# The listing of one kernel without the names of the source, which could match accidentally.
listing() { # KERNEL
    awk -v name="$1" '$1 == ".kernel" { in_it = $2 == name } in_it { sub(/  \/\/.*/, ""); print }' "$work/all.sass"
}
judge() { # KERNEL, by the wishes in $work/wanted
    local what rest wrong=
    listing "$1" > "$work/one.sass"
    while read -r what rest; do
        case $what in
            has:) grep -Eq -- "$rest" "$work/one.sass" || wrong+="# does not have $rest"$'\n' ;;
            follows:) tr '\n' ';' < "$work/one.sass" | grep -Eq -- "$rest" || wrong+="# nowhere is $rest"$'\n' ;;
            lacks:) ! grep -E -- "$rest" "$work/one.sass" > "$work/found" ||
                wrong+="# has $rest: $(head -1 "$work/found")"$'\n' ;;
            registers:) [ "$(sed -nE 's/^[[:space:]]*\.reg //p' "$work/one.sass")" -le "$rest" ] ||
                wrong+="# more than $rest registers"$'\n' ;;
        esac
    done < "$work/wanted"
    number=$((number + 1))
    echo "${wrong:+not }ok $number - $1"
    [ -z "$wrong" ] || { failed=1 && printf '%s' "$wrong" && sed 's/^/#     /' "$work/one.sass"; }
}
for file in "$@"; do
    options=() compiled=
    : > "$work/wanted"
    while IFS= read -r line; do
        case $line in
            '// options: '*) read -ra options <<< "${line#// options: }" ;;
            '// has: '* | '// lacks: '* | '// follows: '* | '// registers: '*) echo "${line#// }" >> "$work/wanted" ;;
            '__kernel void '*)
                if [ "$compiled" != "${options[*]-} " ]; then
                    build/bin/warp-cc "$file" -S -o "$work/all.sass" ${options[@]+"${options[@]}"} || exit 1
                    compiled="${options[*]-} "
                fi
                name=${line#__kernel void }
                judge "${name%%(*}"
                options=()
                : > "$work/wanted"
                ;;
        esac
    done < "$file"
done
echo "1..$number"
exit $failed
