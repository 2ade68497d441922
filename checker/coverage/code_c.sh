#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Coverage of the C side by unit tests, kernels and random kernels, from gcov, as a table: file, total lines and
# branches, and executed lines (taken branches).
#
#     checker/coverage/code_c.sh > build/coverage/c.tsv
set -u
cd "$(dirname "$0")/../.." || exit 2
built=$PWD/build/gcov
root=$built/root
find "$built" -name '*.gcda' -delete

# The tree that the tests expect, with the tools of this build in place of the usual ones.
rm -rf "$root" && mkdir -p "$root/build" "$built/covered" || exit 2
for entry in * .ci .clang-format; do [ "$entry" = build ] || ln -s "$PWD/$entry" "$root/$entry"; done
ln -s "$built/bin" "$root/build/bin"
[ -e "$built/sim" ] || ln -s "$PWD/build/sim" "$built/sim" # beside the tools, where they look for it
for entry in sim testbench libwarpstep.a libwarpstep.so golden; do
    [ ! -e "build/$entry" ] || ln -s "$PWD/build/$entry" "$root/build/$entry"
done

commands() {
    local test kernel
    for test in $(cd "$built" && find . -path '*/test/test_*' -type f -perm -u+x); do echo "$built/${test#./}"; done
    for kernel in kernels/apps/*.sass; do
        echo "build/bin/warp-lockstep $kernel --json --coverage $built/covered"
        echo "build/bin/warp-as --list $kernel; build/bin/warp-run --trace $built/trace.txt $kernel"
    done
    for kernel in kernels/traps/*.sass; do
        echo "build/bin/warp-run $kernel; build/bin/warp-lockstep $kernel --coverage $built/covered"
    done
    for kernel in kernels/sms/*.sass; do echo "build/bin/warp-lockstep $kernel --sms 2"; done
    echo "WARPSTEP_COVERAGE=$built/covered build/bin/warp-fuzz --seed 1 --count 10 --cores 8 --out $built/fuzz"
    echo "build/bin/warp-fuzz --seed 1 --count 3 --print"
}
commands | (cd "$root" && xargs -d '\n' -P "${JOBS:-$(nproc)}" -I{} bash -c '{}' > "$built/log" 2>&1)
! grep -F '[  FAILED  ]' "$built/log" >&2 || exit 1

find "$built" -name '*.gcda' ! -path '*/test/*' ! -path '*/leave/*' | sort | while read -r data; do
    gcov -b -n "$data" 2> /dev/null
done | awk '
    function number(text, of) { sub(/%.*/, "", text); sub(/.*:/, "", text); return text * of / 100 }
    /^File/ { file = $0; gsub(/^File .|.$/, "", file); next }
    file !~ /^(assembler|cmodel|testbench)\/.*\.c$/ { next }
    /^Lines executed/ { n = $NF; if (n > all[file]) all[file] = n; hit[file] = number($0, n) }
    /^Taken at least once/ { branches[file] = $NF; taken[file] = number($0, $NF) }
    /^No branches/ { branches[file] = 0; taken[file] = 0 }
    END {
        for (f in all) printf "%s\t%d\t%.0f\t%d\t%.0f\n", f, all[f], hit[f], branches[f], taken[f]
    }' | sort
