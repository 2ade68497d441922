/* SPDX-License-Identifier: Apache-2.0 */
#include "race_report.h"

#include <inttypes.h>

#include "state_report.h"

void race_report_print_help(FILE *out) {
    fputs("  " RACE_REPORT_OPTION "               unordered accesses of different warps to the same bytes are errors\n",
          out);
}

static void report_access(const struct launch *run, const struct model_racer *access, FILE *out) {
    fprintf(out, "  %s by block (%u,%u) warp %u lane %u, ", state_report_access(access->kind), access->block_x,
            access->block_y, access->warp, access->lane);
    state_report_code(run->image, access->pc, out);
}

void race_report_print(const struct model *m, const struct launch *run, FILE *out) {
    size_t count;
    uint64_t accesses = 0;
    const struct model_race *races = model_races(m, &count);
    for (size_t i = 0; i < count; i++) {
        const struct model_race *race = &races[i];
        fprintf(out, "%s: race: %s, %" PRIu64 " time%s, first at %s 0x%x\n", run->path,
                race->lanes ? "lanes of one store leave different values" : "two unordered accesses", race->count,
                race->count == 1 ? "" : "s", race->shared ? "shared" : "global", race->addr);
        report_access(run, &race->first, out);
        report_access(run, &race->second, out);
        accesses += race->count;
    }
    if (count > 0)
        fprintf(out, "%s: %zu %s, %" PRIu64 " time%s\n", run->path, count,
                count == 1 ? "pair of instructions races" : "pairs of instructions race", accesses,
                accesses == 1 ? "" : "s");
}

static void print_json_access(const struct model_racer *access, FILE *out) {
    fprintf(out, "{\"kind\":\"%s\",\"pc\":%" PRIu32 ",\"block\":[%u,%u],\"warp\":%u,\"lane\":%u}",
            state_report_access(access->kind), access->pc, access->block_x, access->block_y, access->warp,
            access->lane);
}

void race_report_json(const struct model *m, FILE *out) {
    size_t count;
    const struct model_race *races = model_races(m, &count);
    fprintf(out, ",\"races\":[");
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s{\"space\":\"%s\",\"addr\":%" PRIu32 ",\"count\":%" PRIu64 ",\"one_store\":%s,\"accesses\":[",
                i == 0 ? "" : ",", races[i].shared ? "shared" : "global", races[i].addr, races[i].count,
                races[i].lanes ? "true" : "false");
        print_json_access(&races[i].first, out);
        fputc(',', out);
        print_json_access(&races[i].second, out);
        fprintf(out, "]}");
    }
    fputc(']', out);
}
