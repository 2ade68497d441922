/* SPDX-License-Identifier: Apache-2.0 */
#include "page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Coverage of Warpstep</title>\n<style>\n"
    "body { font: 15px/1.4 sans-serif; margin: 2em; max-width: 75em; color: #222 }\n"
    "table { border-collapse: collapse; margin: 1em 0 }\n"
    "th, td { padding: .15em .7em; text-align: right; border-bottom: 1px solid #ddd }\n"
    "th:first-child, td:first-child { text-align: left }\n"
    "details > div { margin: .2em 0 .2em 1.5em }\n"
    "summary { cursor: pointer }\n"
    "i { font: 12px/1.6 monospace; padding: 0 .3em; margin: 0 .2em; white-space: nowrap; display: inline-block }\n"
    ".y { background: #cfc } .n { background: #faa } .u { background: #eee; color: #888 } .h { background: #ffb }\n"
    "</style>\n<h1>Coverage</h1>\n";

static void print_text(const char *text, FILE *out) {
    for (; *text != 0; text++)
        if (*text == '&' || *text == '<' || *text == '>' || *text == '"')
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

static void print_sum(const char *name, const char *link, const struct sum *s, FILE *out) {
    fprintf(out, link != NULL ? "<tr><td><a href=\"#%s\">" : "<tr><td>%s", link != NULL ? link : "");
    print_text(name, out);
    fprintf(out,
            "%s<td>%" PRIu32 "<td>%" PRIu32 "<td>%" PRIu32 "<td>%" PRIu32 "<td>%" PRIu32 "<td>%" PRIu32 "<td>%.2f %%\n",
            link != NULL ? "</a>" : "", s->bins, s->unreachable, s->reachable, s->model, s->rtl, s->reachable - s->both,
            sum_percent(s));
}

static void print_table(const struct tally *t, FILE *out) {
    fprintf(out,
            "<p>%zu runs in lockstep. A bin counts when both RTL and model have covered it, each by its own "
            "records.\n<table><tr><th>section<th>bins<th>unreachable<th>reachable<th>model<th>RTL<th>missing<th>both\n",
            t->test_count);
    for (unsigned i = 0; i < SECTION_COUNT; i++) {
        const enum section section = (enum section)i;
        print_sum(space_section_title(section), space_section_name(section), &t->section[i], out);
    }
    print_sum("all", NULL, &t->all, out);
    fprintf(out, "</table>\n<p>Colours: <i class=\"y\">covered</i> <i class=\"h\">by one of model and RTL only</i> "
                 "<i class=\"n\">missing</i> <i class=\"u\">unreachable</i>. Point at a bin for runs and tests.\n");
}

/* --------------------------------------------------------------------------------------------------------- groups */

/* "section/group/item": returns the item. */
static const char *item_of(const char *name) { return strrchr(name, '/') + 1; }

static bool same_group(const char *a, const char *b) {
    const size_t length = (size_t)(item_of(a) - a);
    return strncmp(a, b, length) == 0 && strchr(b + length, '/') == NULL;
}

static void print_bin(const struct tally *t, uint32_t bin, const char *item, FILE *out) {
    const struct seen *s = &t->seen[bin];
    const bool model = s->runs[SIDE_MODEL] > 0, rtl = s->runs[SIDE_RTL] > 0;
    const char *class = s->reason != 0 ? "u" : model && rtl ? "y" : model || rtl ? "h" : "n";
    fprintf(out, "<i class=\"%s\" title=\"", class);
    if (s->reason != 0)
        print_text(t->reasons[s->reason - 1].text, out);
    else
        fprintf(out, "model %" PRIu32 ", RTL %" PRIu32 " runs; ", s->runs[SIDE_MODEL], s->runs[SIDE_RTL]);
    if (model || rtl) print_text(t->tests[s->first], out);
    fprintf(out, "\">");
    print_text(item, out);
    fprintf(out, "</i>\n");
}

/* Prints the bins of one group from `first` on; returns the bin after the last of them. */
static uint32_t print_group(const struct tally *t, uint32_t first, uint32_t end, FILE *out) {
    char name[SPACE_NAME_MAX], other[SPACE_NAME_MAX];
    uint32_t bin = first, covered = 0, reachable = 0;
    space_name(t->space, first, name);
    for (; bin < end && same_group(name, space_name(t->space, bin, other)); bin++) {
        if (!space_exists(t->space, bin) || t->seen[bin].reason != 0) continue;
        reachable++;
        covered += t->seen[bin].runs[SIDE_MODEL] > 0 && t->seen[bin].runs[SIDE_RTL] > 0;
    }
    const char *group = strchr(name, '/') + 1;
    fprintf(out, "<details%s><summary>%.*s: %" PRIu32 " of %" PRIu32 "</summary><div>\n",
            covered < reachable ? " open" : "", (int)(item_of(name) - group - 1), group, covered, reachable);
    for (uint32_t b = first; b < bin; b++)
        if (space_exists(t->space, b)) print_bin(t, b, item_of(space_name(t->space, b, other)), out);
    fprintf(out, "</div></details>\n");
    return bin;
}

/* Bins are ordered by row, not by section, so a section is a walk over all blocks. */
static void print_section(const struct tally *t, enum section section, FILE *out) {
    fprintf(out, "<h2 id=\"%s\">", space_section_name(section));
    print_text(space_section_title(section), out);
    fprintf(out, "</h2>\n");
    uint32_t bin = 1;
    while (bin < t->space->bins)
        if (space_section(t->space, bin) == section)
            bin = print_group(t, bin, t->space->bins, out);
        else
            bin++;
}

static void print_reasons(const struct tally *t, FILE *out) {
    fprintf(out, "<h2>What cannot be reached</h2>\n<table><tr><th>bins<th style=\"text-align: left\">pattern"
                 "<th style=\"text-align: left\">reason\n");
    for (size_t i = 0; i < t->reason_count; i++) {
        fprintf(out, "<tr><td>%" PRIu32 "<td style=\"text-align: left\"><code>", t->reasons[i].bins);
        print_text(t->reasons[i].pattern, out);
        fprintf(out, "</code><td style=\"text-align: left\">");
        print_text(t->reasons[i].text, out);
        fprintf(out, "\n");
    }
    fprintf(out, "</table>\n");
}

static bool copy_part(const char *path, FILE *out) {
    char buffer[4096];
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, in)) > 0;) fwrite(buffer, 1, got, out);
    fclose(in);
    return true;
}

bool page_print(const struct tally *t, char **parts, unsigned part_count, FILE *out) {
    bool good = true;
    fputs(HEAD, out);
    print_table(t, out);
    for (unsigned i = 0; i < part_count; i++) good &= copy_part(parts[i], out);
    print_reasons(t, out);
    for (unsigned i = 0; i < SECTION_COUNT; i++) print_section(t, (enum section)i, out);
    fprintf(out, "</html>\n");
    return good;
}
