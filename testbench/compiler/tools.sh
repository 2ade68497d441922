#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tools around the compiler: options of warp-cc and their errors, after which no file is left; listings that
# assemble to the same image; source lines in reports, traces and at the prompt; the cache. Prints TAP, one line without
# clang.
#
#     testbench/compiler/tools.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
bin=$PWD/build/bin
tree=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
number=0 failed=0
verdict() { # NAME COMMAND...
    number=$((number + 1))
    if "${@:2}" > "$work/log" 2>&1; then
        echo "ok $number - $1"
    else
        failed=1
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/log"
    fi
}

cat > two.cl << 'END'
__constant int FIRST[2] = {10, 20};
__kernel void one(__global int *y) { y[get_local_id(0)] = FIRST[get_local_id(0) & 1]; }
__kernel void two(__global int *y, int n) { y[get_local_id(0)] = n * NUMBER; }
END
cat > source.cl << 'END'
__kernel void scale(__global float *y, __global const half *x, int shift) {
    __local float sum[64];
    int i = get_local_id(0);
    sum[i] = vload_half(i, x);
    if (shift > 100) y[i << shift] = 1;
    y[i] = sum[(i + shift) & 63];
    vstore_half(y[i] * 2, i, (__global half *)y + 128);
}
END
printf 'not C\n' > wrong.cl
: > empty.cl
printf 'int f(int x) { return x; }\n' > none.cl
mkdir folder folder.cl out
if ! "$bin/warp-cc" two.cl -DNUMBER=1 -o first.img 2> said && grep -q 'clang not found' said; then
    echo "ok 1 - tools around the compiler # SKIP $(sed 's/.*error: //' said)"
    echo "1..1"
    exit 0
fi

# warp-cc: output formats, by suffix or option

cc() { (cd out && "$bin/warp-cc" "$@" -DNUMBER=3); }
writes() { # FILE PATTERN OPTIONS...
    rm -rf out && mkdir out
    cc ../two.cl "${@:3}" && [ "$(ls out)" = "$1" ] && grep -aq -- "$2" "out/$1"
}
verdict "-o .img" writes k.img '^.ELF' -o k.img
verdict "-o of another suffix is an image" writes k.o '^.ELF' -o k.o
verdict "-o .sass" writes k.sass '^\.kernel two' -o k.sass
verdict "-o .ptx" writes k.ptx '^\.entry two' -o k.ptx
verdict "-o .cubin" writes k.cubin 'name = two' -o k.cubin
verdict "-S to a file" writes k.x '^\.kernel two' -S -o k.x
verdict "-c" writes k.x 'name = two' -c -o k.x
verdict "--emit-ptx" writes k.x '^\.entry two' --emit-ptx -o k.x
verdict "--kernel with a listing" writes k.sass '^\.kernel two' --kernel two -o k.sass
verdict "... has no other" eval '! grep -q one out/k.sass'
prints() { cc ../two.cl "${@:2}" > said 2>&1 && grep -q -- "$1" said; }
verdict "-S to standard output" prints '^\.kernel one' -S
verdict "-o - is the standard output" prints '^\.kernel one' -S -o -
verdict "... of PTX" prints '^\.entry one' --emit-ptx -o -
to_pipe() { cc ../two.cl -o - | cmp - out/k.img && [ "$(ls out)" = k.img ]; }
verdict "... of an image" eval 'writes k.img "^.ELF" -o k.img && to_pipe'
verdict "-v" prints '^[^ ]*clang[^ ]* -cc1 ' -v -o k.img
verdict "--max-registers" prints '\.reg [1-8]$' -S --max-registers 8
verdict "--arch" prints '\.arch sm_11' -S --arch sm_11
beside() {
    rm -f two.img two.ptx
    "$bin/warp-cc" two.cl -DNUMBER=3 --keep && [ -s two.img ] && grep -q '^\.entry' two.ptx
}
verdict "without -o beside the source; --keep" beside
includes() {
    echo '#define NUMBER 7' > folder/number.h
    { echo '#include "number.h"' && cat two.cl; } > included.cl
    "$bin/warp-cc" included.cl -Ifolder -o i.img && "$bin/warp-run" i.img --kernel two --block 1 --arg zero:4,out=y \
        --arg 6 && [ "$(od -An -td4 y | tr -d ' ')" = 42 ]
}
verdict "-I" includes
# A source with headers, or a large one, takes two runs of clang; functions that no kernel calls are left out.
unused() {
    printf 'int f%s(int a) { while (a & 7) a *= a - 3; return a; }\n' 1 2 > folder/functions.h
    printf '__attribute__((noinline)) int g(int a) { return f1(a) + 1; }\n' >> folder/functions.h
    printf '%s\n__kernel void k(__global int *y) { y[0] = g(y[0]); }\n' '#include "functions.h"' > unused.cl
    { cat folder/functions.h && awk 'BEGIN { for (i = 0; i < 3000; i++) print "int h" i "(int a) { return a; }" }' &&
        tail -n 1 unused.cl; } > large.cl
    for source in unused large; do
        "$bin/warp-cc" $source.cl -Ifolder --emit-ptx -v > $source.ptx 2> said || return 1
        [ "$(grep -c ' -cc1 ' said)" = 2 ] && [ "$(grep -o -c '^\.func.* g(' $source.ptx)" = 1 ] &&
            ! grep -q '\.func.* [fh][0-9]*($' $source.ptx || return 1
    done
}
verdict "functions that no kernel calls" unused

# refusals: exit code 2, a message, no file

refuses() { # PATTERN ARGUMENTS...
    local code
    rm -rf out && mkdir out
    (cd out && "$bin/warp-cc" "${@:2}") > said 2>&1
    code=$?
    cat said
    [ $code -eq 2 ] && grep -q -- "$1" said && [ -z "$(ls out)" ]
}
verdict "no file" refuses 'No such file' ../gone.cl
verdict "a folder" refuses 'folder.cl' ../folder.cl
verdict "an empty file" refuses 'empty.cl: error: there is no kernel' ../empty.cl
verdict "no kernel" refuses 'none.cl: error: there is no kernel' ../none.cl -o k.img
verdict "no C" refuses '^../wrong.cl:1:1: error: ' ../wrong.cl -o k.img
verdict "another suffix" refuses 'expected a .cl, .cu or .ptx file' ../said
verdict "no folder for the output" refuses 'No such file' ../none/../two.cl -o gone/k.img
verdict "... for a listing" refuses 'No such file' ../two.cl -DNUMBER=1 -o gone/k.sass
verdict "the output is a folder" refuses 'Is a directory' ../two.cl -DNUMBER=1 -o ../folder
verdict "... for a listing" refuses 'Is a directory' ../two.cl -DNUMBER=1 -S -o ../folder
verdict "a full device" refuses 'No space left' ../two.cl -DNUMBER=1 -o /dev/full
verdict "... for a listing" refuses 'No space left' ../two.cl -DNUMBER=1 -S -o /dev/full
verdict "no such kernel" refuses "no kernel 'three'; the file has one, two" ../two.cl -DNUMBER=1 --kernel three -o k.img
verdict "two outputs" refuses 'exclude each other' ../two.cl -S -c -o k
verdict "two files" refuses 'more than one file' ../two.cl ../none.cl
verdict "registers" refuses 'max-registers must be 8 to 124' ../two.cl --max-registers 125
verdict "architecture" refuses 'arch must be sm_10' ../two.cl --arch sm_20
verdict "a name that is missing" refuses "unknown option '-D'" ../two.cl -D NUMBER
verdict "a clang that is not there" env WARPSTEP_CLANG=/nonexistent/clang bash -c "$(declare -f refuses)
    bin=$bin; refuses 'cannot run /nonexistent/clang' ../two.cl -o k.img"
warns_once() {
    printf '__kernel void k(__global float *y) { int unused; y[0] = sin(y[0]); }\n' > warn.cl
    "$bin/warp-cc" warn.cl -Wall -o w.img 2> said && [ "$(grep -c 'warn.cl:1:42: warning: unused' said)" = 1 ]
}
verdict "a warning is said once, also with libclc" warns_once

# ---- listings

same_image() { # SOURCE OPTIONS...: each kernel of the listing and of the image is the same
    local kernel
    "$bin/warp-cc" "$@" -w -o a.img && "$bin/warp-cc" "$@" -w -o a.sass || return 1
    for kernel in $(sed -n 's/^\.kernel //p' a.sass); do
        "$bin/warp-as" -w a.sass --kernel "$kernel" -o b.img && "$bin/warp-dis" b.img > b.txt &&
            "$bin/warp-dis" a.img --kernel "$kernel" > a.txt && diff a.txt b.txt || return 1
    done
    [ -n "$kernel" ]
}
verdict "the listing of two kernels" same_image two.cl -DNUMBER=5
for source in "$tree"/kernels/c/{saxpy,reduce,aes128,matmul}.cl "$tree"/kernels/c/histogram.cu; do
    verdict "the listing of ${source##*/}" same_image "$source"
done
verdict "the listing of saxpy.cl, -O0" same_image "$tree/kernels/c/saxpy.cl" -O0
listing_runs() {
    "$bin/warp-cc" two.cl -DNUMBER=5 -o l.sass &&
        "$bin/warp-run" l.sass --kernel one --block 2 --arg zero:8 --dump 0x100:8 | grep '0a 00 00 00  14 00 00 00'
}
verdict "a listing runs with its arguments and variables" listing_runs

# ---- lines of the source

printf '\0\74\0\100\0\102\0\104' > halves # 1, 2, 3, 4
truncate -s 128 halves
run() { "$bin/warp-run" source.cl --block 64 "$@" > said 2>&1; }
shows() { # CODE PATTERN ARGUMENTS...
    local code
    run "${@:3}"
    code=$?
    cat said
    [ $code -eq "$1" ] && grep -q -- "$2" said
}
arguments=(--arg zero:512,out=y --arg halves --arg)
halves() { shows 0 pass "${arguments[@]}" 1 && [ "$(od -An -j 256 -N 6 -tx2 y)" = " 4400 4600 4800" ]; }
verdict "buffers of halves" halves
verdict "a trap" shows 3 '^  source.cl:5:     if (shift > 100)' "${arguments[@]}" 112
verdict "a race" shows 1 'source.cl:6)$' "${arguments[@]}" 32 --check-races
verdict "... of both sides" grep -q 'source.cl:4)$' said
verdict "a text trace" shows 0 pass "${arguments[@]}" 0 --trace t.txt
verdict "... has lines" grep -q '^# source 0000[0-9a-f]* source.cl:6$' t.txt
verdict "a trace for Perfetto" shows 0 pass "${arguments[@]}" 0 --trace t.json
verdict "... has lines" grep -q '"source":"source.cl","line":6' t.json
verdict "a trace for Konata" shows 0 pass "${arguments[@]}" 0 --trace t.kanata
verdict "... has lines" grep -q 'source.cl:6' t.kanata
picture() { "$bin/warp-view" t.txt -o t.svg && grep -q '%  source.cl:6  y\[i\] = sum' t.svg; }
verdict "a picture" picture
prompt() {
    printf '%s\n' 'break source.cl:6' continue list quit |
        "$bin/warp-run" source.cl --block 64 "${arguments[@]}" 0 --debug > said 2>&1
    cat said
    grep -q '^source.cl:6:     y\[i\] = sum' said && grep -q '^-> pc .*(source.cl:6)$' said
}
verdict "the prompt" prompt
# A record with a wrong value of the first load in line 6.
mismatch() {
    local code
    awk '/^#/ { if ($4 ~ /source.cl:6$/) here[$3]; print; next }
        !done && / R[0-9]+=[0-9a-f]/ { pc = $6; sub(/:$/, "", pc); if (pc in here) done = sub(/=0/, "=1") }
        { print }' t.txt > lie.txt
    ! cmp -s t.txt lie.txt || return 1
    "$bin/warp-lockstep" source.cl --block 64 --arg zero:512 --arg halves --arg 0 --check-trace lie.txt > said 2>&1
    code=$?
    cat said
    [ $code -eq 1 ] && grep -q 'source.cl:6' said
}
verdict "a difference in lockstep" mismatch
image_lines() {
    "$bin/warp-cc" source.cl -o s.img && "$bin/warp-run" s.img --block 64 "${arguments[@]}" 112 > said 2>&1
    grep -q '^  source.cl:5:     if (shift > 100)' said
}
verdict "an image has its lines" image_lines

# the cache

export XDG_CACHE_HOME=$work/cache
cat > counted << 'END'
#!/bin/bash
case $* in *-emit-pch*) echo header ;; *) echo source ;; esac >> "$COUNT"
exec "$CLANG" "$@"
END
chmod +x counted
CLANG=$("$bin/warp-cc" -v two.cl -DNUMBER=1 -o k.img 2>&1 | sed -n '1s/ .*//p')
export CLANG COUNT=$work/count
# Compiles into k.ptx: as without the cache, and with so many runs of clang, of headers and sources.
runs() { # "HEADERS SOURCES" ARGUMENT...
    : > count
    WARPSTEP_CLANG=$work/counted "$bin/warp-cc" "${@:2}" -o k.ptx 2> said || return 1
    local found
    found="$(grep -c header count) $(grep -c source count)"
    echo "runs: $found"
    WARPSTEP_CACHE=0 "$bin/warp-cc" "${@:2}" -o whole.ptx 2> whole || return 1
    [ "$found" = "$1" ] && cmp k.ptx whole.ptx && cmp said whole
}
verdict "the first run parses the header and the source" runs "1 1" two.cl -DNUMBER=1
verdict "... the second nothing" runs "0 0" two.cl -DNUMBER=1
verdict "... another definition the source" runs "0 1" two.cl -DNUMBER=2
verdict "... another level both" runs "1 1" two.cl -DNUMBER=2 -O1
verdict "warnings are kept" runs "1 1" warn.cl -Wall
verdict "... and said again" runs "0 0" warn.cl -Wall
printf '__kernel void k(__global double *y) { y[0] = exp(y[0]); }\n' > library.cl
WARPSTEP_LIBCLC=$("$bin/warp-cc" -v library.cl -o k.img 2>&1 | sed -n 's/.*-mlink-builtin-bitcode \([^ ]*\).*/\1/p')
if [ -n "$WARPSTEP_LIBCLC" ]; then
    export WARPSTEP_LIBCLC
    verdict "libclc takes another run" runs "0 2" library.cl
    verdict "... once" runs "0 0" library.cl
fi
sed -i 's/10, 20/10, 30/' two.cl
verdict "another source" runs "0 1" two.cl -DNUMBER=1
printf '#include "number.h"\n__kernel void k(__global int *y) { y[0] = NUMBER; }\n' > with.cl
echo '#define NUMBER 5' > number.h
verdict "a source with a header takes two runs" runs "0 2" with.cl
echo '#define NUMBER 6' > number.h
verdict "... which may change" runs "0 2" with.cl
off() { ! WARPSTEP_CACHE=0 runs "0 0" two.cl -DNUMBER=1 && runs "0 0" two.cl -DNUMBER=1; }
verdict "WARPSTEP_CACHE=0" off
# A header that is no header any more: clang is run without it.
damaged() {
    local file
    for file in cache/warpstep/*/*; do
        head -n 1 "$file" > "$file.new" && tail -n +2 "$file" | tr '\000-\377' 'x' >> "$file.new"
        mv "$file.new" "$file"
    done
    runs "0 2" two.cl -DNUMBER=7
}
verdict "a header that is damaged" damaged
together() {
    local i
    rm -rf cache
    for i in 1 2 3 4 5 6; do
        WARPSTEP_CLANG=$work/counted "$bin/warp-cc" two.cl -DNUMBER=1 -o "k$i.ptx" &
    done
    wait
    for i in 1 2 3 4 5 6; do cmp "k$i.ptx" k1.ptx || return 1; done
    runs "0 0" two.cl -DNUMBER=1 && ! compgen -G 'cache/warpstep/*/new-*'
}
verdict "six at once" together
echo "1..$number"
exit $failed
