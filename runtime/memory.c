/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of buffers, see memory.h. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "../assembler/base/grow.h"
#include "lock.h"

cl_int memory_check_handle(cl_mem handle, const struct context *c, struct memory **m) {
    *m = object_of(handle, OBJECT_MEMORY);
    if (*m == NULL) return CL_INVALID_MEM_OBJECT;
    return (*m)->context == c ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int memory_check_device(const struct memory *m, const struct device *d) {
    (void)d;
    return m->origin % DEVICE_NATIVE_ALIGN == 0 ? CL_SUCCESS : CL_MISALIGNED_SUB_BUFFER_OFFSET;
}

cl_int memory_report_error(struct context *c, const struct device *d, const struct diag *diag) {
    context_report(c, true, "warpstep: device %s: %s", d->text, diag->text);
    return CL_OUT_OF_RESOURCES;
}

/* ---- pieces ---- */

static size_t piece_end(const struct memory *root, size_t i) {
    return i + 1 < root->piece_count ? root->pieces[i + 1].begin : root->size;
}

/* Splits a piece at an offset, and returns in *number the piece that begins there; the count at the end of the
 * buffer. Returns false if memory is exhausted. */
static bool split_piece(struct memory *root, size_t at, size_t *number) {
    size_t i = 0;
    while (i < root->piece_count && root->pieces[i].begin < at) i++;
    *number = i;
    if (at >= root->size || (i < root->piece_count && root->pieces[i].begin == at)) return true;
    struct memory_piece *grown =
        grow_array(root->pieces, root->piece_count, &root->piece_capacity, sizeof *root->pieces);
    if (grown == NULL) return false;
    root->pieces = grown;
    memmove(&grown[i + 1], &grown[i], (root->piece_count - i) * sizeof *grown);
    grown[i] = (struct memory_piece){at, grown[i - 1].valid};
    root->piece_count++;
    return true;
}

/* Joins adjacent pieces with the same holders. */
static void join_pieces(struct memory *root) {
    size_t kept = 1;
    for (size_t i = 1; i < root->piece_count; i++)
        if (root->pieces[i].valid != root->pieces[kept - 1].valid) root->pieces[kept++] = root->pieces[i];
    root->piece_count = kept;
}

/* Frees the host's own copy when no piece needs it. */
static void free_host_copy(struct memory *root) {
    bool is_needed = !root->owns_host;
    for (size_t i = 0; i < root->piece_count; i++) is_needed = is_needed || (root->pieces[i].valid & MEMORY_HOST) != 0;
    if (is_needed) return;
    free(root->host);
    root->host = NULL;
    root->owns_host = false;
}

/* ---- transfers ---- */

static enum status read_from(struct device *d, uint32_t address, void *bytes, size_t size, struct diag *diag) {
    pthread_mutex_lock(&d->engine_lock);
    const enum status status = engine_read(d->engine, address, bytes, size, diag);
    pthread_mutex_unlock(&d->engine_lock);
    return status;
}

static enum status write_to(struct device *d, uint32_t address, const void *bytes, size_t size, struct diag *diag) {
    pthread_mutex_lock(&d->engine_lock);
    const enum status status = engine_write(d->engine, address, bytes, size, diag);
    pthread_mutex_unlock(&d->engine_lock);
    return status;
}

static unsigned lowest_bit(uint32_t word) {
    unsigned bit = 0;
    while (!(word >> bit & 1)) bit++;
    return bit;
}

/* Copies a piece to the device from one of its holders. STATUS_NO_MEMORY: no host memory for the copy. */
static enum status copy_to_device(struct memory *root, size_t i, unsigned to, struct diag *diag) {
    const size_t begin = root->pieces[i].begin, size = piece_end(root, i) - begin;
    const uint32_t valid = root->pieces[i].valid, address = root->address[to] + (uint32_t)begin;
    struct device *d = root->context->devices[to];
    if (valid & MEMORY_HOST) return write_to(d, address, root->host + begin, size, diag);
    const unsigned from = lowest_bit(valid);
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) return diag_set(diag, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    enum status status =
        read_from(root->context->devices[from], root->address[from] + (uint32_t)begin, bytes, size, diag);
    if (status == STATUS_OK) status = write_to(d, address, bytes, size, diag);
    free(bytes);
    return status;
}

/* Processes pieces from `first` up to `end`. */
static enum status prepare_pieces(struct memory *root, size_t first, size_t end, unsigned device,
                                  enum memory_access access, struct diag *diag) {
    const uint32_t bit = UINT32_C(1) << device;
    for (size_t i = first; i < end; i++) {
        const uint32_t valid = root->pieces[i].valid;
        const bool is_moved = valid != 0 && !(valid & bit) && access != MEMORY_WRITE_ALL;
        const enum status status = is_moved ? copy_to_device(root, i, device, diag) : STATUS_OK;
        if (status != STATUS_OK) return status;
        root->pieces[i].valid = access & MEMORY_WRITE ? bit : valid != 0 ? valid | bit : 0;
    }
    join_pieces(root);
    free_host_copy(root);
    return STATUS_OK;
}

cl_int memory_prepare(struct memory *m, struct device *d, size_t offset, size_t size, enum memory_access access,
                      uint32_t *address) {
    struct memory *root = m->root;
    const int device = context_find(root->context, d);
    struct diag diag = {0};
    size_t first, end;
    if (device < 0) return CL_INVALID_CONTEXT;
    offset += m->origin;
    *address = root->address[device] + (uint32_t)offset;
    lock_acquire(&root->lock);
    enum status status = STATUS_NO_MEMORY;
    if (split_piece(root, offset, &first) && split_piece(root, offset + size, &end))
        status = prepare_pieces(root, first, end, (unsigned)device, access, &diag);
    lock_release(&root->lock);
    if (status == STATUS_NO_MEMORY) return CL_OUT_OF_HOST_MEMORY;
    /* Without the lock, because the error callback may use the buffer. */
    return status == STATUS_OK ? CL_COMPLETE : memory_report_error(root->context, d, &diag);
}
