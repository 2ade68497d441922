/* SPDX-License-Identifier: Apache-2.0 */
/* warp-dis: the disassembler. */
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/file.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/stop.h"
#include "image_load.h"
#include "listing/listing.h"
#include "listing/words.h"

static const char USAGE[] =
    "usage: warp-dis [--dialect 3|5|6.5] [--kernel NAME] FILE    list the code of an image, cubin, .hex, listing or "
    "source\n"
    "       warp-dis [--dialect 3|5|6.5] --words [FILE]          disassemble words of instructions (default stdin)\n"
    "       warp-dis [--dialect 3|5|6.5] --fields [FILE]         the same, with bits and fields of each instruction\n"
    "  --dialect 3    g [0x4], c [0x1] [0x0], as CUDA 3 and 4 print it (the default)\n"
    "  --dialect 5    g[0x4], c[0x1][0x0]\n"
    "  --dialect 6.5  as 5, and G2R.U16 R0H, g[0x6].U16 as nvdisasm of CUDA 6.5 prints it\n"
    "  --kernel NAME  select a kernel of FILE\n"
    "  --words        32 bits each, in memory order, or 64 as cuobjdump prints them, with or without 0x; # comments;\n"
    "                 the second word of a long instruction may be in the next line\n"
    "  --help, --version\n"
    "exit code: 0 fine (words that are no instruction are printed as .word), 2 bad usage or input\n";

struct options {
    const char *dialect, *kernel, *file;
    bool words, fields;
};

static int words(const struct options *o, enum isa_dialect dialect) {
    struct words_text out = {0};
    struct diag d = {0};
    char *text;
    size_t size;
    if (file_read(o->file != NULL ? o->file : "/dev/stdin", &text, &size, &d) != STATUS_OK)
        return diag_report(stderr, &d);
    const char *name = o->file != NULL ? o->file : "<stdin>";
    enum status status =
        characters_are_utf16(text, size)
            ? diag_set(&d, STATUS_BAD_INPUT, name, 1, 1, "the text is UTF-16: save it as UTF-8, without a mark")
            : words_disassemble(name, text, size, dialect, o->fields, &out, &d);
    if (status != STATUS_OK) characters_explain(text, size, "#", &d);
    if (status == STATUS_OK && out.note[0] != '\0') fprintf(stderr, "%s: note: %s\n", name, out.note);
    if (status == STATUS_OK) fwrite(out.text, 1, out.size, stdout);
    free(out.text);
    free(text);
    return status == STATUS_OK ? 0 : diag_report(stderr, &d);
}

/* Lists the kernel at that position in the file; *kernels is the number of kernels. */
static enum status list_one(const struct options *o, size_t number, enum isa_dialect dialect, size_t *kernels,
                            struct diag *d) {
    const struct image_choice choice = {.kernel = o->kernel,
                                        .number = number,
                                        .variables = IMAGE_VARIABLES,
                                        .messages = number <= 1 ? stderr : NULL,
                                        .quiet = true,
                                        .by_words = true};
    struct image *img;
    const enum status loaded = image_load_as(o->file, &choice, &img, d);
    if (loaded != STATUS_OK) return loaded;
    *kernels = img->kernels;
    if (number > 1) putchar('\n');
    enum status status = listing_print(img, dialect, stdout);
    if (status != STATUS_OK) diag_set(d, status, o->file, 0, 0, "out of memory");
    image_destroy(img);
    return status;
}

static int list(const struct options *o, enum isa_dialect dialect) {
    struct diag d = {0};
    size_t kernels = 1;
    enum status status = STATUS_OK;
    if (o->kernel != NULL)
        status = list_one(o, 0, dialect, &kernels, &d);
    else
        for (size_t i = 1; i <= kernels && status == STATUS_OK; i++) status = list_one(o, i, dialect, &kernels, &d);
    return status == STATUS_OK ? 0 : diag_report(stderr, &d);
}

static bool find_dialect(const char *name, enum isa_dialect *dialect) {
    static const char *const NAMES[] = {[ISA_DIALECT_3] = "3", [ISA_DIALECT_5] = "5", [ISA_DIALECT_65] = "6.5"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(name, NAMES[i]) != 0) continue;
        *dialect = (enum isa_dialect)i;
        return true;
    }
    return false;
}

int main(int argc, char **argv) {
    struct options o = {0};
    const struct options_value values[] = {
        {"--dialect", &o.dialect},
        {"--kernel",  &o.kernel },
        {NULL,        NULL      }
    };
    const struct options_flag flags[] = {
        {"--words",  &o.words },
        {"--fields", &o.fields},
        {NULL,       NULL     }
    };
    const struct options_tool tool = {"warp-dis", USAGE, values, flags, NULL, NULL};
    stop_install();
    int code = options_parse(&tool, argc, argv, &o.file);
    if (code >= 0) return code;
    enum isa_dialect dialect = ISA_DIALECT_3;
    if (o.dialect != NULL && !find_dialect(o.dialect, &dialect))
        return options_error(&tool, "dialect is 3, 5 or 6.5, not", o.dialect);
    o.words = o.words || o.fields;
    if (o.file == NULL && !o.words) return options_error(&tool, "no file given", NULL);
    return outfile_finish(o.words ? words(&o, dialect) : list(&o, dialect));
}
