# SPDX-License-Identifier: Apache-2.0
# Runs that are done once, several at a time. Sourced by run.sh, which evaluates the experiments twice: the first time
# the runs are noted, with 0 for each value; the second time, after all runs, the values count.
#
#     image=$(assemble NAME FILE [-DNAME=VALUE ...] [--kernel NAME])     the path of an image
#     value cycles "$image" --cores 8 --block 32                         a number of the JSON of a run in lockstep

work=build/experiments
noting=yes # or empty: the runs are done

assemble() { # NAME FILE [options of warp-as]
    local image=$work/$1.img
    [ -z "$noting" ] || [ -e "$image" ] || build/bin/warp-as "$2" "${@:3}" -w -o "$image" || touch $work/failed
    echo "$image"
}

# The path of a run's results, without suffix, in `file`.
place() {
    file=${*//$work\//}
    file=$work/runs/${file//[ \/]/_}
}

value() { # NAME KERNEL [options of warp-lockstep]
    local file json
    place "${@:2}"
    if [ -n "$noting" ]; then
        printf '%s\0' "$file ${*:2}" >> $work/jobs
        echo 0
    else
        json=$(< "$file.json")
        [[ $json =~ \"$1\":([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
    fi
}

# A number computed from values, with this number of decimals
computed() { # DIGITS EXPRESSION
    [ -n "$noting" ] || awk "BEGIN { printf \"%.$1f\", $2 }"
}

do_job() { # "FILE COMMAND": a run; no line of the command has blanks in its words
    local file command
    read -r file command <<< "$1"
    [ ! -s "$file.json" ] || return 0
    # shellcheck disable=SC2086
    build/bin/warp-lockstep $command --max-cycles 100000000 --json > "$file.part" 2> "$file.log" &&
        mv "$file.part" "$file.json" && return
    echo "failed: build/bin/warp-lockstep $command" >&2
    return 255
}
export -f do_job

run_noted() { # RUNS_AT_A_TIME
    noting=
    sort -zu $work/jobs | xargs -0 -P "$1" -I{} bash -c 'do_job "$1"' _ {}
}
