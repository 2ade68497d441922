/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what an NVIDIA GPU computes, as hashes: README.md has the operations and the rules.
 *
 *     nvcc -O3 -arch=native -o measure golden/silicon/measure.cu
 *     ./measure one > one-source.tsv                   every operand of the operations with one source
 *     ./measure two > two-source.tsv                   2^26 pairs each of those with two
 *     gzip -dc golden/silicon/one-source.tsv.gz > other.tsv && ./measure one other.tsv
 *
 * With a file: prints the lines of the GPU that differ from it, or that it lacks, and their number; exit status 1 if
 * there are any. Exit status 2: bad usage, or no result. Where nvcc does not know `native`, name the architecture. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>

typedef unsigned long long hash_t;

/* ---------------------------------------------------------------------------------------------------- operations
 *
 * A name, and what computes it: r of x, or of x and y, all registers of 32 bits. */

#define FLOATS  ".reg .f32 a, b, d; mov.b32 a, %1; mov.b32 b, %2; "
#define FLOAT_A ".reg .f32 a, d; mov.b32 a, %1; "
#define GIVE    "mov.b32 %0, d; "

#define FUNCTION(op)   "{" FLOAT_A op " d, a; " GIVE "}"
#define TO_INTEGER(op) "{" FLOAT_A op " %0, a; }"
#define TO_FLOAT(op)   "{.reg .f32 d; " op " d, %1; " GIVE "}"
#define TO_HALF(op)    "{.reg .b16 h; " FLOAT_A op " h, a; cvt.u32.u16 %0, h; }"

#define ONE_SOURCE(X)                    \
    X("rcp.approx.ftz.f32", FUNCTION)    \
    X("rsqrt.approx.ftz.f32", FUNCTION)  \
    X("lg2.approx.ftz.f32", FUNCTION)    \
    X("ex2.approx.ftz.f32", FUNCTION)    \
    X("sin.approx.ftz.f32", FUNCTION)    \
    X("cos.approx.ftz.f32", FUNCTION)    \
    X("cvt.rni.ftz.s32.f32", TO_INTEGER) \
    X("cvt.rmi.ftz.s32.f32", TO_INTEGER) \
    X("cvt.rpi.ftz.s32.f32", TO_INTEGER) \
    X("cvt.rzi.ftz.s32.f32", TO_INTEGER) \
    X("cvt.rni.ftz.u32.f32", TO_INTEGER) \
    X("cvt.rmi.ftz.u32.f32", TO_INTEGER) \
    X("cvt.rpi.ftz.u32.f32", TO_INTEGER) \
    X("cvt.rzi.ftz.u32.f32", TO_INTEGER) \
    X("cvt.rn.f32.s32", TO_FLOAT)        \
    X("cvt.rm.f32.s32", TO_FLOAT)        \
    X("cvt.rp.f32.s32", TO_FLOAT)        \
    X("cvt.rz.f32.s32", TO_FLOAT)        \
    X("cvt.rn.f32.u32", TO_FLOAT)        \
    X("cvt.rm.f32.u32", TO_FLOAT)        \
    X("cvt.rp.f32.u32", TO_FLOAT)        \
    X("cvt.rz.f32.u32", TO_FLOAT)        \
    X("cvt.rni.ftz.f32.f32", FUNCTION)   \
    X("cvt.rmi.ftz.f32.f32", FUNCTION)   \
    X("cvt.rpi.ftz.f32.f32", FUNCTION)   \
    X("cvt.rzi.ftz.f32.f32", FUNCTION)   \
    X("cvt.rn.ftz.f16.f32", TO_HALF)     \
    X("cvt.rz.ftz.f16.f32", TO_HALF)

/* What stands after the first space of a name is for people: how the operands are used. */
#define ARITHMETIC(op) "{" FLOATS op " d, a, b; " GIVE "}"
#define COMPARISON(op) "{" FLOATS op " %0, a, b; }"
#define SELECTION(op)                                                                  \
    "{.reg .f32 a, b, c, d; .reg .b32 n; not.b32 n, %1; mov.b32 a, %1; mov.b32 b, n; " \
    "mov.b32 c, %2; slct.ftz.f32.f32 d, a, b, c; " GIVE "}"
#define INTEGERS(op)   op " %0, %1, %2;"
#define HALVES(op)     "{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; " op " %0, a, b; }"
#define DIFFERENCE(op) op " %0, %1, %2, 0;"
#define CLAMPED(op)    op " %0, %1;"
/* The register keeps the low half. */
#define CLAMPED_U16(op) "{.reg .b16 h; " op " h, %1; cvt.u32.u16 %0, h; }"
#define CLAMPED_S16(op) "{.reg .b16 h; " op " h, %1; cvt.s32.s16 %0, h; }"

#define TWO_SOURCES(X)                          \
    X("add.rn.ftz.f32", "", ARITHMETIC)         \
    X("add.rm.ftz.f32", "", ARITHMETIC)         \
    X("add.rp.ftz.f32", "", ARITHMETIC)         \
    X("add.rz.ftz.f32", "", ARITHMETIC)         \
    X("mul.rn.ftz.f32", "", ARITHMETIC)         \
    X("mul.rm.ftz.f32", "", ARITHMETIC)         \
    X("mul.rp.ftz.f32", "", ARITHMETIC)         \
    X("mul.rz.ftz.f32", "", ARITHMETIC)         \
    X("max.ftz.f32", "", ARITHMETIC)            \
    X("min.ftz.f32", "", ARITHMETIC)            \
    X("set.eq.ftz.u32.f32", "", COMPARISON)     \
    X("set.ne.ftz.u32.f32", "", COMPARISON)     \
    X("set.lt.ftz.u32.f32", "", COMPARISON)     \
    X("set.le.ftz.u32.f32", "", COMPARISON)     \
    X("set.gt.ftz.u32.f32", "", COMPARISON)     \
    X("set.ge.ftz.u32.f32", "", COMPARISON)     \
    X("set.equ.ftz.u32.f32", "", COMPARISON)    \
    X("set.neu.ftz.u32.f32", "", COMPARISON)    \
    X("set.ltu.ftz.u32.f32", "", COMPARISON)    \
    X("set.leu.ftz.u32.f32", "", COMPARISON)    \
    X("set.gtu.ftz.u32.f32", "", COMPARISON)    \
    X("set.geu.ftz.u32.f32", "", COMPARISON)    \
    X("set.num.ftz.u32.f32", "", COMPARISON)    \
    X("set.nan.ftz.u32.f32", "", COMPARISON)    \
    X("slct.ftz.f32.f32", " x,~x,y", SELECTION) \
    X("mul24.lo.u32", "", INTEGERS)             \
    X("mul24.lo.s32", "", INTEGERS)             \
    X("mul24.hi.u32", "", INTEGERS)             \
    X("mul24.hi.s32", "", INTEGERS)             \
    X("sad.u32", " x,y,0", DIFFERENCE)          \
    X("sad.s32", " x,y,0", DIFFERENCE)          \
    X("max.s32", "", INTEGERS)                  \
    X("max.u32", "", INTEGERS)                  \
    X("min.s32", "", INTEGERS)                  \
    X("min.u32", "", INTEGERS)                  \
    X("shl.b32", "", INTEGERS)                  \
    X("shr.u32", "", INTEGERS)                  \
    X("shr.s32", "", INTEGERS)                  \
    X("add.sat.s32", "", INTEGERS)              \
    X("sub.sat.s32", "", INTEGERS)              \
    X("cvt.sat.s8.s32", " x", CLAMPED)          \
    X("cvt.sat.u8.s32", " x", CLAMPED)          \
    X("cvt.sat.s16.s32", " x", CLAMPED_S16)     \
    X("cvt.sat.u16.s32", " x", CLAMPED_U16)     \
    X("cvt.sat.u8.u32", " x", CLAMPED)          \
    X("cvt.sat.u16.u32", " x", CLAMPED_U16)     \
    X("mul.wide.u16", " low halves", HALVES)    \
    X("mul.wide.s16", " low halves", HALVES)

#define NAME_ONE(op, how)      op,
#define NAME_TWO(op, use, how) op use,
static const char *const ONE[] = {ONE_SOURCE(NAME_ONE)};
static const char *const TWO[] = {TWO_SOURCES(NAME_TWO)};
enum { ONE_COUNT = sizeof ONE / sizeof ONE[0], TWO_COUNT = sizeof TWO / sizeof TWO[0] };

/* Operation number N, in the order of the list. A block of threads has one, so that a switch costs nothing. */
#define CASE_ONE(op, how)                \
    if (operation == number++) {         \
        asm(how(op) : "=r"(r) : "r"(x)); \
        return r;                        \
    }
__device__ static inline uint32_t compute_one(unsigned operation, uint32_t x) {
    unsigned number = 0;
    uint32_t r = 0;
    ONE_SOURCE(CASE_ONE)
    return r;
}
#define CASE_TWO(op, use, how)                   \
    if (operation == number++) {                 \
        asm(how(op) : "=r"(r) : "r"(x), "r"(y)); \
        return r;                                \
    }
__device__ static inline uint32_t compute_two(unsigned operation, uint32_t x, uint32_t y) {
    unsigned number = 0;
    uint32_t r = 0;
    TWO_SOURCES(CASE_TWO)
    return r;
}

/* ---------------------------------------------------------------------------------------------------------- rules */

enum { HEADS = 512, PARTS = 16, PART = (1 << 23) / PARTS, BLOCKS = 64, PAIRS = 1 << 20 };

__host__ __device__ static inline hash_t none() { return 0xcbf29ce484222325ull; }
__host__ __device__ static inline hash_t with(hash_t h, hash_t more) { return (h ^ more) * 0x100000001b3ull; }

__device__ static const uint32_t CORNER[32] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
    0x7f800001, 0x4b000000, 0x4f000000, 0xcf000000, 0x4f800000, 0x3f000000, 0xbf000000, 0x40000000,
    0xc0000000, 0x34000000, 0x33800000, 0x33800001, 0x7fffffff, 0xffffffff, 0x0000ffff, 0x0000001f};

__device__ static hash_t mix(hash_t z) {
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

__device__ static uint32_t with_exponent(uint32_t x, uint32_t e) { return (x & 0x807fffff) | (e & 255) << 23; }

__device__ static void draw(unsigned block, uint32_t i, uint32_t *x, uint32_t *y) {
    const hash_t n = (hash_t)block * PAIRS + i;
    const hash_t z = mix(2 * n), m = mix(2 * n + 1);
    uint32_t a = (uint32_t)z, b = (uint32_t)(z >> 32);
    const uint32_t exponent = a >> 23 & 255;
    switch (block % 8) {
    case 1: b = with_exponent(b, exponent + (uint32_t)(m % 53) - 26); break;
    case 2: a = CORNER[m & 31], b = CORNER[m >> 5 & 31]; break;
    case 3:
        if (m & 1)
            a = CORNER[m >> 1 & 31];
        else
            b = CORNER[m >> 1 & 31];
        break;
    case 4: b = (a ^ 0x80000000u) + (uint32_t)(m & 127) - 64; break;
    case 5:
        b = with_exponent(b, 254 + (uint32_t)(m % 50) - 25 - exponent +
                                 (m >> 32 & 1   ? 0
                                  : m >> 33 & 1 ? 126
                                                : (uint32_t)-127));
        break;
    case 6: a &= 0xfff80003, b &= 0xffe00001; break;
    case 7:
        a = m & 1 ? a & 0xffff : (uint32_t)((int32_t)a >> 16);
        b &= m & 2 ? 0x3f : 0xffffff;
        break;
    }
    *x = a, *y = b;
}

/* A thread makes the hash of a part: of operation blockIdx.y, head and part by the thread's number. */
__global__ void measure_one(hash_t *hashes) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    hash_t h = none();
    for (uint32_t x = thread * PART, last = x + (PART - 1);; x++) {
        h = with(h, compute_one(blockIdx.y, x));
        if (x == last) break;
    }
    hashes[blockIdx.y * (HEADS * PARTS) + thread] = h;
}

/* A thread computes one pair. */
__global__ void measure_two(unsigned operation, uint32_t *results) {
    const unsigned pair = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x, y;
    draw(blockIdx.y, pair, &x, &y);
    results[blockIdx.y * PAIRS + pair] = compute_two(operation, x, y);
}

/* A thread makes the hash of a block's results. */
__global__ void hash_two(const uint32_t *results, hash_t *hashes) {
    hash_t h = none();
    for (uint32_t i = 0; i < PAIRS; i++) h = with(h, results[threadIdx.x * PAIRS + i]);
    hashes[threadIdx.x] = h;
}

/* ------------------------------------------------------------------------------------------------------- the host */

static void must(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "measure: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

/* The lines of a table, by their first two columns; and how many of the GPU's lines are otherwise. */
struct expected {
    bool given;
    std::unordered_map<std::string, hash_t> hash;
    unsigned lines, other;
};

static void say(expected *e, const char *operation, unsigned index, bool hexadecimal, hash_t hash) {
    char key[64];
    snprintf(key, sizeof key, hexadecimal ? "%s\t%03x" : "%s\t%u", operation, index);
    e->lines++;
    if (e->given) {
        const auto found = e->hash.find(key);
        if (found != e->hash.end() && found->second == hash) return;
        e->other++;
    }
    printf("%s\t%016llx\n", key, hash);
}

static void one_source(expected *e) {
    static hash_t parts[ONE_COUNT * HEADS * PARTS];
    hash_t *device;
    must(cudaMalloc(&device, sizeof parts), "memory");
    measure_one<<<dim3(HEADS * PARTS / 128, ONE_COUNT), 128>>>(device);
    must(cudaGetLastError(), "launch");
    must(cudaMemcpy(parts, device, sizeof parts, cudaMemcpyDeviceToHost), "results");
    must(cudaFree(device), "memory");
    for (unsigned i = 0; i < ONE_COUNT * HEADS; i++) {
        hash_t hash = none();
        for (unsigned p = 0; p < PARTS; p++) hash = with(hash, parts[i * PARTS + p]);
        say(e, ONE[i / HEADS], i % HEADS, true, hash);
    }
}

static void two_sources(expected *e) {
    hash_t hashes[BLOCKS], *device;
    uint32_t *results;
    must(cudaMalloc(&device, sizeof hashes), "memory");
    must(cudaMalloc(&results, sizeof *results * BLOCKS * PAIRS), "memory");
    for (unsigned i = 0; i < TWO_COUNT; i++) {
        measure_two<<<dim3(PAIRS / 128, BLOCKS), 128>>>(i, results);
        hash_two<<<1, BLOCKS>>>(results, device);
        must(cudaGetLastError(), "launch");
        must(cudaMemcpy(hashes, device, sizeof hashes, cudaMemcpyDeviceToHost), "results");
        for (unsigned b = 0; b < BLOCKS; b++) say(e, TWO[i], b, false, hashes[b]);
    }
    must(cudaFree(results), "memory");
    must(cudaFree(device), "memory");
}

static bool read_table(const char *path, expected *e) {
    char line[128];
    FILE *const file = fopen(path, "r");
    if (file == NULL) return false;
    while (fgets(line, sizeof line, file) != NULL) {
        char *const hash = strrchr(line, '\t');
        if (hash == NULL) continue;
        *hash = '\0';
        e->hash[line] = strtoull(hash + 1, NULL, 16);
    }
    fclose(file);
    e->given = true;
    return !e->hash.empty();
}

int main(int argc, char **argv) {
    expected e = {};
    const bool one = argc > 1 && strcmp(argv[1], "one") == 0;
    if (argc < 2 || argc > 3 || (!one && strcmp(argv[1], "two") != 0)) {
        fprintf(stderr, "usage: measure one|two [FILE]\n");
        return 2;
    }
    if (argc == 3 && !read_table(argv[2], &e)) {
        fprintf(stderr, "measure: %s: no table\n", argv[2]);
        return 2;
    }
    cudaDeviceProp gpu;
    must(cudaGetDeviceProperties(&gpu, 0), "no GPU");
    fprintf(stderr, "%s, sm_%d%d\n", gpu.name, gpu.major, gpu.minor);
    if (one)
        one_source(&e);
    else
        two_sources(&e);
    fflush(stdout);
    if (e.given) fprintf(stderr, "%u of %u lines differ\n", e.other, e.lines);
    return e.other == 0 ? 0 : 1;
}
