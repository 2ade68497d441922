/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of two vectors of a million elements, which the buffers take from the host's memory. The runtime chooses the
 * work group.
 *
 *     vecadd [ELEMENTS [FILE]] */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/opencl/host.h"

int main(int argc, char **argv) {
    const size_t count = host_size(argc, argv, 1000000), bytes = count * sizeof(float);
    float *a = host_memory(bytes), *b = host_memory(bytes), *sum = host_memory(bytes);
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        a[i] = next_real(&state, -100, 100);
        b[i] = next_real(&state, -100, 100);
    }

    struct host host;
    host_open(&host, CL_QUEUE_PROFILING_ENABLE);
    cl_program program = host_build(&host, "kernels/opencl/vecadd.cl", NULL);
    cl_kernel kernel = host_kernel(program, "vecadd");
    cl_mem device_a = host_buffer(&host, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a);
    cl_mem device_b = host_buffer(&host, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b);
    cl_mem device_sum = host_buffer(&host, CL_MEM_WRITE_ONLY, bytes, NULL);
    const cl_uint elements = (cl_uint)count;
    host_buffer_argument(kernel, 0, device_a);
    host_buffer_argument(kernel, 1, device_b);
    host_buffer_argument(kernel, 2, device_sum);
    host_argument(kernel, 3, sizeof elements, &elements);
    cl_event done = NULL;
    check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &count, NULL, 0, NULL, &done), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(host.queue, device_sum, CL_TRUE, 0, bytes, sum, 1, &done, NULL), "clEnqueueReadBuffer");
    printf("vecadd: %zu elements, %.3f ms\n", count, host_milliseconds(done, done));

    bool right = true;
    for (size_t i = 0; i < count; i++) right = right && sum[i] == a[i] + b[i];
    const int code = host_finish(argc, argv, "vecadd", sum, bytes, right);
    clReleaseEvent(done);
    clReleaseMemObject(device_a);
    clReleaseMemObject(device_b);
    clReleaseMemObject(device_sum);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    host_close(&host);
    free(a);
    free(b);
    free(sum);
    return code;
}
