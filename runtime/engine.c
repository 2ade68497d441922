/* SPDX-License-Identifier: Apache-2.0 */
/* Common part of all engines: texts, host memory, launches; see engine.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine_api.h"

static const struct engine_api *const KINDS[] = {&engine_model, &engine_rtl, &engine_ghdl, &engine_board};
enum {
    KIND_COUNT = sizeof KINDS / sizeof KINDS[0],
    CHUNK = 1 << 16,
    ARCH_ATOMICS = 11,
    DIRECTORY_MODE = 0777,
    KERNEL_CHARACTERS = 64
};

/* ------------------------------------------------------------------------------------------------------ open, close */

void engine_options_from_environment(struct engine_options *options) {
    const char *trace = getenv("WARPSTEP_TRACE"), *wave = getenv("WARPSTEP_WAVE"), *races = getenv("WARPSTEP_RACES"),
               *limit = getenv("WARPSTEP_LIMIT");
    *options = (struct engine_options){
        .trace_directory = trace != NULL && trace[0] != '\0' ? trace : NULL,
        .wave = wave != NULL && wave[0] != '\0' ? wave : NULL,
        .races = races != NULL && races[0] != '\0' && strcmp(races, "0") != 0,
        .limit = limit != NULL ? strtoull(limit, NULL, 0) : 0,
    };
}

static const struct engine_api *find_kind(const char *text, const char **rest) {
    for (size_t i = 0; i < KIND_COUNT; i++) {
        const size_t length = strlen(KINDS[i]->name);
        if (strncmp(text, KINDS[i]->name, length) != 0 || (text[length] != '\0' && text[length] != ':')) continue;
        *rest = text[length] == ':' ? text + length + 1 : "";
        return KINDS[i];
    }
    return NULL;
}

/* Converts the text to a part of a file name: letters, digits and dashes. */
static char *make_label(const char *text) {
    char *label = strdup(text), *end = label;
    for (const char *c = text; label != NULL && *c != '\0'; c++)
        if (isalnum((unsigned char)*c) || *c == '-') *end++ = *c;
    if (label != NULL) *end = '\0';
    return label;
}

static bool set_options(struct engine *engine, const char *text, const struct engine_options *options) {
    engine->label = make_label(text);
    if (options->trace_directory != NULL) engine->trace_directory = strdup(options->trace_directory);
    if (engine->trace_directory != NULL) mkdir(engine->trace_directory, DIRECTORY_MODE); /* or it exists */
    if (options->wave != NULL) engine->wave = strdup(options->wave);
    engine->options = *options;
    engine->options.trace_directory = engine->trace_directory;
    engine->options.wave = engine->wave;
    if (engine->options.limit == 0) engine->options.limit = engine->api->usual_limit;
    return engine->label != NULL && (options->trace_directory != NULL) == (engine->trace_directory != NULL) &&
           (options->wave != NULL) == (engine->wave != NULL);
}

enum status engine_open(const char *text, const struct engine_options *options, struct engine **engine,
                        struct diag *d) {
    const struct engine_options none = {0};
    const char *rest;
    const struct engine_api *api = find_kind(text, &rest);
    *engine = NULL;
    if (api == NULL)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "no engine '%.80s': expected model, rtl:8, rtl:16, rtl:32, ghdl:8 or board:PORT", text);
    if (options == NULL) options = &none;
    const enum status status = api->open(rest, options, engine, d);
    if (status != STATUS_OK) return status;
    (*engine)->api = api;
    if (set_options(*engine, text, options)) return STATUS_OK;
    engine_close(*engine);
    *engine = NULL;
    return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
}

void engine_close(struct engine *engine) {
    if (engine == NULL) return;
    char *const label = engine->label, *const directory = engine->trace_directory, *const wave = engine->wave;
    engine->api->close(engine);
    free(label);
    free(directory);
    free(wave);
}

const struct engine_properties *engine_get_properties(const struct engine *engine) { return &engine->properties; }

void engine_stop(struct engine *engine) { atomic_store(&engine->stops, true); }

/* ----------------------------------------------------------------------------------------------------------- memory */

static enum status check_range(const struct engine *engine, uint32_t addr, size_t size, struct diag *d) {
    const uint32_t end = engine->properties.host_bytes;
    if (addr <= end && size <= end - addr) return STATUS_OK;
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%zu bytes at 0x%x: memory of the host ends at 0x%x", size, addr,
                    end);
}

enum status engine_write(struct engine *engine, uint32_t addr, const void *bytes, size_t size, struct diag *d) {
    const enum status status = check_range(engine, addr, size, d);
    return status != STATUS_OK || size == 0 ? status : engine->api->write(engine, addr, bytes, size, d);
}

enum status engine_read(struct engine *engine, uint32_t addr, void *bytes, size_t size, struct diag *d) {
    const enum status status = check_range(engine, addr, size, d);
    return status != STATUS_OK || size == 0 ? status : engine->api->read(engine, addr, bytes, size, d);
}

/* Copies piece by piece, from the end at which no source is overwritten before it is read. */
static enum status copy_pieces(struct engine *engine, uint32_t to, uint32_t from, size_t size, struct diag *d) {
    const size_t room = size < CHUNK ? size : CHUNK;
    uint8_t *piece = malloc(room);
    enum status status = piece != NULL ? STATUS_OK : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    for (size_t done = 0, now; done < size && status == STATUS_OK; done += now) {
        now = size - done < room ? size - done : room;
        const uint32_t at = (uint32_t)(to <= from ? done : size - done - now);
        status = engine->api->read(engine, from + at, piece, now, d);
        if (status == STATUS_OK) status = engine->api->write(engine, to + at, piece, now, d);
    }
    free(piece);
    return status;
}

enum status engine_copy(struct engine *engine, uint32_t to, uint32_t from, size_t size, struct diag *d) {
    enum status status = check_range(engine, to, size, d);
    if (status == STATUS_OK) status = check_range(engine, from, size, d);
    if (status != STATUS_OK || size == 0) return status;
    if (engine->api->memory == NULL) return copy_pieces(engine, to, from, size, d);
    uint8_t *memory = engine->api->memory(engine);
    memmove(memory + to, memory + from, size);
    return STATUS_OK;
}

/* Repeats the first pattern by doubling. */
static void repeat_pattern(uint8_t *bytes, size_t pattern_size, size_t size) {
    for (size_t done = pattern_size; done < size;) {
        const size_t now = size - done < done ? size - done : done;
        memcpy(bytes + done, bytes, now);
        done += now;
    }
}

static enum status fill_pieces(struct engine *engine, uint32_t addr, const void *pattern, size_t pattern_size,
                               size_t size, struct diag *d) {
    const size_t most = CHUNK / pattern_size * pattern_size, room = size < most ? size : most;
    uint8_t *piece = malloc(room);
    if (piece == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    memcpy(piece, pattern, pattern_size);
    repeat_pattern(piece, pattern_size, room);
    enum status status = STATUS_OK;
    for (size_t done = 0, now; done < size && status == STATUS_OK; done += now) {
        now = size - done < room ? size - done : room;
        status = engine->api->write(engine, addr + (uint32_t)done, piece, now, d);
    }
    free(piece);
    return status;
}

enum status engine_fill(struct engine *engine, uint32_t addr, const void *pattern, size_t pattern_size, size_t size,
                        struct diag *d) {
    const enum status status = check_range(engine, addr, size, d);
    if (status != STATUS_OK) return status;
    if (pattern_size == 0 || pattern_size > ENGINE_PATTERN_MAX || size % pattern_size != 0)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "cannot fill %zu bytes with a pattern of %zu bytes", size,
                        pattern_size);
    if (size == 0) return STATUS_OK;
    if (engine->api->memory == NULL) return fill_pieces(engine, addr, pattern, pattern_size, size, d);
    uint8_t *memory = engine->api->memory(engine);
    memcpy(memory + addr, pattern, pattern_size);
    repeat_pattern(memory + addr, pattern_size, size);
    return STATUS_OK;
}

/* --------------------------------------------------------------------------------------------------------- launches */

/* Checks a launch. Memory of the host counts as taken, so that local memory is placed behind it. */
static enum status check_launch(struct engine *engine, struct image *image, struct image *view,
                                struct image_piece *host, struct launch *run, struct diag *d) {
    const struct engine_properties *p = &engine->properties;
    *host = (struct image_piece){.addr = 0, .size = p->host_bytes};
    *view = *image;
    view->global = host;
    view->global_count = p->host_bytes < p->machine.global_bytes;
    view->expect_count = 0;
    image_set_shape(view);
    /* A machine with atomic operations executes them, for any .arch of the text. */
    if (p->machine.has_atomics) view->arch = ARCH_ATOMICS;
    *run = (struct launch){.path = view->name, .image = view, .max_cycles = engine->options.limit};
    const enum status status = launch_check(run, &p->machine, d);
    memcpy(image->bank, view->bank, sizeof image->bank);
    image->regs = view->regs;
    image->shared_bytes = view->shared_bytes;
    image->local_bytes = view->local_bytes;
    return status;
}

static void set_report_text(struct engine_report *report, char *text) {
    if (text != NULL && text[0] == '\0') {
        free(text);
        text = NULL;
    }
    report->text = text;
}

enum status engine_launch(struct engine *engine, struct image *image, struct engine_report *report, struct diag *d) {
    struct image_piece host;
    struct image view;
    struct launch run;
    char *text = NULL;
    size_t size = 0;
    *report = (struct engine_report){0};
    enum status status = check_launch(engine, image, &view, &host, &run, d);
    if (status != STATUS_OK) return status;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    engine->launches++;
    status = engine->api->launch(engine, &run, report, out, d);
    atomic_store(&engine->stops, false);
    if (fclose(out) != 0 && status == STATUS_OK) {
        free(text);
        text = NULL;
    }
    set_report_text(report, text);
    if (status != STATUS_OK) engine_report_release(report);
    return status;
}

void engine_report_release(struct engine_report *report) {
    free(report->text);
    *report = (struct engine_report){0};
}

const char *engine_outcome_name(enum engine_outcome outcome) {
    static const char *const NAMES[] = {"done", "trap", "hang", "mismatch", "stopped", "lost"};
    return (size_t)outcome < sizeof NAMES / sizeof NAMES[0] ? NAMES[outcome] : "unknown";
}

char *engine_file(const struct engine *engine, const char *directory, const struct image *image, const char *suffix) {
    char kernel[KERNEL_CHARACTERS + 1], *path = NULL;
    size_t length = 0;
    for (const char *c = image->name != NULL ? image->name : ""; *c != '\0' && length < KERNEL_CHARACTERS; c++)
        kernel[length++] = isalnum((unsigned char)*c) ? *c : '_';
    kernel[length] = '\0';
    const int size = asprintf(&path, "%s/%s-%04u-%s.%s", directory, engine->label, engine->launches, kernel, suffix);
    return size >= 0 ? path : NULL;
}

enum status engine_open_trace(const struct engine *engine, const struct image *image, struct trace **trace,
                              struct diag *d) {
    const char *directory = engine->options.trace_directory;
    *trace = NULL;
    if (directory == NULL) return STATUS_OK;
    char *path = engine_file(engine, directory, image, "txt");
    if (path == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    const enum status status = trace_open(path, image, trace, d);
    free(path);
    return status;
}
