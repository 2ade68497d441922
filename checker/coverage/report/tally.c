/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEST_BYTES = 512, LINE_BYTES = 1024 };

/* A file of a run, before the tests are sorted. */
struct file {
    char *path, *test;
};

struct files {
    struct file *file;
    size_t count, room;
};

static bool has_suffix(const char *name, const char *suffix) {
    const size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

static bool add_file(struct files *files, const char *directory, const char *name) {
    if (files->count == files->room) {
        files->room = files->room == 0 ? 256 : 2 * files->room;
        struct file *more = realloc(files->file, files->room * sizeof *more);
        if (more == NULL) return false;
        files->file = more;
    }
    struct file *f = &files->file[files->count];
    *f = (struct file){0};
    if (asprintf(&f->path, "%s/%s", directory, name) < 0) return false;
    files->count++;
    return true;
}

static enum status list_files(struct files *files, const char *directory, struct diag *d) {
    DIR *dir = opendir(directory);
    if (dir == NULL) return diag_set(d, STATUS_BAD_INPUT, directory, 0, 0, "%s", strerror(errno));
    bool good = true;
    for (const struct dirent *e; good && (e = readdir(dir)) != NULL;)
        if (has_suffix(e->d_name, ".run")) good = add_file(files, directory, e->d_name);
    closedir(dir);
    if (good && files->count == 0) return diag_set(d, STATUS_BAD_INPUT, directory, 0, 0, "no run has saved coverage");
    return good ? STATUS_OK : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
}

static void release_files(struct files *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->file[i].path);
        free(files->file[i].test);
    }
    free(files->file);
}

static int compare_files(const void *a, const void *b) {
    const struct file *left = a, *right = b;
    const int order = strcmp(left->test, right->test);
    return order != 0 ? order : strcmp(left->path, right->path);
}

static void count_bits(struct tally *t, const uint64_t *const bits[SIDES], uint32_t test) {
    for (size_t word = 0; word < runfile_words(t->space); word++) {
        for (unsigned side = 0; side < SIDES; side++) {
            for (uint64_t left = bits[side][word]; left != 0; left &= left - 1) {
                struct seen *s = &t->seen[word * 64 + (unsigned)__builtin_ctzll(left)];
                if (s->runs[SIDE_MODEL] + s->runs[SIDE_RTL] == 0 || (side == SIDE_RTL && s->runs[side] == 0))
                    s->first = test;
                s->runs[side]++;
            }
        }
    }
}

/* Reads all files twice: for their names, and in the order of the names for their contents. */
static enum status count_files(struct tally *t, struct files *files, uint64_t *const bits[SIDES], struct diag *d) {
    char test[TEST_BYTES];
    for (size_t i = 0; i < files->count; i++) {
        if (runfile_read(files->file[i].path, t->space, test, sizeof test, bits, d) != STATUS_OK) return d->status;
        files->file[i].test = strdup(test);
        if (files->file[i].test == NULL) return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
    }
    if (files->count > 0) qsort(files->file, files->count, sizeof *files->file, compare_files);
    for (size_t i = 0; i < files->count; i++) {
        if (runfile_read(files->file[i].path, t->space, test, sizeof test, bits, d) != STATUS_OK) return d->status;
        t->tests[i] = files->file[i].test;
        files->file[i].test = NULL;
        t->test_count++;
        count_bits(t, (const uint64_t *const *)bits, (uint32_t)i);
    }
    return STATUS_OK;
}

enum status tally_read(struct tally *t, const char *directory, struct diag *d) {
    struct files files = {0};
    *t = (struct tally){.space = space_create()};
    enum status status = list_files(&files, directory, d);
    if (status == STATUS_OK && t->space != NULL) {
        const size_t words = runfile_words(t->space);
        uint64_t *bits[SIDES] = {calloc(words, sizeof(uint64_t)), calloc(words, sizeof(uint64_t))};
        t->seen = calloc(words * 64, sizeof *t->seen);
        t->tests = calloc(files.count + 1, sizeof *t->tests);
        status = t->seen != NULL && t->tests != NULL && bits[0] != NULL && bits[1] != NULL
                     ? count_files(t, &files, bits, d)
                     : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
        free(bits[SIDE_MODEL]);
        free(bits[SIDE_RTL]);
    }
    release_files(&files);
    return status;
}

void tally_release(struct tally *t) {
    for (size_t i = 0; i < t->test_count; i++) free(t->tests[i]);
    for (size_t i = 0; i < t->reason_count; i++) free(t->reasons[i].text);
    free(t->tests);
    free(t->reasons);
    free(t->seen);
    space_destroy(t->space);
}

/* ---------------------------------------------------------------------------------------------------- unreachable */

static bool add_reason(struct tally *t, char *line) {
    const size_t pattern = strcspn(line, " \t");
    const char *text = line + pattern + strspn(line + pattern, " \t");
    struct reason *more = realloc(t->reasons, (t->reason_count + 1) * sizeof *more);
    if (more == NULL) return false;
    t->reasons = more;
    struct reason *r = &t->reasons[t->reason_count];
    *r = (struct reason){.text = strdup(text)};
    if (r->text == NULL) return false;
    snprintf(r->pattern, sizeof r->pattern, "%.*s", (int)pattern, line);
    t->reason_count++;
    return true;
}

static enum status read_reasons(struct tally *t, const char *path, struct diag *d) {
    char line[LINE_BYTES];
    FILE *in = fopen(path, "r");
    if (in == NULL) return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "%s", strerror(errno));
    bool good = true;
    while (good && fgets(line, sizeof line, in) != NULL) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] != 0 && line[0] != '#') good = add_reason(t, line);
    }
    fclose(in);
    return good ? STATUS_OK : diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
}

static bool matches(const struct reason *r, const char *name) {
    const size_t literal = strcspn(r->pattern, "*?[");
    return strncmp(r->pattern, name, literal) == 0 && fnmatch(r->pattern, name, FNM_PATHNAME) == 0;
}

static void exclude_bin(struct tally *t, uint32_t bin) {
    char name[SPACE_NAME_MAX];
    space_name(t->space, bin, name);
    for (size_t i = 0; i < t->reason_count; i++) {
        if (!matches(&t->reasons[i], name)) continue;
        t->reasons[i].bins++;
        if (t->seen[bin].reason == 0) t->seen[bin].reason = (uint16_t)(i + 1);
    }
}

static void add_bin(struct sum *sum, const struct seen *s) {
    const bool model = s->runs[SIDE_MODEL] > 0, rtl = s->runs[SIDE_RTL] > 0;
    sum->bins++;
    sum->unreachable += s->reason != 0;
    if (s->reason != 0) return;
    sum->reachable++;
    sum->model += model;
    sum->rtl += rtl;
    sum->both += model && rtl;
}

enum status tally_exclude(struct tally *t, const char *path, struct diag *d) {
    const enum status status = read_reasons(t, path, d);
    for (uint32_t bin = 1; bin < t->space->bins && status == STATUS_OK; bin++) {
        if (!space_exists(t->space, bin)) continue;
        exclude_bin(t, bin);
        add_bin(&t->section[space_section(t->space, bin)], &t->seen[bin]);
        add_bin(&t->all, &t->seen[bin]);
    }
    return status;
}

double sum_percent(const struct sum *s) { return s->reachable == 0 ? 100 : 100.0 * s->both / s->reachable; }
