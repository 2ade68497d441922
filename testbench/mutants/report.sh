#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes DIR/report.md from the results so far: the numbers of mutants of each entity that were caught, by layer;
# equivalent ones, by a proof (prove.sh) or by an argument in equivalent.tsv; those of the others that a bench holds,
# shown by a similar fault in held.tsv; and each remaining one; and for each row of these tables, the number that it
# covered, and the number in the whole netlist that it would cover. Prints totals.
#
#     testbench/mutants/report.sh DIR
set -eu
dir=$1
here=$(dirname "$0")
# Number and source line of each mutant of a list, whose lines begin with its key.
names() { build/testbench/mutants/draw names <(cut -f "$2" "$1"); } # LIST FIELDS
for what in netlist bench model; do
    more=()
    echo "## Mutants of the $what" | sed "s/the bench/entities, by their VHDL benches/"
    echo
    case $what in
        netlist)
            mapfile -t more < <(ls "$dir"/{cores,proved,rest}.tsv "$dir"/{wakes,all.list} 2> /dev/null)
            columns="directed lockstep random cycles cores seeds host formal held"
            columns+=" proved argued unseen asleep none unfinished" ;;
        bench) columns="build bench argued none" ;;
        model) columns="build unit sanitized directed lockstep random argued none" ;;
    esac
    names "$dir/$what.list" 2- > "$dir/source.names"
    if [ $what = netlist ] && [ -e "$dir/all.list" ]; then names "$dir/all.list" 1-; fi > "$dir/all.names"
    awk -F '\t' -v what=$what -v columns="$columns" '
        # A row: its verdict, entity, required text of the source line, kind, or kind@column, or kind@column#number as a
        # pattern.
        function add(verdict, entity, line, pattern) {
            says[++rows] = verdict
            where[rows] = entity
            text[rows] = line
            kinds[rows] = pattern
        }
        FILENAME ~ /(equivalent|held).tsv$/ && /^#/ { next }
        FILENAME ~ /equivalent.tsv$/ { add("argued", $1, $2, $3); next }
        FILENAME ~ /held.tsv$/ { gsub(/.*\/|\.vhd$/, "", $1); add("held", $1, $5, $6); next }
        FILENAME ~ /names$/ {
            if (FILENAME ~ /all.names$/) turn[$1] = $2
            name = $1
            sub(/^[^\t]*\t[^\t]*\t/, "")
            source[name] = $0
            next
        }
        FILENAME ~ /all.list$/ { might[row_for($1, $2, $3, $4)]++; next }
        FILENAME ~ /proved.tsv$/ { if ($2 != "differs") answer[$1] = $2; next }
        FILENAME ~ /cores.tsv$/ { if ($2 != "none") rest[$1] = "cores"; next }
        FILENAME ~ /rest.tsv$/ { if ($2 != "none" && !($1 in rest)) rest[$1] = $2; next }
        FILENAME ~ /wakes$/ { if (split($0, part, " ") == 2) asleep[part[1]]; next } # by no trial
        FILENAME ~ /list$/ {
            key[$1] = $2; entity[$1] = $3; place[$1] = $4; kind[$1] = $5
            drawn[$3]++
            total["drawn"]++
            next
        }
        $1 == 0 || !($1 in entity) || seen[$1]++ { next }
        {
            e = entity[$1]
            layer = $2
            if (what == "netlist" && ($2 != "none" || $1 in rest) && (answer[$1] == "proved" || row_of($1)))
                print (answer[$1] == "proved" ? "proved" : says[row_of($1)]) \
                    ", but caught, it or at 32 cores one like it: " $1 > "/dev/stderr"
            if (layer == "none" && what == "netlist" && answer[$1] ~ /proved|formal/) layer = answer[$1]
            if (layer == "none" && what == "netlist" && $1 in rest) layer = rest[$1]
            if (layer == "none" && row_of($1)) { layer = says[row_of($1)]; took[row_of($1)]++ }
            if (layer == "none" && $1 in asleep && what == "netlist") layer = "asleep"
            if (layer == "none" && $6 < 1000) layer = "unfinished"
            count[e, layer]++
            total[layer]++
            run[e]++
            total["run"]++
            if ($4 == "yes" && $2 != "random" && $2 != "cycles") total["first"]++
            if (layer ~ /^(none|asleep|unseen)$/) left[++lefts] = $1
        }
        # The first matching row, 0 if none.
        function row_for(key, entity, place, kind,    part, i) {
            split(place, part, ":")
            for (i = 1; i <= rows; i++)
                if ((where[i] == "*" || where[i] == entity) && index(source[key], text[i]) &&
                    kind "@" part[3] "#" turn[key] ~ "^(" kinds[i] ")(@[0-9]+)?(#[0-9]*)?$") return i
            return 0
        }
        function row_of(n) { return row_for(key[n], entity[n], place[n], kind[n]) }
        function print_counts(name,   i, line) {
            line = "| " name " | " drawn[name] " | " run[name] + 0
            for (i = 1; i <= layers; i++) line = line " | " count[name, layer_name[i]] + 0
            print line " |"
        }
        function rate(n) { return sprintf("%.1f %%", judged ? 100 * n / judged : 0) }
        END {
            layers = split(columns, layer_name, " ")
            line = "| entity | drawn | run"
            rule = "|---|---|---"
            for (i = 1; i <= layers; i++) { line = line " | " layer_name[i]; rule = rule "|---" }
            print line " |\n" rule "|"
            for (e in drawn) { names[++n] = e }
            for (i = 2; i <= n; i++)
                for (k = i; k > 1 && names[k] < names[k - 1]; k--) {
                    swap = names[k]; names[k] = names[k - 1]; names[k - 1] = swap
                }
            for (i = 1; i <= n; i++) print_counts(names[i])
            for (i = 1; i <= layers; i++) count["all", layer_name[i]] = total[layer_name[i]]
            drawn["all"] = total["drawn"]
            run["all"] = total["run"]
            print_counts("all")
            judged = total["run"] - total["proved"] - total["argued"] - total["build"]
            caught = judged - total["none"] - total["unfinished"] - total["asleep"] - total["unseen"] - total["held"]
            printf "\n%d of %d mutants that are not equivalent are caught: %s", caught, judged, rate(caught)
            if (what == "netlist") {
                printf "; %d of them by lockstep on the first directed kernel run", total["first"]
                held = caught + total["held"]
                printf ".\nWith %d that a bench of `make test` holds they are %d: %s", total["held"], held, rate(held)
            }
            print "."
            if (total["asleep"]) print total["asleep"] " of the others change nothing in any trial at 8 cores: asleep."
            if (total["unseen"]) print total["unseen"] " of the others change cycles alone, where no test looks."
            if (total["unfinished"]) print total["unfinished"] " of the others were not run on all trials yet."
            if (total["drawn"] > total["run"]) print total["drawn"] - total["run"] " were not run yet."
            if (lefts) print "\nLeft:\n"
            for (i = 1; i <= lefts; i++) print "- " left[i] " " entity[left[i]] " `" place[left[i]] "` " kind[left[i]]
            print "\nRows of equivalent.tsv" (what == "netlist" ? " and held.tsv" : "") ": how many each took" \
                (what == "netlist" ? ", of how many:\n" : ":\n")
            for (i = 1; i <= rows; i++) {
                of = what == "netlist" ? " of " might[i] + 0 : ""
                if (i in took || what == (where[i] ~ /vhd$/ ? "bench" : where[i] ~ /[\/*]/ ? "model" : "netlist"))
                    print "- " took[i] + 0 of " " says[i] ": " where[i] " `" text[i] "` " kinds[i]
            }
        }' "$here"/{equivalent,held}.tsv "$dir"/{source,all}.names "${more[@]}" \
        "$dir/$what.list" "$dir/$what.tsv"
    echo
done > "$dir/report.md"
grep '^##\|are caught\|bench of\|not run' "$dir/report.md"
