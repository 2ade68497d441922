/* SPDX-License-Identifier: Apache-2.0 */
/* warp-as --verify. */
#include "verify.h"

#include <inttypes.h>
#include <string.h>

#include "../isa/isa.h"
#include "../source/assemble.h"

struct tally {
    const char *path;
    FILE *out;
    size_t compared, differ, without_text;
};

static void print_words(FILE *out, const char *who, uint32_t lo, uint32_t hi, unsigned bytes) {
    struct isa_insn insn;
    char fields[ISA_FIELDS_MAX];
    fprintf(out, "  %-8s %08" PRIx32, who, lo);
    if (bytes == 8) fprintf(out, " %08" PRIx32, hi);
    const char *later = isa_later(lo, hi, ISA_DIALECT_3, fields);
    if (later != NULL) {
        fprintf(out, "  %s (%s)\n", fields, later);
        return;
    }
    enum isa_result result = (bytes == 8) == isa_is_long(lo) ? isa_decode(lo, hi, &insn) : ISA_UNDEFINED;
    if (result == ISA_UNDEFINED) {
        fprintf(out, "  undefined instruction\n");
        return;
    }
    isa_print_fields(&insn, fields, sizeof fields);
    fprintf(out, "  %s%s\n", fields, result == ISA_RESERVED_BITS ? " (and must-be-zero bits)" : "");
}

/* Bits that the assembler cannot write: ignored bits, a reserved opcode. Both mean the same as the words of the
 * assembler. */
static void print_ignored(FILE *out, const struct isa_insn *listing, const struct assembly_item *item) {
    uint32_t lo, hi;
    char bits[ISA_BITS_MAX];
    if (listing->ignored == 0 && !listing->alias) return;
    isa_print_bits(listing->ignored, bits, sizeof bits);
    isa_canonical(listing, &lo, &hi);
    bool same = lo == item->lo && (item->bytes == 4 || hi == item->hi);
    fprintf(out, "  ignored  listing %s%s%s%s\n", listing->alias ? "has a reserved opcode that acts as this" : "",
            listing->alias && bits[0] != '\0' ? ", " : "", bits[0] != '\0' ? "sets ignored bits " : "", bits);
    if (same) fprintf(out, "           nothing else differs: both words do the same\n");
}

/* The fields in which two words of the same row differ. */
static void print_fields_that_differ(FILE *out, const struct assembly_item *item) {
    struct isa_insn listing, text;
    if (isa_decode(item->hex_lo, item->hex_hi, &listing) != ISA_OK) return;
    print_ignored(out, &listing, item);
    if (isa_decode(item->lo, item->hi, &text) != ISA_OK || listing.row != text.row) return;
    struct isa_fields a, b;
    isa_unpack(listing.row, item->hex_lo, item->hex_hi, &a);
    isa_unpack(text.row, item->lo, item->hi, &b);
    if (memcmp(&a, &b, sizeof a) == 0) return;
    fprintf(out, "  differ  ");
    for (size_t i = 0; i < ISA_FIELD_COUNT; i++)
        if (a.value[i] != b.value[i])
            fprintf(out, " %s: listing 0x%" PRIx32 ", text 0x%" PRIx32, isa_field_name((enum isa_field)i), a.value[i],
                    b.value[i]);
    fprintf(out, "\n");
}

static void compare_item(struct tally *tally, const struct assembly *a, const struct assembly_item *item) {
    if (item->hex_bytes == 0) return;
    if (item->has_no_text) {
        tally->without_text++;
        return;
    }
    tally->compared++;
    bool same =
        item->hex_bytes == item->bytes && item->hex_lo == item->lo && (item->bytes == 4 || item->hex_hi == item->hi);
    if (same) return;
    tally->differ++;
    fprintf(tally->out, "%s:%" PRIu32 ": 0x%04" PRIx32 ": %.*s\n", tally->path, item->line, item->pc, (int)item->length,
            a->text + item->offset);
    print_words(tally->out, "listing", item->hex_lo, item->hex_hi, item->hex_bytes);
    print_words(tally->out, "text", item->lo, item->hi, item->bytes);
    print_fields_that_differ(tally->out, item);
}

static void compare_kernels(void *state, const struct assembly *kernels, size_t count) {
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < kernels[k].item_count; i++) compare_item(state, &kernels[k], &kernels[k].items[i]);
}

enum status verify_listing(FILE *out, struct messages *m) {
    if (m->no_memory) return STATUS_NO_MEMORY;
    struct tally tally = {.path = m->sources.file[0].path, .out = out};
    enum status status = assemble_all(compare_kernels, &tally, m);
    if (status == STATUS_OK && tally.compared == 0) {
        messages_add(m, 0, 1, "listing has no %s to compare with", tally.without_text > 0 ? "text" : "words");
        status = STATUS_BAD_INPUT;
    }
    if (status != STATUS_OK) return status;
    fprintf(out, "%s: %zu instructions compared, %zu differ", tally.path, tally.compared, tally.differ);
    if (tally.without_text > 0) fprintf(out, ", %zu without text", tally.without_text);
    fprintf(out, "\n");
    return tally.differ > 0 ? STATUS_DIFFERS : STATUS_OK;
}
