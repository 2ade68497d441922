/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts words in place by many launches of two kernels, which an in-order queue keeps in order.
 *
 *     sort [WORDS [FILE]]: a power of two */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/opencl/host.h"

static int by_value(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void launch(const struct host *host, cl_kernel kernel, size_t items, const size_t *group, cl_event *event) {
    check(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &items, group, 0, NULL, event),
          "clEnqueueNDRangeKernel");
}

/* Every size up to that of a group's run in one launch, then size by size; the events of the first and the last. */
static void sort(const struct host *host, cl_program program, cl_mem words, cl_uint count, cl_event events[2]) {
    cl_kernel step = host_kernel(program, "sort_step"), run = host_kernel(program, "sort_run");
    size_t most = 0, group = 1;
    check(clGetKernelWorkGroupInfo(run, host->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL),
          "clGetKernelWorkGroupInfo");
    while (2 * group <= most && 2 * group <= 128 && 2 * group <= count / 2) group *= 2;
    const cl_uint inside = (cl_uint)(2 * group);
    cl_uint from = 2, to = inside;
    host_buffer_argument(run, 0, words);
    host_argument(run, 1, inside * sizeof(cl_uint), NULL);
    host_argument(run, 2, sizeof from, &from);
    host_argument(run, 3, sizeof to, &to);
    host_buffer_argument(step, 0, words);
    launch(host, run, count / 2, &group, &events[0]);
    for (cl_uint size = 2 * inside; size <= count && size; size *= 2) {
        host_argument(step, 1, sizeof size, &size);
        for (cl_uint distance = size / 2; distance >= inside; distance /= 2) {
            host_argument(step, 2, sizeof distance, &distance);
            launch(host, step, count / 2, NULL, NULL);
        }
        host_argument(run, 2, sizeof size, &size);
        host_argument(run, 3, sizeof size, &size);
        launch(host, run, count / 2, &group, NULL);
    }
    check(clEnqueueMarkerWithWaitList(host->queue, 0, NULL, &events[1]), "clEnqueueMarkerWithWaitList");
    clReleaseKernel(step);
    clReleaseKernel(run);
}

int main(int argc, char **argv) {
    const size_t count = host_size(argc, argv, 16384), bytes = count * sizeof(uint32_t);
    if (count < 4 || count & (count - 1)) {
        fprintf(stderr, "sort: a power of two from 4 on\n");
        return 2;
    }
    uint32_t *words = host_memory(bytes), *expected = host_memory(bytes), state = 3;
    for (size_t i = 0; i < count; i++) words[i] = next_random(&state);
    memcpy(expected, words, bytes);
    qsort(expected, count, sizeof *expected, by_value);

    struct host host;
    host_open(&host, CL_QUEUE_PROFILING_ENABLE);
    cl_program program = host_build(&host, "kernels/opencl/sort.cl", "");
    cl_mem buffer = host_buffer(&host, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, words);
    cl_event events[2];
    sort(&host, program, buffer, (cl_uint)count, events);
    cl_int status = CL_SUCCESS;
    const uint32_t *sorted =
        clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
    check(status, "clEnqueueMapBuffer");
    printf("sort: %zu words, %.3f ms\n", count, host_milliseconds(events[0], events[1]));
    /* The memory that the buffer uses is what a map of it shows. */
    const bool right = sorted == words && memcmp(sorted, expected, bytes) == 0;
    const int code = host_finish(argc, argv, "sort", sorted, bytes, right);
    check(clEnqueueUnmapMemObject(host.queue, buffer, words, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    clReleaseEvent(events[0]);
    clReleaseEvent(events[1]);
    host_close(&host);
    clReleaseMemObject(buffer);
    clReleaseProgram(program);
    free(words);
    free(expected);
    return code;
}
