#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs one kernel everywhere and prints TAP: on the C model, then on the RTL in lockstep with it, under Verilator and
# GHDL. What the kernel must compute stands in its file (.expect) or in the launch flags. For the same number of cores
# both simulators must need the same number of cycles. A kernel with a line `// trap: TEXT` must end in a trap whose
# report has that text.
#
#     testbench/run_kernel.sh [-v "8 16 32"] [-g "8 32"] [-s "2 4"] [-m BYTES] KERNEL [launch flags]
#
#     -v, -g   numbers of cores to run under Verilator and under GHDL, "" for none
#     -s       numbers of SMs, of 8 cores each, to run under GHDL besides; default none
#     -m       bytes of global memory under GHDL, which takes most of its time to clear and to read what is not used
set -u
cd "$(dirname "$0")/.." || exit 2
verilator="8 16 32" ghdl="8 32" several="" memory=()
while getopts v:g:s:m: option; do
    case $option in
        v) verilator=$OPTARG ;;
        g) ghdl=$OPTARG ;;
        s) several=$OPTARG ;;
        m) memory=(--global-bytes "$OPTARG") ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
kernel=$1
output=$(mktemp)
trap 'rm -f "$output"' EXIT

trap_text=$(sed -n 's|^// trap: *||p' "$kernel")
must_exit=0
[ -n "$trap_text" ] && must_exit=3

number=0 failed=0
verdict() { # NAME OK [COMMAND]
    number=$((number + 1))
    if [ "$2" = yes ]; then
        echo "ok $number - $1"
    else
        failed=1
        echo "not ok $number - $1"
    fi
}

# Runs a tool and judges exit code and trap report; its JSON is left in $output.
run() { # NAME COMMAND...
    local name=$1 code ok=yes
    shift
    "$@" > "$output" 2>&1
    code=$?
    [ $code -eq $must_exit ] || ok=no
    [ -z "$trap_text" ] || grep -q "$trap_text" "$output" || ok=no
    verdict "$name" $ok
    [ $ok = yes ] || { sed 's/^/# /' "$output"; printf '# exit code %d, must be %d: %s\n' $code $must_exit "$*"; }
}

# Cycles of the last run, "none" where its JSON does not say.
cycles_of_run() {
    local cycles
    cycles=$(sed -n 's/.*"cycles": *\([0-9][0-9]*\).*/\1/p' "$output" | head -n 1)
    echo "${cycles:-none}"
}

run model build/bin/warp-run "$@"
declare -A cycles=()
for cores in $verilator; do
    run "verilator, $cores cores" build/bin/warp-lockstep "$@" --sim verilator --cores "$cores" --json
    cycles[$cores]=$(cycles_of_run)
done
for cores in $ghdl; do
    run "ghdl, $cores cores" build/bin/warp-lockstep "$@" --sim ghdl --cores "$cores" "${memory[@]}" --json
    [ -n "${cycles[$cores]-}" ] || continue # not run under Verilator
    same=no
    [ "${cycles[$cores]}" != none ] && [ "$(cycles_of_run)" = "${cycles[$cores]}" ] && same=yes
    verdict "same cycles on both simulators, $cores cores" $same
    [ $same = yes ] || echo "# verilator ${cycles[$cores]}, ghdl $(cycles_of_run)"
done
for sms in $several; do
    run "ghdl, $sms SMs" build/bin/warp-lockstep "$@" --sim ghdl --sms "$sms" "${memory[@]}" --json
done
echo "1..$number"
exit $failed
