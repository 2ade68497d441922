/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that share a context, its queues, a program and a kernel, and call whatever they like. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "opencl/fixture.h"

enum { THREADS = 6, ROUNDS = 25, COUNT = 96 };

static struct fixture f;

/* cmocka's assertions belong to its own thread. */
struct shared {
    cl_program program;
    cl_kernel kernel; /* of all threads */
    cl_command_queue queues[3];
    atomic_int wrong, calls;
};

struct thread {
    pthread_t id;
    struct shared *shared;
    int number;
};

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *shared) {
    cl_int now;
    if (f.cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL) == CL_SUCCESS &&
        status == CL_COMPLETE)
        atomic_fetch_add(&((struct shared *)shared)->calls, 1);
}

/* p[i] = i * k by a kernel of its own, after a gate of its own; then what the buffer holds, by a mapping. */
static bool do_round(struct shared *s, cl_command_queue queue, int k) {
    const size_t size = COUNT;
    cl_int error, all = CL_SUCCESS;
    cl_event events[2];
    cl_kernel kernel = f.cl->clCreateKernel(s->program, "times", &all);
    cl_mem buffer = f.cl->clCreateBuffer(f.context, CL_MEM_READ_WRITE, COUNT * sizeof(int), NULL, &error);
    all |= error;
    cl_event gate = f.cl->clCreateUserEvent(f.context, &error);
    all |= error | f.cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer) |
           f.cl->clSetKernelArg(kernel, 1, sizeof k, &k) |
           f.cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 1, &gate, &events[0]) |
           f.cl->clSetEventCallback(events[0], CL_COMPLETE, count_call, s) |
           f.cl->clSetUserEventStatus(gate, CL_COMPLETE);
    const int *numbers =
        f.cl->clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, COUNT * sizeof(int), 1, events, NULL, &error);
    all |= error;
    bool good = all == CL_SUCCESS && numbers != NULL;
    for (int i = 0; i < COUNT && good; i++) good = numbers[i] == i * k;
    all |= f.cl->clEnqueueUnmapMemObject(queue, buffer, (void *)numbers, 0, NULL, &events[1]) |
           f.cl->clReleaseKernel(kernel) | f.cl->clReleaseMemObject(buffer) | f.cl->clWaitForEvents(2, events) |
           f.cl->clReleaseEvent(events[0]) | f.cl->clReleaseEvent(events[1]) | f.cl->clReleaseEvent(gate);
    return good && all == CL_SUCCESS;
}

/* The same kernel in all threads: whose number it stores is anybody's guess, but it is one that was set. */
static bool use_shared_kernel(struct shared *s, cl_command_queue queue, int k) {
    const size_t size = 1;
    int got = -1;
    cl_int error;
    cl_mem buffer = f.cl->clCreateBuffer(f.context, CL_MEM_COPY_HOST_PTR, sizeof got, &got, &error);
    error |=
        f.cl->clSetKernelArg(s->kernel, 0, sizeof(cl_mem), &buffer) | f.cl->clSetKernelArg(s->kernel, 1, sizeof k, &k);
    const cl_int enqueued = f.cl->clEnqueueNDRangeKernel(queue, s->kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
    /* Another thread may have set its buffer, and released it. */
    error |= enqueued == CL_INVALID_KERNEL_ARGS ? CL_SUCCESS : enqueued;
    error |= f.cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL) |
             f.cl->clReleaseMemObject(buffer);
    return error == CL_SUCCESS && (got == -1 || got == 0);
}

static void *work(void *argument) {
    struct thread *t = argument;
    struct shared *s = t->shared;
    for (int i = 0; i < ROUNDS; i++) {
        cl_command_queue queue = s->queues[(t->number + i) % 3];
        const int k = t->number * 1000 + i + 1;
        if (!do_round(s, queue, k) || (i % 5 == 0 && !use_shared_kernel(s, queue, k))) atomic_fetch_add(&s->wrong, 1);
        if (i % 8 == 0 && f.cl->clFinish(queue) != CL_SUCCESS) atomic_fetch_add(&s->wrong, 1);
    }
    return NULL;
}

static void test_threads(void **state) {
    struct shared s = {0};
    struct thread threads[THREADS];
    cl_int error;
    (void)state;
    fixture_open_context(&f, 2);
    s.program = fixture_build(
        &f, "__kernel void times(__global int *p, int k) { p[get_global_id(0)] = get_global_id(0) * k; }", NULL);
    s.kernel = f.cl->clCreateKernel(s.program, "times", &error);
    for (unsigned i = 0; i < 3; i++)
        s.queues[i] = f.cl->clCreateCommandQueue(f.context, f.device[i == 2],
                                                 i == 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &error);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = (struct thread){.shared = &s, .number = i};
        assert_int_equal(pthread_create(&threads[i].id, NULL, work, &threads[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i].id, NULL);
    for (unsigned i = 0; i < 3; i++) f.cl->clFinish(s.queues[i]);
    assert_int_equal(atomic_load(&s.wrong), 0);
    assert_int_equal(f.cl->clReleaseKernel(s.kernel), CL_SUCCESS);
    assert_int_equal(f.cl->clReleaseProgram(s.program), CL_SUCCESS);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(f.cl->clReleaseCommandQueue(s.queues[i]), CL_SUCCESS);
    fixture_close_context(&f);
    assert_int_equal(atomic_load(&s.calls), THREADS * ROUNDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    fixture_open(&f, "model:16M,model:16M");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
