/* SPDX-License-Identifier: Apache-2.0 */
/* See machine.h: memory, and the blocks of a launch. */
#include "thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t aligned(uint64_t at, uint64_t align) { return (at + align - 1) / align * align; }

/* -------------------------------------------------------------------------------------------------------- memory */

static struct region *add_region(struct machine *m, const char *name, enum space space, uint64_t size, uint64_t align) {
    if (m->region_count == m->region_room) {
        const size_t room = m->region_room == 0 ? 16 : 2 * m->region_room;
        struct region *more = realloc(m->regions, room * sizeof *more);
        if (more == NULL) return NULL;
        m->regions = more;
        m->region_room = room;
    }
    struct region *r = &m->regions[m->region_count];
    const uint64_t address = aligned(m->next_address, align > 256 ? align : 256);
    if (size > 0xf0000000 - address || !region_create(r, name, space, address, size, space == GLOBAL)) return NULL;
    m->region_count++;
    m->next_address = address + size + 256;
    region_define(r, true);
    return r;
}

static bool add_variables(struct machine *m) {
    for (struct variable *v = m->module->variables; v != NULL; v = v->next) {
        if (v->space != GLOBAL && v->space != CONSTANT) continue;
        struct region *r = add_region(m, v->name, v->space, v->bytes, v->align);
        if (r == NULL) return false;
        v->address = r->address;
        if (v->initial != NULL) memcpy(r->bytes, v->initial, v->bytes);
    }
    size_t k = 0;
    for (struct variable *v = m->module->variables; v != NULL; v = v->next) {
        if (v->space != GLOBAL && v->space != CONSTANT) continue;
        struct region *r = &m->regions[k++];
        for (const struct fixup *f = v->fixups; f != NULL; f = f->next)
            region_store(r, f->offset, f->bytes, all_known(f->target->address + (uint64_t)f->addend));
    }
    return true;
}

struct machine *machine_create(const struct module *module, struct problem *problem) {
    struct machine *m = calloc(1, sizeof *m);
    if (m == NULL) abort();
    m->module = module;
    m->problem = problem;
    m->next_address = FIRST_ADDRESS;
    m->dynamic_shared = m->shared_top = aligned(module->shared_bytes, 16);
    if (add_variables(m)) return m;
    snprintf(problem->text, sizeof problem->text, "%.100s: error: no room for its variables\n", module->file);
    machine_free(m);
    return NULL;
}

void machine_free(struct machine *m) {
    if (m == NULL) return;
    for (size_t i = 0; i < m->region_count; i++) region_free(&m->regions[i]);
    free(m->regions);
    free(m);
}

uint64_t machine_add_buffer(struct machine *m, const char *name, const uint8_t *bytes, uint64_t size) {
    struct region *r = add_region(m, name, GLOBAL, size, 256);
    if (r == NULL) return 0;
    if (bytes != NULL) memcpy(r->bytes, bytes, size);
    return r->address;
}

bool machine_buffer(struct machine *m, uint64_t address, const uint8_t **bytes) {
    for (size_t i = 0; i < m->region_count; i++)
        if (m->regions[i].address == address) {
            *bytes = m->regions[i].bytes;
            return true;
        }
    return false;
}

bool machine_defined(const struct machine *m, uint64_t address) {
    const struct place place = m->undefined_store;
    for (size_t i = 0; i < m->region_count; i++)
        for (uint64_t at = 0; m->regions[i].address == address && at < m->regions[i].size; at++) {
            if (m->regions[i].known[at] == 0xff) continue;
            snprintf(
                m->problem->text, sizeof m->problem->text,
                "%.100s:%d:%d: error: an undefined value is stored, and byte %llu of '%.60s' is undefined in the end\n",
                m->module->file, place.line, place.column, (unsigned long long)at, m->regions[i].name);
            return false;
        }
    return true;
}

uint64_t machine_add_shared(struct machine *m, uint64_t bytes) {
    const uint64_t address = aligned(m->shared_top, 16);
    m->shared_top = address + bytes;
    return address;
}

uint64_t machine_steps(const struct machine *m) { return m->steps; }
int machine_approximate_line(const struct machine *m) { return m->approximate_line; }

/* -------------------------------------------------------------------------------------------------------- blocks */

struct block {
    struct thread *threads;
    uint32_t count;
};

/* True while a thread waits. The threads wait at one barrier, or have ended. */
static bool pass_barrier(struct block *b) {
    struct thread *first = NULL;
    for (uint32_t k = 0; k < b->count; k++) {
        struct thread *t = &b->threads[k];
        if (t->state != WAITS) continue;
        if (first == NULL) first = t;
        if (t->barrier != first->barrier)
            thread_fail(t, TRAPPED, "this thread waits at barrier %llu, another at %llu",
                        (unsigned long long)t->barrier, (unsigned long long)first->barrier);
    }
    return first != NULL;
}

static void run_threads(struct machine *m, struct block *b) {
    m->phase = 0;
    do {
        for (uint32_t k = 0; k < b->count; k++)
            if (b->threads[k].state != ENDED) thread_run(&b->threads[k]);
        m->phase++;
    } while (pass_barrier(b));
}

/* Errors leave by longjmp. */
static bool run_block(struct machine *m, struct block *b) {
    if (setjmp(m->failed) != 0) return false;
    for (uint32_t k = 0; k < b->count; k++) thread_start(&b->threads[k], m, k);
    run_threads(m, b);
    return true;
}

static bool block_run(struct machine *m) {
    const uint32_t *size = m->launch->block;
    struct block b = {.count = size[0] * size[1] * size[2]};
    const uint64_t shared_bytes = aligned(m->shared_top, 16);
    b.threads = calloc(b.count, sizeof *b.threads);
    if (b.threads == NULL || !region_create(&m->shared, "shared memory", SHARED, 0, shared_bytes, true)) abort();
    const bool good = run_block(m, &b);
    for (uint32_t k = 0; k < b.count; k++) {
        m->steps += b.threads[k].steps;
        thread_free(&b.threads[k]);
    }
    free(b.threads);
    region_free(&m->shared);
    return good;
}

enum outcome machine_launch(struct machine *m, const struct launch *launch) {
    m->launch = launch;
    m->outcome = FINISHED;
    m->shared_top += launch->shared_bytes;
    for (uint32_t z = 0; z < launch->grid[2]; z++)
        for (uint32_t y = 0; y < launch->grid[1]; y++)
            for (uint32_t x = 0; x < launch->grid[0]; x++) {
                m->block_index[0] = x, m->block_index[1] = y, m->block_index[2] = z;
                if (!block_run(m)) return m->outcome;
                m->block_number++;
            }
    return FINISHED;
}
