#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The number of blocks that an SM holds at once, for launches limited by each of its resources, exactly at the limit and
# just above it; and reuse of a finished block's place while others run. Prints TAP. The numbers are 32 warps, 8 blocks,
# 16384 registers and 16384 bytes of shared memory divided by the needs of a block, rounded down, by hand.
set -u
cd "$(dirname "$0")/../.." || exit 2
kernel=testbench/launches/occupancy.sass
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failed=0

# EXPECTED is the output of residents.awk.
trial() { # NAME EXPECTED WARPS LONG [flags]
    local name=$1 expected=$2 warps=$3 long=$4 found
    shift 4
    number=$((number + 1))
    build/bin/warp-lockstep "$kernel" --no-wave --trace "$work/trace.txt" "$@" > "$work/log" 2>&1
    local code=$?
    found=$(awk -v WARPS="$warps" -v LONG="$long" -f testbench/launches/residents.awk "$work/trace.txt")
    if [ $code -eq 0 ] && [ "$found" = "$expected" ]; then
        echo "ok $number - $name"
    else
        failed=1
        echo "not ok $number - $name: exit $code, $found, not $expected"
        sed 's/^/# /' "$work/log"
    fi
}
holds() { # BLOCKS THREADS REGISTERS SHARED
    local warps=$((($2 + 31) / 32))
    trial "$1 blocks of $2 threads, $3 registers, $4 bytes" "$1 | 0 | 1" $warps none --grid $(($1 + 1)) --block "$2" \
        --reg "$3" --shared "$4"
}

#     blocks threads registers shared   limited by
holds 8      32      4         28       # slots
holds 8      33      4         28       # slots: a last warp of one thread is a warp
holds 8      128     4         28       # slots and warps, both used up
holds 6      160     4         28       # warps: 6 x 5 of 32
holds 6      129     4         28       # warps: a last one of one thread
holds 1      513     4         28       # warps: 17 of 32
holds 2      512     4         28       # warps, used up
holds 1      1024    16        28       # warps and registers, used up
holds 4      64      64        28       # registers, used up
holds 3      64      65        28       # registers: 4 x 4160 are too many
holds 4      32      127       28       # registers: 4 x 4064
holds 4      32      128       28       # registers, used up
holds 5      96      34        28       # registers: 5 x 3264
holds 1      128     128       28       # registers, used up by one
holds 4      32      4         4096     # shared memory, used up
holds 3      32      4         4100     # shared memory: 4 x 4100 are too many
holds 2      32      4         5461     # shared memory: 5461 count as 5464, 3 x 5464 are too many
holds 3      32      4         5460     # shared memory: 3 x 5460
holds 1      32      4         8196     # shared memory
holds 1      32      4         16384    # shared memory, used up by one
holds 7      32      4         2340     # shared memory: 7 x 2340
holds 2      256     32        8192     # registers and shared memory, both used up

trial "two SMs hold twice as many" "3 3 | 0 | 2" 2 none --grid 6 --block 64 --reg 65 --sms 2
trial "two SMs, refilled" "4 4 | 0 | 2" 1 none --grid 17 --reg 128 --sms 2
# The first block stays as long as twenty others: all of these come and go in the other places.
trial "blocks come and go beside one that stays" "4 | 16 | 1" 1 0 --grid 17 --reg 128 --param 20,600,0
trial "... two warps each" "3 | 9 | 1" 2 0 --grid 10 --block 64 --reg 65 --param 20,600,0
trial "... on two SMs" "2 2 | 16 | 2" 1 0 --grid 17 --shared 8192 --param 20,600,0 --sms 2
# The second one stays.
trial "... beside a later one" "8 | 28 | 1" 1 1 --grid 30 --param 20,1200,1
echo "1..$number"
exit $failed
