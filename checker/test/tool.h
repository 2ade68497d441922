/* SPDX-License-Identifier: Apache-2.0 */
/* warp-lockstep run from outside, in a private directory with the worked example as a shared object, tiny_core.so:
 *
 *     assert_int_equal(tool_run(s, "%s --sim %s/tiny_core.so --json", FIVE, s->directory), 0);
 *     json_t *result = tool_json(s);
 *     assert_string_equal(json_text(result, "status"), "pass");
 *
 * All fail the test on an error. */
#ifndef WARPSTEP_CHECKER_TEST_TOOL_H
#define WARPSTEP_CHECKER_TEST_TOOL_H

#include <jansson.h>

enum { TOOL_TEXT = 8192, TOOL_PATH = 256 }; /* bytes */

#define TOOL "build/bin/warp-lockstep"
#define FIVE "checker/port/example/five.sass"

/* fake_sim.c: --seed selects the fault, and the first record for it. */
#define FAKE "build/checker/test/libfake.so"

struct tool {
    char directory[64];
    char out[TOOL_TEXT], err[TOOL_TEXT]; /* of the last run */
};

/* Of a group of tests, whose state is a struct tool. */
int tool_set_up(void **state);
int tool_tear_down(void **state);

/* Runs warp-lockstep with these arguments; returns its exit code. */
__attribute__((format(printf, 2, 3))) int tool_run(struct tool *s, const char *format, ...);

/* A file of the directory: read (empty if it is missing), written. */
void tool_read(const struct tool *s, const char *name, char text[TOOL_TEXT]);
void tool_write(const struct tool *s, const char *name, const char *text);

/* Makes NAME.so from the example, its source changed by a sed script. */
void tool_edit_core(const struct tool *s, const char *name, const char *script);

/* The output of the last run; members of an object. */
json_t *tool_json(const struct tool *s);
json_int_t json_number(const json_t *object, const char *key);
const char *json_text(const json_t *object, const char *key);

#endif
