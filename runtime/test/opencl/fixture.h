/* SPDX-License-Identifier: Apache-2.0 */
/* A context of ours with a queue, for tests; calls go through the table that every object begins with, as loaders do
 * it. */
#ifndef WARPSTEP_TEST_OPENCL_FIXTURE_H
#define WARPSTEP_TEST_OPENCL_FIXTURE_H

#include "../../cl.h"

struct fixture {
    const struct _cl_icd_dispatch *cl;
    cl_platform_id platform;
    cl_device_id device[2];
    cl_context context;
    cl_command_queue queue; /* of device 0, in order, with profiling */
    char told[4096];        /* what the context was told last */
};

/* The platform with two devices; sets WARPSTEP_DEVICES to `devices`, which counts in the first call of a process. */
void fixture_open(struct fixture *f, const char *devices);

/* A context with one or two of the devices. */
void fixture_open_context(struct fixture *f, unsigned device_count);
void fixture_close_context(struct fixture *f);

/* Set-up with one device, with both, and teardown of a test of cmocka whose first state is the fixture:
 *     ON_ONE(test_copies, &f), ON_TWO(test_two_devices, &f) */
int fixture_set_up_one(void **state);
int fixture_set_up_two(void **state);
int fixture_tear_down(void **state);
#define ON_ONE(test, f) cmocka_unit_test_prestate_setup_teardown(test, fixture_set_up_one, fixture_tear_down, f)
#define ON_TWO(test, f) cmocka_unit_test_prestate_setup_teardown(test, fixture_set_up_two, fixture_tear_down, f)

/* A program of a source, not built. */
cl_program fixture_program(struct fixture *f, const char *source);

/* The build log of the first device. */
void fixture_log(struct fixture *f, cl_program program, char *log, size_t size);

/* A program that is built, with its log on standard error where that fails. */
cl_program fixture_build(struct fixture *f, const char *source, const char *options);

/* A kernel of a source, whose program goes with it. */
cl_kernel fixture_kernel(struct fixture *f, const char *source, const char *name);

/* Sets a buffer as an argument; enqueues a range of the kernel on the fixture's queue. */
void fixture_set_buffer(struct fixture *f, cl_kernel kernel, cl_uint number, cl_mem buffer);
cl_int fixture_enqueue(struct fixture *f, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                       const size_t *global, const size_t *local);

cl_mem fixture_buffer(struct fixture *f, size_t size, const void *bytes);
void fixture_read(struct fixture *f, cl_mem buffer, void *bytes, size_t size);

/* Standard output goes to a file, until it is taken: what was written, without a flush here, by malloc. */
void fixture_catch_output(void);
char *fixture_caught(void);

#endif
