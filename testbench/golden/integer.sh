# SPDX-License-Identifier: Apache-2.0
# The applications of kernels/apps in integers that scale over blocks. Sourced by testbench/run_golden.sh.
# shellcheck disable=SC2034,SC2154 # the arrays are read, and work and host are set, by the file that sources this

# COUNT bytes
noise_bytes() { noise $((($1 + 3) / 4)) | head -c "$1"; }

# No data begins at address 0, so that a kernel that forgets to add an address fails.
base=256

# Messages of one length; the address of the results is a multiple of 4.
messages() { # COUNT LENGTH
    noise_bytes $(($1 * $2)) > "$work/in"
    "$host/$name" "$1" "$2" < "$work/in" > "$work/out"
    results=$((base + ($1 * $2 + 3) / 4 * 4))
    at $base "$work/in"
    echo --param "$base,$results,$1,$2" --expect "$results=@$work/out"
}
crc32() { messages "$1" "$2" && echo --block "$3" --grid "$4"; }  # COUNT LENGTH THREADS BLOCKS
sha256() { crc32 "$@"; }
sizes_of[crc32]="1 0 1 1;70 9 32 2;~45 64 20 3"
sizes_of[sha256]="2 56 2 1;~1 0 1 1;~33 55 32 1;~90 64 32 2;~5 1000 8 1"
large_sizes_of[crc32]="1000 100 128 4"
large_sizes_of[sha256]="700 119 64 4"

aes128() { # COUNT THREADS BLOCKS
    noise_bytes $((16 * $1)) > "$work/in" && noise_bytes 16 > "$work/key"
    "$host/aes128" encrypt "$work/key" < "$work/in" > "$work/out"
    local results=$((base + 16 * $1))
    echo --block "$2" --grid "$3" --param "$base,$results,$1,16" --global "16=@$work/key" \
        --global "$base=@$work/in" --expect "$results=@$work/out"
}
sizes_of[aes128]="1 1 1;50 33 2;~1000 256 3"
large_sizes_of[aes128]="4000 256 8"

string-match() { # SIZE LENGTH THREADS BLOCKS: letters a and b
    noise "$1" 2 | od -An -v -tu4 -w4 | awk '{ printf "%c", 97 + $1 }' > "$work/text"
    { tail -c +$(($1 / 2 + 1)) "$work/text" && cat "$work/text"; } > "$work/letters"
    head -c "$2" "$work/letters" > "$work/pattern" # from a file: a pipe that head closes would fail
    "$host/string-match" "$work/text" "$work/pattern" > "$work/out"
    local pattern=$((base + $1)) flags=$((base + $1 + $2))
    echo --block "$3" --grid "$4" --param "$base,$pattern,$flags,$1,$2" --global "$base=@$work/text" \
        --global "$pattern=@$work/pattern" --expect "$flags=@$work/out"
}
sizes_of[string-match]="1 1 32 1;100 3 32 2;~3333 7 50 2;~20 21 32 1"
large_sizes_of[string-match]="20000 11 256 8"

life() { # WIDTH HEIGHT GENERATIONS
    noise $(($1 * $2)) 3 | od -An -v -tu4 -w4 | awk '{ printf "%c", $1 == 2 ? 1 : 0 }' > "$work/in"
    "$host/life" "$@" < "$work/in" > "$work/out"
    echo --grid "$(up "$1" 16),$(up "$2" 16)" --shared $((36 + 2 * (16 + 2 * $3) * (16 + 2 * $3))) \
        --param "$base,$((base + $1 * $2)),$1,$2,$3" --global "$base=@$work/in" \
        --expect "$((base + $1 * $2))=@$work/out"
}
sizes_of[life]="1 1 1;20 7 2;~17 90 9;~3 200 20;~65 65 37"
large_sizes_of[life]="128 96 8"

convolve() { # WIDTH HEIGHT IN OUT SIDE SHIFT
    local weights=$((base + $1 * $2 * $3)) biases
    biases=$(((weights + $3 * $4 * $5 * $5 + 3) / 4 * 4))
    noise_bytes $(($1 * $2 * $3)) > "$work/picture" && noise_bytes $(($3 * $4 * $5 * $5)) > "$work/weights"
    noise "$4" 9999 > "$work/biases"
    "$host/convolve" "$@" "$work/picture" "$work/weights" "$work/biases" > "$work/out"
    echo --grid "$(up "$1" 16),$(up "$2" 16)" --param "$base,$weights,$biases,$((biases + 4 * $4)),$1,$2,$3,$4,$5,$6" \
        --global "$base=@$work/picture" --global "$weights=@$work/weights" --global "$biases=@$work/biases" \
        --expect "$((biases + 4 * $4))=@$work/out"
}
sizes_of[convolve]="1 1 1 1 3 0;19 5 2 3 3 9;~16 50 3 4 5 8;~7 7 1 2 1 0"
large_sizes_of[convolve]="64 40 3 8 3 10"

mandelbrot-fixed() { # WIDTH HEIGHT LEFT TOP SIZE LIMIT STEP
    "$host/mandelbrot-fixed" "$@" > "$work/out"
    echo --grid "$(up "$1" 16),$(up "$2" 16)" --param "$base,$(echo "$*" | tr ' ' ,)" \
        --expect "$base=@$work/out"
}
sizes_of[mandelbrot-fixed]="1 1 0 0 0 5 1;20 17 0xfffde667 0x13333 0x2000 50 5"
large_sizes_of[mandelbrot-fixed]="160 120 0xfffde667 0x13333 0x51e 255 1"

sorted_runs() { # KEYS RUN: those of RUN words in $work/out
    noise "$1" > "$work/in" && "$host/sort" "$2" < "$work/in" > "$work/out"
}
radix-sort() { # TOTAL RUN THREADS
    sorted_runs "$1" "$2"
    [ "$1" -le 32000 ] || echo --global-bytes 1048576
    echo --block "$3" --grid "$(up "$1" "$2")" --shared $((32 + 36 * $3)) --param "$base,$((base + 4 * $1)),$2,$1" \
        --global "$base=@$work/in" --expect "$base=@$work/out"
}
merge() { # TOTAL RUN THREADS BLOCKS
    sorted_runs "$1" "$2" && mv "$work/out" "$work/runs"
    "$host/sort" $((2 * $2)) < "$work/runs" > "$work/out"
    echo --block "$3" --grid "$4" --param "$base,$((base + 4 * $1)),$2,$1" --global "$base=@$work/runs" \
        --expect "$((base + 4 * $1))=@$work/out"
}
sizes_of[radix-sort]="1 1 1;100 70 32;~65536 65536 256;~999 200 100"
sizes_of[merge]="1 1 32 1;100 16 32 2;~3333 64 50 3;~1000 512 256 2"
large_sizes_of[radix-sort]="16384 4096 256"
large_sizes_of[merge]="16384 2048 256 8"
