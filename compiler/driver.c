/* SPDX-License-Identifier: Apache-2.0 */
/* Runs clang, see driver.h. */
#include "driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../assembler/base/begins.h"
#include "../assembler/base/file.h"
#include "../assembler/base/memstream.h"
#include "cached_child.h"
#include "driver_command.h"
#include "driver_dump.h"
#include "driver_headers.h"
#include "driver_rotate.h"
#include "driver_split.h"
#include "find_clang.h"
#include "host_code.h"
#include "system_headers.h"

#define LAUNCHES "launches of kernels" /* clang's file name for them */

/* Returns the language by the suffix of the file; DRIVER_BY_SUFFIX if it is none of a source. */
static enum driver_language language_of_suffix(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot == NULL || strchr(dot, '/') != NULL) return DRIVER_BY_SUFFIX;
    if (strcmp(dot, ".ptx") == 0) return DRIVER_PTX;
    if (strcmp(dot, ".cl") == 0) return DRIVER_OPENCL;
    return strcmp(dot, ".cu") == 0 ? DRIVER_CUDA : DRIVER_BY_SUFFIX;
}

static enum driver_language source_language(const char *path, const struct driver_options *o) {
    return o->language != DRIVER_BY_SUFFIX ? o->language : language_of_suffix(path);
}

bool driver_is_source(const char *path) { return language_of_suffix(path) != DRIVER_BY_SUFFIX; }

bool driver_is_ptx(const char *path, const struct driver_options *options) {
    return source_language(path, options) == DRIVER_PTX;
}

/* ---- runs of clang ---- */

static enum status report_no_memory(const struct driver_job *job, struct diag *d) {
    return diag_set(d, STATUS_NO_MEMORY, job->path, 0, 0, "out of memory");
}

static bool truncate_file(int file) { return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0; }

static bool contains(const char *line, size_t length, const char *text) {
    const char *found = strstr(line, text);
    return found != NULL && found < line + length;
}

/* Prints clang's messages without its error count, and without notes that point into our header. */
static void print_messages(const struct driver_job *job) {
    size_t size = 0, length = 0;
    bool is_silent = false;
    if (job->options->messages == NULL) return;
    char *text = child_read_file(job->messages, &size);
    for (const char *line = text; line != NULL && *line != '\0'; line += length) {
        length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        const bool is_note = contains(line, length, ": note: "), is_count = *line >= '0' && *line <= '9';
        if (is_note || is_count || contains(line, length, "error: ") || contains(line, length, ": warning: "))
            is_silent =
                (is_note && begins(line, DRIVER_HEADER_NAME ":")) || (is_count && contains(line, length, " generated"));
        if (!is_silent) fwrite(line, 1, length, job->options->messages);
    }
    free(text);
}

/* Returns clang's first line "FILE:LINE:COLUMN: error: TEXT" as a diagnostic. */
static enum status first_error(const struct driver_job *job, struct diag *d) {
    static const char MARK[] = "error: ";
    size_t size = 0;
    char *said = child_read_file(job->messages, &size), file[256] = "";
    unsigned line = 0, column = 0;
    if (said == NULL) return report_no_memory(job, d);
    const char *mark = strstr(said, MARK), *begin = mark;
    if (mark == NULL) {
        diag_set(d, STATUS_BAD_INPUT, job->path, 0, 0, "clang failed: %.200s", said);
    } else {
        while (begin > said && begin[-1] != '\n') begin--;
        if (sscanf(begin, "%255[^:\n]:%u:%u:", file, &line, &column) < 1 || line == 0)
            snprintf(file, sizeof file, "%s", job->path);
        mark += sizeof MARK - 1;
        diag_set(d, STATUS_BAD_INPUT, file, line, column, "%.*s", (int)strcspn(mark, "\n"), mark);
    }
    free(said);
    return STATUS_BAD_INPUT;
}

/* The caller frees its words. */
static struct child make_child(const struct driver_job *job, enum driver_step step, struct driver_command *c) {
    driver_make_command(c, job, step);
    return (struct child){.words = c->words,
                          .input = step == STEP_COMPILE_TEXT || step == STEP_BACK      ? job->text
                                   : step == STEP_HEADER                               ? job->headers
                                   : job->is_precompiled && job->options->text != NULL ? job->source
                                                                                       : job->input,
                          .extras = job->extras,
                          .extra_count = job->extra_count,
                          .messages = job->messages};
}

/* Key of a result in the cache. */
struct kept {
    struct cache_key key;
    char program[4096];
    int beside; /* see cached_child_key */
};

/* Runs one step of a compilation in two runs, see driver_split.h. */
static int run_half(const struct driver_job *job, enum driver_step step, char **text, size_t *size) {
    struct driver_command c = {0};
    const struct child child = make_child(job, step, &c);
    const int code = c.failed ? -1 : child_run(&child, text, size);
    free(c.words);
    return code;
}

static int run_split(const struct driver_job *job, char **text, size_t *size) {
    char *ir = NULL;
    size_t ir_size = 0;
    int code = run_half(job, STEP_FRONT, &ir, &ir_size);
    if (code == 0) {
        driver_make_internal(ir);
        code = truncate_file(job->text) && child_write_file(job->text, ir, ir_size)
                   ? run_half(job, STEP_BACK, text, size)
                   : -1;
    }
    free(ir);
    return code;
}

/* Like child_run, but takes the output from the cache if it is there. kept: NULL to bypass the cache. */
static int run_cached(const struct driver_job *job, enum driver_step step, const struct child *child,
                      const struct kept *kept, char **text, size_t *size) {
    if (kept != NULL && cached_child_find(&kept->key, child, text, size)) return 0;
    const bool is_split = job->is_split && step == STEP_COMPILE;
    int code = is_split ? run_split(job, text, size) : child_run(child, text, size);
    if (code == 0 && driver_wants_ir(job, step) && !driver_dump_reduce(job->messages)) code = -1;
    if (code == 0 && kept != NULL) cached_child_store(&kept->key, child, kept->program, kept->beside, *text, *size);
    return code;
}

/* Names the next of the extras. */
static void name_extra_file(struct driver_job *job) {
    snprintf(job->extra_names[job->extra_count], sizeof job->extra_names[0], "/dev/fd/%zu", job->extra_count + 3);
}

/* Adds our header, precompiled by clang, to the extras. */
static bool open_header(struct driver_job *job) {
    struct driver_command c = {0};
    struct kept kept = {.beside = -1};
    char *text = NULL;
    size_t size = 0;
    if (job->extra_count == CHILD_EXTRAS) return false;
    struct child child = make_child(job, STEP_HEADER, &c);
    child.extra_count = 0;
    const bool good = !c.failed && driver_find_program(job->clang, kept.program, sizeof kept.program) &&
                      cached_child_key(&child, kept.program, -1, &kept.key) &&
                      run_cached(job, STEP_HEADER, &child, &kept, &text, &size) == 0;
    free(c.words);
    const int file = good ? child_create_file() : -1;
    if (file >= 0) {
        job->extras[job->extra_count] = file;
        name_extra_file(job);
        job->extra_count++;
    }
    const bool is_written = file >= 0 && child_write_file(file, text, size);
    free(text);
    return is_written;
}

/* Runs clang with its header precompiled. If the result is not 0, the caller runs it without, also for better
 * messages. */
static int run_precompiled(struct driver_job *job, enum driver_step step, char **text, size_t *size) {
    const size_t extra_count = job->extra_count;
    struct driver_command c = {0};
    int code = -1;
    if (job->language != DRIVER_OPENCL || step == STEP_DESCRIBE) return code;
    if (open_header(job)) {
        job->is_precompiled = true;
        const struct child child = make_child(job, step, &c);
        if (!c.failed && truncate_file(job->messages)) code = run_cached(job, step, &child, NULL, text, size);
        job->is_precompiled = false;
    }
    if (job->extra_count > extra_count) close(job->extras[--job->extra_count]);
    free(c.words);
    if (code == 0) return 0;
    free(*text);
    *text = NULL;
    return code;
}

/* Like child_run, with the cache; without it if the user wants to see the commands. */
static int run_child(struct driver_job *job, enum driver_step step, const struct child *child, char **text,
                     size_t *size) {
    struct kept kept = {.beside = job->source};
    const bool is_on =
        cache_is_on() && !job->options->verbose && driver_find_program(job->clang, kept.program, sizeof kept.program);
    const bool is_kept = is_on && (job->has_no_includes || step == STEP_COMPILE_TEXT) &&
                         cached_child_key(child, kept.program, kept.beside, &kept.key);
    if (is_kept && cached_child_find(&kept.key, child, text, size)) return 0;
    if (is_on && run_precompiled(job, step, text, size) == 0) {
        if (is_kept) cached_child_store(&kept.key, child, kept.program, kept.beside, *text, *size);
        return 0;
    }
    return truncate_file(job->messages) ? run_cached(job, step, child, is_kept ? &kept : NULL, text, size) : -1;
}

static void print_step_command(const struct driver_job *job, enum driver_step step) {
    struct driver_command c = {0};
    driver_make_command(&c, job, step);
    if (!c.failed) driver_print_command(&c, job->options->messages);
    free(c.words);
}

static void print_step_commands(const struct driver_job *job, enum driver_step step) {
    if (job->is_split && step == STEP_COMPILE) {
        print_step_command(job, STEP_FRONT);
        print_step_command(job, STEP_BACK);
    } else {
        print_step_command(job, step);
    }
}

/* Returns STATUS_BAD_INPUT if clang finds errors; its messages are kept. */
static enum status run_clang(struct driver_job *job, enum driver_step step, char **text, size_t *size, struct diag *d) {
    struct driver_command c = {0};
    const struct child child = make_child(job, step, &c);
    *text = NULL;
    if (c.failed || !truncate_file(job->messages)) {
        free(c.words);
        return report_no_memory(job, d);
    }
    if (job->options->verbose && job->options->messages != NULL) print_step_commands(job, step);
    int code = run_child(job, step, &child, text, size);
    free(c.words);
    if (code == 0 && driver_wants_ir(job, step)) {
        free(job->ir);
        if (!driver_dump_extract(job->messages, &job->ir)) code = -1;
    }
    if (code == 0)
        return step == STEP_PREPROCESS || step == STEP_DESCRIBE || step == STEP_OBJECT ||
                       driver_mask_rotations(text, size)
                   ? STATUS_OK
                   : report_no_memory(job, d);
    free(*text);
    *text = NULL;
    if (code < 0) return diag_set(d, STATUS_NO_MEMORY, job->path, 0, 0, "cannot run clang");
    if (code == CHILD_NOT_RUN) return diag_set(d, STATUS_BAD_INPUT, job->path, 0, 0, "cannot run %s", job->clang);
    if (job->options->messages == NULL) return first_error(job, d);
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s: clang found errors", job->path);
}

/* Links libclc if a function remains undefined: in PTX, a declaration without a body. */
static enum status run_with_libclc(struct driver_job *job, enum driver_step step, char **text, size_t *size,
                                   struct diag *d) {
    char libclc[4096];
    const enum status status = run_clang(job, step, text, size, d);
    if (status != STATUS_OK || *text == NULL || strstr(*text, ")\n;\n") == NULL) return status;
    if (!driver_find_libclc(job->options->libclc, job->clang, libclc, sizeof libclc)) return status;
    free(*text);
    job->libclc = libclc;
    const enum status linked = run_clang(job, step, text, size, d);
    job->libclc = NULL;
    return linked;
}

/* ---- CUDA C with host code ---- */

/* Writes the text without host code to job->text, followed by instantiations of the templates that it launches. */
static enum status write_device_text(const struct driver_job *job, const char *text, const char *launches,
                                     struct diag *d) {
    if (truncate_file(job->text) && child_write_file(job->text, text, strlen(text)) &&
        child_write_file(job->text, "\n# 1 \"" LAUNCHES "\"\n", strlen(LAUNCHES) + 8) &&
        child_write_file(job->text, launches, strlen(launches)))
        return STATUS_OK;
    return report_no_memory(job, d);
}

/* Returns a line by its number, from 1. */
static char *find_line(char *text, unsigned long number) {
    while (text != NULL && number-- > 1) text = strchr(text, '\n') != NULL ? strchr(text, '\n') + 1 : NULL;
    return text;
}

/* Blanks the instantiations that clang rejects. */
static bool blank_rejected_launches(const struct driver_job *job, char *launches) {
    size_t size = 0;
    char *messages = child_read_file(job->messages, &size);
    bool dropped = false;
    for (const char *at = messages; at != NULL && *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *error = strstr(at, ": error: ");
        if (!begins(at, LAUNCHES ":") || error == NULL || error > at + strcspn(at, "\n")) continue;
        char *line = find_line(launches, strtoul(at + strlen(LAUNCHES ":"), NULL, 10));
        if (line == NULL || *line == ' ') continue;
        memset(line, ' ', strcspn(line, "\n"));
        dropped = true;
    }
    free(messages);
    return dropped;
}

static enum status compile_kernels(struct driver_job *job, const char *source, char *launches, char **text,
                                   size_t *size, struct diag *d) {
    enum status status;
    do {
        status = write_device_text(job, source, launches, d);
        if (status == STATUS_OK) status = run_with_libclc(job, STEP_COMPILE_TEXT, text, size, d);
    } while (status == STATUS_BAD_INPUT && blank_rejected_launches(job, launches));
    return status;
}

static bool add_missing_header(struct driver_job *job) {
    size_t size = 0;
    char *messages = child_read_file(job->messages, &size);
    const bool added = messages != NULL && system_headers_add_missing(&job->system, messages);
    free(messages);
    return added;
}

/* Compiles CUDA C that clang rejects as it is, without its host code. If there is none, clang's first messages
 * stand. */
static enum status compile_program(struct driver_job *job, char **text, size_t *size, struct diag *d) {
    char *source = NULL, *launches = NULL;
    size_t source_size = 0, launches_size = 0;
    enum status status = STATUS_OK;
    do {
        status = run_clang(job, STEP_PREPROCESS, &source, &source_size, d);
    } while (status == STATUS_BAD_INPUT && add_missing_header(job));
    if (status != STATUS_OK) return status;
    FILE *out = source != NULL ? open_memstream(&launches, &launches_size) : NULL;
    if (out == NULL) {
        free(source);
        return report_no_memory(job, d);
    }
    const enum host_code host_code = host_code_remove(source, DRIVER_HEADER_NAME, out);
    const bool written = memstream_close(out, &launches);
    if (!written || host_code == HOST_CODE_NO_MEMORY)
        status = report_no_memory(job, d);
    else if (host_code == HOST_CODE_REMOVED)
        status = compile_kernels(job, source, launches, text, size, d);
    else
        status = run_clang(job, STEP_COMPILE, text, size, d);
    free(source);
    free(launches);
    return status;
}

/* ---- sources ---- */

static bool write_lines(int file, const char *const *lines) {
    bool good = file >= 0;
    for (; good && *lines != NULL; lines++) good = child_write_file(file, *lines, strlen(*lines));
    return good;
}

/* Writes a C string literal. */
static void write_string_literal(FILE *out, const char *name) {
    fputc('"', out);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\') fputc('\\', out);
        fputc(*name == '\n' ? ' ' : *name, out);
    }
    fputc('"', out);
}

/* Writes a source given as text, preceded by its name. */
static bool write_source(const struct driver_job *job) {
    char *mark = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&mark, &size);
    if (out == NULL) return false;
    fputs("\n# 1 ", out);
    write_string_literal(out, job->path);
    fputc('\n', out);
    const bool good = memstream_close(out, &mark) && child_write_file(job->source, mark, size) &&
                      child_write_file(job->source, job->options->text, job->options->text_size);
    free(mark);
    return good;
}

/* Makes clang read our copy of the file under its own name, if possible. */
static bool remap_file(struct driver_job *job) {
    job->has_no_includes = job->extra_count + 1 < CHILD_EXTRAS && strchr(job->path, ';') == NULL;
    if (!job->has_no_includes) return true;
    name_extra_file(job);
    if (asprintf(&job->remap, "%s;%s", job->path, job->extra_names[job->extra_count]) < 0) {
        job->remap = NULL;
        return false;
    }
    job->extras[job->extra_count++] = job->source;
    return true;
}

/* Returns whether a text has "#pragma OPENCL FP_CONTRACT OFF", or the pragma of STDC. */
static bool forbids_contraction(const char *text) {
    static const char NAME[] = "FP_CONTRACT";
    if (text == NULL) return false;
    while ((text = strstr(text, NAME)) != NULL) {
        text += strlen(NAME);
        const size_t blanks = strspn(text, " \t");
        if (blanks > 0 && begins(text + blanks, "OFF")) return true;
    }
    return false;
}

static enum status copy_given_text(const char *path, const struct driver_options *o, char **text, size_t *size,
                                   struct diag *d) {
    *text = malloc(o->text_size + 1);
    if (*text == NULL) return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    memcpy(*text, o->text, o->text_size);
    (*text)[o->text_size] = '\0';
    *size = o->text_size;
    return STATUS_OK;
}

/* Reads a source. Returns whether it forbids contraction; false if it cannot be read. */
static bool source_forbids_contraction(const char *path, const struct driver_options *options) {
    char *text = NULL;
    size_t size = 0;
    if (options->text != NULL)
        copy_given_text(path, options, &text, &size, NULL);
    else
        file_read(path, &text, &size, NULL);
    const bool is_forbidden = forbids_contraction(text);
    free(text);
    return is_forbidden;
}

/* Reads a source without includes once, for clang and for the key of the cache; clang reads other sources itself. */
static bool copy_file(struct driver_job *job) {
    char *text = NULL;
    size_t size = 0;
    if (file_read(job->path, &text, &size, NULL) != STATUS_OK) return true;
    const bool is_written = child_write_file(job->source, text, size),
               has_no_includes = cached_child_has_no_includes(text, size);
    job->forbids_contraction = forbids_contraction(text);
    free(text);
    return is_written && (!has_no_includes || remap_file(job));
}

static bool copy_contents(int from, int to) {
    size_t size = 0;
    char *text = child_read_file(from, &size);
    const bool good = text != NULL && child_write_file(to, text, size);
    free(text);
    return good;
}

/* Opens the source, preceded by the header if they are one text. */
static bool open_source(struct driver_job *job) {
    const struct driver_options *o = job->options;
    job->source = child_create_file();
    job->input = child_create_file();
    if (job->source < 0 || job->input < 0 || !copy_contents(job->headers, job->input)) return false;
    if (o->text == NULL) return copy_file(job);
    job->forbids_contraction = source_forbids_contraction(job->path, o);
    job->has_no_includes = cached_child_has_no_includes(o->text, o->text_size);
    return write_source(job) && copy_contents(job->source, job->input);
}

/* Returns whether two runs of clang are worth their time, once the source is open. */
static bool needs_split(const struct driver_job *job) {
    const struct driver_options *o = job->options;
    const off_t source = lseek(job->source, 0, SEEK_END);
    size_t bytes = source > 0 ? (size_t)source : 0;
    for (size_t i = 0; i < o->object_count; i++) bytes += o->objects[i].size;
    return job->language == DRIVER_OPENCL && o->compile.level > 0 &&
           (!job->has_no_includes || bytes > DRIVER_SPLIT_BYTES);
}

/* Opens the files in memory that clang reads besides its input. */
static bool open_extras(struct driver_job *job) {
    const struct driver_options *o = job->options;
    if (job->language != DRIVER_OPENCL) {
        job->extras[0] = job->system.file;
        job->extra_count = 1;
        return true;
    }
    for (; job->extra_count < o->object_count; job->extra_count++) {
        const size_t i = job->extra_count;
        job->extras[i] = child_create_file();
        if (job->extras[i] < 0) return false;
        name_extra_file(job);
        if (child_write_file(job->extras[i], o->objects[i].bytes, o->objects[i].size)) continue;
        job->extra_count++;
        return false;
    }
    return true;
}

static bool open_job(struct driver_job *job) {
    /* Our header counts as a system header, without warnings. Newer clangs may warn of the line markers for this. */
    static const char *const AS_SYSTEM[] = {"#pragma clang diagnostic ignored \"-Wunknown-warning-option\"\n",
                                            "#pragma clang diagnostic ignored \"-Wgnu-line-marker\"\n",
                                            "# 1 \"warpstep.h\" 3\n", NULL};
    static const char *const NOTHING[] = {NULL};
    const bool is_opencl = job->language == DRIVER_OPENCL, has_system = system_headers_open(&job->system);
    job->source = job->input = -1;
    job->headers = child_create_file();
    job->text = child_create_file();
    job->messages = child_create_file();
    return has_system && open_extras(job) &&
           write_lines(job->headers, job->options->text != NULL ? AS_SYSTEM : NOTHING) &&
           write_lines(job->headers, is_opencl ? driver_opencl_header : driver_cuda_header) &&
           write_lines(job->headers, driver_math_functions) &&
           write_lines(job->headers, is_opencl ? driver_opencl_functions : driver_cuda_functions) &&
           (is_opencl || write_lines(job->headers, driver_cuda_system_functions)) && open_source(job) &&
           job->text >= 0 && job->messages >= 0;
}

static void close_job(struct driver_job *job) {
    const int files[] = {job->headers, job->source, job->input, job->text, job->messages};
    for (size_t i = 0; job->language == DRIVER_OPENCL && i < job->extra_count; i++)
        if (job->extras[i] != job->source) close(job->extras[i]);
    free(job->remap);
    system_headers_close(&job->system);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0) close(files[i]);
}

static enum status run_job(struct driver_job *job, enum driver_step step, char **text, size_t *size, struct diag *d) {
    enum status status;
    if (step == STEP_DESCRIBE || step == STEP_OBJECT) return run_clang(job, step, text, size, d);
    status = run_with_libclc(job, step, text, size, d);
    return status == STATUS_BAD_INPUT && job->language == DRIVER_CUDA ? compile_program(job, text, size, d) : status;
}

const char *driver_clang(void) { return driver_find_clang(NULL); }

static enum status read_with_clang(struct driver_job *job, enum driver_step step, char **text, size_t *size,
                                   struct diag *d) {
    if (job->options->object_count > CHILD_EXTRAS)
        return diag_set(d, STATUS_BAD_INPUT, job->path, 0, 0, "%zu objects: at most %d can be linked",
                        job->options->object_count, CHILD_EXTRAS);
    job->clang = driver_find_clang(job->options->clang);
    if (job->clang == NULL)
        return diag_set(d, STATUS_BAD_INPUT, job->path, 0, 0,
                        "clang not found: install the package clang-14, or set WARPSTEP_CLANG");
    enum status status = open_job(job) ? STATUS_OK : diag_errno(d, job->path, "a file in memory");
    if (status == STATUS_OK) {
        job->is_split = needs_split(job);
        status = run_job(job, step, text, size, d);
        print_messages(job);
    }
    close_job(job);
    return status;
}

static enum status read_ptx(const char *path, const struct driver_options *options, char **text, size_t *size,
                            char **ir, bool *is_forbidden, struct diag *d) {
    struct driver_job job = {
        .path = path, .language = source_language(path, options), .options = options, .wants_ir = ir != NULL};
    *text = NULL;
    *size = 0;
    if (ir != NULL) *ir = NULL;
    if (job.language == DRIVER_BY_SUFFIX)
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "expected a .cl, .cu or .ptx file");
    if (job.language == DRIVER_PTX)
        return options->text != NULL ? copy_given_text(path, options, text, size, d) : file_read(path, text, size, d);
    if (options->text == NULL && access(path, R_OK) != 0) return diag_errno(d, path, "");
    const enum status status = read_with_clang(&job, STEP_COMPILE, text, size, d);
    *is_forbidden = job.forbids_contraction;
    if (status == STATUS_OK && ir != NULL)
        *ir = job.ir;
    else
        free(job.ir);
    return status;
}

enum status driver_read_ptx(const char *path, const struct driver_options *options, char **text, size_t *size,
                            char **ir, struct diag *d) {
    bool is_forbidden;
    return read_ptx(path, options, text, size, ir, &is_forbidden, d);
}

enum status driver_read_ir(const char *path, const struct driver_options *options, char **text, size_t *size,
                           struct diag *d) {
    struct driver_job job = {.path = path, .language = source_language(path, options), .options = options};
    *text = NULL;
    *size = 0;
    return read_with_clang(&job, STEP_DESCRIBE, text, size, d);
}

enum status driver_read_object(const char *path, const struct driver_options *options, char **bytes, size_t *size,
                               struct diag *d) {
    struct driver_job job = {.path = path, .language = DRIVER_OPENCL, .options = options};
    *bytes = NULL;
    *size = 0;
    return read_with_clang(&job, STEP_OBJECT, bytes, size, d);
}

/* Returns the contraction that a source in C allows. */
static enum compile_contract contract_of(const struct driver_options *options, bool is_forbidden) {
    if (options->compile.contract != COMPILE_CONTRACT_PTX) return options->compile.contract;
    return is_forbidden ? COMPILE_CONTRACT_OFF : COMPILE_CONTRACT_FAST;
}

static enum status translate(const char *path, const struct driver_options *options, bool is_forbidden,
                             const char *text, size_t size, struct compiled *program, struct diag *d) {
    struct compile_options o = options->compile;
    o.file = path;
    if (!driver_is_ptx(path, options)) {
        o.file = "PTX";
        if (!options->contract_given) o.contract = contract_of(options, is_forbidden);
    }
    const enum status status = compile_ptx(text, size, &o, program, d);
    /* An error without a line in the PTX is reported for the source. */
    if (status != STATUS_OK && d != NULL && d->line == 0 && strcmp(d->file, o.file) == 0)
        snprintf(d->file, sizeof d->file, "%s", path);
    return status;
}

enum status driver_translate(const char *path, const struct driver_options *options, const char *text, size_t size,
                             struct compiled *program, struct diag *d) {
    const bool reads_pragma = !driver_is_ptx(path, options) && !options->contract_given;
    return translate(path, options, reads_pragma && source_forbids_contraction(path, options), text, size, program, d);
}

enum status driver_compile(const char *path, const struct driver_options *options, struct compiled *program,
                           struct diag *d) {
    char *text = NULL;
    size_t size = 0;
    bool is_forbidden = false;
    *program = (struct compiled){0};
    enum status status = read_ptx(path, options, &text, &size, NULL, &is_forbidden, d);
    if (status == STATUS_OK) status = translate(path, options, is_forbidden, text, size, program, d);
    free(text);
    return status;
}
