/* SPDX-License-Identifier: Apache-2.0 */
/* printf in kernels through OpenCL: the text is on standard output when the event completes, each call in one piece;
 * output that does not fit is dropped, and the call returns -1. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "opencl/fixture.h"

enum { ITEMS = 2048, GROUP = 512, LINE = 64 };

static struct fixture f;

static void enqueue(cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local) {
    assert_int_equal(fixture_enqueue(&f, kernel, dimensions, NULL, global, local), CL_SUCCESS);
}

/* The text of one launch, up to clFinish. */
static char *run(cl_kernel kernel, size_t items, size_t group) {
    fixture_catch_output();
    enqueue(kernel, 1, &items, group != 0 ? &group : NULL);
    const cl_int error = f.cl->clFinish(f.queue);
    char *text = fixture_caught();
    assert_int_equal(error, CL_SUCCESS);
    return text;
}

/* The text of a kernel without arguments. */
static void expect(const char *source, size_t items, const char *wanted) {
    cl_kernel kernel = fixture_kernel(&f, source, "f");
    char *text = run(kernel, items, 0);
    assert_string_equal(text, wanted);
    free(text);
    f.cl->clReleaseKernel(kernel);
}

/* ---- conversions ---- */

static void test_conversions(void **state) {
    char wanted[1024];
    (void)state;
    snprintf(wanted, sizeof wanted,
             "%d %i %u %o %x %X %#x|%5d|%-5d|%05d|%+d\n"
             "%hhd %hd %lld %llu %llx\n"
             "%f %.2f %e %E %g %G %a %A %F|%10.3f|%-10.1f|%+f\n"
             "%c%5c %s %.2s|%6s|%-6s| %%\n",
             -1, 42, 0xffffffffu, 8, 255, 255, 255, 42, 42, 42, 42, (signed char)-3, (short)-300, -5000000000ll,
             0xfedcba9876543210ull, 0xfedcba9876543210ull, 1.5, 2.345, 12345.678, 0.001, 1e10, 1e-10, 1.0, 0.5, -2.0,
             3.14159, 2.5, 1.0, 'a', 'b', "text", "text", "right", "left");
    expect(
        "__kernel void f(void) {\n"
        "    volatile int minus = -1, n = 42; volatile char c = -3; volatile short s = -300;\n"
        "    volatile long l = -5000000000; volatile ulong u = 0xfedcba9876543210; volatile double d = 2.345;\n"
        "    volatile float x = 1.5f;\n"
        "    printf(\"%d %i %u %o %x %X %#x|%5d|%-5d|%05d|%+d\\n\", minus, n, minus, 8, 255, 255, 255, n, n, n, n);\n"
        "    printf(\"%hhd %hd %ld %lu %lx\\n\", c, s, l, u, u);\n"
        "    printf(\"%f %.2f %e %E %g %G %a %A %F|%10.3f|%-10.1f|%+f\\n\", x, d, 12345.678, 0.001, 1e10, 1e-10,\n"
        "           1.0, 0.5f, -2.0f, 3.14159, 2.5f, 1.0f);\n"
        "    printf(\"%c%5c %s %.2s|%6s|%-6s| %%\\n\", 'a', 'b', \"text\", \"text\", \"right\", \"left\");\n"
        "}",
        1, wanted);
}

static void test_vectors(void **state) {
    (void)state;
    expect("__kernel void f(void) {\n"
           "    volatile int n = 1;\n"
           "    printf(\"%v2hhd %v3hhu %v16hhx\\n\", (char2)(n, -n), (uchar3)(n, 2, 255), (char16)(-n));\n"
           "    printf(\"%v4hd %v3hx %v8hu\\n\", (short4)(n, -2, 3, 4), (short3)(n, 2, 3), (ushort8)(n));\n"
           "    printf(\"%v2hld %v3hlx %#v4hlx\\n\", (int2)(n, -5), (int3)(n, 2, 3), (int4)(n, 2, 3, 4));\n"
           "    printf(\"%v2ld %v3lu\\n\", (long2)(n, -5000000000), (ulong3)(n, 2, 3));\n"
           "    printf(\"%.1v4hlf|%5.2v2hlf|%v3hle\\n\", (float4)(n, 2, 3, -4), (float2)(n, 2), (float3)(n, 2, 3));\n"
           "    printf(\"%v2lg %v16lg %d\\n\", (double2)(n, 0.1), (double16)(n), n);\n"
           "}",
           1,
           "1,-1 1,2,255 ff,ff,ff,ff,ff,ff,ff,ff,ff,ff,ff,ff,ff,ff,ff,ff\n"
           "1,-2,3,4 1,2,3 1,1,1,1,1,1,1,1\n"
           "1,-5 1,2,3 0x1,0x2,0x3,0x4\n"
           "1,-5000000000 1,2,3\n"
           "1.0,2.0,3.0,-4.0| 1.00, 2.00|1.000000e+00,2.000000e+00,3.000000e+00\n"
           "1,0.1 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 1\n");
}

/* Formats in variables, selected formats, formats as arguments; strings likewise; a result of 0. */
static void test_formats(void **state) {
    (void)state;
    expect("__constant char named[] = \"named %d\\n\";\n"
           "__kernel void f(void) { printf(named, (int)get_global_id(0) + printf(\"plain\\n\")); }",
           1, "plain\nnamed 0\n");
}

/* clang 19 packs the arguments, so the compiler must know the format. */
static void test_chosen_formats(void **state) {
    char log[4096] = "";
    (void)state;
    cl_kernel kernel =
        fixture_kernel(&f,
                       "__attribute__((noinline)) int say(__constant char *format, int n, __constant char *text) {\n"
                       "    return printf(format, n, text);\n"
                       "}\n"
                       "__kernel void f(void) {\n"
                       "    volatile int n = get_global_id(0);\n"
                       "    printf(n == 0 ? \"zero %s\\n\" : \"other %s\\n\", n == 0 ? \"none\" : \"some\");\n"
                       "    say(\"%d says %s\\n\", n, \"so\");\n"
                       "    say(\"%d %s\\n\", n + 1, n > 0 ? \"high\" : \"low\");\n"
                       "}",
                       "f");
    cl_program program;
    f.cl->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL);
    f.cl->clGetProgramBuildInfo(program, f.device[0], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    char *text = run(kernel, 1, 0);
    f.cl->clReleaseKernel(kernel);
    const bool is_known = strstr(log, "its format is unknown at compile time") == NULL;
    if (is_known) assert_string_equal(text, "zero none\n0 says so\n1 low\n");
    free(text);
    if (!is_known) skip();
}

/* Constants that are too many, or whose addresses are stored, are in global memory. */
static void test_strings_in_memory(void **state) {
    (void)state;
    expect("__constant int large[4096] = {1, 2, 3};\n"
           "__constant char *__constant names[] = {\"red\", \"green\", \"blue\"};\n"
           "__kernel void f(void) {\n"
           "    volatile int n = 1;\n"
           "    printf(\"%s %s %d\\n\", names[n], n > 0 ? \"yes\" : \"no\", large[n + 1]);\n"
           "}",
           1, "green yes 3\n");
}

/* ---- threads ---- */

static int compare(const void *a, const void *b) { return strcmp(a, b); }

/* Sorts the lines; each call's text is in one piece. Returns their number. */
static size_t sort_lines(const char *text, char (*lines)[LINE], size_t most) {
    size_t count = 0;
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        assert_true(count < most && end - text < LINE);
        snprintf(lines[count++], LINE, "%.*s", (int)(end - text), text);
    }
    assert_string_equal(text, "");
    qsort(lines, count, LINE, compare);
    return count;
}

static void expect_lines(char *text, char (*wanted)[LINE], size_t count) {
    char(*lines)[LINE] = calloc(count + 1, LINE);
    assert_non_null(lines);
    assert_int_equal(sort_lines(text, lines, count + 1), count);
    qsort(wanted, count, LINE, compare);
    for (size_t i = 0; i < count; i++) assert_string_equal(lines[i], wanted[i]);
    free(lines);
    free(text);
}

/* The kernel copies strings that the host cannot read; a pointer of the parameters is one to global memory. */
static void test_strings_of_items(void **state) {
    static const char TEXT[8] = "buffer";
    const size_t items = 2;
    (void)state;
    cl_kernel kernel =
        fixture_kernel(&f,
                       "__kernel void f(__global char *given) {\n"
                       "    __local char shared[4];\n"
                       "    char own[4] = \"own\";\n"
                       "    const int i = get_local_id(0);\n"
                       "    own[0] += i;\n"
                       "    if (i == 0) shared[0] = 's', shared[1] = 0;\n"
                       "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "    if (i == 1) printf(\"%s %.2s|%5s %s %.*s %d\\n\", own, own, shared, given, 3, "
                       "given, i);\n"
                       "}",
                       "f");
    cl_mem buffer = fixture_buffer(&f, sizeof TEXT, TEXT);
    fixture_set_buffer(&f, kernel, 0, buffer);
    char *text = run(kernel, items, items);
    assert_string_equal(text, "pwn pw|    s buffer buf 1\n");
    free(text);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

/* Divergent branches, loops of different lengths, an early return; groups of 512. */
static void test_divergence(void **state) {
    static char wanted[ITEMS * 4][LINE];
    size_t count = 0;
    (void)state;
    cl_kernel kernel = fixture_kernel(&f,
                                      "__kernel void f(void) {\n"
                                      "    const int i = get_global_id(0);\n"
                                      "    if (i % 7 == 3) return;\n"
                                      "    if (i & 1) printf(\"odd %d %.1f\\n\", i, i * 0.5f);\n"
                                      "    else for (int k = 0; k < i % 5; k++) printf(\"even %d: %d\\n\", i, k);\n"
                                      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                      "    if (get_local_id(0) == 0) printf(\"group %d\\n\", (int)get_group_id(0));\n"
                                      "}",
                                      "f");
    for (int i = 0; i < ITEMS; i++) {
        if (i % 7 == 3) continue;
        if (i & 1) snprintf(wanted[count++], LINE, "odd %d %.1f", i, i * 0.5);
        for (int k = 0; (i & 1) == 0 && k < i % 5; k++) snprintf(wanted[count++], LINE, "even %d: %d", i, k);
        if (i % GROUP == 0) snprintf(wanted[count++], LINE, "group %d", i / GROUP);
    }
    expect_lines(run(kernel, ITEMS, GROUP), wanted, count);
    f.cl->clReleaseKernel(kernel);
}

/* A range of three dimensions takes several launches. */
static void test_dimensions(void **state) {
    static char wanted[5 * 4 * 3][LINE];
    const size_t global[3] = {5, 4, 3};
    size_t count = 0;
    (void)state;
    cl_kernel kernel = fixture_kernel(&f,
                                      "__kernel void f(void) { printf(\"%d %d %d\\n\", (int)get_global_id(0),"
                                      " (int)get_global_id(1), (int)get_global_id(2)); }",
                                      "f");
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 5; x++) snprintf(wanted[count++], LINE, "%d %d %d", x, y, z);
    fixture_catch_output();
    enqueue(kernel, 3, global, (size_t[]){1, 1, 1});
    assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
    expect_lines(fixture_caught(), wanted, count);
    f.cl->clReleaseKernel(kernel);
}

/* Threads of a large group have few registers. */
static void test_dense(void **state) {
    static char wanted[GROUP][LINE];
    const float sums[GROUP] = {0};
    (void)state;
    cl_kernel kernel = fixture_kernel(&f,
                                      "__kernel void f(__global float *p) {\n"
                                      "    const int i = get_local_id(0);\n"
                                      "    float v[40], sum = 0;\n"
                                      "    for (int k = 0; k < 40; k++) v[k] = p[(i + k) % 512];\n"
                                      "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                      "    for (int k = 0; k < 40; k++) sum += v[k] * v[39 - k];\n"
                                      "    printf(\"%d %.1f %.1f\\n\", i, sum, v[i % 40]);\n"
                                      "}",
                                      "f");
    cl_mem buffer = fixture_buffer(&f, sizeof sums, sums);
    fixture_set_buffer(&f, kernel, 0, buffer);
    for (int i = 0; i < GROUP; i++) snprintf(wanted[i], LINE, "%d 0.0 0.0", i);
    expect_lines(run(kernel, GROUP, GROUP), wanted, GROUP);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

/* ---- events ---- */

static void test_before_the_event(void **state) {
    const size_t one = 1;
    cl_event event;
    (void)state;
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(void) { printf(\"no end of line\"); }", "f");
    fixture_catch_output();
    assert_int_equal(f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event), CL_SUCCESS);
    assert_int_equal(f.cl->clWaitForEvents(1, &event), CL_SUCCESS);
    char *text = fixture_caught();
    assert_string_equal(text, "no end of line");
    free(text);
    f.cl->clReleaseEvent(event);
    f.cl->clReleaseKernel(kernel);
}

/* A full buffer is empty for the next launch, and calls that did not fit have returned an error. */
static void test_overflow(void **state) {
    enum { CALLS = 40, WORDS = 6 /* of a record: head, sizes, format, three numbers */ };
    static int failed[ITEMS];
    size_t bytes, lines = 0, failures = 0;
    (void)state;
    cl_kernel kernel =
        fixture_kernel(&f,
                       "__kernel void f(__global int *p) {\n"
                       "    const int i = get_global_id(0);\n"
                       "    int failed = 0;\n"
                       "    for (int k = 0; k < 40; k++) failed -= printf(\"%d %d %d\\n\", i, k, i ^ k);\n"
                       "    p[i] = failed;\n"
                       "}",
                       "f");
    cl_mem buffer = fixture_buffer(&f, sizeof failed, NULL);
    fixture_set_buffer(&f, kernel, 0, buffer);
    assert_int_equal(f.cl->clGetDeviceInfo(f.device[0], CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof bytes, &bytes, NULL),
                     CL_SUCCESS);
    assert_int_equal(bytes, 1 << 20);
    for (unsigned turn = 0; turn < 2; turn++) {
        f.told[0] = '\0';
        char *text = run(kernel, ITEMS, GROUP);
        assert_non_null(strstr(f.told, "kernel f: warning: printf: its buffer was full"));
        lines = failures = 0;
        for (const char *at = text; *at != '\0'; lines++) {
            int i, k, x, size = 0;
            assert_int_equal(sscanf(at, "%d %d %d\n%n", &i, &k, &x, &size), 3);
            assert_int_equal(x, i ^ k);
            at += size;
        }
        free(text);
        fixture_read(&f, buffer, failed, sizeof failed);
        for (unsigned i = 0; i < ITEMS; i++) failures += (size_t)failed[i];
        assert_int_equal(lines, (bytes - 4) / 4 / WORDS);
        assert_int_equal(lines + failures, ITEMS * CALLS);
    }
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
    expect("__kernel void f(void) { printf(\"and on\\n\"); }", 1, "and on\n");
}

/* Standard output takes no more. */
static void test_full_disk(void **state) {
    const size_t one = 1;
    (void)state;
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(void) { printf(\"lost\\n\"); }", "f");
    fixture_catch_output();
    const int file = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
    assert_true(file >= 0 && full >= 0 && dup2(full, STDOUT_FILENO) == STDOUT_FILENO);
    close(full);
    enqueue(kernel, 1, &one, NULL);
    const cl_int error = f.cl->clFinish(f.queue);
    __fpurge(stdout);
    clearerr(stdout);
    assert_int_equal(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
    close(file);
    free(fixture_caught());
    assert_int_equal(error, CL_OUT_OF_RESOURCES);
    assert_non_null(strstr(f.told, "cannot write the output of printf"));
    f.cl->clReleaseKernel(kernel);
    expect("__kernel void f(void) { printf(\"and on\\n\"); }", 1, "and on\n");
}

/* A trap leaves the text before it. */
static void test_trap(void **state) {
    const size_t one = 1;
    (void)state;
    cl_kernel kernel = fixture_kernel(&f,
                                      "__kernel void f(__global int *p) {\n"
                                      "    printf(\"before\\n\");\n"
                                      "    *(__global int *)((uint)p + 1) = 1;\n"
                                      "    printf(\"after\\n\");\n"
                                      "}",
                                      "f");
    cl_mem buffer = fixture_buffer(&f, 64, NULL);
    fixture_set_buffer(&f, kernel, 0, buffer);
    fixture_catch_output();
    enqueue(kernel, 1, &one, NULL);
    const cl_int error = f.cl->clFinish(f.queue);
    char *text = fixture_caught();
    assert_int_equal(error, CL_OUT_OF_RESOURCES);
    assert_string_equal(text, "before\n");
    free(text);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
    expect("__kernel void f(void) { printf(\"and on\\n\"); }", 1, "and on\n");
}

/* ---- programs ---- */

static cl_program read_again(cl_program program) {
    size_t size;
    cl_int status, error;
    assert_int_equal(f.cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), CL_SUCCESS);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(f.cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL), CL_SUCCESS);
    f.cl->clReleaseProgram(program);
    program =
        f.cl->clCreateProgramWithBinary(f.context, 1, f.device, &size, (const unsigned char **)&bytes, &status, &error);
    free(bytes);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(f.cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    return program;
}

static void expect_of(cl_program program, const char *wanted) {
    cl_int error;
    cl_kernel kernel = f.cl->clCreateKernel(program, "f", &error);
    assert_int_equal(error, CL_SUCCESS);
    char *text = run(kernel, 1, 0);
    assert_string_equal(text, wanted);
    free(text);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseProgram(program);
}

static void test_binaries(void **state) {
    (void)state;
    expect_of(read_again(fixture_build(&f, "__kernel void f(void) { printf(\"%s %d\\n\", \"binary\", 7); }", NULL)),
              "binary 7\n");
    expect_of(read_again(fixture_build(&f,
                                       "__constant char *__constant names[] = {\"red\", \"green\"};\n"
                                       "__kernel void f(void) { printf(\"%s\\n\", names[get_global_id(0) + 1]); }",
                                       NULL)),
              "green\n");
}

static void test_linking(void **state) {
    static const char *SOURCES[] = {"void say(int n) { printf(\"linked %d\\n\", n); }",
                                    "void say(int n); __kernel void f(void) { say(9); }"};
    cl_program parts[2];
    cl_int error;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        parts[i] = f.cl->clCreateProgramWithSource(f.context, 1, &SOURCES[i], NULL, &error);
        assert_int_equal(error, CL_SUCCESS);
        assert_int_equal(f.cl->clCompileProgram(parts[i], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    }
    cl_program program = f.cl->clLinkProgram(f.context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    for (unsigned i = 0; i < 2; i++) f.cl->clReleaseProgram(parts[i]);
    expect_of(program, "linked 9\n");
}

/* The device has no memory for the buffer. */
static void test_no_room(void **state) {
    cl_mem taken[64];
    unsigned count = 0;
    cl_int error = CL_SUCCESS;
    const size_t one = 1;
    (void)state;
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(void) { printf(\"room\\n\"); }", "f");
    for (; count < 64; count++) {
        taken[count] = f.cl->clCreateBuffer(f.context, 0, 1 << 19, NULL, &error);
        if (error != CL_SUCCESS) break;
    }
    assert_int_equal(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    fixture_catch_output();
    enqueue(kernel, 1, &one, NULL);
    error = f.cl->clFinish(f.queue);
    char *text = fixture_caught();
    assert_int_equal(error, CL_OUT_OF_RESOURCES);
    assert_string_equal(text, "");
    assert_non_null(strstr(f.told, "no room for the print buffer"));
    free(text);
    while (count > 0) f.cl->clReleaseMemObject(taken[--count]);
    text = run(kernel, 1, 0);
    assert_string_equal(text, "room\n");
    free(text);
    f.cl->clReleaseKernel(kernel);
}

/* Two devices print at a time: lines stay whole. */
static void test_two_devices(void **state) {
    enum { TURNS = 8 };
    static char wanted[2 * TURNS * GROUP][LINE];
    const size_t items = GROUP;
    size_t count = 0;
    cl_int error;
    (void)state;
    cl_command_queue other = f.cl->clCreateCommandQueue(f.context, f.device[1], 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_kernel kernel =
        fixture_kernel(&f, "__kernel void f(void) { printf(\"item %d of many\\n\", (int)get_global_id(0)); }", "f");
    fixture_catch_output();
    for (unsigned i = 0; i < 2 * TURNS; i++)
        assert_int_equal(
            f.cl->clEnqueueNDRangeKernel(i % 2 == 0 ? f.queue : other, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
            CL_SUCCESS);
    assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
    assert_int_equal(f.cl->clFinish(other), CL_SUCCESS);
    for (int i = 0; i < 2 * TURNS * GROUP; i++) snprintf(wanted[count++], LINE, "item %d of many", i % GROUP);
    expect_lines(fixture_caught(), wanted, count);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseCommandQueue(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ONE(test_no_room, &f), /* first: there is no buffer yet */
        ON_ONE(test_conversions, &f),      ON_ONE(test_vectors, &f),           ON_ONE(test_formats, &f),
        ON_ONE(test_chosen_formats, &f),   ON_ONE(test_strings_in_memory, &f), ON_ONE(test_strings_of_items, &f),
        ON_ONE(test_divergence, &f),       ON_ONE(test_dimensions, &f),        ON_ONE(test_dense, &f),
        ON_ONE(test_before_the_event, &f), ON_ONE(test_overflow, &f),          ON_ONE(test_trap, &f),
        ON_ONE(test_full_disk, &f),        ON_ONE(test_binaries, &f),          ON_ONE(test_linking, &f),
        ON_TWO(test_two_devices, &f),
    };
    fixture_open(&f, "model:16M,model:16M");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
