/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers through OpenCL: copies of all kinds, parts, mapping, the host's bytes, two devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "opencl/fixture.h"

enum { BYTES = 4096 };

static struct fixture f;

static void count_up(uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(i * 7 + i / 256);
}

static void check(cl_mem buffer, const uint8_t *expected) {
    uint8_t got[BYTES];
    fixture_read(&f, buffer, got, sizeof got);
    assert_memory_equal(got, expected, sizeof got);
}

static void test_copies(void **state) {
    const uint16_t pattern = 0xabcd;
    uint8_t bytes[BYTES];
    (void)state;
    count_up(bytes, sizeof bytes);
    cl_mem from = fixture_buffer(&f, BYTES, bytes), to = fixture_buffer(&f, BYTES, bytes);
    assert_int_equal(f.cl->clEnqueueCopyBuffer(f.queue, from, to, 3, 1001, 500, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(f.cl->clEnqueueFillBuffer(f.queue, to, &pattern, 2, 2000, 6, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(f.cl->clEnqueueWriteBuffer(f.queue, to, CL_FALSE, 3001, 9, bytes, 0, NULL, NULL), CL_SUCCESS);
    uint8_t expected[BYTES];
    memcpy(expected, bytes, BYTES);
    memcpy(expected + 1001, bytes + 3, 500);
    memcpy(expected + 2000, "\xcd\xab\xcd\xab\xcd\xab", 6);
    memcpy(expected + 3001, bytes, 9);
    check(to, expected);
    check(from, bytes);
    f.cl->clReleaseMemObject(from);
    f.cl->clReleaseMemObject(to);
}

/* A box of bytes, by loops. */
static void copy_box(uint8_t *to, const uint8_t *from, const size_t to_origin[3], const size_t from_origin[3],
                     const size_t size[3], const size_t to_pitch[2], const size_t from_pitch[2]) {
    for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
            for (size_t x = 0; x < size[0]; x++)
                to[(to_origin[2] + z) * to_pitch[1] + (to_origin[1] + y) * to_pitch[0] + to_origin[0] + x] =
                    from[(from_origin[2] + z) * from_pitch[1] + (from_origin[1] + y) * from_pitch[0] + from_origin[0] +
                         x];
}

static void test_boxes(void **state) {
    const size_t a[3] = {5, 2, 1}, b[3] = {3, 1, 2}, size[3] = {7, 4, 3}, wide[2] = {32, 32 * 9},
                 tall[2] = {16, 16 * 12};
    uint8_t bytes[BYTES], expected[BYTES], host[BYTES] = {0}, wanted[BYTES] = {0};
    (void)state;
    count_up(bytes, sizeof bytes);
    memset(expected, 0, sizeof expected);
    cl_mem from = fixture_buffer(&f, BYTES, bytes), to = fixture_buffer(&f, BYTES, expected);
    assert_int_equal(
        f.cl->clEnqueueCopyBufferRect(f.queue, from, to, a, b, size, wide[0], wide[1], tall[0], tall[1], 0, NULL, NULL),
        CL_SUCCESS);
    copy_box(expected, bytes, b, a, size, tall, wide);
    check(to, expected);
    assert_int_equal(f.cl->clEnqueueReadBufferRect(f.queue, from, CL_TRUE, a, b, size, wide[0], wide[1], tall[0],
                                                   tall[1], host, 0, NULL, NULL),
                     CL_SUCCESS);
    copy_box(wanted, bytes, b, a, size, tall, wide);
    assert_memory_equal(host, wanted, sizeof host);
    assert_int_equal(f.cl->clEnqueueWriteBufferRect(f.queue, to, CL_TRUE, b, a, size, tall[0], tall[1], wide[0],
                                                    wide[1], bytes + 100, 0, NULL, NULL),
                     CL_SUCCESS);
    copy_box(expected, bytes + 100, b, a, size, tall, wide);
    check(to, expected);
    f.cl->clReleaseMemObject(from);
    f.cl->clReleaseMemObject(to);
}

/* Boxes of one buffer meet or do not: what the call says is what a map of their bytes says. */
static void test_overlap(void **state) {
    const size_t size[3] = {4, 2, 2}, pitch[2] = {8, 40};
    cl_mem buffer = fixture_buffer(&f, BYTES, NULL);
    unsigned refused = 0;
    (void)state;
    for (size_t i = 0; i < 5 * 5 * 5; i++) {
        const size_t a[3] = {2, 2, 1}, b[3] = {i % 5, i / 5 % 5, i / 25};
        uint8_t marks[BYTES] = {0}, ones[BYTES];
        bool meets = false;
        memset(ones, 1, sizeof ones);
        copy_box(marks, ones, a, (size_t[3]){0}, size, pitch, pitch);
        for (size_t z = 0; z < size[2]; z++)
            for (size_t y = 0; y < size[1]; y++)
                for (size_t x = 0; x < size[0]; x++)
                    meets |= marks[(b[2] + z) * pitch[1] + (b[1] + y) * pitch[0] + b[0] + x] != 0;
        const cl_int error = f.cl->clEnqueueCopyBufferRect(f.queue, buffer, buffer, a, b, size, pitch[0], pitch[1],
                                                           pitch[0], pitch[1], 0, NULL, NULL);
        assert_int_equal(error, meets ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
        refused += meets;
    }
    assert_in_range(refused, 20, 100);
    assert_int_equal(f.cl->clEnqueueCopyBuffer(f.queue, buffer, buffer, 0, 9, 10, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    assert_int_equal(f.cl->clEnqueueCopyBuffer(f.queue, buffer, buffer, 0, 10, 10, 0, NULL, NULL), CL_SUCCESS);
    f.cl->clReleaseMemObject(buffer);
}

/* The same for a part and its buffer, whose boxes have pitches of their own; a row alone may have any pitch. */
static void test_overlap_of_parts(void **state) {
    const cl_buffer_region region = {128, 512};
    const size_t size[3] = {4, 3, 2}, narrow[2] = {8, 40}, wide[2] = {20, 60}, row[3] = {10, 1, 1}, none[3] = {0};
    cl_int error;
    cl_mem buffer = fixture_buffer(&f, BYTES, NULL);
    cl_mem part = f.cl->clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    unsigned refused = 0;
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        const size_t a[3] = {8, 1, 0}, b[3] = {40 + i, 0, 1};
        uint8_t marks[BYTES] = {0}, others[BYTES] = {0}, ones[BYTES];
        bool meets = false;
        memset(ones, 1, sizeof ones);
        copy_box(marks + region.origin, ones, a, none, size, narrow, narrow);
        copy_box(others, ones, b, none, size, wide, wide);
        for (size_t k = 0; k < BYTES; k++) meets |= marks[k] && others[k];
        error = f.cl->clEnqueueCopyBufferRect(f.queue, part, buffer, a, b, size, narrow[0], narrow[1], wide[0], wide[1],
                                              0, NULL, NULL);
        assert_int_equal(error, meets ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
        error = f.cl->clEnqueueCopyBufferRect(f.queue, buffer, part, b, a, size, wide[0], wide[1], narrow[0], narrow[1],
                                              0, NULL, NULL);
        assert_int_equal(error, meets ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
        refused += meets;
    }
    assert_in_range(refused, 40, 160);
    error = f.cl->clEnqueueCopyBufferRect(f.queue, buffer, buffer, none, (size_t[3]){5, 0, 0}, row, SIZE_MAX, SIZE_MAX,
                                          SIZE_MAX, SIZE_MAX, 0, NULL, NULL);
    assert_int_equal(error, CL_MEM_COPY_OVERLAP);
    assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
    f.cl->clReleaseMemObject(part);
    f.cl->clReleaseMemObject(buffer);
}

static void test_parts(void **state) {
    const cl_buffer_region region = {1024, 256}, crooked = {4, 256}, outside = {3968, 256}, empty = {128, 0};
    uint8_t bytes[BYTES];
    size_t offset;
    cl_mem whole;
    cl_int error;
    (void)state;
    count_up(bytes, sizeof bytes);
    cl_mem buffer = fixture_buffer(&f, BYTES, bytes);
    cl_mem part = f.cl->clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(f.cl->clEnqueueWriteBuffer(f.queue, part, CL_TRUE, 6, 10, bytes, 0, NULL, NULL), CL_SUCCESS);
    memmove(bytes + 1030, bytes, 10);
    check(buffer, bytes);
    f.cl->clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
    f.cl->clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &whole, NULL);
    assert_int_equal(offset, 1024);
    assert_ptr_equal(whole, buffer);
    assert_int_equal(f.cl->clEnqueueWriteBuffer(f.queue, part, CL_TRUE, 250, 10, bytes, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_null(f.cl->clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &error));
    assert_int_equal(error, CL_INVALID_MEM_OBJECT);
    assert_null(f.cl->clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &crooked, &error));
    assert_int_equal(error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    assert_null(f.cl->clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &error));
    assert_int_equal(error, CL_INVALID_VALUE);
    assert_null(f.cl->clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &error));
    assert_int_equal(error, CL_INVALID_BUFFER_SIZE);
    assert_int_equal(f.cl->clReleaseMemObject(buffer), CL_SUCCESS); /* the part keeps it */
    assert_int_equal(f.cl->clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
    assert_int_equal(f.cl->clEnqueueReadBuffer(f.queue, part, CL_TRUE, 0, 16, bytes, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(f.cl->clReleaseMemObject(part), CL_SUCCESS);
}

static void test_mapping(void **state) {
    uint8_t bytes[BYTES], other[BYTES];
    cl_int error;
    cl_uint count;
    (void)state;
    count_up(bytes, sizeof bytes);
    memcpy(other, bytes, sizeof other);
    cl_mem buffers[2] = {fixture_buffer(&f, BYTES, bytes),
                         f.cl->clCreateBuffer(f.context, CL_MEM_USE_HOST_PTR, BYTES, other, &error)};
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *first = f.cl->clEnqueueMapBuffer(f.queue, buffers[i], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 100, 50, 0,
                                                  NULL, NULL, &error);
        assert_int_equal(error, CL_SUCCESS);
        assert_memory_equal(first, bytes + 100, 50);
        if (i == 1) assert_ptr_equal(first, other + 100);
        uint8_t *second = f.cl->clEnqueueMapBuffer(f.queue, buffers[i], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 200,
                                                   10, 0, NULL, NULL, &error);
        memset(first, 0x11, 50);
        memset(second, 0x22, 10);
        f.cl->clGetMemObjectInfo(buffers[i], CL_MEM_MAP_COUNT, sizeof count, &count, NULL);
        assert_int_equal(count, 2);
        assert_int_equal(f.cl->clEnqueueUnmapMemObject(f.queue, buffers[i], first + 1, 0, NULL, NULL),
                         CL_INVALID_VALUE);
        assert_int_equal(f.cl->clEnqueueUnmapMemObject(f.queue, buffers[i], first, 0, NULL, NULL), CL_SUCCESS);
        assert_int_equal(f.cl->clEnqueueUnmapMemObject(f.queue, buffers[i], first, 0, NULL, NULL), CL_INVALID_VALUE);
        assert_int_equal(f.cl->clEnqueueUnmapMemObject(f.queue, buffers[i], second, 0, NULL, NULL), CL_SUCCESS);
        uint8_t expected[BYTES];
        count_up(expected, sizeof expected);
        memset(expected + 100, 0x11, 50);
        memset(expected + 200, 0x22, 10);
        check(buffers[i], expected);
        /* A mapping for reading is not written back. */
        first = f.cl->clEnqueueMapBuffer(f.queue, buffers[i], CL_TRUE, CL_MAP_READ, 0, 10, 0, NULL, NULL, &error);
        assert_memory_equal(first, expected, 10);
        if (i == 0) memset(first, 0x33, 10);
        assert_int_equal(f.cl->clEnqueueUnmapMemObject(f.queue, buffers[i], first, 0, NULL, NULL), CL_SUCCESS);
        check(buffers[i], expected);
        /* One that stays mapped goes with its buffer. */
        f.cl->clEnqueueMapBuffer(f.queue, buffers[i], CL_TRUE, CL_MAP_READ, 0, 10, 0, NULL, NULL, &error);
        assert_int_equal(f.cl->clReleaseMemObject(buffers[i]), CL_SUCCESS);
    }
}

static void CL_CALLBACK note(cl_mem memory, void *data) {
    char **end = data;
    (void)memory;
    *(*end)++ = 'x';
}

static void test_last_words(void **state) {
    char text[4] = "", *end = text;
    cl_mem buffer = fixture_buffer(&f, 64, NULL);
    (void)state;
    assert_int_equal(f.cl->clSetMemObjectDestructorCallback(buffer, note, &end), CL_SUCCESS);
    assert_int_equal(f.cl->clSetMemObjectDestructorCallback(buffer, note, &end), CL_SUCCESS);
    assert_int_equal(f.cl->clReleaseMemObject(buffer), CL_SUCCESS);
    assert_string_equal(text, "xx");
}

/* Buffers larger than the device together; what is released can be had again. */
static void test_room(void **state) {
    enum { PIECE = 4 << 20 };
    cl_mem buffers[8];
    unsigned count = 0;
    cl_int error = CL_SUCCESS;
    (void)state;
    for (; count < 8 && error == CL_SUCCESS; count++)
        buffers[count] = f.cl->clCreateBuffer(f.context, 0, PIECE, NULL, &error);
    assert_int_equal(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_int_equal(count, 4); /* of 16 MB the first bytes are not given out */
    f.cl->clReleaseMemObject(buffers[1]);
    buffers[1] = f.cl->clCreateBuffer(f.context, 0, PIECE, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    for (unsigned i = 0; i < count - 1; i++) f.cl->clReleaseMemObject(buffers[i]);
    assert_null(f.cl->clCreateBuffer(f.context, 0, (size_t)1 << 40, NULL, &error));
    assert_int_equal(error, CL_INVALID_BUFFER_SIZE);
}

/* Each device adds to a half of its own, then to the other's: contents go where they are needed. */
static void test_two_devices(void **state) {
    enum { HALF = 256 };
    int numbers[2 * HALF], expected[2 * HALF];
    cl_mem halves[2];
    cl_int error;
    (void)state;
    for (int i = 0; i < 2 * HALF; i++) numbers[i] = i;
    cl_mem buffer = fixture_buffer(&f, sizeof numbers, numbers);
    cl_command_queue queues[2] = {f.queue, f.cl->clCreateCommandQueue(f.context, f.device[1], 0, &error)};
    cl_kernel kernel = fixture_kernel(
        &f, "__kernel void f(__global int *p, int k) { p[get_global_id(0)] = p[get_global_id(0)] * 3 + k; }", "f");
    for (unsigned i = 0; i < 2; i++) {
        const cl_buffer_region region = {i * HALF * sizeof(int), HALF * sizeof(int)};
        halves[i] = f.cl->clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    }
    for (int round = 0; round < 4; round++) {
        for (unsigned i = 0; i < 2; i++) {
            const size_t size = HALF;
            assert_int_equal(f.cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &halves[i ^ (unsigned)(round & 1)]),
                             CL_SUCCESS);
            assert_int_equal(f.cl->clSetKernelArg(kernel, 1, sizeof round, &round), CL_SUCCESS);
            assert_int_equal(f.cl->clEnqueueNDRangeKernel(queues[i], kernel, 1, NULL, &size, NULL, 0, NULL, NULL),
                             CL_SUCCESS);
        }
        for (unsigned i = 0; i < 2; i++) assert_int_equal(f.cl->clFinish(queues[i]), CL_SUCCESS);
    }
    for (int i = 0; i < 2 * HALF; i++) expected[i] = (((i * 3 + 0) * 3 + 1) * 3 + 2) * 3 + 3;
    for (unsigned i = 0; i < 2; i++) {
        memset(numbers, 0, sizeof numbers);
        assert_int_equal(
            f.cl->clEnqueueReadBuffer(queues[i], buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL),
            CL_SUCCESS);
        assert_memory_equal(numbers, expected, sizeof numbers);
    }
    for (unsigned i = 0; i < 2; i++) f.cl->clReleaseMemObject(halves[i]);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
    f.cl->clReleaseCommandQueue(queues[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ONE(test_copies, &f),           ON_ONE(test_boxes, &f), ON_ONE(test_overlap, &f),
        ON_ONE(test_overlap_of_parts, &f), ON_ONE(test_parts, &f), ON_ONE(test_mapping, &f),
        ON_ONE(test_last_words, &f),       ON_ONE(test_room, &f),  ON_TWO(test_two_devices, &f),
    };
    fixture_open(&f, "model:16M,model:16M");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
