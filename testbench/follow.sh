#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Follows a page like a reader who types its commands, in a separate folder: each command must print the lines that the
# page shows beneath it, in order, possibly with others between them; a command without shown output must succeed. TAP.
#
#     testbench/follow.sh PAGE [NAME...]       NAME: only blocks of `console NAME`; without one, those of `console`
#
# In blocks of ```console a line `$ COMMAND` is a command, `> ...` its continuation; the others are its output, on
# either stream, with `...` for any text. A block that begins with a comment that is a file's name, `// first.sass` or
# `/* words.c */` or `# sum.py`, is that file. Blocks of ```text are lines shown by another page: docs/tutorial.md. The
# folder looks like the built tree; WORK=DIR selects another one.
set -u
cd "$(dirname "$0")/.." || exit 2
tree=$PWD page=$PWD/$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
steps=$scratch/steps
mkdir "$steps"
if [ -z "${WORK-}" ]; then
    WORK=$scratch/tree
    mkdir -p "$WORK/build/sim"
    ln -s "$tree"/{Makefile,assembler,checker,cmodel,compiler,docs,fpga,golden,kernels,loader,measure} \
        "$tree"/{share,sim,spec,testbench,web} "$WORK"
    ln -s "$tree"/build/libwarpstep.a "$WORK/build"
    ln -s "$tree"/build/sim/libsim-verilator-*.so "$WORK/build/sim"
    # Files that a page may change or rebuild; and the tools, which look for simulations beside them.
    cp -a "$tree/rtl" "$WORK"
    cp -a "$tree"/build/sim/*ghdl* "$WORK/build/sim"
    cp -a "$tree/build/bin" "$WORK/build"
    [ ! -d "$tree/build/kernels" ] || ln -s "$tree/build/kernels" "$WORK/build"
fi

# Each block becomes files, in the page's order: NN.file with the name in its first line; NN.run and NN.shown.
awk -v steps="$steps" -v names=" $* " -v text="$scratch/text" '
    function path(kind) { return sprintf("%s/%03d.%s", steps, step, kind) }
    /^ *```/ && !inside {
        inside = $1; name = $2
        first = 1; kind = ""
        if (inside == "```console" && (names == "  " ? name == "" : index(names, " " name " "))) kind = "shown"
        next
    }
    /^ *```/ { inside = ""; next }
    !inside { next }
    inside == "```text" && names == "  " { print > text }
    kind == "shown" && /^\$ / { step++; print substr($0, 3) > path("run"); printf "" > path("shown"); next }
    kind == "shown" && /^> / { print substr($0, 3) > path("run"); next }
    kind == "shown" { print > path("shown"); next }
    first && inside !~ /^```(console|sh)/ && $2 ~ /^[a-z_]+\.[a-z]+$/ && $1 ~ /^(\/\/|\/\*|#)$/ {
        step++; kind = "file"; print $2 > path("file")
    }
    { first = 0 }
    kind == "file" { print > path("file") }' "$page"

number=0 failed=0
report() { # NAME STATUS
    number=$((number + 1))
    [ "$2" -eq 0 ] && echo "ok $number - $1" && return
    failed=1
    echo "not ok $number - $1"
    sed 's/^/# /' "$scratch/log"
}
# Checks that the lines shown by the page were printed, in order.
shows() { # SHOWN PRINTED
    awk '
        function fits(want, have,   n, part, i, at) {
            n = split(want, part, /\.\.\./)
            if (n == 1) return want == have
            if (index(have, part[1]) != 1) return 0
            have = substr(have, length(part[1]) + 1)
            for (i = 2; i < n; i++) {
                at = index(have, part[i])
                if (!at) return 0
                have = substr(have, at + length(part[i]))
            }
            return length(have) >= length(part[n]) && substr(have, length(have) - length(part[n]) + 1) == part[n]
        }
        { sub(/ +$/, "") }
        FILENAME == ARGV[1] { want[++wanted] = $0; next }
        found < wanted && fits(want[found + 1], $0) { found++ }
        END { if (found < wanted) { print "the page shows: " want[found + 1]; exit 1 } }' "$1" "$2" > "$scratch/log"
    local code=$?
    sed 's/^/    /' "$2" >> "$scratch/log"
    return $code
}

cd "$WORK" || exit 2
# One shell runs all commands, so that settings persist.
set +u
for step in "$steps"/*.[fr]*; do
    case $step in
        *'*'*) ;; # there is none
        *.file) sed 1d "$step" > "$(head -n 1 "$step")" ;;
        *.run)
            . "$step" > "$scratch/printed" 2>&1 < /dev/null
            code=$?
            [ ! -s "${step%.run}.shown" ] || code=0
            shows "${step%.run}.shown" "$scratch/printed" || code=1
            report "$(head -n 1 "$step")" $code
            ;;
    esac
done
if [ -s "$scratch/text" ]; then
    shows "$scratch/text" "$tree/docs/tutorial.md"
    report "docs/tutorial.md shows the same" $?
fi
[ $number -gt 0 ] || { echo "not ok 1 - the page has no commands"; number=1 failed=1; }
echo "1..$number"
exit $failed
