/* SPDX-License-Identifier: Apache-2.0 */
// link: -Xlinker --defsym=warpstep_sim=crooked_sim_api
#include "crooked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/isa/isa.h"
#include "../../cmodel/model.h"
#include "../record/field.h"

enum { END_MARK = 1 }; /* of the second word */

struct sim {
    struct model *model;
    struct sim_options options;
    const struct launch *run;
    uint64_t records;
    char why[128];
};

static struct sim *crooked_open(const struct sim_options *options, char *why, size_t why_size) {
    struct sim *s = calloc(1, sizeof *s);
    snprintf(why, why_size, "out of memory");
    if (s == NULL) return NULL;
    s->options = *options;
    s->model = model_create(&options->machine);
    if (s->model != NULL) return s;
    free(s);
    return NULL;
}

/* Puts one instruction into the code. */
static bool replace(struct sim *s, uint32_t *code, size_t words, char *pair) {
    char *text = NULL;
    struct isa_error error;
    uint32_t lo = 0, hi = 0;
    const size_t at = strtoul(pair, &text, 0) / 4;
    const bool end = text[0] == '=' && text[1] == '!';
    text += text[0] == '=' ? 1 + end : 0;
    if (!isa_parse(text, strlen(text), NULL, &lo, &hi, &error)) {
        snprintf(s->why, sizeof s->why, "%s: '%.60s'", CROOKED, pair);
        return false;
    }
    if (at < words) code[at] = lo;
    if (isa_is_long(lo) && at + 1 < words) code[at + 1] = hi | (end ? END_MARK : 0);
    return true;
}

static bool replace_all(struct sim *s, uint32_t *code, size_t words) {
    char pairs[1024], *rest = NULL;
    const char *given = getenv(CROOKED);
    snprintf(pairs, sizeof pairs, "%s", given != NULL ? given : "");
    for (char *pair = strtok_r(pairs, ";", &rest); pair != NULL; pair = strtok_r(NULL, ";", &rest))
        if (!replace(s, code, words, pair)) return false;
    return true;
}

static int crooked_load(struct sim *s, const struct launch *run) {
    struct diag d = {0};
    struct image image = *run->image;
    s->run = run;
    s->records = 0;
    image.code = malloc(image.code_words * sizeof *image.code);
    if (image.code == NULL) return -1;
    memcpy(image.code, run->image->code, image.code_words * sizeof *image.code);
    const bool good = replace_all(s, image.code, image.code_words) && model_launch(s->model, &image, &d) == STATUS_OK;
    free(image.code);
    return good ? 0 : -1;
}

/* Reports the word of the code there. */
static void say_code(const struct sim *s, struct retire *r) {
    const struct image *image = s->run->image;
    const size_t at = r->pc / 4;
    if (at >= image->code_words) return;
    r->word_lo = image->code[at];
    r->word_hi = isa_is_long(r->word_lo) && at + 1 < image->code_words ? image->code[at + 1] : 0;
}

/* Fills unreported fields with ones. */
static void hide(const char *names, struct retire *r) {
    char list[256], *rest = NULL;
    snprintf(list, sizeof list, "%s", names != NULL ? names : "");
    for (char *name = strtok_r(list, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        const struct retire_field *f = retire_field_named(name);
        if (f != NULL) memset((char *)r + f->offset, 0xff, f->kind == FIELD_LANES ? sizeof r->dst : sizeof r->pc);
    }
}

static enum sim_event crooked_next(struct sim *s, struct retire *record, uint64_t limit) {
    (void)limit;
    memset(record, 0, sizeof *record);
    switch (model_run_step(s->model, record)) {
    case MODEL_RETIRED: break;
    case MODEL_DONE: return SIM_DONE;
    case MODEL_TRAPPED: return SIM_TRAPPED;
    default: return SIM_SILENT;
    }
    record->cycle = ++s->records;
    say_code(s, record);
    hide(getenv(CROOKED_HIDES), record);
    hide(getenv(CROOKED_FILLS), record);
    return SIM_RECORD;
}

static int crooked_peek(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    const struct image *image = s->run->image;
    size_t at = 0;
    memset(bytes, 0, size);
    if (memory == SIM_GLOBAL) memcpy(bytes, model_global(s->model) + addr, size);
    for (size_t i = 0; memory == SIM_CODE && i < size; i++) bytes[i] = (uint8_t)(image->code[i / 4] >> (8 * (i % 4)));
    for (unsigned b = 0; memory == SIM_CONST && b < IMAGE_CONST_BANKS; b++) {
        if (image->bank[b].size > 0) memcpy(bytes + at, image->bank[b].bytes, image->bank[b].size);
        at += (image->bank[b].size + 3) & ~(size_t)3;
    }
    return 0;
}

static void crooked_trap(struct sim *s, struct sim_trap *trap) {
    const struct model_trap t = model_get_trap(s->model);
    *trap = (struct sim_trap){.code = t.code, .sm = t.sm, .slot = t.slot, .pc = t.pc};
}

static uint64_t crooked_cycle(struct sim *s) { return s->records; }
static const char *crooked_why(struct sim *s) { return s->why; }

static void crooked_close(struct sim *s) {
    model_destroy(s->model);
    free(s);
}

/* The environment tells its declaration at the time of the call. */
const struct sim_api *crooked_sim_api(void) {
    static struct sim_api api = {.version = SIM_API_VERSION,
                                 .name = "crooked",
                                 .open = crooked_open,
                                 .load = crooked_load,
                                 .next = crooked_next,
                                 .peek = crooked_peek,
                                 .trap = crooked_trap,
                                 .cycle = crooked_cycle,
                                 .why = crooked_why,
                                 .close = crooked_close};
    api.unreported = getenv(CROOKED_HIDES);
    api.filled = getenv(CROOKED_FILLS);
    return &api;
}
