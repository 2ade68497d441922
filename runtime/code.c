/* SPDX-License-Identifier: Apache-2.0 */
/* Compiling and reading kernels, see code.h. */
#include "code.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/image_load.h"
#include "memory.h"
#include "options.h"

enum { ARCH_ATOMIC = 11, FIRST_VARIABLE = 0x100 };

/* ---- life ---- */

static struct code *create(size_t kernel_count) {
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
}

void code_drop(struct code *code) {
    if (code == NULL || atomic_fetch_sub(&code->uses, 1) > 1) return;
    for (size_t i = 0; i < code->kernel_count; i++) release_kernel(&code->kernels[i]);
    free(code->kernels);
    free(code->binary);
    if (code->device != NULL) device_give_memory(code->device, code->begin);
    pthread_mutex_destroy(&code->lock);
    free(code);
}

/* ---- kernels ---- */

static const struct image_variable *find_range(const struct image *img) {
    for (size_t i = 0; i < img->variable_count; i++)
        if (strcmp(img->variables[i].name, COMPILER_RANGE) == 0) return &img->variables[i];
    return NULL;
}

/* Whole words, as the machine has them, so that launches need not change what they share. */
static bool pad_banks(struct image *img) {
    static const uint8_t padding[4];
    for (unsigned i = 0; i < IMAGE_CONST_BANKS; i++) {
        const size_t size = img->bank[i].size, rest = size % 4;
        if (rest != 0 && image_set_const(img, i, size, padding, 4 - rest) != STATUS_OK) return false;
    }
    return true;
}

/* Takes the image. */
static bool add_kernel(struct code *code, struct image *img) {
    struct code_kernel *k = &code->kernels[code->kernel_count++];
    k->image = img;
    if (!pad_banks(img)) return false;
    k->range = find_range(img);
    k->argument_count = img->signature_count;
    k->arguments = calloc(img->signature_count + 1, sizeof *k->arguments);
    if (k->arguments == NULL) return false;
    for (size_t i = 0; i < img->signature_count; i++) {
        const struct image_parameter *p = &img->signature[i];
        k->arguments[i] = (struct code_argument){.space = p->space, .size = p->size, .offset = p->offset};
        if (p->offset + p->size > k->parameter_bytes) k->parameter_bytes = p->offset + p->size;
    }
    k->parameter_bytes = (k->parameter_bytes + 3) / 4 * 4;
    return true;
}

static bool describe(struct code_kernel *k, const struct compilation *c, size_t number) {
    for (size_t i = 0; i < k->argument_count; i++) {
        const struct compiler_argument *known = compilation_argument(c, number, i);
        struct code_argument *a = &k->arguments[i];
        a->name = strdup(known->name);
        a->type_name = strdup(known->type_name);
        a->is_const = known->is_const;
        a->is_restrict = known->is_restrict;
        a->is_volatile = known->is_volatile;
        if (a->name == NULL || a->type_name == NULL) return false;
    }
    return true;
}

/* The variables' part of global memory, from the pieces of an image; empty where there are none. */
static void find_variables(const struct image *img, uint32_t *begin, uint32_t *end) {
    *begin = *end = 0;
    for (size_t i = 0; i < img->global_count; i++) {
        const uint32_t first = img->global[i].addr, last = first + (uint32_t)img->global[i].size;
        if (*end == 0 || first < *begin) *begin = first;
        if (last > *end) *end = last;
    }
    *begin = *begin / ALLOCATOR_ALIGN * ALLOCATOR_ALIGN;
}

const struct code_kernel *code_find(const struct code *code, const char *name) {
    for (size_t i = 0; i < code->kernel_count; i++)
        if (strcmp(code->kernels[i].image->name, name) == 0) return &code->kernels[i];
    return NULL;
}

size_t code_most_threads(const struct code_kernel *k, const struct engine_properties *p) {
    const unsigned registers = k->image->regs > 0 ? k->image->regs : 1;
    size_t most = device_most_threads(p);
    const size_t room = p->machine.registers / registers / WARP_LANES * WARP_LANES;
    if (room < most) most = room;
    const uint64_t local = k->image->local_bytes, memory = p->machine.global_bytes;
    if (local > 0 && memory / local / WARP_LANES * WARP_LANES < most) most = memory / local / WARP_LANES * WARP_LANES;
    return most;
}

bool code_fits(const struct code *code, const struct device *made_for, const struct device *d) {
    return code->device == NULL && made_for->properties.machine.has_atomics == d->properties.machine.has_atomics;
}

/* ---- compiling ---- */

static cl_int take_compilation(const struct compilation *c, struct code **result) {
    size_t count = 0;
    while (compilation_kernel(c, count) != NULL) count++;
    struct code *code = create(count);
    bool good = code != NULL;
    for (size_t i = 0; i < count && good; i++) {
        struct image *img = compilation_image(c, i);
        good = img != NULL && add_kernel(code, img) && describe(&code->kernels[i], c, i);
    }
    good = good && compilation_write(c, &code->binary, &code->binary_size, NULL) == STATUS_OK;
    if (!good) {
        code_drop(code);
        return CL_OUT_OF_HOST_MEMORY;
    }
    code->is_described = true;
    *result = code;
    return CL_SUCCESS;
}

/* What every program finds defined, and what the machine has no instruction for. */
static bool add_words(struct options *o) {
    return options_add(o, "-D__EMBEDDED_PROFILE__=1") && options_add(o, "-D__OPENCL_VERSION__=120") &&
           options_add(o, "-cl-ext=-cl_khr_local_int32_base_atomics,-cl_khr_local_int32_extended_atomics");
}

static enum status run_compiler(const char *source, size_t size, const struct options *o, const struct device *d,
                                uint32_t variables, struct compilation **c) {
    struct compiler_options options = COMPILER_OPTIONS;
    options.name = "program.cl";
    options.language = COMPILER_OPENCL;
    options.level = o->disables_optimisation ? 0 : 2;
    options.arch = d->properties.machine.has_atomics ? ARCH_ATOMIC : 0;
    options.variables = variables;
    options.describe = true;
    options.words = o->words;
    options.range = true;
    return compile_source(source, size, &options, c, NULL);
}

/* Once more, with the variables where the device has room for them. */
static cl_int move_variables(const char *source, size_t size, const struct options *o, struct device *d,
                             struct compilation **c, uint32_t *begin) {
    const uint32_t bytes = compilation_free_address(*c) - FIRST_VARIABLE;
    pthread_mutex_lock(&d->lock);
    const bool taken = allocator_take_last(&d->memory, bytes, begin);
    pthread_mutex_unlock(&d->lock);
    if (!taken) return CL_OUT_OF_RESOURCES;
    compilation_destroy(*c);
    const enum status status = run_compiler(source, size, o, d, *begin, c);
    if (status == STATUS_OK) return CL_SUCCESS;
    device_give_memory(d, *begin);
    return status == STATUS_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_BUILD_PROGRAM_FAILURE;
}

static cl_int compile(const char *source, size_t size, struct options *o, struct device *d, struct code **code,
                      char **log) {
    struct compilation *c = NULL;
    uint32_t begin = 0, bytes = 0;
    if (!add_words(o)) return CL_OUT_OF_HOST_MEMORY;
    const enum status status = run_compiler(source, size, o, d, FIRST_VARIABLE, &c);
    cl_int error = status == STATUS_OK          ? CL_SUCCESS
                   : status == STATUS_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY
                                                : CL_BUILD_PROGRAM_FAILURE;
    if (error == CL_SUCCESS) bytes = compilation_free_address(c) - FIRST_VARIABLE;
    if (bytes > 0) error = move_variables(source, size, o, d, &c, &begin);
    *log = strdup(compilation_log(c));
    const bool has_place = bytes > 0 && error == CL_SUCCESS;
    if (error == CL_SUCCESS) error = take_compilation(c, code);
    if (has_place && error != CL_SUCCESS) device_give_memory(d, begin);
    if (has_place && error == CL_SUCCESS) {
        (*code)->device = d;
        (*code)->begin = begin;
        (*code)->size = bytes;
    }
    compilation_destroy(c);
    return error;
}

cl_int code_compile(const char *source, size_t size, const char *options, struct device *d, struct code **code,
                    char **log) {
    struct options o;
    struct diag diag = {0};
    *code = NULL;
    *log = NULL;
    const enum status status = options_read(options, &o, &diag);
    cl_int error = CL_SUCCESS;
    if (status == STATUS_NO_MEMORY) error = CL_OUT_OF_HOST_MEMORY;
    if (status == STATUS_BAD_INPUT) {
        error = CL_INVALID_BUILD_OPTIONS;
        if (asprintf(log, "error: %s\n", diag.text) < 0) *log = NULL;
    }
    if (error == CL_SUCCESS) error = compile(source, size, &o, d, code, log);
    options_release(&o);
    return error;
}

/* ---- reading ---- */

static cl_int read_kernels(struct code *code, size_t count, char *text, size_t size, struct image *first) {
    struct image *img = first;
    for (size_t i = 0; i < count; i++) {
        const struct image_choice choice = {.number = i + 1, .quiet = true};
        if (i > 0 && image_read("binary", text, size, &choice, &img, NULL) != STATUS_OK) return CL_INVALID_BINARY;
        if (!add_kernel(code, img)) return CL_OUT_OF_HOST_MEMORY;
    }
    return CL_SUCCESS;
}

static cl_int take_place(struct code *code, struct device *d) {
    uint32_t begin, end;
    if (code->kernel_count == 0) return CL_INVALID_BINARY;
    find_variables(code->kernels[0].image, &begin, &end);
    if (end == 0) return CL_SUCCESS;
    pthread_mutex_lock(&d->lock);
    const bool taken = allocator_take_at(&d->memory, begin, end - begin);
    pthread_mutex_unlock(&d->lock);
    if (!taken) return CL_OUT_OF_RESOURCES;
    code->device = d;
    code->begin = begin;
    code->size = end - begin;
    return CL_SUCCESS;
}

cl_int code_read(const uint8_t *binary, size_t size, struct device *d, struct code **result, char **log) {
    static const uint8_t MAGIC[] = {0x7f, 'E', 'L', 'F'};
    const struct image_choice choice = {.number = 1, .quiet = true};
    struct image *first = NULL;
    struct diag diag = {0};
    *result = NULL;
    *log = NULL;
    if (size < sizeof MAGIC || memcmp(binary, MAGIC, sizeof MAGIC) != 0) return CL_INVALID_BINARY;
    char *text = malloc(size + 1);
    if (text == NULL) return CL_OUT_OF_HOST_MEMORY;
    memcpy(text, binary, size);
    text[size] = '\0';
    const enum status status = image_read("binary", text, size, &choice, &first, &diag);
    cl_int error = status == STATUS_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_BINARY;
    const size_t count = first != NULL && first->kernels > 1 ? first->kernels : 1;
    struct code *code = status == STATUS_OK ? create(count) : NULL;
    if (code == NULL) {
        image_destroy(first);
    } else {
        error = read_kernels(code, count, text, size, first);
        if (error == CL_SUCCESS) error = take_place(code, d);
    }
    free(text);
    if (code != NULL && error == CL_SUCCESS && (code->binary = malloc(size)) == NULL) error = CL_OUT_OF_HOST_MEMORY;
    if (error != CL_SUCCESS) {
        code_drop(code);
        if (asprintf(log, "error: %s\n", diag.text[0] != '\0' ? diag.text : "the binary cannot be loaded") < 0)
            *log = NULL;
        return error;
    }
    memcpy(code->binary, binary, size);
    code->binary_size = size;
    *result = code;
    return CL_SUCCESS;
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
    pthread_mutex_lock(&code->lock);
    const enum status status =
        code->is_initialised ? STATUS_OK : write_pieces(code->device, code->kernels[0].image, &diag);
    code->is_initialised |= status == STATUS_OK;
    pthread_mutex_unlock(&code->lock);
    return status == STATUS_OK ? CL_COMPLETE : memory_fail(c, code->device, &diag);
}
