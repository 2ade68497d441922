/* SPDX-License-Identifier: Apache-2.0 */
/* Trace files, see trace.h. Times are the record's cycle; the model alone counts warp instructions. */
#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../assembler/base/outfile.h"
#include "../core/decoded.h"
#include "../core/lanes.h"
#include "perfetto.h"
#include "trap_report.h"

enum trace_form { FORM_TEXT, FORM_PERFETTO, FORM_KANATA };

struct trace {
    struct outfile file;
    const struct image *image;
    enum trace_form form;
    struct perfetto *perfetto; /* writer of the format */
    struct kanata konata;      /* writer of the format */
    bool staged;               /* another writer fills the file */
    uint64_t first_open;       /* first unfinished instruction */
    uint64_t limit, records;   /* in bytes; 0: unlimited */
    uint64_t cycle;            /* cycle of the last record */
    char cut[TRACE_CUT_MAX];   /* place and reason of the truncation; "": complete */
};

/* Bytes reserved below the limit for a record and the end. Perfetto and Konata must close the open slices of all
 * warps. */
enum { SPARE_TEXT = 1 << 13, SPARE_OTHERS = 1 << 17 };

static bool form_of(const char *path, enum trace_form *form) {
    static const struct {
        const char *suffix;
        enum trace_form form;
    } FORMS[] = {
        {".txt",    FORM_TEXT    },
        {".json",   FORM_PERFETTO},
        {".kanata", FORM_KANATA  }
    };
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        const size_t length = strlen(FORMS[i].suffix);
        if (strlen(path) > length && strcmp(path + strlen(path) - length, FORMS[i].suffix) == 0) {
            *form = FORMS[i].form;
            return true;
        }
    }
    return false;
}

const char *trace_instruction(uint32_t pc, uint32_t word_lo, uint32_t word_hi, char *text) {
    struct isa_insn insn;
    char name[ISA_TEXT_MAX];
    const char *fault = decoded_fault(pc, word_lo, word_hi);
    if (isa_is_long(word_lo) && pc % 8 != 0 && word_hi == 0) return fault;
    const char *later = isa_later(word_lo, word_hi, ISA_DIALECT_3, name);
    if (later != NULL) {
        snprintf(text, TRACE_TEXT_MAX, "%s (%s)", name, later);
        return text;
    }
    const enum isa_result result = isa_decode(word_lo, word_hi, &insn);
    if (result == ISA_UNDEFINED) {
        snprintf(text, TRACE_TEXT_MAX, "no instruction%s%s", fault != NULL ? ": " : "", fault != NULL ? fault : "");
        return text;
    }
    size_t length = 0;
    if (result == ISA_RESERVED_BITS) {
        char bits[ISA_BITS_MAX];
        isa_print_bits(isa_stray_bits(word_lo, word_hi), bits, sizeof bits);
        const int printed = snprintf(text, ISA_TEXT_MAX, "must-be-zero bits %s set in ", bits);
        length = printed < ISA_TEXT_MAX ? (size_t)printed : ISA_TEXT_MAX - 1;
    }
    length += isa_print(&insn, ISA_DIALECT_3, text + length, ISA_TEXT_MAX - length);
    if (fault != NULL) snprintf(text + length, TRACE_TEXT_MAX - length, ", undefined: %s", fault);
    return text;
}

uint32_t trace_second_word(const struct image *image, uint32_t pc, uint32_t word_lo, uint32_t word_hi) {
    const size_t at = pc / 4 + 1;
    const bool wanted = image != NULL && word_hi == 0 && isa_is_long(word_lo) && pc % 8 != 0;
    return wanted && at < image->code_words ? image->code[at] : word_hi;
}

static void open_text(struct trace *t) {
    const struct image *image = t->image;
    unsigned line;
    fprintf(t->file.stream, "%s %d\n", TRACE_HEADER, TRACE_VERSION);
    for (uint32_t pc = 0; image != NULL && image->has_signature && pc / 4 < image->code_words;) {
        const char *file = image_find_line(image, pc, &line);
        if (file != NULL) fprintf(t->file.stream, TRACE_SOURCE "%06" PRIx32 " %s:%u\n", pc, file, line);
        pc += isa_is_long(image->code[pc / 4]) ? 8 : 4;
    }
}

enum status trace_open(const char *path, const struct image *image, struct trace **t, struct diag *d) {
    enum trace_form form;
    *t = NULL;
    if (!form_of(path, &form))
        return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "a trace is .txt, .json or .kanata by its suffix");
    struct trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL) return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    trace->image = image;
    trace->form = form;
    const enum status status = outfile_open(&trace->file, path, d);
    if (status != STATUS_OK) {
        free(trace);
        return status;
    }
    switch (form) {
    case FORM_TEXT: open_text(trace); break;
    case FORM_PERFETTO: trace->perfetto = perfetto_create(trace->file.stream, image); break;
    case FORM_KANATA:
        trace->konata.out = trace->file.stream;
        kanata_open(&trace->konata);
        break;
    }
    if (form == FORM_PERFETTO && trace->perfetto == NULL) {
        outfile_close(&trace->file, false, d);
        free(trace);
        return diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory");
    }
    *t = trace;
    return STATUS_OK;
}

/* ---------------------------------------------------------------------------- text */

/* " NAME=v,v": a value for each lane of the mask; the mask follows the name if it differs from that of the executing
 * lanes. */
static void print_lanes(FILE *out, const char *name, uint32_t mask, uint32_t exec, const uint32_t *value, int digits) {
    fprintf(out, " %s", name);
    if (mask != exec) fprintf(out, "/%08" PRIx32, mask);
    const char *separator = "=";
    if (mask == 0) fputc('=', out);
    for (uint32_t left = mask; left != 0; left = lanes_rest(left)) {
        fprintf(out, "%s%0*" PRIx32, separator, digits, value[lanes_first(left)]);
        separator = ",";
    }
}

const char *trace_destination(const struct retire *r, unsigned word, char *text) {
    if (r->dst_kind == RETIRE_DST_REG16)
        snprintf(text, TRACE_REGISTER_MAX, "R%u%c", r->dst_reg / 2 % ISA_REGS, r->dst_reg % 2 == 0 ? 'L' : 'H');
    else
        snprintf(text, TRACE_REGISTER_MAX, "R%u", (r->dst_reg + word) % 1000);
    return text;
}

static void write_registers(FILE *out, const struct retire *r) {
    char name[16];
    for (unsigned word = 0; word < retire_words(r) && r->dst_kind != RETIRE_DST_NONE; word++)
        print_lanes(out, trace_destination(r, word, name), r->dst_mask, r->exec,
                    word == 0 ? r->dst : r->dst_rest[word - 1], r->dst_kind == RETIRE_DST_REG16 ? 4 : 8);
    snprintf(name, sizeof name, "C%u", r->c_reg);
    if (r->c_reg != 0 || r->c_mask != 0) print_lanes(out, name, r->c_mask, r->exec, r->c, 1);
    snprintf(name, sizeof name, "A%u", r->a_reg);
    if (r->a_reg != 0 || r->a_mask != 0) print_lanes(out, name, r->a_mask, r->exec, r->a, 4);
}

const char *trace_memory_name(unsigned mem_kind) {
    static const char *const NAMES[] = {"", "gld", "gst", "r2g", "lld", "lst", "atom"};
    return mem_kind < sizeof NAMES / sizeof NAMES[0] ? NAMES[mem_kind] : NULL;
}

static void write_memory(FILE *out, const struct retire *r) {
    char name[16];
    if (r->mem_kind == RETIRE_MEM_NONE) return;
    const bool load = r->mem_kind == RETIRE_MEM_GLOBAL_LOAD || r->mem_kind == RETIRE_MEM_LOCAL_LOAD;
    fprintf(out, " %s%u", trace_memory_name(r->mem_kind), r->mem_bytes);
    print_lanes(out, "addr", r->mem_mask, r->exec, r->addr, 8);
    if (load) return;
    print_lanes(out, "data", r->mem_mask, r->exec, r->data, r->mem_bytes < 4 ? (int)(2 * r->mem_bytes) : 8);
    for (unsigned word = 1; word < retire_words(r); word++) {
        snprintf(name, sizeof name, "data+%u", 4 * word);
        print_lanes(out, name, r->mem_mask, r->exec, r->data_rest[word - 1], 8);
    }
}

/* Values of the lanes of their mask, lowest first. */
static void write_text(struct trace *t, const struct retire *r, const char *instruction, const char *trap) {
    static const char *const STATES[] = {"", " at barrier", " finished", " trapped"};
    FILE *out = t->file.stream;
    fprintf(out, "%" PRIu64 " sm%u slot%u block(%u,%u) warp%u %06x: %s", r->cycle, (unsigned)r->sm, r->slot, r->block_x,
            r->block_y, r->warp, r->pc, instruction);
    fprintf(out, " | active=%08x exec=%08x word=%08x", r->active, r->exec, r->word_lo);
    if (r->word_hi != 0) fprintf(out, ",%08x", r->word_hi);
    write_registers(out, r);
    write_memory(out, r);
    if (r->trap != TRAP_NONE)
        fprintf(out, " depth=%u trap: %s\n", r->depth, trap);
    else
        fprintf(out, " next=%06x,%08x depth=%u%s\n", r->next_pc, r->next_active, r->depth, STATES[r->state & 3]);
}

/* ---------------------------------------------------------------------------- Konata */

static const char RECORD_STAGE[] = "W"; /* the stage at which records are made */

static void end_open(struct trace *t) {
    for (; t->first_open < t->konata.begun; t->first_open++) {
        kanata_end(&t->konata, t->first_open, 0, RECORD_STAGE);
        kanata_leave(&t->konata, t->first_open, KANATA_RETIRED);
    }
}

void trace_label(const struct image *image, const struct retire *r, const char *instruction, const char *trap,
                 char label[TRACE_LABEL_MAX]) {
    unsigned line;
    const char *file = image != NULL && image->has_signature ? image_find_line(image, r->pc, &line) : NULL;
    const int length =
        snprintf(label, TRACE_LABEL_MAX, "sm%u warp %u block(%u,%u) %06x: %s%s%s", (unsigned)r->sm, r->warp, r->block_x,
                 r->block_y, r->pc, instruction, r->trap != TRAP_NONE ? ", trap: " : "", trap);
    if (file != NULL && length < TRACE_LABEL_MAX)
        snprintf(label + length, TRACE_LABEL_MAX - (size_t)length, " (%s:%u)", file, line);
}

static void write_kanata(struct trace *t, const struct retire *r, const char *instruction, const char *trap) {
    char label[TRACE_LABEL_MAX];
    if (r->cycle > t->konata.cycle) {
        kanata_go_to(&t->konata, t->konata.cycle + 1);
        end_open(t);
        kanata_go_to(&t->konata, r->cycle);
    }
    trace_label(t->image, r, instruction, trap, label);
    const uint64_t id = kanata_begin(&t->konata, trace_thread((unsigned)r->sm, r->slot), label);
    kanata_stage(&t->konata, id, 0, RECORD_STAGE);
}

const char *trace_trap(const struct image *image, const struct retire *r, const struct model *m, char *text) {
    text[0] = '\0';
    if (r->trap == TRAP_NONE) return text;
    size_t length = (size_t)snprintf(text, TRACE_TRAP_MAX, "%s", trap_name((enum trap)r->trap));
    if (m == NULL) return text;
    const struct model_trap trap = model_get_sm_trap(m, (unsigned)r->sm);
    char part[TRAP_REPORT_MAX];
    if (trap_report_access(&trap, image, part)[0] == '\0') return text;
    length += (size_t)snprintf(text + length, TRACE_TRAP_MAX - length, ": %s", part);
    if (trap_report_operands(m, &trap, part)[0] != '\0') snprintf(text + length, TRACE_TRAP_MAX - length, "; %s", part);
    return text;
}

static bool is_full(const struct trace *t) {
    const uint64_t spare = t->form == FORM_TEXT ? SPARE_TEXT : SPARE_OTHERS;
    const uint64_t most = t->limit > 4 * spare ? t->limit - spare : t->limit - t->limit / 4;
    return t->limit > 0 && (uint64_t)ftello(t->file.stream) >= most;
}

static bool fits(struct trace *t) {
    char why[64];
    if (t->cut[0] != '\0' || !is_full(t)) return t->cut[0] == '\0';
    snprintf(why, sizeof why, "--trace-limit of %" PRIu64 " bytes", t->limit);
    trace_cut(t, why);
    return false;
}

void trace_record(struct trace *t, const struct retire *record, const struct model *m) {
    if (!fits(t)) return;
    t->records++;
    t->cycle = record->cycle;
    char text[TRACE_TEXT_MAX], trap_text[TRACE_TRAP_MAX];
    const char *trap = trace_trap(t->image, record, m, trap_text);
    const char *instruction = trace_instruction(
        record->pc, record->word_lo, trace_second_word(t->image, record->pc, record->word_lo, record->word_hi), text);
    switch (t->form) {
    case FORM_TEXT: write_text(t, record, instruction, trap); break;
    case FORM_PERFETTO: perfetto_record(t->perfetto, record, instruction, trap); break;
    case FORM_KANATA: write_kanata(t, record, instruction, trap); break;
    }
}

struct kanata *trace_take_kanata(struct trace *t) {
    if (t == NULL || t->form != FORM_KANATA) return NULL;
    t->staged = true;
    return &t->konata;
}

/* ---------------------------------------------------------------------------- the end */

void trace_cut(struct trace *t, const char *why) {
    if (t == NULL || t->cut[0] != '\0') return;
    const uint64_t records = t->staged ? t->konata.left : t->records;
    snprintf(t->cut, sizeof t->cut, "after %" PRIu64 " warp instruction%s, in cycle %" PRIu64 ": %s", records,
             records == 1 ? "" : "s", t->staged ? t->konata.cycle : t->cycle, why);
}

void trace_set_limit(struct trace *t, uint64_t bytes) {
    struct stat info;
    const bool file = fstat(fileno(t->file.stream), &info) == 0 && S_ISREG(info.st_mode);
    t->limit = file ? bytes : 0;
}

bool trace_is_cut(struct trace *t) { return !fits(t); }

void trace_report_cut(const struct trace *t, const char *path, FILE *out) {
    if (t != NULL && t->cut[0] != '\0') fprintf(out, "%s: warning: the trace is cut %s\n", path, t->cut);
}

/* Konata shows the last line as an instruction without an end. */
static void write_end(struct trace *t) {
    if (t->form == FORM_KANATA && t->first_open < t->konata.begun && !t->staged) {
        kanata_go_to(&t->konata, t->konata.cycle + 1);
        end_open(t);
    }
    if (t->cut[0] == '\0') return;
    if (t->form == FORM_TEXT) fprintf(t->file.stream, TRACE_CUT "%s\n", t->cut);
    if (t->form == FORM_KANATA) {
        char label[TRACE_CUT_MAX + 16];
        snprintf(label, sizeof label, "cut %s", t->cut);
        kanata_begin(&t->konata, 0, label);
    }
}

enum status trace_close(struct trace *t, bool keep, struct diag *d) {
    if (t == NULL) return STATUS_OK;
    write_end(t);
    const bool whole = perfetto_finish(t->perfetto, t->cut);
    enum status status = outfile_close(&t->file, keep && whole, d);
    if (status == STATUS_OK && !whole) status = diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the trace");
    free(t);
    return status;
}
