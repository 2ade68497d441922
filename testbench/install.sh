#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `make install` installs serves who has nothing else of this repository: the tools with both simulators, a program
# and a simulation built with the headers and pkg-config. Prints TAP.
#
#     testbench/install.sh
set -u
cd "$(dirname "$0")/.." || exit 2
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
prefix=$there/usr
tree=$PWD
unset WARPSTEP_COVERAGE WARPSTEP_SIM_DIR # what runs here is neither the RTL's coverage nor the build's

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
cp kernels/apps/vecadd.sass testbench/lockstep/example/five.sass "$there"
sed 's,#include "../sim.h",#include <warpstep/testbench/lockstep/sim.h>,' testbench/lockstep/example/tiny_core.c \
    > "$there/tiny_core.c"
cat > "$there/count.c" << 'END'
#include <stdio.h>
#include <warpstep/cmodel/run/launch.h>
#include <warpstep/testbench/lockstep/lockstep.h>
#include <warpstep/testbench/lockstep/pins.h>

int main(int argc, char **argv) {
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct diag d = {0};
    if (launch_parse(argc, argv, NULL, NULL, &machine, stderr, &run, &d) != STATUS_OK ||
        launch_check(&run, &machine, &d) != STATUS_OK)
        return launch_report("count", &d);
    const struct lockstep_options options = {.run = &run, .machine = machine};
    struct lockstep *l = lockstep_create(&options, &d);
    printf("%u threads\n", l != NULL ? block_threads(run.image->block) : 0);
    lockstep_destroy(l);
    launch_release(&run);
    return 0;
}
END
cd "$there" || exit 2
export LD_LIBRARY_PATH=$prefix/lib PKG_CONFIG_PATH=$prefix/lib/pkgconfig PATH=$prefix/bin:$PATH
flags=$(pkg-config --cflags warpstep) libraries=$(pkg-config --libs --static warpstep)
build() { # LIBRARY
    cc -std=c11 -Wall -Wextra -Werror $flags -o count count.c ${libraries/-lwarpstep/$1}
}
build_cxx() {
    sed 's/= {0}/= {}/' count.c > count.cpp && # C says {0} for {}
        c++ -std=c++20 -Wall -Wextra -Werror -Wno-missing-field-initializers $flags -o count_cxx count.cpp \
            ${libraries/-lwarpstep/-l:libwarpstep.a}
}
# Each option that a tool has stands in its page, and bash completes it.
has_page() { # TOOL
    local option options
    options=$("$1" --help | grep -oE '^  --[a-z-]+' | tr -d ' ')
    for option in $options; do
        grep -qF -- "${option//-/\\-}" "$prefix/share/man/man1/$1.1" || { echo "no $option" && return 1; }
    done
    [ -n "$options" ] && head -n 1 "$prefix/share/man/man1/$1.1" | grep -q '^\.TH WARP-.* 1 '
}
completes() { # TOOL
    bash -c '. "$0"; COMP_WORDS=("$1" --h) COMP_CWORD=1; _warpstep "$1"; [ "${COMPREPLY[*]}" = --help ]' \
        "$prefix/share/bash-completion/completions/$1" "$1"
}
version() { "$1" --version | grep -qx "$1 (Warpstep) [0-9.]*"; }
counts() { [ "$(./count vecadd.sass)" = "16 threads" ]; }
expect "the model" warp-run vecadd.sass
expect "lockstep under Verilator" warp-lockstep vecadd.sass --cores 16
expect "lockstep under GHDL" warp-lockstep vecadd.sass --sim ghdl --cores 32
expect "assembler" warp-as vecadd.sass -o vecadd.elf
expect "disassembler" warp-dis vecadd.elf
expect "random kernels" warp-fuzz --count 2 --out .
for tool in warp-as warp-dis warp-run warp-lockstep warp-fuzz warp-view; do
    expect "$tool --version" version $tool
    expect "the page of $tool" has_page $tool
    expect "completion of $tool" completes $tool
done
expect "a picture" eval "warp-run vecadd.sass --trace t.txt && warp-view t.txt -o t.svg"
expect "a program in C++" build_cxx
expect "... runs" eval '[ "$(./count_cxx vecadd.sass)" = "16 threads" ]'
expect "a program with the headers and the library" build -l:libwarpstep.a
expect "... runs" counts
expect "... and with the shared one" build -l:libwarpstep.so
shows_headers() { # the names that it exports stand in headers
    ! nm -D --defined-only "$prefix/lib/libwarpstep.so" | awk '{ print $3 }' |
        grep -vxFf <(grep -rohE '[a-z_][a-z0-9_]*' "$prefix/include/warpstep")
}
expect "... which shows no others" shows_headers
expect "... runs" counts
expect "the programs of docs/library.md" env WORK="$there" "$tree/testbench/follow.sh" docs/library.md
expect "a simulation with the headers" cc -std=c11 -shared -fPIC $flags -o tiny_core.so tiny_core.c
expect "... in lockstep" warp-lockstep five.sass --sim ./tiny_core.so
echo "1..$number"
exit $failed
