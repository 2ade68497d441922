#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes one target for some seconds, from the seeds, earlier failures and the corpus (corpus.sh). Repeated runs on the
# same machine try the same inputs: the random seed is fixed, SEED=N selects another. Failing inputs are saved.
#
#     testbench/fuzz/run.sh TARGET [SECONDS]
set -u
cd "$(dirname "$0")/../.." || exit 2
target=$1 seconds=${2:-5}
bin=build/asan/testbench/fuzz/$target
work=build/fuzz/run/$target
echo 1..1
if [ ! -x "$bin" ]; then
    echo "ok 1 - fuzz $target # SKIP there is no clang with libFuzzer"
    exit 0
fi
rm -rf "$work"
mkdir -p "$work/corpus"
seeds=()
for directory in {build,testbench}/fuzz/seeds/"$target" "testbench/fuzz/found/$target" "build/fuzz/corpus/$target"; do
    [ -d "$directory" ] && seeds+=("$directory")
done
case $target in
    source | listing | text_to_words) seeds+=(-dict=build/fuzz/words.dict) ;;
    ptx*) seeds+=(-dict=build/fuzz/ptx.dict) ;;
esac
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
# The address sanitizer of clang 14 sometimes crashes if the kernel randomises 32 bits of addresses.
fixed=()
setarch -R true 2> /dev/null && fixed=(setarch -R)
${fixed[@]+"${fixed[@]}"} "$bin" -seed="${SEED:-1}" -max_total_time="$seconds" -timeout=5 \
    -rss_limit_mb=2048 -max_len=8192 -artifact_prefix="$work/" "$work/corpus" ${seeds[@]+"${seeds[@]}"} \
    > "$work/log" 2>&1
code=$?
runs=$(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "$work/log")
if [ $code -eq 0 ] && [ -n "$runs" ]; then
    echo "ok 1 - fuzz $target: $runs inputs"
    exit 0
fi
echo "not ok 1 - fuzz $target"
grep -v '^#' "$work/log" | tail -40 | sed 's/^/# /'
for input in "$work"/{crash,leak,timeout,oom}-*; do
    [ -e "$input" ] && echo "# repeat with: $bin $input"
done
exit 1
