/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes words. A half instruction is one word, a long one two, the low one first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../assembler/isa/isa.h"

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const uint32_t lo = (uint32_t)strtoul(argv[i], NULL, 16);
        uint32_t hi = 0;
        if (isa_is_long(lo) && i + 1 < argc) hi = (uint32_t)strtoul(argv[++i], NULL, 16);

        struct isa_insn insn;
        char text[ISA_TEXT_MAX] = "undefined", fields[ISA_FIELDS_MAX] = "";
        if (isa_decode(lo, hi, &insn) == ISA_OK) {
            isa_print(&insn, ISA_DIALECT_3, text, sizeof text);
            isa_print_fields(&insn, fields, sizeof fields);
        }
        printf("%08" PRIx32 " %08" PRIx32 "  %s\n    %s\n", lo, hi, text, fields);
    }

    const char source[] = "IADD R1, R1, R2"; // and back
    uint32_t lo, hi;
    struct isa_error error;
    if (!isa_parse(source, sizeof source - 1, NULL, &lo, &hi, &error)) return puts(error.text), 2;
    printf("%s: %08" PRIx32 " %08" PRIx32 "\n", source, lo, hi);
}
