/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a compiled kernel, see bind.h. */
#include "bind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"
#include "number.h"

enum { FIRST_BUFFER = 256, BUFFER_ALIGN = 256, LOCAL_ALIGN = 16, SIGNATURE_MAX = 320 };

/* The argument being bound. */
struct binding {
    struct launch *run;
    const struct machine *limits;
    const struct image_parameter *parameter;
    size_t number; /* from 1 */
    const char *text;
    uint8_t block[IMAGE_PARAMETERS_MAX]; /* the parameters, as laid out in shared memory */
    struct diag *d;
};

static enum status no_memory(struct binding *b) { return diag_set(b->d, STATUS_NO_MEMORY, "", 0, 0, "out of memory"); }

static enum status wrong(struct binding *b, const char *expected) {
    char signature[SIGNATURE_MAX];
    image_print_signature(b->run->image, signature, sizeof signature);
    return diag_set(b->d, STATUS_BAD_INPUT, "", 0, 0, "--arg %zu '%.60s': expected %s; the kernel is %s", b->number,
                    b->text, expected, signature);
}

/* placement of buffers */

static uint64_t align_up(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

/* The end of a piece of the image that overlaps these bytes; 0 if none does. */
static uint64_t taken_up_to(const struct image *image, uint64_t addr, uint64_t size) {
    for (size_t i = 0; i < image->global_count; i++) {
        const struct image_piece *p = &image->global[i];
        if (p->size > 0 && addr < (uint64_t)p->addr + p->size && p->addr < addr + size)
            return (uint64_t)p->addr + p->size;
    }
    return 0;
}

static enum status place_buffer(struct binding *b, uint64_t size, uint32_t *address) {
    uint64_t addr = FIRST_BUFFER, end;
    const uint64_t gap = b->run->strict ? BUFFER_ALIGN : 0; /* what goes just beyond a buffer is not in the next one */
    while ((end = taken_up_to(b->run->image, addr, size)) != 0) addr = align_up(end + gap, BUFFER_ALIGN);
    *address = (uint32_t)addr;
    if (addr + size <= b->limits->global_bytes) return STATUS_OK;
    uint64_t needed = b->limits->global_bytes;
    while (needed < addr + size) needed *= 2;
    return diag_set(b->d, STATUS_BAD_INPUT, "", 0, 0,
                    "--arg %zu '%.60s': its %" PRIu64 " bytes do not fit into the %" PRIu32
                    " bytes of global memory: --global-bytes %" PRIu64,
                    b->number, b->text, size, b->limits->global_bytes, needed);
}

/* ---- kinds of arguments ---- */

static void set_parameter(struct binding *b, uint64_t value) {
    const struct image_parameter *p = b->parameter;
    for (unsigned i = 0; i < p->size && i < 8; i++) b->block[p->offset + i] = (uint8_t)(value >> 8 * i);
}

static bool take_prefix(const char **text, const char *prefix) {
    const size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0) return false;
    *text += length;
    return true;
}

/* A message about a file as a whole, which has no line, says which argument names it. */
static enum status unreadable(struct binding *b, enum status status) {
    char why[160];
    if (status != STATUS_BAD_INPUT || b->d->line != 0) return status;
    snprintf(why, sizeof why, "a FILE that can be read, or zero:BYTES (%.100s)", b->d->text);
    return wrong(b, why);
}

/* The bytes of "FILE" or "zero:BYTES". */
static enum status read_bytes(struct binding *b, const char *source, uint8_t **bytes, size_t *size) {
    uint64_t count = 0;
    if (take_prefix(&source, "zero:")) {
        if (!argument_number(source, MACHINE_MOST_GLOBAL_BYTES, &count, NULL) || count == 0)
            return wrong(b, "zero:BYTES with a number of bytes");
        *size = (size_t)count;
        *bytes = calloc(*size, 1);
        return *bytes != NULL ? STATUS_OK : no_memory(b);
    }
    const size_t length = strlen(source) + 1;
    char *at = malloc(length + 1);
    if (at == NULL) return no_memory(b);
    at[0] = '@';
    memcpy(at + 1, source, length);
    const enum status status = argument_bytes(at, MACHINE_MOST_GLOBAL_BYTES, bytes, size, b->d);
    free(at);
    return unreadable(b, status);
}

static enum status add_dump(struct binding *b, uint32_t addr, size_t size, const char *path) {
    struct launch *run = b->run;
    struct launch_dump *dumps = realloc(run->dumps, (run->dump_count + 1) * sizeof *dumps);
    if (dumps == NULL) return no_memory(b);
    run->dumps = dumps;
    char *copy = strdup(path);
    if (copy == NULL) return no_memory(b);
    dumps[run->dump_count++] = (struct launch_dump){.addr = addr, .bytes = size, .path = copy};
    return STATUS_OK;
}

static const char *find_last(const char *text, const char *part) {
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) found = at;
    return found;
}

static enum status bind_buffer(struct binding *b) {
    static const char OUT[] = ",out=", EXPECTED[] = "a buffer: FILE or zero:BYTES, with ,out=FILE or without";
    const char *out = find_last(b->text, OUT);
    char *source = strndup(b->text, out != NULL ? (size_t)(out - b->text) : strlen(b->text));
    uint8_t *bytes = NULL;
    size_t size = 0;
    uint32_t address = 0;
    if (source == NULL) return no_memory(b);
    const bool other = number_is_one(source) || strncmp(source, "local:", 6) == 0 || source[0] == '\0';
    const bool nameless = out != NULL && out[sizeof OUT - 1] == '\0';
    enum status status = other || nameless ? wrong(b, EXPECTED) : read_bytes(b, source, &bytes, &size);
    free(source);
    if (status == STATUS_OK) status = place_buffer(b, size, &address);
    if (status == STATUS_OK && image_add_global(b->run->image, address, bytes, size) != STATUS_OK)
        status = no_memory(b);
    if (status == STATUS_OK && out != NULL) status = add_dump(b, address, size, out + sizeof OUT - 1);
    free(bytes);
    if (status == STATUS_OK) set_parameter(b, address);
    return status;
}

/* Appends to the block's shared memory; memory that the kernel declares itself has no parameter. */
static enum status bind_local(struct binding *b) {
    struct image *image = b->run->image;
    const char *text = b->text;
    uint64_t bytes = 0;
    if (!take_prefix(&text, "local:") || !argument_number(text, b->limits->shared_bytes, &bytes, NULL) || bytes == 0)
        return wrong(b, "local:BYTES, memory of a block");
    const uint64_t at = align_up(image->shared_bytes, LOCAL_ALIGN);
    if (b->parameter->size > 0) set_parameter(b, at);
    image->shared_bytes = (unsigned)(at + bytes);
    return STATUS_OK;
}

/* A structure or an array that is passed by value. */
static enum status bind_bytes(struct binding *b) {
    const struct image_parameter *p = b->parameter;
    uint8_t *bytes = NULL;
    size_t size = 0;
    char expected[64];
    snprintf(expected, sizeof expected, "a FILE of %u bytes or zero:%u", p->size, p->size);
    if (number_is_one(b->text)) return wrong(b, expected);
    enum status status = read_bytes(b, b->text, &bytes, &size);
    if (status == STATUS_OK && size != p->size) status = wrong(b, expected);
    if (status == STATUS_OK) memcpy(b->block + p->offset, bytes, size);
    free(bytes);
    return status;
}

static enum status bind_value(struct binding *b) {
    const struct image_parameter *p = b->parameter;
    char expected[96];
    uint64_t value = 0;
    if (p->size != number_type_bytes(p->type)) return bind_bytes(b);
    if (!number_convert(b->text, p->type, &value, expected, sizeof expected)) return wrong(b, expected);
    set_parameter(b, value);
    return STATUS_OK;
}

static enum status bind_one(struct binding *b) {
    const struct image_parameter *p = b->parameter;
    if ((uint64_t)p->offset + p->size > sizeof b->block) return wrong(b, "a parameter within 4 KB");
    if (p->space == IMAGE_VALUE || (p->space == IMAGE_UNUSED && number_is_one(b->text))) return bind_value(b);
    return p->space == IMAGE_SHARED ? bind_local(b) : bind_buffer(b);
}

/* ---- all of them ---- */

static enum status check_count(const struct image *image, size_t count, struct diag *d) {
    char signature[SIGNATURE_MAX];
    if (!image->has_signature)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "--arg goes with compiled kernels (.cl, .cu, .ptx and what warp-cc makes of them); others have "
                        "--param and --global");
    if (count == image->signature_count) return STATUS_OK;
    image_print_signature(image, signature, sizeof signature);
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%zu argument%s given, one --arg each; the kernel is %s", count,
                    count == 1 ? " is" : "s are", signature);
}

static unsigned block_bytes(const struct image *image) {
    unsigned end = 0;
    for (size_t i = 0; i < image->signature_count; i++) {
        const struct image_parameter *p = &image->signature[i];
        if (p->offset + p->size > end) end = p->offset + p->size;
    }
    return end;
}

static enum status store_block(struct binding *b) {
    struct image *image = b->run->image;
    image->param_count = 0;
    for (unsigned at = 0; at < block_bytes(image); at += 4) {
        uint32_t word = 0;
        for (unsigned i = 0; i < 4; i++) word |= (uint32_t)b->block[at + i] << 8 * i;
        if (image_add_param(image, word) != STATUS_OK) return no_memory(b);
    }
    return STATUS_OK;
}

enum status bind_arguments(struct launch *run, const char *const *texts, size_t count, const struct machine *limits,
                           struct diag *d) {
    struct binding b = {.run = run, .limits = limits, .d = d};
    enum status status = check_count(run->image, count, d);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        b.parameter = &run->image->signature[i];
        b.number = i + 1;
        b.text = texts[i];
        status = bind_one(&b);
    }
    run->bound = status == STATUS_OK;
    return run->bound ? store_block(&b) : status;
}
