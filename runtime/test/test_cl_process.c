/* SPDX-License-Identifier: Apache-2.0 */
/* Processes: one that ends while a command runs, and the child of a fork. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "opencl/fixture.h"

enum { PATIENCE = 60 /* seconds */, TOLD = 9, RIGHT = 3, WRONG = 4 };

static struct fixture f;

static int end_of(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void CL_CALLBACK be_told(const char *text, const void *data, size_t size, void *context) {
    (void)text, (void)data, (void)size, (void)context;
    _exit(TOLD);
}

static void CL_CALLBACK be_called(cl_event event, cl_int status, void *data) {
    (void)event, (void)status, (void)data;
    _exit(TOLD);
}

static void print_one(void) {
    const size_t size = 1;
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(void) { printf(\"one\\n\"); }", "f");
    assert_non_null(freopen("/dev/null", "w", stdout));
    f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
    assert_int_equal(f.cl->clFinish(f.queue), CL_SUCCESS);
}

/* Begins a launch that never ends, after one that prints where asked. */
static void spin(bool prints) {
    const size_t size = 32;
    cl_event event;
    cl_int error = CL_SUCCESS, status = CL_QUEUED;
    alarm(PATIENCE);
    fixture_open(&f, "model:16M,model:16M");
    f.context = f.cl->clCreateContext(NULL, 1, f.device, be_told, NULL, &error);
    f.queue = f.cl->clCreateCommandQueue(f.context, f.device[0], 0, &error);
    if (prints) print_one();
    cl_mem buffer = f.cl->clCreateBuffer(f.context, 0, 4, NULL, &error);
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(__global volatile int *p) { for (;;) p[0]++; }", "f");
    f.cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer);
    f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event);
    f.cl->clSetEventCallback(event, CL_COMPLETE, be_called, NULL);
    while (status != CL_RUNNING)
        f.cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
}

static void leave(void) {
    spin(false);
    exit(RIGHT);
}

static void test_end(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) leave();
    assert_int_equal(end_of(child), RIGHT);
}

/* Destructors with a priority are after those without, as the driver's is. */
static bool is_late;
__attribute__((destructor(101))) static void enqueue_late(void) {
    if (!is_late) return;
    const cl_int error = f.cl->clEnqueueMarkerWithWaitList(f.queue, 0, NULL, NULL);
    _exit(error == CL_OUT_OF_RESOURCES && f.cl->clFinish(f.queue) == CL_SUCCESS ? RIGHT : WRONG);
}

/* Its device has had a command, and more come when it is closed. */
static void leave_late(void) {
    alarm(PATIENCE);
    fixture_open(&f, "model:16M,model:16M");
    fixture_open_context(&f, 1);
    f.cl->clEnqueueMarkerWithWaitList(f.queue, 0, NULL, NULL);
    f.cl->clFinish(f.queue);
    is_late = true;
    exit(WRONG);
}

static void test_late(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) leave_late();
    assert_int_equal(end_of(child), RIGHT);
}

static cl_int add_one(cl_kernel kernel, cl_mem buffer) {
    const size_t size = 1;
    cl_int number = -1;
    f.cl->clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer);
    if (f.cl->clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) != CL_SUCCESS) return -1;
    f.cl->clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL);
    return number;
}

/* Each has the memory as it was then. */
static void test_fork(void **state) {
    const cl_int number = 5;
    (void)state;
    fixture_open(&f, "model:16M,model:16M");
    fixture_open_context(&f, 1);
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(__global int *p) { p[0]++; }", "f");
    cl_mem buffer = fixture_buffer(&f, sizeof number, &number);
    assert_int_equal(add_one(kernel, buffer), 6);
    const pid_t child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        const cl_int first = add_one(kernel, buffer), second = add_one(kernel, buffer);
        _exit(first == 7 && second == 8 ? RIGHT : WRONG);
    }
    assert_int_equal(end_of(child), RIGHT);
    assert_int_equal(add_one(kernel, buffer), 7);
    assert_int_equal(f.cl->clReleaseKernel(kernel), CL_SUCCESS);
    assert_int_equal(f.cl->clReleaseMemObject(buffer), CL_SUCCESS);
    fixture_close_context(&f);
}

/* Objects from before are gone, and calls say so; a new context has a device of its own. */
static void begin_anew(void) {
    const cl_int number = 5;
    alarm(PATIENCE);
    assert_int_equal(f.cl->clFinish(f.queue), CL_INVALID_COMMAND_QUEUE);
    assert_int_equal(f.cl->clReleaseContext(f.context), CL_INVALID_CONTEXT);
    fixture_open_context(&f, 2);
    cl_kernel kernel = fixture_kernel(&f, "__kernel void f(__global int *p) { p[0]++; }", "f");
    cl_mem buffer = fixture_buffer(&f, sizeof number, &number);
    const cl_int first = add_one(kernel, buffer);
    _exit(first == 6 && add_one(kernel, buffer) == 7 ? RIGHT : WRONG); /* the leak check would find what it inherits */
}

/* What is printed has a place of its own on the new device. */
static void print_anew(void) {
    enum { BYTES = 12 << 20 };
    const char pattern = 5;
    alarm(PATIENCE);
    fixture_open_context(&f, 1);
    cl_mem buffer = fixture_buffer(&f, BYTES, NULL);
    f.cl->clEnqueueFillBuffer(f.queue, buffer, &pattern, sizeof pattern, 0, BYTES, 0, NULL, NULL);
    print_one();
    char *bytes = malloc(BYTES);
    fixture_read(&f, buffer, bytes, BYTES);
    size_t same = 0;
    while (same < BYTES && bytes[same] == pattern) same++;
    free(bytes);
    _exit(same == BYTES ? RIGHT : WRONG);
}

static void fork_busy_after_print(void) {
    spin(true);
    const pid_t child = fork();
    if (child == 0) print_anew();
    exit(end_of(child));
}

static void test_fork_printed(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) fork_busy_after_print();
    assert_int_equal(end_of(child), RIGHT);
}

/* Forks while its launch runs. */
static void fork_busy(void) {
    spin(false);
    const pid_t child = fork();
    if (child == 0) begin_anew();
    exit(end_of(child));
}

static void test_fork_busy(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) fork_busy();
    assert_int_equal(end_of(child), RIGHT);
}

/* ---- forks while other threads are in calls ---- */

enum { FORKS = 40 };

/* The allocators of sanitizers, unlike the C library's, may be locked for ever in the child of a fork that comes while
 * another thread allocates. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED true
#endif
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

struct calls {
    cl_kernel kernel;
    cl_mem buffer;
    cl_event gate;
    cl_program program; /* that is built all the time */
    atomic_bool ends;
    atomic_int rounds;
};

/* Takes and gives back all kinds of locks, without a command. */
static void *make_and_release(void *argument) {
    struct calls *c = argument;
    const char *source = "__kernel void g(__global int *p) {}";
    while (!atomic_load(&c->ends)) {
        cl_int error;
        cl_mem buffer = f.cl->clCreateBuffer(f.context, 0, 1 << 20, NULL, &error);
        cl_program program = f.cl->clCreateProgramWithSource(f.context, 1, &source, NULL, &error);
        cl_event event = f.cl->clCreateUserEvent(f.context, &error);
        f.cl->clSetKernelArg(c->kernel, 0, sizeof(cl_mem), &c->buffer);
        f.cl->clSetUserEventStatus(event, CL_COMPLETE);
        f.cl->clReleaseEvent(event);
        f.cl->clReleaseProgram(program);
        f.cl->clReleaseMemObject(buffer);
        atomic_fetch_add(&c->rounds, 1);
    }
    return NULL;
}

static void *wait_for_gate(void *argument) {
    const struct calls *c = argument;
    f.cl->clWaitForEvents(1, &c->gate);
    return NULL;
}

static void *build(void *argument) {
    struct calls *c = argument;
    while (!atomic_load(&c->ends)) {
        f.cl->clBuildProgram(c->program, 0, NULL, NULL, NULL, NULL);
        atomic_fetch_add(&c->rounds, 1);
    }
    return NULL;
}

/* Uses all objects of the parent. */
static void use_all(const struct calls *c, cl_int expected) {
    const size_t size = 1 << 20;
    cl_int error;
    alarm(PATIENCE);
    const cl_int number = add_one(c->kernel, c->buffer);
    cl_mem buffer = f.cl->clCreateBuffer(f.context, 0, size, NULL, &error);
    error |= f.cl->clReleaseMemObject(buffer);
    error |= f.cl->clSetUserEventStatus(c->gate, CL_COMPLETE) | f.cl->clWaitForEvents(1, &c->gate);
    error |= f.cl->clBuildProgram(c->program, 0, NULL, NULL, NULL, NULL) | f.cl->clFinish(f.queue);
    _exit(error == CL_SUCCESS && number == expected ? RIGHT : WRONG);
}

static void fork_often(void *(*work)(void *)) {
    const char *source = "__kernel void g(__global int *p) { p[1]++; }";
    const cl_int number = 5;
    pthread_t threads[2];
    struct calls c = {0};
    cl_int error;
    if (IS_SANITIZED) skip();
    fixture_open(&f, "model:16M,model:16M");
    fixture_open_context(&f, 1);
    c.kernel = fixture_kernel(&f, "__kernel void f(__global int *p) { p[0]++; }", "f");
    c.buffer = fixture_buffer(&f, sizeof number, &number);
    c.gate = f.cl->clCreateUserEvent(f.context, &error);
    c.program = f.cl->clCreateProgramWithSource(f.context, 1, &source, NULL, &error);
    assert_int_equal(add_one(c.kernel, c.buffer), 6);
    assert_int_equal(pthread_create(&threads[0], NULL, work, &c), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, wait_for_gate, &c), 0);
    while (atomic_load(&c.rounds) == 0) sched_yield();
    for (int i = 0; i < FORKS; i++) {
        const pid_t child = fork();
        if (child == 0) use_all(&c, 7);
        assert_int_equal(end_of(child), RIGHT);
    }
    atomic_store(&c.ends, true);
    assert_int_equal(f.cl->clSetUserEventStatus(c.gate, CL_COMPLETE), CL_SUCCESS);
    for (unsigned i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert_int_equal(add_one(c.kernel, c.buffer), 7);
    f.cl->clReleaseProgram(c.program);
    f.cl->clReleaseEvent(c.gate);
    f.cl->clReleaseKernel(c.kernel);
    f.cl->clReleaseMemObject(c.buffer);
    fixture_close_context(&f);
}

static void test_fork_calls(void **state) {
    (void)state;
    fork_often(make_and_release);
}

static void test_fork_builds(void **state) {
    (void)state;
    fork_often(build);
}

/* All but the last three leave before this process has a platform. */
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_end),        cmocka_unit_test(test_late),
                                       cmocka_unit_test(test_fork_busy),  cmocka_unit_test(test_fork_printed),
                                       cmocka_unit_test(test_fork),       cmocka_unit_test(test_fork_calls),
                                       cmocka_unit_test(test_fork_builds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
