/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include <editline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../assembler/base/file.h"
#include "../../assembler/base/stop.h"

/* The next name with the prefix `word`; libedit calls it until it returns NULL, with `state` 0 first. */
static char *complete_name(const char *word, int state) {
    static size_t next; /* libedit offers no other place for this state */
    if (state == 0) next = 0;
    for (const char *name; (name = debug_command_name(next)) != NULL;) {
        next++;
        if (strncmp(name, word, strlen(word)) == 0) return strdup(name);
    }
    return NULL;
}

/* Completes commands at the start of a line only. */
static char **complete(const char *word, int start, int end) {
    (void)end;
    rl_attempted_completion_over = 1;
    return start == 0 ? rl_completion_matches(word, complete_name) : NULL;
}

static volatile sig_atomic_t cancelled; /* global: a signal handler has no other way to report */

static void cancel(int number) {
    (void)number;
    cancelled = 1;
}

/* Ctrl-C discards the line and prompts again; other signals end the commands. */
static char *ask(const char *prompt) {
    char *line = NULL;
    stop_begin_read(cancel);
    do {
        if (cancelled != 0) putchar('\n');
        cancelled = 0;
        line = readline(prompt);
    } while (line == NULL && cancelled != 0);
    stop_end_read();
    return line;
}

/* Reads commands from a file or pipe; any signal ends them. */
static char *read_input(FILE *in) {
    char *line = NULL;
    size_t size = 0;
    stop_begin_read(NULL);
    const ssize_t length = stop_signal() == 0 ? getline(&line, &size, in) : -1;
    stop_end_read();
    if (length >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        return line;
    }
    free(line);
    return NULL;
}

static char *read_line(void *session, const char *prompt) {
    const struct session *s = session;
    if (s->in != NULL) return read_input(s->in);
    char *line = ask(prompt);
    if (line != NULL && line[0] != '\0') add_history(line);
    return line;
}

int session_take_option(struct session *s, const char *option, const char *value, struct diag *d) {
    const bool script = strcmp(option, "--debug-script") == 0;
    if (!script && strcmp(option, "--debug") != 0) return 0;
    s->wanted = true;
    if (!script) return 1;
    s->script = value;
    if (value != NULL) return 2;
    diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "%s: a value is missing", option);
    return -1;
}

void session_print_help(FILE *out) {
    fputs("  --debug                     a prompt between instructions; help lists its commands (docs/debug.md)\n"
          "  --debug-script FILE         the same, with commands from a file\n",
          out);
}

enum status session_check(const struct session *s, const char *kernel, struct diag *d) {
    if (!s->wanted || s->script != NULL || !file_is_standard(kernel)) return STATUS_OK;
    return diag_set(d, STATUS_BAD_INPUT, "", 0, 0,
                    "--debug reads standard input, as the kernel is: --debug-script, or a file for the kernel");
}

static enum status open_input(struct session *s, struct diag *d) {
    s->in = NULL;
    if (s->script != NULL) {
        s->in = fopen(s->script, "r");
        return s->in != NULL ? STATUS_OK : diag_errno(d, s->script, "");
    }
    if (isatty(STDIN_FILENO) == 1) {
        rl_attempted_completion_function = complete;
        return STATUS_OK;
    }
    s->in = stdin;
    s->script = "standard input";
    return STATUS_OK;
}

static void close_input(struct session *s) {
    if (s->in != NULL && s->in != stdin) fclose(s->in);
    s->in = NULL;
}

enum status session_open(struct session *s, struct model *m, const struct image *image, const struct machine *machine,
                         struct diag *d) {
    if (!s->wanted) return STATUS_OK;
    const enum status status = open_input(s, d);
    if (status != STATUS_OK) return status;
    const struct debug_options options = {.model = m,
                                          .image = image,
                                          .machine = machine,
                                          .out = stdout,
                                          .read = read_line,
                                          .reader = s,
                                          .script = s->script};
    s->debug = debug_create(&options);
    if (s->debug != NULL) return STATUS_OK;
    close_input(s);
    return diag_set(d, STATUS_NO_MEMORY, "", 0, 0, "out of memory");
}

enum status session_close(struct session *s, struct diag *d) {
    if (s->debug == NULL) return STATUS_OK;
    const enum status status = debug_status(s->debug, d);
    debug_destroy(s->debug);
    s->debug = NULL;
    close_input(s);
    return status;
}
