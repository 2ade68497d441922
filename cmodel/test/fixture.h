/* SPDX-License-Identifier: Apache-2.0 */
/* A model with a few words of code in it, without any file: what the model's tests start from.
 *
 *     struct fixture f;
 *     fixture_setup(&f, (uint32_t[]){0x20000405, 0x0400c780}, 2);     // IADD R1, R2, R3
 *     f.image.block[0] = 32;
 *     fixture_launch(&f);
 *     struct retire r = fixture_step(&f);
 *     fixture_teardown(&f);
 */
#ifndef WARPSTEP_CMODEL_FIXTURE_H
#define WARPSTEP_CMODEL_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../model.h"

/* Changed freely between setup and launch: shape, registers, parameters, machine. The default is one block of one full warp,
 * 16 registers, 64 shared bytes. */
struct fixture {
    struct image image;
    struct launch run;
    struct machine machine;
    struct model *m;
};

void fixture_setup(struct fixture *f, const uint32_t *words, size_t count);
void fixture_launch(struct fixture *f);
void fixture_teardown(struct fixture *f);

/* One step of own scheduling, which must retire something. */
struct retire fixture_step(struct fixture *f);

/* Steps until the grid ends; the result is that of the last call. At most 10000 steps. */
enum model_result fixture_run(struct fixture *f);

/* The same value in a register of all 32 lanes; lane * step + value. */
void fixture_poke(struct fixture *f, unsigned reg, uint32_t value, uint32_t step);


#endif
