#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Machines without floating point, without special functions, without both: kernels that need a unit trap and name the
# option that removes it, all others pass. On the model, and in lockstep under GHDL. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d)
log=$work/log
trap 'rm -rf "$work"' EXIT
printf '%s\n' .kernel\ root '.expect 0 = 0x3f000000' '    MVI R1, 0x40800000' '    RSQ R1, R1' \
    '    GST.U32 global14 [R124], R1' > "$work/root.sass"
number=0 failed=0

run() { # WITHOUT NEEDS COMMAND...: absent unit of the machine, needed unit of the kernel
    local without=$1 needs=$2 flags=() must=0 ok=yes
    shift 2
    for unit in $without; do flags+=("--no-$unit"); done
    [[ " $without " == *" $needs "* ]] && must=3
    number=$((number + 1))
    "$@" "${flags[@]}" > "$log" 2>&1
    [ $? -eq $must ] || ok=no
    [ $must -eq 0 ] || grep -q "it executes without --no-$needs$" "$log" || ok=no
    if [ $ok = yes ]; then
        echo "ok $number - $* ${flags[*]}"
    else
        failed=1
        echo "not ok $number - $* ${flags[*]}: must exit with $must"
        sed 's/^/# /' "$log"
    fi
}

for without in "" fpu sfu "fpu sfu"; do
    for tool in warp-run "warp-lockstep --sim ghdl --global-bytes 16384"; do
        # shellcheck disable=SC2086 # a tool and its options
        {
            run "$without" none build/bin/$tool kernels/apps/vecadd.sass
            run "$without" fpu build/bin/$tool kernels/apps/saxpy.sass
            run "$without" fpu build/bin/$tool kernels/formats/P-rro.sass
            run "$without" sfu build/bin/$tool "$work/root.sass"
        }
    done
done
echo "1..$number"
exit $failed
