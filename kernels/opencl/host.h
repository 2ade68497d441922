/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that each OpenCL program begins and ends with: a queue on the first device, a program built from a file,
 * its kernels and buffers, times of events, a file of results. An error of OpenCL ends the program with its text.
 *
 *     struct host host;
 *     host_open(&host, CL_QUEUE_PROFILING_ENABLE);
 *     cl_program program = host_build(&host, "kernels/opencl/vecadd.cl", "");
 *     ...
 *     host_close(&host); */
#ifndef KERNELS_OPENCL_HOST_H
#define KERNELS_OPENCL_HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

/* Ends the program with exit code 2 unless status is CL_SUCCESS; says which call failed. */
void check(cl_int status, const char *call);

/* A context and a queue on the first device of the first platform that has one. Prints its name. */
void host_open(struct host *host, cl_command_queue_properties properties);
void host_close(struct host *host);

/* A program of one file, whose name is relative to the working directory. Where it does not build, its log is shown. */
cl_program host_build(const struct host *host, const char *file, const char *options);
cl_kernel host_kernel(cl_program program, const char *name);
/* A buffer; flags as clCreateBuffer takes them. */
cl_mem host_buffer(const struct host *host, cl_mem_flags flags, size_t bytes, void *data);
/* Sets one argument; value is NULL for local memory. */
void host_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);
void host_buffer_argument(cl_kernel kernel, cl_uint index, cl_mem buffer);

/* Milliseconds of the device between the start of one event and the end of another, which may be the same. */
double host_milliseconds(cl_event first, cl_event last);

/* Returns the number of a command line argument, or a default. */
size_t host_size(int argc, char **argv, size_t otherwise);
/* Writes the results to the file that argv[2] names, if there is one; prints their checksum; the exit code of main. */
int host_finish(int argc, char **argv, const char *name, const void *results, size_t bytes, bool right);

/* The next of a sequence of numbers, never 0; state begins with any number but 0 (xorshift32, Marsaglia 2003). */
uint32_t next_random(uint32_t *state);
/* Returns the next random number from low to high. */
float next_real(uint32_t *state, float low, float high);
/* Allocates memory, or ends the program. */
void *host_memory(size_t bytes);

#endif
