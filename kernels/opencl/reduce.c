/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of words in parts: each part, a sub-buffer, is written and added up on its own, on a queue that keeps no
 * order but that of the events. A user event holds all of it back until everything is queued.
 *
 *     reduce [WORDS [FILE]] */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/opencl/host.h"

enum { PARTS = 4, GROUP = 64, GROUPS = 8 };

struct sums {
    struct host host;
    cl_program program;
    cl_mem words, sums; /* those of all parts */
};

static cl_mem part_of(cl_mem buffer, size_t index, size_t bytes) {
    const cl_buffer_region region = {index * bytes, bytes};
    cl_int status = CL_SUCCESS;
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    check(status, "clCreateSubBuffer");
    return part;
}

static void launch(const struct sums *s, cl_mem words, cl_uint count, cl_mem sums, size_t groups, cl_uint waits,
                   const cl_event *wait, cl_event *done) {
    cl_kernel kernel = host_kernel(s->program, "reduce");
    host_buffer_argument(kernel, 0, words);
    host_argument(kernel, 1, sizeof count, &count);
    host_buffer_argument(kernel, 2, sums);
    host_argument(kernel, 3, GROUP * sizeof(cl_uint), NULL);
    const size_t group = GROUP, items = groups * GROUP;
    check(clEnqueueNDRangeKernel(s->host.queue, kernel, 1, NULL, &items, &group, waits, wait, done),
          "clEnqueueNDRangeKernel");
    clReleaseKernel(kernel);
}

/* Writes a part and adds it up, GROUPS sums of it, once `gate` is open. */
static void add_part(const struct sums *s, size_t index, const cl_uint *words, size_t count, cl_event gate,
                     cl_event *done) {
    const size_t bytes = count * sizeof *words;
    cl_mem part = part_of(s->words, index, bytes);
    cl_mem sums = part_of(s->sums, index, 128 * sizeof(cl_uint));
    cl_event written = NULL;
    check(clEnqueueWriteBuffer(s->host.queue, part, CL_FALSE, 0, bytes, words + index * count, 1, &gate, &written),
          "clEnqueueWriteBuffer");
    launch(s, part, (cl_uint)count, sums, GROUPS, 1, &written, done);
    clReleaseEvent(written);
    clReleaseMemObject(part);
    clReleaseMemObject(sums);
}

int main(int argc, char **argv) {
    const size_t each = (host_size(argc, argv, 100000) + 128 * PARTS - 1) / (128 * PARTS) * 128, count = PARTS * each;
    cl_uint *words = host_memory(count * sizeof *words), expected = 0, sum = 0, state = 4;
    for (size_t i = 0; i < count; i++) expected += words[i] = next_random(&state);

    struct sums s;
    host_open(&s.host, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    s.program = host_build(&s.host, "kernels/opencl/reduce.cl", "");
    s.words = host_buffer(&s.host, CL_MEM_READ_ONLY, count * sizeof *words, NULL);
    /* A sub-buffer begins at a multiple of the device's alignment; 512 bytes are one for all that we know. */
    s.sums = host_buffer(&s.host, CL_MEM_READ_WRITE, (PARTS + 1) * 128 * sizeof *words, NULL);
    cl_int status = CL_SUCCESS;
    cl_event gate = clCreateUserEvent(s.host.context, &status), parts[PARTS + 1], done = NULL;
    check(status, "clCreateUserEvent");
    const cl_uint zero = 0;
    check(clEnqueueFillBuffer(s.host.queue, s.sums, &zero, sizeof zero, 0, (PARTS + 1) * 128 * sizeof zero, 1, &gate,
                              &parts[PARTS]),
          "clEnqueueFillBuffer");
    for (size_t i = 0; i < PARTS; i++) add_part(&s, i, words, each, parts[PARTS], &parts[i]);
    cl_mem total = part_of(s.sums, PARTS, 128 * sizeof sum);
    launch(&s, s.sums, PARTS * 128, total, 1, PARTS, parts, &done);
    check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    check(clEnqueueReadBuffer(s.host.queue, total, CL_TRUE, 0, sizeof sum, &sum, 1, &done, NULL),
          "clEnqueueReadBuffer");
    printf("reduce: %zu words, %.3f ms\n", count, host_milliseconds(parts[PARTS], done));

    const int code = host_finish(argc, argv, "reduce", &sum, sizeof sum, sum == expected);
    for (size_t i = 0; i <= PARTS; i++) clReleaseEvent(parts[i]);
    clReleaseEvent(done);
    clReleaseEvent(gate);
    clReleaseMemObject(total);
    clReleaseMemObject(s.sums);
    clReleaseMemObject(s.words);
    clReleaseProgram(s.program);
    host_close(&s.host);
    free(words);
    return code;
}
