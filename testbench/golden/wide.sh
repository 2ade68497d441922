# SPDX-License-Identifier: Apache-2.0
# The kernels of kernels/wide/: numbers of many words; and those of kernels/extension/. Sourced by
# testbench/run_golden.sh.
# shellcheck disable=SC2034,SC2154 # the arrays are read, and work and host are set, by the file that sources this
for wide in multiply-word multiply montgomery power; do folder_of[$wide]=kernels/wide; done

# Two consecutive files in global memory, then the results: the parameters before COUNT and N.
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

# The same, and the division, with the instructions of sm_10x on a machine that has them.
extended() { # NAME SIZE ...: as the kernel without -x
    local name=$1
    "$@"
    echo --wide "${WIDE:-8}" --dividers "${DIVIDERS:-8}"
}
for extended in multiply-word multiply montgomery power divide; do
    eval "$extended-x() { extended $extended \"\$@\"; }"
    folder_of[$extended-x]=kernels/extension
    sizes_of[$extended-x]=${sizes_of[$extended]-}
done
sizes_of[divide-x]="pairs 64;~corners 3600;~pairs 8192"
for extended in multiply-word multiply montgomery; do large_sizes_of[$extended-x]=${large_sizes_of[$extended]}; done
large_sizes_of[power-x]="33 4 4;2 32 1"
large_sizes_of[divide-x]="pairs 8192"
words() { # pairs|corners COUNT
    noise $((3 * $2)) > "$work/noise"
    "$host/divide" "$1" < "$work/noise" > "$work/in" && "$host/words" 0xfedcba98 < "$work/in" > "$work/out"
    echo --block 256 --grid "$(up "$2" 256)" --param "0,0x8000,$2,0xfedcba98" --const 1:0=98badcfe \
        --global "0=@$work/in" --expect "0x8000=@$work/out" --wide "${WIDE:-8}" --dividers "${DIVIDERS:-8}"
}
folder_of[words]=kernels/extension
sizes_of[words]="pairs 64;~corners 3600;~pairs 4096"
