/* SPDX-License-Identifier: Apache-2.0 */
/* warp-as: the assembler. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/characters.h"
#include "base/file.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/stop.h"
#include "check/verify.h"
#include "check/warn.h"
#include "cubin/cubin.h"
#include "cubin/cubin_text_write.h"
#include "listing/listing.h"
#include "listing/words.h"
#include "source/assemble.h"

static const char USAGE[] =
    "usage: warp-as [-o OUT] [--list] [--kernel NAME] FILE    assemble FILE (SASS or cuobjdump listing) into an image\n"
    "       warp-as --verify LISTING                          compare a listing's text with the words in its comments\n"
    "       warp-as --words                                   print the words of instructions, one a line, from stdin\n"
    "  -o OUT         output; default FILE with the suffix .img or .cubin\n"
    "  --format elf|cubin-text\n"
    "                 an image (the default), or a cubin in the format of CUDA 1 and 2, with all kernels of FILE\n"
    "  --list         print addresses, words, lines and text; an image is written only with -o\n"
    "  -DNAME=NUMBER  define a constant before the source, where .default sets its default; repeatable\n"
    "  --kernel NAME  select a kernel; without it, --list prints all kernels\n"
    "  -w, -Wno-NAME  no warnings; no warnings of this name; -Werror: warnings are errors\n"
    "  --help, --version\n"
    "exit code: 0 fine, 1 --verify found differences, 2 bad usage or input\n";

struct options {
    const char *output, *kernel, *file, *format;
    bool list, verify, words, quiet, werror;
    bool off[WARN_COUNT];
    bool defines; /* argv has -D options */
    char **argv;
};

static bool is_cubin(const struct options *o) { return o->format != NULL && strcmp(o->format, "cubin-text") == 0; }

/* -Wno-NAME */
static bool warning_option(void *state, const char *arg) {
    struct options *o = state;
    for (unsigned i = 0; i < WARN_COUNT; i++) {
        if (strncmp(arg, "-Wno-", 5) != 0 || strcmp(arg + 5, warning_name((enum warning)i)) != 0) continue;
        return o->off[i] = true;
    }
    return false;
}

static bool is_definition(const char *arg) { return strncmp(arg, "-D", 2) == 0; }

static bool other_option(void *state, const char *arg) {
    struct options *o = state;
    if (!is_definition(arg)) return warning_option(o, arg);
    return o->defines = true;
}

/* With -D the source defines the constants and includes the file. NULL if out of memory. */
static char *defining_source(const struct options *o) {
    char *source = NULL;
    size_t size;
    FILE *out = open_memstream(&source, &size);
    if (out == NULL) return NULL;
    for (char **arg = o->argv + 1; *arg != NULL; arg++)
        if (is_definition(*arg)) fprintf(out, ".equ %s\n", *arg + 2);
    fprintf(out, ".include \"%s\"\n", o->file);
    if (fclose(out) == 0) return source;
    free(source);
    return NULL;
}

/* FILE with its suffix replaced. */
static char *default_output(const char *file, const char *suffix) {
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    size_t length =
        dot != NULL && dot != file && (slash == NULL || dot > slash + 1) ? (size_t)(dot - file) : strlen(file);
    char *path = malloc(length + strlen(suffix) + 1);
    if (path == NULL) return NULL;
    memcpy(path, file, length);
    memcpy(path + length, suffix, strlen(suffix) + 1);
    return path;
}

static enum status write_format(const struct options *o, const char *path, const struct image *const *images,
                                size_t count, struct diag *d) {
    return is_cubin(o) ? cubin_text_write(images, count, path, d) : image_write_file(images[0], path, d);
}

/* True if an image would replace its source. */
static bool is_source(const char *path, const char *file) {
    struct stat a, b;
    return stat(path, &a) == 0 && S_ISREG(a.st_mode) && stat(file, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static int write_images(const struct options *o, const char *file, const struct image *const *images, size_t count) {
    struct diag d = {0};
    char *path = o->output != NULL ? strdup(o->output) : default_output(file, is_cubin(o) ? ".cubin" : ".img");
    enum status status = STATUS_OK;
    if (path == NULL)
        status = diag_set(&d, STATUS_NO_MEMORY, file, 0, 0, "out of memory");
    else if (is_source(path, file))
        status =
            diag_set(&d, STATUS_BAD_INPUT, path, 0, 0, "is the source and would be overwritten; choose another -o");
    else
        status = write_format(o, path, images, count, &d);
    free(path);
    return status == STATUS_OK ? 0 : diag_report(stderr, &d);
}

/* False if there are warnings and -Werror is set. */
static bool may_go_on(const struct options *o, const struct messages *m) { return !o->werror || m->warnings == 0; }

static void check(const struct options *o, const struct assembly *a, struct messages *m) {
    if (!o->quiet && warn_kernel(a, m) != STATUS_OK) messages_no_memory(m);
}

/* ---- all kernels as a listing ---- */

struct list_job {
    const struct options *o;
    struct messages *messages;
};

static void list_kernels(void *state, const struct assembly *kernels, size_t count) {
    const struct list_job *job = state;
    for (size_t i = 0; i < count; i++) check(job->o, &kernels[i], job->messages);
    if (job->messages->errors > 0 || !may_go_on(job->o, job->messages)) return;
    for (size_t i = 0; i < count; i++) {
        if (i > 0) putchar('\n');
        listing_print_source(&kernels[i], stdout);
    }
}

static int list_all(const struct options *o, struct messages *m) {
    struct list_job job = {o, m};
    int code = (int)assemble_all(list_kernels, &job, m);
    messages_print(m, stderr);
    return code != 0 || m->errors > 0 || !may_go_on(o, m) ? STATUS_BAD_INPUT : 0;
}

/* One kernel to an image, to a listing with --list, or to both. */
static int assemble_one(const struct options *o, const char *file, struct messages *m) {
    struct assembly a;
    int code = (int)assemble_text(o->kernel, &a, m);
    if (code == 0) check(o, &a, m);
    messages_print(m, stderr);
    if (m->errors > 0) code = STATUS_BAD_INPUT;
    if (code == 0 && !may_go_on(o, m)) code = STATUS_BAD_INPUT;
    if (code == 0 && o->list) listing_print_source(&a, stdout);
    const struct image *const images[] = {a.image};
    if (code == 0 && (!o->list || o->output != NULL)) code = write_images(o, file, images, 1);
    assembly_release(&a);
    return code;
}

/* a cubin of the chosen kernel, or of all */

struct cubin_job {
    const struct options *o;
    const char *file;
    struct messages *messages;
    int code;
};

static int no_kernel(const char *file, const char *text, const char *name) {
    fprintf(stderr, "%s: error: %s%s\n", file, text, name);
    return STATUS_BAD_INPUT;
}

static void warn_of_omissions(const char *file, const struct image *img) {
    char omits[160];
    cubin_text_omits(img, omits, sizeof omits);
    if (omits[0] != '\0')
        fprintf(stderr, "%s: warning: a text cubin cannot hold %s; kernel %s is written without it\n", file, omits,
                img->name);
}

static void write_cubin(void *state, const struct assembly *kernels, size_t count) {
    struct cubin_job *job = state;
    const struct options *o = job->o;
    const struct image **images = calloc(count + 1, sizeof(struct image *));
    size_t n = 0;
    for (size_t i = 0; i < count && images != NULL; i++) {
        if (o->kernel != NULL && strcmp(kernels[i].image->name, o->kernel) != 0) continue;
        check(o, &kernels[i], job->messages);
        if (o->list) listing_print_source(&kernels[i], stdout);
        warn_of_omissions(job->file, kernels[i].image);
        images[n++] = kernels[i].image;
    }
    if (images == NULL)
        messages_no_memory(job->messages);
    else if (n == 0)
        job->code = no_kernel(job->file, "there is no kernel ", o->kernel);
    else if (job->messages->errors == 0 && may_go_on(o, job->messages) && (!o->list || o->output != NULL))
        job->code = write_images(o, job->file, images, n);
    free(images);
}

static int assemble_cubin(const struct options *o, const char *file, struct messages *m) {
    struct cubin_job job = {o, file, m, 0};
    int code = (int)assemble_all(write_cubin, &job, m);
    messages_print(m, stderr);
    return code != 0 || m->errors > 0 || !may_go_on(o, m) ? STATUS_BAD_INPUT : job.code;
}

/* ---- the other modes ---- */

static int exit_code(enum status status) { return status == STATUS_NO_MEMORY ? STATUS_BAD_INPUT : (int)status; }

static int words(const char *text, size_t size, struct messages *m) {
    struct words_text out = {0};
    enum status status = words_assemble(text, size, &out, m);
    messages_print(m, stderr);
    if (status == STATUS_OK) fwrite(out.text, 1, out.size, stdout);
    free(out.text);
    return exit_code(status);
}

static int verify(struct messages *m) {
    enum status status = verify_listing(stdout, m);
    messages_print(m, stderr);
    return exit_code(status);
}

static int assemble(const struct options *o, const char *file, struct messages *m) {
    if (is_cubin(o)) return assemble_cubin(o, file, m);
    return o->list && o->kernel == NULL && o->output == NULL ? list_all(o, m) : assemble_one(o, file, m);
}

static int run_mode(const struct options *o, const char *file, const char *text, size_t size, struct messages *m) {
    if (o->words) return words(text, size, m);
    return o->verify ? verify(m) : assemble(o, file, m);
}

static int run(const struct options *o, const char *file, const char *text, size_t size) {
    struct messages m;
    char *source = o->defines ? defining_source(o) : NULL;
    if (source != NULL)
        messages_init(&m, "<command line>", source, strlen(source));
    else
        messages_init(&m, file, text, size);
    for (unsigned i = 0; i < WARN_COUNT; i++) m.off[i] = o->off[i] || o->quiet;
    m.warnings_are_errors = o->werror;
    if (o->defines && source == NULL) messages_no_memory(&m);
    const int code = run_mode(o, file, text, size, &m);
    messages_release(&m);
    free(source);
    return code;
}

/* Reports incompatible options; NULL if there are none. */
static const char *check_options(const struct options *o) {
    if (o->file == NULL && !o->words) return "no file given";
    if (o->words && (o->verify || o->list || o->output != NULL)) return "--words cannot be combined with other options";
    if (o->defines && (o->words || o->verify || strcmp(o->file, "-") == 0)) return "-D needs a source file";
    return NULL;
}

int main(int argc, char **argv) {
    struct options o = {.argv = argv};
    const struct options_value values[] = {
        {"-o",       &o.output},
        {"--kernel", &o.kernel},
        {"--format", &o.format},
        {NULL,       NULL     }
    };
    const struct options_flag flags[] = {
        {"--list",   &o.list  },
        {"--verify", &o.verify},
        {"--words",  &o.words },
        {"-w",       &o.quiet },
        {"-Werror",  &o.werror},
        {NULL,       NULL     }
    };
    const struct options_tool tool = {"warp-as", USAGE, values, flags, other_option, &o};
    struct diag d = {0};
    char *text;
    size_t size;
    stop_install();
    int code = options_parse(&tool, argc, argv, &o.file);
    if (code >= 0) return code;
    if (o.format != NULL && strcmp(o.format, "elf") != 0 && strcmp(o.format, "cubin-text") != 0)
        return options_error(&tool, "format is elf or cubin-text, not", o.format);
    if (check_options(&o) != NULL) return options_error(&tool, check_options(&o), NULL);
    const bool is_stdin = o.file == NULL || strcmp(o.file, "-") == 0;
    if (file_read(is_stdin ? "-" : o.file, &text, &size, &d) != STATUS_OK) return diag_report(stderr, &d);
    if (characters_are_utf16(text, size)) {
        free(text);
        diag_set(&d, STATUS_BAD_INPUT, is_stdin ? "<stdin>" : o.file, 1, 1,
                 "the text is UTF-16: save it as UTF-8, without a mark");
        return diag_report(stderr, &d);
    }
    if (memchr(text, '\0', size) != NULL || (!o.words && image_is_text_cubin(text, size))) {
        free(text);
        diag_set(&d, STATUS_BAD_INPUT, o.file, 0, 0, "is not a source; warp-dis lists images and cubins");
        return diag_report(stderr, &d);
    }
    code = run(&o, is_stdin ? "<stdin>" : o.file, text, size);
    free(text);
    return outfile_finish(code);
}
