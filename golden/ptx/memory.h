/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that records, for each byte, whether it was written, and the threads that accessed it. */
#ifndef GOLDEN_PTX_MEMORY_H
#define GOLDEN_PTX_MEMORY_H

#include "ptx.h"

/* Bits, with a mask of the defined ones. */
struct value {
    uint64_t bits, known;
};

/* A thread between two barriers of its block. */
struct visitor {
    uint32_t block, thread, phase;
};

#define NOBODY 0xffffffffu
#define MANY   0xfffffffeu

/* Of a byte: its last writer and its readers. */
struct shadow {
    struct visitor writer, reader;
    bool by_atomic;
};

struct region {
    const char *name;
    enum space space;
    uint64_t address, size;
    uint8_t *bytes, *known;
    struct shadow *shadows; /* NULL if only one thread has access */
};

/* Zeroed, undefined. False if out of memory. */
bool region_create(struct region *region, const char *name, enum space space, uint64_t address, uint64_t size,
                   bool shared);
void region_free(struct region *region);
void region_define(struct region *region, bool defined); /* all of it */

/* `at` is an offset; the caller has checked the range. */
struct value region_load(const struct region *region, uint64_t at, unsigned bytes);
void region_store(struct region *region, uint64_t at, unsigned bytes, struct value value);

enum access { READS, WRITES, ATOMIC };
/* False if another thread's access is not ordered with this one, and one of them writes. */
bool region_visit(struct region *region, uint64_t at, unsigned bytes, const struct visitor *visitor,
                  enum access access);

#endif
