/* SPDX-License-Identifier: Apache-2.0 */
/* A board as a device of OpenCL, beside the model; and the board goes away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../cmodel/test/terminal.h"
#include "../../loader/test/fake_board.h"
#include "opencl/fixture.h"

enum { COUNT = 64, BYTES = COUNT * sizeof(int) };

static struct fixture f;

static cl_int run(cl_command_queue queue, cl_kernel kernel, cl_event *event) {
    const size_t size = COUNT;
    return f.cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, event);
}

static cl_int status_of(cl_event event) {
    cl_int status = 1;
    f.cl->clWaitForEvents(1, &event);
    f.cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    f.cl->clReleaseEvent(event);
    return status;
}

/* More warps than the buffer has room for at a time: several launches. Twice: the buffer is empty again. */
static void check_printing(void) {
    enum { ITEMS = 1024, LINES = 4 };
    const size_t items = ITEMS, group = 32;
    cl_kernel kernel = fixture_kernel(&f,
                                      "__kernel void f(void) {\n"
                                      "    for (int k = 0; k < 4; k++)\n"
                                      "        printf(\"%s %d\\n\", \"item\", 1000 + 4 * (int)get_global_id(0) + k);\n"
                                      "}",
                                      "f");
    for (unsigned turn = 0; turn < 2; turn++) {
        bool seen[ITEMS * LINES] = {false};
        unsigned count = 0;
        fixture_catch_output();
        assert_int_equal(f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
                         CL_SUCCESS);
        const cl_int error = f.cl->clFinish(f.queue);
        char *text = fixture_caught();
        assert_int_equal(error, CL_SUCCESS);
        for (const char *at = text; *at != '\0'; count++) {
            int size = 0;
            unsigned number = 0;
            assert_int_equal(sscanf(at, "item %u\n%n", &number, &size), 1);
            assert_true(number - 1000 < ITEMS * LINES && !seen[number - 1000]);
            seen[number - 1000] = true;
            at += size;
        }
        assert_int_equal(count, ITEMS * LINES);
        free(text);
    }
    f.cl->clReleaseKernel(kernel);
}

static void test_board_that_goes(void **state) {
    static const struct fake_options BOARD = {.sim = NULL};
    char devices[128];
    int numbers[COUNT], got[COUNT];
    cl_event event;
    cl_int error;
    cl_bool is_available = CL_TRUE;
    (void)state;
    if (!terminals_exist()) skip();
    struct fake_board *board = fake_board_start(&BOARD);
    snprintf(devices, sizeof devices, "board:%.80s,model:16M", fake_board_port(board));
    fixture_open(&f, devices);
    fixture_open_context(&f, 2);
    cl_command_queue other = f.cl->clCreateCommandQueue(f.context, f.device[1], 0, &error);
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(__global int *p) { p[get_global_id(0)] += 1; }", "f");
    for (int i = 0; i < COUNT; i++) numbers[i] = 10 * i;
    cl_mem buffer = fixture_buffer(&f, BYTES, numbers);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), CL_SUCCESS);
    /* On the board, on the model, on the board again. */
    for (int i = 0; i < 3; i++) {
        cl_command_queue queue = i == 1 ? other : f.queue;
        assert_int_equal(run(queue, kernel, NULL), CL_SUCCESS);
        assert_int_equal(f.cl->clFinish(queue), CL_SUCCESS);
    }
    fixture_read(&f, buffer, got, BYTES);
    for (int i = 0; i < COUNT; i++) assert_int_equal(got[i], 10 * i + 3);
    check_printing();
    fake_board_stop(board);
    assert_int_equal(run(f.queue, kernel, &event), CL_SUCCESS);
    assert_true(status_of(event) < 0);
    assert_int_equal(run(f.queue, kernel, &event), CL_SUCCESS);
    assert_int_equal(status_of(event), CL_DEVICE_NOT_AVAILABLE);
    f.cl->clGetDeviceInfo(f.device[0], CL_DEVICE_AVAILABLE, sizeof is_available, &is_available, NULL);
    assert_int_equal(is_available, CL_FALSE);
    /* The rest of the context goes on, with what the application has. */
    assert_int_equal(f.cl->clEnqueueWriteBuffer(other, buffer, CL_TRUE, 0, BYTES, numbers, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(run(other, kernel, NULL), CL_SUCCESS);
    assert_int_equal(f.cl->clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, BYTES, got, 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < COUNT; i++) assert_int_equal(got[i], 10 * i + 1);
    cl_mem another = fixture_buffer(&f, BYTES, numbers);
    assert_int_equal(f.cl->clEnqueueReadBuffer(other, another, CL_TRUE, 0, BYTES, got, 0, NULL, NULL), CL_SUCCESS);
    assert_memory_equal(got, numbers, BYTES);
    assert_int_equal(f.cl->clEnqueueReadBuffer(f.queue, another, CL_TRUE, 0, BYTES, got, 0, NULL, NULL),
                     CL_DEVICE_NOT_AVAILABLE);
    f.cl->clReleaseMemObject(another);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
    f.cl->clReleaseCommandQueue(other);
    fixture_close_context(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_board_that_goes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
