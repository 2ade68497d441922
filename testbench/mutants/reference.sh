#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs one trial (a line of trials.sh) without a mutant, with this number of cores, which must pass: writes its JSON to
# DIR/right/NAME.json, and the numbers of all mutants that would change anything in it to DIR/active/NAME. A kernel that
# does not fit in this small memory leaves no result, and is skipped.
#
#     testbench/mutants/reference.sh DIR BYTES CORES NAME
set -u
dir=$1 bytes=$2 cores=$3 name=$4
IFS=$'\t' read -r _ _ kernel flags < <(grep -m 1 "^$name	" "$dir/trials")
read -ra flags <<< "$flags"
right=$dir/right/$name.json
text=$(sed -n 's|^// trap: *||p' "$kernel")
code_of_trap=$(sed -n 's|^// must trap with code *||p' "$kernel")
must=0
[ -z "$text$code_of_trap" ] || must=3

rm -f "$dir/active/$name"
WARPSTEP_MUTANTS_ACTIVE=$dir/active/$name build/bin/warp-lockstep "$kernel" "${flags[@]}" --json --no-wave \
    --sim "$dir/libsim-mutants.so" --cores "$cores" --global-bytes "$bytes" --silence 5000 > "$right" 2> "$right.log"
code=$?
if grep -q 'error: launch does not fit' "$right.log"; then exit 0; fi
# Local memory is not at the place of the default size: a random kernel may read it as global memory.
if [[ $name = random-* ]] && [ $code = 1 ] && grep -q 'global14 \[' "$right.log"; then
    echo "$name reads local memory as global memory: left out"
    rm "$dir/active/$name"
    exit 0
fi
trapped() { [ $must = 0 ] || grep -q "\"code\":${code_of_trap:-[0-9]}" "$right"; }
if [ $code -ne $must ] || ! grep -q "$text" "$right" || ! trapped; then
    echo "$name: exit code $code, must be $must, without a mutant; $right.log says more" >&2
    exit 255 # ends xargs
fi
