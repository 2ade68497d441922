#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make install` is complete for a user without this repository: the tools with both simulators, a program and a
# simulation built with the headers and pkg-config. Prints TAP.
#
#     testbench/install.sh
set -u
cd "$(dirname "$0")/.." || exit 2
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
prefix=$there/usr
tree=$PWD
unset WARPSTEP_COVERAGE WARPSTEP_SIM_DIR # these runs use neither the RTL's coverage nor the build's simulations

number=0 failed=0
expect() { # NAME COMMAND...
    number=$((number + 1))
    local verdict=ok
    "${@:2}" > "$there/log" 2>&1 || { verdict="not ok" && failed=1; }
    echo "$verdict $number - $1"
    [ "$verdict" = ok ] || sed 's/^/# /' "$there/log"
}

install() { make -s install-built PREFIX="$prefix" DESTDIR="$there/staged" && mv "$there/staged$prefix" "$prefix"; }
expect "make install with PREFIX and DESTDIR" install
[ $failed = 0 ] || { echo "1..1" && exit 1; }
expect "the driver of OpenCL is where warpstep.icd says" test -f "$(cat "$prefix/etc/OpenCL/vendors/warpstep.icd")"
if command -v clinfo > "$there/which"; then
    finds() { OCL_ICD_VENDORS=$prefix/etc/OpenCL/vendors WARPSTEP_DEVICES=model,rtl:16 clinfo "$@"; }
    expect "clinfo finds the driver" eval "finds -l | grep -q 'Platform.*: Warpstep'"
    expect "... which finds the simulations" eval '[ "$(finds --raw | grep -c "CL_DEVICE_AVAILABLE  *CL_TRUE")" = 2 ]'
fi
examples=$prefix/share/doc/warpstep/examples
cp -R "$examples"/* "$there"
cd "$there" || exit 2
export LD_LIBRARY_PATH=$prefix/lib PKG_CONFIG_PATH=$prefix/lib/pkgconfig PATH=$prefix/bin:$PATH
flags=$(pkg-config --cflags warpstep) libraries=$(pkg-config --libs --static warpstep)
build() { # LIBRARY
    cc -std=c11 -Wall -Wextra -Werror $flags -o run_kernel run_kernel.c ${libraries/-lwarpstep/$1}
}
build_cxx() {
    c++ -x c++ -std=c++20 -Wall -Wextra -Werror $flags -include warpstep/checker/report/report.h \
        -include warpstep/checker/port/pins.h -o run_kernel_cxx run_kernel.c -x none \
        ${libraries/-lwarpstep/-l:libwarpstep.a}
}
# All of a tool's options are in its manual page, and bash completes each.
words_of() { tr -s ' \n' '\n' | sed 's/^usage://; /^$/d'; }
has_page() { # TOOL
    local page=$prefix/share/man/man1/$1.1
    head -n 1 "$page" | grep -q '^\.TH WARP-.* 1 ' || { echo "no head" && return 1; }
    sed -n '/^.SH SYNOPSIS/,/^.SH SEE/p' "$page" |
        sed -E '/^\.(TP|br|SH)/d; s/^\.B //; s/^\.SS (.*)/\1:/; s/\\-/-/g; s/\\&//; s/\\e/\\/g' | words_of | sort > said
    "$1" --help | words_of | sort | diff - said || return 1
    ! command -v groff > which || [ -z "$(groff -man -ww -Tutf8 "$page" 2>&1 > formatted)" ]
}
completes() { # TOOL
    local option
    for option in $("$1" --help | grep -oE -- '^  -[^ ,]+|[[ ]--[a-z-]+' | tr -d ' ['); do
        option=${option%%NAME*}
        bash -c '. "$0"; COMP_WORDS=("$1" "$2") COMP_CWORD=1; _warpstep "$1"; printf "%s\n" "${COMPREPLY[@]}"' \
            "$prefix/share/bash-completion/completions/$1" "$1" "$option" | grep -qx -- "$option" ||
            { echo "no $option" && return 1; }
    done
    [ -n "$option" ]
}
version() { "$1" --version | grep -qx "$1 (Warpstep) [0-9.]*"; }
runs() { [ "$("$1" vecadd.sass)" = "vecadd: done after 42 warp instructions" ]; }
no_objects() { ! find "$prefix" -name '*.[od]' -o -name '*in-place*' | grep .; }
expect "no objects" no_objects
for kernel in vecadd reduce divergence; do expect "example $kernel" warp-run $kernel.sass; done
expect "the model" warp-run vecadd.sass
expect "lockstep under Verilator" warp-lockstep vecadd.sass --cores 16
expect "lockstep under GHDL" warp-lockstep vecadd.sass --sim ghdl --cores 32
expect "assembler" warp-as vecadd.sass -o vecadd.elf
expect "disassembler" warp-dis vecadd.elf
expect "random kernels" warp-fuzz --count 2 --out .
for tool in warp-as warp-dis warp-cc warp-run warp-lockstep warp-fuzz warp-view warp-load; do
    expect "$tool --version" version $tool
    expect "the page of $tool" has_page $tool
    expect "completion of $tool" completes $tool
done
expect "a picture" eval "warp-run vecadd.sass --trace t.txt && warp-view t.txt -o t.svg"
expect "a program in C++" build_cxx
expect "... runs" runs ./run_kernel_cxx
expect "a program with the headers and the library" build -l:libwarpstep.a
expect "... runs" runs ./run_kernel
expect "... and with the shared one" build -l:libwarpstep.so
expect "... runs" runs ./run_kernel
expect "the programs of docs/library.md" env WORK="$there" "$tree/testbench/follow.sh" docs/library.md
expect "a simulation with the headers" cc -std=c11 -shared -fPIC $flags -o tiny_core.so tiny_core.c
expect "... in lockstep" warp-lockstep five.sass --sim ./tiny_core.so
uninstall() {
    make -s -C "$tree" uninstall PREFIX="$prefix" && ! find "$prefix" -type f -o -name '*warpstep*' | grep .
}
expect "make uninstall leaves nothing" uninstall
# A tree whose build has some simulations of the RTL, or none.
without() { # [FILE OF build/sim]
    rm -rf "$there/bare" "$there/other"
    mkdir -p "$there/bare/build/sim" "$there/other"
    ln -s "$tree"/* "$there/bare" 2> "$there/links"
    ln -s "$tree"/build/* "$there/bare/build" 2> "$there/links"
    [ $# = 0 ] || cp "$tree/build/sim/$1" "$there/bare/build/sim"
    make -s -C "$there/bare" install-built DESTDIR="$there/other" PREFIX=/usr || return 1
    (cd "$there/other/usr/lib/warpstep" && test -f libwarpstep-opencl.so && [ "$(echo libsim*)" = "${1-libsim*}" ])
}
leaves_nothing() {
    make -s -C "$there/bare" uninstall DESTDIR="$there/other" PREFIX=/usr && ! find "$there/other" -mindepth 1 | grep .
}
expect "make install with one simulation" without libsim-verilator-C8-S1.so
expect "make uninstall leaves nothing in DESTDIR" leaves_nothing
expect "make install without simulations" without
echo "1..$number"
exit $failed
