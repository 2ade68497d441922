/* SPDX-License-Identifier: Apache-2.0 */
#include "bus_option.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LATENCY_DEFAULT = 30, LATENCY_MOST = 255, STALL_MOST = 99, WORDS_MOST = 32 };

static enum status fail(const char *value, const char *expected, struct diag *d) {
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "--memory '%.60s': expected %s", value, expected);
}

/* One part, NAME=NUMBER, up to a comma or the end; returns the rest, or NULL. */
static const char *take_part(const char *part, struct sim_bus *bus) {
    static const char *const names[] = {"words=", "latency=", "stall=", "seed="};
    const uint64_t least[] = {1, 0, 0, 0};
    const uint64_t most[] = {WORDS_MOST, LATENCY_MOST, STALL_MOST, INT32_MAX};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(part, names[i], length) != 0) continue;
        const char *digits = part + length;
        const size_t count = strspn(digits, "0123456789");
        const uint64_t number = strtoull(digits, NULL, 10);
        if (count == 0 || count > 10 || number < least[i] || number > most[i]) return NULL;
        if (i == 0) bus->words = (unsigned)number;
        if (i == 1) bus->latency = (unsigned)number;
        if (i == 2) bus->stall = (unsigned)number;
        if (i == 3) bus->seed = (uint32_t)number;
        return digits + count;
    }
    return NULL;
}

enum status bus_parse(const char *value, struct sim_bus *bus, struct diag *d) {
    static const char BUS[] = "bus";
    *bus = (struct sim_bus){.latency = LATENCY_DEFAULT, .seed = 1};
    if (strcmp(value, "ram") == 0) return STATUS_OK;
    if (strncmp(value, BUS, sizeof BUS - 1) != 0) return fail(value, "ram or bus", d);
    bus->used = true;
    const char *at = value + sizeof BUS - 1;
    while (*at == ',') {
        at = take_part(at + 1, bus);
        if (at == NULL)
            return fail(value, "words=1 to 32, latency=0 to 255, stall=0 to 99, seed=N, with commas between", d);
    }
    return *at == 0 ? STATUS_OK : fail(value, "a comma between its parts", d);
}

enum status bus_check(struct sim_bus *bus, unsigned cores, struct diag *d) {
    if (bus->used && bus->words == 0) bus->words = cores;
    if (bus->words <= cores && (bus->words & (bus->words - 1)) == 0) return STATUS_OK;
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                    "--memory: a bus of %u words: expected a power of two up to %u, --cores", bus->words, cores);
}

void bus_print(const struct sim_bus *bus, FILE *out) {
    if (!bus->used)
        fputs("ram", out);
    else
        fprintf(out, "bus,words=%u,latency=%u,stall=%u,seed=%" PRIu32, bus->words, bus->latency, bus->stall, bus->seed);
}

void bus_print_help(FILE *out) {
    fputs(
        "  --memory ram|bus[,PART...]  global memory in block RAM, the default, or behind a bus. words=N: words of a "
        "beat,\n"
        "                              default a line, as many as cores; latency=N: cycles from address to data, 0 to\n"
        "                              255, default 30; stall=N: percentage of cycles in which a channel is not ready, "
        "0\n"
        "                              to 99, default 0; seed=N: seed of the stalls, default 1.\n"
        "                              Verilator has a build for each number of words\n",
        out);
}
