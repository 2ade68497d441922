#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs test suites and counts. A suite is a command that prints TAP ("ok 1 - name", "not ok 2 - name", "ok 3 - name #
# SKIP why"); cmocka can do so. By default one more runs at a time than there are processors (JOBS=N), because some wait
# for time limits; SUITE=TEXT runs only those whose command contains that text.
#
#     testbench/run_tests.sh build/cmodel/test/test_flow 'testbench/run_kernel.sh kernels/apps/edge.sass' ...
#     testbench/run_tests.sh -f LIST          one command a line, '#' comments
#     testbench/run_tests.sh -l COMMAND ...   a suite that runs after all others
#
# Prints one line a suite: number of finished suites, time left, its wall-clock and processor seconds. Prints the whole
# output of a failing suite, with the command that repeats it; the skipped tests; the seconds of all; and last "N
# passed, N failed, N skipped". Exits 1 if anything failed, or nothing was run.
set -u
export CMOCKA_MESSAGE_OUTPUT=TAP
unset MAKEFLAGS MAKELEVEL # a suite that calls make is independent of our make

last=() suites=()
while getopts f:l: option; do
    case $option in
        f) mapfile -t suites < <(grep -v '^ *\(#\|$\)' "$OPTARG") ;;
        l) last+=("$OPTARG") ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
suites+=("$@")
if [ -n "${SUITE-}" ]; then
    chosen=()
    for suite in "${suites[@]}"; do [[ $suite != *"$SUITE"* ]] || chosen+=("$suite"); done
    suites=("${chosen[@]}") last=()
    [ ${#suites[@]} -gt 0 ] || { echo "no suite has '$SUITE' in its command" >&2; exit 2; }
fi
jobs=${JOBS:-$(($(nproc) + 1))}
limit=${SUITE_SECONDS:-900}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

begun=() # start times, in microseconds
begin_suite() {
    : > "$logs/$1.out"
    begun[$1]=${EPOCHREALTIME/./}
}

# Runs suite $1 into its log. Unit tests and mutants run simulations with planted faults: their coverage does not count.
run_suite() (
    [[ ${suites[$1]} =~ ^(checker|fpga|measure|testbench)/ && ${suites[$1]} != testbench/mutants/* ]] ||
        unset WARPSTEP_COVERAGE
    timeout "$limit" bash -c "${suites[$1]}" < /dev/null > "$logs/$1.out" 2>&1
    code=$?
    times > "$logs/$1.times"
    exit $code
)

# Counts the TAP lines of suite $1: "passed failed skipped", and its processor time in tenths of a second. A suite that
# breaks off, exits non-zero without a failure, or tests nothing has failed.
count_suite() {
    awk -v code="$2" -v times="$logs/$1.times" '
        /^1\.\.[0-9]+/                 { planned += substr($1, 4) }
        /^(not )?ok [0-9]+.*# SKIP/    { skipped++; next }
        /^ok [0-9]+/                   { passed++ }
        /^not ok [0-9]+/               { failed++ }
        END {
            seen = passed + failed + skipped
            if (seen < planned || seen == 0 || (code != 0 && !failed)) failed++
            while ((getline line < times) > 0) split(line, t, /[ms ]+/) # the last line: 0m1.23s 0m0.45s
            printf "%d %d %d %d\n", passed, failed, skipped, 600 * (t[1] + t[3]) + 10 * (t[2] + t[4]) + 0.5
        }' "$logs/$1.out"
}

# Progress: finished suites, of all, and the minutes left if the others take as long on average.
started=$SECONDS
progress() {
    local ended=$((reported + 1)) all=$((${#suites[@]} + ${#last[@]}))
    local seconds=$(((SECONDS - started) * (all - ended) / ended))
    printf '[%*d/%d %2d:%02d left]' ${#all} $ended $all $((seconds / 60)) $((seconds % 60))
}

# Reports suite $1, which ended with code $2; that of a signal even if run_suite was killed.
reported=0 all_passed=0 all_failed=0 all_skipped=0 all_cpu=0
report_suite() {
    local code=$2 tenths=$(((${EPOCHREALTIME/./} - begun[$1]) / 100000)) passed failed skipped cpu verdict
    read -r passed failed skipped cpu < <(count_suite "$1" "$code")
    verdict="$passed passed"
    [ "$failed" -gt 0 ] && verdict+=", $failed failed"
    [ "$skipped" -gt 0 ] && verdict+=", $skipped skipped"
    printf '%s %-72s %6ss %6ss  %s\n' "$(progress)" "${suites[$1]/#build\//}" $((tenths / 10)).$((tenths % 10)) \
        $((cpu / 10)).$((cpu % 10)) "$verdict"
    if [ "$failed" -gt 0 ]; then
        sed 's/^/    /' "$logs/$1.out"
        [ "$code" -eq 124 ] && printf '    stopped after %s seconds\n' "$limit"
        [ "$code" -gt 128 ] && [ "$code" -le 192 ] && printf '    killed by signal %d\n' $((code - 128))
        printf '    exit code %d; repeat with: CMOCKA_MESSAGE_OUTPUT=TAP %s\n' "$code" "${suites[$1]}"
    fi
    sed -n "s|^\(not \)\?ok [0-9]* *-\? *\(.*\)# SKIP *\(.*\)|${suites[$1]/#build\//}: \2\3|p" "$logs/$1.out" \
        >> "$logs/skipped"
    reported=$((reported + 1))
    all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed)) all_skipped=$((all_skipped + skipped))
    all_cpu=$((all_cpu + cpu))
}

declare -A running=()
reap_one() {
    local pid
    wait -n -p pid "${!running[@]}"
    report_suite "${running[$pid]}" $?
    unset "running[$pid]"
}
for i in "${!suites[@]}"; do
    [ ${#running[@]} -ge "$jobs" ] && reap_one
    begin_suite "$i"
    run_suite "$i" &
    running[$!]=$i
done
while [ ${#running[@]} -gt 0 ]; do reap_one; done
if [ ${#last[@]} -gt 0 ]; then
    suites+=("${last[@]}") last=()
    i=$((${#suites[@]} - 1))
    begin_suite $i
    run_suite $i
    report_suite $i $?
fi

[ -s "$logs/skipped" ] && { echo "skipped:"; sort "$logs/skipped" | sed 's/^/    /'; }
if [ "$reported" -ne ${#suites[@]} ] || [ "$reported" -eq 0 ]; then
    echo "$reported of ${#suites[@]} suites reported"
    all_failed=$((all_failed + 1))
fi
echo "$((SECONDS - started)) seconds, $((all_cpu / 10)) of processors"
echo "$all_passed passed, $all_failed failed, $all_skipped skipped"
[ "$all_failed" -eq 0 ]
