/* SPDX-License-Identifier: Apache-2.0 */
/* The driver as programs find it: by the loader of OpenCL, where that is there, and a file that names the driver. */
#include <dlfcn.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cl.h"

/* A call of the loader's. */
#define CALL(name) ((__typeof__(name) *)find(#name))

static void *library;

typedef void function(void);

/* POSIX says that both kinds of pointers look alike; ISO C has no conversion. */
static function *find(const char *name) {
    void *address = dlsym(library, name);
    function *found = NULL;
    if (address == NULL) fail_msg("the loader has no %s", name);
    memcpy(&found, &address, sizeof found);
    return found;
}

static void test_loader(void **state) {
    char directory[PATH_MAX], text[64];
    const int numbers[4] = {1, 2, 3, 4};
    int got[4] = {0};
    const size_t size = 4;
    const char *source = "__kernel void f(__global int *p) { p[get_global_id(0)] *= 5; }";
    cl_platform_id platform;
    cl_device_id device;
    cl_uint count;
    cl_int error;
    (void)state;
    library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (library == NULL) skip();
    assert_non_null(realpath("build/opencl", directory));
    setenv("OCL_ICD_VENDORS", directory, 1);
    unsetenv("WARPSTEP_DEVICES");
    assert_int_equal(CALL(clGetPlatformIDs)(1, &platform, &count), CL_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(CALL(clGetPlatformInfo)(platform, CL_PLATFORM_NAME, sizeof text, text, NULL), CL_SUCCESS);
    assert_string_equal(text, "Warpstep");
    assert_int_equal(CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), CL_SUCCESS);
    cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_command_queue queue = CALL(clCreateCommandQueueWithProperties)(context, device, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_mem buffer = CALL(clCreateBuffer)(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, (void *)numbers, &error);
    cl_program program = CALL(clCreateProgramWithSource)(context, 1, &source, NULL, &error);
    assert_int_equal(CALL(clBuildProgram)(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = CALL(clCreateKernel)(program, "f", &error);
    assert_int_equal(CALL(clSetKernelArg)(kernel, 0, sizeof(cl_mem), &buffer), CL_SUCCESS);
    assert_int_equal(CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(CALL(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < 4; i++) assert_int_equal(got[i], 5 * numbers[i]);
    assert_int_equal(CALL(clReleaseKernel)(kernel), CL_SUCCESS);
    assert_int_equal(CALL(clReleaseProgram)(program), CL_SUCCESS);
    assert_int_equal(CALL(clReleaseMemObject)(buffer), CL_SUCCESS);
    assert_int_equal(CALL(clReleaseCommandQueue)(queue), CL_SUCCESS);
    assert_int_equal(CALL(clReleaseContext)(context), CL_SUCCESS);
    assert_int_equal(CALL(clReleaseContext)(context), CL_INVALID_CONTEXT); /* the loader reads what is gone */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loader)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
