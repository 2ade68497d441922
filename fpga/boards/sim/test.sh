#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# warp-load against the simulated board (make board-sim): kernels, which must end as on the model, with the same memory,
# and the hashes of retired instructions; the selftest, a loader that is stopped in the middle of a transfer, OpenCL
# programs, a board that disappears. Prints TAP.
#
#     fpga/boards/sim/test.sh [KERNEL...]
set -u
cd "$(dirname "$0")/../../.." || exit 2
[ -x build/fpga/sim/board_sim ] ||
    { printf '1..1\nok 1 - the simulated board # SKIP it is not built: make board-sim\n'; exit; }
[ $# -gt 0 ] || set -- kernels/apps/vecadd.sass kernels/apps/edge-rgb.sass kernels/formats/X-join.sass
DUMPED=16384 # bytes from address 0 on
work=$(mktemp -d)
# One at a pseudo-terminal, and one at a socket.
fpga/boards/sim/run.sh > "$work/port" &
board=$!
fpga/boards/sim/run.sh --tcp 0 > "$work/tcp" &
at_socket=$!
trap 'kill $board $at_socket 2> "$work/killed"; rm -rf "$work"' EXIT
while [ ! -s "$work/port" ] || [ ! -s "$work/tcp" ]; do sleep 0.1; done
WARPSTEP_PORT=$(cat "$work/port")
export WARPSTEP_PORT
# Ends a command for which the boards work for too long, or which goes on for as long while they have nothing to do.
# Their time is that of cycles, whatever else the processor does.
PATIENCE=300 # seconds
worked() { cat /proc/{$board,$at_socket}/stat 2> "$work/gone" | awk '{ sum += $14 + $15 } END { print sum + 0 }'; }
end_in_time() { # PROCESS
    local begin before now idle=0
    begin=$(worked) before=$begin
    while sleep 1 && [ $idle -lt $PATIENCE ]; do
        now=$(worked)
        [ $((now - begin)) -lt $((PATIENCE * $(getconf CLK_TCK))) ] || break
        [ "$now" = "$before" ] && idle=$((idle + 1)) || idle=0
        before=$now
    done
    kill "$1" 2> "$work/gone"
}
within_patience() { # COMMAND...
    local command watch code
    "$@" &
    command=$!
    end_in_time $command &
    watch=$!
    wait $command
    code=$?
    kill $watch 2> "$work/gone"
    wait $watch 2> "$work/gone"
    return $code
}
load() { within_patience build/bin/warp-load --timeout 60000 "$@" > "$work/out" 2> "$work/err"; }

number=0 failed=0
verdict() { # NAME COMMAND...
    number=$((number + 1))
    if "${@:2}"; then
        echo "ok $number - $1"
    else
        failed=1
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/out" "$work/err"
    fi
}
says() { load "${@:3}"; [ $? -eq "$1" ] && grep -q -- "$2" "$work/out" "$work/err"; }

# Compares exit code and instructions; memory, too, if it passes.
as_on_model() { # KERNEL
    local code counts='s/.*\("warp_instructions":[0-9]*,"thread_instructions":[0-9]*\).*/\1/'
    rm -f "$work/model" "$work/board"
    build/bin/warp-run "$1" --json --dump "0:$DUMPED=$work/model" > "$work/expected" 2> "$work/err"
    code=$?
    load run "$1" --json --dump "0:$DUMPED=$work/board"
    local found=$?
    # Atomics are skipped: this board has none.
    ! grep -q 'this board has no atomics' "$work/err" || code=3
    [ $found -eq $code ] || return 1
    [ $code -ne 0 ] || cmp "$work/model" "$work/board" >> "$work/err" || return 1
    [ $code -ne 0 ] || [ "$(sed "$counts" "$work/expected")" = "$(sed "$counts" "$work/out")" ]
}

verdict "identifies itself" says 0 '^board     sim$' identify
verdict "has SDRAM that is not set up" says 0 'global, in SDRAM, which the next run sets up$' identify
for kernel in "$@"; do verdict "$kernel" as_on_model "$kernel"; done
verdict "its SDRAM is set up" says 0 'global, in SDRAM$' identify
follow() { WORK=$PWD testbench/follow.sh docs/fpga.md board > "$work/out" 2> "$work/err"; }
verdict "does what the page shows" follow
. testbench/opencl/vendors.sh
opencl() {
    ln -s "$(command -v "$python")" "$work/python3"
    PATH=$work:$PATH on_warpstep testbench/follow.sh docs/opencl.md board > "$work/out" 2> "$work/err"
}
programs() { testbench/opencl/run.sh -d "board:$(cat "$work/tcp")" -s "$@" > "$work/out" 2> "$work/err"; }
unplugged() {
    WARPSTEP_DEVICES=board:$(cat "$work/tcp"),model within_patience on_warpstep "$python" testbench/opencl/unplug.py \
        $at_socket > "$work/out" 2> "$work/err"
}
[ -z "$python" ] || verdict "runs a program of OpenCL, as the page shows" opencl
verdict "runs others as pocl does, at a socket" programs vecadd sort mandelbrot life
[ -z "$python" ] || verdict "goes away from OpenCL" unplugged
hashes() { says 0 'check: 502 warp instructions as in the model' run --check kernels/apps/edge-rgb.sass; }
verdict "what retires, against the model" hashes
wide() { says 0 'check: 1050 warp instructions as in the model' run --check kernels/formats/X-gld-gst-128.sass; }
verdict "... with wide loads" wide
verdict "a trap" says 3 'trap: global memory access out of range' run kernels/traps/global-range.sass
verdict "a wrong expectation" says 1 'expected 00' run kernels/apps/vecadd.sass --expect 0x300=00
timeout --signal=KILL 0.2 build/bin/warp-load run kernels/apps/edge-rgb.sass > "$work/out" 2>&1
verdict "the next one, after a loader that was killed" says 0 ': pass: ' run kernels/apps/vecadd.sass
verdict "the selftest" says 0 ' 0 failed, ' selftest
go_away() {
    (sleep 0.5; kill $board) &
    says 2 'the board has gone\|no answer' run kernels/apps/edge-rgb.sass --repeat 1000
}
verdict "a board that goes away" go_away
echo "1..$number"
exit $failed
