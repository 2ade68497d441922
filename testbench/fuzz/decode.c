/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction table: raw words, eight bytes an instruction. Decoded words print in both dialects as text that
 * parses to the same words, except for the END marker, ignored bits and guards that are not obeyed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/isa/isa.h"
#include "fuzz.h"

static uint32_t word_at(const char *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static void check_text(const struct isa_insn *insn, enum isa_dialect dialect) {
    char text[ISA_TEXT_MAX], again[ISA_TEXT_MAX];
    struct isa_insn parsed;
    struct isa_error error = {0};
    uint32_t lo = 0, hi = 0;
    const size_t length = isa_print(insn, dialect, text, sizeof text);
    fuzz_check(length < sizeof text && strlen(text) == length, "length of the text");
    if (!isa_parse(text, length, NULL, &lo, &hi, &error)) {
        fprintf(stderr, "%08x %08x: '%s': %s\n", insn->lo, insn->hi, text, error.text);
        fuzz_check(false, "text that was printed does not parse");
    }
    fuzz_check(isa_decode(lo, hi, &parsed) == ISA_OK, "parsed words are no instruction");
    isa_print(&parsed, dialect, again, sizeof again);
    if (strcmp(text, again) == 0) return;
    fprintf(stderr, "%08x %08x: '%s' became '%s'\n", insn->lo, insn->hi, text, again);
    fuzz_check(false, "text changes when it is parsed and printed");
}

/* The fields are complete: packing them again gives the canonical words. */
static void check_fields(const struct isa_insn *insn) {
    struct isa_fields fields;
    uint32_t lo, hi, canonical_lo, canonical_hi;
    isa_canonical(insn, &canonical_lo, &canonical_hi);
    isa_unpack(insn->row, canonical_lo, canonical_hi, &fields);
    fuzz_check(isa_encode(insn->row, &fields, &lo, &hi), "fields that were decoded do not encode");
    fuzz_check(lo == canonical_lo && (insn->bytes == 4 || hi == canonical_hi), "fields encode to other words");
}

void fuzz_input(char *text, size_t size) {
    for (size_t at = 0; at + 8 <= size; at += 8) {
        struct isa_insn insn;
        const uint32_t lo = word_at(text + at), hi = word_at(text + at + 4);
        const enum isa_result result = isa_decode(lo, hi, &insn);
        fuzz_check((isa_stray_bits(lo, hi) != 0) == (result == ISA_RESERVED_BITS), "stray bits");
        if (result != ISA_OK) continue;
        check_text(&insn, ISA_DIALECT_3);
        check_text(&insn, ISA_DIALECT_5);
        check_fields(&insn);
    }
}
