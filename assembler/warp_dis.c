/* SPDX-License-Identifier: Apache-2.0 */
/* warp-dis: the disassembler. */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "listing.h"
#include "version.h"
#include "words.h"

static const char USAGE[] =
    "usage: warp-dis [--dialect 3|5] [--kernel NAME] FILE    list the code of an image, cubin, .hex, listing or "
    "source\n"
    "       warp-dis [--dialect 3|5] --words                 words of one instruction a line on stdin, text on stdout\n"
    "  --dialect 3    g [0x4], c [0x1] [0x0], as CUDA 3 and 4 print it (the default)\n"
    "  --dialect 5    g[0x4], c[0x1][0x0]\n"
    "  --kernel NAME  the kernel to take when FILE has several\n"
    "  --help, --version\n"
    "exit code: 0 fine (words that are no instruction are printed as .word), 2 bad usage or input\n";

struct options {
    const char *dialect, *kernel, *file;
    bool words;
};

static int usage_error(const char *text, const char *what) {
    fprintf(stderr, "warp-dis: error: %s%s%s%s; --help shows the usage\n", text, what != NULL ? " '" : "",
            what != NULL ? what : "", what != NULL ? "'" : "");
    return STATUS_BAD_INPUT;
}

/* Returns -1 to go on, or the exit code. */
static int parse_options(int argc, char **argv, struct options *o) {
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        const char **value = strcmp(arg, "--dialect") == 0  ? &o->dialect
                             : strcmp(arg, "--kernel") == 0 ? &o->kernel
                                                            : NULL;
        if (value != NULL) {
            if (++i == argc) return usage_error("a value is missing after", arg);
            *value = argv[i];
        } else if (strcmp(arg, "--help") == 0) {
            return fputs(USAGE, stdout) >= 0 ? 0 : STATUS_BAD_INPUT;
        } else if (strcmp(arg, "--version") == 0) {
            return puts("warp-dis (Warpstep) " WARPSTEP_VERSION) >= 0 ? 0 : STATUS_BAD_INPUT;
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
    if (o->dialect != NULL && strcmp(o->dialect, "3") != 0 && strcmp(o->dialect, "5") != 0)
        return usage_error("dialect is 3 or 5, not", o->dialect);
    if (o->file == NULL && !o->words) return usage_error("no file given", NULL);
    return -1;
}

static int words(const struct options *o, enum isa_dialect dialect) {
    struct words_text out = {0};
    struct diag d = {0};
    char *text;
    size_t size;
    if (file_read(o->file != NULL ? o->file : "/dev/stdin", &text, &size, &d) != STATUS_OK)
        return diag_report(stderr, &d);
    const char *name = o->file != NULL ? o->file : "<stdin>";
    enum status status = words_disassemble(name, text, size, dialect, &out, &d);
    if (status == STATUS_OK) fwrite(out.text, 1, out.size, stdout);
    free(out.text);
    free(text);
    return status == STATUS_OK ? 0 : diag_report(stderr, &d);
}

static int list(const struct options *o, enum isa_dialect dialect) {
    struct image *img;
    struct diag d = {0};
    if (image_load(o->file, o->kernel, &img, &d) != STATUS_OK) return diag_report(stderr, &d);
    enum status status = listing_print(img, dialect, stdout);
    if (status != STATUS_OK) diag_set(&d, status, o->file, 0, 0, "out of memory");
    image_destroy(img);
    return status == STATUS_OK ? 0 : diag_report(stderr, &d);
}

int main(int argc, char **argv) {
    struct options o = {0};
    int code = parse_options(argc, argv, &o);
    if (code >= 0) return code;
    enum isa_dialect dialect = o.dialect != NULL && o.dialect[0] == '5' ? ISA_DIALECT_5 : ISA_DIALECT_3;
    code = o.words ? words(&o, dialect) : list(&o, dialect);
    if (fflush(stdout) == 0) return code;
    fprintf(stderr, "warp-dis: error: cannot write to stdout\n");
    return STATUS_BAD_INPUT;
}
