/* SPDX-License-Identifier: Apache-2.0 */
/* A program of this folder, for the host and for warp-cc: a function that returns the word of a thread. WORDS words of
 * input are the same for all threads. */
#ifndef WARPSTEP_PROGRAM_H
#define WARPSTEP_PROGRAM_H

enum { THREADS = 128, WORDS = 64 };

#ifdef __CUDA__
#define DEVICE   __device__
#define NOINLINE __device__ __attribute__((noinline))
#else
#include <stdio.h>
#define DEVICE   static
#define NOINLINE static __attribute__((noinline))
#endif

DEVICE unsigned word(unsigned t, const unsigned *in);

#ifdef __CUDA__
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = word(t, in);
}
#else
int main(void) {
    unsigned in[WORDS], out[THREADS];
    if (fread(in, sizeof *in, WORDS, stdin) != WORDS) return 2;
    for (unsigned t = 0; t < THREADS; t++) out[t] = word(t, in);
    return fwrite(out, sizeof *out, THREADS, stdout) == THREADS ? 0 : 2;
}
#endif

#endif
