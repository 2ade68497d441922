/* SPDX-License-Identifier: Apache-2.0 */
/* A file of every retired instruction, in the format of its suffix: .txt (a line each), .json (trace events for
 * Perfetto, perfetto.h), .kanata (for Konata).
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

/* The image is used until the trace is closed (source lines, parameters; NULL: omitted). On failure *t is NULL. */
enum status trace_open(const char *path, const struct image *image, struct trace **t, struct diag *d);
/* m: the model that has executed the instruction, for the full text of a trap; or NULL. */
void trace_record(struct trace *t, const struct retire *record, const struct model *m);
/* For a Konata trace that the caller writes stage by stage, without trace_record. Else NULL; t may be NULL. */
struct kanata *trace_take_kanata(struct trace *t);
/* t may be NULL. keep false: the file is removed. */
enum status trace_close(struct trace *t, bool keep, struct diag *d);

/* Ends a trace before the end of its run: later records are not written, and the last line gives the number of records,
 * the cycle and the reason. t may be NULL; has no effect on a truncated trace. */
void trace_cut(struct trace *t, const char *why);
/* Truncates the trace before it exceeds this size; 0: never. No limit applies to a pipe or a device. A small limit may
 * be exceeded by a few bytes. */
void trace_set_limit(struct trace *t, uint64_t bytes);
/* True if the trace is truncated; also checks a Konata trace that another writer fills. */
bool trace_is_cut(struct trace *t);
/* "PATH: the trace is cut ...", if it is. t may be NULL. */
void trace_report_cut(const struct trace *t, const char *path, FILE *out);

/* Prefix of the last line of a truncated text trace; a comment to older readers. */
#define TRACE_CUT "# cut "
enum { TRACE_CUT_MAX = 160 };

/* For a compiled kernel the text form has a comment for each instruction, "# source 000038 saxpy.cl:5", below its first
 * line, so that readers of the trace know the source lines, too. */
#define TRACE_SOURCE "# source "

/* First line of the text form: this word and the version. Version 1 has no such line. */
#define TRACE_HEADER "warpstep-trace"
enum { TRACE_VERSION = 2 };

/* Name of a kind of memory access (enum retire_mem) in the text form, "gld"; "" for none, NULL for an invalid kind. */
const char *trace_memory_name(unsigned mem_kind);

enum { TRACE_TEXT_MAX = ISA_TEXT_MAX + 80 };

enum { TRACE_REGISTER_MAX = 8 };

/* "R5", "R5L", the destination register of a record; for a wide load, that of word `word` (0 to 3). Returns text, which
 * holds TRACE_REGISTER_MAX bytes. */
const char *trace_destination(const struct retire *r, unsigned word, char *text);

/* The instruction at pc in SASS; for an undefined or missing instruction the reason. text holds TRACE_TEXT_MAX
 * bytes. */
const char *trace_instruction(uint32_t pc, uint32_t word_lo, uint32_t word_hi, char *text);

/* word_hi, or that of the code if the record lacks it because a long instruction is not on its boundary. */
uint32_t trace_second_word(const struct image *image, uint32_t pc, uint32_t word_lo, uint32_t word_hi);

enum { TRACE_TRAP_MAX = 2 * TRAP_REPORT_MAX + 64, TRACE_LABEL_MAX = TRACE_TEXT_MAX + TRACE_TRAP_MAX + 80 };

/* "NAME: details" of the trap that stopped the record's SM; "" without a trap. Returns text, TRACE_TRAP_MAX bytes. */
const char *trace_trap(const struct image *image, const struct retire *r, const struct model *m, char *text);

/* The text that Konata shows beside an instruction, with its thread; for a compiled kernel also the source line. */
void trace_label(const struct image *image, const struct retire *r, const char *instruction, const char *trap,
                 char label[TRACE_LABEL_MAX]);
static inline unsigned trace_thread(unsigned sm, unsigned slot) { return sm * 64 + slot; }

#endif
