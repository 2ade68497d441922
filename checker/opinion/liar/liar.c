/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation that lies: a plug-in that wraps another one and changes one bit of one record. It plants faults in an
 * RTL without a build.
 *
 *     LIAR_SIM=build/sim/libsim-verilator-C8-S1.so LIAR=dst:7:40 warp-lockstep KERNEL --sim ./liar.so
 *
 * LIAR is FIELD:BIT[:N]: bit BIT of that field (in its lowest valid lane), in the first record from the N-th on that
 * has one. */
// link: -Xlinker -Bsymbolic
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../port/sim.h"
#include "../../record/field.h"

struct sim {
    void *library;
    const struct sim_api *api;
    struct sim *inner;
    const struct retire_field *field;
    unsigned bit, from, records;
};

static const struct sim_api *open_library(struct sim *s, const char *path) {
    const struct sim_api *(*entry)(void) = NULL;
    s->library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = s->library != NULL ? dlsym(s->library, "warpstep_sim") : NULL;
    memcpy(&entry, &symbol, sizeof entry);
    return entry != NULL ? entry() : NULL;
}

static const struct retire_field *find_field(const char *name) {
    for (size_t n = 0; n < retire_field_count(); n++)
        if (strcmp(retire_field_at(n)->name, name) == 0) return retire_field_at(n);
    return NULL;
}

/* Reads the requested lie; none is allowed. */
static bool read_lie(struct sim *s) {
    char name[32] = "";
    const char *text = getenv("LIAR");
    if (text == NULL) return true;
    const int count = sscanf(text, "%31[^:]:%u:%u", name, &s->bit, &s->from);
    s->field = find_field(name);
    return count >= 2 && s->field != NULL && s->bit < s->field->bits;
}

static void liar_close(struct sim *s) {
    if (s->inner != NULL) s->api->close(s->inner);
    if (s->library != NULL) dlclose(s->library);
    free(s);
}

static struct sim *liar_open(const struct sim_options *options, char *why, size_t why_size) {
    struct sim *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->api = open_library(s, getenv("LIAR_SIM"));
    if (s->api == NULL || !read_lie(s))
        snprintf(why, why_size, "LIAR_SIM is no simulation, or LIAR not FIELD:BIT[:N]");
    else
        s->inner = s->api->open(options, why, why_size);
    if (s->inner != NULL) return s;
    liar_close(s);
    return NULL;
}

/* False: the record lacks the field. */
static bool lie(const struct sim *s, struct retire *r) {
    char *at = (char *)r + s->field->offset;
    uint32_t value;
    if (s->field->kind == FIELD_LANES) {
        uint32_t mask = field_mask(s->field, r);
        if (mask == 0 || !field_is_in(s->field, r)) return false;
        for (; (mask & 1) == 0; mask >>= 1) at += sizeof value;
    }
    memcpy(&value, at, sizeof value);
    value ^= (uint32_t)1 << s->bit;
    memcpy(at, &value, sizeof value);
    return true;
}

static enum sim_event liar_next(struct sim *s, struct retire *record, uint64_t limit) {
    const enum sim_event event = s->api->next(s->inner, record, limit);
    if (event == SIM_RECORD && s->field != NULL && s->records++ >= s->from && lie(s, record)) s->field = NULL;
    return event;
}

static int liar_load(struct sim *s, const struct launch *run) { return s->api->load(s->inner, run); }
static int liar_peek(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    return s->api->peek(s->inner, memory, addr, bytes, size);
}
static void liar_counters(struct sim *s, struct sim_counters *counters) { s->api->counters(s->inner, counters); }
static void liar_trap(struct sim *s, struct sim_trap *trap) { s->api->trap(s->inner, trap); }
static uint64_t liar_cycle(struct sim *s) { return s->api->cycle(s->inner); }
static const char *liar_why(struct sim *s) { return s->api->why(s->inner); }

const struct sim_api *warpstep_sim(void) {
    static const struct sim_api API = {.version = SIM_API_VERSION,
                                       .name = "liar",
                                       .open = liar_open,
                                       .load = liar_load,
                                       .next = liar_next,
                                       .peek = liar_peek,
                                       .counters = liar_counters,
                                       .trap = liar_trap,
                                       .cycle = liar_cycle,
                                       .why = liar_why,
                                       .close = liar_close};
    return &API;
}
