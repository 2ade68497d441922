/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/opencl/host.h"

#include <stdio.h>
#include <stdlib.h>

void check(cl_int status, const char *call) {
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "%s: error %d\n", call, status);
    exit(2);
}

static cl_device_id first_device(void) {
    cl_uint count = 0;
    cl_platform_id platforms[16];
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; i++) {
        cl_device_id device = NULL;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) return device;
    }
    fprintf(stderr, "there is no device\n");
    exit(2);
}

static void CL_CALLBACK say_error(const char *text, const void *data, size_t bytes, void *user) {
    (void)data, (void)bytes, (void)user;
    fprintf(stderr, "%s\n", text);
}

void host_open(struct host *host, cl_command_queue_properties properties) {
    host->device = first_device();
    char name[256];
    check(clGetDeviceInfo(host->device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    printf("device: %s\n", name);
    cl_int status = CL_SUCCESS;
    host->context = clCreateContext(NULL, 1, &host->device, say_error, NULL, &status);
    check(status, "clCreateContext");
    host->queue = clCreateCommandQueue(host->context, host->device, properties, &status);
    check(status, "clCreateCommandQueue");
}

void host_close(struct host *host) {
    check(clFinish(host->queue), "clFinish");
    check(clReleaseCommandQueue(host->queue), "clReleaseCommandQueue");
    check(clReleaseContext(host->context), "clReleaseContext");
}

static char *read_text(const char *file) {
    FILE *in = fopen(file, "rb");
    if (!in || fseek(in, 0, SEEK_END)) {
        perror(file);
        exit(2);
    }
    const size_t bytes = (size_t)ftell(in);
    char *text = host_memory(bytes + 1);
    rewind(in);
    if (fread(text, 1, bytes, in) != bytes) {
        perror(file);
        exit(2);
    }
    text[bytes] = '\0';
    fclose(in);
    return text;
}

static void show_log(cl_program program, cl_device_id device) {
    size_t bytes = 0;
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes), "clGetProgramBuildInfo");
    char *log = host_memory(bytes + 1);
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL), "clGetProgramBuildInfo");
    log[bytes] = '\0';
    fprintf(stderr, "%s\n", log);
    free(log);
}

cl_program host_build(const struct host *host, const char *file, const char *options) {
    char *text = read_text(file);
    const char *source = text;
    cl_int status = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(host->context, 1, &source, NULL, &status);
    free(text);
    check(status, "clCreateProgramWithSource");
    status = clBuildProgram(program, 1, &host->device, options, NULL, NULL);
    if (status != CL_SUCCESS) show_log(program, host->device);
    check(status, "clBuildProgram");
    return program;
}

cl_kernel host_kernel(cl_program program, const char *name) {
    cl_int status = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, "clCreateKernel");
    return kernel;
}

cl_mem host_buffer(const struct host *host, cl_mem_flags flags, size_t bytes, void *data) {
    cl_int status = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(host->context, flags, bytes, data, &status);
    check(status, "clCreateBuffer");
    return buffer;
}

void host_argument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
    check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

void host_buffer_argument(cl_kernel kernel, cl_uint index, cl_mem buffer) {
    host_argument(kernel, index, sizeof(cl_mem), &buffer);
}

static cl_ulong moment(cl_event event, cl_profiling_info which) {
    cl_ulong nanoseconds = 0;
    check(clGetEventProfilingInfo(event, which, sizeof nanoseconds, &nanoseconds, NULL), "clGetEventProfilingInfo");
    return nanoseconds;
}

double host_milliseconds(cl_event first, cl_event last) {
    return (double)(moment(last, CL_PROFILING_COMMAND_END) - moment(first, CL_PROFILING_COMMAND_START)) * 1e-6;
}

size_t host_size(int argc, char **argv, size_t otherwise) {
    if (argc < 2) return otherwise;
    char *end = NULL;
    const unsigned long size = strtoul(argv[1], &end, 10);
    if (*end || !size) {
        fprintf(stderr, "usage: %s [SIZE [FILE]]\n", argv[0]);
        exit(2);
    }
    return size;
}

int host_finish(int argc, char **argv, const char *name, const void *results, size_t bytes, bool right) {
    const unsigned char *byte = results;
    uint32_t sum = 2166136261U; /* FNV-1a */
    for (size_t i = 0; i < bytes; i++) sum = (sum ^ byte[i]) * 16777619U;
    printf("%s: checksum %08x, %s\n", name, sum, right ? "right" : "WRONG");
    if (argc > 2) {
        FILE *out = fopen(argv[2], "wb");
        const bool written = out && fwrite(results, 1, bytes, out) == bytes;
        if ((out && fclose(out)) || !written) {
            perror(argv[2]);
            return 2;
        }
    }
    return right ? 0 : 1;
}

uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

float next_real(uint32_t *state, float low, float high) {
    return low + (high - low) * ((float)(next_random(state) >> 8) / 16777216.0f);
}

void *host_memory(size_t bytes) {
    void *memory = malloc(bytes);
    if (!memory) {
        perror("malloc");
        exit(2);
    }
    return memory;
}
