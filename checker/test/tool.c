/* SPDX-License-Identifier: Apache-2.0 */
#include "tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define EXAMPLE "checker/port/example"

void tool_read(const struct tool *s, const char *name, char text[TOOL_TEXT]) {
    char path[TOOL_PATH];
    snprintf(path, sizeof path, "%s/%s", s->directory, name);
    FILE *f = fopen(path, "r");
    const size_t size = f != NULL ? fread(text, 1, TOOL_TEXT - 1, f) : 0;
    text[size] = 0;
    if (f != NULL) fclose(f);
}

int tool_run(struct tool *s, const char *format, ...) {
    char arguments[1024], command[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    snprintf(command, sizeof command, "TMPDIR=%s %s %s > %s/out 2> %s/err", s->directory, TOOL, arguments, s->directory,
             s->directory);
    const int status = system(command);
    tool_read(s, "out", s->out);
    tool_read(s, "err", s->err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void tool_write(const struct tool *s, const char *name, const char *text) {
    char path[TOOL_PATH];
    snprintf(path, sizeof path, "%s/%s", s->directory, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

void tool_edit_core(const struct tool *s, const char *name, const char *script) {
    char command[512];
    snprintf(command, sizeof command, "sed '%s' %s/tiny_core.c | cc -std=c11 -shared -fPIC -I. -I%s -o %s/%s.so -x c -",
             script, EXAMPLE, EXAMPLE, s->directory, name);
    assert_int_equal(system(command), 0);
}

int tool_set_up(void **state) {
    struct tool *s = calloc(1, sizeof *s);
    assert_non_null(s);
    *state = s;
    strcpy(s->directory, "/tmp/warpstep-test-XXXXXX");
    assert_non_null(mkdtemp(s->directory));
    if (access(TOOL, X_OK) != 0) return 0;
    tool_edit_core(s, "tiny_core", "");
    return 0;
}

int tool_tear_down(void **state) {
    struct tool *s = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", s->directory);
    const int status = system(command);
    free(s);
    return status;
}

json_int_t json_number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) fail_msg("no number '%s'", key);
    return json_integer_value(value);
}

const char *json_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL) fail_msg("no string '%s'", key);
    return text;
}

json_t *tool_json(const struct tool *s) {
    json_error_t error;
    json_t *object = json_loads(s->out, 0, &error);
    if (object == NULL) fail_msg("%s in: %s", error.text, s->out);
    return object;
}
