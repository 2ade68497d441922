/* SPDX-License-Identifier: Apache-2.0 */
/* The histogram of a part of an image, which is copied out of it as a rectangle; rows on the device are a multiple of
 * 64 bytes apart. A range of two dimensions: by levels and by rows. The host adds up what the rows' groups counted.
 *
 *     histogram [WIDTH [FILE]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/opencl/host.h"

enum { ROW_GROUPS = 4, LEVELS = 256, MARGIN = 5 };

int main(int argc, char **argv) {
    const size_t width = host_size(argc, argv, 200), height = width * 3 / 4 + 1, pitch = (width + 63) / 64 * 64;
    const size_t image_width = width + 2 * MARGIN, image_bytes = image_width * (height + 2 * MARGIN);
    cl_uchar *image = host_memory(image_bytes);
    cl_uint state = 5, expected[LEVELS] = {0}, found[LEVELS] = {0}, counts[ROW_GROUPS][LEVELS];
    for (size_t i = 0; i < image_bytes; i++) image[i] = (cl_uchar)(next_random(&state) * (i % 7 + 1) >> 24);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) expected[image[(y + MARGIN) * image_width + x + MARGIN]]++;

    struct host host;
    host_open(&host, CL_QUEUE_PROFILING_ENABLE);
    cl_program program = host_build(&host, "kernels/opencl/histogram.cl", "");
    cl_kernel kernel = host_kernel(program, "histogram");
    cl_mem device_image = host_buffer(&host, CL_MEM_READ_ONLY, pitch * height, NULL);
    cl_mem device_counts = host_buffer(&host, CL_MEM_WRITE_ONLY, sizeof counts, NULL);
    const size_t to[3] = {0, 0, 0}, from[3] = {MARGIN, MARGIN, 0}, region[3] = {width, height, 1};
    check(clEnqueueWriteBufferRect(host.queue, device_image, CL_TRUE, to, from, region, pitch, 0, image_width, 0, image,
                                   0, NULL, NULL),
          "clEnqueueWriteBufferRect");
    const cl_uint sizes[3] = {(cl_uint)width, (cl_uint)height, (cl_uint)pitch};
    host_buffer_argument(kernel, 0, device_image);
    for (cl_uint i = 0; i < 3; i++) host_argument(kernel, i + 1, sizeof sizes[i], &sizes[i]);
    host_buffer_argument(kernel, 4, device_counts);
    const size_t global[2] = {LEVELS / 16 * 32, ROW_GROUPS}, local[2] = {32, 1};
    cl_event done = NULL;
    check(clEnqueueNDRangeKernel(host.queue, kernel, 2, NULL, global, local, 0, NULL, &done), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(host.queue, device_counts, CL_TRUE, 0, sizeof counts, counts, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    printf("histogram: %zu x %zu, %.3f ms\n", width, height, host_milliseconds(done, done));

    for (size_t i = 0; i < ROW_GROUPS * LEVELS; i++) found[i % LEVELS] += counts[i / LEVELS][i % LEVELS];
    const bool right = memcmp(found, expected, sizeof found) == 0;
    const int code = host_finish(argc, argv, "histogram", found, sizeof found, right);
    clReleaseEvent(done);
    clReleaseMemObject(device_image);
    clReleaseMemObject(device_counts);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    host_close(&host);
    free(image);
    return code;
}
