# SPDX-License-Identifier: Apache-2.0
# The kernels of kernels/stencils/, with tiles of several sizes. Sourced by testbench/run_golden.sh.
# shellcheck disable=SC2034,SC2154 # the arrays are read, and work and host are set, by the file that sources this

stencil() { # TILE_X TILE_Y WIDTH HEIGHT DEPTH
    local results=$((base + 4 * $3 * $4 * $5)) k
    k=$((RANDOM))
    noise $(($3 * $4 * $5)) > "$work/in"
    "$host/stencil" "$name" "$3" "$4" "$5" $k < "$work/in" > "$work/out"
    build/bin/warp-as -DTILE_X="$1" -DTILE_Y="$2" -o "$work/kernel.img" "kernels/stencils/$name.sass"
    echo --grid "$(up "$3" "$1"),$(up "$4" "$2")" --param "$base,$results,$3,$4,$k$([[ $name = *2d ]] || echo ",$5")" \
        --global "$base=@$work/in" --expect "$results=@$work/out"
}
for plane in jacobi2d heat2d gradient2d laplacian2d; do
    eval "$plane() { stencil \"\$@\" 1; }" # TILE_X TILE_Y WIDTH HEIGHT
    sizes_of[$plane]="8 4 20 9;~16 16 1 1;~32 8 50 33;~7 5 33 20"
    large_sizes_of[$plane]="16 16 128 128"
done
for space in heat3d laplacian3d; do
    eval "$space() { stencil \"\$@\"; }" # TILE_X TILE_Y WIDTH HEIGHT DEPTH
    sizes_of[$space]="8 4 20 9 3;~16 16 2 2 1;~8 8 20 17 6;~32 8 33 20 3"
    large_sizes_of[$space]="16 8 40 36 12"
done
for name_of_stencil in jacobi2d heat2d gradient2d laplacian2d heat3d laplacian3d; do
    folder_of[$name_of_stencil]=kernels/stencils
done
