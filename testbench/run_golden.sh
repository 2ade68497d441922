#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs an application kernel at several sizes, with random inputs, against its host program of golden/host: on the C
# model and in lockstep with the RTL. Prints TAP, the seed first.
#
#     [SEED=N] [SIZES="N N ...;..."] testbench/run_golden.sh [-l | -n] [-v "8"] [-g ""] [-S ""] NAME
#
#     NAME         one of those at the end of this file and in testbench/golden/
#     -l           the large sizes of testbench/golden/
#     -n           only writes the inputs of one size, and prints the kernel and its launch
#     SIZES        others, in the order of the parameters of the kernel's function
#     -v, -g, -S   machines, as in testbench/run_kernel.sh
set -u
cd "$(dirname "$0")/.." || exit 2
verilator=8 ghdl="" several="" large="" only_flags=""
while getopts lnv:g:S: option; do
    case $option in
        l) large=yes ;;
        n) only_flags=yes ;;
        v) verilator=$OPTARG ;;
        g) ghdl=$OPTARG ;;
        S) several=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
name=$1
host=build/golden/host
seed=${SEED:-$((RANDOM * 32768 + RANDOM + 1))}
work=build/golden/$name${WIDE:+-$WIDE}${SIZES:+-sizes} # two of these may run at once
mkdir -p "$work"
[ -n "$only_flags" ] || echo "# SEED=$seed ${SIZES:+SIZES='$SIZES' }testbench/run_golden.sh ${large:+-l }$name"

# The seed advances with each input, so that all inputs differ.
noise() { "$host/noise" "$1" "$seed" "${2-0}" && seed=$((seed % 4294967290 + 1)); }
# The flag for a file's bytes in global memory; none for an empty file
at() { # ADDRESS FILE
    [ ! -s "$2" ] || echo --global "$1=@$2"
}
up() { echo $((($1 + $2 - 1) / $2)); } # $1 / $2, rounded up

plane() { # COLUMNS ROWS
    echo --grid "$(up "$1" 16),$(up "$2" 16)" --param "0,0x10000,$1,$2" --global "0=@$work/in" \
        --expect "0x10000=@$work/out"
}

# For each case: inputs and expectation in $work, launch flags on stdout. A kernel that the case assembles itself, with
# its own constants, is in $work/kernel.img.
vecadd() { # THREADS WORDS
    noise "$2" > "$work/a" && noise "$2" > "$work/b" && "$host/vecadd" "$work/a" "$work/b" > "$work/c"
    echo --block "$1" --grid "$(up "$2" "$1")" --param "0,0x8000,0x10000,$2" --global "0=@$work/a" \
        --global "0x8000=@$work/b" --expect "0x10000=@$work/c"
}
transpose() { # COLUMNS ROWS
    noise $(($1 * $2)) > "$work/in" && "$host/transpose" "$1" "$2" < "$work/in" > "$work/out"
    plane "$@"
}
edge() { # WIDTH HEIGHT
    noise $((($1 * $2 + 3) / 4)) | head -c $(($1 * $2)) > "$work/in"
    "$host/edge" "$1" "$2" < "$work/in" > "$work/out"
    plane "$@"
}
edge-rgb() { # WIDTH HEIGHT THREADS
    noise $((($1 * $2 * 3 + 3) / 4)) | head -c $(($1 * $2 * 3)) > "$work/in"
    "$host/edge-rgb" grey "$1" "$2" < "$work/in" > "$work/grey"
    "$host/edge-rgb" edges "$1" "$2" < "$work/in" > "$work/out"
    echo --block "$3" --param "0,0x8000,0x10000,$1,$2" --global "0=@$work/in" --expect "0x8000=@$work/grey" \
        --expect "0x10000=@$work/out"
}
collatz() { # NUMBERS LIMIT
    noise "$1" "$2" > "$work/in" && "$host/collatz" < "$work/in" > "$work/out"
    echo --block "$1" --param 0,0x10000 --global "0=@$work/in" --expect "0x10000=@$work/out"
}
reverse() { # COUNT BLOCKS
    noise $(($1 * $2)) > "$work/in" && "$host/reverse" "$1" < "$work/in" > "$work/out"
    echo --block "$1" --grid "$2" --shared $((24 + 4 * $1)) --param 0,0x10000 --global "0=@$work/in" \
        --expect "0x10000=@$work/out"
}
reduce() { # COUNT BLOCKS
    noise $(($1 * $2)) > "$work/in" && "$host/reduce" "$1" < "$work/in" > "$work/out"
    echo --block "$1" --grid "$2" --shared $((24 + 4 * $1)) --param 0,0x10000 --global "0=@$work/in" \
        --expect "0x10000=@$work/out"
}

# COUNT words a block, all in shared memory
runs() { # COUNT BLOCKS THREADS
    noise $(($1 * $2)) > "$work/in" && "$host/$name" "$1" < "$work/in" > "$work/out"
    echo --block "$3" --grid "$2" --shared $((24 + 4 * $1)) --param 0,0x10000 --global "0=@$work/in" \
        --expect "0x10000=@$work/out"
}
bitonic() { runs "$1" "$2" "$1"; }       # COUNT BLOCKS
scan() { runs "$1" "$2" $(($1 / 2)); }   # COUNT BLOCKS
fft() { # COUNT BLOCKS
    "$host/fft" "$1" twiddles > "$work/twiddles"
    runs "$1" "$2" $(($1 / 2))
    echo --const "0:0=@$work/twiddles"
}
matmul() { # WIDTH
    noise $(($1 * $1)) > "$work/a" && noise $(($1 * $1)) > "$work/b"
    "$host/matmul" "$1" "$work/a" "$work/b" > "$work/out"
    echo --grid "$(($1 / 16)),$(($1 / 16))" --param "0,0x8000,0x10000,$1" --global "0=@$work/a" \
        --global "0x8000=@$work/b" --expect "0x10000=@$work/out"
}
autocorrelation() { # COUNT THREADS
    noise $((($1 + 1) / 2)) | head -c $((2 * $1)) > "$work/in"
    "$host/autocorrelation" "$1" < "$work/in" > "$work/out"
    echo --block "$2" --grid "$(up "$1" "$2")" --param "0,0x10000,$1" --global "0=@$work/in" \
        --expect "0x10000=@$work/out"
}
histogram() { # COUNT THREADS BLOCKS
    noise $((($1 * $3 + 3) / 4)) | head -c $(($1 * $3)) > "$work/in"
    "$host/histogram" "$1" < "$work/in" > "$work/out"
    echo --block "$2" --grid "$3" --shared $((28 + 64 * $2)) --param "0,0x8000,$1" --global "0=@$work/in" \
        --expect "0x8000=@$work/out"
}

# Single precision: the host program also compares the chip's bits with double precision, and reports their error.
reals() { noise "$1" | "$host/reals" "$2" "$3"; } # COUNT LOW HIGH
saxpy() { # THREADS COUNT A
    reals $((2 * $2)) -100 100 > "$work/in" && "$host/saxpy" "$3" < "$work/in" > "$work/out"
    echo --block "$1" --grid "$(up "$2" "$1")" --param "0,$((4 * $2)),$3,$2" --global "0=@$work/in" \
        --expect "$((4 * $2))=@$work/out"
}
matmul-float() { # WIDTH
    reals $((2 * $1 * $1)) -1 1 > "$work/in" && "$host/matmul-float" "$1" < "$work/in" > "$work/out"
    echo --grid "$(($1 / 16)),$(($1 / 16))" --param "0,$((4 * $1 * $1)),0x10000,$1" --global "0=@$work/in" \
        --expect "0x10000=@$work/out"
}
fft-float() { # COUNT BLOCKS
    reals $((2 * $1 * $2)) -1 1 > "$work/in" && "$host/fft-float" "$1" < "$work/in" > "$work/out"
    echo --block $(($1 / 2)) --grid "$2" --shared $((24 + 8 * $1)) --param 0,0x10000 --global "0=@$work/in" \
        --expect "0x10000=@$work/out"
}
nbody() { # THREADS BLOCKS EPSILON
    reals $((4 * $1 * $2)) 0 1 > "$work/in" && "$host/nbody" "$3" < "$work/in" > "$work/out"
    echo --block "$1" --grid "$2" --shared $((32 + 16 * $1)) --param "0,0x10000,$(($1 * $2)),$3" \
        --global "0=@$work/in" --expect "0x10000=@$work/out"
}
black-scholes() { # THREADS COUNT RATE VOLATILITY
    reals $((3 * $2)) 0.25 30 > "$work/in" && "$host/black-scholes" "$3" "$4" < "$work/in" > "$work/out"
    echo --block "$1" --grid "$(up "$2" "$1")" --param "0,0x10000,$3,$4,$2" --global "0=@$work/in" \
        --expect "0x10000=@$work/out"
}
mandelbrot() { # WIDTH HEIGHT LEFT TOP SIZE LIMIT STEP
    "$host/mandelbrot" "$@" > "$work/out"
    echo --grid "$(up "$1" 16),$(up "$2" 16)" --param "0,$(echo "$*" | tr ' ' ,)" --expect "0=@$work/out"
}
divide() { # pairs|corners COUNT
    noise $((3 * $2)) > "$work/noise"
    "$host/divide" "$1" < "$work/noise" > "$work/in" && "$host/divide" < "$work/in" > "$work/out"
    echo --block 256 --grid "$(up "$2" 256)" --param "0,0x10000,$2" --global "0=@$work/in" --expect "0x10000=@$work/out"
}
divide-split() { divide "$@"; }

# More cases: each file also gives its kernels' sizes and folder. Sizes are separated by ;, those that begin with ~ are
# for the model alone.
declare -A sizes_of=() large_sizes_of=() folder_of=()
for part in testbench/golden/*.sh; do . "$part"; done

case $name in
    vecadd) cases=("16 40" "1 3" "33 100" "256 1000") ;;
    transpose) cases=("1 1" "17 3" "32 32" "40 70") ;;
    edge) cases=("3 3" "1 5" "16 16" "50 37") ;;
    edge-rgb) cases=("16 16 256" "1 7 5" "8 3 32" "64 33 100") ;;
    collatz) cases=("1 10" "32 100" "77 1000") ;;
    reverse) cases=("1 2" "32 3" "100 9") ;;
    reduce) cases=("2 3" "32 9" "512 2") ;;
    bitonic) cases=("1 3" "8 5" "32 4" "256 3") ;;
    scan) cases=("2 3" "16 5" "64 3" "512 2") ;;
    matmul) cases=("16" "48") ;;
    autocorrelation) cases=("1 5" "50 32" "130 64") ;;
    histogram) cases=("300 16 3" "100 33 2" "1000 128 2") ;;
    fft) cases=("2 3" "8 4" "128 3" "512 1") ;;
    saxpy) cases=("16 40 0x40490fdb" "33 100 0xbf000000" "256 1000 0x3dcccccd") ;;
    matmul-float) cases=("16" "48") ;;
    fft-float) cases=("2 3" "8 4" "128 3" "512 1") ;;
    nbody) cases=("1 1 0x3c23d70a" "32 3 0x3c23d70a" "100 2 0x38d1b717") ;;
    black-scholes)
        cases=("1 3 0x3ca3d70a 0x3e99999a" "100 333 0x3ca3d70a 0x3e99999a" "256 500 0x3dcccccd 0x3f000000")
        ;;
    mandelbrot)
        cases=("1 1 0 0 0 5 1" "20 33 0xc0066666 0x3f99999a 0x3d8f5c29 64 4")
        cases+=("32 20 0xbf400000 0x3de147ae 0x3ba3d70a 99 2")
        ;;
    divide | divide-split)                                   # 2,048 pairs, times PAIRS
        cases=("corners 3600")
        for ((i = 0; i < ${PAIRS:-1}; i++)); do cases+=("pairs 2048"); done
        ;;
    *)
        [ -n "${sizes_of[$name]-}" ] || { echo "Bail out! no such kernel: $name"; exit 2; }
        IFS=';' read -ra cases <<< "${sizes_of[$name]}"
        ;;
esac
if [ -n "$large" ]; then
    IFS=';' read -ra cases <<< "${large_sizes_of[$name]?has no large sizes}"
fi
[ -z "${SIZES-}" ] || IFS=';' read -ra cases <<< "$SIZES"
source=${folder_of[$name]-kernels/apps}/$name.sass
number=0 failed=0
for sizes in "${cases[@]}"; do
    machines=(-v "$verilator" -g "$ghdl" -S "$several")
    [[ $sizes != "~"* ]] || machines=(-v "" -g "")
    sizes=${sizes#"~"}
    # shellcheck disable=SC2086 # sizes and flags are lists of words
    seed=$((seed + 16))
    flags=$(set -eo pipefail && "$name" $sizes)
    made=$?
    kernel=$source
    [ ! -e "$work/kernel.img" ] || kernel=$work/kernel.img
    if [ -n "$only_flags" ]; then
        echo "$kernel $flags"
        exit $made
    fi
    : > "$work/log"
    number=$((number + 1))
    # shellcheck disable=SC2086
    if [ $made -eq 0 ] &&
        testbench/run_kernel.sh -o "${machines[@]}" "$kernel" $flags > "$work/log" 2>&1; then
        echo "ok $number - $name $sizes"
    else
        failed=1
        echo "not ok $number - $name $sizes"
        sed 's/^/# /' "$work/log"
    fi
done
echo "1..$number"
exit $failed
