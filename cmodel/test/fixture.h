/* SPDX-License-Identifier: Apache-2.0 */
/* A model with a few words of code, without any file: the basis of the model's tests.
 *
 *     struct fixture f;
 *     fixture_source(&f, "IADD R1, R2, R3\n"
 *                        "!NOP\n");                                   // '!': with the END marker
 *     f.image.block[0] = 32;
 *     fixture_launch(&f);
 *     struct retire r = fixture_step(&f);
 *     fixture_teardown(&f);
 */
#ifndef WARPSTEP_CMODEL_FIXTURE_H
#define WARPSTEP_CMODEL_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../assembler/isa/isa.h"
#include "../model.h"

/* May be changed between setup and launch: shape, registers, parameters, machine. The default is one block of one full
 * warp, 16 registers, 64 shared bytes. */
struct fixture {
    struct image image;
    struct machine machine;
    struct model *m;
};

void fixture_setup(struct fixture *f, const uint32_t *words, size_t count);

/* Like fixture_words, from instruction texts, one a line; branch targets are byte addresses, '!' before a text sets its
 * END marker. */
void fixture_source(struct fixture *f, const char *text);

void fixture_launch(struct fixture *f);
void fixture_teardown(struct fixture *f);

/* One step of own scheduling, which must retire something. */
struct retire fixture_step(struct fixture *f);

/* Steps `count` times and returns the last record. */
struct retire fixture_steps(struct fixture *f, unsigned count);

/* A record of the RTL that names a warp, for model_step_follow: all masks are full, all values 0. */
struct retire fixture_record(unsigned sm, unsigned slot, unsigned x, unsigned y, unsigned warp);

/* The first warp follows the RTL for `count` steps; the steps before the last need no values from it: only the record
 * of the last holds more than a name. Returns the model's last record. */
struct retire fixture_follow(struct fixture *f, unsigned count, const struct retire *last);

/* Steps until the grid ends and returns the result of the last step. At most 10000 steps. */
enum model_result fixture_run(struct fixture *f);

/* Runs a source on a full warp and returns the first trap, which must occur. */
enum trap fixture_trap_of(const char *text);

/* Sets a register of all 32 lanes to value + lane * step. */
void fixture_poke(struct fixture *f, unsigned reg, uint32_t value, uint32_t step);

/* Sets a C register of all 32 lanes. */
void fixture_poke_c(struct fixture *f, unsigned creg, uint8_t nibble);

#endif
