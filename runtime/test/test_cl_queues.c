/* SPDX-License-Identifier: Apache-2.0 */
/* Queues and events through OpenCL: order, user events, callbacks, profiling, what fails. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../queue.h"
#include "opencl/fixture.h"

static struct fixture f;

static cl_int status_of(cl_event event) {
    cl_int status;
    assert_int_equal(f.cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
                     CL_SUCCESS);
    return status;
}

static cl_event write_byte(cl_command_queue queue, cl_mem buffer, size_t at, const uint8_t *byte, cl_uint count,
                           const cl_event *list) {
    cl_event event;
    assert_int_equal(f.cl->clEnqueueWriteBuffer(queue, buffer, CL_FALSE, at, 1, byte, count, list, &event), CL_SUCCESS);
    return event;
}

static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); }

/* Commands in order wait for the one before them; in a queue out of order only for what they name. */
static void test_order(void **state) {
    const uint8_t one = 1, two = 2;
    cl_int error;
    (void)state;
    cl_mem buffer = fixture_buffer(&f, 16, "0123456789abcdef");
    cl_command_queue loose =
        f.cl->clCreateCommandQueue(f.context, f.device[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    assert_int_equal(error, CL_SUCCESS);
    for (unsigned is_loose = 0; is_loose < 2; is_loose++) {
        cl_command_queue queue = is_loose ? loose : f.queue;
        cl_event gate = f.cl->clCreateUserEvent(f.context, &error);
        cl_event events[2] = {write_byte(queue, buffer, 0, &one, 1, &gate),
                              write_byte(queue, buffer, 0, &two, 0, NULL)};
        if (is_loose) {
            assert_int_equal(f.cl->clWaitForEvents(1, &events[1]), CL_SUCCESS);
        } else {
            rest();
            assert_int_equal(status_of(events[1]), CL_QUEUED);
        }
        assert_int_equal(status_of(events[0]), CL_QUEUED);
        assert_int_equal(f.cl->clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
        assert_int_equal(f.cl->clWaitForEvents(2, events), CL_SUCCESS);
        uint8_t got;
        fixture_read(&f, buffer, &got, 1);
        assert_int_equal(got, is_loose ? 1 : 2);
        f.cl->clReleaseEvent(gate);
        for (unsigned i = 0; i < 2; i++) f.cl->clReleaseEvent(events[i]);
    }
    f.cl->clReleaseCommandQueue(loose);
    f.cl->clReleaseMemObject(buffer);
}

/* A barrier holds what comes later back, a marker does not. */
static void test_barriers(void **state) {
    const uint8_t one = 1;
    cl_int error;
    (void)state;
    cl_mem buffer = fixture_buffer(&f, 16, "0123456789abcdef");
    cl_command_queue queue =
        f.cl->clCreateCommandQueue(f.context, f.device[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    cl_event gate = f.cl->clCreateUserEvent(f.context, &error), marker, barrier;
    cl_event first = write_byte(queue, buffer, 0, &one, 1, &gate);
    assert_int_equal(f.cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker), CL_SUCCESS);
    cl_event free_one = write_byte(queue, buffer, 1, &one, 0, NULL);
    assert_int_equal(f.cl->clWaitForEvents(1, &free_one), CL_SUCCESS);
    assert_int_equal(f.cl->clEnqueueBarrierWithWaitList(queue, 0, NULL, &barrier), CL_SUCCESS);
    cl_event late = write_byte(queue, buffer, 2, &one, 0, NULL);
    rest();
    assert_int_equal(status_of(marker), CL_QUEUED);
    assert_int_equal(status_of(barrier), CL_QUEUED);
    assert_int_equal(status_of(late), CL_QUEUED);
    assert_int_equal(f.cl->clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    assert_int_equal(f.cl->clFinish(queue), CL_SUCCESS);
    cl_event all[] = {gate, marker, barrier, first, free_one, late};
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(status_of(all[i]), CL_COMPLETE);
        f.cl->clReleaseEvent(all[i]);
    }
    f.cl->clReleaseCommandQueue(queue);
    f.cl->clReleaseMemObject(buffer);
}

/* A command fails if an event in its list fails; a later command without such a list is executed. */
static void test_failure_spreads(void **state) {
    const uint8_t one = 1, two = 2;
    uint8_t got[2];
    cl_int error;
    (void)state;
    cl_mem buffer = fixture_buffer(&f, 16, "0123456789abcdef");
    cl_event gate = f.cl->clCreateUserEvent(f.context, &error);
    cl_event events[2] = {write_byte(f.queue, buffer, 0, &one, 1, &gate), NULL};
    events[1] = write_byte(f.queue, buffer, 0, &one, 1, &events[0]);
    cl_event other = write_byte(f.queue, buffer, 1, &two, 0, NULL);
    assert_int_equal(f.cl->clSetUserEventStatus(gate, -77), CL_SUCCESS);
    assert_int_equal(f.cl->clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
    assert_int_equal(f.cl->clWaitForEvents(1, &other), CL_SUCCESS);
    assert_int_equal(f.cl->clWaitForEvents(2, events), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(gate), -77);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(status_of(events[i]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(f.cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 2, got, 1, &gate, NULL),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    fixture_read(&f, buffer, got, 2);
    assert_int_equal(got[0], '0');
    assert_int_equal(got[1], 2);
    f.cl->clReleaseEvent(gate);
    f.cl->clReleaseEvent(other);
    for (unsigned i = 0; i < 2; i++) f.cl->clReleaseEvent(events[i]);
    f.cl->clReleaseMemObject(buffer);
}

/* ---- failures that nobody has seen ---- */

struct reader {
    cl_mem buffer;
    cl_event gate;
    cl_int error;
};

static void *read_behind_gate(void *argument) {
    struct reader *r = argument;
    uint8_t byte;
    r->error = f.cl->clEnqueueReadBuffer(f.queue, r->buffer, CL_TRUE, 0, 1, &byte, 1, &r->gate, NULL);
    return NULL;
}

static cl_ulong submitted(cl_command_queue queue) {
    struct queue *q = object_of(queue, OBJECT_QUEUE);
    pthread_mutex_lock(&q->context->lock);
    const cl_ulong count = q->submitted;
    pthread_mutex_unlock(&q->context->lock);
    return count;
}

static cl_kernel trapping_kernel(void) {
    int *null = NULL;
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(__global int *p) { p[0x1fffffff] = 1; }", "f");
    assert_int_equal(f.cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &null), CL_SUCCESS);
    return kernel;
}

/* A blocking command has failures of what came before it, not of what another thread puts behind it. */
static void test_failures_behind(void **state) {
    const size_t size = 1;
    pthread_t thread;
    cl_int error;
    (void)state;
    cl_kernel kernel = trapping_kernel();
    struct reader r = {.buffer = fixture_buffer(&f, 16, "0123456789abcdef")};
    for (unsigned i = 0; i < 20; i++) {
        r.gate = f.cl->clCreateUserEvent(f.context, &error);
        const cl_ulong before = submitted(f.queue);
        assert_int_equal(pthread_create(&thread, NULL, read_behind_gate, &r), 0);
        while (submitted(f.queue) == before) sched_yield();
        for (unsigned k = 0; k < 4; k++)
            f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
        assert_int_equal(f.cl->clSetUserEventStatus(r.gate, CL_COMPLETE), CL_SUCCESS);
        pthread_join(thread, NULL);
        assert_int_equal(r.error, CL_SUCCESS);
        assert_int_equal(f.cl->clFinish(f.queue), CL_OUT_OF_RESOURCES);
        assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
        f.cl->clReleaseEvent(r.gate);
    }
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(r.buffer);
}

/* One that an event has told is not told again; the other one is, by what comes behind it. */
static void test_failures_seen(void **state) {
    const size_t size = 1;
    uint8_t byte;
    (void)state;
    cl_kernel kernel = trapping_kernel();
    cl_mem buffer = fixture_buffer(&f, 16, "0123456789abcdef");
    for (unsigned seen = 0; seen < 3; seen++) {
        cl_event events[2];
        for (unsigned i = 0; i < 2; i++)
            f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &size, NULL, 0, NULL, &events[i]);
        for (unsigned i = 0; i < seen; i++)
            assert_int_equal(f.cl->clWaitForEvents(1, &events[i]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        for (unsigned i = 0; i < 2; i++) f.cl->clReleaseEvent(events[i]);
        assert_int_equal(f.cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 1, &byte, 0, NULL, NULL),
                         seen < 2 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS);
        assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
    }
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

/* ---- callbacks ---- */

struct seen {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char text[16];
};

static void CL_CALLBACK see(cl_event event, cl_int status, void *data) {
    struct seen *seen = data;
    cl_uint count;
    pthread_mutex_lock(&seen->lock);
    /* The event may be asked, though the application has released it. */
    if (f.cl->clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL) == CL_SUCCESS)
        seen->text[strlen(seen->text)] = (char)(status < 0 ? '-' : '0' + status);
    pthread_cond_signal(&seen->changed);
    pthread_mutex_unlock(&seen->lock);
}

static void wait_for(struct seen *seen, const char *text) {
    pthread_mutex_lock(&seen->lock);
    while (strlen(seen->text) < strlen(text)) pthread_cond_wait(&seen->changed, &seen->lock);
    pthread_mutex_unlock(&seen->lock);
    assert_string_equal(seen->text, text);
}

/* An event that the application has released goes when its last callback has returned, which clFinish need not await;
 * until then it holds its context. */
static void wait_until_gone(cl_event event) {
    cl_int status;
    unsigned tries = 0;
    while (f.cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == CL_SUCCESS) {
        assert_true(++tries < 500);
        rest();
    }
}

static void test_callbacks(void **state) {
    const uint8_t one = 1;
    struct seen seen = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, ""};
    cl_int error;
    (void)state;
    cl_mem buffer = fixture_buffer(&f, 16, "0123456789abcdef");
    for (unsigned fails = 0; fails < 2; fails++) {
        memset(seen.text, 0, sizeof seen.text);
        cl_event gate = f.cl->clCreateUserEvent(f.context, &error),
                 event = write_byte(f.queue, buffer, 0, &one, 1, &gate);
        assert_int_equal(f.cl->clSetEventCallback(event, CL_COMPLETE, see, &seen), CL_SUCCESS);
        assert_int_equal(f.cl->clSetEventCallback(event, CL_RUNNING, see, &seen), CL_SUCCESS);
        f.cl->clReleaseEvent(event);
        assert_int_equal(f.cl->clSetUserEventStatus(gate, fails ? -1 : CL_COMPLETE), CL_SUCCESS);
        wait_for(&seen, fails ? "--" : "10");
        wait_until_gone(event);
        /* Of what is past, at once. */
        memset(seen.text, 0, sizeof seen.text);
        assert_int_equal(f.cl->clSetEventCallback(gate, CL_COMPLETE, see, &seen), CL_SUCCESS);
        assert_string_equal(seen.text, fails ? "-" : "0");
        f.cl->clReleaseEvent(gate);
    }
    f.cl->clFinish(f.queue);
    f.cl->clReleaseMemObject(buffer);
}

/* Calls of a callback on the device's thread: those that wait are refused, others are done. */
struct calls {
    atomic_int done;
    cl_mem buffer;
    cl_event gate, event;
    cl_int errors[6];
};

static void CL_CALLBACK call_all(cl_event event, cl_int status, void *data) {
    struct calls *c = data;
    static const uint8_t byte = 'x';
    (void)event, (void)status;
    c->errors[0] =
        f.cl->clEnqueueWriteBuffer(f.queue, c->buffer, CL_FALSE, 0, 1, &byte, 1, &c->gate, &c->event); /* waits */
    c->errors[1] = f.cl->clEnqueueWriteBuffer(f.queue, c->buffer, CL_TRUE, 1, 1, &byte, 0, NULL, NULL);
    c->errors[2] = f.cl->clFinish(f.queue);
    c->errors[3] = f.cl->clWaitForEvents(1, &c->event);
    c->errors[4] = f.cl->clReleaseMemObject(c->buffer);
    c->errors[5] = f.cl->clSetUserEventStatus(c->gate, CL_COMPLETE);
    atomic_store(&c->done, 1);
}

static void test_calls_in_callback(void **state) {
    static const cl_int EXPECTED[6] = {CL_SUCCESS,           CL_INVALID_OPERATION, CL_INVALID_OPERATION,
                                       CL_INVALID_OPERATION, CL_SUCCESS,           CL_SUCCESS};
    cl_event first, event;
    cl_int error;
    (void)state;
    struct calls c = {.buffer = fixture_buffer(&f, 16, "0123456789abcdef")};
    c.gate = f.cl->clCreateUserEvent(f.context, &error);
    first = f.cl->clCreateUserEvent(f.context, &error);
    assert_int_equal(f.cl->clEnqueueMarkerWithWaitList(f.queue, 1, &first, &event), CL_SUCCESS);
    assert_int_equal(f.cl->clSetEventCallback(event, CL_COMPLETE, call_all, &c), CL_SUCCESS);
    assert_int_equal(f.cl->clSetUserEventStatus(first, CL_COMPLETE), CL_SUCCESS);
    while (!atomic_load(&c.done)) rest();
    for (unsigned i = 0; i < 6; i++) assert_int_equal(c.errors[i], EXPECTED[i]);
    assert_int_equal(f.cl->clWaitForEvents(1, &c.event), CL_SUCCESS);
    const cl_event all[] = {first, event, c.gate, c.event};
    for (unsigned i = 0; i < 4; i++) assert_int_equal(f.cl->clReleaseEvent(all[i]), CL_SUCCESS);
    assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
    wait_until_gone(event);
}

/* ---- profiling ---- */

static void test_profiling(void **state) {
    const size_t size = 64;
    cl_ulong times[2][4];
    cl_event events[2];
    (void)state;
    cl_kernel kernel =
        fixture_kernel(&f, "__kernel void f(__global int *p) { p[get_global_id(0)] = get_global_id(0); }", "f");
    cl_mem buffer = fixture_buffer(&f, size * sizeof(int), NULL);
    assert_int_equal(f.cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), CL_SUCCESS);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &size, NULL, 0, NULL, &events[i]),
                         CL_SUCCESS);
    assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
    for (unsigned i = 0; i < 2; i++) {
        for (cl_uint k = 0; k < 4; k++) {
            assert_int_equal(f.cl->clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_QUEUED + k,
                                                           sizeof times[i][k], &times[i][k], NULL),
                             CL_SUCCESS);
            if (k > 0) assert_true(times[i][k] >= times[i][k - 1]);
        }
        f.cl->clReleaseEvent(events[i]);
    }
    /* Cycles at the device's clock: a whole number of its periods, the same for the same work. */
    const cl_ulong taken = times[0][3] - times[0][2];
    assert_true(taken > 0 && taken % 10 == 0);
    assert_int_equal(times[1][3] - times[1][2], taken);
    assert_true(times[1][2] >= times[0][3]);
    f.cl->clReleaseKernel(kernel);
    f.cl->clReleaseMemObject(buffer);
}

static void test_no_profiling(void **state) {
    const uint8_t one = 1;
    cl_ulong time;
    cl_int error;
    (void)state;
    cl_mem buffer = fixture_buffer(&f, 16, NULL);
    cl_command_queue queue = f.cl->clCreateCommandQueue(f.context, f.device[0], 0, &error);
    cl_event event = write_byte(queue, buffer, 0, &one, 0, NULL), own = f.cl->clCreateUserEvent(f.context, &error);
    assert_int_equal(f.cl->clFinish(queue), CL_SUCCESS);
    assert_int_equal(f.cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    assert_int_equal(f.cl->clGetEventProfilingInfo(own, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    f.cl->clReleaseEvent(own);
    f.cl->clReleaseEvent(event);
    f.cl->clReleaseCommandQueue(queue);
    f.cl->clReleaseMemObject(buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_ONE(test_order, &f),
        ON_ONE(test_barriers, &f),
        ON_ONE(test_failure_spreads, &f),
        ON_ONE(test_failures_behind, &f),
        ON_ONE(test_failures_seen, &f),
        ON_ONE(test_callbacks, &f),
        ON_ONE(test_calls_in_callback, &f),
        ON_ONE(test_profiling, &f),
        ON_ONE(test_no_profiling, &f),
    };
    fixture_open(&f, "model:16M,model:16M");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
