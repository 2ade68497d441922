/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of the runtime fails once: calls say so, nothing is left behind, and the next attempt is as the
 * first. Compiling has such a test of its own. */
// link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
// link: -Wl,--wrap=fopen,--wrap=fdopen,--wrap=fmemopen
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../testbench/robust/test/fail_alloc.h"
#include "opencl/fixture.h"

enum { COUNT = 64, BYTES = COUNT * sizeof(int), DEVICE_BYTES = 16 << 20, PRINTED_BYTES = 1 << 20 };

static struct fixture f;
static unsigned char *binary;
static size_t binary_size;

/* All that an application may have; NULL: it was not to be had. */
struct application {
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer, part;
    cl_program program;
    cl_kernel kernel;
    cl_event gate, event;
    cl_int error; /* the first */
};

static bool is_good(struct application *a, cl_int error) {
    if (a->error == CL_SUCCESS) a->error = error;
    return error == CL_SUCCESS;
}

static bool make_objects(struct application *a) {
    const cl_buffer_region region = {128, 64};
    const int zeros[COUNT] = {0};
    cl_int error, status;
    a->context = f.cl->clCreateContext(NULL, 2, f.device, NULL, NULL, &error);
    if (!is_good(a, error)) return false;
    a->queue = f.cl->clCreateCommandQueue(a->context, f.device[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (!is_good(a, error)) return false;
    a->buffer = f.cl->clCreateBuffer(a->context, CL_MEM_COPY_HOST_PTR, BYTES, (void *)zeros, &error);
    if (!is_good(a, error)) return false;
    a->part = f.cl->clCreateSubBuffer(a->buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    if (!is_good(a, error)) return false;
    a->program = f.cl->clCreateProgramWithBinary(a->context, 1, f.device, &binary_size, (const unsigned char **)&binary,
                                                 &status, &error);
    if (!is_good(a, error) || !is_good(a, f.cl->clBuildProgram(a->program, 0, NULL, "-w", NULL, NULL))) return false;
    a->kernel = f.cl->clCreateKernel(a->program, "f", &error);
    if (!is_good(a, error)) return false;
    a->gate = f.cl->clCreateUserEvent(a->context, &error);
    return is_good(a, error);
}

static void CL_CALLBACK ignore(cl_event event, cl_int status, void *data) { (void)event, (void)status, (void)data; }

/* An unmapping that was refused leaves the bytes where they are, for another. */
static void check_still_mapped(const struct application *a, int *mapped) {
    int number = 0;
    mapped[1] = 200;
    assert_int_equal(f.cl->clEnqueueUnmapMemObject(a->queue, a->part, mapped, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(f.cl->clFinish(a->queue), CL_SUCCESS);
    assert_int_equal(f.cl->clEnqueueReadBuffer(a->queue, a->part, CL_TRUE, 4, 4, &number, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(number, 200);
}

/* A launch that waits for the gate, a barrier, a mapping; and what came of it. */
static bool run_commands(struct application *a) {
    const size_t size = COUNT;
    const int three = 3;
    int numbers[COUNT];
    cl_int error;
    if (!is_good(a, f.cl->clSetKernelArg(a->kernel, 0, sizeof(cl_mem), &a->buffer))) return false;
    if (!is_good(a, f.cl->clEnqueueNDRangeKernel(a->queue, a->kernel, 1, NULL, &size, NULL, 1, &a->gate, &a->event)))
        return false;
    if (!is_good(a, f.cl->clSetEventCallback(a->event, CL_COMPLETE, ignore, NULL))) return false;
    if (!is_good(a, f.cl->clEnqueueBarrierWithWaitList(a->queue, 0, NULL, NULL))) return false;
    if (!is_good(a, f.cl->clSetUserEventStatus(a->gate, CL_COMPLETE))) return false;
    if (!is_good(a, f.cl->clWaitForEvents(1, &a->event))) return false;
    int *mapped =
        f.cl->clEnqueueMapBuffer(a->queue, a->part, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &error);
    if (!is_good(a, error)) return false;
    assert_int_equal(mapped[0], 32);
    mapped[0] = 100;
    if (!is_good(a, f.cl->clEnqueueUnmapMemObject(a->queue, a->part, mapped, 0, NULL, NULL))) {
        check_still_mapped(a, mapped);
        return false;
    }
    if (!is_good(a, f.cl->clEnqueueBarrier(a->queue))) return false;
    if (!is_good(a, f.cl->clEnqueueFillBuffer(a->queue, a->buffer, &three, 4, 0, 8, 0, NULL, NULL))) return false;
    if (!is_good(a, f.cl->clEnqueueBarrier(a->queue))) return false;
    if (!is_good(a, f.cl->clEnqueueReadBuffer(a->queue, a->buffer, CL_TRUE, 0, BYTES, numbers, 0, NULL, NULL)))
        return false;
    if (!is_good(a, f.cl->clFinish(a->queue))) return false;
    for (int i = 0; i < COUNT; i++) assert_int_equal(numbers[i], i < 2 ? 3 : i == 32 ? 100 : i);
    return true;
}

static void release(struct application *a) {
    if (a->gate != NULL) f.cl->clSetUserEventStatus(a->gate, CL_COMPLETE);
    if (a->queue != NULL) f.cl->clFinish(a->queue);
    if (a->event != NULL) assert_int_equal(f.cl->clReleaseEvent(a->event), CL_SUCCESS);
    if (a->gate != NULL) assert_int_equal(f.cl->clReleaseEvent(a->gate), CL_SUCCESS);
    if (a->kernel != NULL) assert_int_equal(f.cl->clReleaseKernel(a->kernel), CL_SUCCESS);
    if (a->program != NULL) assert_int_equal(f.cl->clReleaseProgram(a->program), CL_SUCCESS);
    if (a->part != NULL) assert_int_equal(f.cl->clReleaseMemObject(a->part), CL_SUCCESS);
    if (a->buffer != NULL) assert_int_equal(f.cl->clReleaseMemObject(a->buffer), CL_SUCCESS);
    if (a->queue != NULL) assert_int_equal(f.cl->clReleaseCommandQueue(a->queue), CL_SUCCESS);
    if (a->context != NULL) assert_int_equal(f.cl->clReleaseContext(a->context), CL_SUCCESS);
}

/* The whole memory of the device can be had, but for the buffer of printf: nobody has any. */
static void check_memory(void) {
    cl_int error;
    cl_context context = f.cl->clCreateContext(NULL, 1, f.device, NULL, NULL, &error);
    cl_mem large[2];
    for (unsigned i = 0; i < 2; i++) {
        large[i] = f.cl->clCreateBuffer(context, 0, (DEVICE_BYTES - PRINTED_BYTES) / 2 - 512, NULL, &error);
        assert_int_equal(error, CL_SUCCESS);
    }
    for (unsigned i = 0; i < 2; i++) f.cl->clReleaseMemObject(large[i]);
    f.cl->clReleaseContext(context);
}

static void test_each_once(void **state) {
    bool failed = true;
    unsigned long k = 1;
    (void)state;
    for (; failed; k++) {
        struct application a = {0};
        fail_alloc_arm(k, FAIL_ONCE);
        const bool done = make_objects(&a) && run_commands(&a);
        failed = fail_alloc_disarm();
        if (!failed) assert_int_equal(a.error, CL_SUCCESS);
        if (done == (a.error != CL_SUCCESS)) fail_msg("allocation %lu: error %d, and yet done", k, a.error);
        if (a.error != CL_SUCCESS && a.error != CL_OUT_OF_HOST_MEMORY && a.error != CL_OUT_OF_RESOURCES &&
            a.error != CL_MEM_OBJECT_ALLOCATION_FAILURE && a.error != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
            fail_msg("allocation %lu: error %d", k, a.error);
        release(&a);
        check_memory();
    }
    assert_in_range(k, 50, 1000000);
}

/* Builds the binary that all tests load. */
static void make_binary(void) {
    fixture_open_context(&f, 1);
    cl_program program = fixture_build(
        &f, "__kernel void f(__global int *p) { p[get_global_id(0)] = get_global_id(0); printf(\"\"); }", NULL);
    f.cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof binary_size, &binary_size, NULL);
    binary = malloc(binary_size);
    f.cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    f.cl->clReleaseProgram(program);
    fixture_close_context(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_once)};
    fixture_open(&f, "model:16M,model:16M");
    make_binary();
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    free(binary);
    return failures;
}
