#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Proves the properties of proofs.txt and shows that each proof can fail, by faults that must break it. Prints a table.
#
#     testbench/formal/run.sh [--quick [--proofs]] [NAME ...]
#
# --quick runs the proofs of a few seconds and prints TAP; --proofs skips the faults; NAME (alu, sched.chosen_may)
# selects the proofs of a harness, or one. Earlier proofs of the same Verilog are not repeated. JOBS=N runs N at a time;
# FORMAL_SECONDS limits one. Exit status 1 if a proof fails or finds no answer, or if a fault is not detected.
set -u
cd "$(dirname "$0")/../.." || exit 2
quick=false
[ "${1-}" = --quick ] && quick=true && shift
planting=true
[ "${1-}" = --proofs ] && planting=false && shift
jobs=${JOBS:-2}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# the list: arrays of proofs and of the faults of each
declare -a proofs=() whats=()
declare -A faults=()
wanted() {
    $quick && [ "$1" != '*' ] && return 1
    [ ${#names[@]} -eq 0 ] && return 0
    local name
    for name in "${names[@]}"; do
        [[ $name = "$2" || $name = "$2.$3" ]] && return 0
    done
    return 1
}
names=("$@")
taken=false
while IFS= read -r line; do
    case $line in
    '' | '#'*) continue ;;
    '!'*) $taken && $planting && faults[$((${#proofs[@]} - 1))]+="${line#! }"$'\n' ;;
    *)
        IFS='|' read -r harness parameters property entity generics sizes engine what <<< "${line#[* ]}"
        read -r harness <<< "$harness" && read -r property <<< "$property"
        wanted "${line:0:1}" "$harness" "$property" && taken=true || { taken=false && continue; }
        column="$entity|$generics|$sizes|$engine"
        # By SAT, properties of one harness take little longer than one of them: without faults they are proved at once.
        if ! $planting && [[ $engine = *sat* && "$harness|$parameters|$column" = "${last-}" ]]; then
            proofs[-1]=${proofs[-1]/"|$column"/"+$property|$column"}
            whats[-1]+="; ${what# }"
            continue
        fi
        last="$harness|$parameters|$column"
        proofs+=("$harness|$parameters|$property|$column")
        whats+=("${what# }")
        ;;
    esac
done < testbench/formal/proofs.txt

# Calls prove.sh with the trimmed columns of proof $1 and the fault $2, into file $3.
prove() {
    local -a columns
    IFS='|' read -r -a columns <<< "$1"
    local i
    for i in "${!columns[@]}"; do read -r columns[i] <<< "${columns[i]}"; done
    local file= expression=
    if [ -n "$2" ]; then
        read -r file <<< "${2%%|*}"
        expression=${2#*| }
    fi
    testbench/formal/prove.sh "${columns[@]}" ${file:+"$file" "$expression"} > "$3" 2>&1
}

declare -a order=()
start() {
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    prove "$1" "$2" "$results/$3" &
}
for i in "${!proofs[@]}"; do
    start "${proofs[i]}" '' "$i"
    n=0
    while IFS= read -r fault; do
        [ -n "$fault" ] && start "${proofs[i]}" "$fault" "$i.$((n++))"
    done <<< "${faults[$i]-}"
done
wait

# ---- the table
declare -A NAMES=([pdr]='abc pdr' [sat]='yosys sat' [same]='yosys sat' [cut]='yosys sat' [cec]='abc cec')
declare -A SCOPES=([pdr]='all time' [sat]='all inputs' [same]='all inputs' [cut]='all inputs' [cec]='all inputs')
failed=0 broken=0 planted=0 test=0
verdict() { # of file $1 into `result` and `took`
    IFS='|' read -r result took < "$results/$1"
}
tap() { # $1: "ok" or "not ok", $2: of what
    test=$((test + 1))
    echo "$1 $test - $2"
}
$quick || printf '%-56s %-12s %-10s %-12s %7s  %s\n' property entity engine scope seconds result
for i in "${!proofs[@]}"; do
    IFS='|' read -r harness parameters property entity generics sizes engine <<< "${proofs[i]}"
    read -r engine <<< "$engine" && read -r entity <<< "$entity"
    verdict "$i"
    case $engine in
    bmc=*) name='abc bmc3' scope="${engine#bmc=} cycles" ;;
    *) name=${NAMES[$engine]} scope=${SCOPES[$engine]} ;;
    esac
    caught=0 of=0 detail=
    while IFS= read -r fault; do
        [ -z "$fault" ] && continue
        verdict "$i.$of"
        of=$((of + 1))
        case $result in
        refuted*) caught=$((caught + 1)) ;;
        *) detail+="    not seen ($result): $fault"$'\n' ;;
        esac
    done <<< "${faults[$i]-}"
    planted=$((planted + of)) broken=$((broken + caught))
    verdict "$i"
    ok=ok
    [ "$result" = proved ] && [ $caught -eq $of ] && { [ $of -gt 0 ] || ! $planting; } || ok='not ok'
    [ "$ok" = ok ] || failed=$((failed + 1))
    if $quick; then
        tap "$ok" "$entity: ${whats[i]} ($result; fails with $caught of $of faults)"
    else
        printf '%-56s %-12s %-10s %-12s %7s  %s\n' "${whats[i]}" "$entity" "$name" "$scope" "${took-}" \
            "$result, $caught of $of faults seen"
    fi
    [ -z "$detail" ] || printf '%s' "$detail" | if $quick; then sed 's/^/#/'; else cat; fi
done
if $quick; then
    echo "1..$test"
else
    echo "$((${#proofs[@]} - failed)) of ${#proofs[@]} proofs hold; they fail with $broken of $planted planted faults"
fi
[ ${#proofs[@]} -gt 0 ] && [ $failed -eq 0 ]
