#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs one kernel everywhere and prints TAP: on the C model, then on the RTL in lockstep with it, under Verilator and
# GHDL. The expected results are in the kernel's file (.expect) or in the launch flags. For the same number of cores or
# SMs both simulators must retire bit-identical records in the same cycles (unless some depend on undefined contents,
# which each simulator fills in its own way), and lose cycles to the same causes; and so must a second launch, without a
# reset, under Verilator with the first number of cores and of SMs. A kernel with a line `// trap: TEXT` must end in a
# trap whose report has that text. A kernel with a line `// cycles: undefined` branches on undefined contents: its
# cycles are not compared.
#
#     testbench/run_kernel.sh [-a|-o] [-v "8 16 32"] [-g "8 32"] [-c CYCLES] [-S "2"] [-s "2 4"] [-m BYTES] \
#         [-b MEMORY] KERNEL [launch flags]
#
#     -v, -g   numbers of cores to run under Verilator and under GHDL, "" for none
#     -c       skips -g if the first run under Verilator took more cycles than this
#     -S, -s   machines of several SMs to run under Verilator and under GHDL in addition: SMs of 8 cores each, or
#              CORESxSMS; default none
#     -a       also a second launch under GHDL
#     -o       no second launch
#     -m       bytes of global memory under GHDL, which spends most of its time clearing and reading unused memory
#     -b       place of the RTL's global memory: --memory of warp-lockstep. Stalls depend on the time of the clear:
#              with them the simulators agree only for equal sizes of memory, and a second launch takes another time
set -u
cd "$(dirname "$0")/.." || exit 2
verilator="8 16 32" ghdl="8 32" several_verilator="" several_ghdl="" memory=() again="" only="" bus=() most=""
while getopts aov:g:c:S:s:m:b: option; do
    case $option in
        a) again=yes ;;
        o) only=yes ;;
        v) verilator=$OPTARG ;;
        g) ghdl=$OPTARG ;;
        c) most=$OPTARG ;;
        S) several_verilator=$OPTARG ;;
        s) several_ghdl=$OPTARG ;;
        m) memory=(--global-bytes "$OPTARG") ;;
        b) bus=(--memory "$OPTARG") ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
kernel=$1
output=$(mktemp)
trap 'rm -f "$output"' EXIT

trap_text=$(sed -n 's|^// trap: *||p' "$kernel")
must_exit=0
grep -q '^// cycles: undefined' "$kernel" && any_cycles=yes || any_cycles=
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

# Runs a tool and judges exit code and trap report; its JSON is in $output.
run() { # NAME COMMAND...
    local name=$1 code ok=yes
    shift
    "$@" > "$output" 2>&1
    code=$?
    [ $code -eq $must_exit ] || ok=no
    [ -z "$trap_text" ] || grep -q "$trap_text" "$output" || ok=no
    ! grep -q '"expect_bytes_wrong":[1-9]' "$output" || ok=no
    verdict "$name" $ok
    [ $ok = yes ] || { sed 's/^/# /' "$output"; printf '# exit code %d, must be %d: %s\n' $code $must_exit "$*"; }
}

cycles_in_json() { sed -n 's/.*"cycles": *\([0-9]*\).*/\1/p' "$output" | head -n 1; }

# Cycles of the last run, by cause, and the digest of its records; "none" if its JSON lacks it. Behind the end of the
# code each simulator has different words, which decide whether an instruction issues after one that traps there.
cycles_of_run() {
    local cycles causes='\({[^}]*}\)' records=''
    [[ $trap_text != *fetch* ]] || causes='\(\)'
    cycles=$(sed -n 's/.*"cycles": *\([0-9]*\).*"stalls": *'"$causes"'.*/\1 \2/p' "$output" | head -n 1)
    grep -q '"adopted":0,' "$output" && records=$(sed -n 's/.*"records":\("[0-9a-f]*"\).*/ records \1/p' "$output")
    echo "${cycles:-none}$records"
}

# Runs a configuration named WHAT. Verilator's first run is the reference for all others.
declare -A cycles=()
took="" # cycles of the first run under Verilator
lockstep() { # SIMULATOR WHAT HOW KERNEL [launch flags]
    local options=("${bus[@]}")
    [ "$1" = verilator ] || options+=("${memory[@]}")
    run "$1, $2$3" build/bin/warp-lockstep "${@:4}" --sim "$1" "${options[@]}" --json
}
same_as_verilator() { # WHAT HOW: the last run
    local same=no
    [ -n "${cycles[$1]-}" ] || return # not run under Verilator
    [ "${cycles[$1]}" != none ] && [ "$(cycles_of_run)" = "${cycles[$1]}" ] && same=yes
    verdict "same records and cycles $2, $1" $same
    [ $same = yes ] || echo "# verilator ${cycles[$1]}, then $(cycles_of_run)"
}
once() { # SIMULATOR WHAT KERNEL [launch flags]
    lockstep "$1" "$2" "" "${@:3}"
    if [ "$1" = verilator ]; then
        [ -n "$any_cycles" ] || cycles[$2]=$(cycles_of_run)
        took=${took:-$(cycles_in_json)}
    else
        same_as_verilator "$2" "on both simulators"
    fi
}
again() { # SIMULATOR WHAT KERNEL [launch flags]
    [ -z "$only" ] || return
    lockstep "$1" "$2" ", launched again" "${@:3}" --relaunch
    [[ ${bus[*]} = *stall* ]] || same_as_verilator "$2" "of both launches under $1"
}
on_cores() { # once|again SIMULATOR CORES KERNEL [launch flags]
    "$1" "$2" "$3 cores" "${@:4}" --cores "$3"
}
on_several() { # once|again SIMULATOR MACHINE KERNEL [launch flags]
    local sms=${3#*x} cores=8
    [[ $3 != *x* ]] || cores=${3%x*}
    "$1" "$2" "$sms SMs of $cores cores" "${@:4}" --cores "$cores" --sms "$sms"
}

run model build/bin/warp-run "$@" --json
for cores in $verilator; do on_cores once verilator "$cores" "$@"; done
for cores in ${verilator%% *}; do on_cores again verilator "$cores" "$@"; done
if [ -n "$most" ] && [ "${took:-0}" -gt "$most" ]; then
    echo "# $took cycles: not under GHDL"
    ghdl=""
fi
for cores in $ghdl; do on_cores once ghdl "$cores" "$@"; done
for machine in $several_verilator; do on_several once verilator "$machine" "$@"; done
for machine in ${several_verilator%% *}; do on_several again verilator "$machine" "$@"; done
for machine in $several_ghdl; do on_several once ghdl "$machine" "$@"; done
if [ -n "$again" ]; then
    for cores in ${ghdl%% *}; do on_cores again ghdl "$cores" "$@"; done
    for machine in ${several_ghdl%% *}; do on_several again ghdl "$machine" "$@"; done
fi
echo "1..$number"
exit $failed
