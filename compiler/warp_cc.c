/* SPDX-License-Identifier: Apache-2.0 */
/* warp-cc: compiles OpenCL C, CUDA C and PTX to machine code of sm_10. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/base/options.h"
#include "../assembler/base/outfile.h"
#include "../assembler/cubin/cubin_text_write.h"
#include "../assembler/image/kernel_choice.h"
#include "driver.h"

static const char USAGE[] =
    "usage: warp-cc FILE.cl|FILE.cu|FILE.ptx [-o OUT]    compile a source into an image\n"
    "  -o OUT             output: an image, or by its suffix .sass, .cubin, .ptx; -: standard output; default FILE\n"
    "                     with the suffix .img\n"
    "  -S                 write SASS for warp-as, with source lines, to OUT or standard output\n"
    "  -c                 write a text cubin of all kernels\n"
    "  --emit-ptx         write the PTX that clang generates from the source\n"
    "  --kernel NAME      select a kernel of FILE\n"
    "  -O0, -O1, -O2      optimisation; default -O2\n"
    "  -DNAME[=VALUE], -IDIR, -UNAME, -fOPTION, -cl-OPTION, -std=, -W...   options for clang\n"
    "  --arch sm_1N       sm_10 to sm_13, or sm_10x; sm_11 and later have atomic operations; default sm_10, or sm_11\n"
    "                     for kernels that print\n"
    "  --max-registers N  maximum registers a thread, 8 to 124\n"
    "  --fast-math        compute division, roots and fma by single instructions, as -cl-fast-relaxed-math does\n"
    "  --no-contract      do not contract a product and a sum into a multiply-add\n"
    "  --no-inline        call each function that clang has not inlined, also small ones\n"
    "  --variables ADDR   first address of variables in global memory (default 0x100)\n"
    "  --keep             keep the PTX beside FILE\n"
    "  -v                 print the commands that are run\n"
    "  --help, --version\n"
    "exit code: 0 fine, 2 bad usage or input\n";

struct options {
    const char *output, *kernel, *file, *arch, *registers, *variables;
    bool listing, cubin, ptx, verbose, keep, fast, no_contract, no_inline;
    struct driver_options driver;
    const char **arguments; /* options of clang */
    size_t argument_count;
};

static bool ends_with(const char *text, const char *with) {
    const size_t n = strlen(text), m = strlen(with);
    return n > m && strcmp(text + n - m, with) == 0;
}

/* Options passed to clang. */
static bool add_clang_option(void *state, const char *arg) {
    struct options *o = state;
    if (strcmp(arg, "-w") != 0 && !driver_parse_option(&o->driver.compile, arg)) return false;
    o->arguments[o->argument_count++] = arg;
    return true;
}

static int fail(const char *file, const char *text) {
    fprintf(stderr, "%s: error: %s\n", file, text);
    return STATUS_BAD_INPUT;
}

/* FILE with another suffix, in the current directory. */
static char *default_output(const char *file, const char *suffix) {
    const char *dot = strrchr(file, '.');
    const size_t length = dot != NULL ? (size_t)(dot - file) : strlen(file);
    char *path = malloc(length + strlen(suffix) + 1);
    if (path == NULL) return NULL;
    memcpy(path, file, length);
    memcpy(path + length, suffix, strlen(suffix) + 1);
    return path;
}

static int write_text(const char *path, const char *text, size_t size) {
    struct diag d = {0};
    struct outfile out;
    if (path == NULL) return fwrite(text, 1, size, stdout) == size ? 0 : STATUS_BAD_INPUT;
    enum status status = outfile_open(&out, path, &d);
    if (status == STATUS_OK) {
        fwrite(text, 1, size, out.stream);
        status = outfile_close(&out, true, &d);
    }
    return status == STATUS_OK ? 0 : diag_report(stderr, &d);
}

/* Checks the kernel name of the options against those of the program. */
static enum status check_kernel_name(const struct options *o, const struct compiled *p) {
    const struct image_choice choice = {.kernel = o->kernel};
    struct kernel_choice k = {.by = &choice};
    struct diag d = {0};
    for (size_t i = 0; i < p->kernel_count; i++)
        kernel_choice_offer_linked(&k, p->kernels[i].image->name, p->kernels[i].name);
    if (o->kernel == NULL || kernel_choice_finish(&k, o->file, &d) == STATUS_OK) return STATUS_OK;
    diag_report(stderr, &d);
    return STATUS_BAD_INPUT;
}

/* Writes all kernels, or the named one, to one image or text cubin. */
static int write_kernels(const struct options *o, const char *path, const struct compiled *p) {
    struct diag d = {0};
    const struct image **images = calloc(p->kernel_count + 1, sizeof(struct image *));
    if (images == NULL) return fail(o->file, "out of memory");
    size_t n = 0;
    for (size_t i = 0; i < p->kernel_count; i++) {
        const struct compile_kernel *k = &p->kernels[i];
        if (o->kernel == NULL || compiled_find(p, o->kernel) == k) images[n++] = k->image;
    }
    const enum status status =
        o->cubin ? cubin_text_write(images, n, path, &d) : image_write_files(images, n, path, &d);
    free(images);
    return status == STATUS_OK ? 0 : diag_report(stderr, &d);
}

/* Writes the listing of all kernels, or of the named one. */
static int write_listing(const struct options *o, const struct compiled *p) {
    const struct compile_kernel *k = o->kernel != NULL ? compiled_find(p, o->kernel) : NULL;
    const char *text = k != NULL ? p->listing + k->listing_at : p->listing;
    return write_text(o->output, text, k != NULL ? k->listing_size : p->listing_size);
}

static int write_result(const struct options *o, const struct compiled *p) {
    if (check_kernel_name(o, p) != STATUS_OK) return STATUS_BAD_INPUT;
    if (o->listing) return write_listing(o, p);
    char *path = o->output != NULL ? strdup(o->output) : default_output(o->file, o->cubin ? ".cubin" : ".img");
    if (path == NULL) return fail(o->file, "out of memory");
    const int code = write_kernels(o, path, p);
    free(path);
    return code;
}

static int write_ptx(const struct options *o, const char *path) {
    struct diag d = {0};
    char *text;
    size_t size;
    if (driver_read_ptx(o->file, &o->driver, &text, &size, NULL, &d) != STATUS_OK) return diag_report(stderr, &d);
    const int code = write_text(path, text, size);
    free(text);
    return code;
}

/* Writes FILE.ptx next to FILE.cl. */
static int keep_ptx(const struct options *o) {
    if (ends_with(o->file, ".ptx")) return 0;
    char *path = default_output(o->file, ".ptx");
    if (path == NULL) return fail(o->file, "out of memory");
    const int code = write_ptx(o, path);
    free(path);
    return code;
}

static int compile_file(const struct options *o) {
    struct compiled p;
    struct diag d = {0};
    if (o->ptx) return write_ptx(o, o->output);
    if (o->keep && keep_ptx(o) != 0) return STATUS_BAD_INPUT;
    if (driver_compile(o->file, &o->driver, &p, &d) != STATUS_OK) return diag_report(stderr, &d);
    fputs(p.notes, stderr);
    const int code = write_result(o, &p);
    compiled_release(&p);
    return code;
}

/* Selects the format by the suffix of the output file, unless an option does. */
static void select_format(struct options *o) {
    if (o->output == NULL || o->listing || o->cubin || o->ptx) return;
    o->listing = ends_with(o->output, ".sass") || ends_with(o->output, ".s");
    o->cubin = ends_with(o->output, ".cubin");
    o->ptx = ends_with(o->output, ".ptx");
}

/* Reads the numeric options; returns an error text, or NULL. */
static const char *parse_numbers(struct options *o) {
    struct compile_options *c = &o->driver.compile;
    char *end;
    if (o->arch != NULL && (c->arch = image_arch(o->arch, strlen(o->arch))) == 0)
        return "--arch must be " IMAGE_ARCH_NAMES;
    if (o->registers != NULL) {
        c->max_registers = (unsigned)strtoul(o->registers, &end, 0);
        if (*end != '\0' || c->max_registers < 8 || c->max_registers > 124) return "--max-registers must be 8 to 124";
    }
    if (o->variables != NULL) {
        c->variables = (uint32_t)strtoul(o->variables, &end, 0);
        if (*end != '\0' || c->variables % 256 != 0) return "--variables must be an address, a multiple of 256";
    }
    if (o->listing + o->cubin + o->ptx > 1) return "-S, -c and --emit-ptx exclude each other";
    c->fast_math |= o->fast;
    c->no_inline = o->no_inline;
    if (o->no_contract) c->contract = COMPILE_CONTRACT_OFF;
    o->driver.contract_given = o->no_contract;
    o->driver.verbose = o->verbose;
    o->driver.messages = stderr;
    o->driver.arguments = o->arguments;
    select_format(o);
    return NULL;
}

int main(int argc, char **argv) {
    struct options o = {.driver.compile = COMPILE_DEFAULT};
    o.driver.compile.variables = DRIVER_VARIABLES;
    const struct options_value values[] = {
        {"-o",              &o.output   },
        {"--kernel",        &o.kernel   },
        {"--arch",          &o.arch     },
        {"--max-registers", &o.registers},
        {"--variables",     &o.variables},
        {NULL,              NULL        }
    };
    const struct options_flag flags[] = {
        {"-S",            &o.listing    },
        {"-c",            &o.cubin      },
        {"--emit-ptx",    &o.ptx        },
        {"-v",            &o.verbose    },
        {"--keep",        &o.keep       },
        {"--fast-math",   &o.fast       },
        {"--no-contract", &o.no_contract},
        {"--no-inline",   &o.no_inline  },
        {NULL,            NULL          }
    };
    const struct options_tool tool = {"warp-cc", USAGE, values, flags, add_clang_option, &o};
    o.arguments = calloc((size_t)argc + 1, sizeof *o.arguments);
    if (o.arguments == NULL) return fail("warp-cc", "out of memory");
    int code = options_parse(&tool, argc, argv, &o.file);
    if (code < 0) {
        const char *wrong = o.file == NULL ? "no file given" : parse_numbers(&o);
        code = wrong != NULL ? options_error(&tool, wrong, NULL) : outfile_finish(compile_file(&o));
    }
    free(o.arguments);
    return code;
}
