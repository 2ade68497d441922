#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles kernels of kernels/c, runs them with random inputs, and compares their results with those of the host
# programs of golden/host: on the model, where reading an undefined value is an error, and in small sizes in lockstep
# with the RTL. Prints TAP, the seed first; one skipped line without clang.
#
#     [SEED=N] testbench/compiler/run_c.sh [-v "8"] [-O "0 1"] [KERNEL...]      kernels/c/saxpy.cl ...; default: all
#
#     -v   cores of machines under Verilator; default 8, "" for none
#     -O   further optimisation levels for kernels of a small size, on the model; default 0 for some
set -u
cd "$(dirname "$0")/../.." || exit 2
machines=8 levels=
while [ "${1-}" = -v ] || [ "${1-}" = -O ]; do
    [ "$1" = -v ] && machines=$2 || levels=$2
    shift 2
done
[ $# -gt 0 ] || set -- kernels/c/*.cl kernels/c/*.cu
host=build/golden/host
work=build/compiler/c
seed=${SEED:-$((RANDOM * 32768 + RANDOM + 1))}
mkdir -p $work
if ! build/bin/warp-cc --emit-ptx kernels/c/saxpy.cl -o $work/saxpy.ptx 2> $work/clang; then
    if grep -q 'clang not found' $work/clang; then
        echo "ok 1 - kernels in C # SKIP $(sed 's/.*error: //' $work/clang)"
        echo "1..1"
        exit 0
    fi
fi
echo "# SEED=$seed testbench/compiler/run_c.sh"

noise() { "$host/noise" "$1" "$seed" "${2-0}" && seed=$((seed % 4294967290 + 1)); } # WORDS [LIMIT]
reals() { noise "$1" | "$host/reals" "$2" "$3"; }                                   # COUNT LOW HIGH
bytes() { noise $((($1 + 3) / 4)) | head -c "$1"; }                                 # COUNT
bits() { printf '%s' "0x$(LC_ALL=C awk -v x="$1" 'BEGIN {
    if (x == 0) { print 0; exit }
    sign = x < 0; if (sign) x = -x
    for (e = 127; x >= 2; e++) x /= 2
    for (; x < 1; e--) x *= 2
    m = (x - 1) * 8388608; f = int(m); if (m - f > 0.5 || (m - f == 0.5 && f % 2)) f++
    printf "%x", sign * 2147483648 + e * 8388608 + f }')"; } # of a number in single precision
up() { echo $((($1 + $2 - 1) / $2)); }

# For each kernel: small and large sizes; a function that writes the inputs and $work/expected, and sets `flags`, in
# which @ is the folder for the kernel's output; and the comparison, exact unless `compare` is set.
sizes_saxpy=("64 100 2.5" "256 5000 -0.3")
saxpy() { # THREADS COUNT A
    reals "$2" -100 100 > $work/x && reals "$2" -100 100 > $work/y
    cat $work/x $work/y | $host/saxpy "$(bits "$3")" > $work/expected
    flags="--grid $(up "$2" "$1") --block $1 --arg $work/y,out=@ --arg $work/x --arg $3 --arg $2"
    compare="near 1e-5 1e-6"
}
sizes_matmul=("16" "48")
matmul() { # WIDTH
    reals $(($1 * $1)) -1 1 > $work/a && reals $(($1 * $1)) -1 1 > $work/b
    cat $work/a $work/b | $host/matmul-float "$1" > $work/expected
    flags="--grid $(($1 / 16)),$(($1 / 16)) --block 16,16 --arg $work/a --arg $work/b --arg zero:$((4 * $1 * $1)),out=@"
    flags+=" --arg $1"
    compare="near 1e-5 1e-5"
}
runs() { # COUNT BLOCKS: each block has COUNT words
    noise $(($1 * $2)) > $work/in && $host/$name "$1" < $work/in > $work/expected
    flags="--grid $2 --block $1 --arg $work/in --arg zero:$(stat -c %s $work/expected),out=@ --arg local:$((4 * $1))"
}
sizes_reduce=("32 3" "256 20")
reduce() { runs "$@"; }
sizes_scan=("32 2" "256 9")
scan() { runs "$@" && flags+=" --arg local:$((4 * $1))"; }
sizes_bitonic=("32 2" "256 6")
bitonic() { runs "$@"; }
sizes_histogram=("100 2" "3000 5")
histogram() { # COUNT BLOCKS
    bytes $(($1 * $2)) > $work/in && $host/histogram "$1" < $work/in > $work/expected
    flags="--grid $2 --block 32 --arg $work/in --arg zero:$((64 * $2)),out=@ --arg $1"
}
sizes_transpose=("17 20" "70 100")
transpose() { # COLUMNS ROWS
    noise $(($1 * $2)) > $work/in && $host/transpose "$1" "$2" < $work/in > $work/expected
    flags="--grid $(up "$1" 16),$(up "$2" 16) --block 16,16 --arg $work/in --arg zero:$((4 * $1 * $2)),out=@"
    flags+=" --arg $1 --arg $2"
}
sizes_convolve=("12 5 1 3 8" "40 33 3 5 12")
convolve() { # WIDTH HEIGHT PLANES SIDE SHIFT
    bytes $(($1 * $2 * $3)) > $work/in && bytes $(($3 * $4 * $4)) > $work/weights && noise 1 1000 > $work/bias
    $host/convolve "$1" "$2" "$3" 1 "$4" "$5" $work/in $work/weights $work/bias > $work/expected
    flags="--grid $(up "$1" 16),$(up "$2" 8) --block 16,8 --arg $work/in --arg $work/weights --arg $work/bias"
    flags+=" --arg zero:$(($1 * $2)),out=@ --arg $1 --arg $2 --arg $3 --arg $4 --arg $5"
}
sizes_fft=("16 2" "512 3")
fft() { # COUNT BLOCKS
    reals $((2 * $1 * $2)) -1 1 > $work/in && $host/fft-float "$1" < $work/in > $work/expected
    flags="--grid $2 --block $(($1 / 2)) --arg $work/in --arg zero:$((8 * $1 * $2)),out=@ --arg local:$((8 * $1))"
    compare="near 1e-4 1e-4"
}
sizes_nbody=("1 0.01" "4 0.01")
nbody() { # BLOCKS EPSILON
    reals $((4 * 32 * $1)) 0 1 > $work/in && $host/nbody "$(bits "$2")" < $work/in > $work/expected
    flags="--grid $1 --block 32 --arg $work/in --arg zero:$((12 * 32 * $1)),out=@ --arg $((32 * $1)) --arg $2"
    flags+=" --arg local:512"
    compare="near 1e-2 1e-4"
}
sizes_mandelbrot=("16 8 -2.1 1.2 0.16 20 4" "64 48 -2.1 1.2 0.05 64 4")
mandelbrot() { # WIDTH HEIGHT LEFT TOP SIZE LIMIT STEP
    $host/mandelbrot "$1" "$2" "$(bits "$3")" "$(bits "$4")" "$(bits "$5")" "$6" "$7" > $work/expected
    flags="--grid $(up "$1" 16),$(up "$2" 16) --block 16,16 --arg zero:$(($1 * $2)),out=@"
    for value in "$@"; do flags+=" --arg $value"; done
    compare="mostly $(($1 * $2 / 50))"
}
sizes_sha256=("2 3" "40 130")
sha256() { # COUNT LENGTH
    bytes $(($1 * $2)) > $work/in && $host/sha256 "$1" "$2" < $work/in > $work/expected
    flags="--grid $(up "$1" 32) --block 32 --arg $work/in --arg zero:$((32 * $1)),out=@ --arg $1 --arg $2"
}
sizes_aes128=("2" "100")
aes128() { # COUNT
    bytes $((16 * $1)) > $work/in && bytes 16 > $work/key && $host/aes128 encrypt $work/key < $work/in > $work/expected
    flags="--grid $(up "$1" 32) --block 32 --arg $work/in --arg zero:$((16 * $1)),out=@ --arg $work/key --arg $1"
}
sizes_life=("16 4" "50 37")
life() { # WIDTH HEIGHT
    bytes $(($1 * $2)) | LC_ALL=C tr '\000-\177\200-\377' '[\000*128][\377*]' > $work/in
    $host/life "$1" "$2" 1 < $work/in > $work/expected
    flags="--grid $(up "$1" 16),$(up "$2" 8) --block 16,8 --arg $work/in --arg zero:$(($1 * $2)),out=@"
    flags+=" --arg $1 --arg $2"
}
sizes_edge=("16 8" "50 37")
edge() { # WIDTH HEIGHT
    bytes $(($1 * $2)) > $work/in && $host/edge "$1" "$2" < $work/in > $work/expected
    flags="--grid $(up "$1" 16),$(up "$2" 8) --block 16,8 --arg $work/in --arg zero:$(($1 * $2)),out=@"
    flags+=" --arg $1 --arg $2"
}
sizes_black_scholes=("32 0.02 0.3" "500 0.1 0.5")
black_scholes() { # COUNT RATE VOLATILITY
    reals $((3 * $1)) 0.25 30 > $work/in
    $host/black-scholes "$(bits "$2")" "$(bits "$3")" < $work/in > $work/expected
    flags="--grid $(up "$1" 64) --block 64 --arg $work/in --arg zero:$((8 * $1)),out=@ --arg $2 --arg $3 --arg $1"
    compare="near 2e-4 1e-4"
}

near() { "$host/near" "$1" "$2" "$3" "$4"; } # ABSOLUTE RELATIVE FOUND EXPECTED
# Rounding decides for numbers close to a limit.
mostly() { # BYTES FOUND EXPECTED: as many may differ
    [ "$(stat -c %s "$2")" = "$(stat -c %s "$3")" ] && [ "$(cmp -l "$2" "$3" | wc -l)" -le "$1" ]
}

# Without optimisation by clang, the kernels with pointers of all kinds.
default_levels() { # NAME
    case $1 in
        aes128 | sha256 | black-scholes) echo 0 1 ;;
    esac
}

number=0 failed=0
try() { # NAME TOOL...: runs it with the flags, and compares
    local out=$work/found title=$1
    shift
    rm -f "$out"
    number=$((number + 1))
    # shellcheck disable=SC2086 # flags and comparison are lists of words
    if "$@" ${flags//@/$out} > $work/log 2>&1 && $compare "$out" $work/expected >> $work/log 2>&1; then
        echo "ok $number - $title"
    else
        failed=1
        echo "not ok $number - $title"
        sed 's/^/# /' $work/log
    fi
}

for kernel in "$@"; do
    name=$(basename "${kernel%.c[lu]}")
    make=${name//-/_}
    declare -n sizes=sizes_$make
    for i in "${!sizes[@]}"; do
        compare=cmp
        # shellcheck disable=SC2086 # sizes are a list of words
        if ! $make ${sizes[i]} 2> $work/log; then
            number=$((number + 1)) failed=1
            echo "not ok $number - $name ${sizes[i]}: no input"
            sed 's/^/# /' $work/log
            continue
        fi
        try "$name ${sizes[i]}: model" build/bin/warp-run "$kernel" --strict --max-cycles 5000000
        [ "$i" -eq 0 ] || continue
        for level in ${levels:-$(default_levels "$name")}; do
            try "$name ${sizes[i]}: model, -O$level" \
                build/bin/warp-run "$kernel" "-O$level" --strict --max-cycles 5000000
        done
        for cores in $machines; do
            try "$name ${sizes[i]}: V $cores" build/bin/warp-lockstep "$kernel" --cores "$cores" --strict
        done
    done
done
echo "1..$number"
exit $failed
