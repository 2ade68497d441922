/* SPDX-License-Identifier: Apache-2.0 */
/* printf in kernels, see print.h. */
#include "print.h"

#include <stdlib.h>

#include "../assembler/image/printed.h"
#include "../cmodel/run/print.h"

enum { WORD = 4 };

static cl_int code_of(enum status status) {
    return status == STATUS_OK ? CL_COMPLETE : status == STATUS_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
}

static enum status clear(struct device *d, uint32_t bytes, struct diag *diag) {
    const uint32_t zero = 0;
    pthread_mutex_lock(&d->engine_lock);
    const enum status status = engine_fill(d->engine, d->printed, &zero, sizeof zero, bytes, diag);
    pthread_mutex_unlock(&d->engine_lock);
    return status;
}

cl_int print_begin(struct device *d, const struct code_kernel *k, uint8_t *bank, struct diag *diag) {
    const uint32_t bytes = print_buffer_bytes(d->properties.host_bytes);
    if (k->printed == NULL) return CL_COMPLETE;
    if (d->printed == 0) {
        if (!device_take_memory(d, bytes, &d->printed))
            return code_of(diag_set(diag, STATUS_BAD_INPUT, "", 0, 0, "no room for what printf prints"));
        const enum status status = clear(d, bytes, diag);
        if (status != STATUS_OK) {
            device_give_memory(d, d->printed);
            d->printed = 0;
            return code_of(status);
        }
    }
    print_set(k->printed, bank, d->printed, bytes);
    return CL_COMPLETE;
}

static bool read_engine(void *state, uint32_t addr, uint8_t *bytes, size_t size) {
    struct device *d = state;
    pthread_mutex_lock(&d->engine_lock);
    const enum status status = engine_read(d->engine, addr, bytes, size, NULL);
    pthread_mutex_unlock(&d->engine_lock);
    return status == STATUS_OK;
}

static enum status read_buffer(struct device *d, uint32_t from, void *bytes, size_t size, struct diag *diag) {
    pthread_mutex_lock(&d->engine_lock);
    const enum status status = engine_read(d->engine, d->printed + from, bytes, size, diag);
    pthread_mutex_unlock(&d->engine_lock);
    return status;
}

/* Bytes of records. */
static enum status count(struct device *d, uint32_t *bytes, struct diag *diag) {
    const uint32_t most = print_buffer_bytes(d->properties.host_bytes) - WORD;
    uint8_t b[WORD];
    const enum status status = read_buffer(d, 0, b, sizeof b, diag);
    if (status != STATUS_OK) return status;
    *bytes = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    if (*bytes > most) *bytes = most;
    return STATUS_OK;
}

cl_int print_end(struct device *d, const struct code_kernel *k, const struct image *image, struct diag *diag) {
    uint32_t bytes = 0;
    if (k->printed == NULL) return CL_COMPLETE;
    enum status status = count(d, &bytes, diag);
    if (status != STATUS_OK || bytes == 0) return code_of(status);
    uint8_t *records = malloc(bytes);
    if (records != NULL) status = read_buffer(d, WORD, records, bytes, diag);
    const enum status cleared = clear(d, WORD + bytes, diag);
    bool good = records != NULL;
    if (good && status == STATUS_OK) good = print_records(image, records, bytes, read_engine, d, stdout);
    free(records);
    if (!good) return code_of(diag_set(diag, STATUS_NO_MEMORY, "", 0, 0, "out of memory for what printf prints"));
    return code_of(status != STATUS_OK ? status : cleared);
}
