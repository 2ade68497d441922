/* SPDX-License-Identifier: Apache-2.0 */
/* The commands. Input selects the first command that begins with it. */
#include <inttypes.h>
#include <string.h>

#include "../run/argument.h"
#include "../run/state_report.h"
#include "place.h"
#include "state.h"

enum { WORDS_MAX = 8 };

/* A line split into words; missing words are "". */
struct words {
    unsigned count;
    const char *word[WORDS_MAX];
};

typedef void command_fn(struct debug *d, const struct words *w);

/* Reports a mistake. Without a word to quote, the ending ", not" of the text is dropped. */
static void mistake(struct debug *d, const char *text, const char *what) {
    const size_t length = strlen(text), end = strlen(", not");
    if (what[0] != '\0')
        snprintf(d->mistake, sizeof d->mistake, "%s '%.60s'", text, what);
    else if (length > end && strcmp(text + length - end + 1, " not") == 0)
        snprintf(d->mistake, sizeof d->mistake, "%.*s", (int)(length - end), text);
    else
        snprintf(d->mistake, sizeof d->mistake, "%s", text);
}

/* A number from 1 on, or the default if absent. */
static bool take_number(struct debug *d, const char *text, uint64_t otherwise, uint64_t *number) {
    *number = otherwise;
    if (text[0] == '\0' || (argument_number(text, UINT64_MAX, number, NULL) && *number > 0)) return true;
    mistake(d, "expected a number from 1 on, not", text);
    return false;
}

/* "expected WHAT, not 'TEXT'"; a WHAT that is a list ends in ";". */
static void unexpected(struct debug *d, const char *what, const char *text) {
    char expected[sizeof d->mistake];
    snprintf(expected, sizeof expected, "expected %s%s not", what, what[strlen(what) - 1] == ';' ? "" : ",");
    mistake(d, expected, text);
}

static bool take_value(struct debug *d, const char *text, struct value *v) {
    const char *why;
    if (value_parse(text, v, &why)) return true;
    unexpected(d, why, text);
    return false;
}

/* ------------------------------------------------------------------------- running on */

static void command_step(struct debug *d, const struct words *w) {
    if (take_number(d, w->word[1], 1, &d->left)) d->mode = STEP;
}

static void command_next(struct debug *d, const struct words *w) {
    if (take_number(d, w->word[1], 1, &d->left)) d->mode = NEXT;
}

static void command_continue(struct debug *d, const struct words *w) {
    (void)w;
    d->mode = GO_ON;
}

static void command_quit(struct debug *d, const struct words *w) {
    (void)w;
    d->mode = QUIT;
}

/* ------------------------------------------------------------------------------------ stops */

static struct stop *new_stop(struct debug *d) {
    for (unsigned i = 0; i < DEBUG_STOPS_MAX; i++)
        if (d->stops[i].kind == STOP_UNUSED) return &d->stops[i];
    mistake(d, "there are too many of them; delete one", "");
    return NULL;
}

/* "if VALUE RELATION NUMBER", the last words of a line. */
static bool take_condition(struct debug *d, const struct words *w, unsigned from, struct stop *s) {
    static const char *const RELATION[] = {"", "==", "!=", "<", "<=", ">", ">="};
    uint64_t operand;
    if (from == w->count) return true;
    if (strcmp(w->word[from], "if") != 0 || w->count != from + 4) {
        mistake(d, "expected if VALUE RELATION NUMBER, with spaces between, behind the place", "");
        return false;
    }
    if (!take_value(d, w->word[from + 1], &s->value)) return false;
    for (unsigned i = RELATION_EQ; i <= RELATION_GE; i++)
        if (strcmp(w->word[from + 2], RELATION[i]) == 0) s->relation = (enum relation)i;
    if (s->relation == RELATION_NONE) {
        mistake(d, "expected ==, !=, <, <=, > or >=, not", w->word[from + 2]);
        return false;
    }
    if (!argument_number(w->word[from + 3], UINT32_MAX, &operand, NULL)) {
        mistake(d, "expected a number, not", w->word[from + 3]);
        return false;
    }
    s->operand = (uint32_t)operand;
    return true;
}

static void command_break(struct debug *d, const struct words *w) {
    struct stop s = {.kind = STOP_PC}, *place = new_stop(d);
    const char *why = NULL;
    uint32_t pc = 0;
    if (place == NULL) return;
    if (strcmp(w->word[1], "cycle") == 0) {
        s.kind = STOP_CYCLE;
        if (w->count != 3 || !argument_number(w->word[2], UINT64_MAX, &s.at, NULL)) {
            mistake(d, "expected a cycle, not", w->word[2]);
            return;
        }
    } else if (!place_parse(d->options.image, w->word[1], &pc, &why)) {
        unexpected(d, why, w->word[1]);
        return;
    } else if (!take_condition(d, w, 2, &s)) {
        return;
    }
    if (s.kind == STOP_PC) s.at = pc;
    *place = s;
    debug_show_stops(d);
    if (s.kind == STOP_PC && pc == 0)
        fputs("   where a warp comes back to it: no warp stops where it begins\n", d->options.out);
}

static void command_watch(struct debug *d, const struct words *w) {
    struct stop s = {.kind = STOP_WATCH, .sm = d->sm, .slot = d->slot}, *place = new_stop(d);
    if (place == NULL || !take_value(d, w->word[1], &s.value)) return;
    if (s.value.kind == VALUE_CONST) {
        mistake(d, "constants do not change", "");
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!debug_fetch(d, &s.value, lane, &s.seen[lane])) s.seen[lane] = 0;
    *place = s;
    debug_show_stops(d);
}

static void command_delete(struct debug *d, const struct words *w) {
    uint64_t number;
    if (!take_number(d, w->word[1], 0, &number)) return;
    if (number == 0)
        memset(d->stops, 0, sizeof d->stops);
    else if (number > DEBUG_STOPS_MAX || d->stops[number - 1].kind == STOP_UNUSED)
        mistake(d, "there is no break or watch", w->word[1]);
    else
        d->stops[number - 1].kind = STOP_UNUSED;
}

static void command_stops(struct debug *d, const struct words *w) {
    (void)w;
    debug_show_stops(d);
}

/* ---------------------------------------------------------------------------- showing state */

static void command_print(struct debug *d, const struct words *w) {
    struct value v;
    for (unsigned i = 1; i < w->count || i == 1; i++) {
        if (!take_value(d, w->word[i], &v)) return;
        debug_show_value(d, &v);
    }
}

static void command_x(struct debug *d, const struct words *w) {
    struct value v;
    uint64_t words;
    if (!take_value(d, w->word[1], &v) || !take_number(d, w->word[2], 4, &words)) return;
    if (v.kind < VALUE_GLOBAL)
        mistake(d, "expected memory, not", w->word[1]);
    else
        debug_show_words(d, v, words);
}

static void command_list(struct debug *d, const struct words *w) {
    struct model_warp warp;
    const char *why = NULL;
    model_peek_warp(d->options.model, d->sm, d->slot, &warp);
    uint32_t pc = warp.present ? warp.pc : 0;
    if (w->count > 1 && !place_parse(d->options.image, w->word[1], &pc, &why))
        mistake(d, "there is no place", w->word[1]);
    else
        debug_show_code(d, pc);
}

static void command_warps(struct debug *d, const struct words *w) {
    (void)w;
    state_report_warps(d->options.model, d->options.image, d->options.machine, d->options.out);
}

static void command_warp(struct debug *d, const struct words *w) {
    const struct machine *machine = d->options.machine;
    uint64_t sm = d->sm, slot = d->slot;
    const bool named = w->count == 3 && argument_number(w->word[1], machine->sms - 1, &sm, NULL) &&
                       argument_number(w->word[2], machine->warps - 1, &slot, NULL);
    if (w->count != 1 && !named) {
        mistake(d, "expected an SM and a slot that the machine has", "");
        return;
    }
    d->sm = (unsigned)sm;
    d->slot = (unsigned)slot;
    debug_show_warp(d);
}

static void command_stack(struct debug *d, const struct words *w) {
    (void)w;
    debug_show_stack(d);
}

static command_fn command_help;

static const struct command {
    const char *name, *usage, *help;
    command_fn *run;
} COMMANDS[] = {
    {"step",     "[N]",                   "N instructions (1) of whichever warp is next",        command_step    },
    {"next",     "[N]",                   "N instructions (1) of this warp",                     command_next    },
    {"continue", "",                      "to the next break or watch, or the end",              command_continue},
    {"break",    "PLACE [if VALUE == N]", "before 0x18, :12, kernel.sass:12, a label",           command_break   },
    {"watch",    "VALUE",                 "until a register of this warp, or memory, changes",   command_watch   },
    {"print",    "VALUE ...",             "R5 (of all lanes), R5.3, R5L, A1, C0, global[0x100]", command_print   },
    {"x",        "MEMORY [N]",            "N words (4) from there on: x shared[0x10] 8",         command_x       },
    {"list",     "[PLACE]",               "the code around, disassembled",                       command_list    },
    {"warp",     "[SM SLOT]",             "this warp; or another one from now on",               command_warp    },
    {"warps",    "",                      "all of them",                                         command_warps   },
    {"stack",    "",                      "the stack of this warp, top first",                   command_stack   },
    {"stops",    "",                      "breaks and watches, with numbers",                    command_stops   },
    {"delete",   "[N]",                   "one of them, or all",                                 command_delete  },
    {"help",     "",                      "this list; docs/debug.md says more",                  command_help    },
    {"quit",     "",                      "ends the run",                                        command_quit    },
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

const char *debug_command_name(size_t i) { return i < COMMAND_COUNT ? COMMANDS[i].name : NULL; }

static void command_help(struct debug *d, const struct words *w) {
    (void)w;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char usage[64];
        snprintf(usage, sizeof usage, "%s %s", COMMANDS[i].name, COMMANDS[i].usage);
        fprintf(d->options.out, "  %-28s %s\n", usage, COMMANDS[i].help);
    }
    fputs("break takes !=, <, <=, > and >= as well; break cycle N stops in that cycle\n", d->options.out);
}

static bool split(char *line, struct words *w) {
    w->count = 0;
    for (char *rest = NULL, *word = strtok_r(line, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (w->count == WORDS_MAX) return false;
        w->word[w->count++] = word;
    }
    for (unsigned i = w->count; i < WORDS_MAX; i++) w->word[i] = "";
    return true;
}

void debug_command(struct debug *d, char *line) {
    struct words w;
    d->mistake[0] = '\0';
    if (!split(line, &w)) {
        mistake(d, "too many words", "");
        return;
    }
    if (w.count == 0 || w.word[0][0] == '#') return;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strncmp(COMMANDS[i].name, w.word[0], strlen(w.word[0])) != 0) continue;
        COMMANDS[i].run(d, &w);
        return;
    }
    mistake(d, "there is no command of that name, see help:", w.word[0]);
}
