#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes the inputs of the kernels in kernels/apps and the host programs' results into DIR/NAME/. The files that the
# kernels name are committed; `make check-generated` compares them with this output.
#
#     golden/host/make_data.sh DIR          after `make all`; DIR is kernels/apps to renew the committed files
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
host=$root/build/golden/host
mkdir -p "$1"/{vecadd,transpose,edge,edge-rgb,collatz,reverse,reduce,bitonic,scan,matmul,autocorrelation,fft,histogram}
mkdir -p "$1"/{saxpy,matmul-float,fft-float,nbody,black-scholes,mandelbrot,divide}
mkdir -p "$1"/{crc32,aes128,mandelbrot-fixed,radix-sort}
cd "$1"

real() { (cd "$root" && "$host/$@" 2> /dev/null); } # a program that reads the chip's tables

"$host/noise" 40 1 > vecadd/a.bin
"$host/noise" 40 2 > vecadd/b.bin
"$host/vecadd" vecadd/a.bin vecadd/b.bin > vecadd/c.bin

"$host/noise" 800 3 > transpose/matrix.bin
"$host/transpose" 20 40 < transpose/matrix.bin > transpose/transposed.bin

"$host/draw_picture" 64 64 > edge/picture.bin
"$host/edge" 64 64 < edge/picture.bin > edge/edges.bin

"$host/noise" 192 14 > edge-rgb/picture.bin
"$host/edge-rgb" grey 16 16 < edge-rgb/picture.bin > edge-rgb/grey.bin
"$host/edge-rgb" edges 16 16 < edge-rgb/picture.bin > edge-rgb/edges.bin

"$host/noise" 48 4 200 > collatz/numbers.bin
"$host/collatz" < collatz/numbers.bin > collatz/steps.bin

"$host/noise" 192 5 > reverse/words.bin
"$host/reverse" 64 < reverse/words.bin > reverse/reversed.bin

"$host/noise" 256 6 > reduce/words.bin
"$host/reduce" 128 < reduce/words.bin > reduce/sums.bin

"$host/noise" 64 7 > bitonic/words.bin
"$host/bitonic" 64 < bitonic/words.bin > bitonic/sorted.bin

"$host/noise" 192 8 > scan/words.bin
"$host/scan" 64 < scan/words.bin > scan/sums.bin

"$host/noise" 256 9 > matmul/a.bin
"$host/noise" 256 10 > matmul/b.bin
"$host/matmul" 16 matmul/a.bin matmul/b.bin > matmul/product.bin

"$host/noise" 50 11 > autocorrelation/samples.bin
"$host/autocorrelation" 100 < autocorrelation/samples.bin > autocorrelation/sums.bin

"$host/noise" 128 12 > fft/points.bin
"$host/fft" 64 twiddles > fft/twiddles.bin
"$host/fft" 64 < fft/points.bin > fft/spectra.bin

"$host/noise" 100 13 > histogram/bytes.bin
"$host/histogram" 200 < histogram/bytes.bin > histogram/counts.bin

"$host/noise" 100 15 | "$host/reals" -100 100 > saxpy/numbers.bin
real saxpy 0xc0490fdb < saxpy/numbers.bin > saxpy/sums.bin

"$host/noise" 512 16 | "$host/reals" -1 1 > matmul-float/factors.bin
real matmul-float 16 < matmul-float/factors.bin > matmul-float/product.bin

"$host/noise" 256 17 | "$host/reals" -1 1 > fft-float/points.bin
real fft-float 64 < fft-float/points.bin > fft-float/spectra.bin

"$host/noise" 256 18 | "$host/reals" 0 1 > nbody/bodies.bin
real nbody 0x3c23d70a < nbody/bodies.bin > nbody/accelerations.bin

real black-scholes constants > black-scholes/constants.bin
"$host/noise" 150 19 | "$host/reals" 0.25 30 > black-scholes/options.bin
real black-scholes 0x3ca3d70a 0x3e99999a < black-scholes/options.bin > black-scholes/prices.bin

real mandelbrot 64 48 0xc0066666 0x3f99999a 0x3d4ccccd 64 4 > mandelbrot/picture.bin

"$host/noise" 300 20 | "$host/divide" pairs > divide/pairs.bin
"$host/divide" < divide/pairs.bin > divide/results.bin

"$host/crc32" table > crc32/table.bin
for row in 0 1 2 3; do "$host/aes128" table $row > aes128/row$row.bin; done

"$host/mandelbrot-fixed" 32 24 0xfffde667 0x13333 0x1999 64 4 > mandelbrot-fixed/picture.bin

"$host/noise" 100 21 > radix-sort/keys.bin
"$host/sort" 70 < radix-sort/keys.bin > radix-sort/sorted.bin
