/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into a tool (LD_PRELOAD), makes its FAIL_AT-th allocation fail, and with FAIL_ALL=1 all later ones,
 * including those of the C library and of libelf. Reports it by a byte on descriptor 9. Counting begins just before the
 * tool's main. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { TELL_FD = 9 };

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's names of its own functions */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static atomic_long left; /* calls until the failing one; 0: not begun, or over */
static atomic_bool all;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAIL_AT"), *every = getenv("FAIL_ALL");
    atomic_store(&all, every != NULL && every[0] == '1');
    if (at != NULL) atomic_store(&left, atol(at));
}

static bool fails(void) {
    const long now = atomic_load(&left);
    if (now == 0) return false;
    if (now > 1) {
        atomic_store(&left, now - 1);
        return false;
    }
    if (!atomic_load(&all)) atomic_store(&left, 0);
    errno = ENOMEM;
    return write(TELL_FD, "x", 1) <= 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
