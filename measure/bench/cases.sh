# SPDX-License-Identifier: Apache-2.0
# The measured launches, sourced by measure.sh and speed.sh. `launch NAME` puts the command line of a case (kernel, then
# launch flags) into the array `command`, with its inputs and expectations in build/bench; it returns 1 if the case
# needs the corpus and CORPUS does not name its folder. Inputs are drawn once, with a fixed seed; the host programs of
# golden/ compute the expected results.

# Names, in the order of the tables.
CASES_KERNELS="straight alu chain branch stream edge transpose collatz reduce bitonic scan matmul autocorrelation fft"
CASES_CORPUS="corpus-vecadd corpus-transpose"
CASES_FLEXGRIP="$(printf 'flexgrip-%s ' edge-{256,128,64,32} fft-{64,32})"
CASES_BRANCHES="$(printf '%s ' {lone,eight}-{plain,taken,untaken,reader,compared,called,broken,joined})"
CASES_SCALING="alu stream edge reduce bitonic scan matmul"

work=build/bench
host=build/golden/host
noise() { "$host/noise" "$1" 2013 "${2-0}"; }

# A host program's output, computed if missing.
made() { # FILE COMMAND...
    local file=$work/$1
    shift
    [ -s "$file" ] || "$@" > "$file"
}

# COUNT words a block of THREADS threads, all in shared memory.
in_shared() { # NAME COUNT BLOCKS THREADS
    made "$1.in" noise $(($2 * $3))
    made "$1.out" "$host/$1" "$2" < "$work/$1.in"
    command=("kernels/apps/$1.sass" --block "$4" --grid "$3" --shared $((24 + 4 * $2)) --param 0,0x10000
        --global "0=@$work/$1.in" --expect "0x10000=@$work/$1.out")
}

# c = a + b, WORDS words, laid out one after the other.
add_vectors() { # WORDS
    local bytes=$((4 * $1))
    made "a$1" noise "$1"
    made "b$1" "$host/noise" "$1" 2018
    made "c$1" "$host/vecadd" "$work/a$1" "$work/b$1"
    command=(kernels/apps/vecadd.sass --block 256 --grid $(($1 / 256)) --param "0,$bytes,$((2 * bytes)),$1"
        --global "0=@$work/a$1" --global "$bytes=@$work/b$1" --expect "$((2 * bytes))=@$work/c$1")
}

# An application of the corpus; with another block size than the published one it runs without its expectations, some
# bytes of which depend on the order of warps.
corpus() { # NAME [BLOCK]
    local json=${CORPUS-}/apps/$1.json
    [ -e "$json" ] || return 1
    mkdir -p "$work/$1"
    build/testbench/apps/corpus_launch "$json" "$work/$1"
    mapfile -t command < "$work/$1/flags"
    command=("$work/$1/code.hex" "${command[@]}")
    [[ -n ${2-} && " ${command[*]} " != *" --block $2,1,1 "* ]] || return 0
    mapfile -t command < <(printf '%s\n' "${command[@]}" | awk '$0 == "--expect" { getline; next } { print }')
    command+=(--block "$2")
}

launch() { # NAME
    mkdir -p "$work"
    case $1 in
        straight | chain | branch) command=("kernels/bench/$1.sass") ;;
        lone-*) command=(kernels/bench/lone.sass --kernel "${1#*-}") ;;
        eight-*) command=(kernels/bench/lone.sass --kernel "${1#*-}" --block 256) ;;
        alu) command=(kernels/bench/alu.sass --grid 32 --param 0,16) ;;
        stream) add_vectors 20480 ;;
        edge)
            made edge.in "$host/draw_picture" 128 128
            made edge.out "$host/edge" 128 128 < "$work/edge.in"
            command=(kernels/apps/edge.sass --grid 8,8 --param 0,0x8000,128,128 --global "0=@$work/edge.in"
                --expect "0x8000=@$work/edge.out")
            ;;
        transpose | collatz) command=("kernels/apps/$1.sass") ;;
        reduce) in_shared reduce 256 32 256 ;;
        bitonic) in_shared bitonic 128 32 128 ;;
        scan) in_shared scan 512 16 256 ;;
        matmul)
            made matmul.a noise 4096
            made matmul.b "$host/noise" 4096 2018
            made matmul.out "$host/matmul" 64 "$work/matmul.a" "$work/matmul.b"
            command=(kernels/apps/matmul.sass --grid 4,4 --param 0,0x8000,0x10000,64 --global "0=@$work/matmul.a"
                --global "0x8000=@$work/matmul.b" --expect "0x10000=@$work/matmul.out")
            ;;
        autocorrelation)
            [ -s "$work/autocorrelation.in" ] || noise 256 > "$work/autocorrelation.in"
            made autocorrelation.out "$host/autocorrelation" 512 < "$work/autocorrelation.in"
            command=(kernels/apps/autocorrelation.sass --block 32 --grid 16 --param 0,0x10000,512
                --global "0=@$work/autocorrelation.in" --expect "0x10000=@$work/autocorrelation.out")
            ;;
        fft) command=(kernels/apps/fft.sass) ;;
        corpus-vecadd) corpus VectorAdd_integer ;;
        corpus-transpose) corpus Transpose ;;
        flexgrip-edge-*) corpus EdgeDetection_64threads "${1#flexgrip-edge-}" ;;
        flexgrip-fft-*) corpus FFT64 "${1#flexgrip-fft-}" ;;
        *)
            echo "no such case: $1" >&2
            exit 2
            ;;
    esac
}
