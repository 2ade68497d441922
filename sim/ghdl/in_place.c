// SPDX-License-Identifier: Apache-2.0
// Memory for `ghdl --synth` whose blocks grow without moving. ghdl 2.0 writes to an entry of a table at its old address
// after the table has grown. Where that moved it, an assignment to a part of a variable is lost, and the Verilog is
// wrong without a message (docs/evidence/toolchain.md). verilog.sh loads this before the C library (LD_PRELOAD).
//
// Each block of a page or more has a gigabyte of addresses of its own. The system gives memory where it is written.
// ghdl has one thread: there are no locks.
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's names of its own functions
void *__libc_malloc(size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// Chunks of ghdl's memory pools have 16,400 bytes. They never grow, and 64 MB of global memory take 110,000.
enum { LARGE = 4096, POOL_CHUNK = 16400, SLOTS = 16384 };
#define SLOT_SIZE ((size_t)1 << 30)

static char *slots;                // the addresses, once there is a large block
static unsigned taken;             // slots that have been used
static unsigned free_slots[SLOTS]; // those of them that are free again
static unsigned free_count;

static void fail(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    _exit(ignored < 0 ? 3 : 2);
}

// NULL if all are taken.
static void *take_slot(void) {
    if (slots == NULL) {
        slots =
            mmap(NULL, SLOTS * SLOT_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (slots == MAP_FAILED) fail("in_place.c: no 16 TB of addresses\n");
    }
    if (free_count > 0) return slots + free_slots[--free_count] * SLOT_SIZE;
    return taken < SLOTS ? slots + taken++ * SLOT_SIZE : NULL;
}

static bool is_slot(const void *block) {
    return slots != NULL && (const char *)block >= slots && (const char *)block < slots + SLOTS * SLOT_SIZE;
}

void *malloc(size_t size) {
    void *slot = size < LARGE || size == POOL_CHUNK || size > SLOT_SIZE ? NULL : take_slot();
    return slot != NULL ? slot : __libc_malloc(size);
}

void *realloc(void *block, size_t size) {
    if (block == NULL) return malloc(size);
    if (is_slot(block) && size > SLOT_SIZE) fail("in_place.c: a block of over 1 GB\n");
    if (is_slot(block)) return block;
    void *larger = size < LARGE || size > SLOT_SIZE ? NULL : take_slot();
    if (larger == NULL) return __libc_realloc(block, size);
    memcpy(larger, block, malloc_usable_size(block));
    __libc_free(block);
    return larger;
}

void free(void *block) {
    if (!is_slot(block)) {
        __libc_free(block);
        return;
    }
    size_t slot = (size_t)((char *)block - slots) / SLOT_SIZE;
    madvise(slots + slot * SLOT_SIZE, SLOT_SIZE, MADV_DONTNEED);
    free_slots[free_count++] = (unsigned)slot;
}
