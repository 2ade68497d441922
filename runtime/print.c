/* SPDX-License-Identifier: Apache-2.0 */
/* printf in kernels, see print.h. */
#include "print.h"

#include <stdlib.h>
#include <string.h>

#include "../assembler/base/word_at.h"
#include "../assembler/image/printed.h"
#include "../cmodel/run/print.h"

enum { WORD = 4, LEAST_REGION = 4096 };

static cl_int error_code(enum status status) {
    return status == STATUS_OK ? CL_COMPLETE : status == STATUS_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
}

static uint32_t buffer_bytes(const struct device *d) { return print_buffer_bytes(d->properties.host_bytes); }

uint32_t print_max_groups(const struct device *d, const struct code_kernel *k, const uint32_t group[3]) {
    if (k->printed == NULL || strcmp(k->printed->name, PRINTED) == 0) return UINT32_MAX;
    const uint32_t most = buffer_bytes(d) / LEAST_REGION / block_warps(group);
    return most > 0 ? most : 1;
}

static enum status clear_memory(struct device *d, uint32_t addr, uint32_t bytes, struct diag *diag) {
    const uint32_t zero = 0;
    pthread_mutex_lock(&d->engine_lock);
    const enum status status = engine_fill(d->engine, addr, &zero, sizeof zero, bytes, diag);
    pthread_mutex_unlock(&d->engine_lock);
    return status;
}

static cl_int allocate_buffer(struct device *d, struct diag *diag) {
    uint32_t addr;
    if (!device_allocate(d, buffer_bytes(d), &addr))
        return error_code(diag_set(diag, STATUS_BAD_INPUT, "", 0, 0, "no room for the print buffer"));
    const enum status status = clear_memory(d, addr, buffer_bytes(d), diag);
    if (status == STATUS_OK)
        d->printed = addr;
    else
        device_free(d, addr);
    return error_code(status);
}

cl_int print_begin(struct device *d, const struct code_kernel *k, const struct image *image, struct diag *diag) {
    if (k->printed == NULL) return CL_COMPLETE;
    const cl_int error = d->printed != 0 ? CL_COMPLETE : allocate_buffer(d, diag);
    if (error != CL_COMPLETE) return error;
    const struct print_regions r = print_divide(image, k->printed, d->printed, buffer_bytes(d));
    print_set(&r, k->printed, image->bank[0].bytes);
    return CL_COMPLETE;
}

static enum status read_memory(struct device *d, uint32_t addr, uint8_t *bytes, size_t size, struct diag *diag) {
    pthread_mutex_lock(&d->engine_lock);
    const enum status status = engine_read(d->engine, addr, bytes, size, diag);
    pthread_mutex_unlock(&d->engine_lock);
    return status;
}

/* The memory that has strings, its first error, and the records, which are no longer there. */
struct strings {
    struct device *device;
    const uint8_t *records;
    uint32_t addr, bytes; /* of the records */
    enum status status;
    struct diag *diag;
};

static bool read_string(void *state, uint32_t addr, uint8_t *bytes, size_t size) {
    struct strings *s = state;
    const uint32_t end = s->device->properties.host_bytes;
    if (s->status != STATUS_OK || addr > end || size > end - addr) return false;
    if (addr - s->addr < s->bytes) {
        const uint32_t rest = s->bytes - (addr - s->addr);
        memset(bytes, 0, size);
        memcpy(bytes, s->records + (addr - s->addr), size < rest ? size : rest);
        return true;
    }
    s->status = read_memory(s->device, addr, bytes, size, s->diag);
    return s->status == STATUS_OK;
}

/* Prints a region and clears it, also if printing fails. */
static enum status print_region(struct device *d, const struct image *image, uint32_t addr, uint32_t bytes,
                                struct diag *diag) {
    uint8_t *records = malloc(bytes);
    struct strings strings = {.device = d, .records = records, .addr = addr, .bytes = bytes, .diag = diag};
    const enum status read = records != NULL ? read_memory(d, addr, records, bytes, diag) : print_no_memory(diag);
    enum status status = clear_memory(d, addr, bytes, diag);
    if (read != STATUS_OK) status = read;
    if (status == STATUS_OK) status = print_records(image, records, bytes, read_string, &strings, stdout, diag);
    free(records);
    return status == STATUS_OK ? strings.status : status;
}

static enum status print_regions(struct device *d, const struct image *image, const struct print_regions *r,
                                 const uint8_t *counts, bool *is_full, struct diag *diag) {
    enum status status = STATUS_OK;
    bool is_used = false;
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t bytes = print_taken(r, word_at(counts + WORD * i), is_full);
        if (bytes == 0) continue;
        is_used = true;
        const enum status printed = print_region(d, image, r->first + r->size * i, bytes, diag);
        if (status == STATUS_OK) status = printed;
    }
    const enum status cleared = is_used ? clear_memory(d, r->counts, WORD * r->count, diag) : STATUS_OK;
    return status == STATUS_OK ? cleared : status;
}

/* The text is lost. */
static cl_int discard(struct device *d, struct diag *diag) {
    clear_memory(d, d->printed, buffer_bytes(d), diag);
    return error_code(print_no_memory(diag));
}

cl_int print_end(struct device *d, const struct code_kernel *k, const struct image *image, bool *is_full,
                 struct diag *diag) {
    if (k->printed == NULL) return CL_COMPLETE;
    const struct print_regions r = print_divide(image, k->printed, d->printed, buffer_bytes(d));
    if (r.count == 0) return CL_COMPLETE;
    uint8_t *counts = malloc(WORD * r.count);
    if (counts == NULL) return discard(d, diag);
    enum status status = read_memory(d, r.counts, counts, WORD * r.count, diag);
    if (status == STATUS_OK) status = print_regions(d, image, &r, counts, is_full, diag);
    free(counts);
    return error_code(status);
}
