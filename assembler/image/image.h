/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel and its launch, in memory: the contents of one .sass file, image, listing, cubin or .hex. The image file is
 * an ELF object (EM_CUDA) with named sections; every other format is read into the same struct.
 *
 *     struct image *img = NULL; struct diag d = {0};
 *     if (image_load(path, NULL, &img, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     ... img->code[0] ...
 *     image_destroy(img);
 */
#ifndef WARPSTEP_IMAGE_H
#define WARPSTEP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/diag.h"
#include "../base/linkage.h"

C_LINKAGE_BEGIN

enum { IMAGE_CONST_BANKS = 16, IMAGE_BANK_BYTES = 65536 };

/* `size` bytes at byte address `addr`: an initial or expected piece of global memory */
struct image_piece {
    uint32_t addr;
    size_t size;
    uint8_t *bytes;
};

/* Source position of the instruction at byte address pc */
struct image_line {
    uint32_t pc;
    uint32_t line; /* 1-based */
    uint32_t file; /* index into image.files */
};

/* The memory that a parameter of a compiled kernel points to. */
enum image_space {
    IMAGE_VALUE, /* not a pointer */
    IMAGE_GLOBAL,
    IMAGE_CONSTANT, /* global memory that the kernel only reads */
    IMAGE_SHARED,   /* shared memory of a block, whose size the launch gives */
    IMAGE_UNUSED,   /* a value or a pointer: the kernel does not read it, and its source does not tell */
};

/* A parameter of a compiled kernel. */
struct image_parameter {
    char type[8];   /* of PTX: "u32", "f32", "s64"; "b8" for an array or a structure of bytes */
    unsigned size;  /* bytes; of a pointer 4, or 8 with addresses of 64 bits, the upper 4 are 0; 0: no parameter but the
                        memory that the kernel declares without a size (CUDA's extern __shared__) */
    unsigned align; /* bytes */
    unsigned offset; /* offset in bytes in the parameters, which begin at byte 16 of shared memory */
    enum image_space space;
};

/* A variable in the file of a compiled kernel. */
struct image_variable {
    char *name;             /* as in the source, or the compiler's name if several have the source's name */
    char type[8];           /* "u32", "f32", ... of a single value; "b8" for an array or a structure */
    enum image_space space; /* IMAGE_GLOBAL, or IMAGE_CONSTANT: in constant bank 0 */
    uint32_t addr, size;    /* bytes */
};

struct image {
    char *name;     /* kernel name, "kernel" if the source gives none */
    size_t kernels; /* number of kernels in the file; 0: just this one */
    unsigned arch;  /* 10 to 13 for sm_10 to sm_13, IMAGE_ARCH_10X; 0: not given, sm_10 */
    uint32_t *code; /* 32-bit words in memory order, pc = 4 * index */
    size_t code_words;
    unsigned regs;         /* registers per thread (.reg); 0: not given, use the highest register of the code + 1 */
    unsigned shared_bytes; /* per block, with header and parameters (.shared); 0: header and parameters only */
    unsigned local_bytes;  /* per thread (.local) */
    uint32_t grid[2];      /* x, y; 0: not given */
    uint32_t block[3];     /* x, y, z; 0: not given */
    uint32_t *params;      /* 32-bit words, stored in shared memory from byte 16 */
    size_t param_count;
    struct {
        uint8_t *bytes;
        size_t size;
    } bank[IMAGE_CONST_BANKS];
    struct image_piece *global; /* initial global memory, in order (later pieces win) */
    size_t global_count;
    struct image_piece *expect;
    size_t expect_count;
    struct image_line *lines; /* ascending pc */
    size_t line_count;
    char **files; /* source file names */
    size_t file_count;
    char **notes; /* further contents of a cubin, one line each; warp-dis prints them as comments */
    size_t note_count;
    char *unwritten; /* registers for which a warning "read and never written" was printed, a blank on both sides of
                      * each, or NULL; not in any file */
    /* Members after those that plug-ins of older versions know. */
    char *linkage;      /* its name for linkers, "_Z6vecaddPiS_i", if different; else NULL */
    bool has_signature; /* the parameters of a compiled kernel are known */
    struct image_parameter *signature;
    size_t signature_count;
    struct image_variable *variables; /* of a compiled kernel's file */
    size_t variable_count;
};

/* The maxima of a launch: each dimension of the grid, each constant bank. Registers: ISA_REGS. */
enum { IMAGE_GRID_MAX = 65535, IMAGE_BANK_BYTES_MAX = 65536, IMAGE_PARAMETERS_MAX = 4096 /* bytes */ };

struct image *image_create(void); /* all empty; NULL if out of memory */
void image_destroy(struct image *img);
struct image *image_copy(const struct image *img); /* NULL if out of memory */

/* Choice of a kernel of a file, and placement of its variables. */
struct image_choice {
    const char *kernel; /* by name, or NULL */
    size_t number;      /* by its position in the file, from 1; 0: any */
    uint32_t variables; /* address in global memory of a cubin's __device__ variables, see docs/inputs.md */
    FILE *messages;     /* receives all errors and warnings of the assembler; NULL: the diag gets the first error */
    bool quiet;         /* no warnings */
    bool by_words;      /* in a listing, an instruction with unknown text is replaced by its words */
};
enum { IMAGE_VARIABLES = 0x20000 }; /* default address: the middle of the default machine's 256 KB */

/* Writes the image as an ELF file, completely or not at all (written beside, then renamed); or several kernels as one
 * file. */
enum status image_write_file(const struct image *img, const char *path, struct diag *d);
enum status image_write_files(const struct image *const *images, size_t count, const char *path, struct diag *d);

/* The contents of that file, in memory: the caller frees *bytes, which a NUL follows. */
enum status image_write_memory(const struct image *const *images, size_t count, uint8_t **bytes, size_t *size,
                               struct diag *d);

/* Appends; bytes are copied. STATUS_NO_MEMORY on failure, image unchanged. */
enum status image_add_code(struct image *img, uint32_t word);
enum status image_add_param(struct image *img, uint32_t word);
enum status image_add_global(struct image *img, uint32_t addr, const uint8_t *bytes, size_t size);
enum status image_add_expect(struct image *img, uint32_t addr, const uint8_t *bytes, size_t size);
enum status image_set_const(struct image *img, unsigned bank, size_t offset, const uint8_t *bytes, size_t size);

enum status image_add_parameter(struct image *img, const struct image_parameter *parameter);

/* "value", "global", "constant", "local", "unused" */
const char *image_space_name(enum image_space space);

/* Copies the record, with its name. */
enum status image_add_variable(struct image *img, const struct image_variable *variable);

/* The variable with this name, NULL if none. */
const struct image_variable *image_find_variable(const struct image *img, const char *name, size_t length);

/* "saxpy(global buffer, global buffer, f32, u32)" into text, truncated to size - 1 characters. */
void image_print_signature(const struct image *img, char *text, size_t size);

enum status image_set_name(struct image *img, const char *name, size_t length);
enum status image_set_linkage(struct image *img, const char *name, size_t length);
enum status image_add_file(struct image *img, const char *name, size_t length);
enum status image_add_line(struct image *img, uint32_t pc, uint32_t line, uint32_t file);

/* Appends a line to the notes, printf-like. */
enum status image_add_note(struct image *img, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* sm_10x: sm_10 with wide multiplication and division, our extension. Ranks below all others: it has no atomics. */
enum { IMAGE_ARCH_10X = 1 };

#define IMAGE_ARCH_NAMES "sm_10, sm_10x, sm_11, sm_12 or sm_13"

/* "sm_10" to "sm_13" as 10 to 13, "sm_10x" as IMAGE_ARCH_10X, 0 for anything else; and the reverse, "sm_10" for 0. */
unsigned image_arch(const char *name, size_t length);
const char *image_arch_name(unsigned arch);

/* True for a name that every format can hold: printable, without blanks, quotes, comments or punctuation of blocks. */
bool image_is_name(const char *name, size_t length);

/* The highest 32-bit register index in the code, plus one (R124 and the bucket do not count); 128 at most. */
unsigned image_regs_used(const struct image *img);

/* Sets missing dimensions of grid and block to 1. */
void image_set_shape(struct image *img);

/* Source file and line of pc, or NULL and 0. */
const char *image_find_line(const struct image *img, uint32_t pc, unsigned *line);

C_LINKAGE_END

#endif
