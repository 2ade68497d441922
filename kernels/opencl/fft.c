/* SPDX-License-Identifier: Apache-2.0 */
/* The spectra of a batch of 256 points each (kernels/c/fft.cl), a work group each, in local memory whose size the host
 * gives. Each signal is a few tones, whose spectrum a sum over all points confirms.
 *
 *     fft [BATCH [FILE]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/opencl/host.h"

enum { POINTS = 256 };

/* The largest difference of one spectrum to a sum over all points, in double precision. */
static double worst(const cl_float2 *signal, const cl_float2 *spectrum) {
    const double step = -2 * acos(-1.0) / POINTS;
    double most = 0;
    for (int k = 0; k < POINTS; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < POINTS; i++) {
            const double c = cos(step * (k * i % POINTS)), s = sin(step * (k * i % POINTS));
            re += c * (double)signal[i].s[0] - s * (double)signal[i].s[1];
            im += c * (double)signal[i].s[1] + s * (double)signal[i].s[0];
        }
        most = fmax(most, hypot(re - (double)spectrum[k].s[0], im - (double)spectrum[k].s[1]));
    }
    return most;
}

int main(int argc, char **argv) {
    const size_t batch = host_size(argc, argv, 8), bytes = batch * POINTS * sizeof(cl_float2);
    struct host host;
    host_open(&host, CL_QUEUE_PROFILING_ENABLE);
    cl_program program = host_build(&host, "kernels/c/fft.cl", "-cl-single-precision-constant");
    cl_kernel kernel = host_kernel(program, "fft");
    cl_mem points = host_buffer(&host, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, bytes, NULL);
    cl_mem spectra = host_buffer(&host, CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR, bytes, NULL);

    cl_int status = CL_SUCCESS;
    cl_float2 *signal = clEnqueueMapBuffer(host.queue, points, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes, 0,
                                           NULL, NULL, &status);
    check(status, "clEnqueueMapBuffer");
    cl_float2 *copy = host_memory(bytes);
    for (size_t i = 0; i < batch * POINTS; i++) {
        const size_t number = i / POINTS;
        const double turn = 2 * acos(-1.0) * (double)(i % POINTS) / POINTS, tone = 1 + (double)number;
        copy[i].s[0] = (float)(cos(tone * turn) + 0.5 * cos(40 * turn));
        copy[i].s[1] = (float)(0.25 * sin(100 * turn));
        signal[i] = copy[i];
    }
    check(clEnqueueUnmapMemObject(host.queue, points, signal, 0, NULL, NULL), "clEnqueueUnmapMemObject");

    const size_t group = POINTS / 2, items = batch * group;
    host_buffer_argument(kernel, 0, points);
    host_buffer_argument(kernel, 1, spectra);
    host_argument(kernel, 2, POINTS * sizeof(cl_float2), NULL);
    cl_event done = NULL;
    check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &items, &group, 0, NULL, &done),
          "clEnqueueNDRangeKernel");
    cl_float2 *found = clEnqueueMapBuffer(host.queue, spectra, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
    check(status, "clEnqueueMapBuffer");
    printf("fft: %zu times %d points, %.3f ms\n", batch, POINTS, host_milliseconds(done, done));

    double error = 0;
    for (size_t i = 0; i < batch; i++) error = fmax(error, worst(copy + i * POINTS, found + i * POINTS));
    printf("fft: largest error %.2g\n", error);
    const int code = host_finish(argc, argv, "fft", found, bytes, error < 1e-3);
    check(clEnqueueUnmapMemObject(host.queue, spectra, found, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    check(clFinish(host.queue), "clFinish");
    clReleaseEvent(done);
    clReleaseMemObject(points);
    clReleaseMemObject(spectra);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    host_close(&host);
    free(copy);
    return code;
}
