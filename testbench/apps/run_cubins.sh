#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs an application of the corpus from cubins of every kind, on the model, to its verified result: registers, shared
# memory and constants come from the cubin, only the launch from flags. The output of warp-dis for each cubin must
# assemble to an equivalent kernel, and so must the text cubin that warp-as makes of that. CORPUS names the folder of
# the corpus; without it the tests are skipped.
#
#     testbench/apps/run_cubins.sh NAME
set -u
cd "$(dirname "$0")/../.." || exit 2
json=${CORPUS-}/apps/$1.json
if [ -z "${CORPUS-}" ]; then
    echo 1..1
    echo "ok 1 - cubins of $1 # SKIP CORPUS is not set"
    exit 0
fi
work=build/apps/cubins-$1
bin=build/bin
mkdir -p "$work"
build/testbench/apps/corpus_launch "$json" "$work" && build/testbench/apps/corpus_cubin "$json" "$work" || exit 1

# The flags, without those that the cubin replaces.
flags=()
while read -r flag && read -r value; do
    case $flag in --reg | --shared | --const) ;; *) flags+=("$flag" "$value") ;; esac
done < "$work/flags"

count=0
check() {
    local name=$1 output
    shift
    count=$((count + 1))
    if output=$("$@" 2>&1); then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        printf '# %s\n' "$*"
        sed 's/^/# /' <<< "$output"
    fi
}

echo 1..9
for kind in text elf32 elf64; do
    check "$kind cubin" $bin/warp-run "$work/$kind.cubin" "${flags[@]}"
    $bin/warp-dis "$work/$kind.cubin" > "$work/$kind.lst" && $bin/warp-as "$work/$kind.lst" -o "$work/$kind.img" &&
        $bin/warp-as "$work/$kind.lst" --format cubin-text -o "$work/$kind-again.cubin"
    check "listing of the $kind cubin" $bin/warp-run "$work/$kind.img" "${flags[@]}"
    check "text cubin of that listing" $bin/warp-run "$work/$kind-again.cubin" "${flags[@]}"
done
