/* SPDX-License-Identifier: Apache-2.0 */
/* Creation and launch of a model, see model.h. */
#include <stdlib.h>

#include "watch/adopt.h"
#include "watch/bounds.h"
#include "watch/keep.h"
#include "watch/loops.h"
#include "watch/racecheck.h"

struct model *model_create(const struct machine *machine) {
    struct model *m = calloc(1, sizeof *m);
    if (m == NULL) return NULL;
    const bool created = sched_create(&m->grid, machine) && loops_create(m);
    m->grid.watch.adopt = &ADOPTION;
    if (!created || !mem_create_paged(&m->global, machine->global_bytes)) {
        model_destroy(m);
        return NULL;
    }
    return m;
}

static void destroy_launch(struct model *m) {
    code_destroy(&m->code);
    for (unsigned i = 0; i < IMAGE_CONST_BANKS; i++) mem_destroy(&m->bank[i]);
    free(m->undefined.seen);
    free(m->undefined.entries);
    m->undefined = (struct undefined_log){0};
}

void model_destroy(struct model *m) {
    if (m == NULL) return;
    destroy_launch(m);
    bounds_end(&m->grid);
    racecheck_end(&m->grid);
    loops_destroy(m);
    free(m->grid.watch.kept);
    sched_destroy(&m->grid);
    mem_destroy(&m->global);
    free(m);
}

static bool load_image(struct model *m, const struct image *image) {
    m->undefined.seen = calloc(image->code_words / 32 + 1, sizeof *m->undefined.seen);
    m->undefined.entries = calloc(image->code_words + 1, sizeof *m->undefined.entries);
    if (m->undefined.seen == NULL || m->undefined.entries == NULL ||
        !code_load(&m->code, image->code, image->code_words, image->regs, &m->grid.machine))
        return false;
    for (unsigned i = 0; i < IMAGE_CONST_BANKS; i++) {
        if (!mem_create(&m->bank[i], (uint32_t)image->bank[i].size, false)) return false;
        if (image->bank[i].size > 0) memcpy(m->bank[i].bytes, image->bank[i].bytes, image->bank[i].size);
    }
    return true;
}

enum status model_launch(struct model *m, const struct image *image, struct diag *d) {
    mem_reset(&m->global);
    for (size_t i = 0; i < image->global_count; i++)
        memcpy(m->global.bytes + image->global[i].addr, image->global[i].bytes, image->global[i].size);
    return model_relaunch(m, image, d);
}

enum status model_relaunch(struct model *m, const struct image *image, struct diag *d) {
    destroy_launch(m);
    pages_clear(m->global.pages);
    m->counts = (struct model_counts){0};
    m->trap = (struct model_trap){0};
    m->mode = MODE_OPEN;
    m->clock_reads = 0;
    m->why[0] = '\0';
    loops_reset(m);
    keep_reset(m);
    bounds_end(&m->grid);
    racecheck_end(&m->grid);
    if (!load_image(m, image) || !sched_launch(&m->grid, image))
        return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the model");
    sched_dispatch(&m->grid);
    return STATUS_OK;
}

bool model_check_races(struct model *m) { return racecheck_begin(&m->grid, &m->counts.warp_instructions); }
