#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Follows docs/bring-your-own-rtl.md: runs its commands unchanged, in a separate folder; then its machines with faults,
# which must be found, and launches that exceed them. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
page=$PWD/docs/bring-your-own-rtl.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/build"
ln -s "$PWD"/{assembler,checker,cmodel,golden,spec,testbench} "$work"
ln -s "$PWD"/build/{bin,sim,libwarpstep.a} "$work/build"
cd "$work" || exit 2
number=0 failed=0

report() { # NAME STATUS
    number=$((number + 1))
    if [ "$2" = 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' log
        failed=1
    fi
}

# The commands: blocks of sh, and lines that begin with a tool of the page, one file each.
awk '
    /^```sh/ { n++; inside = 1; next }
    /^```/ { inside = 0 }
    inside { print > sprintf("command%02d", n); next }
    /^    (cc|ghdl) -|^    build\/bin\/[a-z-]+ / { print > sprintf("command%02d", ++n) }' "$page"
for command in command*; do
    name=$(grep -v '^mkdir\|^include' "$command" | head -1 | sed 's/^ *//; s/ *\\$//')
    bash -e "$command" > log 2>&1
    report "$name" $?
done

# ---- the machine in Verilog

serial=checker/port/example/serial
include=$(verilator --getenv VERILATOR_ROOT)/include
run_serial() { # KERNEL OPTION...
    build/bin/warp-lockstep "$1" --sim "${library:-build/serial.so}" --machine $serial/serial.machine --no-wave \
        "${@:2}" > log 2>&1
}
expect() { # NAME CODE TEXT KERNEL OPTION...: exit code, and a line of the output
    run_serial "${@:4}"
    [ $? -eq "$2" ] && grep -q -- "$3" log
    report "$1" $?
}
kernel() { # NAME LINE...
    printf '%s\n' ".kernel $1" .block\ 40 "${@:2}" > "$1.sass"
}
kernel misaligned 'SHL R1, R0, 0x1' 'GST.U32 global14 [R1], R0' RET
kernel beyond 'SHL R1, R0, 0xb' 'GLD.U32 R2, global14 [R1]' RET
kernel overflow 'again: SSY again' 'BRA again'
kernel undefined 'MVI R1, 0x4' '.word 0xffffffff, 0xffffffff' RET
kernel far 'BRA 0x100' RET
kernel threads 'SHR.C0 R1, R0, 0x10' 'SSY join' 'BRA C0.EQU, join' 'IADD R1, R0, -R1' \
    'join: IADD.S R1, R1, R1' RET
kernel shared 'MOV R1, g [0x4]' RET
kernel many 'MVI R70, 0x1' RET
expect "another seed" 0 "6099 warp instructions compared" $serial/steps.sass --seed 2
expect "three dimensions" 0 ": pass: " threads.sass --grid 2,2 --block 3,5,7
expect "traps alike: misaligned" 3 "misaligned global memory access at pc 0x8" misaligned.sass
expect "traps alike: out of range" 3 "global memory access out of range at pc 0x8" beyond.sass
expect "traps alike: stack overflow" 3 "warp stack overflow" overflow.sass
expect "traps alike: undefined" 3 "undefined instruction at pc 0x8" undefined.sass
expect "traps alike: beyond the code" 3 "fetch beyond the code at pc 0x100" far.sass
offline() { # KERNEL CODE TEXT: the same without a plug-in
    build/bin/warp-as --list "$1" 2> log | awk 'NR > 1 {print $2, $3}' > code.hex
    build/serial_trace/Vserial_trace +code=code.hex +grid_x=1 +block_x=40 +regs=3 +trace=trap.txt >> log
    build/bin/warp-lockstep "$1" --machine $serial/serial.machine --check-trace trap.txt >> log 2>&1
    [ $? -eq "$2" ] && grep -q -- "$3" log
    report "traps offline: $1" $?
}
offline misaligned.sass 3 "misaligned global memory access at pc 0x8"
offline undefined.sass 3 "undefined instruction at pc 0x8"
expect "what it lacks is refused" 2 "error: cannot run this: MOV at pc 0x0, which the machine lacks" shared.sass
expect "too many registers are refused" 2 "error: cannot run this: registers a thread 71, the machine has 64" many.sass

# A fault is a sed edit of its source.
faulty() { # NAME SED TEXT
    sed "$2" $serial/serial_sm.v > faulty.v
    {
        ! cmp -s faulty.v $serial/serial_sm.v &&
            verilator --cc --build -O3 -Wno-WIDTH --prefix Vserial_sm -CFLAGS -fPIC --Mdir build/faulty faulty.v &&
            c++ -std=c++17 -O1 -shared -fPIC -I. -Ibuild/faulty -isystem "$include" -isystem "$include/vltstd" \
                -o build/faulty.so $serial/serial_sim.cpp build/faulty/Vserial_sm__ALL.a \
                "$include"/verilated.cpp "$include"/verilated_threads.cpp
    } > log 2>&1 || { report "$1" 1; return; }
    library=build/faulty.so expect "found, and the third opinion agrees with the model: $1" 1 "$3" $serial/steps.sass
    grep -q "the third opinion agrees with: model" log || report "the opinion on: $1" 1
}
faulty "a carry" 's/sum\[31:0\];/{sum[31:21], a[20] ^ b[20], sum[19:0]};/' 'differ in dst'
faulty "the sign flag" 's/carry_overflow, result.31./carry_overflow, 1'"'"'b0/' 'differ in c$'
faulty "lanes that wait" 's/push(DIVERGE, next, active & ~exec)/push(DIVERGE, next, active)/' 'differ in next_active'

# ---- the machine in VHDL

cd build/calls || exit 2
CALLS_KERNEL=../../checker/port/example/five.sass LD_LIBRARY_PATH=$PWD ghdl -r --std=08 calls_core -gWRONG=true \
    > "$work/log" 2>&1
[ $? -eq 1 ] && grep -q '^    dst R[0-9]* lane 10 .* 0x00000030$' "$work/log"
code=$?
cd "$work" || exit 2
report "found by calls from VHDL" $code
echo "1..$number"
exit $failed
