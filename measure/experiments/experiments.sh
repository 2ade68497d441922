# SPDX-License-Identifier: Apache-2.0
# The experiments of docs/evidence/experiments.md. Each is a function that prints lines of CSV: series, x, y. NAME_data,
# if it exists, writes input files of NAME. Sourced by run.sh.
# shellcheck disable=SC2034 # run.sh reads EXPERIMENTS
EXPERIMENTS="staircase interleaving start latency strides coalescing divergence division products tiles tile-causes"
EXPERIMENTS+=" products-x montgomery-x division-x"

noise() { build/golden/host/noise "$@"; } # COUNT SEED

# Average cycles of an operation in a chain, from runs of two lengths, so that the rest of the launch cancels out.
per_operation() { # KERNEL CORES WARPS
    local short long
    short=$(value cycles "$(assemble "$1-64" kernels/experiments/chains.sass -DLENGTH=64 --kernel "$1")" \
        --cores "$2" --block $((32 * $3)))
    long=$(value cycles "$(assemble "$1-192" kernels/experiments/chains.sass -DLENGTH=192 --kernel "$1")" \
        --cores "$2" --block $((32 * $3)))
    computed 2 "($long - $short) / 128 / $3"
}

staircase() {
    local cores chain threads
    for cores in 8 32; do
        for chain in add multiply float_multiply; do
            for threads in 1 16 $(seq 32 32 384) $(seq 448 64 1024); do
                echo "${chain/_/ } at $cores cores,$threads,$(value cycles \
                    "$(assemble "$chain-128" kernels/experiments/chains.sass --kernel $chain)" \
                    --cores $cores --block "$threads")"
            done
        done
    done
}

# Cycles of an instruction; an operation is four.
interleaving() {
    local chains warps
    for chains in one_chain two_chains; do
        for warps in 1 2 3 4 5 6 7 8 10 12 16; do
            echo "${chains/_/ },$warps,$(computed 2 "$(per_operation $chains 32 "$warps") / 4")"
        done
    done
}

# The clock counts every second cycle; the first warp starts at 0.
start() {
    local blocks file
    for blocks in 1 2 8; do
        local launch=(kernels/experiments/order.sass --cores 8 --grid $blocks --block $((1024 / blocks)))
        file=$work/start-$blocks
        if [ -n "$noting" ] && [ ! -e "$file" ]; then
            build/bin/warp-lockstep "${launch[@]}" --dump "0:128=$file" > /dev/null 2>&1 || exit 1
        fi
        od -An -v -tu4 -w4 "$file" | awk -v blocks=$blocks '
            { clock[NR] = 2 * $1; if (NR == 1 || clock[NR] < least) least = clock[NR] }
            END {
                series = blocks (blocks == 1 ? " block" : " blocks")
                for (i = 1; i <= NR; i++) print series "," i - 1 "," clock[i] - least
            }'
    done
}

latency() {
    local chain
    for chain in move add logic shift minimum compare convert multiply multiply_add shared_operand constant_operand \
        float_add float_multiply float_multiply_add integer_to_float reciprocal sine flag_and_guard shared_load \
        constant_load global_load branch barrier; do
        local name=${chain//_/ } cores
        for cores in 8 32; do
            echo "alone at $cores,$name,$(per_operation $chain $cores 1)"
            echo "24 warps at $cores,$name,$(per_operation $chain $cores 24)"
        done
    done
}

# Cycles of an access of a warp, of eight warps, minus those of a launch without the access.
per_access() { # KERNEL CORES STRIDE OFFSET MIRROR
    local none all
    none=$(value cycles "$(assemble "$1-0" kernels/experiments/strides.sass -DLENGTH=0 --kernel "$1")" --cores "$2")
    all=$(value cycles "$(assemble "$1-64" kernels/experiments/strides.sass --kernel "$1")" \
        --cores "$2" --param "$3,$4,$5")
    computed 1 "($all - $none) / 64 / 8"
}

strides() {
    local cores stride
    for cores in 8 32; do
        for stride in $(seq 0 18) 20 24 28 31 32; do
            echo "$cores cores,$stride,$(per_access shared $cores "$stride" 0 0)"
        done
    done
}

coalescing() {
    local cores access
    for cores in 8 32; do
        for access in load store; do
            while read -r stride offset mirror pattern; do
                echo "${access}s at $cores,$pattern,$(per_access $access $cores "$stride" "$offset" "$mirror")"
            done << 'END'
0 0 0 one word
1 0 0 in order
1 0 31 reversed
1 0 1 pairs swapped
1 1 0 one word further
2 0 0 every 2nd word
3 0 0 every 3rd word
8 0 0 every 8th word
32 0 0 every 32nd word
END
        done
    done
}

divergence() {
    local cores depth image
    for cores in 8 32; do
        for depth in 0 1 2 3 4 5; do
            image=$(assemble divergence-$depth kernels/experiments/divergence.sass --kernel depth_$depth)
            echo "$cores cores,$depth,$(value cycles "$image" --cores $cores)"
        done
    done
}

# Cycles of a pair of divisions, one unsigned and one signed, of a warp.
division_by() { # SERIES KERNEL [options]
    local threads cycles
    for threads in 32 64 96 128 192 256 384 512; do
        cycles=$(value cycles "$2" --cores 8 --block "$threads" --grid 2 \
            --param "0,0x4000,$((2 * threads))" --global "0=@$work/pairs" \
            --expect "0x4000=@$work/quotients-$threads" "${@:3}")
        echo "$1,$threads,$((16 * cycles / threads))"
    done
}
division() {
    division_by divide.sass kernels/apps/divide.sass
    division_by divide-split.sass kernels/apps/divide-split.sass
}
division_data() {
    local threads
    noise 3072 2013 | build/golden/host/divide pairs > $work/pairs
    for threads in 32 64 96 128 192 256 384 512; do
        head -c $((16 * threads)) $work/pairs | build/golden/host/divide > "$work/quotients-$threads"
    done
}

# Cycles that an SM of 8 cores spends on a product of two words, in products of 128 pairs of numbers.
SIZES="1 2 4 8 16 32 64"
product_of() { # KERNEL N PRODUCTS A_BYTES B_BYTES [options]
    local cycles name=${1##*/}
    name=${name%-x}
    cycles=$(value cycles "kernels/$1.sass" --cores 8 --grid 4 --block 32 --param "0,$4,$(($4 + $5)),128,$2" \
        --global "0=@$work/$name-$2.a" --global "$4=@$work/numbers-$2" --expect "$(($4 + $5))=@$work/$name-$2.out" \
        "${@:6}")
    computed 1 "$cycles / 128 / $3"
}
products() {
    local n
    for n in $SIZES; do
        local word=("$n" "$n" 512 $((512 * n))) number=("$n" $((n * n)) $((512 * n)) $((512 * n)))
        echo "one word by n,$n,$(product_of wide/multiply-word "${word[@]}")"
        echo "n words by n,$n,$(product_of wide/multiply "${number[@]}")"
    done
}
products_data() {
    local n
    for n in $SIZES; do
        noise $((128 * n)) 2013 > "$work/numbers-$n"
        noise 128 2018 > "$work/multiply-word-$n.a"
        noise $((128 * n)) 2018 > "$work/multiply-$n.a"
        for kernel in multiply-word multiply; do
            build/golden/host/wide $kernel "$n" "$work/$kernel-$n.a" "$work/numbers-$n" > "$work/$kernel-$n.out"
        done
    done
}

TILES="4x4 16x4 16x8 16x16 32x2 32x8"
tile_launch() { # STENCIL TILE DEPTH: leaves the command line in `launch`
    local x=${2%x*} y=${2#*x} bytes=$((16384 * $3))
    launch=("$(assemble "$1-$2" "kernels/stencils/$1.sass" "-DTILE_X=$x" "-DTILE_Y=$y")" --cores 8
        --grid "$(((64 + x - 1) / x)),$(((64 + y - 1) / y))" --param "0,$bytes,64,64,0x3333,$3"
        --global "0=@$work/$1.in" --expect "$bytes=@$work/$1.out")
}
tiles() {
    local tile sms
    for tile in $TILES; do
        tile_launch heat3d "$tile" 4
        for sms in ${SMS:-1 2 4}; do echo "$sms SM,$tile,$(value cycles "${launch[@]}" --sms "$sms")"; done
    done
}
tiles_data() {
    noise 16384 2013 > $work/heat3d.in
    build/golden/host/stencil heat3d 64 64 4 0x3333 < $work/heat3d.in > $work/heat3d.out
}

# Cycles by cause on one SM.
tile-causes() {
    local tile cause
    for tile in $TILES; do
        tile_launch heat3d "$tile" 4
        for cause in cycles warp_instructions issue global_wait shared_replay barrier dispatch dependency fetch; do
            echo "${cause/_/ },$tile,$(value $cause "${launch[@]}" --sms 1)"
        done
    done
}
tile-causes_data() { tiles_data; }

# ---------------------------------------------------------------------------------------------------- sm_10x

# Machines of sm_10x: all lanes have a multiplier and a divider; half of them have a multiplier, with one divider for
# all.
ALL_LANES="--wide 8 --dividers 8" HALF_THE_LANES="--wide 4 --dividers 1"

products-x() {
    local n
    for n in $SIZES; do
        local number=("$n" $((n * n)) $((512 * n)) $((512 * n)))
        echo "sm_10,$n,$(product_of wide/multiply "${number[@]}")"
        # shellcheck disable=SC2086 # options
        echo "all lanes,$n,$(product_of extension/multiply-x "${number[@]}" $ALL_LANES)"
        # shellcheck disable=SC2086
        echo "half of them,$n,$(product_of extension/multiply-x "${number[@]}" $HALF_THE_LANES)"
    done
}
products-x_data() { products_data; }

# Montgomery products of 128 pairs with words in shared memory: as many blocks of 32 as fit.
MODULI="4 8 16 24 32"
montgomery_by() { # SERIES KERNEL [options]
    local n cycles
    for n in $MODULI; do
        local bytes=$((512 * n))
        cycles=$(value cycles "$2" --cores 8 --grid 4 --shared $((64 + 388 * n)) \
            --param "0,$bytes,$((2 * bytes)),128,$n,$((3 * bytes))" --global "0=@$work/factors-$n" \
            --global "$((3 * bytes))=@$work/modulus-$n" --expect "$((2 * bytes))=@$work/montgomery-$n" "${@:3}")
        echo "$1,$((32 * n)),$cycles"
    done
}
montgomery-x() {
    montgomery_by sm_10 kernels/wide/montgomery.sass
    # shellcheck disable=SC2086 # options
    montgomery_by 'all lanes' kernels/extension/montgomery-x.sass $ALL_LANES
    # shellcheck disable=SC2086
    montgomery_by 'half of them' kernels/extension/montgomery-x.sass $HALF_THE_LANES
}
# Numbers b below the modulus: powers of random numbers.
montgomery-x_data() {
    local n
    printf '\1\0\0\0' > $work/one
    for n in $MODULI; do
        noise "$n" 2015 > $work/even
        build/golden/host/wide odd $work/even > "$work/modulus-$n"
        noise $((128 * n)) 2013 > $work/a && noise $((128 * n)) 2018 > $work/any
        build/golden/host/wide power "$n" $work/any $work/one "$work/modulus-$n" > $work/b
        cat $work/a $work/b > "$work/factors-$n"
        build/golden/host/wide montgomery "$n" $work/a $work/b "$work/modulus-$n" > "$work/montgomery-$n"
    done
}

division-x() {
    division_by 'divide.sass' kernels/apps/divide.sass
    # shellcheck disable=SC2086 # options
    division_by 'IDIV and 8 units' kernels/extension/divide-x.sass $ALL_LANES
    # shellcheck disable=SC2086
    division_by 'IDIV and 1 unit' kernels/extension/divide-x.sass $HALF_THE_LANES
}
division-x_data() { division_data; }
