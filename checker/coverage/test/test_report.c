/* SPDX-License-Identifier: Apache-2.0 */
/* The coverage report: a bin counts if both model and RTL have covered it, and only then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../runfile.h"

enum { OUTPUT_MAX = 1 << 16 };

struct fixture {
    char directory[32];
    struct space *space;
    uint64_t *bits[SIDES]; /* of the next run */
};

static struct fixture f;

static char *path_of(const char *name) {
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", f.directory, name);
    return path;
}

static int create(void **state) {
    (void)state;
    strcpy(f.directory, "/tmp/test_report.XXXXXX");
    f.space = space_create();
    for (unsigned side = 0; side < SIDES; side++) f.bits[side] = calloc(runfile_words(f.space), sizeof *f.bits[side]);
    if (mkdtemp(f.directory) == NULL) return -1;
    return mkdir(path_of("runs"), 0777);
}

static int destroy(void **state) {
    (void)state;
    char command[64];
    space_destroy(f.space);
    for (unsigned side = 0; side < SIDES; side++) free(f.bits[side]);
    snprintf(command, sizeof command, "rm -r %s", f.directory);
    return system(command);
}

static void write_text(const char *name, const char *text) {
    FILE *out = fopen(path_of(name), "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Writes a run with the bits of f.bits, and clears them. */
static void write_run(const char *name, const char *test) {
    struct diag d = {0};
    const uint64_t *const bits[SIDES] = {f.bits[SIDE_MODEL], f.bits[SIDE_RTL]};
    assert_int_equal(runfile_write(path_of(name), f.space, test, bits, &d), STATUS_OK);
    for (unsigned side = 0; side < SIDES; side++) memset(f.bits[side], 0, runfile_words(f.space) * sizeof *f.bits[0]);
}

static void cover(enum side side, uint32_t bin) { f.bits[side][bin / 64] |= (uint64_t)1 << bin % 64; }

static uint32_t bin_of(const char *name) {
    char text[SPACE_NAME_MAX];
    for (uint32_t bin = 1; bin < f.space->bins; bin++)
        if (space_exists(f.space, bin) && strcmp(space_name(f.space, bin, text), name) == 0) return bin;
    fail_msg("there is no bin %s", name);
    return 0;
}

/* Every bin of a section except one, by both sides. */
static void cover_section(enum section section, uint32_t but) {
    for (uint32_t bin = 1; bin < f.space->bins; bin++) {
        if (!space_exists(f.space, bin) || space_section(f.space, bin) != section || bin == but) continue;
        cover(SIDE_MODEL, bin);
        cover(SIDE_RTL, bin);
    }
}

/* Runs the report; its output is in `output`. */
static void expect_report(const char *what, int code, const char *text) {
    static char output[OUTPUT_MAX];
    char command[256];
    snprintf(command, sizeof command,
             "DIR=%s; build/checker/coverage/report/coverage_report $DIR/runs $DIR/list %s 2>&1", f.directory, what);
    FILE *report = popen(command, "r");
    assert_non_null(report);
    output[fread(output, 1, OUTPUT_MAX - 1, report)] = 0;
    const int got = WEXITSTATUS(pclose(report));
    if (got != code || strstr(output, text) == NULL)
        fail_msg("%s: exit %d, not %d, or no '%s' in:\n%s", what, got, code, text, output);
}

static void test_report_wants_both_sides(void **state) {
    (void)state;
    const uint32_t bin = bin_of("stack/depth/3");
    write_text("list", "");
    write_text("floor", "# of a section\nstack 100\n");
    cover_section(SECTION_STACK, bin);
    cover(SIDE_MODEL, bin);
    write_run("runs/a.run", "first");
    expect_report("check $DIR/floor", 1, "not ok 1 - stack: 99.84 %, floor 100.00 %\n");
    expect_report("summary", 0, "stack           641            0        641      641      640        1   99.84 %\n");
    expect_report("bins | grep 'stack/depth/[23]'", 0, "missing\t1\t0\tstack/depth/3\tfirst\n");
    expect_report("bins | grep 'stack/depth/[23]'", 0, "covered\t1\t1\tstack/depth/2\tfirst\n");
    write_text("floor", "stack 99.8\n");
    expect_report("check $DIR/floor", 0, "ok 1 - stack: 99.84 %, floor 99.80 %\n");

    cover(SIDE_RTL, bin); /* of another run: together they cover the bin */
    write_run("runs/b.run", "second");
    write_text("floor", "stack 100\n");
    expect_report("check $DIR/floor", 0, "ok 1 - stack: 100.00 %, floor 100.00 %\n");
    expect_report("bins | grep stack/depth/3", 0, "covered\t1\t1\tstack/depth/3\tsecond\n");
    write_text("floor", "stack 100\nall 100\n");
    expect_report("check $DIR/floor", 1, "not ok 2 - all: ");
    write_text("floor", "stacks 0\n");
    expect_report("check $DIR/floor", 1, "not ok 1 - stacks: ");
}

static void test_report_holds_the_unreachable_to_what_it_says(void **state) {
    (void)state;
    const uint32_t bin = bin_of("stack/depth/3");
    write_text("floor", "stack 100\n");
    write_text("list", "stack/depth/3 as a test says\n");
    cover_section(SECTION_STACK, bin);
    write_run("runs/a.run", "first");
    expect_report("check $DIR/floor", 0, "ok 1 - stack: 100.00 %, floor 100.00 %\n");
    expect_report("summary", 0, "stack           641            1        640      640      640        0  100.00 %\n");
    expect_report("bins | grep stack/depth/3", 0, "unreachable\t0\t0\tstack/depth/3\t\n");
    cover(SIDE_MODEL, bin);
    write_run("runs/b.run", "second");
    expect_report("check $DIR/floor", 1, "# stack/depth/3: unreachable by stack/depth/3, and reached by second\n");
    unlink(path_of("runs/b.run"));
    write_text("list", "stack/depth/3 as a test says\nstack/height/3 as a test says\n");
    expect_report("check $DIR/floor", 1, "# stack/height/3: is no bin\n");
    write_text("list", "stack/depth/3\n");
    expect_report("check $DIR/floor", 1, "# stack/depth/3: has no reason\n");
}

static void test_report_refuses_what_it_cannot_read(void **state) {
    (void)state;
    write_text("list", "");
    write_text("floor", "stack 0\n");
    expect_report("check $DIR/floor", 2, "/runs: error: no run has saved coverage\n");
    write_run("runs/a.run", "first");
    expect_report("check $DIR/none", 2, "/none: no floor\n");
    write_text("empty", "# stack\n");
    expect_report("check $DIR/empty", 2, "/empty: no floor\n");
    write_text("runs/b.run", "warpstep-coverage 0 0 second\n");
    expect_report("check $DIR/floor", 2, "/runs/b.run: error: no coverage of these bins\n");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)
    const struct CMUnitTest tests[] = {
        TEST(test_report_wants_both_sides),
        TEST(test_report_holds_the_unreachable_to_what_it_says),
        TEST(test_report_refuses_what_it_cannot_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
