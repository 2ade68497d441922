/* SPDX-License-Identifier: Apache-2.0 */
/* A search for a message whose SHA-256 begins with twelve zero bits. The program is built once and then made again from
 * its binary, as programs do that keep binaries. Batches of numbers are tried until one is found: while the device
 * tries one, the host looks at that before it.
 *
 *     hash [NUMBERS [FILE]]: numbers in a batch, a multiple of 64 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/opencl/host.h"

enum { BITS = 12, EACH = 4, BATCHES = 64 };
/* The first number that has such a hash, computed by coreutils' sha256sum. */
static const cl_uint expected = 3061;

static cl_program reload(const struct host *host, cl_program built) {
    size_t bytes = 0;
    check(clGetProgramInfo(built, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL), "clGetProgramInfo");
    unsigned char *binary = host_memory(bytes);
    check(clGetProgramInfo(built, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), "clGetProgramInfo");
    cl_int status = CL_SUCCESS, loaded = CL_SUCCESS;
    const unsigned char *image = binary;
    cl_program program = clCreateProgramWithBinary(host->context, 1, &host->device, &bytes, &image, &loaded, &status);
    check(status, "clCreateProgramWithBinary");
    check(loaded, "clCreateProgramWithBinary: the binary");
    check(clBuildProgram(program, 1, &host->device, NULL, NULL, NULL), "clBuildProgram");
    free(binary);
    printf("hash: a binary of %zu bytes\n", bytes);
    return program;
}

/* Starts a batch: its numbers follow those of the batches before it. What it finds is read when `read` ends. */
static void start(const struct host *host, cl_kernel kernel, cl_mem buffer, size_t batch, size_t items, cl_uint *found,
                  cl_event *read) {
    const size_t offset = batch * items, group = 16;
    host_buffer_argument(kernel, 4, buffer);
    check(clEnqueueNDRangeKernel(host->queue, kernel, 1, &offset, &items, &group, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(host->queue, buffer, CL_FALSE, 0, items * sizeof *found, found, 0, NULL, read),
          "clEnqueueReadBuffer");
    check(clFlush(host->queue), "clFlush");
}

/* The first number that a batch found, or CL_UINT_MAX. */
static cl_uint first_of(const cl_uint *found, size_t items) {
    for (size_t i = 0; i < items; i++)
        if (found[i] != CL_UINT_MAX) return found[i];
    return CL_UINT_MAX;
}

int main(int argc, char **argv) {
    const size_t items = host_size(argc, argv, 1024) / EACH;
    struct host host;
    host_open(&host, 0);
    cl_program built = host_build(&host, "kernels/opencl/hash.cl", "-Werror -I kernels/c");
    cl_program program = reload(&host, built);
    cl_kernel kernel = host_kernel(program, "search");
    char message[] = "warpstep ";
    cl_mem device_text = host_buffer(&host, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof message - 1, message);
    const cl_uint length = sizeof message - 1, bits = BITS, each = EACH;
    host_buffer_argument(kernel, 0, device_text);
    host_argument(kernel, 1, sizeof length, &length);
    host_argument(kernel, 2, sizeof bits, &bits);
    host_argument(kernel, 3, sizeof each, &each);

    cl_mem buffers[2];
    cl_uint *found[2], hit = CL_UINT_MAX;
    cl_event read[2];
    for (int i = 0; i < 2; i++) {
        buffers[i] = host_buffer(&host, CL_MEM_WRITE_ONLY, items * sizeof(cl_uint), NULL);
        found[i] = host_memory(items * sizeof(cl_uint));
    }
    start(&host, kernel, buffers[0], 0, items, found[0], &read[0]);
    for (size_t batch = 0; hit == CL_UINT_MAX && batch < BATCHES; batch++) {
        const size_t next = (batch + 1) % 2;
        start(&host, kernel, buffers[next], batch + 1, items, found[next], &read[next]);
        check(clWaitForEvents(1, &read[batch % 2]), "clWaitForEvents");
        check(clReleaseEvent(read[batch % 2]), "clReleaseEvent");
        hit = first_of(found[batch % 2], items);
        if (hit != CL_UINT_MAX) check(clReleaseEvent(read[next]), "clReleaseEvent");
    }
    printf("hash: SHA-256 of \"%s%08x\" begins with %d zero bits\n", message, hit, BITS);
    check(clFinish(host.queue), "clFinish");

    const int code = host_finish(argc, argv, "hash", &hit, sizeof hit, hit == expected);
    for (int i = 0; i < 2; i++) {
        clReleaseMemObject(buffers[i]);
        free(found[i]);
    }
    clReleaseMemObject(device_text);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseProgram(built);
    host_close(&host);
    return code;
}
