/* SPDX-License-Identifier: Apache-2.0 */
/* Reads binaries: image files, and objects to be linked. See code.h. */
#include <stdlib.h>
#include <string.h>

#include "../assembler/image_load.h"
#include "code.h"
#include "lock.h"

/* Finds the range of global memory that an image's variables occupy; empty if there are none. */
static void find_variables(const struct image *img, uint32_t *begin, uint32_t *end) {
    *begin = *end = 0;
    for (size_t i = 0; i < img->global_count; i++) {
        const uint32_t first = img->global[i].addr, last = first + (uint32_t)img->global[i].size;
        if (*end == 0 || first < *begin) *begin = first;
        if (last > *end) *end = last;
    }
    *begin = *begin / ALLOCATOR_ALIGN * ALLOCATOR_ALIGN;
}

static cl_int read_kernels(struct code *code, size_t count, char *text, size_t size, struct image *first) {
    struct image *img = first;
    for (size_t i = 0; i < count; i++) {
        const struct image_choice choice = {.number = i + 1, .quiet = true};
        if (i > 0 && image_read("binary", text, size, &choice, &img, NULL) != STATUS_OK) return CL_INVALID_BINARY;
        const cl_int error = code_add_kernel(code, img);
        if (error != CL_SUCCESS) return error;
    }
    return CL_SUCCESS;
}

static cl_int reserve_variables(struct code *code, struct device *d) {
    uint32_t begin, end;
    if (code->kernel_count == 0) return CL_INVALID_BINARY;
    find_variables(code->kernels[0].image, &begin, &end);
    if (end == 0) return CL_SUCCESS;
    lock_acquire(&d->lock);
    const bool taken = allocator_allocate_at(&d->memory, begin, end - begin);
    lock_release(&d->lock);
    if (!taken) return CL_OUT_OF_RESOURCES;
    code->device = d;
    code->begin = begin;
    code->size = end - begin;
    return CL_SUCCESS;
}

static cl_int read_image(const uint8_t *binary, size_t size, char *text, struct device *d, struct code **result) {
    const struct image_choice choice = {.number = 1, .quiet = true};
    struct image *first = NULL;
    const enum status status = image_read("binary", text, size, &choice, &first, NULL);
    if (status != STATUS_OK) return status == STATUS_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_BINARY;
    const size_t count = first->kernels > 1 ? first->kernels : 1;
    struct code *code = code_create(count);
    if (code == NULL) {
        image_destroy(first);
        return CL_OUT_OF_HOST_MEMORY;
    }
    cl_int error = read_kernels(code, count, text, size, first);
    if (error == CL_SUCCESS) error = reserve_variables(code, d);
    if (error == CL_SUCCESS && !code_set_binary(code, binary, size)) error = CL_OUT_OF_HOST_MEMORY;
    if (error == CL_SUCCESS)
        *result = code;
    else
        code_drop(code);
    return error;
}

/* ---- sources behind images ---- */

/* Appended to an image whose variables have addresses: options and source, each with a zero; their size; this mark. */
static const uint8_t SOURCE_MAGIC[8] = {'w', 'a', 'r', 'p', 's', 'r', 'c', '1'};
enum { FOOTER = sizeof SOURCE_MAGIC + 4 };

bool code_keep_source(struct code *code, const char *options, const char *source, size_t size) {
    const size_t options_size = options != NULL ? strlen(options) : 0, all = options_size + size + 2;
    uint8_t *grown = all <= UINT32_MAX ? realloc(code->binary, code->binary_size + all + FOOTER) : NULL;
    if (grown == NULL) return false;
    uint8_t *at = grown + code->binary_size;
    if (options_size > 0) memcpy(at, options, options_size);
    at[options_size] = at[all - 1] = '\0';
    memcpy(at + options_size + 1, source, size);
    for (unsigned i = 0; i < 4; i++) at[all + i] = (uint8_t)(all >> 8 * i);
    memcpy(at + all + 4, SOURCE_MAGIC, sizeof SOURCE_MAGIC);
    code->binary = grown;
    code->binary_size += all + FOOTER;
    return true;
}

/* Builds the source again if the address of the variables is taken. */
static cl_int build_source(const char *text, size_t size, struct device *d, struct code **code) {
    if (size < FOOTER || memcmp(text + size - sizeof SOURCE_MAGIC, SOURCE_MAGIC, sizeof SOURCE_MAGIC) != 0)
        return CL_OUT_OF_RESOURCES;
    const uint8_t *footer = (const uint8_t *)text + size - FOOTER;
    const uint32_t all = footer[0] | (uint32_t)footer[1] << 8 | (uint32_t)footer[2] << 16 | (uint32_t)footer[3] << 24;
    if (all < 2 || all > size - FOOTER || footer[-1] != '\0') return CL_INVALID_BINARY;
    const char *options = (const char *)footer - all, *source = options + strlen(options) + 1;
    if (source >= (const char *)footer) return CL_INVALID_BINARY;
    const struct code_input in = {.source = source, .size = (size_t)((const char *)footer - source) - 1};
    char *log = NULL;
    const cl_int error = code_build(&in, options, d, code, &log);
    free(log);
    if (*code != NULL) (*code)->is_described = false;
    return error == CL_BUILD_PROGRAM_FAILURE ? CL_INVALID_BINARY : error;
}

cl_int code_read(const uint8_t *binary, size_t size, struct device *d, struct code **code) {
    static const uint8_t IMAGE[] = {0x7f, 'E', 'L', 'F'}, OBJECT[] = {'B', 'C', 0xc0, 0xde};
    *code = NULL;
    if (size < sizeof IMAGE) return CL_INVALID_BINARY;
    if (memcmp(binary, OBJECT, sizeof OBJECT) == 0) {
        *code = code_create_object(binary, size);
        return *code != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    if (memcmp(binary, IMAGE, sizeof IMAGE) != 0) return CL_INVALID_BINARY;
    char *text = malloc(size + 1);
    if (text == NULL) return CL_OUT_OF_HOST_MEMORY;
    memcpy(text, binary, size);
    text[size] = '\0';
    cl_int error = read_image(binary, size, text, d, code);
    if (error == CL_OUT_OF_RESOURCES) error = build_source(text, size, d, code);
    free(text);
    return error;
}
