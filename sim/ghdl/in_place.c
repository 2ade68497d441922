// SPDX-License-Identifier: Apache-2.0
// Memory for `ghdl --synth` whose blocks grow without moving. ghdl 2.0 writes to an entry of a table at its old address
// after the table has grown. Where that moved it, an assignment to a part of a variable is lost, and the Verilog is
// wrong without a message (docs/evidence/toolchain.md). verilog.sh loads this before the C library (LD_PRELOAD).
//
// Each block of a page or more has a gigabyte of addresses of its own, or less where addresses are limited (ulimit -v);
// 32 cores take 140 blocks of up to 8 MB. If that is not enough, ghdl ends with an error. The system gives memory
// where it is written; one that counts what might be (vm.overcommit_memory=2) is asked for what a block has alone.
// ghdl has one thread: there are no locks.
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's names of its own functions
void *__libc_malloc(size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// Chunks of ghdl's memory pools have 16,400 bytes. They never grow, and 64 MB of global memory take 110,000.
enum { LEAST_OPEN = 65536, LARGE = 4096, POOL_CHUNK = 16400, MOST_SLOTS = 16384, LEAST_SLOTS = 256 };
static const size_t LEAST_SIZE = (size_t)8 << 20;

static char *slots;    // the addresses, once there is a large block
static bool is_memory; // all of them; else what open_slot makes memory of, as the system counts what is writable
static unsigned slot_count = MOST_SLOTS;
static size_t slot_size = (size_t)1 << 30;
static size_t open_bytes[MOST_SLOTS];   // that are memory, from the slot's begin
static unsigned taken;                  // slots that have been used
static unsigned free_slots[MOST_SLOTS]; // those of them that are free again
static unsigned free_count;

static void fail(const char *text) {
    static const char NAME[] = "in_place.c: ", HELP[] = "; raise or lift the limit of addresses (ulimit -v)\n";
    ssize_t ignored = write(STDERR_FILENO, NAME, sizeof NAME - 1);
    ignored += write(STDERR_FILENO, text, strlen(text));
    ignored += write(STDERR_FILENO, HELP, sizeof HELP - 1);
    _exit(ignored < 0 ? 3 : 2);
}

// Half of what the process may have: the other half is for all else.
static size_t most_addresses(void) {
    struct rlimit limit;
    const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return is_limited ? limit.rlim_cur / 2 : SIZE_MAX;
}

static void reserve(void) {
    const size_t most = most_addresses();
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    for (;;) {
        const size_t size = slot_count * slot_size;
        void *place = size <= most ? mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0) : MAP_FAILED;
        is_memory = place != MAP_FAILED;
        if (!is_memory && size <= most) place = mmap(NULL, size, PROT_NONE, flags, -1, 0);
        if (place != MAP_FAILED) {
            slots = place;
            return;
        }
        if (slot_count > LEAST_SLOTS)
            slot_count /= 2;
        else if (slot_size > LEAST_SIZE)
            slot_size /= 2;
        else
            fail("no 2 GB of addresses");
    }
}

// Makes memory of the slot's first bytes, twice as many as the block has: ghdl also uses bytes behind a table's end.
static void open_slot(unsigned slot, size_t size) {
    if (size > slot_size) fail("a block is too large");
    size = (2 * size + LEAST_OPEN - 1) / LEAST_OPEN * LEAST_OPEN;
    if (size > slot_size) size = slot_size;
    if (is_memory) size = slot_size;
    if (size <= open_bytes[slot]) return;
    open_bytes[slot] = size;
    if (is_memory) return;
    if (mprotect(slots + slot * slot_size, size, PROT_READ | PROT_WRITE) != 0) fail("no memory for a block");
}

static void *take_slot(size_t size) {
    if (slots == NULL) reserve();
    if (free_count == 0 && taken == slot_count) fail("too many large blocks");
    const unsigned slot = taken < slot_count ? taken++ : free_slots[--free_count];
    open_slot(slot, size);
    return slots + slot * slot_size;
}

static bool is_slot(const void *block) {
    return slots != NULL && (const char *)block >= slots && (const char *)block < slots + slot_count * slot_size;
}

static unsigned slot_of(const void *block) { return (unsigned)((size_t)((const char *)block - slots) / slot_size); }

void *malloc(size_t size) { return size < LARGE || size == POOL_CHUNK ? __libc_malloc(size) : take_slot(size); }

void *realloc(void *block, size_t size) {
    if (block == NULL) return malloc(size);
    if (is_slot(block)) {
        open_slot(slot_of(block), size);
        return block;
    }
    if (size < LARGE) return __libc_realloc(block, size);
    void *larger = take_slot(size);
    const size_t had = malloc_usable_size(block);
    memcpy(larger, block, had < size ? had : size);
    __libc_free(block);
    return larger;
}

// The slot stays open, and others are taken first: ghdl may still write to a block that it has given back.
void free(void *block) {
    if (!is_slot(block)) {
        __libc_free(block);
        return;
    }
    const unsigned slot = slot_of(block);
    madvise(slots + slot * slot_size, open_bytes[slot], MADV_DONTNEED);
    free_slots[free_count++] = slot;
}
