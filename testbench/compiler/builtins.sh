#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# OpenCL's built-in functions, called with random operands of each type and width, compiled, run on the model, and
# compared with results of the host (builtins/). Prints TAP, the seed first.
#
#     [SEED=N] testbench/compiler/builtins.sh [-w "WIDTH ..."] [TYPE...]    default: 1 2 3 4 8 16; char to ulong, float
set -u
cd "$(dirname "$0")/../.." || exit 2
widths="1 2 3 4 8 16"
if [ "${1-}" = -w ]; then
    widths=$2
    shift 2
fi
[ $# -gt 0 ] || set -- char uchar short ushort int uint long ulong float
seed=${SEED:-$((RANDOM * 32768 + RANDOM + 1))}
tool=build/testbench/compiler/builtins/builtins
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if build/bin/warp-cc --emit-ptx kernels/c/saxpy.cl -o "$work/k.ptx" 2>&1 | grep 'clang not found'; then
    echo "ok 1 - OpenCL's built-in functions # SKIP clang not found"
    echo 1..1
    exit 0
fi
echo "# SEED=$seed testbench/compiler/builtins.sh"
number=0 code=0
report() { # VERDICT TEXT
    number=$((number + 1))
    echo "$1 $number - $2"
    [ "$1" = ok ] || code=1
}
compile() { # PART
    build/bin/warp-cc "-DPART=$1" "$work/k.cl" -o "$work/k.img" > "$work/said" 2>&1 && return
    grep error "$work/said" | head -5 | sed 's/^/# /'
    return 1
}
run_kernel() { # TYPE WIDTH THREADS BYTES KERNEL
    build/bin/warp-run "$work/k.img" --kernel "k$5" --block 32 --grid $(($3 / 32)) --global-bytes 0x80000 \
        --arg "zero:$4,out=$work/z" --arg "$work/bits" --arg "$work/reals" > "$work/said" 2>&1 &&
        $tool check "$1" "$2" "$work" "$5" > "$work/said" && return
    sed 's/^/# /' "$work/said"
    return 1
}
run_type() { # TYPE WIDTH
    local threads bytes kernels kernel bad=0
    read -r threads bytes kernels < <($tool write "$1" "$2" "$seed" "$work") && [ "$kernels" -gt 0 ] || return 1
    for ((kernel = 0; kernel < kernels; kernel++)); do
        if [ $((kernel % 8)) = 0 ]; then
            compile $((kernel / 8)) || { bad=1; kernel=$((kernel + 7)); continue; }
        fi
        run_kernel "$1" "$2" "$threads" "$bytes" $kernel || bad=1
    done
    return $bad
}
for type; do
    for width in $widths; do
        run_type "$type" "$width" && report ok "$type of $width" || report 'not ok' "$type of $width"
    done
done
echo "1..$number"
exit $code
