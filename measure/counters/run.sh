#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Provokes each cause of an SM's cycle and checks the counters: a kernel each, in which that cause must be the largest
# apart from issue, or must have the number of cycles given by its file or by docs/architecture.md. In every run the
# causes must sum to the cycles of all SMs, and each retired row must be a cycle of issue; for a kernel with accesses of
# several words, its line gives issue=N. Prints TAP.
#
#     measure/counters/run.sh [verilator]     without the machines that Verilator does not build
set -u
cd "$(dirname "$0")/../.." || exit 2
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# Judges the JSON in $output: "yes", or the reason why not. WHAT is largest=CAUSE, or CAUSE=N, CAUSE>N, CAUSE<N in
# cycles; CAUSE may be a sum, CAUSE+CAUSE.
judge() { # CORES SMS WHAT...
    awk -v cores="$1" -v sms="$2" -v what="${*:3}" '
        function number(name) {
            return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3) + 0 : "none"
        }
        function holds(test,   part, largest, name, names, count, sum, limit) {
            match(test, /[=<>]/)
            part = substr(test, 1, RSTART - 1)
            if (part == "largest") {
                for (name in cycles) if (name != "issue" && cycles[name] >= cycles[largest]) largest = name
                return largest == substr(test, RSTART + 1)
            }
            limit = substr(test, RSTART + 1) + 0
            for (count = split(part, names, "+"); count > 0; count--) {
                if (!(names[count] in cycles)) return 0
                sum += cycles[names[count]]
            }
            return test ~ />/ ? sum > limit : test ~ /</ ? sum < limit : sum == limit
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

# Cycles of the last run lost to these causes.
cycles_of() { # CAUSE...
    local sum=0 cause
    for cause in "$@"; do
        sum=$((sum + $(sed -n 's/.*"stalls":{[^}]*"'"$cause"'":\([0-9]*\).*/\1/p' "$output" | head -n 1)))
    done
    echo $sum
}

number=0 failed=0
run() { # SIM CORES SMS "KERNEL FLAGS..." WHAT...
    local verdict kernel memory=()
    read -ra kernel <<< "$4"
    number=$((number + 1))
    [ "$1" = ghdl ] && memory=(--global-bytes 16384)                # clearing and reading it takes most of the time
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
# docs/architecture.md, "Latencies": cycles from an instruction in stage HOLD to the next one of its warp there.
turn=6          # SELECT, READ, WORD, CHECK, HOLD, and one until SELECT knows that it has left
result=9        # reads a register or flags that the ALU has just written
early=8         # follows a branch that ADDRESS resolves, with its first row
late=15         # a branch that X1 resolves, with its last row
parted=18       # a branch that RESOLVE resolves, with its last row
unwound=23      # a BRK of all lanes with a guard: RESOLVE unwinds one entry, with its last row
word=8          # additional cycles if the code memory is addressed first: a register, the memory, decoding, the buffer
load=17         # until a load of one row has returned
# The cycles of a turn in which no row enters ROWS are lost to dependency, also after the last instruction, whose warp
# is still in the pipeline. A branch loses the cycles beyond a turn, and the words of the following instructions. The
# last row of an instruction follows its first by one cycle less than the number of rows.
for rows in 1 2 4; do
    cores=$((32 / rows))
    gap=$((turn - rows))        # of an instruction after any other
    waits=$((result - turn))    # additional, after one whose result it needs
    a=$((early - turn)) x1=$((late + rows - 1 - turn)) y=$((unwound + rows - 1 - turn))
    # 513 of 515 instructions directly follow one whose result they need.
    run verilator $cores 1 bench/chain dependency=$((515 * gap + 513 * waits)) fetch=$word branch=0
    # 128 groups, preceded by two results to wait for; 520 instructions.
    plain=$((520 * gap + 2 * waits)) reader=$((520 * gap + 130 * waits))
    run verilator $cores 1 'bench/lone --kernel plain' dependency=$plain fetch=$word branch=0
    run verilator $cores 1 'bench/lone --kernel reader' dependency=$reader fetch=$word branch=0
    run verilator $cores 1 'bench/lone --kernel compared' dependency=$reader branch=$((128 * x1)) fetch=$((129 * word))
    run verilator $cores 1 'bench/lone --kernel taken' dependency=$plain branch=$((128 * x1)) fetch=$((129 * word))
    run verilator $cores 1 'bench/lone --kernel untaken' dependency=$plain branch=$((128 * x1)) fetch=$word
    # CAL and RET; SSY and JOIN, after which its warp continues; PBK and BRK, which goes to an address.
    run verilator $cores 1 'bench/lone --kernel called' branch=$((256 * a)) fetch=$((257 * word))
    run verilator $cores 1 'bench/lone --kernel joined' branch=$((256 * a)) fetch=$word
    run verilator $cores 1 'bench/lone --kernel broken' branch=$((128 * (a + y))) fetch=$((129 * word))
done
run verilator 32 1 counters/replay largest=shared_replay shared_replay=620
run verilator 16 1 counters/replay largest=shared_replay shared_replay=600
run verilator 8 1 counters/replay largest=shared_replay shared_replay=560
for cores in 8 16 32; do run verilator $cores 1 counters/broadcast shared_replay=0; done
run verilator 8 1 counters/floats 'dependency+global_wait<24'  # of 24 warps, which lose nothing in between
run verilator 8 1 counters/blocks-apart 'dependency<64'        # of 64 reads, which wait for no other block
# Only the store at the end, directly after the last of eight loads: it is rejected for each of the three pending ones,
# and waits one more cycle for the first of them. The others have returned by then.
run verilator 8 1 counters/local-loads global_wait=4
run verilator 32 1 regress/early-branches 'branch<800'                      # with an answer each, at the earliest
                                                                            # possible time
# 64 JOINs, 32 PRETs and RETs, a PBK and its BRK, which ADDRESS resolves; 64 guarded RETs and BRKs without lanes, which
# X1 resolves. The 32 RETs and the BRK jump.
for rows in 1 4; do
    run verilator $((32 / rows)) 1 counters/answers \
        branch=$((130 * (early - turn) + 64 * (late + rows - 1 - turn))) fetch=$((34 * word))
done
run verilator 32 1 regress/crowded-branches 'fetch>0'                       # jumps of several warps at a time
# An instruction directly after a load that needs it is rejected after a turn, which is the first cycle of its wait. It
# is selected again when the last row has returned, which takes another turn. An instruction in between shortens the
# wait by a turn.
for rows in 1 2 4; do
    wait=$((load + rows + 5 - 2 * turn)) gap=$((turn - rows))
    # 52 instructions, two directly after one whose result they need
    run verilator $((32 / rows)) 1 counters/chase global_wait=$((48 * wait)) \
        dependency=$((52 * gap + 2 * (result - turn) + 48 * (turn - 1)))
    # In each of 8 iterations 9 directly follow it, one has another instruction in between, one has two: it is rejected
    # once, at least. 833 words of 817 instructions issue.
    last=$((wait - 2 * turn))
    run verilator $((32 / rows)) 1 counters/load-waits issue=$((833 * rows)) \
        dependency=$((817 * gap + 8 * 11 * (turn - 1))) \
        global_wait=$((8 * (9 * wait + wait - turn + (last > 1 ? last : 1))))
    run verilator $((32 / rows)) 1 counters/near-misses issue=$((1157 * rows)) dependency=$((1082 * gap)) global_wait=0
done
run verilator 32 1 counters/barrier largest=barrier
# 32 SSYs, BRAs that diverge, and JOINs of each side; the BRAs and the JOINs of the first side jump.
run verilator 32 1 counters/diverge branch=$((32 * (3 * (early - turn) + parted - turn))) fetch=$((65 * word))
# The SM has a block to begin until the end (no_warp), and its one instruction waits for nothing: each of 24 loses only
# the turn (dependency).
run verilator 32 1 counters/dispatch largest=dispatch no_warp=0 dependency=$((24 * (turn - 1)))
run verilator 32 1 counters/drain largest=drain
# Each of 8 * 24 instructions after a load is rejected once. Eight blocks hide most of the rest; seven, and then one,
# would lose another 240 cycles.
run verilator 32 1 counters/blocks 'global_wait<300'
# Two warps hide the loss of a branch in the third, except in the last iterations, which one or two warps execute alone.
run verilator 8 1 counters/answered 'branch<25'
run verilator 8 2 counters/chase largest=no_warp                    # one block for two SMs
run verilator 8 2 counters/dispatch largest=dispatch no_warp=0
run verilator 8 2 'counters/last-stores --kernel together' 'drain>61'   # 32 accesses wait, one a cycle: 31 for each SM
run verilator 8 2 'counters/last-stores --kernel apart' global_wait=0
# Words of two SMs: each has its own, as if alone; or one a cycle for both.
run verilator 32 1 'counters/fetch --kernel near --grid 1' branch=0
alone=$(cycles_of fetch dependency)
if [ "${1-}" != verilator ]; then
    run ghdl 32 2 'counters/fetch --kernel near' fetch+dependency=$((2 * alone))
    run ghdl 32 2 'counters/fetch --kernel far' "fetch+dependency>$((2 * alone + 2 * alone / 8))"
fi
echo "1..$number"
exit $failed
