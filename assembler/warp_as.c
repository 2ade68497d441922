/* SPDX-License-Identifier: Apache-2.0 */
/* warp-as: the assembler. */
#include <stdlib.h>
#include <string.h>

#include "assemble.h"
#include "cubin_text_write.h"
#include "file.h"
#include "listing.h"
#include "verify.h"
#include "version.h"
#include "words.h"

static const char USAGE[] =
    "usage: warp-as [-o OUT] [--list] [--kernel NAME] FILE    assemble FILE (SASS or cuobjdump listing) into an image\n"
    "       warp-as --verify LISTING                          compare a listing's text with the words in its comments\n"
    "       warp-as --words                                   one instruction a line on stdin, its words on stdout\n"
    "  -o OUT         the image; without it FILE with the suffix .img (.cubin)\n"
    "  --format elf|cubin-text\n"
    "                 an image (the default), or a cubin as CUDA 1 and 2 had them, with all kernels of FILE\n"
    "  --list         print addresses, words, lines and text; an image is written only with -o\n"
    "  --kernel NAME  the kernel to take when FILE has several\n"
    "  --help, --version\n"
    "exit code: 0 fine, 1 --verify found differences, 2 bad usage or input\n";

struct options {
    const char *output, *kernel, *file, *format;
    bool list, verify, words;
};

static bool is_cubin(const struct options *o) { return o->format != NULL && strcmp(o->format, "cubin-text") == 0; }

static int usage_error(const char *text, const char *what) {
    fprintf(stderr, "warp-as: error: %s%s%s%s; --help shows the usage\n", text, what != NULL ? " '" : "",
            what != NULL ? what : "", what != NULL ? "'" : "");
    return STATUS_BAD_INPUT;
}

/* Returns -1 to go on, or the exit code. */
static int parse_options(int argc, char **argv, struct options *o) {
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        const char **value = strcmp(arg, "-o") == 0         ? &o->output
                             : strcmp(arg, "--kernel") == 0 ? &o->kernel
                             : strcmp(arg, "--format") == 0 ? &o->format
                                                            : NULL;
        if (value != NULL) {
            if (++i == argc) return usage_error("a value is missing after", arg);
            *value = argv[i];
        } else if (strcmp(arg, "--help") == 0) {
            return fputs(USAGE, stdout) >= 0 ? 0 : STATUS_BAD_INPUT;
        } else if (strcmp(arg, "--version") == 0) {
            return puts("warp-as (Warpstep) " WARPSTEP_VERSION) >= 0 ? 0 : STATUS_BAD_INPUT;
        } else if (strcmp(arg, "--list") == 0) {
            o->list = true;
        } else if (strcmp(arg, "--verify") == 0) {
            o->verify = true;
        } else if (strcmp(arg, "--words") == 0) {
            o->words = true;
        } else if (arg[0] == '-' && arg[1] != '\0') {
            return usage_error("unknown option", arg);
        } else if (o->file != NULL) {
            return usage_error("more than one file:", arg);
        } else {
            o->file = arg;
        }
    }
    if (o->format != NULL && strcmp(o->format, "elf") != 0 && strcmp(o->format, "cubin-text") != 0)
        return usage_error("format is elf or cubin-text, not", o->format);
    if (o->file == NULL && !o->words) return usage_error("no file given", NULL);
    if (o->words && (o->verify || o->list || o->output != NULL)) return usage_error("--words stands alone", NULL);
    return -1;
}

/* FILE with its suffix replaced. */
static char *default_output(const char *file, const char *suffix) {
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    size_t length =
        dot != NULL && dot != file && (slash == NULL || dot > slash + 1) ? (size_t)(dot - file) : strlen(file);
    char *path = malloc(length + strlen(suffix) + 1);
    if (path == NULL) return NULL;
    memcpy(path, file, length);
    strcpy(path + length, suffix);
    return path;
}

static enum status write_format(const struct options *o, const char *path, const struct image *const *images,
                                size_t count, struct diag *d) {
    return is_cubin(o) ? cubin_text_write(images, count, path, d) : image_write_file(images[0], path, d);
}

static int write_images(const struct options *o, const char *file, const struct image *const *images, size_t count) {
    struct diag d = {0};
    char *path = o->output != NULL ? strdup(o->output) : default_output(file, is_cubin(o) ? ".cubin" : ".img");
    enum status status = path != NULL ? write_format(o, path, images, count, &d)
                                      : diag_set(&d, STATUS_NO_MEMORY, file, 0, 0, "out of memory");
    free(path);
    return status == STATUS_OK ? 0 : diag_report(stderr, &d);
}

/* One kernel to an image, to a listing with --list, or to both. */
static int assemble_one(const struct options *o, const char *file, struct messages *m) {
    struct assembly a;
    int code = (int)assemble_text(o->kernel, &a, m);
    messages_print(m, stderr);
    if (code == 0 && o->list) listing_print_source(&a, stdout);
    const struct image *const images[] = {a.image};
    if (code == 0 && (!o->list || o->output != NULL)) code = write_images(o, file, images, 1);
    assembly_release(&a);
    return code;
}

/* ---- a cubin of the kernel that was asked for, or of all ---- */

struct cubin_job {
    const struct options *o;
    const char *file;
    int code;
};

static void warn_of_omissions(const char *file, const struct image *img) {
    char omits[160];
    cubin_text_omits(img, omits, sizeof omits);
    if (omits[0] != '\0')
        fprintf(stderr, "%s: warning: a text cubin cannot hold %s; kernel %s is written without\n", file, omits,
                img->name);
}

static void write_cubin(void *state, const struct assembly *kernels, size_t count) {
    struct cubin_job *job = state;
    const struct options *o = job->o;
    const struct image **images = calloc(count + 1, sizeof *images);
    size_t n = 0;
    for (size_t i = 0; i < count && images != NULL; i++) {
        if (o->kernel != NULL && strcmp(kernels[i].image->name, o->kernel) != 0) continue;
        if (o->list) listing_print_source(&kernels[i], stdout);
        warn_of_omissions(job->file, kernels[i].image);
        images[n++] = kernels[i].image;
    }
    if (images == NULL)
        job->code = usage_error("out of memory", NULL);
    else if (n == 0)
        job->code = usage_error("there is no kernel", o->kernel);
    else if (!o->list || o->output != NULL)
        job->code = write_images(o, job->file, images, n);
    free(images);
}

static int assemble_cubin(const struct options *o, const char *file, struct messages *m) {
    struct cubin_job job = {o, file, 0};
    int code = (int)assemble_all(write_cubin, &job, m);
    messages_print(m, stderr);
    return code != 0 ? code : job.code;
}

/* ---- the other modes ---- */

static int words(const char *text, size_t size, struct messages *m) {
    struct words_text out = {0};
    enum status status = words_assemble(text, size, &out, m);
    messages_print(m, stderr);
    if (status == STATUS_OK) fwrite(out.text, 1, out.size, stdout);
    free(out.text);
    return (int)status;
}

static int verify(struct messages *m) {
    enum status status = verify_listing(stdout, m);
    messages_print(m, stderr);
    return (int)status;
}

static int run(const struct options *o, const char *file, const char *text, size_t size) {
    struct messages m;
    int code;
    messages_init(&m, file, text, size);
    if (o->words)
        code = words(text, size, &m);
    else if (o->verify)
        code = verify(&m);
    else
        code = is_cubin(o) ? assemble_cubin(o, file, &m) : assemble_one(o, file, &m);
    messages_release(&m);
    return code;
}

int main(int argc, char **argv) {
    struct options o = {0};
    struct diag d = {0};
    char *text;
    size_t size;
    int code = parse_options(argc, argv, &o);
    if (code >= 0) return code;
    const char *file = o.file != NULL ? o.file : "<stdin>";
    if (file_read(o.file != NULL ? o.file : "/dev/stdin", &text, &size, &d) != STATUS_OK)
        return diag_report(stderr, &d);
    code = run(&o, file, text, size);
    free(text);
    if (fflush(stdout) == 0) return code;
    fprintf(stderr, "warp-as: error: cannot write to stdout\n");
    return STATUS_BAD_INPUT;
}
