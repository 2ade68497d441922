/* SPDX-License-Identifier: Apache-2.0 */
/* warp-as --verify. */
#include "verify.h"

#include <inttypes.h>
#include <string.h>

#include "assemble.h"
#include "isa/isa.h"

struct tally {
    size_t compared, differ;
};

static void print_words(FILE *out, const char *who, uint32_t lo, uint32_t hi, unsigned bytes) {
    struct isa_insn insn;
    char fields[ISA_FIELDS_MAX];
    fprintf(out, "  %-8s %08" PRIx32, who, lo);
    if (bytes == 8) fprintf(out, " %08" PRIx32, hi);
    enum isa_result result = (bytes == 8) == isa_is_long(lo) ? isa_decode(lo, hi, &insn) : ISA_UNDEFINED;
    if (result == ISA_UNDEFINED) {
        fprintf(out, "  undefined instruction\n");
        return;
    }
    isa_print_fields(&insn, fields, sizeof fields);
    fprintf(out, "  %s%s\n", fields, result == ISA_RESERVED_BITS ? " (and must-be-zero bits)" : "");
}

/* What the assembler cannot write: bits that are ignored, a reserved opcode. Both mean the same as its words do. */
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

static void compare_item(const char *path, const char *text, const struct assembly_item *item, FILE *out,
                         struct tally *tally) {
    if (item->hex_bytes == 0) return;
    tally->compared++;
    bool same =
        item->hex_bytes == item->bytes && item->hex_lo == item->lo && (item->bytes == 4 || item->hex_hi == item->hi);
    if (same) return;
    tally->differ++;
    fprintf(out, "%s:%" PRIu32 ": 0x%04" PRIx32 ": %.*s\n", path, item->line, item->pc, (int)item->length,
            text + item->offset);
    print_words(out, "listing", item->hex_lo, item->hex_hi, item->hex_bytes);
    print_words(out, "text", item->lo, item->hi, item->bytes);
    print_fields_that_differ(out, item);
}

static enum status verify_kernel(const char *path, const char *text, size_t size, const char *kernel, FILE *out,
                                 struct messages *m, struct tally *tally) {
    struct assembly a;
    enum status status = assemble_text(path, text, size, kernel, &a, m);
    for (size_t i = 0; i < a.item_count; i++) compare_item(path, text, &a.items[i], out, tally);
    assembly_release(&a);
    return status;
}

enum status verify_listing(const char *path, const char *text, size_t size, FILE *out, struct messages *m) {
    struct assembly_names names;
    struct tally tally = {0};
    enum status status = assemble_names(path, text, size, &names, m);
    for (size_t i = 0; i < names.count && status == STATUS_OK; i++)
        status = verify_kernel(path, text, size, names.name[i], out, m, &tally);
    assembly_names_release(&names);
    if (status == STATUS_OK && tally.compared == 0) {
        messages_add(m, MESSAGE_ERROR, 0, 1, "listing has no words to compare with");
        status = STATUS_BAD_INPUT;
    }
    if (status != STATUS_OK) return status;
    fprintf(out, "%s: %zu instructions compared, %zu differ\n", path, tally.compared, tally.differ);
    return tally.differ > 0 ? STATUS_DIFFERS : STATUS_OK;
}
