/* SPDX-License-Identifier: Apache-2.0 */
/* A file of every retired instruction, in the form that its suffix asks for: .txt (a line each), .json (trace events
 * for Perfetto, perfetto.h), .kanata (for Konata).
 *
 *     struct trace *t = NULL;
 *     if (trace_open(run.trace_path, run.image, &t, &d) != STATUS_OK) return diag_report(stderr, &d);
 *     trace_record(t, &record, m);
 *     status = trace_close(t, true, &d);
 */
#ifndef WARPSTEP_TRACE_H
#define WARPSTEP_TRACE_H

#include "../../assembler/image/image.h"
#include "../../assembler/isa/isa.h"
#include "../model.h"
#include "kanata.h"
#include "trap_report.h"

struct trace;

/* The image is used until the trace is closed (source lines, parameters; NULL: not told). On failure *t is NULL. */
enum status trace_open(const char *path, const struct image *image, struct trace **t, struct diag *d);
/* m: the model that has executed it, whose trap is told in full; or NULL. */
void trace_record(struct trace *t, const struct retire *record, const struct model *m);
/* Of a trace for Konata: the caller writes it, by stages, and trace_record is not called. Else NULL; t may be NULL. */
struct kanata *trace_take_kanata(struct trace *t);
/* t may be NULL. keep false: nothing is left behind. */
enum status trace_close(struct trace *t, bool keep, struct diag *d);

/* Ends a trace before its run has ended: later records are not written, and its last line says after how many, in which
 * cycle and why. t may be NULL; of a trace that is cut already nothing changes. */
void trace_cut(struct trace *t, const char *why);
/* Cuts the trace before it is larger than so many bytes; 0: never. Of a pipe or a device nothing is counted. A few
 * bytes more where the limit is small. */
void trace_set_limit(struct trace *t, uint64_t bytes);
/* Whether it is cut; a trace for Konata that somebody else writes is looked at here. */
bool trace_is_cut(struct trace *t);
/* "PATH: the trace is cut ...", where it is. t may be NULL. */
void trace_report_cut(const struct trace *t, const char *path, FILE *out);

/* The last line of the text form that was cut begins so; it is a comment to older readers. */
#define TRACE_CUT "# cut "
enum { TRACE_CUT_MAX = 160 };

/* Of a compiled kernel's image the text form has a comment for each instruction, "# source 000038 saxpy.cl:5", below
 * its first line; so that what reads the trace can tell the lines, too. */
#define TRACE_SOURCE "# source "

/* First line of the text form: this word and the version. Version 1 had no such line. */
#define TRACE_HEADER "warpstep-trace"
enum { TRACE_VERSION = 2 };

/* How the text form names a kind of memory access (enum retire_mem), "gld"; "" for none, NULL for what is no kind. */
const char *trace_memory_name(unsigned mem_kind);

enum { TRACE_TEXT_MAX = ISA_TEXT_MAX + 80 };

enum { TRACE_REGISTER_MAX = 8 };

/* "R5", "R5L", the register that the dst of a record goes to; of a wide load `word` (0 to 3) of it. Returns text, which
 * holds TRACE_REGISTER_MAX bytes. */
const char *trace_destination(const struct retire *r, unsigned word, char *text);

/* The instruction at pc in SASS; where it is none or undefined, why. text holds TRACE_TEXT_MAX bytes. */
const char *trace_instruction(uint32_t pc, uint32_t word_lo, uint32_t word_hi, char *text);

/* word_hi, or that of the code where a record has none because the instruction is long and not on its boundary. */
uint32_t trace_second_word(const struct image *image, uint32_t pc, uint32_t word_lo, uint32_t word_hi);

enum { TRACE_TRAP_MAX = 2 * TRAP_REPORT_MAX + 64, TRACE_LABEL_MAX = TRACE_TEXT_MAX + TRACE_TRAP_MAX + 80 };

/* "NAME: what it met", of the trap that stopped the record's SM; "" of no trap. Returns text, TRACE_TRAP_MAX bytes. */
const char *trace_trap(const struct image *image, const struct retire *r, const struct model *m, char *text);

/* What Konata shows beside an instruction, and of which thread it is; of a compiled kernel with the source's line. */
void trace_label(const struct image *image, const struct retire *r, const char *instruction, const char *trap,
                 char label[TRACE_LABEL_MAX]);
static inline unsigned trace_thread(unsigned sm, unsigned slot) { return sm * 64 + slot; }

#endif
