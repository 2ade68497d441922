/* SPDX-License-Identifier: Apache-2.0 */
/* The code of a kernel while it is made, see program.h. */
#include "program.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void program_add_word(struct program *p, uint32_t lo, uint32_t hi, int label) {
    assert(p->line_count < PROGRAM_LINES_MAX);
    p->line[p->line_count++] = (struct program_line){.lo = lo, .hi = hi, .label = label};
}

void program_add(struct program *p, int label, const char *format, ...) {
    char text[ISA_TEXT_MAX];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert(length > 0 && (size_t)length < sizeof text);
    uint32_t lo, hi;
    struct isa_error error;
    if (!isa_parse(text, (size_t)length, NULL, &lo, &hi, &error)) {
        fprintf(stderr, "random_kernel: '%s': %s\n", text, error.text);
        abort();
    }
    program_add_word(p, lo, hi, label);
}

int program_new_label(struct program *p) {
    assert(p->label_count < PROGRAM_LABELS_MAX);
    return p->label_count++;
}

void program_place_label(struct program *p, int label) { p->label_line[label] = p->line_count; }

unsigned program_add_target(struct program *p, int label) {
    assert(p->target_count < PROGRAM_TARGETS_MAX);
    p->target[p->target_count] = label;
    return p->target_count++;
}

uint32_t program_label_address(const struct program *p, int label) {
    uint32_t address = 0;
    for (size_t i = 0; i < p->label_line[label]; i++) {
        address += isa_is_long(p->line[i].lo) ? 8 : 4;
    }
    return address;
}

static bool has_text(const struct isa_insn *insn, const char *text) {
    uint32_t lo, hi;
    struct isa_error error;
    return isa_parse(text, strlen(text), NULL, &lo, &hi, &error) && lo == insn->lo &&
           (insn->bytes == 4 || hi == insn->hi);
}

static void print_line(const struct program_line *line, FILE *out) {
    struct isa_insn insn;
    char text[ISA_TEXT_MAX];
    const enum isa_result result = isa_decode(line->lo, line->hi, &insn);
    if (result != ISA_OK) {
        fprintf(out, isa_is_long(line->lo) ? "        .word 0x%08x, 0x%08x\n" : "        .word 0x%08x\n", line->lo,
                line->hi);
        return;
    }
    isa_print(&insn, ISA_DIALECT_3, text, sizeof text);
    if (line->label != NO_LABEL) {
        char *target = strrchr(text, ' ');
        assert(target != NULL);
        snprintf(target, sizeof text - (size_t)(target - text), " L%d", line->label);
        fprintf(out, "        %s\n", text);
        return;
    }
    const bool end = insn.marker == ISA_MARK_END;
    struct isa_insn plain = insn;
    if (end) {
        plain.hi &= ~3u;
    }
    if (has_text(&plain, text)) {
        fprintf(out, "        %s\n", text);
        if (end) {
            fputs("        .end\n", out);
        }
    } else if (insn.bytes == 8) {
        fprintf(out, "        .word 0x%08x, 0x%08x // %s\n", line->lo, line->hi, text);
    } else {
        fprintf(out, "        .word 0x%08x // %s\n", line->lo, text);
    }
}

void program_print(const struct program *p, FILE *out) {
    for (size_t i = 0; i <= p->line_count; i++) {
        for (int label = 0; label < p->label_count; label++) {
            if (p->label_line[label] == i) {
                fprintf(out, "L%d:\n", label);
            }
        }
        if (i < p->line_count) {
            print_line(&p->line[i], out);
        }
    }
}
