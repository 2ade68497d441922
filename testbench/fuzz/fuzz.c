/* SPDX-License-Identifier: Apache-2.0 */
/* Between libFuzzer and the targets, see fuzz.h. */
#include "fuzz.h"

#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../assembler/image_load.h"
#include "../../assembler/listing/listing.h"

/* Enough for every kind of macro, and small enough to process each input quickly. */
enum { EXPANDED_BYTES = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    fuzz_input(text, size);
    free(text);
    return 0;
}

void fuzz_check(bool fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

void fuzz_check_diag(enum status status, const struct diag *d) {
    fuzz_check(status == STATUS_OK || status == STATUS_BAD_INPUT, "a status that bad input does not have");
    fuzz_check(status == STATUS_OK || d->text[0] != '\0', "rejected without a message");
}

static bool has_large_number(const char *text, size_t size) {
    size_t digits = 0;
    for (size_t i = 0; i < size && digits < 6; i++) digits = isxdigit((unsigned char)text[i]) ? digits + 1 : 0;
    return digits == 6 || memchr(text, '*', size) != NULL || memchr(text, '<', size) != NULL;
}

bool fuzz_is_unfit(const char *text, size_t size) {
    if (memchr(text, '@', size) != NULL || memmem(text, size, ".include", 8) != NULL) return true;
    return memmem(text, size, ".fill", 5) != NULL && has_large_number(text, size);
}

bool fuzz_assemble(const char *text, size_t size, struct assembly *a) {
    struct messages m;
    struct diag d = {0};
    FILE *out = fopen("/dev/null", "w");
    messages_init(&m, "fuzz.sass", text, size);
    m.expand_bytes = EXPANDED_BYTES + size;
    const enum status status = assemble_text(NULL, a, &m);
    if (out != NULL) {
        messages_print(&m, out);
        fclose(out);
    }
    fuzz_check((messages_first(&m, &d) != STATUS_OK) == (status != STATUS_OK), "status and messages disagree");
    fuzz_check_diag(status, &d);
    messages_release(&m);
    return status == STATUS_OK;
}

/* ---- an image and its listing ---- */

/* The end of the pieces, or a limit that covers the usual contents of an image. */
static size_t end_of(const struct image_piece *pieces, size_t count) {
    enum { LIMIT = 1 << 18 };
    size_t end = 0;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].addr + pieces[i].size > end) end = pieces[i].addr + pieces[i].size;
    return end < LIMIT ? end : LIMIT;
}

/* The first `size` bytes of global memory with the pieces applied. */
static void lay_out(const struct image_piece *pieces, size_t count, uint8_t *bytes, size_t size) {
    memset(bytes, 0, size);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < pieces[i].size && pieces[i].addr + k < size; k++)
            bytes[pieces[i].addr + k] = pieces[i].bytes[k];
}

static void compare_pieces(const struct image_piece *a, size_t a_count, const struct image_piece *b, size_t b_count) {
    const size_t a_end = end_of(a, a_count), b_end = end_of(b, b_count), size = a_end > b_end ? a_end : b_end;
    if (size == 0) return;
    uint8_t *x = malloc(size), *y = malloc(size);
    if (x != NULL && y != NULL) {
        lay_out(a, a_count, x, size);
        lay_out(b, b_count, y, size);
        fuzz_check(memcmp(x, y, size) == 0, "listing: memory differs");
    }
    free(x);
    free(y);
}

/* True if both have the same text, which shows neither ignored bits nor guards that are not obeyed. */
static bool same_instruction(const uint32_t a[2], const uint32_t b[2]) {
    struct isa_insn x, y;
    char text[2][ISA_TEXT_MAX];
    if (isa_decode(a[0], a[1], &x) != ISA_OK || isa_decode(b[0], b[1], &y) != ISA_OK) return false;
    isa_print(&x, ISA_DIALECT_3, text[0], sizeof text[0]);
    isa_print(&y, ISA_DIALECT_3, text[1], sizeof text[1]);
    return x.marker == y.marker && strcmp(text[0], text[1]) == 0;
}

static void compare_code(const struct image *a, const struct image *b) {
    fuzz_check(a->code_words == b->code_words, "listing: length of code differs");
    for (size_t i = 0; i < a->code_words; i += isa_is_long(a->code[i]) ? 2 : 1) {
        const bool last = i + 1 == a->code_words;
        const uint32_t x[2] = {a->code[i], last ? 0 : a->code[i + 1]}, y[2] = {b->code[i], last ? 0 : b->code[i + 1]};
        const bool same = x[0] == y[0] && (!isa_is_long(x[0]) || x[1] == y[1]);
        fuzz_check(same || same_instruction(x, y), "listing: code differs");
    }
}

static void compare_images(const struct image *a, const struct image *b) {
    compare_code(a, b);
    fuzz_check(a->regs == b->regs, "listing: registers differ");
    fuzz_check(a->shared_bytes == b->shared_bytes, "listing: shared bytes differ");
    fuzz_check(a->local_bytes == b->local_bytes, "listing: local bytes differ");
    fuzz_check(a->arch == b->arch || a->arch == 0, "listing: architecture differs");
    fuzz_check(a->param_count == b->param_count, "listing: number of parameters differs");
    fuzz_check(a->param_count == 0 || memcmp(a->params, b->params, a->param_count * sizeof *a->params) == 0,
               "listing: parameters differ");
    fuzz_check(memcmp(a->grid, b->grid, sizeof a->grid) == 0 || a->grid[0] == 0, "listing: grid differs");
    fuzz_check(memcmp(a->block, b->block, sizeof a->block) == 0 || a->block[0] == 0, "listing: block differs");
    for (size_t i = 0; i < IMAGE_CONST_BANKS; i++) {
        fuzz_check(a->bank[i].size == b->bank[i].size, "listing: size of a constant bank differs");
        fuzz_check(a->bank[i].size == 0 || memcmp(a->bank[i].bytes, b->bank[i].bytes, a->bank[i].size) == 0,
                   "listing: constants differ");
    }
    compare_pieces(a->global, a->global_count, b->global, b->global_count);
    compare_pieces(a->expect, a->expect_count, b->expect, b->expect_count);
}

/* Numbers that an image file can hold without a directive: such an image lists, but does not assemble. */
static bool has_directives(const struct image *img) {
    bool fine = img->regs <= 128 && img->shared_bytes <= 65536 && img->local_bytes <= 65536;
    for (size_t i = 0; i < 2; i++) fine = fine && img->grid[i] <= 65535 && (img->grid[0] == 0 || img->grid[i] > 0);
    for (size_t i = 0; i < 3; i++) fine = fine && img->block[i] <= 65535 && (img->block[0] == 0 || img->block[i] > 0);
    fine = fine && (uint64_t)img->block[0] * img->block[1] * img->block[2] <= 1024;
    return fine && img->code_words > 0 && image_is_name(img->name, strlen(img->name));
}

void fuzz_check_image(const struct image *img) {
    static const enum isa_dialect dialects[] = {ISA_DIALECT_3, ISA_DIALECT_5};
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        char *text = NULL;
        size_t size = 0;
        struct assembly a;
        FILE *out = open_memstream(&text, &size);
        if (out == NULL) return;
        const enum status status = listing_print(img, dialects[i], out);
        fclose(out);
        fuzz_check(status == STATUS_OK, "an image has no listing");
        if (has_directives(img)) {
            const bool good = fuzz_assemble(text, size, &a);
            if (!good) fputs(text, stderr);
            fuzz_check(good, "a listing does not assemble");
            compare_images(img, a.image);
            assembly_release(&a);
        }
        free(text);
    }
}

void fuzz_check_written(const struct image *img,
                        enum status (*write)(const struct image *img, const char *path, struct diag *d)) {
    const struct image_choice choice = {.variables = IMAGE_VARIABLES};
    char path[64];
    struct diag d = {0};
    struct image *again = NULL;
    snprintf(path, sizeof path, "build/fuzz/written-%ld", (long)getpid());
    fuzz_check(write(img, path, &d) == STATUS_OK, "an image cannot be written");
    const enum status status = image_load_as(path, &choice, &again, &d);
    unlink(path);
    if (status != STATUS_OK) fprintf(stderr, "%s\n", d.text);
    fuzz_check(status == STATUS_OK, "what was written cannot be read");
    compare_images(img, again);
    image_destroy(again);
}

bool fuzz_make_elf(char *text, size_t size) {
    if (size < SELFMAG) return false;
    memcpy(text, ELFMAG, SELFMAG);
    return true;
}

struct image *fuzz_load(const char *path, char *text, size_t size) {
    const struct image_choice choice = {.variables = IMAGE_VARIABLES};
    struct image *img = NULL;
    struct diag d = {0};
    const enum status status = image_read(path, text, size, &choice, &img, &d);
    fuzz_check_diag(status, &d);
    fuzz_check((status == STATUS_OK) == (img != NULL), "an image and an error, or neither");
    if (img != NULL) fuzz_check_image(img);
    return img;
}
