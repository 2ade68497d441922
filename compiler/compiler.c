/* SPDX-License-Identifier: Apache-2.0 */
/* Public interface of the compiler, see compiler.h: driver.h and compile.h behind an opaque record. */
#include "compiler.h"

#include <stdlib.h>
#include <string.h>

#include "../assembler/base/grow.h"
#include "../assembler/base/memstream.h"
#include "../cmodel/machine.h"
#include "describe.h"
#include "driver.h"

/* A kernel with the texts of its arguments. */
struct entry {
    struct compiler_kernel kernel;
    struct compiler_argument *arguments;
    struct describe_list names, types;
};

struct compilation {
    struct compiled program;
    struct compiled dense; /* the same kernels with fewer registers, or empty */
    struct entry *entries; /* program.kernel_count entries */
    struct compiler_message *messages;
    size_t message_count, message_capacity;
    char *log;
    size_t log_size;
    char *lines;             /* the log, split into the texts of messages */
    char *ptx, *ir, *object; /* ir: see driver_read_ptx */
    size_t ptx_size, object_size;
};

/* Input of a compilation: a text, and objects that are linked to it. */
struct input {
    const char *text;
    size_t size;
    const struct driver_object *objects;
    size_t object_count;
    bool to_object;
};

/* ---- messages ---- */

static bool add_message(struct compilation *c, const struct compiler_message *m) {
    struct compiler_message *grown = grow_array(c->messages, c->message_count, &c->message_capacity, sizeof *grown);
    if (grown == NULL) return false;
    c->messages = grown;
    grown[c->message_count++] = *m;
    return true;
}

/* Removes a severity such as "error: " from the start of a text. */
static bool parse_severity(char **text, enum compiler_severity *severity) {
    static const struct {
        const char *word;
        enum compiler_severity severity;
    } WORDS[] = {
        {"fatal error: ", COMPILER_ERROR  },
        {"error: ",       COMPILER_ERROR  },
        {"warning: ",     COMPILER_WARNING},
        {"note: ",        COMPILER_NOTE   }
    };
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        const size_t length = strlen(WORDS[i].word);
        if (strncmp(*text, WORDS[i].word, length) != 0) continue;
        *text += length;
        *severity = WORDS[i].severity;
        return true;
    }
    return false;
}

/* Removes a number such as ":7" from the start of a text. Returns 0 if there is none. */
static unsigned parse_number(char **text) {
    char *end;
    if (**text != ':' || (*text)[1] < '0' || (*text)[1] > '9') return 0;
    const unsigned long value = strtoul(*text + 1, &end, 10);
    *text = end;
    return (unsigned)value;
}

/* Splits "FILE:LINE:COLUMN: error: TEXT" in place. FILE, LINE and COLUMN may be missing. */
static bool parse_message(char *line, struct compiler_message *m) {
    char *at = line;
    *m = (struct compiler_message){.file = ""};
    if (parse_severity(&at, &m->severity)) {
        m->text = at;
        return true;
    }
    for (char *colon = strchr(line, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        at = colon;
        m->line = parse_number(&at);
        m->column = m->line > 0 ? parse_number(&at) : 0;
        if (strncmp(at, ": ", 2) != 0) continue;
        at += 2;
        if (!parse_severity(&at, &m->severity)) continue;
        *colon = '\0';
        m->file = line;
        m->text = at;
        return true;
    }
    return false;
}

/* Splits the log into messages. */
static bool parse_log(struct compilation *c) {
    c->lines = strdup(c->log);
    char *rest = c->lines;
    while (rest != NULL && *rest != '\0') {
        struct compiler_message m;
        char *line = strsep(&rest, "\n");
        if (parse_message(line, &m) && !add_message(c, &m)) return false;
    }
    return c->lines != NULL;
}

static const struct compiler_message *first_error(const struct compilation *c) {
    for (size_t i = 0; i < c->message_count; i++)
        if (c->messages[i].severity == COMPILER_ERROR) return &c->messages[i];
    return NULL;
}

/* ---- options ---- */

/* Applies options of a command line; "-I DIR" may be two words. Returns the first unknown option, or NULL. */
static const char *apply_words(const char *const *words, struct compile_options *options) {
    for (; words != NULL && *words != NULL; words++) {
        const char *word = *words;
        const bool is_open = strcmp(word, "-I") == 0 || strcmp(word, "-D") == 0 || strcmp(word, "-U") == 0;
        if (is_open ? words[1] == NULL : strcmp(word, "-w") != 0 && !driver_parse_option(options, word)) return word;
        if (is_open) words++;
    }
    return NULL;
}

static enum driver_language driver_language_of(enum compiler_language language) {
    return language == COMPILER_PTX      ? DRIVER_PTX
           : language == COMPILER_OPENCL ? DRIVER_OPENCL
           : language == COMPILER_CUDA   ? DRIVER_CUDA
                                         : DRIVER_BY_SUFFIX;
}

static enum status report_bad_option(struct diag *d, const char *text, const char *word) {
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, text, word);
}

static enum status convert_options(const struct compiler_options *given, struct compiler_options *known,
                                   struct driver_options *o, struct diag *d) {
    *known = (struct compiler_options)COMPILER_OPTIONS;
    if (given->bytes > offsetof(struct compiler_options, name))
        memcpy(known, given, given->bytes < sizeof *known ? given->bytes : sizeof *known);
    const unsigned most = known->max_registers;
    if (known->level > 2) return report_bad_option(d, "%s must be 0 to 2", "level");
    if (most != 0 && (most < 8 || most > 124)) return report_bad_option(d, "%s must be 8 to 124", "max_registers");
    if (known->variables % 256 != 0) return report_bad_option(d, "%s must be a multiple of 256", "variables");
    if (known->arch > 13 || (known->arch > IMAGE_ARCH_10X && known->arch < 10))
        return report_bad_option(d, "%s must be 10 to 13, or IMAGE_ARCH_10X", "arch");
    *o = (struct driver_options){.compile = COMPILE_DEFAULT, .arguments = known->words};
    o->compile.level = known->level;
    o->compile.arch = known->arch;
    o->compile.max_registers = most;
    o->compile.variables = known->variables;
    o->language = driver_language_of(known->language);
    o->clang = known->clang;
    o->libclc = known->libclc;
    o->range = known->range;
    if (known->range) o->compile.parameter_bytes = COMPILER_PARAMETER_BYTES;
    o->compile.may_be_empty = known->range;
    if (known->range) o->compile.constant_bytes = COMPILER_CONSTANT_BYTES;
    const char *unknown = apply_words(known->words, &o->compile);
    if (unknown != NULL) return report_bad_option(d, "unknown option '%.100s'", unknown);
    o->compile.fast_math |= known->fast_math;
    if (known->no_contract) o->compile.contract = COMPILE_CONTRACT_OFF;
    o->contract_given = known->no_contract;
    return STATUS_OK;
}

/* ---- kernels ---- */

/* Returns the maximum block size, in threads, that fits in an SM of the default machine: whole warps. */
static unsigned max_block_threads(const struct compile_kernel *k) {
    static const struct machine MACHINE = MACHINE_DEFAULT;
    unsigned most = MACHINE.threads;
    if (k->registers * most > MACHINE.registers) most = MACHINE.registers / k->registers;
    if (k->local_bytes > 0 && (uint64_t)k->local_bytes * most > MACHINE.global_bytes)
        most = MACHINE.global_bytes / k->local_bytes;
    return most / WARP_LANES * WARP_LANES;
}

static bool contains(const char *text, const char *word) { return strstr(text, word) != NULL; }

static void fill_arguments(struct entry *e, const struct image *img, const struct describe_list *qualifiers) {
    for (size_t i = 0; i < img->signature_count; i++) {
        const struct image_parameter *p = &img->signature[i];
        const char *qualifier = i < qualifiers->count ? qualifiers->texts[i] : "";
        e->arguments[i] = (struct compiler_argument){.name = i < e->names.count ? e->names.texts[i] : "",
                                                     .type_name = i < e->types.count ? e->types.texts[i] : "",
                                                     .type = p->type,
                                                     .space = p->space,
                                                     .size = p->size,
                                                     .align = p->align,
                                                     .offset = p->offset,
                                                     .is_const = contains(qualifier, "const"),
                                                     .is_restrict = contains(qualifier, "restrict"),
                                                     .is_volatile = contains(qualifier, "volatile")};
    }
}

static bool fill_entry(struct entry *e, struct compile_kernel *k, const char *ir) {
    struct image *img = k->image;
    struct describe_list qualifiers = {0};
    if (ir != NULL) describe_block(ir, k->name, img->block);
    e->kernel = (struct compiler_kernel){
        .name = img->name,
        .linkage = k->name,
        .argument_count = img->signature_count,
        .parameter_bytes = k->parameter_bytes,
        .shared_bytes = k->shared_bytes,
        .local_bytes = k->local_bytes,
        .registers = k->registers,
        .code_bytes = 4 * (unsigned)img->code_words,
        .block = {img->block[0], img->block[1], img->block[2]},
        .block_threads = max_block_threads(k)
    };
    if (ir != NULL) describe_hints(ir, k->name, e->kernel.hints, sizeof e->kernel.hints);
    e->arguments = calloc(img->signature_count + 1, sizeof *e->arguments);
    if (e->arguments == NULL) return false;
    const bool good = ir == NULL || (describe_arguments(ir, k->name, DESCRIBE_NAME, &e->names) &&
                                     describe_arguments(ir, k->name, DESCRIBE_TYPE, &e->types) &&
                                     describe_arguments(ir, k->name, DESCRIBE_QUALIFIER, &qualifiers));
    fill_arguments(e, img, &qualifiers);
    describe_release(&qualifiers);
    return good;
}

static bool append_dense_suffix(struct image *img) {
    char *name = NULL;
    if (asprintf(&name, "%s" COMPILER_DENSE, img->name) < 0) return false;
    const bool good = image_set_name(img, name, strlen(name)) == STATUS_OK;
    free(name);
    return good;
}

/* Compiles all kernels again with fewer registers if one has too many. */
static enum status compile_dense(struct compilation *c, const struct compiler_options *known,
                                 const struct driver_options *o) {
    struct driver_options fewer = *o;
    bool is_needed = false;
    fewer.compile.max_registers = COMPILER_DENSE_REGISTERS;
    for (size_t i = 0; i < c->program.kernel_count; i++)
        is_needed |= c->program.kernels[i].registers > COMPILER_DENSE_REGISTERS;
    if (!is_needed) return STATUS_OK;
    enum status status = driver_translate(known->name, &fewer, c->ptx, c->ptx_size, &c->dense, NULL);
    for (size_t i = 0; i < c->dense.kernel_count && status == STATUS_OK; i++)
        if (!append_dense_suffix(c->dense.kernels[i].image)) status = STATUS_NO_MEMORY;
    return status == STATUS_NO_MEMORY ? status : STATUS_OK; /* dense code may be impossible */
}

static enum status create_entries(struct compilation *c, const struct compiler_options *known,
                                  const struct driver_options *o, struct diag *d) {
    struct driver_options quiet = *o;
    size_t size;
    enum status status = STATUS_OK;
    quiet.messages = NULL;
    /* Argument names come only from this text. */
    if (known->describe && c->ir == NULL && !driver_is_ptx(known->name, o))
        status = driver_read_ir(known->name, &quiet, &c->ir, &size, d);
    if (status == STATUS_BAD_INPUT) status = STATUS_OK;
    c->entries = calloc(c->program.kernel_count + 1, sizeof *c->entries);
    bool good = c->entries != NULL;
    for (size_t i = 0; i < c->program.kernel_count && good; i++)
        good = fill_entry(&c->entries[i], &c->program.kernels[i], c->ir);
    return good ? status : STATUS_NO_MEMORY;
}

/* ---- a compilation ---- */

/* Compiles an input. Messages go to `log`. */
static enum status run_compilation(struct compilation *c, const struct input *input,
                                   const struct compiler_options *given, FILE *log, struct diag *d) {
    struct compiler_options known;
    struct driver_options o;
    enum status status = convert_options(given, &known, &o, d);
    if (status != STATUS_OK) return status;
    o.messages = log;
    o.text = input->text;
    o.text_size = input->size;
    o.objects = input->objects;
    o.object_count = input->object_count;
    if (input->to_object) return driver_read_object(known.name, &o, &c->object, &c->object_size, d);
    status = driver_read_ptx(known.name, &o, &c->ptx, &c->ptx_size, known.describe ? &c->ir : NULL, d);
    if (status == STATUS_OK) status = driver_translate(known.name, &o, c->ptx, c->ptx_size, &c->program, d);
    if (status != STATUS_OK) return status;
    fputs(c->program.notes, log);
    if (known.range) status = compile_dense(c, &known, &o);
    return status == STATUS_OK ? create_entries(c, &known, &o, d) : status;
}

/* Appends the compiler's own error to the log, unless it repeats one of clang. */
static enum status finish_log(struct compilation *c, enum status status, struct diag *own, struct diag *d) {
    if (!parse_log(c)) return STATUS_NO_MEMORY;
    const struct compiler_message *error = first_error(c);
    if (status == STATUS_OK) return status;
    if (error == NULL) return STATUS_NO_MEMORY; /* the error does not fit in the log */
    own->line = error->line;
    own->column = error->column;
    snprintf(own->file, sizeof own->file, "%s", error->file);
    snprintf(own->text, sizeof own->text, "%s", error->text);
    if (d != NULL) *d = *own;
    return status;
}

static enum status compile_input(const struct input *input, const struct compiler_options *options,
                                 struct compilation **c, struct diag *d) {
    struct diag own = {0};
    enum status status = STATUS_NO_MEMORY;
    *c = calloc(1, sizeof **c);
    FILE *log = *c != NULL ? open_memstream(&(*c)->log, &(*c)->log_size) : NULL;
    if (log != NULL) {
        status = run_compilation(*c, input, options, log, &own);
        fflush(log);
        const bool is_said = (*c)->log != NULL && strstr((*c)->log, "error: ") != NULL;
        if (status == STATUS_BAD_INPUT && (own.line > 0 || !is_said)) diag_report(log, &own);
        status = memstream_close(log, &(*c)->log) && status != STATUS_NO_MEMORY ? finish_log(*c, status, &own, d)
                                                                                : STATUS_NO_MEMORY;
    }
    if (status != STATUS_NO_MEMORY) return status;
    compilation_destroy(*c);
    *c = NULL;
    return diag_set(d, status, options->name, 0, 0, "out of memory");
}

enum status compile_source(const char *text, size_t size, const struct compiler_options *options,
                           struct compilation **c, struct diag *d) {
    return compile_input(&(struct input){.text = text, .size = size}, options, c, d);
}

enum status compile_object(const char *text, size_t size, const struct compiler_options *options,
                           struct compilation **c, struct diag *d) {
    return compile_input(&(struct input){.text = text, .size = size, .to_object = true}, options, c, d);
}

/* clang links objects to a text; here the text is empty. */
enum status compile_linked(const struct compiler_object *objects, size_t count, bool is_library,
                           const struct compiler_options *options, struct compilation **c, struct diag *d) {
    struct driver_object *list = calloc(count + 1, sizeof *list);
    *c = NULL;
    if (list == NULL) return diag_set(d, STATUS_NO_MEMORY, options->name, 0, 0, "out of memory");
    for (size_t i = 0; i < count; i++) list[i] = (struct driver_object){objects[i].bytes, objects[i].size};
    const struct input input = {.text = "", .objects = list, .object_count = count, .to_object = is_library};
    const enum status status = compile_input(&input, options, c, d);
    free(list);
    return status;
}

const void *compilation_object(const struct compilation *c, size_t *size) {
    *size = c != NULL ? c->object_size : 0;
    return c != NULL ? c->object : NULL;
}

void compilation_destroy(struct compilation *c) {
    if (c == NULL) return;
    for (size_t i = 0; c->entries != NULL && i < c->program.kernel_count; i++) {
        free(c->entries[i].arguments);
        describe_release(&c->entries[i].names);
        describe_release(&c->entries[i].types);
    }
    free(c->entries);
    compiled_release(&c->program);
    compiled_release(&c->dense);
    free(c->messages);
    free(c->log);
    free(c->lines);
    free(c->ptx);
    free(c->ir);
    free(c->object);
    free(c);
}

/* ---- results ---- */

const struct compiler_message *compilation_message(const struct compilation *c, size_t number) {
    return c != NULL && number < c->message_count ? &c->messages[number] : NULL;
}

const char *compilation_log(const struct compilation *c) { return c != NULL && c->log != NULL ? c->log : ""; }

/* Returns NULL if there is no such kernel. */
static const struct entry *find_entry(const struct compilation *c, size_t number) {
    return c != NULL && c->entries != NULL && number < c->program.kernel_count ? &c->entries[number] : NULL;
}

const struct compiler_kernel *compilation_kernel(const struct compilation *c, size_t number) {
    const struct entry *e = find_entry(c, number);
    return e != NULL ? &e->kernel : NULL;
}

size_t compilation_find(const struct compilation *c, const char *name) {
    const struct compile_kernel *k = c != NULL ? compiled_find(&c->program, name) : NULL;
    return k != NULL ? (size_t)(k - c->program.kernels) : SIZE_MAX;
}

const struct compiler_argument *compilation_argument(const struct compilation *c, size_t kernel, size_t number) {
    const struct entry *e = find_entry(c, kernel);
    return e != NULL && number < e->kernel.argument_count ? &e->arguments[number] : NULL;
}

const struct image_variable *compilation_variable(const struct compilation *c, size_t number) {
    const struct image *img = find_entry(c, 0) != NULL ? c->program.kernels[0].image : NULL;
    return img != NULL && number < img->variable_count ? &img->variables[number] : NULL;
}

uint32_t compilation_free_address(const struct compilation *c) { return c != NULL ? c->program.variables_end : 0; }

struct image *compilation_image(const struct compilation *c, size_t kernel) {
    return find_entry(c, kernel) != NULL ? image_copy(c->program.kernels[kernel].image) : NULL;
}

/* Returns NULL if there is no dense kernel, or if it uses as many registers. */
static const struct image *dense_image(const struct compilation *c, size_t kernel) {
    const bool is_there = find_entry(c, kernel) != NULL && kernel < c->dense.kernel_count;
    return is_there && c->program.kernels[kernel].registers > COMPILER_DENSE_REGISTERS ? c->dense.kernels[kernel].image
                                                                                       : NULL;
}

struct image *compilation_dense_image(const struct compilation *c, size_t kernel) {
    const struct image *img = dense_image(c, kernel);
    return img != NULL ? image_copy(img) : NULL;
}

enum status compilation_write(const struct compilation *c, uint8_t **bytes, size_t *size, struct diag *d) {
    const size_t kernels = find_entry(c, 0) != NULL ? c->program.kernel_count : 0;
    const struct image **images = calloc(2 * kernels + 1, sizeof(struct image *));
    size_t count = kernels;
    *bytes = NULL;
    *size = 0;
    if (images == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    for (size_t i = 0; i < kernels; i++) {
        images[i] = c->program.kernels[i].image;
        images[count] = dense_image(c, i);
        count += images[count] != NULL;
    }
    const enum status status = count > 0 ? image_write_memory(images, count, bytes, size, d)
                                         : diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "there is no kernel");
    free(images);
    return status;
}

const char *compilation_listing(const struct compilation *c) {
    return c != NULL && c->program.listing != NULL ? c->program.listing : "";
}

const char *compilation_ptx(const struct compilation *c) {
    return find_entry(c, 0) != NULL && c->ptx != NULL ? c->ptx : "";
}
