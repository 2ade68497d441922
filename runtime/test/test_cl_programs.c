/* SPDX-License-Identifier: Apache-2.0 */
/* Programs through OpenCL: builds and their logs, options, binaries, linking. */
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

static void test_log_has_lines(void **state) {
    const char *lines[] = {"__kernel void f(__global int *p) {\n", "    p[0] = wrong;\n", "}\n"};
    char log[4096];
    cl_build_status status;
    cl_int error;
    (void)state;
    cl_program program = f.cl->clCreateProgramWithSource(f.context, 3, lines, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(f.cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    fixture_log(&f, program, log, sizeof log);
    assert_non_null(strstr(log, "program.cl:2:12: error: use of undeclared identifier 'wrong'"));
    assert_int_equal(
        f.cl->clGetProgramBuildInfo(program, f.device[0], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL),
        CL_SUCCESS);
    assert_int_equal(status, CL_BUILD_ERROR);
    assert_null(f.cl->clCreateKernel(program, "f", &error));
    assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
    assert_int_equal(f.cl->clReleaseProgram(program), CL_SUCCESS);
}

/* Devices of one kind share the code of a build; each has the whole log. */
static void test_log_of_each_device(void **state) {
    const char *source = "#warning heed this\n__kernel void f(__global int *p) { p[0] = 1; }";
    char log[4096];
    cl_int error;
    (void)state;
    cl_context context = f.cl->clCreateContext(NULL, 2, f.device, NULL, NULL, &error);
    cl_program program = f.cl->clCreateProgramWithSource(context, 1, &source, NULL, &error);
    assert_int_equal(f.cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    for (unsigned i = 0; i < 2; i++) {
        log[0] = '\0';
        f.cl->clGetProgramBuildInfo(program, f.device[i], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        assert_non_null(strstr(log, "heed this"));
    }
    f.cl->clReleaseProgram(program);
    f.cl->clReleaseContext(context);
}

static void test_options(void **state) {
    const char *source = "__kernel void f(__global int *p) { p[0] = A; p[1] = sizeof(B) - 1; }";
    int got[2] = {0};
    const size_t one = 1;
    cl_int error;
    (void)state;
    cl_program program = fixture_build(&f, source, " -D A=40+2\t-DB=\"\\\"two words\\\"\" -cl-mad-enable -w ");
    cl_kernel kernel = f.cl->clCreateKernel(program, "f", &error);
    cl_mem buffer = fixture_buffer(&f, sizeof got, NULL);
    fixture_set_buffer(&f, kernel, 0, buffer);
    assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &one, NULL), CL_SUCCESS);
    fixture_read(&f, buffer, got, sizeof got);
    assert_int_equal(got[0], 42);
    assert_int_equal(got[1], 9);
    f.cl->clReleaseKernel(kernel);
    assert_int_equal(f.cl->clBuildProgram(program, 0, NULL, "-nonsense", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
    assert_int_equal(f.cl->clBuildProgram(program, 0, NULL, "-D", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
    assert_int_equal(f.cl->clBuildProgram(program, 0, NULL, "-cl-std=CL1.3", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
    f.cl->clReleaseProgram(program);
    f.cl->clReleaseMemObject(buffer);
}

/* The binary of one program makes another, with its constants. */
static void test_binary(void **state) {
    const char *source = "__constant int T[3] = {5, 6, 7};\n"
                         "__kernel void f(__global int *p) { p[get_global_id(0)] = T[get_global_id(0)]; }\n"
                         "__kernel void g(__global int *p, int k) { p[get_global_id(0)] *= k; }";
    const int ten = 10, expected[3] = {50, 60, 70};
    const size_t three = 3;
    int got[3];
    size_t size;
    cl_int error, status;
    char names[16];
    (void)state;
    cl_program first = fixture_build(&f, source, NULL);
    assert_int_equal(f.cl->clGetProgramInfo(first, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), CL_SUCCESS);
    unsigned char *binary = malloc(size);
    assert_int_equal(f.cl->clGetProgramInfo(first, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), CL_SUCCESS);
    f.cl->clReleaseProgram(first);
    cl_program program = f.cl->clCreateProgramWithBinary(f.context, 1, f.device, &size, (const unsigned char **)&binary,
                                                         &status, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(status, CL_SUCCESS);
    assert_int_equal(f.cl->clBuildProgram(program, 1, f.device, NULL, NULL, NULL), CL_SUCCESS);
    assert_int_equal(f.cl->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL), CL_SUCCESS);
    assert_string_equal(names, "f;g");
    cl_kernel kernels[2];
    assert_int_equal(f.cl->clCreateKernelsInProgram(program, 2, kernels, NULL), CL_SUCCESS);
    cl_mem buffer = fixture_buffer(&f, sizeof got, NULL);
    fixture_set_buffer(&f, kernels[0], 0, buffer);
    fixture_set_buffer(&f, kernels[1], 0, buffer);
    assert_int_equal(f.cl->clSetKernelArg(kernels[1], 1, sizeof ten, &ten), CL_SUCCESS);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(fixture_enqueue(&f, kernels[i], 1, NULL, &three, NULL), CL_SUCCESS);
    fixture_read(&f, buffer, got, sizeof got);
    assert_memory_equal(got, expected, sizeof got);
    f.cl->clReleaseKernel(kernels[0]);
    f.cl->clReleaseKernel(kernels[1]);
    f.cl->clReleaseProgram(program);
    f.cl->clReleaseMemObject(buffer);
    binary[0] ^= 1;
    assert_null(f.cl->clCreateProgramWithBinary(f.context, 1, f.device, &size, (const unsigned char **)&binary, &status,
                                                &error));
    assert_int_equal(error, CL_INVALID_BINARY);
    assert_int_equal(status, CL_INVALID_BINARY);
    free(binary);
}

/* Loads the binary with another word in a record. */
static cl_int load_damaged(const unsigned char *binary, size_t size, size_t at, unsigned number, uint32_t word) {
    cl_int error, status;
    unsigned char *damaged = malloc(size);
    memcpy(damaged, binary, size);
    memcpy(damaged + at + (size_t)4 * number, &word, sizeof word);
    cl_program program = f.cl->clCreateProgramWithBinary(f.context, 1, f.device, &size,
                                                         (const unsigned char **)&damaged, &status, &error);
    free(damaged);
    if (program != NULL) f.cl->clReleaseProgram(program);
    return error;
}

static size_t find(const unsigned char *binary, size_t size, const void *bytes, size_t count) {
    const unsigned char *at = memmem(binary, size, bytes, count);
    assert_non_null(at);
    return (size_t)(at - binary);
}

static unsigned char *binary_of(const char *source, size_t *size) {
    cl_program program = fixture_build(&f, source, NULL);
    f.cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL);
    unsigned char *binary = malloc(*size);
    f.cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    f.cl->clReleaseProgram(program);
    return binary;
}

/* A variable's name is behind its address, size, space and 8 bytes of type; a parameter is size, alignment, offset,
 * space, type. */
static void test_damaged_binary(void **state) {
    const char *source = "#define TEN(x) long x##0, long x##1, long x##2, long x##3, long x##4, \\\n"
                         "    long x##5, long x##6, long x##7, long x##8, long x##9\n"
                         "__kernel void f(__global int *p, int last, TEN(a), TEN(b), TEN(c), TEN(d)) {\n"
                         "    p[get_global_id(0) + get_global_size(1) * get_group_id(2)] = a1 + d9 + last; }";
    enum { HEAD = 20, LAST_PLACE = 65536 - 96 };
    const uint32_t pointer[4] = {4, 4, 0, 1}, value[4] = {4, 4, 4, 0};
    size_t size;
    (void)state;
    unsigned char *binary = binary_of(source, &size);
    const size_t range = find(binary, size, "warp_range", sizeof "warp_range") - HEAD,
                 spilled = find(binary, size, "warp_parameters", sizeof "warp_parameters") - HEAD,
                 first = find(binary, size, pointer, sizeof pointer), second = find(binary, size, value, sizeof value);
    assert_int_equal(load_damaged(binary, size, second, 0, 4), CL_SUCCESS);
    assert_int_equal(load_damaged(binary, size, range, 0, LAST_PLACE), CL_INVALID_BINARY);
    assert_int_equal(load_damaged(binary, size, range, 1, 64), CL_INVALID_BINARY);
    assert_int_equal(load_damaged(binary, size, spilled, 0, LAST_PLACE), CL_INVALID_BINARY);
    assert_int_equal(load_damaged(binary, size, spilled, 1, 80), CL_INVALID_BINARY);
    assert_int_equal(load_damaged(binary, size, first, 0, 8), CL_INVALID_BINARY);
    assert_int_equal(load_damaged(binary, size, second, 0, 4000), CL_INVALID_BINARY);
    free(binary);
}

/* The range is in global memory, see test_constants_in_memory. */
static void test_damaged_memory(void **state) {
    const char *source = "__constant int A[2] = {1, 2};\n"
                         "__constant int *__constant T[2] = {A, A + 1};\n"
                         "__kernel void f(__global int *p) { p[get_global_id(2)] = T[get_global_id(2)][0]; }";
    size_t size;
    uint32_t space;
    (void)state;
    unsigned char *binary = binary_of(source, &size);
    const size_t range = find(binary, size, "warp_range", sizeof "warp_range") - 20;
    memcpy(&space, binary + range + 8, sizeof space);
    assert_int_equal(space, 1);
    assert_int_equal(load_damaged(binary, size, range, 2, space), CL_SUCCESS);
    assert_int_equal(load_damaged(binary, size, range, 0, 0x1000), CL_INVALID_BINARY);
    free(binary);
}

/* One device's kernel f has more arguments than the other's; g has them all, in groups of another size. */
static void test_other_signature(void **state) {
    const char *source = "#ifdef WIDE\n#define MORE , int4 a, int4 b\n#else\n#define MORE\n#define WIDE 1\n#endif\n"
                         "__kernel void f(__global int *p MORE) { p[0] = 1; }\n"
                         "__attribute__((reqd_work_group_size(WIDE, 1, 1))) __kernel void g(__global int *p) {\n"
                         "    p[get_global_id(0)] = WIDE; }";
    char name[4];
    cl_kernel kernels[2];
    cl_uint count = 0;
    cl_int error;
    (void)state;
    fixture_close_context(&f);
    fixture_open_context(&f, 2);
    cl_program program = f.cl->clCreateProgramWithSource(f.context, 1, &source, NULL, &error);
    assert_int_equal(f.cl->clBuildProgram(program, 1, f.device, NULL, NULL, NULL), CL_SUCCESS);
    assert_int_equal(f.cl->clBuildProgram(program, 1, f.device + 1, "-DWIDE=8", NULL, NULL), CL_SUCCESS);
    assert_null(f.cl->clCreateKernel(program, "f", &error));
    assert_int_equal(error, CL_INVALID_KERNEL_DEFINITION);
    assert_int_equal(f.cl->clCreateKernelsInProgram(program, 0, NULL, &count), CL_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(f.cl->clCreateKernelsInProgram(program, 0, kernels, NULL), CL_INVALID_VALUE);
    assert_int_equal(f.cl->clCreateKernelsInProgram(program, 1, kernels, NULL), CL_SUCCESS);
    f.cl->clGetKernelInfo(kernels[0], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    assert_string_equal(name, "g");
    for (unsigned i = 0; i < 2; i++) {
        size_t block[3];
        f.cl->clGetKernelWorkGroupInfo(kernels[0], f.device[i], CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof block, block,
                                       NULL);
        assert_int_equal(block[0], i == 0 ? 1 : 8);
    }
    f.cl->clReleaseKernel(kernels[0]);
    f.cl->clReleaseProgram(program);
}

/* Three programs and a header; two of them make a library first. */
static void test_linking(void **state) {
    cl_program header = fixture_program(&f, "int twice(int);\nint add(int, int);\n");
    cl_program programs[3] = {
        fixture_program(&f,
                        "#include \"sub/parts.h\"\n__kernel void f(__global int *p) { p[0] = add(twice(p[0]), 1); }"),
        fixture_program(&f, "#include <sub/parts.h>\nint twice(int a) { return add(a, a); }"),
        fixture_program(&f,
                        "static int sum(int a, int b) { return a + b; }\nint add(int a, int b) { return sum(a, b); }")};
    const char *name = "sub/parts.h";
    const size_t one = 1;
    const int twenty = 20;
    char log[4096];
    int got;
    cl_int error;
    (void)state;
    assert_int_equal(f.cl->clCompileProgram(programs[0], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_COMPILE_PROGRAM_FAILURE);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(f.cl->clCompileProgram(programs[i], 0, NULL, NULL, 1, &header, &name, NULL, NULL), CL_SUCCESS);
    assert_null(f.cl->clCreateKernel(programs[0], "f", &error));
    assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
    cl_program library =
        f.cl->clLinkProgram(f.context, 0, NULL, "-create-library", 2, programs + 1, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_program parts[2] = {programs[0], library};
    cl_program program = f.cl->clLinkProgram(f.context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_kernel kernel = f.cl->clCreateKernel(program, "f", &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_mem buffer = fixture_buffer(&f, sizeof got, &twenty);
    fixture_set_buffer(&f, kernel, 0, buffer);
    assert_int_equal(fixture_enqueue(&f, kernel, 1, NULL, &one, NULL), CL_SUCCESS);
    fixture_read(&f, buffer, &got, sizeof got);
    assert_int_equal(got, 41);
    cl_program half = f.cl->clLinkProgram(f.context, 0, NULL, NULL, 1, programs, NULL, NULL, &error);
    assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
    assert_non_null(half);
    fixture_log(&f, half, log, sizeof log);
    assert_non_null(strstr(log, "twice"));
    f.cl->clReleaseProgram(half);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
    f.cl->clReleaseProgram(library);
    f.cl->clReleaseProgram(program);
    f.cl->clReleaseProgram(header);
    for (unsigned i = 0; i < 3; i++) f.cl->clReleaseProgram(programs[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ONE(test_log_has_lines, &f),   ON_ONE(test_log_of_each_device, &f),
        ON_ONE(test_options, &f),         ON_ONE(test_binary, &f),
        ON_ONE(test_damaged_binary, &f),  ON_ONE(test_damaged_memory, &f),
        ON_ONE(test_other_signature, &f), ON_ONE(test_linking, &f),
    };
    fixture_open(&f, "model:16M,model:16M");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
