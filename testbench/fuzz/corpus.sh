#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes every target in turn for some hours in all, from the seeds, earlier failures and the present corpus, then keeps
# a minimal set of inputs with the same coverage, packed into testbench/fuzz/corpus/TARGET.tar.gz. Failing inputs are
# left in build/fuzz/corpus/failed/TARGET, and the exit code is 1.
#
#     testbench/fuzz/corpus.sh HOURS [TARGET ...]         whole hours or decimals; 0 only packs the present corpus
#     testbench/fuzz/corpus.sh -x                         only unpacks, to build/fuzz/corpus/TARGET
set -u
cd "$(dirname "$0")/../.." || exit 2
packed=testbench/fuzz/corpus
work=build/fuzz/corpus
mkdir -p "$work/failed" "$work/log" "$packed"

unpack() {
    local archive
    for archive in "$packed"/*.tar.gz; do [ ! -e "$archive" ] || tar -xzf "$archive" -C "$work"; done
}
if [ "${1-}" = -x ]; then
    unpack
    exit
fi
hours=$1
shift
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(find build/asan/testbench/fuzz -maxdepth 1 -type f -executable -printf '%f\n' |
    sort)
unpack
seconds=$(awk -v hours="$hours" -v targets=${#targets[@]} 'BEGIN { print int(hours * 3600 / targets) }')
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
# The address sanitizer of clang 14 sometimes crashes if the kernel randomises 32 bits of addresses.
fixed=()
setarch -R true 2> /dev/null && fixed=(setarch -R)

# The files of $1, packed reproducibly.
pack() { # TARGET
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$1" | gzip -9n \
        > "$packed/$1.tar.gz"
}

# A corpus of more than MOST packed bytes loses its longest inputs, a tenth at a time.
MOST=250000
trim() { # TARGET
    local count
    while pack "$1" && [ "$(stat -c %s "$packed/$1.tar.gz")" -gt $MOST ]; do
        count=$(find "$work/$1" -type f | wc -l)
        find "$work/$1" -type f -printf '%s %p\n' | sort -rn | head -n $((count / 10 + 1)) | cut -d' ' -f2- |
            xargs rm -f
    done
}

failed=0
for target in "${targets[@]}"; do
    flags=(-timeout=5 -rss_limit_mb=2048 -max_len=8192 "-artifact_prefix=$work/failed/$target-")
    case $target in
        source | listing | text_to_words) flags+=(-dict=build/fuzz/words.dict) ;;
        ptx*) flags+=(-dict=build/fuzz/ptx.dict) ;;
    esac
    inputs=()
    for directory in {build,testbench}/fuzz/seeds/"$target" "testbench/fuzz/found/$target"; do
        [ -d "$directory" ] && inputs+=("$directory")
    done
    mkdir -p "$work/$target"
    run=(${fixed[@]+"${fixed[@]}"} "build/asan/testbench/fuzz/$target" "${flags[@]}")
    if [ "$seconds" -gt 0 ]; then
        "${run[@]}" -max_total_time="$seconds" "$work/$target" ${inputs[@]+"${inputs[@]}"} \
            > "$work/log/$target" 2>&1 || { failed=1 && echo "$target: failed, see $work/log/$target, $work/failed"; }
    fi
    rm -rf "$work/merged" && mkdir -p "$work/merged/$target"
    # Coverage of the seeds needs no other input: they come first, and are removed again.
    "${run[@]}" -merge=1 "$work/merged/$target" ${inputs[@]+"${inputs[@]}"} "$work/$target" \
        > "$work/log/$target.merge" 2>&1 || { failed=1 && echo "$target: does not merge, see $work/log/$target.merge"; }
    [ ${#inputs[@]} -eq 0 ] ||
        find "${inputs[@]}" -type f -exec sha1sum {} + | cut -d' ' -f1 | sort -u |
        while read -r input; do rm -f "$work/merged/$target/$input"; done
    rm -rf "${work:?}/$target" && mv "$work/merged/$target" "$work/$target"
    trim "$target"
    echo "$target: $(find "$work/$target" -type f | wc -l) inputs, $(stat -c %s "$packed/$target.tar.gz") bytes packed"
done
exit $failed
