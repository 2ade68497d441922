/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as no program should make them: each gets the error that the standard names. */
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
static const struct _cl_icd_dispatch *cl;

#define IS(error, call) assert_int_equal(call, error)
/* A call that makes something. */
#define MAKES_NOTHING(error, call)     \
    do {                               \
        cl_int code = 12345;           \
        cl_int *const place = &code;   \
        assert_null(call);             \
        assert_int_equal(code, error); \
    } while (0)

/* Pointers that are no object: NULL, memory of another kind, a place inside of an object. */
struct strangers {
    uintptr_t zeros[8];
    void *list[3];
};

static void find_strangers(struct strangers *s) {
    *s = (struct strangers){0};
    s->list[1] = s->zeros;
    s->list[2] = (char *)f.context + 8;
}

static void test_strangers(void **state) {
    const size_t one = 1;
    struct strangers s;
    cl_uint count;
    (void)state;
    find_strangers(&s);
    for (unsigned i = 0; i < 3; i++) {
        void *x = s.list[i];
        if (x != NULL) IS(CL_INVALID_PLATFORM, cl->clGetPlatformInfo(x, CL_PLATFORM_NAME, 0, NULL, NULL));
        if (x != NULL) IS(CL_INVALID_PLATFORM, cl->clGetDeviceIDs(x, CL_DEVICE_TYPE_ALL, 0, NULL, &count));
        IS(CL_INVALID_DEVICE, cl->clGetDeviceInfo(x, CL_DEVICE_NAME, 0, NULL, NULL));
        IS(CL_INVALID_DEVICE, cl->clRetainDevice(x));
        IS(CL_INVALID_DEVICE, cl->clReleaseDevice(x));
        IS(CL_INVALID_DEVICE, cl->clCreateSubDevices(x, NULL, 0, NULL, NULL));
        IS(CL_INVALID_CONTEXT, cl->clRetainContext(x));
        IS(CL_INVALID_CONTEXT, cl->clReleaseContext(x));
        IS(CL_INVALID_CONTEXT, cl->clGetContextInfo(x, CL_CONTEXT_DEVICES, 0, NULL, NULL));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clRetainCommandQueue(x));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clReleaseCommandQueue(x));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clGetCommandQueueInfo(x, CL_QUEUE_CONTEXT, 0, NULL, NULL));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clFlush(x));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clFinish(x));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueBarrier(x));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueMarker(x, NULL));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueMarkerWithWaitList(x, 0, NULL, NULL));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueBarrierWithWaitList(x, 0, NULL, NULL));
        IS(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueNativeKernel(x, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
        IS(CL_INVALID_MEM_OBJECT, cl->clRetainMemObject(x));
        IS(CL_INVALID_MEM_OBJECT, cl->clReleaseMemObject(x));
        IS(CL_INVALID_MEM_OBJECT, cl->clGetMemObjectInfo(x, CL_MEM_SIZE, 0, NULL, NULL));
        IS(CL_INVALID_MEM_OBJECT, cl->clSetMemObjectDestructorCallback(x, NULL, NULL));
        IS(CL_INVALID_MEM_OBJECT, cl->clEnqueueReadBuffer(f.queue, x, CL_TRUE, 0, 1, &count, 0, NULL, NULL));
        IS(CL_INVALID_MEM_OBJECT, cl->clEnqueueUnmapMemObject(f.queue, x, &count, 0, NULL, NULL));
        IS(CL_INVALID_PROGRAM, cl->clRetainProgram(x));
        IS(CL_INVALID_PROGRAM, cl->clReleaseProgram(x));
        IS(CL_INVALID_PROGRAM, cl->clBuildProgram(x, 0, NULL, NULL, NULL, NULL));
        IS(CL_INVALID_PROGRAM, cl->clCompileProgram(x, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
        IS(CL_INVALID_PROGRAM, cl->clGetProgramInfo(x, CL_PROGRAM_CONTEXT, 0, NULL, NULL));
        IS(CL_INVALID_PROGRAM, cl->clGetProgramBuildInfo(x, f.device[0], CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
        IS(CL_INVALID_PROGRAM, cl->clCreateKernelsInProgram(x, 0, NULL, &count));
        IS(CL_INVALID_KERNEL, cl->clRetainKernel(x));
        IS(CL_INVALID_KERNEL, cl->clReleaseKernel(x));
        IS(CL_INVALID_KERNEL, cl->clSetKernelArg(x, 0, 4, &count));
        IS(CL_INVALID_KERNEL, cl->clGetKernelInfo(x, CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
        IS(CL_INVALID_KERNEL, cl->clGetKernelArgInfo(x, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
        IS(CL_INVALID_KERNEL, cl->clGetKernelWorkGroupInfo(x, NULL, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
        IS(CL_INVALID_KERNEL, cl->clEnqueueNDRangeKernel(f.queue, x, 1, NULL, &one, NULL, 0, NULL, NULL));
        IS(CL_INVALID_KERNEL, cl->clEnqueueTask(f.queue, x, 0, NULL, NULL));
        IS(CL_INVALID_EVENT, cl->clRetainEvent(x));
        IS(CL_INVALID_EVENT, cl->clReleaseEvent(x));
        IS(CL_INVALID_EVENT, cl->clGetEventInfo(x, CL_EVENT_CONTEXT, 0, NULL, NULL));
        IS(CL_INVALID_EVENT, cl->clSetUserEventStatus(x, CL_COMPLETE));
        IS(CL_INVALID_EVENT, cl->clSetEventCallback(x, CL_COMPLETE, NULL, NULL));
        IS(CL_INVALID_EVENT, cl->clWaitForEvents(1, (cl_event *)&x));
        IS(CL_INVALID_EVENT_WAIT_LIST, cl->clEnqueueMarkerWithWaitList(f.queue, 1, (cl_event *)&x, NULL));
        IS(CL_INVALID_SAMPLER, cl->clRetainSampler(x));
        MAKES_NOTHING(CL_INVALID_CONTEXT, cl->clCreateBuffer(x, 0, 4, NULL, place));
        MAKES_NOTHING(CL_INVALID_CONTEXT, cl->clCreateCommandQueue(x, f.device[0], 0, place));
        MAKES_NOTHING(CL_INVALID_DEVICE, cl->clCreateCommandQueue(f.context, x, 0, place));
        MAKES_NOTHING(CL_INVALID_CONTEXT, cl->clCreateUserEvent(x, place));
        MAKES_NOTHING(CL_INVALID_CONTEXT, cl->clCreateProgramWithSource(x, 1, (const char *[]){""}, NULL, place));
        MAKES_NOTHING(CL_INVALID_PROGRAM, cl->clCreateKernel(x, "f", place));
        MAKES_NOTHING(CL_INVALID_CONTEXT, cl->clLinkProgram(x, 0, NULL, NULL, 0, NULL, NULL, NULL, place));
        MAKES_NOTHING(CL_INVALID_DEVICE, cl->clCreateContext(NULL, 1, (cl_device_id *)&x, NULL, NULL, place));
        MAKES_NOTHING(CL_INVALID_MEM_OBJECT, cl->clCreateSubBuffer(x, 0, 0, NULL, place));
        MAKES_NOTHING(CL_INVALID_COMMAND_QUEUE,
                      cl->clEnqueueMapBuffer(x, NULL, CL_TRUE, CL_MAP_READ, 0, 1, 0, NULL, NULL, place));
    }
    IS(CL_INVALID_CONTEXT, cl->clReleaseContext((cl_context)f.queue)); /* an object of another kind */
}

static void test_platform(void **state) {
    cl_platform_id platform;
    cl_device_id device;
    cl_uint count;
    char text[4];
    size_t printed = 0;
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)f.platform, CL_CONTEXT_PLATFORM,
                                           (cl_context_properties)f.platform, 0},
                                unknown[] = {12345, 0, 0}, null[] = {CL_CONTEXT_PLATFORM, 0, 0};
    (void)state;
    IS(CL_INVALID_VALUE, cl->clGetPlatformIDs(0, &platform, NULL));
    IS(CL_INVALID_VALUE, cl->clGetPlatformIDs(0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetPlatformInfo(f.platform, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetPlatformInfo(f.platform, CL_PLATFORM_NAME, sizeof text, text, NULL));
    IS(CL_INVALID_DEVICE_TYPE, cl->clGetDeviceIDs(f.platform, 0, 1, &device, NULL));
    IS(CL_INVALID_DEVICE_TYPE, cl->clGetDeviceIDs(f.platform, (cl_device_type)1 << 40, 1, &device, NULL));
    IS(CL_DEVICE_NOT_FOUND, cl->clGetDeviceIDs(f.platform, CL_DEVICE_TYPE_CPU, 1, &device, &count));
    IS(CL_INVALID_VALUE, cl->clGetDeviceIDs(f.platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL));
    IS(CL_INVALID_VALUE, cl->clGetDeviceIDs(f.platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetDeviceInfo(f.device[0], 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetDeviceInfo(f.device[0], CL_DEVICE_NAME, sizeof text, text, NULL));
    IS(CL_SUCCESS, cl->clGetDeviceInfo(f.device[0], CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof printed, &printed, NULL));
    assert_int_equal(printed, 1 << 20);
    IS(CL_INVALID_VALUE, cl->clCreateSubDevices(f.device[0], NULL, 0, NULL, NULL));
    MAKES_NOTHING(CL_INVALID_PROPERTY, cl->clCreateContext(twice, 1, f.device, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_PROPERTY, cl->clCreateContext(unknown, 1, f.device, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_PLATFORM, cl->clCreateContext(null, 1, f.device, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateContext(NULL, 0, f.device, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateContext(NULL, 1, NULL, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateContext(NULL, 1, f.device, NULL, &count, place));
    MAKES_NOTHING(CL_DEVICE_NOT_FOUND, cl->clCreateContextFromType(NULL, CL_DEVICE_TYPE_CPU, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_DEVICE_TYPE, cl->clCreateContextFromType(NULL, 0, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateCommandQueue(f.context, f.device[0], 1 << 20, place));
    MAKES_NOTHING(CL_INVALID_DEVICE, cl->clCreateCommandQueue(f.context, f.device[1], 0, place)); /* not in it */
}

static void test_buffers(void **state) {
    char bytes[64] = "";
    const size_t zero[3] = {0, 0, 0}, box[3] = {8, 2, 1}, empty[3] = {8, 0, 1};
    cl_int error;
    (void)state;
    MAKES_NOTHING(CL_INVALID_BUFFER_SIZE, cl->clCreateBuffer(f.context, 0, 0, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateBuffer(f.context, (cl_mem_flags)1 << 40, 4, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE,
                  cl->clCreateBuffer(f.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE,
                  cl->clCreateBuffer(f.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, bytes, place));
    MAKES_NOTHING(CL_INVALID_HOST_PTR, cl->clCreateBuffer(f.context, CL_MEM_COPY_HOST_PTR, 4, NULL, place));
    MAKES_NOTHING(CL_INVALID_HOST_PTR, cl->clCreateBuffer(f.context, 0, 4, bytes, place));
    cl_mem buffer = fixture_buffer(&f, 64, bytes);
    IS(CL_INVALID_VALUE, cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 60, 5, bytes, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, SIZE_MAX, 2, bytes, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 0, bytes, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueWriteBuffer(f.queue, buffer, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueCopyBuffer(f.queue, buffer, buffer, 0, 63, 2, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueFillBuffer(f.queue, buffer, bytes, 3, 0, 6, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueFillBuffer(f.queue, buffer, bytes, 4, 2, 8, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueFillBuffer(f.queue, buffer, bytes, 4, 0, 6, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueFillBuffer(f.queue, buffer, NULL, 4, 0, 8, 0, NULL, NULL));
    IS(CL_INVALID_VALUE,
       cl->clEnqueueReadBufferRect(f.queue, buffer, CL_TRUE, zero, zero, box, 7, 0, 0, 0, bytes, 0, NULL, NULL));
    IS(CL_INVALID_VALUE,
       cl->clEnqueueReadBufferRect(f.queue, buffer, CL_TRUE, zero, zero, box, 60, 0, 0, 0, bytes, 0, NULL, NULL));
    IS(CL_INVALID_VALUE,
       cl->clEnqueueReadBufferRect(f.queue, buffer, CL_TRUE, zero, zero, empty, 0, 0, 0, 0, bytes, 0, NULL, NULL));
    IS(CL_INVALID_VALUE,
       cl->clEnqueueReadBufferRect(f.queue, buffer, CL_TRUE, NULL, zero, box, 0, 0, 0, 0, bytes, 0, NULL, NULL));
    MAKES_NOTHING(CL_INVALID_VALUE,
                  cl->clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, CL_MAP_READ, 60, 5, 0, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE,
                  cl->clEnqueueMapBuffer(f.queue, buffer, CL_TRUE, 1 << 20, 0, 5, 0, NULL, NULL, place));
    IS(CL_INVALID_VALUE, cl->clEnqueueUnmapMemObject(f.queue, buffer, bytes, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clEnqueueMigrateMemObjects(f.queue, 0, NULL, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetMemObjectInfo(buffer, CL_MEM_SIZE, 1, bytes, NULL));
    cl_mem closed = cl->clCreateBuffer(f.context, CL_MEM_HOST_NO_ACCESS, 64, NULL, &error);
    IS(CL_INVALID_OPERATION, cl->clEnqueueReadBuffer(f.queue, closed, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    IS(CL_INVALID_OPERATION, cl->clEnqueueWriteBuffer(f.queue, closed, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    MAKES_NOTHING(CL_INVALID_OPERATION,
                  cl->clEnqueueMapBuffer(f.queue, closed, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, place));
    IS(CL_SUCCESS, cl->clReleaseMemObject(closed));
    IS(CL_SUCCESS, cl->clReleaseMemObject(buffer));
    IS(CL_INVALID_MEM_OBJECT, cl->clReleaseMemObject(buffer));
    IS(CL_INVALID_MEM_OBJECT, cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
}

/* Another queue unmaps what is not yet read, which the address sanitizer would see. */
static void test_unmapped_early(void **state) {
    cl_int error;
    (void)state;
    cl_command_queue other = cl->clCreateCommandQueue(f.context, f.device[0], 0, &error);
    cl_mem buffer = fixture_buffer(&f, 64, NULL);
    cl_event gate = cl->clCreateUserEvent(f.context, &error);
    void *bytes = cl->clEnqueueMapBuffer(f.queue, buffer, CL_FALSE, CL_MAP_READ, 0, 64, 1, &gate, NULL, &error);
    IS(CL_SUCCESS, error);
    IS(CL_SUCCESS, cl->clEnqueueUnmapMemObject(other, buffer, bytes, 0, NULL, NULL));
    IS(CL_SUCCESS, cl->clFinish(other));
    IS(CL_SUCCESS, cl->clSetUserEventStatus(gate, CL_COMPLETE));
    IS(CL_SUCCESS, cl->clFinish(f.queue));
    IS(CL_SUCCESS, cl->clReleaseEvent(gate));
    IS(CL_SUCCESS, cl->clReleaseMemObject(buffer));
    IS(CL_SUCCESS, cl->clReleaseCommandQueue(other));
}

/* Objects of one context in calls of another. */
static void test_wrong_contexts(void **state) {
    const size_t one = 1;
    int number = 0;
    cl_int error;
    (void)state;
    cl_context other = cl->clCreateContext(NULL, 1, f.device, NULL, NULL, &error);
    cl_mem buffer = cl->clCreateBuffer(other, 0, 64, NULL, &error), own = fixture_buffer(&f, 64, NULL);
    cl_event event = cl->clCreateUserEvent(other, &error), own_event = cl->clCreateUserEvent(f.context, &error);
    cl_event both[2] = {own_event, event};
    cl_command_queue queue = cl->clCreateCommandQueue(other, f.device[0], 0, &error);
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(__global int *p) { p[0] = 1; }", "f");
    IS(CL_INVALID_CONTEXT, cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 4, &number, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, cl->clEnqueueCopyBuffer(f.queue, own, buffer, 0, 0, 4, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, cl->clEnqueueMarkerWithWaitList(f.queue, 1, &event, NULL));
    IS(CL_INVALID_CONTEXT, cl->clWaitForEvents(2, both));
    IS(CL_INVALID_MEM_OBJECT, cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer));
    IS(CL_SUCCESS, cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &own));
    IS(CL_INVALID_CONTEXT, cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    cl->clReleaseKernel(kernel);
    cl->clReleaseCommandQueue(queue);
    cl->clReleaseEvent(event);
    cl->clReleaseEvent(own_event);
    cl->clReleaseMemObject(buffer);
    cl->clReleaseMemObject(own);
    IS(CL_SUCCESS, cl->clReleaseContext(other));
    IS(CL_INVALID_CONTEXT, cl->clReleaseContext(other));
}

static void test_programs(void **state) {
    const char *source = "__kernel void f(__global int *p, float x, __local int *l) { l[0] = x; p[0] = l[0]; }";
    const char *none[1] = {NULL};
    const size_t size = 4;
    const unsigned char *bytes = (const unsigned char *)"none";
    char text[4];
    float x = 0;
    cl_int error;
    (void)state;
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateProgramWithSource(f.context, 0, &source, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateProgramWithSource(f.context, 1, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateProgramWithSource(f.context, 1, none, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateProgramWithBinary(f.context, 0, NULL, &size, &bytes, NULL, place));
    MAKES_NOTHING(CL_INVALID_DEVICE,
                  cl->clCreateProgramWithBinary(f.context, 1, f.device + 1, &size, &bytes, NULL, place));
    MAKES_NOTHING(CL_INVALID_BINARY, cl->clCreateProgramWithBinary(f.context, 1, f.device, &size, &bytes, NULL, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateProgramWithBuiltInKernels(f.context, 1, f.device, "f", place));
    cl_program program = cl->clCreateProgramWithSource(f.context, 1, &source, NULL, &error);
    IS(CL_INVALID_PROGRAM_EXECUTABLE, cl->clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetProgramInfo(program, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clBuildProgram(program, 1, NULL, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clBuildProgram(program, 0, f.device, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clBuildProgram(program, 0, NULL, NULL, NULL, &x));
    IS(CL_INVALID_DEVICE, cl->clBuildProgram(program, 1, f.device + 1, NULL, NULL, NULL));
    IS(CL_INVALID_DEVICE, cl->clGetProgramBuildInfo(program, f.device[1], CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    IS(CL_INVALID_COMPILER_OPTIONS, cl->clCompileProgram(program, 0, NULL, "-none", 0, NULL, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clCompileProgram(program, 0, NULL, NULL, 1, NULL, NULL, NULL, NULL));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clLinkProgram(f.context, 0, NULL, NULL, 0, NULL, NULL, NULL, place));
    MAKES_NOTHING(CL_INVALID_OPERATION, cl->clLinkProgram(f.context, 0, NULL, NULL, 1, &program, NULL, NULL, place));
    IS(CL_SUCCESS, cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateKernel(program, NULL, place));
    MAKES_NOTHING(CL_INVALID_KERNEL_NAME, cl->clCreateKernel(program, "g", place));
    cl_kernel kernel = cl->clCreateKernel(program, "f", &error);
    IS(CL_INVALID_OPERATION, cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    IS(CL_INVALID_ARG_INDEX, cl->clSetKernelArg(kernel, 3, 4, &x));
    IS(CL_INVALID_ARG_SIZE, cl->clSetKernelArg(kernel, 0, 4, &x));
    IS(CL_INVALID_ARG_SIZE, cl->clSetKernelArg(kernel, 1, 8, &x));
    IS(CL_INVALID_ARG_VALUE, cl->clSetKernelArg(kernel, 1, 4, NULL));
    IS(CL_INVALID_ARG_VALUE, cl->clSetKernelArg(kernel, 2, 4, &x));
    IS(CL_INVALID_ARG_SIZE, cl->clSetKernelArg(kernel, 2, 0, NULL));
    IS(CL_SUCCESS, cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), NULL));
    IS(CL_SUCCESS, cl->clSetKernelArg(kernel, 1, 4, &x));
    IS(CL_SUCCESS, cl->clSetKernelArg(kernel, 2, 1 << 20, NULL));
    IS(CL_OUT_OF_RESOURCES, cl->clEnqueueTask(f.queue, kernel, 0, NULL, NULL));
    assert_non_null(strstr(f.told, "bytes of local memory"));
    IS(CL_SUCCESS, cl->clSetKernelArg(kernel, 2, SIZE_MAX - 7, NULL));
    IS(CL_OUT_OF_RESOURCES, cl->clEnqueueTask(f.queue, kernel, 0, NULL, NULL));
    IS(CL_INVALID_ARG_INDEX, cl->clGetKernelArgInfo(kernel, 3, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetKernelArgInfo(kernel, 0, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 1, text, NULL));
    IS(CL_INVALID_DEVICE, cl->clGetKernelWorkGroupInfo(kernel, f.device[1], CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, cl->clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_GLOBAL_WORK_SIZE, 0, NULL, NULL));
    cl_mem gone = fixture_buffer(&f, 64, NULL);
    IS(CL_SUCCESS, cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &gone));
    IS(CL_SUCCESS, cl->clSetKernelArg(kernel, 2, 64, NULL));
    IS(CL_SUCCESS, cl->clReleaseMemObject(gone));
    IS(CL_INVALID_KERNEL_ARGS, cl->clEnqueueTask(f.queue, kernel, 0, NULL, NULL));
    IS(CL_INVALID_MEM_OBJECT, cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &gone));
    IS(CL_SUCCESS, cl->clReleaseProgram(program)); /* the kernel keeps it */
    IS(CL_SUCCESS, cl->clReleaseKernel(kernel));
    IS(CL_INVALID_KERNEL, cl->clReleaseKernel(kernel));
    IS(CL_INVALID_PROGRAM, cl->clReleaseProgram(program));
}

/* Features that the embedded profile lacks. */
static void test_refused(void **state) {
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc about = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_uint count = 1;
    (void)state;
    MAKES_NOTHING(CL_INVALID_OPERATION, cl->clCreateImage(f.context, 0, &format, &about, NULL, place));
    MAKES_NOTHING(CL_INVALID_OPERATION, cl->clCreateImage2D(f.context, 0, &format, 4, 4, 0, NULL, place));
    MAKES_NOTHING(CL_INVALID_OPERATION,
                  cl->clCreateSampler(f.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, place));
    IS(CL_SUCCESS, cl->clGetSupportedImageFormats(f.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
    assert_int_equal(count, 0);
    IS(CL_INVALID_OPERATION, cl->clEnqueueNativeKernel(f.queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_OPERATION, cl->clEnqueueReadImage(f.queue, NULL, CL_TRUE, NULL, NULL, 0, 0, NULL, 0, NULL, NULL));
    assert_null(cl->clGetExtensionFunctionAddress("clCreateFromGLBuffer"));
    assert_non_null(cl->clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR"));
}

/* Functions of OpenCL 2 and 3 that no device supports: each returns `error`; with CL_SUCCESS, the handles are invalid
 * and each returns the error of its handle. */
static void refuse_all(cl_int error, cl_context context, cl_command_queue queue, cl_program program, cl_kernel kernel,
                       cl_device_id device) {
    const cl_int of_context = error ? error : CL_INVALID_CONTEXT, of_queue = error ? error : CL_INVALID_COMMAND_QUEUE,
                 of_program = error ? error : CL_INVALID_PROGRAM, of_kernel = error ? error : CL_INVALID_KERNEL,
                 of_device = error ? error : CL_INVALID_DEVICE;
    int bytes[4];
    void *pointers[1] = {bytes};
    size_t size = sizeof bytes;
    cl_ulong times[2];
    assert_null(cl->clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
    cl->clSVMFree(context, bytes);
    cl->clSVMFree(context, NULL);
    IS(of_queue, cl->clEnqueueSVMFree(queue, 1, pointers, NULL, NULL, 0, NULL, NULL));
    IS(of_queue, cl->clEnqueueSVMMemcpy(queue, CL_TRUE, bytes, bytes + 2, 8, 0, NULL, NULL));
    IS(of_queue, cl->clEnqueueSVMMemFill(queue, bytes, bytes, 4, 8, 0, NULL, NULL));
    IS(of_queue, cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, bytes, 8, 0, NULL, NULL));
    IS(of_queue, cl->clEnqueueSVMUnmap(queue, bytes, 0, NULL, NULL));
    IS(of_queue, cl->clEnqueueSVMMigrateMem(queue, 1, (const void **)pointers, &size, 0, 0, NULL, NULL));
    IS(of_kernel, cl->clSetKernelArgSVMPointer(kernel, 0, bytes));
    IS(of_kernel, cl->clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
    MAKES_NOTHING(of_context, cl->clCreatePipe(context, 0, 4, 4, NULL, place));
    MAKES_NOTHING(of_context, cl->clCreateProgramWithIL(context, bytes, size, place));
    MAKES_NOTHING(of_context, cl->clCreateSamplerWithProperties(context, NULL, place));
    MAKES_NOTHING(of_context, cl->clCreateImageWithProperties(context, NULL, 0, NULL, NULL, NULL, place));
    MAKES_NOTHING(of_kernel, cl->clCloneKernel(kernel, place));
    IS(of_context, cl->clSetContextDestructorCallback(context, NULL, NULL));
    IS(of_program, cl->clSetProgramReleaseCallback(program, NULL, NULL));
    IS(of_program, cl->clSetProgramSpecializationConstant(program, 0, 4, bytes));
    IS(of_kernel, cl->clGetKernelSubGroupInfo(kernel, f.device[0], 0, 0, NULL, 0, NULL, NULL));
    IS(of_context, cl->clSetDefaultDeviceCommandQueue(context, f.device[0], f.queue));
    IS(of_device, cl->clGetDeviceAndHostTimer(device, &times[0], &times[1]));
    IS(of_device, cl->clGetHostTimer(device, &times[0]));
    IS(CL_INVALID_MEM_OBJECT, cl->clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, 0, NULL, NULL));
}

static void test_later(void **state) {
    const cl_mem_properties none[] = {0}, unknown[] = {1, 1, 0};
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}, other[] = {1, 1, 0};
    cl_int error;
    (void)state;
    cl_program program = fixture_build(&f, "__kernel void f(__global int *p) { p[0] = 1; }", NULL);
    cl_kernel kernel = cl->clCreateKernel(program, "f", &error);
    refuse_all(CL_INVALID_OPERATION, f.context, f.queue, program, kernel, f.device[0]);
    refuse_all(CL_SUCCESS, NULL, NULL, NULL, NULL, NULL);
    refuse_all(CL_SUCCESS, (cl_context)f.queue, (cl_command_queue)kernel, (cl_program)kernel, (cl_kernel)program,
               (cl_device_id)program);
    cl_mem buffer = cl->clCreateBufferWithProperties(f.context, none, 0, 64, NULL, &error);
    IS(CL_SUCCESS, error);
    IS(CL_SUCCESS, cl->clReleaseMemObject(buffer));
    MAKES_NOTHING(CL_INVALID_PROPERTY, cl->clCreateBufferWithProperties(f.context, unknown, 0, 64, NULL, place));
    MAKES_NOTHING(CL_INVALID_CONTEXT, cl->clCreateBufferWithProperties(NULL, unknown, 0, 64, NULL, place));
    MAKES_NOTHING(CL_INVALID_QUEUE_PROPERTIES,
                  cl->clCreateCommandQueueWithProperties(f.context, f.device[0], on_device, place));
    MAKES_NOTHING(CL_INVALID_VALUE, cl->clCreateCommandQueueWithProperties(f.context, f.device[0], other, place));
    IS(CL_SUCCESS, cl->clReleaseKernel(kernel));
    IS(CL_SUCCESS, cl->clReleaseProgram(program));
}

/* Handles of objects that are gone are not given out again soon. */
static void test_freed_handles(void **state) {
    cl_mem first = fixture_buffer(&f, 64, NULL);
    (void)state;
    IS(CL_SUCCESS, cl->clReleaseMemObject(first));
    for (unsigned i = 0; i < 100; i++) {
        cl_mem next = fixture_buffer(&f, 64, NULL);
        assert_ptr_not_equal(next, first);
        IS(CL_INVALID_MEM_OBJECT, cl->clRetainMemObject(first));
        IS(CL_SUCCESS, cl->clReleaseMemObject(next));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ONE(test_strangers, &f),      ON_ONE(test_platform, &f),       ON_ONE(test_buffers, &f),
        ON_ONE(test_unmapped_early, &f), ON_ONE(test_wrong_contexts, &f), ON_ONE(test_programs, &f),
        ON_ONE(test_refused, &f),        ON_ONE(test_later, &f),          ON_ONE(test_freed_handles, &f),
    };
    fixture_open(&f, "model:16M,model:16M");
    cl = f.cl;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
