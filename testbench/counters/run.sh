#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Provokes each cause that an SM's cycle can have and looks for it in the counters: a kernel each, in which that cause
# must be the largest of those that are not issue, or must have the cycles that its file, or docs/architecture.md,
# gives. In every run the causes must sum to the cycles of all SMs, and each row of what retired be a cycle of issue;
# where a kernel has accesses of several words, its line gives issue=N. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# Judges the JSON in $output: "yes", or why not. WHAT is largest=CAUSE, or CAUSE=N, CAUSE>N, CAUSE<N in cycles.
judge() { # CORES SMS WHAT...
    awk -v cores="$1" -v sms="$2" -v what="${*:3}" '
        function number(name) {
            return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3) + 0 : "none"
        }
        function holds(test,   part, largest, name) {
            match(test, /[=<>]/)
            part = substr(test, 1, RSTART - 1)
            if (part == "largest") {
                for (name in cycles) if (name != "issue" && cycles[name] >= cycles[largest]) largest = name
                return largest == substr(test, RSTART + 1)
            }
            if (!(part in cycles)) return 0
            if (test ~ />/) return cycles[part] > substr(test, RSTART + 1) + 0
            if (test ~ /</) return cycles[part] < substr(test, RSTART + 1) + 0
            return cycles[part] == substr(test, RSTART + 1) + 0
        }
        /"status":"pass"/ {
            verdict = "yes"
            match($0, /"stalls":\{[^}]*\}/)
            count = split(substr($0, RSTART + 10, RLENGTH - 11), pair, ",")
            for (i = 1; i <= count; i++) {
                split(pair[i], half, ":")
                gsub(/"/, "", half[1])
                sum += cycles[half[1]] = half[2]
            }
            if (count != 10) verdict = count " causes"
            if (sum != number("cycles") * sms) verdict = "they sum to " sum
            rows = number("warp_instructions") * 32 / cores
            if (what !~ /issue=/ && cycles["issue"] != rows) verdict = "issue is not what retired"
            count = split(what, test, " ")
            for (i = 1; i <= count; i++) if (!holds(test[i])) verdict = "not " test[i]
        }
        END { print verdict == "" ? "did not pass" : verdict }' "$output"
}

number=0 failed=0
run() { # SIM CORES SMS "KERNEL FLAGS..." WHAT...
    local verdict kernel memory=()
    read -ra kernel <<< "$4"
    number=$((number + 1))
    [ "$1" = ghdl ] && memory=(--global-bytes 16384)                # which takes most of its time to clear and to read
    build/bin/warp-lockstep "kernels/${kernel[0]}.sass" "${kernel[@]:1}" --sim "$1" --cores "$2" --sms "$3" \
        "${memory[@]}" --json > "$output" 2>&1
    verdict=$(judge "$2" "$3" "${@:5}")
    if [ "$verdict" = yes ]; then
        echo "ok $number - $4, $2 cores, $3 SMs, $1: ${*:5}"
    else
        failed=1
        echo "not ok $number - $4, $2 cores, $3 SMs, $1: ${*:5}"
        echo "# $verdict"
        sed 's/^/# /' "$output"
    fi
}

run verilator 32 1 bench/straight issue=4168   # 8 warps x 521 instructions
# The last row of an instruction is behind its first by one cycle less than it has rows. docs/architecture.md,
# "Latencies", has the rest.
for rows in 1 2 4; do
    cores=$((32 / rows))
    # 513 of 515 instructions stand right behind one whose result they need: 4 cycles.
    run verilator $cores 1 bench/chain dependency=$((513 * (4 - rows))) fetch=0 branch=0
    # 128 groups, and two results that are waited for before them. A BRA whose flags are long known is answered with its
    # last row, in I 3 cycles and, with 8 cores, in O 6 cycles before the next; right behind its comparison in M, 5.
    known=2 near=4
    [ $cores != 8 ] || known=5 near=5
    run verilator $cores 1 'bench/lone --kernel plain' dependency=$((2 * (4 - rows))) fetch=0 branch=0
    run verilator $cores 1 'bench/lone --kernel reader' dependency=$((130 * (4 - rows))) fetch=0 branch=0
    run verilator $cores 1 'bench/lone --kernel compared' dependency=$((130 * (4 - rows))) branch=$((128 * near))
    for name in taken untaken; do
        run verilator $cores 1 "bench/lone --kernel $name" \
            dependency=$((2 * (4 - rows))) branch=$((128 * known))
    done
    # What has no guard is answered with its first row. With 8 cores Y answers a BRK of all lanes, 8 cycles before
    # the next, and takes one to unwind.
    always=$((rows < 3 ? 3 - rows : 0))
    [ $cores != 8 ] || known=8
    run verilator $cores 1 'bench/lone --kernel called' fetch=0 branch=$((128 * 2 * always))
    run verilator $cores 1 'bench/lone --kernel joined' fetch=0 branch=$((128 * 2 * always))
    run verilator $cores 1 'bench/lone --kernel broken' fetch=0 branch=$((128 * (always + known)))
done
run verilator 32 1 counters/replay largest=shared_replay shared_replay=620
run verilator 16 1 counters/replay largest=shared_replay shared_replay=600
run verilator 8 1 counters/replay largest=shared_replay shared_replay=560
for cores in 8 16 32; do run verilator $cores 1 counters/broadcast shared_replay=0; done
run verilator 8 1 counters/local-loads global_wait=8        # of the store at the end alone, right behind the last load
run verilator 32 1 regress/early-branches 'branch<400'                      # with an answer each as early as may be
run verilator 8 1 counters/answers branch=320
run verilator 32 1 counters/answers branch=388 fetch=0
run verilator 32 1 regress/crowded-branches 'fetch>0'                       # jumps of several warps at a time
for cores in 8 16 32; do run verilator $cores 1 counters/chase global_wait=$((48 * 8)); done # right behind each other
# What stands right behind a load and needs it waits 8 cycles, an instruction of so many rows between takes as many off.
# In each of 8 rounds 9 stand right behind it, one has another instruction between, one has two. 833 words issue.
for rows in 1 2 4; do
    run verilator $((32 / rows)) 1 counters/load-waits issue=$((833 * rows)) dependency=0 \
        global_wait=$((8 * (9 * 8 + 8 - rows + 8 - 2 * rows)))
    run verilator $((32 / rows)) 1 counters/near-misses issue=$((1157 * rows)) dependency=0 global_wait=0
done
run verilator 32 1 counters/barrier largest=barrier
run verilator 32 1 counters/diverge largest=branch
# The SM has a block to begin until the end (no_warp), and its one instruction waits for nothing (dependency).
run verilator 32 1 counters/dispatch largest=dispatch no_warp=0 dependency=0
run verilator 32 1 counters/drain largest=drain
run verilator 32 1 counters/blocks 'global_wait<100'                # eight blocks hide it; seven, and then one, do not
# Two warps hide what a branch of the third loses; the last round of the last warp, which it ends alone, has one.
run verilator 8 1 counters/answered branch=5
run verilator 8 2 counters/chase largest=no_warp                    # one block for two SMs
run verilator 8 2 counters/dispatch largest=dispatch no_warp=1      # the first SM begins and ends a cycle earlier
run verilator 8 2 'counters/last-stores --kernel together' 'drain>61'   # 32 accesses wait, one a cycle: 31 for each SM
run verilator 8 2 'counters/last-stores --kernel apart' global_wait=0
run ghdl 32 2 'counters/fetch --kernel far' largest=fetch           # a word a cycle for both
run ghdl 32 2 'counters/fetch --kernel near' fetch=0                # each has its own
echo "1..$number"
exit $failed
