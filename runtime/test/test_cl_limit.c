/* SPDX-License-Identifier: Apache-2.0 */
/* WARPSTEP_LIMIT through OpenCL: it ends kernels that no detector of loops ends, and the context goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "opencl/fixture.h"

/* Returns the status of a kernel of one work item; its argument is the buffer. */
static cl_int end_of(struct fixture *f, cl_program program, const char *name, cl_mem buffer) {
    const size_t one = 1;
    cl_int error, status;
    cl_event event;
    cl_kernel kernel = f->cl->clCreateKernel(program, name, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(f->cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), CL_SUCCESS);
    assert_int_equal(f->cl->clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event), CL_SUCCESS);
    error = f->cl->clWaitForEvents(1, &event);
    f->cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    assert_int_equal(error, status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS);
    f->cl->clReleaseEvent(event);
    f->cl->clReleaseKernel(kernel);
    return status;
}

static void test_endless(void **state) {
    struct fixture f;
    char log[4096];
    cl_int got = 0;
    (void)state;
    setenv("WARPSTEP_LIMIT", "100000", 1);
    fixture_open(&f, "model:16M,model:16M");
    fixture_open_context(&f, 1);
    cl_program program = fixture_build(&f,
                                       "__kernel void endless(volatile __global int *p) { for (;;) p[0]++; }\n"
                                       "__kernel void long_one(volatile __global int *p) {\n"
                                       "    for (p[0] = 0; p[0] < 1000;) p[0]++;\n"
                                       "}",
                                       NULL);
    cl_mem buffer = fixture_buffer(&f, sizeof got, &got);
    for (int i = 0; i < 2; i++) {
        f.told[0] = '\0';
        assert_int_equal(end_of(&f, program, "endless", buffer), CL_OUT_OF_RESOURCES);
        if (strstr(f.told, "after 100000 warp instructions") == NULL) fail_msg("'%s' names no limit", f.told);
        assert_int_equal(f.cl->clGetProgramBuildInfo(program, f.device[0], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL),
                         CL_SUCCESS);
        if (strstr(log, f.told) == NULL) fail_msg("the build log lacks '%s'", f.told);
        assert_int_equal(end_of(&f, program, "long_one", buffer), CL_COMPLETE);
        fixture_read(&f, buffer, &got, sizeof got);
        assert_int_equal(got, 1000);
    }
    f.cl->clReleaseMemObject(buffer);
    f.cl->clReleaseProgram(program);
    fixture_close_context(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_endless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
