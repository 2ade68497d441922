# SPDX-License-Identifier: Apache-2.0
# The kernels of kernels/wide/: numbers of many words. Sourced by testbench/run_golden.sh.
# shellcheck disable=SC2034,SC2154 # the arrays are read, and work and host are set, by the file that sources this
for wide in multiply-word multiply montgomery power; do folder_of[$wide]=kernels/wide; done

# Two files one after the other in global memory, then the results: the parameters before COUNT and N.
wide_memory() { # A_BYTES B_BYTES
    second=$((base + $1)) results=$((base + $1 + $2))
    at $base "$work/a" && at "$second" "$work/b"
    echo --expect "$results=@$work/out"
}
multiply-word() { # COUNT N THREADS BLOCKS
    noise "$1" > "$work/a" && noise $(($1 * $2)) > "$work/b"
    "$host/wide" "$name" "$2" "$work/a" "$work/b" > "$work/out"
    wide_memory $((4 * $1)) $((4 * $1 * $2))
    echo --block "$3" --grid "$4" --param "$base,$second,$results,$1,$2"
}
multiply() { # COUNT N THREADS BLOCKS
    noise $(($1 * $2)) > "$work/a" && noise $(($1 * $2)) > "$work/b"
    "$host/wide" "$name" "$2" "$work/a" "$work/b" > "$work/out"
    wide_memory $((4 * $1 * $2)) $((4 * $1 * $2))
    echo --block "$3" --grid "$4" --param "$base,$second,$results,$1,$2"
}
sizes_of[multiply-word]="1 1 1 1;40 7 16 2;~300 64 32 3"
sizes_of[multiply]="1 1 1 1;35 3 32 1;~50 17 32 1;~33 64 32 2"
large_sizes_of[multiply-word]="400 64 64 4"
large_sizes_of[multiply]="64 64 32 2"

# A modulus in $work/m.
modulus() { # N
    printf '\1\0\0\0' > "$work/one"
    noise "$1" > "$work/even" && "$host/wide" odd "$work/even" > "$work/m"
}
montgomery() { # COUNT N: the numbers b are below the modulus
    local bytes=$((4 * $1 * $2))
    modulus "$2"
    noise $(($1 * $2)) > "$work/a" && noise $(($1 * $2)) > "$work/any"
    "$host/wide" power "$2" "$work/any" "$work/one" "$work/m" > "$work/b"
    "$host/wide" montgomery "$2" "$work/a" "$work/b" "$work/m" > "$work/out"
    wide_memory "$bytes" "$bytes"
    echo --grid "$(up "$1" 32)" --shared $((64 + 388 * $2)) \
        --param "$base,$second,$results,$1,$2,$((results + bytes))" \
        --global "$((results + bytes))=@$work/m"
}
power() { # COUNT N E
    local bytes=$((4 * $1 * $2))
    modulus "$2"
    noise $(($1 * $2)) > "$work/a" && noise "$3" > "$work/b"
    "$host/wide" power "$2" "$work/a" "$work/b" "$work/m" > "$work/out"
    wide_memory "$bytes" $((4 * $3))
    echo --grid "$(up "$1" 32)" --shared $((64 + 388 * $2)) --global "$((results + bytes))=@$work/m" \
        --param "$base,$results,$second,$1,$2,$((results + bytes)),$3" --max-cycles 2000000000
}
sizes_of[montgomery]="1 1;33 2;~5 5;~64 32;~10 42"
sizes_of[power]="1 1 0;33 1 1;~40 2 2;~2 5 7;~32 32 2"
large_sizes_of[montgomery]="64 32"
large_sizes_of[power]="33 4 4"
