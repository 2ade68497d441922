/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the programs of golden/ptx/draw on an NVIDIA chip, through its driver, which compiles PTX itself. Needs no CUDA
 * toolkit: it opens libcuda.so.1 at run time.
 *
 *     cc -O2 -o run_on_chip run_on_chip.c -ldl && ./run_on_chip LEVEL 1.ptx 2.ptx ...
 *
 * For N.ptx it reads N.args and the files named there, and writes N.chip. LEVEL is that of the driver's optimiser, 0 to
 * 4. Reports the programs that the driver refuses; the exit code is then 1. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t device_pointer;
typedef void *handle;

/* The part of the driver's interface in use. */
struct driver {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*name)(char *, int, int);
    int (*context)(handle *, int);
    int (*set_context)(handle);
    int (*load)(handle *, const void *, unsigned, int *, uintptr_t *);
    int (*unload)(handle);
    int (*function)(handle *, handle, const char *);
    int (*allocate)(device_pointer *, size_t);
    int (*release)(device_pointer);
    int (*upload)(device_pointer, const void *, size_t);
    int (*download)(void *, device_pointer, size_t);
    int (*launch)(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **,
                  void **);
    int (*synchronize)(void);
};

struct job {
    unsigned grid[3], block[3];
    char in[200];
    size_t out_bytes;
    uint32_t n;
};

static void die(const char *what, int code) {
    fprintf(stderr, "error: %s: %d\n", what, code);
    exit(2);
}

static void check(int code, const char *what) {
    if (code != 0) die(what, code);
}

static char *read_all(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    char *bytes = malloc(1 << 22);
    if (f == NULL || bytes == NULL) die(path, 0);
    *size = fread(bytes, 1, (1 << 22) - 1, f);
    bytes[*size] = 0;
    fclose(f);
    return bytes;
}

static void open_driver(struct driver *d) {
    static const char *const NAMES[] = {
        "cuInit",          "cuDeviceGet",        "cuDeviceGetName", "cuDevicePrimaryCtxRetain",
        "cuCtxSetCurrent", "cuModuleLoadDataEx", "cuModuleUnload",  "cuModuleGetFunction",
        "cuMemAlloc_v2",   "cuMemFree_v2",       "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2",
        "cuLaunchKernel",  "cuCtxSynchronize"};
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == NULL) die("libcuda.so.1", 0);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        void *address = dlsym(library, NAMES[i]);
        if (address == NULL) die(NAMES[i], 0);
        memcpy((char *)d + i * sizeof address, &address, sizeof address);
    }
}

/* The words of N.args. */
static void read_job(const char *path, struct job *job) {
    size_t size;
    char *text = read_all(path, &size);
    unsigned arguments = 0;
    *job = (struct job){
        .grid = {1, 1, 1},
          .block = {1, 1, 1}
    };
    for (char *name = strtok(text, " \n"); name != NULL; name = strtok(NULL, " \n")) {
        const char *value = strtok(NULL, " \n");
        if (value == NULL) break;
        if (strcmp(name, "--grid") == 0) sscanf(value, "%u,%u,%u", &job->grid[0], &job->grid[1], &job->grid[2]);
        if (strcmp(name, "--block") == 0) sscanf(value, "%u,%u,%u", &job->block[0], &job->block[1], &job->block[2]);
        if (strcmp(name, "--arg") != 0) continue;
        if (arguments == 0) snprintf(job->in, sizeof job->in, "%s", value);
        if (arguments == 1) sscanf(value, "zero:%zu", &job->out_bytes);
        if (arguments == 2) job->n = (uint32_t)strtoul(value, NULL, 0);
        arguments++;
    }
    free(text);
}

static int load_module(const struct driver *d, const char *path, unsigned level, handle *module) {
    enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6, OPTIMISATION = 7 };
    char log[2000] = "";
    size_t size;
    char *text = read_all(path, &size);
    int options[] = {ERROR_LOG, ERROR_LOG_BYTES, OPTIMISATION};
    uintptr_t values[] = {(uintptr_t)log, sizeof log, level};
    const int code = d->load(module, text, 3, options, values);
    if (code != 0) fprintf(stderr, "%s: refused (%d): %s\n", path, code, log);
    free(text);
    return code;
}

static void run_job(const struct driver *d, handle module, const struct job *job, const char *result) {
    handle function;
    device_pointer in, out;
    size_t size;
    char *input = read_all(job->in, &size);
    char *output = calloc(1, job->out_bytes + 1);
    uint32_t n = job->n;
    void *parameters[] = {&in, &out, &n};
    if (output == NULL) die("memory", 0);
    check(d->function(&function, module, "k"), "no kernel k");
    check(d->allocate(&in, size), "memory of the chip");
    check(d->allocate(&out, job->out_bytes), "memory of the chip");
    check(d->upload(in, input, size), "copy");
    check(d->upload(out, output, job->out_bytes), "copy");
    check(d->launch(function, job->grid[0], job->grid[1], job->grid[2], job->block[0], job->block[1], job->block[2], 0,
                    NULL, parameters, NULL),
          "launch");
    check(d->synchronize(), result);
    check(d->download(output, out, job->out_bytes), "copy");
    FILE *f = fopen(result, "wb");
    if (f == NULL || fwrite(output, 1, job->out_bytes, f) != job->out_bytes || fclose(f) != 0) die(result, 0);
    d->release(in);
    d->release(out);
    free(input);
    free(output);
}

int main(int argc, char **argv) {
    struct driver d;
    int device, refused = 0;
    handle context, module;
    char name[100];
    if (argc < 3) die("usage: run_on_chip LEVEL FILE.ptx...", 0);
    open_driver(&d);
    check(d.init(0), "cuInit");
    check(d.device(&device, 0), "no device");
    check(d.name(name, sizeof name, device), "name");
    check(d.context(&context, device), "context");
    check(d.set_context(context), "context");
    for (int k = 2; k < argc; k++) {
        char path[300];
        struct job job;
        const int stem = (int)strlen(argv[k]) - 4;
        snprintf(path, sizeof path, "%.*s.args", stem, argv[k]);
        read_job(path, &job);
        if (load_module(&d, argv[k], (unsigned)atoi(argv[1]), &module) != 0) {
            refused = 1;
            continue;
        }
        snprintf(path, sizeof path, "%.*s.chip", stem, argv[k]);
        run_job(&d, module, &job, path);
        d.unload(module);
    }
    printf("%s\n", name);
    return refused;
}
