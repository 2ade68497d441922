# SPDX-License-Identifier: Apache-2.0
# Runs that are done once, several at a time. Sourced by run.sh, whose experiments are evaluated twice: first their runs
# are noted, with 0 for each value; then, when all are done, the values count.
#
#     image=$(assemble NAME FILE [-DNAME=VALUE ...] [--kernel NAME])     the path of an image
#     value cycles "$image" --cores 8 --block 32                         a number of the JSON of a run in lockstep

work=build/experiments
noting=yes # or empty: the runs are done

assemble() { # NAME FILE [options of warp-as]
    local image=$work/$1.img
    [ -z "$noting" ] || build/bin/warp-as "$2" "${@:3}" -w -o "$image" || touch $work/failed
    echo "$image"
}

# Where the results of a run are, without their suffix.
place() { echo "$work/runs/$(md5sum <<< "$*" | cut -c1-32)"; }

value() { # NAME KERNEL [options of warp-lockstep]
    local file
    file=$(place "${@:2}")
    if [ -n "$noting" ]; then
        printf '%s\0' "$file ${*:2}" >> $work/jobs
        echo 0
    else
        grep -o "\"$1\":[0-9]*" "$file.json" | cut -d: -f2
    fi
}

do_job() { # "FILE COMMAND": a run; no line of the command has blanks in its words
    local file command
    read -r file command <<< "$1"
    # shellcheck disable=SC2086
    build/bin/warp-lockstep $command --max-cycles 100000000 --json > "$file.json" 2> "$file.log" && return
    echo "failed: build/bin/warp-lockstep $command" >&2
    return 255
}
export -f do_job

run_noted() { # RUNS_AT_A_TIME
    noting=
    sort -zu $work/jobs | xargs -0 -P "$1" -I{} bash -c 'do_job "$1"' _ {}
}
