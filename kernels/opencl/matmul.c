/* SPDX-License-Identifier: Apache-2.0 */
/* The product of two square matrices by tiles of 16 x 16 (kernels/c/matmul.cl), with the size that each call of the
 * device multiplied in a second.
 *
 *     matmul [WIDTH [FILE]]: a multiple of 16 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/opencl/host.h"

enum { TILE = 16 };

/* The largest difference to a product in double precision. */
static double worst(const float *a, const float *b, const float *product, size_t n) {
    double most = 0;
    for (size_t row = 0; row < n; row++) {
        for (size_t column = 0; column < n; column++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += (double)a[row * n + k] * (double)b[k * n + column];
            most = fmax(most, fabs(sum - (double)product[row * n + column]));
        }
    }
    return most;
}

int main(int argc, char **argv) {
    const size_t n = host_size(argc, argv, 128), bytes = n * n * sizeof(float);
    float *a = host_memory(bytes), *b = host_memory(bytes), *product = host_memory(bytes);
    uint32_t state = 2;
    for (size_t i = 0; i < n * n; i++) a[i] = next_real(&state, -1, 1);
    for (size_t i = 0; i < n * n; i++) b[i] = next_real(&state, -1, 1);

    struct host host;
    host_open(&host, CL_QUEUE_PROFILING_ENABLE);
    cl_program program = host_build(&host, "kernels/c/matmul.cl", "-cl-mad-enable");
    cl_kernel kernel = host_kernel(program, "matmul");
    cl_mem device_a = host_buffer(&host, CL_MEM_READ_ONLY, bytes, NULL);
    cl_mem device_b = host_buffer(&host, CL_MEM_READ_ONLY, bytes, NULL);
    cl_mem device_product = host_buffer(&host, CL_MEM_READ_WRITE, bytes, NULL);
    check(clEnqueueWriteBuffer(host.queue, device_a, CL_FALSE, 0, bytes, a, 0, NULL, NULL), "clEnqueueWriteBuffer");
    check(clEnqueueWriteBuffer(host.queue, device_b, CL_FALSE, 0, bytes, b, 0, NULL, NULL), "clEnqueueWriteBuffer");
    const cl_int width = (cl_int)n;
    host_buffer_argument(kernel, 0, device_a);
    host_buffer_argument(kernel, 1, device_b);
    host_buffer_argument(kernel, 2, device_product);
    host_argument(kernel, 3, sizeof width, &width);
    const size_t global[2] = {n, n}, local[2] = {TILE, TILE};
    cl_event done = NULL;
    check(clEnqueueNDRangeKernel(host.queue, kernel, 2, NULL, global, local, 0, NULL, &done), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(host.queue, device_product, CL_TRUE, 0, bytes, product, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    const double milliseconds = host_milliseconds(done, done);
    printf("matmul: %zu x %zu, %.3f ms, %.3f GFLOP/s\n", n, n, milliseconds, 2e-6 * (double)(n * n * n) / milliseconds);

    const double error = worst(a, b, product, n);
    printf("matmul: largest error %.2g\n", error);
    const int code = host_finish(argc, argv, "matmul", product, bytes, error < 1e-6 * (double)n);
    clReleaseEvent(done);
    clReleaseMemObject(device_a);
    clReleaseMemObject(device_b);
    clReleaseMemObject(device_product);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    host_close(&host);
    free(a);
    free(b);
    free(product);
    return code;
}
