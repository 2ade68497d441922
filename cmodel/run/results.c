/* SPDX-License-Identifier: Apache-2.0 */
/* Expectations and dumps, see results.h. */
#include "results.h"

#include <inttypes.h>

#include "../../assembler/base/outfile.h"

enum { MAX_SHOWN = 8, DUMP_LINE = 16 };

/* True if a later expectation covers this byte. */
static bool is_overridden(const struct image *image, size_t piece, uint64_t addr) {
    for (size_t i = piece + 1; i < image->expect_count; i++)
        if (addr >= image->expect[i].addr && addr - image->expect[i].addr < image->expect[i].size) return true;
    return false;
}

static bool byte_differs(const struct image *image, size_t piece, size_t i, const uint8_t *global) {
    const struct image_piece *p = &image->expect[piece];
    return global[p->addr + i] != p->bytes[i] && !is_overridden(image, piece, (uint64_t)p->addr + i);
}

/* The bytes of one aligned word that belong to the piece, expected and actual. */
static void show_word(const struct image_piece *p, size_t at, size_t count, const uint8_t *global, FILE *out) {
    fprintf(out, "0x%08" PRIx32 ": expected", (uint32_t)(p->addr + at));
    for (size_t i = 0; i < count; i++) fprintf(out, " %02x", p->bytes[at + i]);
    fprintf(out, ", found");
    for (size_t i = 0; i < count; i++) fprintf(out, " %02x", global[p->addr + at + i]);
    fprintf(out, "\n");
}

/* Writes the differing words to `out`, which may be NULL, until *shown is MAX_SHOWN; returns the number of differing
 * bytes. */
static uint64_t compare_piece(const struct image *image, size_t piece, const uint8_t *global, FILE *out,
                              unsigned *shown) {
    const struct image_piece *p = &image->expect[piece];
    uint64_t wrong = 0;
    for (size_t at = 0, count; at < p->size; at += count) {
        uint64_t differing = 0;
        count = 4 - (p->addr + at) % 4;
        count = count < p->size - at ? count : p->size - at;
        for (size_t i = 0; i < count; i++) differing += byte_differs(image, piece, at + i, global) ? 1 : 0;
        if (differing != 0 && out != NULL && (*shown)++ < MAX_SHOWN) show_word(p, at, count, global, out);
        wrong += differing;
    }
    return wrong;
}

uint64_t results_count_wrong(const struct image *image, size_t expectation, const uint8_t *global) {
    return compare_piece(image, expectation, global, NULL, NULL);
}

uint64_t results_compare(const struct launch *run, const uint8_t *global, FILE *out) {
    uint64_t wrong = 0;
    unsigned shown = 0;
    for (size_t piece = 0; piece < run->image->expect_count; piece++)
        wrong += compare_piece(run->image, piece, global, out, &shown);
    if (wrong != 0 && out != NULL)
        fprintf(out, "%" PRIu64 " byte%s of global memory %s not as expected\n", wrong, wrong == 1 ? "" : "s",
                wrong == 1 ? "is" : "are");
    return wrong;
}

static void hexdump(const struct launch_dump *dump, const uint8_t *global, FILE *out) {
    for (size_t at = 0; at < dump->bytes; at += DUMP_LINE) {
        fprintf(out, "%08zx:", dump->addr + at);
        for (size_t i = at; i < at + DUMP_LINE && i < dump->bytes; i++)
            fprintf(out, "%s%02x", i % 4 == 0 ? "  " : " ", global[dump->addr + i]);
        fprintf(out, "\n");
    }
}

static enum status dump_file(const struct launch_dump *dump, const uint8_t *global, struct diag *d) {
    struct outfile file;
    const enum status status = outfile_open(&file, dump->path, d);
    if (status != STATUS_OK) return status;
    fwrite(global + dump->addr, 1, dump->bytes, file.stream);
    return outfile_close(&file, true, d);
}

enum status results_check(const struct launch *run, struct diag *d) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < run->dump_count && status == STATUS_OK; i++)
        if (run->dumps[i].path != NULL) status = outfile_check(run->dumps[i].path, d);
    return status;
}

enum status results_dump(const struct launch *run, const uint8_t *global, FILE *out, struct diag *d) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < run->dump_count && status == STATUS_OK; i++)
        if (run->dumps[i].path == NULL)
            hexdump(&run->dumps[i], global, out);
        else
            status = dump_file(&run->dumps[i], global, d);
    return status;
}
