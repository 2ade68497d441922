/* SPDX-License-Identifier: Apache-2.0 */
#include "lasting.h"

#include <stdlib.h>
#include <string.h>

#include "../port/host_plan.h"
#include "lasting_state.h"
#include "state.h"

enum { PAGE = SIM_PAGE_BYTES, WORD = 4, PAGES_IN_TURN = 1, BYTES_IN_TURN = 256 };

/* ------------------------------------------------------------------------------------------------------ open, close */

static enum status failed(const struct lasting *m, const char *why, struct diag *d) {
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "simulation '%s': %s", m->api->name, why);
}

static uint32_t page_count(const struct lasting *m) { return (m->options.machine.global_bytes + PAGE - 1) / PAGE; }

static uint32_t page_size(const struct lasting *m, uint32_t page) {
    const uint32_t left = m->options.machine.global_bytes - page * PAGE;
    return left < PAGE ? left : PAGE;
}

static void close_sim(struct lasting *m) {
    if (m->sim != NULL) m->api->close(m->sim);
    m->sim = NULL;
}

static bool is_zero(const uint8_t *bytes, size_t size) {
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* A simulation with the model's memory. */
static enum status open_sim(struct lasting *m, struct diag *d) {
    char why[256] = "";
    close_sim(m);
    m->sim = m->api->open(&m->options, why, sizeof why);
    if (m->sim == NULL) return failed(m, why, d);
    m->options.wave_path = NULL; /* existing waves stay when it is opened again */
    bool fine = m->api->clear(m->sim) == 0;
    for (uint32_t page = 0; fine && page < page_count(m); page++) {
        const uint8_t *bytes = model_global(m->model) + (size_t)page * PAGE;
        if (!is_zero(bytes, page_size(m, page)))
            fine = m->api->poke(m->sim, page * PAGE, bytes, page_size(m, page)) == 0;
    }
    if (fine) return STATUS_OK;
    failed(m, m->api->why(m->sim), d);
    close_sim(m);
    return STATUS_BAD_INPUT;
}

static struct lasting *make(const struct sim_api *api, const struct sim_options *options, uint32_t host_bytes) {
    struct lasting *m = calloc(1, sizeof *m);
    if (m == NULL) return NULL;
    *m = (struct lasting){.api = api, .options = *options, .host_bytes = host_bytes};
    m->model = model_create(&options->machine);
    m->chosen = calloc(page_count(m), sizeof *m->chosen);
    if (m->model != NULL && m->chosen != NULL) return m;
    lasting_close(m);
    return NULL;
}

enum status lasting_open(const struct sim_api *api, const struct sim_options *options, uint32_t host_bytes,
                         struct lasting **memory, struct diag *d) {
    *memory = NULL;
    if (api->version < SIM_API_AGAIN || api->version > SIM_API_VERSION || api->clear == NULL ||
        api->load_again == NULL || api->poke == NULL)
        return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                        "simulation '%s' has no launch over what global memory holds (sim.h, version %u)", api->name,
                        (unsigned)SIM_API_AGAIN);
    struct lasting *m = make(api, options, host_bytes);
    if (m == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory for the checker");
    const enum status status = open_sim(m, d);
    if (status == STATUS_OK)
        *memory = m;
    else
        lasting_close(m);
    return status;
}

void lasting_close(struct lasting *m) {
    if (m == NULL) return;
    close_sim(m);
    model_destroy(m->model);
    free(m->chosen);
    free(m);
}

/* --------------------------------------------------------------------------------------------------------- the host */

/* Writes the model's contents to the simulation, in whole words. */
static bool poke(struct lasting *m, uint32_t addr, size_t size) {
    const uint32_t from = addr & ~(uint32_t)(WORD - 1),
                   end = (addr + (uint32_t)size + WORD - 1) & ~(uint32_t)(WORD - 1);
    return m->api->poke(m->sim, from, model_global(m->model) + from, end - from) == 0;
}

enum status lasting_write(struct lasting *m, uint32_t addr, const uint8_t *bytes, size_t size, struct diag *d) {
    bool fine = m->sim != NULL;
    for (size_t done = 0, now; done < size && fine; done += now) {
        uint8_t *place = model_global(m->model) + addr + done;
        now = size - done < PAGE ? size - done : PAGE;
        if (memcmp(place, bytes + done, now) == 0) continue;
        memcpy(place, bytes + done, now);
        fine = poke(m, addr + (uint32_t)done, now);
    }
    if (fine) return STATUS_OK;
    return failed(m, m->sim != NULL ? m->api->why(m->sim) : "it has failed", d);
}

enum status lasting_read(struct lasting *m, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d) {
    const uint8_t *expected = model_global(m->model) + addr;
    if (m->sim == NULL || m->api->peek(m->sim, SIM_GLOBAL, addr, bytes, size) != 0)
        return failed(m, m->sim != NULL ? m->api->why(m->sim) : "it has failed", d);
    if (memcmp(bytes, expected, size) == 0) return STATUS_OK;
    size_t first = 0;
    while (bytes[first] == expected[first]) first++;
    diag_set(d, STATUS_DIFFERS, "", 0, 0,
             "global memory differs when the host reads it: at 0x%zx the RTL has 0x%02x, the model 0x%02x",
             addr + first, bytes[first], expected[first]);
    return poke(m, addr, size) ? STATUS_DIFFERS : failed(m, m->api->why(m->sim), d);
}

bool lasting_wave(struct lasting *m, const char *path) {
    return m->sim != NULL && m->api->wave != NULL && m->api->wave(m->sim, path) == 0;
}

/* ----------------------------------------------------------------------------------------- memories, after a launch */

static void choose_range(struct lasting *m, uint64_t from, uint64_t size) {
    for (uint64_t page = from / PAGE; size > 0 && page <= (from + size - 1) / PAGE && page < page_count(m); page++)
        m->chosen[page] = true;
}

/* SIZE_MAX: all of them. */
static void choose(struct lasting *m, const uint32_t *pages, size_t count) {
    if (count == SIZE_MAX) choose_range(m, 0, m->options.machine.global_bytes);
    for (size_t i = 0; i < count && count < SIZE_MAX; i++)
        if (pages[i] < page_count(m)) m->chosen[pages[i]] = true;
}

/* Pages that the simulation does not report: its local memory, and a few for stray stores. */
static void choose_blindly(struct lasting *m, const struct launch *run) {
    struct host_local local;
    if (host_plan_local(run, &m->options.machine, &local)) choose_range(m, local.base, local.size);
    for (unsigned i = 0; i < PAGES_IN_TURN; i++) {
        if (m->page_in_turn * PAGE >= m->host_bytes) m->page_in_turn = 0;
        m->chosen[m->page_in_turn++] = true;
    }
}

static void choose_pages(struct lasting *m, const struct launch *run) {
    const uint32_t *pages = NULL;
    const size_t count = model_stored_pages(m->model, &pages);
    choose(m, pages, count);
    if (m->api->stored == NULL) {
        choose_blindly(m, run);
        return;
    }
    const size_t told = m->api->stored(m->sim, &pages);
    choose(m, pages, told);
}

static bool unreadable(struct lasting *m, struct lockstep *l) {
    return lockstep_fault(l, LOCKSTEP_MISMATCH, FAULT_FAILED, "the RTL's memory cannot be read: %s",
                          m->api->why(m->sim));
}

static void check_pages(struct lasting *m, struct lockstep *l) {
    uint8_t actual[PAGE];
    if (!lockstep_good(l) && l->result.status != LOCKSTEP_TRAP) return;
    choose_pages(m, l->options.run);
    for (uint32_t page = 0; page < page_count(m); page++) {
        if (!m->chosen[page]) continue;
        m->chosen[page] = false;
        if (m->api->peek(m->sim, SIM_GLOBAL, page * PAGE, actual, page_size(m, page)) != 0)
            unreadable(m, l);
        else
            lockstep_check_page(l, page * PAGE, actual, page_size(m, page));
    }
    lockstep_report_pages(l);
}

/* Checks some words of code or constants, which are `size` bytes. */
static void check_words(struct lasting *m, struct lockstep *l, enum sim_memory memory, uint8_t *expected,
                        uint32_t size) {
    uint8_t actual[BYTES_IN_TURN];
    if (!lockstep_good(l) || size == 0) return;
    const uint32_t parts = (size + BYTES_IN_TURN - 1) / BYTES_IN_TURN, from = m->word_in_turn % parts * BYTES_IN_TURN;
    const uint32_t now = size - from < BYTES_IN_TURN ? size - from : BYTES_IN_TURN;
    if (m->api->peek(m->sim, memory, from, actual, now) != 0)
        unreadable(m, l);
    else
        lockstep_check_words(l, memory, from, expected + from, actual, now);
}

static void check_words_in_turn(struct lasting *m, struct lockstep *l) {
    for (unsigned memory = SIM_CODE; memory <= SIM_CONST; memory++) {
        const size_t size = lockstep_memory_size(l, (enum sim_memory)memory);
        uint8_t *expected = lockstep_expect_words(l, (enum sim_memory)memory);
        if (expected != NULL) check_words(m, l, (enum sim_memory)memory, expected, (uint32_t)size);
        free(expected);
    }
    m->word_in_turn++;
}

/* --------------------------------------------------------------------------------------------------------- a launch */

static void run(struct lasting *m, struct lockstep *l) {
    const bool loaded = m->api->load_again(m->sim, l->options.run) == 0;
    if (!lockstep_goes_on(l, m->api->cycle(m->sim))) return;
    if (!loaded) {
        lockstep_finish(l, SIM_FAILED, NULL, m->api->why(m->sim));
        return;
    }
    lockstep_run_records(l, m->api, m->sim);
    check_pages(m, l);
    check_words_in_turn(m, l);
    lockstep_read_counters(l, m->api, m->sim);
    lockstep_conclude(l);
}

bool lasting_run(struct lasting *m, struct lockstep *l, struct diag *d) {
    if (m->sim == NULL) {
        failed(m, "it has failed", d);
        return false;
    }
    if (lockstep_declare(l, m->api->unreported, m->api->filled, d) != STATUS_OK) return false;
    l->result.sim_name = m->api->name;
    l->cores = m->options.cores;
    run(m, l);
    const enum lockstep_status status = l->result.status;
    return status == LOCKSTEP_PASS || status == LOCKSTEP_TRAP || open_sim(m, d) == STATUS_OK;
}
