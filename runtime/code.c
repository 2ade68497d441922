/* SPDX-License-Identifier: Apache-2.0 */
/* Code, its kernels and its variables, see code.h. */
#include "code.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/image/printed.h"
#include "../cmodel/run/print.h"
#include "lock.h"
#include "memory.h"

/* ---- lifetime ---- */

struct code *code_create(size_t kernel_count) {
    struct code *code = calloc(1, sizeof *code);
    if (code == NULL) return NULL;
    code->kernels = calloc(kernel_count + 1, sizeof *code->kernels);
    if (code->kernels == NULL) {
        free(code);
        return NULL;
    }
    atomic_store(&code->uses, 1);
    pthread_mutex_init(&code->lock, NULL);
    return code;
}

bool code_set_binary(struct code *code, const void *bytes, size_t size) {
    code->binary = malloc(size + 1);
    if (code->binary == NULL) return false;
    memcpy(code->binary, bytes, size);
    code->binary_size = size;
    return true;
}

struct code *code_create_object(const void *bytes, size_t size) {
    struct code *code = code_create(0);
    if (code == NULL) return NULL;
    code->is_object = true;
    if (code_set_binary(code, bytes, size)) return code;
    code_drop(code);
    return NULL;
}

struct code *code_hold(struct code *code) {
    atomic_fetch_add(&code->uses, 1);
    return code;
}

static void release_kernel(struct code_kernel *k) {
    for (size_t i = 0; k->arguments != NULL && i < k->argument_count; i++) {
        free(k->arguments[i].name);
        free(k->arguments[i].type_name);
    }
    free(k->arguments);
    image_destroy(k->image);
    image_destroy(k->dense);
}

void code_drop(struct code *code) {
    if (code == NULL || atomic_fetch_sub(&code->uses, 1) > 1) return;
    for (size_t i = 0; i < code->kernel_count; i++) release_kernel(&code->kernels[i]);
    free(code->kernels);
    free(code->binary);
    if (code->device != NULL) device_free(code->device, code->begin);
    pthread_mutex_destroy(&code->lock);
    free(code);
}

/* ---- kernels ---- */

static const struct image_variable *find_variable(const struct image *img, const char *name) {
    for (size_t i = 0; i < img->variable_count; i++)
        if (strcmp(img->variables[i].name, name) == 0) return &img->variables[i];
    return NULL;
}

/* Pads banks to whole words, as the machine has them, so that launches need not change shared data. */
static bool pad_banks(struct image *img) {
    static const uint8_t padding[4];
    for (unsigned i = 0; i < IMAGE_CONST_BANKS; i++) {
        const size_t size = img->bank[i].size, rest = size % 4;
        if (rest != 0 && image_set_const(img, i, size, padding, 4 - rest) != STATUS_OK) return false;
    }
    return true;
}

/* Returns the kernel that an image is the dense version of. */
static struct code_kernel *find_base_kernel(struct code *code, const struct image *img) {
    const size_t length = strlen(img->name), suffix = strlen(COMPILER_DENSE);
    if (length <= suffix || strcmp(img->name + length - suffix, COMPILER_DENSE) != 0) return NULL;
    for (size_t i = 0; i < code->kernel_count; i++) {
        const char *name = code->kernels[i].image->name;
        if (strlen(name) == length - suffix && strncmp(name, img->name, length - suffix) == 0) return &code->kernels[i];
    }
    return NULL;
}

static bool is_in_bank(const struct image *img, const struct image_variable *v) {
    return v->addr <= img->bank[0].size && v->size <= img->bank[0].size - v->addr;
}

static bool is_in_memory(const struct image *img, const struct image_variable *v) {
    for (size_t i = 0; i < img->global_count; i++) {
        const struct image_piece *p = &img->global[i];
        const uint64_t end = (uint64_t)p->addr + p->size;
        if (v->addr >= p->addr && (uint64_t)v->addr + v->size <= end) return true;
    }
    return false;
}

/* Returns whether an image has the variables that launches set. */
static bool has_variables(const struct code_kernel *k, const struct image *img) {
    const struct image_variable *range = k->range, *spilled = k->spilled;
    if (range != NULL && range->size != 4 * COMPILER_RANGE_WORDS) return false;
    if (range != NULL && !(range->space == IMAGE_GLOBAL ? is_in_memory(k->image, range) : is_in_bank(img, range)))
        return false;
    if (k->printed != NULL && !is_in_bank(img, k->printed)) return false;
    return spilled == NULL || (spilled->space == IMAGE_CONSTANT && is_in_bank(img, spilled));
}

static bool has_invalid_print(const struct code_kernel *k, const struct image *img) {
    return k->printed == NULL && (find_variable(img, PRINTED) != NULL || find_variable(img, PRINTED_WARPS) != NULL);
}

/* A pointer is set as one word, other arguments as bytes. */
static bool set_argument(struct code_kernel *k, size_t number, const struct image_parameter *p) {
    const bool is_pointer = p->space != IMAGE_VALUE && p->space != IMAGE_UNUSED;
    k->arguments[number] = (struct code_argument){.space = p->space, .size = p->size, .offset = p->offset};
    if (p->offset + p->size > k->parameter_bytes) k->parameter_bytes = p->offset + p->size;
    return !is_pointer || p->size == 4;
}

static cl_int set_variables(struct code_kernel *k, struct image *img) {
    bool good = true;
    k->range = find_variable(img, COMPILER_RANGE);
    k->spilled = find_variable(img, COMPILER_PARAMETERS);
    k->printed = print_find(img);
    k->argument_count = img->signature_count;
    k->arguments = calloc(img->signature_count + 1, sizeof *k->arguments);
    if (k->arguments == NULL) return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < img->signature_count && good; i++) good = set_argument(k, i, &img->signature[i]);
    if (!good || !has_variables(k, img) || has_invalid_print(k, img)) return CL_INVALID_BINARY;
    const unsigned bytes = (k->parameter_bytes + 3) / 4 * 4;
    k->parameter_bytes = k->spilled != NULL ? COMPILER_PARAMETER_BYTES + k->spilled->size : bytes;
    return bytes <= k->parameter_bytes ? CL_SUCCESS : CL_INVALID_BINARY;
}

cl_int code_add_kernel(struct code *code, struct image *img) {
    struct code_kernel *other = find_base_kernel(code, img);
    if (other != NULL && other->dense == NULL) {
        other->dense = img;
        if (!pad_banks(img)) return CL_OUT_OF_HOST_MEMORY;
        return has_variables(other, img) ? CL_SUCCESS : CL_INVALID_BINARY;
    }
    struct code_kernel *k = &code->kernels[code->kernel_count++];
    k->image = img;
    return pad_banks(img) ? set_variables(k, img) : CL_OUT_OF_HOST_MEMORY;
}

/* An unused argument counts as a value. */
static enum image_space argument_space(const struct code_argument *a) {
    return a->space == IMAGE_UNUSED ? IMAGE_VALUE : a->space;
}

bool code_same_arguments(const struct code_kernel *a, const struct code_kernel *b) {
    if (a->argument_count != b->argument_count) return false;
    for (size_t i = 0; i < a->argument_count; i++) {
        const struct code_argument *x = &a->arguments[i], *y = &b->arguments[i];
        if (argument_space(x) != argument_space(y) || x->size != y->size || x->offset != y->offset) return false;
    }
    return true;
}

const struct code_kernel *code_find(const struct code *code, const char *name) {
    for (size_t i = 0; i < code->kernel_count; i++)
        if (strcmp(code->kernels[i].image->name, name) == 0) return &code->kernels[i];
    return NULL;
}

/* Returns the maximum number of threads, in whole warps, by registers and local memory. */
static size_t max_threads(const struct image *img, const struct engine_properties *p) {
    const unsigned registers = img->regs > 0 ? img->regs : 1;
    size_t most = device_max_threads(p);
    const size_t room = p->machine.registers / registers / WARP_LANES * WARP_LANES;
    if (room < most) most = room;
    const uint64_t local = img->local_bytes, memory = p->machine.global_bytes;
    if (local > 0 && memory / local / WARP_LANES * WARP_LANES < most) most = memory / local / WARP_LANES * WARP_LANES;
    return most;
}

size_t code_max_threads(const struct code_kernel *k, const struct engine_properties *p) {
    const size_t most = max_threads(k->image, p), dense = k->dense != NULL ? max_threads(k->dense, p) : 0;
    return most > dense ? most : dense;
}

size_t code_preferred_threads(const struct code_kernel *k, const struct engine_properties *p) {
    const size_t most = max_threads(k->image, p);
    return most > 0 ? most : code_max_threads(k, p);
}

const struct image *code_image(const struct code_kernel *k, const struct engine_properties *p, size_t threads) {
    return k->dense != NULL && threads > max_threads(k->image, p) ? k->dense : k->image;
}

bool code_runs_on(const struct code *code, const struct device *made_for, const struct device *d) {
    return code->device == NULL && made_for->properties.machine.has_atomics == d->properties.machine.has_atomics;
}

/* ---- variables ---- */

static enum status write_pieces(struct device *d, const struct image *img, struct diag *diag) {
    enum status status = STATUS_OK;
    pthread_mutex_lock(&d->engine_lock);
    for (size_t i = 0; i < img->global_count && status == STATUS_OK; i++)
        if (img->global[i].size > 0)
            status = engine_write(d->engine, img->global[i].addr, img->global[i].bytes, img->global[i].size, diag);
    pthread_mutex_unlock(&d->engine_lock);
    return status;
}

cl_int code_initialise(struct code *code, struct context *c) {
    struct diag diag = {0};
    if (code->device == NULL) return CL_COMPLETE;
    lock_acquire(&code->lock);
    const enum status status =
        code->is_initialised ? STATUS_OK : write_pieces(code->device, code->kernels[0].image, &diag);
    code->is_initialised |= status == STATUS_OK;
    lock_release(&code->lock);
    return status == STATUS_OK ? CL_COMPLETE : memory_report_error(c, code->device, &diag);
}
