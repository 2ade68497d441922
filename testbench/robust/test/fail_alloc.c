/* SPDX-License-Identifier: Apache-2.0 */
#include "fail_alloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The single test in progress: the wrapped calls carry no handle. */
static struct {
    bool armed, failed;
    unsigned long left; /* calls until the failing one */
    enum fail_alloc_mode mode;
} plan;

void fail_alloc_arm(unsigned long k, enum fail_alloc_mode mode) {
    plan.armed = true;
    plan.failed = false;
    plan.left = k;
    plan.mode = mode;
}

bool fail_alloc_disarm(void) {
    plan.armed = false;
    return plan.failed;
}

static bool fails(void) {
    if (!plan.armed || (plan.failed && plan.mode == FAIL_ONCE)) return false;
    if (!plan.failed && --plan.left > 0) return false;
    plan.failed = true;
    errno = ENOMEM;
    return true;
}

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker defines these names */
#define WRAP(type, name, parameters, arguments) \
    type __real_##name parameters;              \
    type __wrap_##name parameters;              \
    type __wrap_##name parameters { return fails() ? NULL : __real_##name arguments; }
WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, realloc, (void *old, size_t size), (old, size))
WRAP(char *, strdup, (const char *text), (text))
WRAP(char *, strndup, (const char *text, size_t size), (text, size))
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAP(FILE *, fdopen, (int fd, const char *mode), (fd, mode))
WRAP(FILE *, fmemopen, (void *text, size_t size, const char *mode), (text, size, mode))
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
