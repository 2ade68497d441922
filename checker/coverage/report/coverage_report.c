/* SPDX-License-Identifier: Apache-2.0 */
/* Merges the coverage of the runs in a directory and reports it.
 *
 *     coverage_report RUNS UNREACHABLE summary            a readable table, by section
 *     coverage_report RUNS UNREACHABLE bins               every bin: state, runs of model and RTL, name, first test
 *     coverage_report RUNS UNREACHABLE check FLOOR        TAP: no section is below its floor, see floor.txt
 *     coverage_report RUNS UNREACHABLE html PART...       the page; each PART, a file of HTML, goes in at its end
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "tally.h"

static void print_sum(const char *name, const struct sum *s) {
    printf("%-10s %8" PRIu32 " %12" PRIu32 " %10" PRIu32 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32 "  %6.2f %%\n", name,
           s->bins, s->unreachable, s->reachable, s->model, s->rtl, s->reachable - s->both, sum_percent(s));
}

static void print_summary(const struct tally *t) {
    printf("%zu runs in lockstep\n", t->test_count);
    printf("%-10s %8s %12s %10s %8s %8s %8s  %8s\n", "section", "bins", "unreachable", "reachable", "model", "RTL",
           "missing", "both");
    for (unsigned i = 0; i < SECTION_COUNT; i++) print_sum(space_section_name((enum section)i), &t->section[i]);
    print_sum("all", &t->all);
}

static void print_bins(const struct tally *t) {
    char name[SPACE_NAME_MAX];
    for (uint32_t bin = 1; bin < t->space->bins; bin++) {
        if (!space_exists(t->space, bin)) continue;
        const struct seen *s = &t->seen[bin];
        const bool covered = s->runs[SIDE_MODEL] > 0 && s->runs[SIDE_RTL] > 0;
        const char *state = s->reason != 0 ? "unreachable" : covered ? "covered" : "missing";
        const bool any = s->runs[SIDE_MODEL] + s->runs[SIDE_RTL] > 0;
        printf("%s\t%" PRIu32 "\t%" PRIu32 "\t%s\t%s\n", state, s->runs[SIDE_MODEL], s->runs[SIDE_RTL],
               space_name(t->space, bin, name), any ? t->tests[s->first] : "");
    }
}

/* ---------------------------------------------------------------------------------------------------------- check */

static unsigned tests, failures;

static void verdict(bool good, const char *text) {
    printf("%sok %u - %s\n", good ? "" : "not ", ++tests, text);
    failures += !good;
}

static const struct sum *sum_of(const struct tally *t, const char *name) {
    for (unsigned i = 0; i < SECTION_COUNT; i++)
        if (strcmp(space_section_name((enum section)i), name) == 0) return &t->section[i];
    return strcmp(name, "all") == 0 ? &t->all : NULL;
}

static bool check_floors(const struct tally *t, const char *path) {
    char line[256], name[32], text[128];
    double floor;
    FILE *in = fopen(path, "r");
    if (in == NULL) return false;
    while (fgets(line, sizeof line, in) != NULL) {
        if (sscanf(line, " %31[a-z] %lf", name, &floor) != 2) continue;
        const struct sum *s = sum_of(t, name);
        const double percent = s != NULL ? sum_percent(s) : 0;
        snprintf(text, sizeof text, "%s: %.2f %%, floor %.2f %%", name, percent, floor);
        verdict(s != NULL && percent >= floor, text);
    }
    fclose(in);
    return tests > 0;
}

/* Bins listed as unreachable must exist and be unreached. */
static void check_reasons(const struct tally *t) {
    char name[SPACE_NAME_MAX];
    bool good = true;
    for (uint32_t bin = 1; bin < t->space->bins; bin++) {
        const struct seen *s = &t->seen[bin];
        if (s->reason == 0 || s->runs[SIDE_MODEL] + s->runs[SIDE_RTL] == 0) continue;
        printf("# %s: unreachable by %s, and reached by %s\n", space_name(t->space, bin, name),
               t->reasons[s->reason - 1].pattern, t->tests[s->first]);
        good = false;
    }
    verdict(good, "nothing unreachable was reached");
    good = true;
    for (size_t i = 0; i < t->reason_count; i++) {
        if (t->reasons[i].bins > 0 && t->reasons[i].text[0] != 0) continue;
        printf("# %s: %s\n", t->reasons[i].pattern, t->reasons[i].bins > 0 ? "has no reason" : "is no bin");
        good = false;
    }
    verdict(good, "each line of the unreachable has bins and a reason");
}

static int check(const struct tally *t, const char *floor_path) {
    if (!check_floors(t, floor_path)) {
        fprintf(stderr, "%s: no floor\n", floor_path);
        return 2;
    }
    check_reasons(t);
    printf("1..%u\n", tests);
    return failures == 0 ? 0 : 1;
}

static int run(const struct tally *t, int argc, char **argv) {
    if (argc == 4 && strcmp(argv[3], "summary") == 0) {
        print_summary(t);
    } else if (argc == 4 && strcmp(argv[3], "bins") == 0) {
        print_bins(t);
    } else if (argc == 5 && strcmp(argv[3], "check") == 0) {
        return check(t, argv[4]);
    } else if (argc >= 4 && strcmp(argv[3], "html") == 0) {
        return page_print(t, argv + 4, (unsigned)argc - 4, stdout) ? 0 : 2;
    } else {
        fprintf(stderr, "usage: coverage_report RUNS UNREACHABLE summary|bins|check FLOOR|html PART...\n");
        return 2;
    }
    return 0;
}

int main(int argc, char **argv) {
    struct tally t = {0};
    struct diag d = {0};
    if (argc < 4) {
        fprintf(stderr, "usage: coverage_report RUNS UNREACHABLE summary|bins|check FLOOR|html PART...\n");
        return 2;
    }
    enum status status = tally_read(&t, argv[1], &d);
    if (status == STATUS_OK) status = tally_exclude(&t, argv[2], &d);
    const int code = status == STATUS_OK ? run(&t, argc, argv) : diag_report(stderr, &d);
    tally_release(&t);
    return code;
}
