#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The library from C++: each public header alone, in C++11, and a program that runs a kernel on the model, linked with
# the library. Prints TAP.
#
#     testbench/cxx.sh
set -u
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
public=(cmodel/model.h cmodel/run/launch.h checker/{verdict/lockstep,port/pins,report/report,port/sim}.h
    assembler/isa/isa.h compiler/compiler.h)
flags=(-Wall -Wextra -Wpedantic -Werror -I.)

number=0 failed=0
expect() { # NAME COMMAND...
    number=$((number + 1))
    local verdict=ok
    "${@:2}" > "$work/log" 2>&1 || { verdict="not ok" && failed=1; }
    echo "$verdict $number - $1"
    [ "$verdict" = ok ] || sed 's/^/# /' "$work/log"
}

cat > "$work/run.cpp" <<'END'
#include <cstdio>

#include "cmodel/model.h"
#include "cmodel/run/launch.h"
#include "compiler/compiler.h"

// Compiled from a text.
static bool compiles() {
    static const char text[] = ".version 3.2\n.target sm_20\n.entry k() { ret; }";
    struct compiler_options options = COMPILER_OPTIONS;
    struct compilation *c;
    options.name = "k.ptx";
    const bool good = compile_source(text, sizeof text - 1, &options, &c, nullptr) == STATUS_OK &&
                      compilation_kernel(c, 0)->argument_count == 0;
    compilation_destroy(c);
    return good;
}

int main(int argc, char **argv) {
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run;
    struct diag d = {};
    if (launch_parse(argc, argv, nullptr, nullptr, &machine, stderr, &run, &d) != STATUS_OK ||
        launch_check(&run, &machine, &d) != STATUS_OK)
        return launch_report("run", &d);
    if (!compiles()) return 2;
    struct model *m = model_create(&machine);
    uint64_t steps = 0;
    if (m == nullptr || model_launch(m, run.image, &d) != STATUS_OK) return 2;
    const bool done = model_run(m, UINT64_MAX, &steps) == MODEL_DONE;
    std::printf("%s after %llu\n", done ? "done" : "not done", (unsigned long long)steps);
    model_destroy(m);
    launch_release(&run);
}
END
runs() { [[ $("$work/run" kernels/apps/vecadd.sass) == "done after "[1-9]* ]]; }

for header in "${public[@]}"; do
    expect "$header" g++ -std=c++11 "${flags[@]}" -fsyntax-only -x c++ -include "$header" /dev/null
done
expect "a program" g++ -std=c++11 "${flags[@]}" -o "$work/run" "$work/run.cpp" build/libwarpstep.a -lelf
expect "... runs" runs
echo "1..$number"
exit $failed
