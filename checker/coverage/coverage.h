/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of a lockstep run, of the RTL and of the model, each from its own records.
 *
 *     struct coverage *c = coverage_create(&run, &machine, cores);
 *     coverage_note(c, model_record, rtl_record);              // every record that agreed
 *     coverage_save(c, "build/coverage/runs", "fft", "verilator C8-S1");  // a file of its own, see runfile.h
 *     coverage_destroy(c);
 */
#ifndef WARPSTEP_COVERAGE_COVERAGE_H
#define WARPSTEP_COVERAGE_COVERAGE_H

#include "../../cmodel/retire.h"
#include "../../cmodel/run/launch.h"

/* The default directory for coverage files; unset or empty: none. */
#define COVERAGE_VARIABLE "WARPSTEP_COVERAGE"

struct coverage;
struct coverage *coverage_create(const struct launch *run, const struct machine *machine, unsigned cores);
void coverage_destroy(struct coverage *c);
void coverage_note(struct coverage *c, const struct retire *model, const struct retire *rtl);

/* Writes a file into `directory`, which must exist, under a name unique among processes. */
enum status coverage_save(const struct coverage *c, const char *directory, const char *test, struct diag *d);

#endif
