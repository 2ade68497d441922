/* SPDX-License-Identifier: Apache-2.0 */
/* The platform, see platform.h. */
#include "platform.h"

#include <stdlib.h>
#include <string.h>

#include "../assembler/base/version.h"
#include "api.h"
#include "info.h"
#include "lock.h"
#include "program.h"

/* The process has one platform, whose devices contexts and threads share. */
static struct {
    pthread_once_t once;
    struct platform *platform;
    const struct platform *forks; /* between the handlers of a fork: the platform then, or NULL */
    bool is_quiet;
} process = {.once = PTHREAD_ONCE_INIT};

/* Only for a platform without all of its devices; the process keeps a complete one. */
static void destroy(void *object) {
    struct platform *p = object;
    for (unsigned i = 0; i < p->device_count; i++) object_drop(p->devices[i]);
    free(p);
}

/* "model, rtl:8" */
static bool add_devices(struct platform *p, const char *text) {
    while (*text != '\0') {
        const char *end = strchrnul(text, ',');
        char *one = strndup(text + strspn(text, " "), (size_t)(end - text) - strspn(text, " "));
        if (one == NULL) return false;
        while (*one != '\0' && one[strlen(one) - 1] == ' ') one[strlen(one) - 1] = '\0';
        const bool is_empty = *one == '\0';
        struct device *d = !is_empty && p->device_count < DEVICES_MAX ? device_create(one, p->device_count) : NULL;
        free(one);
        if (d != NULL) p->devices[p->device_count++] = d;
        if (d == NULL && !is_empty && p->device_count < DEVICES_MAX) return false;
        text = end + (*end == ',');
    }
    return true;
}

static bool is_busy(void) {
    const struct platform *p = process.platform;
    bool is_busy = false;
    for (unsigned i = 0; p != NULL && i < p->device_count; i++)
        is_busy = is_busy || atomic_load(&p->devices[i]->unfinished) > 0;
    return is_busy;
}

/* Handlers of fork. If commands are in progress, the child keeps only the devices. */
static void before_fork(void) {
    bool is_quiet = lock_block_others(is_busy);
    const struct platform *p = process.platform;
    for (unsigned i = 0; p != NULL && i < p->device_count; i++) is_quiet = device_pause(p->devices[i]) && is_quiet;
    process.forks = p;
    process.is_quiet = is_quiet;
}

static void after_fork_in_parent(void) {
    const struct platform *p = process.forks;
    for (unsigned i = 0; p != NULL && i < p->device_count; i++) device_resume(p->devices[i]);
    lock_unblock_others();
}

static void after_fork_in_child(void) {
    const struct platform *p = process.forks;
    for (unsigned i = 0; p != NULL && i < p->device_count; i++) device_after_fork(p->devices[i], process.is_quiet);
    lock_after_fork();
    object_after_fork(process.is_quiet);
    object_each(OBJECT_CONTEXT, context_after_fork);
    object_each(OBJECT_PROGRAM, program_after_fork);
}

__attribute__((constructor)) static void install_fork_handlers(void) {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void create_platform(void) {
    const char *text = getenv("WARPSTEP_DEVICES");
    struct platform *p = calloc(1, sizeof *p);
    if (p == NULL) return;
    if (!object_create(&p->object, OBJECT_PLATFORM, destroy))
        free(p);
    else if (add_devices(p, text != NULL && *text != '\0' ? text : "model"))
        process.platform = p;
    else
        object_drop(p);
}

struct platform *platform_get(void) {
    pthread_once(&process.once, create_platform);
    return process.platform;
}

/* Ends the threads before the process frees what they use. */
__attribute__((destructor)) static void stop(void) {
    struct platform *p = process.platform;
    for (unsigned i = 0; p != NULL && i < p->device_count; i++) device_stop(p->devices[i]);
}

struct platform *platform_of(cl_platform_id platform) {
    return platform == NULL ? platform_get() : object_of(platform, OBJECT_PLATFORM);
}

cl_int platform_select(const struct platform *p, cl_device_type type, struct device *devices[DEVICES_MAX],
                       unsigned *count) {
    const cl_device_type known = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                 CL_DEVICE_TYPE_CUSTOM | CL_DEVICE_TYPE_DEFAULT;
    *count = 0;
    if (type == ~(cl_device_type)0) type = CL_DEVICE_TYPE_ALL; /* as an int that is extended; OpenCV asks so */
    if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known) != 0)) return CL_INVALID_DEVICE_TYPE;
    const bool all = type == CL_DEVICE_TYPE_ALL || (type & CL_DEVICE_TYPE_GPU) != 0;
    const unsigned wanted = all ? p->device_count : (type & CL_DEVICE_TYPE_DEFAULT) != 0 && p->device_count > 0;
    for (; *count < wanted; (*count)++) devices[*count] = p->devices[*count];
    return *count > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

/* ---- calls ---- */

cl_int CL_API_CALL api_clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
    if ((room == 0 && platforms != NULL) || (platforms == NULL && count == NULL)) return CL_INVALID_VALUE;
    const struct platform *p = platform_get();
    if (p == NULL) return CL_OUT_OF_HOST_MEMORY;
    if (platforms != NULL) platforms[0] = object_handle(p);
    if (count != NULL) *count = 1;
    return CL_SUCCESS;
}

/* Called by loaders, which have a symbol of their own for the other. */
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
    return api_clGetPlatformIDs(room, platforms, count);
}

cl_int CL_API_CALL api_clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t room, void *value,
                                         size_t *size) {
    const struct info to = {room, value, size};
    if (platform_of(platform) == NULL) return CL_INVALID_PLATFORM;
    switch (name) {
    case CL_PLATFORM_PROFILE: return info_string(to, PLATFORM_PROFILE);
    case CL_PLATFORM_VERSION: return info_string(to, "OpenCL 1.2 Warpstep " WARPSTEP_VERSION);
    case CL_PLATFORM_NAME: return info_string(to, "Warpstep");
    case CL_PLATFORM_VENDOR: return info_string(to, PLATFORM_VENDOR);
    case CL_PLATFORM_EXTENSIONS: return info_string(to, "cl_khr_icd");
    case CL_PLATFORM_ICD_SUFFIX_KHR: return info_string(to, "WARPSTEP");
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL api_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *list,
                                      cl_uint *count) {
    const struct platform *p = platform_of(platform);
    struct device *devices[DEVICES_MAX];
    unsigned found;
    if (p == NULL) return CL_INVALID_PLATFORM;
    const cl_int error = platform_select(p, type, devices, &found);
    if (error == CL_INVALID_DEVICE_TYPE) return error;
    if ((room == 0 && list != NULL) || (list == NULL && count == NULL)) return CL_INVALID_VALUE;
    for (unsigned i = 0; list != NULL && i < found && i < room; i++) list[i] = object_handle(devices[i]);
    if (count != NULL) *count = found;
    return error;
}

cl_int CL_API_CALL api_clUnloadCompiler(void) { return CL_SUCCESS; }

cl_int CL_API_CALL api_clUnloadPlatformCompiler(cl_platform_id platform) {
    return platform_of(platform) != NULL ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
