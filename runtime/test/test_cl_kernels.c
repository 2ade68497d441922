/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels through OpenCL: arguments, ranges, variables, traps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "opencl/fixture.h"

static struct fixture f;

/* ---- kernels ---- */

static cl_kernel described_kernel(const char *source, const char *options) {
    cl_int error;
    cl_program program = fixture_build(&f, source, options);
    cl_kernel kernel = f.cl->clCreateKernel(program, "f", &error);
    assert_int_equal(error, CL_SUCCESS);
    f.cl->clReleaseProgram(program);
    return kernel;
}

static void test_argument_info(void **state) {
    const char *source = "__attribute__((reqd_work_group_size(8, 4, 1)))\n"
                         "__kernel void f(__global const float *restrict x, __constant int *t,\n"
                         "                __local uint *l, float4 v) { l[0] = t[0] + (int)x[0]; }";
    static const struct {
        const char *name, *type;
        cl_kernel_arg_address_qualifier space;
        cl_kernel_arg_type_qualifier qualifiers;
    } EXPECTED[] = {
        {"x", "float*", CL_KERNEL_ARG_ADDRESS_GLOBAL,   CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
        {"t", "int*",   CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST                              },
        {"l", "uint*",  CL_KERNEL_ARG_ADDRESS_LOCAL,    CL_KERNEL_ARG_TYPE_NONE                               },
        {"v", "float4", CL_KERNEL_ARG_ADDRESS_PRIVATE,  CL_KERNEL_ARG_TYPE_NONE                               }
    };
    size_t block[3];
    (void)state;
    cl_kernel kernel = described_kernel(source, "-cl-kernel-arg-info");
    for (cl_uint i = 0; i < 4; i++) {
        char text[32];
        cl_kernel_arg_address_qualifier space;
        cl_kernel_arg_type_qualifier qualifiers;
        f.cl->clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL);
        assert_string_equal(text, EXPECTED[i].name);
        f.cl->clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL);
        assert_string_equal(text, EXPECTED[i].type);
        f.cl->clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
        assert_int_equal(space, EXPECTED[i].space);
        f.cl->clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL);
        assert_int_equal(qualifiers, EXPECTED[i].qualifiers);
    }
    assert_int_equal(
        f.cl->clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof block, block, NULL),
        CL_SUCCESS);
    assert_int_equal(block[0] * 100 + block[1] * 10 + block[2], 841);
    f.cl->clReleaseKernel(kernel);
}

static cl_int ask_argument(cl_kernel kernel) {
    char text[32];
    return f.cl->clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL);
}

/* A kernel of two objects, which are compiled with these options. */
static cl_int ask_linked(const char *options, const char *others) {
    cl_program parts[2] = {
        fixture_program(&f, "int twice(int);\n__kernel void f(__global int *p) { p[0] = twice(p[0]); }"),
        fixture_program(&f, "int twice(int a) { return 2 * a; }")};
    cl_int error;
    f.cl->clCompileProgram(parts[0], 0, NULL, options, 0, NULL, NULL, NULL, NULL);
    f.cl->clCompileProgram(parts[1], 0, NULL, others, 0, NULL, NULL, NULL, NULL);
    cl_program program = f.cl->clLinkProgram(f.context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_kernel kernel = f.cl->clCreateKernel(program, "f", &error);
    assert_int_equal(error, CL_SUCCESS);
    error = ask_argument(kernel);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseProgram(program);
    for (unsigned i = 0; i < 2; i++) f.cl->clReleaseProgram(parts[i]);
    return error;
}

/* Programs built without the option have no argument information. */
static void test_no_argument_info(void **state) {
    const char *source = "__kernel void f(__global int *p) { p[0] = 1; }";
    cl_kernel kernels[2] = {described_kernel(source, NULL), described_kernel(source, "-w -cl-kernel-arg-info")};
    (void)state;
    assert_int_equal(ask_argument(kernels[0]), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    assert_int_equal(ask_argument(kernels[1]), CL_SUCCESS);
    assert_int_equal(ask_linked("-cl-kernel-arg-info", "-cl-kernel-arg-info"), CL_SUCCESS);
    assert_int_equal(ask_linked("-cl-kernel-arg-info", NULL), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    for (unsigned i = 0; i < 2; i++) f.cl->clReleaseKernel(kernels[i]);
}

static void check_attributes(const char *attributes, const char *expected) {
    char source[256], text[128];
    snprintf(source, sizeof source, "__kernel __attribute__((%s)) void f(__global int *p) { p[0] = 1; }", attributes);
    cl_kernel kernel = fixture_kernel(&f, source, "f");
    assert_int_equal(f.cl->clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL), CL_SUCCESS);
    assert_string_equal(text, expected);
    f.cl->clReleaseKernel(kernel);
}

static void test_attributes(void **state) {
    (void)state;
    check_attributes("", "");
    check_attributes("work_group_size_hint(8, 4, 2)", "work_group_size_hint(8,4,2)");
    check_attributes("vec_type_hint(float)", "vec_type_hint(float)");
    check_attributes("vec_type_hint(uchar16)", "vec_type_hint(uchar16)");
    check_attributes("reqd_work_group_size(2, 3, 4), vec_type_hint(int4), work_group_size_hint(2, 3, 4)",
                     "reqd_work_group_size(2,3,4) vec_type_hint(int4) work_group_size_hint(2,3,4)");
}

/* ---- half precision ---- */

/* By the definition of each rounding; the third and fourth are on either side of the middle of two halves, by less
 * than a float tells. */
static void test_half_of_double(void **state) {
    const char *source = "__kernel void f(__global double *x, __global ushort *y) {\n"
                         "    int i = get_global_id(0);\n"
                         "    vstore_half(x[i], 6 * i, (__global half *)y);\n"
                         "    vstore_half_rte(x[i], 6 * i + 1, (__global half *)y);\n"
                         "    vstore_half_rtz(x[i], 6 * i + 2, (__global half *)y);\n"
                         "    vstore_half_rtp(x[i], 6 * i + 3, (__global half *)y);\n"
                         "    vstore_half_rtn(x[i], 6 * i + 4, (__global half *)y);\n"
                         "    vstorea_half(x[i], 6 * i + 5, (__global half *)y);\n"
                         "    __local ushort l[4];\n" /* vectors are there, and other memory */
                         "    if (i == 0) {\n"
                         "        vstorea_half3((double3)(1, 2, x[0]), 0, (__local half *)l);\n"
                         "        vstore_half16_rtn((double16)((double)vloada_half3(0, (__local half *)l).z), 0, "
                         "(__global half *)(y + 72));\n"
                         "    }\n"
                         "}";
    static const double VALUES[] = {1.5,
                                    0x1p-24,
                                    0x1.002p0 + 0x1p-50,
                                    0x1.002p0 - 0x1p-50,
                                    -0x1.002p0 - 0x1p-50,
                                    65520,
                                    1e-300,
                                    -1e-300,
                                    5e-324,
                                    0x1p300,
                                    -0.0,
                                    -0x1p40};
    static const cl_ushort EXPECTED[][4] = {
  /* nearest, to zero, up, down */
        {0x3e00, 0x3e00, 0x3e00, 0x3e00},
        {0x0001, 0x0001, 0x0001, 0x0001},
        {0x3c01, 0x3c00, 0x3c01, 0x3c00},
        {0x3c00, 0x3c00, 0x3c01, 0x3c00},
        {0xbc01, 0xbc00, 0xbc00, 0xbc01},
        {0x7c00, 0x7bff, 0x7c00, 0x7bff},
        {0x0000, 0x0000, 0x0001, 0x0000},
        {0x8000, 0x8000, 0x8000, 0x8001},
        {0x0000, 0x0000, 0x0001, 0x0000},
        {0x7c00, 0x7bff, 0x7c00, 0x7bff},
        {0x8000, 0x8000, 0x8000, 0x8000},
        {0xfc00, 0xfbff, 0xfbff, 0xfc00},
    };
    enum { COUNT = sizeof VALUES / sizeof *VALUES };
    static const unsigned MODES[6] = {0, 0, 1, 2, 3, 0};
    const size_t count = COUNT;
    cl_ushort got[COUNT + 3][6];
    (void)state;
    cl_kernel kernel = fixture_kernel(&f, source, "f");
    cl_mem from = fixture_buffer(&f, sizeof VALUES, VALUES), to = fixture_buffer(&f, sizeof got, NULL);
    fixture_set_buffer(&f, kernel, 0, from);
    fixture_set_buffer(&f, kernel, 1, to);
    assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &count, NULL), CL_SUCCESS);
    fixture_read(&f, to, got, sizeof got);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned k = 0; k < 6; k++)
            if (got[i][k] != EXPECTED[i][MODES[k]]) fail_msg("%a, store %u: %04x", VALUES[i], k, got[i][k]);
    for (unsigned i = 0; i < 16; i++) assert_int_equal(got[COUNT + i / 6][i % 6], 0x3e00);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(from);
    f.cl->clReleaseMemObject(to);
}

/* Structures, vectors and several local pointers; a value that changes behind a launch does not change it. */
static void test_arguments(void **state) {
    const char *source =
        "struct s { char a; short b; int c; };\n"
        "__kernel void f(__global int *p, struct s s, char2 v, __local int *l, long k, __local int *m) {\n"
        "    int i = get_local_id(0);\n"
        "    l[i] = s.a + s.b + s.c + v.x * 10 + v.y;\n"
        "    m[i] = i;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    p[i] = l[31 - i] + m[31 - i] + (int)(k >> 32);\n"
        "}";
    struct {
        cl_char a;
        cl_short b;
        cl_int c;
    } s = {1, 2, 3};
    const cl_char2 v = {
        {4, 5}
    };
    const cl_long k = (cl_long)7 << 32;
    const size_t size = 32;
    int got[32];
    (void)state;
    cl_kernel kernel = fixture_kernel(&f, source, "f");
    cl_mem buffer = fixture_buffer(&f, sizeof got, NULL);
    fixture_set_buffer(&f, kernel, 0, buffer);
    assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &size, &size), CL_INVALID_KERNEL_ARGS);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 1, sizeof s, &s), CL_SUCCESS);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 2, sizeof v, &v), CL_SUCCESS);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 3, 32 * sizeof(int) + 4, NULL), CL_SUCCESS);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 4, sizeof k, &k), CL_SUCCESS);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 5, 32 * sizeof(int), NULL), CL_SUCCESS);
    assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &size, &size), CL_SUCCESS);
    s.c = 1000;
    assert_int_equal(f.cl->clSetKernelArg(kernel, 1, sizeof s, &s), CL_SUCCESS);
    fixture_read(&f, buffer, got, sizeof got);
    for (int i = 0; i < 32; i++) assert_int_equal(got[i], 1 + 2 + 3 + 45 + 31 - i + 7);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

/* No device has samplers, and no memory object is one. */
static void test_sampler_argument(void **state) {
    cl_mem buffer = fixture_buffer(&f, 4, NULL);
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(__global int *p, sampler_t s) { p[0] = 1; }", "f");
    (void)state;
    assert_int_equal(f.cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), CL_SUCCESS);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 1, sizeof(cl_sampler), &buffer), CL_INVALID_SAMPLER);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 1, sizeof(cl_sampler), NULL), CL_INVALID_SAMPLER);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 1, 1, &buffer), CL_INVALID_ARG_SIZE);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

static bool has_in_binary(cl_program program, const char *text) {
    size_t size;
    f.cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    unsigned char *binary = malloc(size);
    f.cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    const bool found = memmem(binary, size, text, strlen(text)) != NULL;
    free(binary);
    return found;
}

/* A kernel needs more registers than groups of 512 have: it still runs in any group, also from a binary. */
static void test_large_groups(void **state) {
    const char *source = "__kernel void f(__global const float *x, __global float *y) {\n"
                         "    float v[64], s = 0;\n"
                         "    int i = get_global_id(0);\n"
                         "#pragma unroll\n"
                         "    for (int k = 0; k < 64; k++) v[k] = x[i + k] * x[i + k];\n"
                         "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                         "#pragma unroll\n"
                         "    for (int k = 0; k < 64; k++) s = s * 0.5f + v[k];\n"
                         "    y[i] = s;\n"
                         "}";
    float x[512 + 64], expected[512], got[512];
    const size_t size = 512;
    size_t most;
    (void)state;
    for (int i = 0; i < 512 + 64; i++) x[i] = (float)(i % 16);
    for (int i = 0; i < 512; i++) {
        expected[i] = 0;
        for (int k = 0; k < 64; k++) expected[i] = expected[i] * 0.5f + x[i + k] * x[i + k];
    }
    cl_program program = fixture_build(&f, source, NULL);
    assert_true(has_in_binary(program, "f.dense"));
    cl_int error;
    cl_kernel kernel = f.cl->clCreateKernel(program, "f", &error);
    f.cl->clReleaseProgram(program);
    cl_mem from = fixture_buffer(&f, sizeof x, x), to = fixture_buffer(&f, sizeof got, NULL);
    f.cl->clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    assert_int_equal(most, 512);
    fixture_set_buffer(&f, kernel, 0, from);
    fixture_set_buffer(&f, kernel, 1, to);
    for (size_t local = 16; local <= 512; local *= 2) {
        memset(got, 0, sizeof got);
        assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &size, &local), CL_SUCCESS);
        fixture_read(&f, to, got, sizeof got);
        for (int i = 0; i < 512; i++)
            if (got[i] < expected[i] * 0.9999f || got[i] > expected[i] * 1.0001f)
                fail_msg("local size %zu: %d", local, i);
    }
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(from);
    f.cl->clReleaseMemObject(to);
}

/* ---- ranges ---- */

static const char *const WHERE = /* each work item says all that it knows, at its place in the whole range */
    "__kernel void f(__global int *p) {\n"
    "    int at[3], n = 1, place = 0;\n"
    "    for (int d = 2; d >= 0; d--) {\n"
    "        int id = get_global_id(d) - get_global_offset(d);\n"
    "        place = place * get_global_size(d) + id;\n"
    "        if (id != get_group_id(d) * get_local_size(d) + get_local_id(d)) n = 0;\n"
    "        if (get_num_groups(d) * get_local_size(d) != get_global_size(d)) n = 0;\n"
    "    }\n"
    "    p[place] = n * (get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2)\n"
    "                    + 1000000 * get_work_dim());\n"
    "}";

static void check_range(cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local) {
    size_t from[3] = {0, 0, 0}, size[3] = {1, 1, 1}, place = 0;
    for (cl_uint d = 0; d < dimensions; d++) {
        from[d] = offset != NULL ? offset[d] : 0;
        size[d] = global[d];
    }
    const size_t count = size[0] * size[1] * size[2];
    int *got = malloc(count * sizeof *got);
    cl_kernel kernel = fixture_kernel(&f, WHERE, "f");
    cl_mem buffer = fixture_buffer(&f, count * sizeof *got, NULL);
    fixture_set_buffer(&f, kernel, 0, buffer);
    assert_int_equal(fixture_enqueue(&f, kernel, dimensions, offset, global, local), CL_SUCCESS);
    fixture_read(&f, buffer, got, count * sizeof *got);
    for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
            for (size_t x = 0; x < size[0]; x++)
                assert_int_equal(got[place++], (int)(x + from[0] + 100 * (y + from[1]) + 10000 * (z + from[2]) +
                                                     1000000 * dimensions));
    free(got);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

static void test_ranges(void **state) {
    const size_t offset[3] = {3, 5, 2}, global[3] = {12, 10, 6}, local[3] = {4, 5, 2}, long_one[1] = {70001},
                 one[1] = {1}, prime[3] = {31, 7, 5};
    (void)state;
    check_range(1, NULL, global, NULL);
    check_range(2, offset, global, local);
    check_range(3, offset, global, local);
    check_range(3, NULL, prime, NULL);
    check_range(1, NULL, long_one, one); /* more groups than a grid has */
}

static void test_wrong_ranges(void **state) {
    const size_t global[3] = {64, 64, 128}, zero[1] = {0}, large[1] = {(size_t)1 << 32}, most[1] = {UINT32_MAX};
    const struct {
        cl_uint dimensions;
        const size_t *offset, *global;
        size_t local[3];
        bool has_local;
        cl_int error;
        const char *reason;
    } CASES[] = {
        {0, NULL, global, {0},         false, CL_INVALID_WORK_DIMENSION,   "1 to 3 dimensions"                   },
        {4, NULL, global, {0},         false, CL_INVALID_WORK_DIMENSION,   "1 to 3 dimensions"                   },
        {1, NULL, NULL,   {0},         false, CL_INVALID_GLOBAL_WORK_SIZE, "no global size"                      },
        {1, NULL, zero,   {0},         false, CL_INVALID_GLOBAL_WORK_SIZE, "global size 0"                       },
        {1, NULL, large,  {0},         false, CL_INVALID_GLOBAL_WORK_SIZE, "global size 4294967296"              },
        {1, most, global, {0},         false, CL_INVALID_GLOBAL_OFFSET,    "offset 4294967295"                   },
        {1, NULL, global, {0},         true,  CL_INVALID_WORK_GROUP_SIZE,  "local size 0"                        },
        {1, NULL, global, {7},         true,  CL_INVALID_WORK_GROUP_SIZE,  "local size 7 does not divide"        },
        {1, NULL, global, {1024},      true,  CL_INVALID_WORK_ITEM_SIZE,   "local size 1024 in dimension 0"      },
        {3, NULL, global, {1, 1, 128}, true,  CL_INVALID_WORK_ITEM_SIZE,   "local size 128 in dimension 2"       },
        {2, NULL, global, {64, 64},    true,  CL_INVALID_WORK_GROUP_SIZE,  "4096 work items: the device has room"},
    };
    (void)state;
    cl_kernel kernel = fixture_kernel(&f, WHERE, "f");
    cl_mem buffer = fixture_buffer(&f, 4, NULL);
    fixture_set_buffer(&f, kernel, 0, buffer);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        f.told[0] = '\0';
        assert_int_equal(fixture_enqueue(&f, kernel, CASES[i].dimensions, CASES[i].offset, CASES[i].global,
                                         CASES[i].has_local ? CASES[i].local : NULL),
                         CASES[i].error);
        if (strstr(f.told, CASES[i].reason) == NULL) fail_msg("'%s' lacks '%s'", f.told, CASES[i].reason);
    }
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

/* ---- variables ---- */

/* Pointers in memory make the compiler put constants into global memory, where the range is, too. */
static void test_constants_in_memory(void **state) {
    const char *source = "__constant int A[2] = {1, 2}, B[2] = {30, 40};\n"
                         "__constant int *__constant T[2] = {A, B};\n"
                         "__kernel void f(__global int *p) { p[get_global_id(0) + 2 * get_global_id(2)] =\n"
                         "    T[get_global_id(2)][get_global_id(0)]; }";
    const size_t global[3] = {2, 1, 2}, local[3] = {1, 1, 1};
    const int expected[4] = {1, 2, 30, 40};
    int got[4];
    (void)state;
    cl_kernel kernels[2] = {fixture_kernel(&f, source, "f"), fixture_kernel(&f, source, "f")};
    cl_mem buffer = fixture_buffer(&f, sizeof got, NULL);
    for (unsigned i = 0; i < 2; i++) {
        fixture_set_buffer(&f, kernels[i], 0, buffer);
        memset(got, 0, sizeof got);
        assert_int_equal(fixture_enqueue(&f, kernels[i], 3, NULL, global, local), CL_SUCCESS);
        fixture_read(&f, buffer, got, sizeof got);
        assert_memory_equal(got, expected, sizeof got);
    }
    f.cl->clReleaseKernel(kernels[0]);
    f.cl->clReleaseKernel(kernels[1]);
    f.cl->clReleaseMemObject(buffer);
}

/* More constants than the device's constant memory has room for. */
static void test_many_constants(void **state) {
    const char *source = "__constant int T[20000] = {[19999] = 5, [12345] = 7};\n"
                         "__kernel void f(__global int *p) { p[0] = T[p[0]] + T[p[1]]; }";
    const size_t one = 1;
    int numbers[2] = {19999, 12345};
    (void)state;
    cl_kernel kernel = fixture_kernel(&f, source, "f");
    cl_mem buffer = fixture_buffer(&f, sizeof numbers, numbers);
    fixture_set_buffer(&f, kernel, 0, buffer);
    assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &one, NULL), CL_SUCCESS);
    fixture_read(&f, buffer, numbers, sizeof numbers);
    assert_int_equal(numbers[0], 12);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

/* A constant buffer is in global memory, so it may be as large as any. */
static void test_large_constant_buffer(void **state) {
    const char *source = "__kernel void f(__constant int *t, __global int *p) { p[0] = t[p[0]]; }";
    const size_t one = 1;
    cl_ulong most = 0, most_buffer = 0;
    int number, found = 7;
    (void)state;
    f.cl->clGetDeviceInfo(f.device[0], CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof most, &most, NULL);
    f.cl->clGetDeviceInfo(f.device[0], CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most_buffer, &most_buffer, NULL);
    assert_int_equal(most, most_buffer);
    assert_true(most >= 65536);
    number = (int)(most / sizeof number - 1);
    cl_kernel kernel = fixture_kernel(&f, source, "f");
    cl_mem table = fixture_buffer(&f, (size_t)most, NULL), buffer = fixture_buffer(&f, sizeof number, &number);
    assert_int_equal(f.cl->clEnqueueWriteBuffer(f.queue, table, CL_TRUE, (size_t)most - sizeof found, sizeof found,
                                                &found, 0, NULL, NULL),
                     CL_SUCCESS);
    fixture_set_buffer(&f, kernel, 0, table);
    fixture_set_buffer(&f, kernel, 1, buffer);
    assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &one, NULL), CL_SUCCESS);
    fixture_read(&f, buffer, &number, sizeof number);
    assert_int_equal(number, 7);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(table);
    f.cl->clReleaseMemObject(buffer);
}

/* Variables of OpenCL C 2.0: their first value counts once. */
static void test_variables_last(void **state) {
    const size_t one = 1;
    int got;
    cl_int error;
    (void)state;
    cl_program program =
        fixture_build(&f, "global int count = 5;\nkernel void f(global int *p) { p[0] = ++count; }", "-cl-std=CL2.0");
    cl_kernel kernel = f.cl->clCreateKernel(program, "f", &error);
    cl_mem buffer = fixture_buffer(&f, sizeof got, NULL);
    fixture_set_buffer(&f, kernel, 0, buffer);
    for (int i = 0; i < 3; i++) assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &one, NULL), CL_SUCCESS);
    fixture_read(&f, buffer, &got, sizeof got);
    assert_int_equal(got, 8);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseProgram(program);
    f.cl->clReleaseMemObject(buffer);
}

/* ---- atomic operations on local memory ---- */

/* Groups of many warps whose lanes use few words; each result must occur once. */
static void test_local_atomics(void **state) {
    const char *source = "__kernel void f(__global int *out, __global uint *seen) {\n"
                         "    __local int h[8];\n"
                         "    __local uint most, order;\n"
                         "    __local float last;\n"
                         "    int i = get_local_id(0) + get_local_size(0) * get_local_id(1);\n"
                         "    if (i < 8) h[i] = 0;\n"
                         "    if (i == 0) most = order = 0, last = -1;\n"
                         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "    atomic_add(&h[i % 7], i);\n"
                         "    if (i % 3 == 0) atom_inc(&h[7]);\n"
                         "    atomic_max(&most, (uint)(i * 37 % 192));\n"
                         "    atomic_add(&seen[atomic_inc(&order)], 1);\n"
                         "    if (atomic_xchg(&last, (float)i) == -1) atomic_add(&out[9], 1);\n"
                         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "    if (i < 8) atomic_add(&out[i], h[i]);\n"
                         "    if (i == 0) atomic_add(&out[8], most);\n"
                         "}";
    enum { GROUP = 192, GROUPS = 5 };
    const size_t global[2] = {GROUPS * 48, 4}, local[2] = {48, 4};
    int out[10] = {0}, expected[10] = {0};
    cl_uint seen[GROUP] = {0};
    (void)state;
    for (int i = 0; i < GROUP; i++) {
        expected[i % 7] += GROUPS * i;
        if (i % 3 == 0) expected[7] += GROUPS;
    }
    expected[8] = GROUPS * 191;
    expected[9] = GROUPS;
    cl_kernel kernel = fixture_kernel(&f, source, "f");
    cl_mem buffers[2] = {fixture_buffer(&f, sizeof out, out), fixture_buffer(&f, sizeof seen, seen)};
    fixture_set_buffer(&f, kernel, 0, buffers[0]);
    fixture_set_buffer(&f, kernel, 1, buffers[1]);
    assert_int_equal(fixture_enqueue(&f, kernel, 2, NULL, global, local), CL_SUCCESS);
    fixture_read(&f, buffers[0], out, sizeof out);
    fixture_read(&f, buffers[1], seen, sizeof seen);
    assert_memory_equal(out, expected, sizeof out);
    for (int i = 0; i < GROUP; i++) assert_int_equal(seen[i], GROUPS);
    f.cl->clReleaseKernel(kernel);
    for (unsigned i = 0; i < 2; i++) f.cl->clReleaseMemObject(buffers[i]);
}

/* ---- what goes wrong on the device ---- */

static cl_int read_number(cl_mem buffer) {
    cl_uint number;
    return f.cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL);
}

static void test_failing_kernels(void **state) {
    const char *source = "__kernel void trap(__global int *p) {\n    p[0x1fffffff] = 1;\n}\n"
                         "__kernel void hang(__global int *p) { while (p[0] == 0) barrier(CLK_GLOBAL_MEM_FENCE); }\n"
                         "__kernel void good(__global int *p) { p[0] = 7; }";
    static const char *const NAMES[] = {"trap", "hang"}, *const TEXTS[] = {"program.cl:2", "hang"};
    const size_t one = 1;
    const int zero = 0;
    char log[8192];
    int got;
    cl_int error, status;
    (void)state;
    cl_program program = fixture_build(&f, source, NULL);
    cl_mem buffer = fixture_buffer(&f, sizeof got, &zero);
    for (unsigned i = 0; i < 2; i++) {
        cl_kernel kernel = f.cl->clCreateKernel(program, NAMES[i], &error);
        cl_event event;
        fixture_set_buffer(&f, kernel, 0, buffer);
        f.told[0] = '\0';
        assert_int_equal(f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event),
                         CL_SUCCESS);
        assert_int_equal(f.cl->clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        f.cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
        assert_int_equal(status, CL_OUT_OF_RESOURCES);
        fixture_log(&f, program, log, sizeof log);
        if (strstr(f.told, TEXTS[i]) == NULL) fail_msg("'%s' lacks '%s'", f.told, TEXTS[i]);
        if (strstr(log, f.told) == NULL) fail_msg("the build log lacks '%s'", f.told);
        f.cl->clReleaseEvent(event);
        assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS); /* the application has seen it */
        assert_int_equal(f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event),
                         CL_SUCCESS);
        assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &one, NULL), CL_SUCCESS);
        assert_int_equal(f.cl->clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        f.cl->clReleaseEvent(event);
        assert_int_equal(f.cl->clFinish(f.queue), CL_OUT_OF_RESOURCES); /* it has not seen the second one */
        assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &one, NULL), CL_SUCCESS);
        assert_int_equal(f.cl->clFinish(f.queue), CL_OUT_OF_RESOURCES);
        assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
        assert_int_equal(f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event),
                         CL_SUCCESS);
        /* It has the event, but has not read its status. */
        assert_int_equal(read_number(buffer), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        assert_int_equal(read_number(buffer), CL_SUCCESS);
        assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
        f.cl->clReleaseEvent(event);
        f.cl->clReleaseKernel(kernel);
    }
    cl_kernel good = f.cl->clCreateKernel(program, "good", &error);
    fixture_set_buffer(&f, good, 0, buffer);
    assert_int_equal(fixture_enqueue(&f, good, 1, NULL, &one, NULL), CL_SUCCESS);
    fixture_read(&f, buffer, &got, sizeof got);
    assert_int_equal(got, 7);
    f.cl->clReleaseKernel(good);
    f.cl->clReleaseProgram(program);
    f.cl->clReleaseMemObject(buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ONE(test_argument_info, &f),       ON_ONE(test_arguments, &f),        ON_ONE(test_no_argument_info, &f),
        ON_ONE(test_attributes, &f),          ON_ONE(test_sampler_argument, &f), ON_ONE(test_half_of_double, &f),
        ON_ONE(test_large_groups, &f),        ON_ONE(test_ranges, &f),           ON_ONE(test_wrong_ranges, &f),
        ON_ONE(test_constants_in_memory, &f), ON_ONE(test_many_constants, &f),   ON_ONE(test_large_constant_buffer, &f),
        ON_ONE(test_variables_last, &f),      ON_ONE(test_local_atomics, &f),    ON_ONE(test_failing_kernels, &f),
    };
    fixture_open(&f, "model:16M,model:16M");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
