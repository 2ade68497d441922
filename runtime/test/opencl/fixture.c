/* SPDX-License-Identifier: Apache-2.0 */
/* A context for tests, see fixture.h. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The start of each handle of this library. */
struct table {
    const struct _cl_icd_dispatch *dispatch;
};

static void CL_CALLBACK take_note(const char *text, const void *data, size_t size, void *fixture) {
    struct fixture *f = fixture;
    (void)data, (void)size;
    snprintf(f->told, sizeof f->told, "%s", text);
}

void fixture_open(struct fixture *f, const char *devices) {
    cl_uint count = 0;
    *f = (struct fixture){0};
    setenv("WARPSTEP_DEVICES", devices, 1);
    assert_int_equal(clIcdGetPlatformIDsKHR(1, &f->platform, &count), CL_SUCCESS);
    assert_int_equal(count, 1);
    f->cl = ((const struct table *)f->platform)->dispatch;
    assert_int_equal(f->cl->clGetDeviceIDs(f->platform, CL_DEVICE_TYPE_ALL, 2, f->device, &count), CL_SUCCESS);
    assert_int_equal(count, 2);
}

void fixture_open_context(struct fixture *f, unsigned device_count) {
    cl_int error;
    f->context = f->cl->clCreateContext(NULL, device_count, f->device, take_note, f, &error);
    assert_int_equal(error, CL_SUCCESS);
    f->queue = f->cl->clCreateCommandQueue(f->context, f->device[0], CL_QUEUE_PROFILING_ENABLE, &error);
    assert_int_equal(error, CL_SUCCESS);
}

/* Nothing else may hold them. */
void fixture_close_context(struct fixture *f) {
    assert_int_equal(f->cl->clFinish(f->queue), CL_SUCCESS);
    assert_int_equal(f->cl->clReleaseCommandQueue(f->queue), CL_SUCCESS);
    assert_int_equal(f->cl->clReleaseCommandQueue(f->queue), CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(f->cl->clReleaseContext(f->context), CL_SUCCESS);
    assert_int_equal(f->cl->clRetainContext(f->context), CL_INVALID_CONTEXT);
}

int fixture_set_up_one(void **state) {
    fixture_open_context(*state, 1);
    return 0;
}

int fixture_set_up_two(void **state) {
    fixture_open_context(*state, 2);
    return 0;
}

int fixture_tear_down(void **state) {
    fixture_close_context(*state);
    return 0;
}

cl_program fixture_program(struct fixture *f, const char *source) {
    cl_int error;
    cl_program program = f->cl->clCreateProgramWithSource(f->context, 1, &source, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    return program;
}

void fixture_log(struct fixture *f, cl_program program, char *log, size_t size) {
    assert_int_equal(f->cl->clGetProgramBuildInfo(program, f->device[0], CL_PROGRAM_BUILD_LOG, size, log, NULL),
                     CL_SUCCESS);
}

cl_program fixture_build(struct fixture *f, const char *source, const char *options) {
    cl_program program = fixture_program(f, source);
    const cl_int error = f->cl->clBuildProgram(program, 0, NULL, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        char log[4096] = "";
        fixture_log(f, program, log, sizeof log);
        fprintf(stderr, "%s\n", log);
    }
    assert_int_equal(error, CL_SUCCESS);
    return program;
}

cl_kernel fixture_kernel(struct fixture *f, const char *source, const char *name) {
    cl_int error;
    cl_program program = fixture_build(f, source, NULL);
    cl_kernel kernel = f->cl->clCreateKernel(program, name, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(f->cl->clReleaseProgram(program), CL_SUCCESS);
    return kernel;
}

void fixture_set_buffer(struct fixture *f, cl_kernel kernel, cl_uint number, cl_mem buffer) {
    assert_int_equal(f->cl->clSetKernelArg(kernel, number, sizeof(cl_mem), &buffer), CL_SUCCESS);
}

cl_int fixture_enqueue(struct fixture *f, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                       const size_t *global, const size_t *local) {
    return f->cl->clEnqueueNDRangeKernel(f->queue, kernel, dimensions, offset, global, local, 0, NULL, NULL);
}

cl_mem fixture_buffer(struct fixture *f, size_t size, const void *bytes) {
    cl_int error;
    cl_mem buffer =
        f->cl->clCreateBuffer(f->context, bytes != NULL ? CL_MEM_COPY_HOST_PTR : 0, size, (void *)bytes, &error);
    assert_int_equal(error, CL_SUCCESS);
    return buffer;
}

void fixture_read(struct fixture *f, cl_mem buffer, void *bytes, size_t size) {
    assert_int_equal(f->cl->clEnqueueReadBuffer(f->queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL), CL_SUCCESS);
}

/* The real one is kept as this descriptor. */
enum { KEPT = 100 };

void fixture_catch_output(void) {
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stdout);
    assert_true(dup2(STDOUT_FILENO, KEPT) == KEPT && dup2(fileno(file), STDOUT_FILENO) == STDOUT_FILENO);
    fclose(file);
}

char *fixture_caught(void) {
    const off_t size = lseek(STDOUT_FILENO, 0, SEEK_END);
    char *text = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
    const bool read = text != NULL && pread(STDOUT_FILENO, text, (size_t)size, 0) == size;
    assert_int_equal(dup2(KEPT, STDOUT_FILENO), STDOUT_FILENO);
    close(KEPT);
    assert_true(read);
    return text;
}
