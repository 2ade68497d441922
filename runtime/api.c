/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatch table, and lookup by name for loaders. */
#include "api.h"

#include <string.h>

#include "platform.h"

#define API(name) .name = api_##name,
#define LATER     API
const struct _cl_icd_dispatch api_dispatch = {
#include "api.def"
};
#undef API
#undef LATER

typedef void function(void);

struct call {
    const char *name;
    function *address;
};

#define API(name) {#name, (function *)api_##name},
#define LATER     API
static const struct call CALLS[] = {
#include "api.def"
    {"clIcdGetPlatformIDsKHR", (function *)clIcdGetPlatformIDsKHR}
};
#undef API
#undef LATER

/* ISO C does not convert between object and function pointers; POSIX guarantees the same representation. */
void *api_find(const char *name) {
    void *address = NULL;
    for (size_t i = 0; name != NULL && i < sizeof CALLS / sizeof *CALLS; i++)
        if (strcmp(CALLS[i].name, name) == 0) memcpy(&address, &CALLS[i].address, sizeof address);
    return address;
}

void *CL_API_CALL api_clGetExtensionFunctionAddress(const char *name) { return api_find(name); }

void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) { return api_find(name); }

void *CL_API_CALL api_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
    return platform_of(platform) != NULL ? api_find(name) : NULL;
}
