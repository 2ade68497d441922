/* SPDX-License-Identifier: Apache-2.0 */
/* Removes host code from CUDA C, see host_code.h.
 *
 * Declarations are classified by their words alone. Device declarations have an attribute (device, global, shared,
 * constant) or constexpr, and stay. Types and constants stay if a declaration that stays names them. All others, also
 * members of classes, belong to the host and are removed. */
#include "host_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../assembler/base/begins.h"
#include "../assembler/base/grow.h"

enum { WORD_LENGTH = 64 };

/* A declaration outside classes. */
struct range {
    char *begin, *end;
    enum { RANGE_KEPT, RANGE_STAYS, RANGE_ON_DEMAND, RANGE_GOES } kind;
    bool is_enum, is_typedef, is_using;
};

struct scan {
    char *text, *at; /* text: the whole; at: the next position */
    const char *kept;
    FILE *launches;
    unsigned launch_count;
    bool is_kept; /* the lines are from the file that is kept */
    bool removed;
    bool failed; /* memory is exhausted */
    struct range *ranges;
    size_t range_count, range_capacity;
};

/* Properties of a declaration. */
struct declaration {
    char *begin;
    bool has_begun, is_kept;
    bool is_device, is_typedef, is_using, is_constant, is_class, is_enum, is_namespace, is_language;
    bool is_operator;    /* operator=, before its parameters */
    bool has_parameters; /* f(int) */
    bool is_pointer;     /* (*f)(int) */
    bool has_value;      /* = */
};

/* ---- words ---- */

static bool equals(const char *word, const char *other) { return strcmp(word, other) == 0; }

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_name(const char *word) { return is_word(*word) && !isdigit((unsigned char)*word); }

/* Reads a line marker, which names the file of the next lines. */
static char *skip_directive(struct scan *s, char *at) {
    char *end = at + strcspn(at, "\n");
    char *quote = memchr(at, '"', (size_t)(end - at));
    if (quote != NULL && isdigit((unsigned char)at[1 + strspn(at + 1, " ")])) {
        const size_t length = strlen(s->kept);
        s->is_kept = quote[1] == '<' || (strncmp(quote + 1, s->kept, length) == 0 && quote[1 + length] == '"');
    }
    return end;
}

static char *skip_quoted(char *at) {
    const char quote = *at++;
    for (; *at != '\0' && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at[1] != '\0') at++;
    return *at == quote ? at + 1 : at;
}

/* Skips a raw string R"x(...)x" from its quote. */
static char *skip_raw_string(char *at) {
    char end[WORD_LENGTH + 3];
    const size_t length = strcspn(at + 1, "(");
    if (length > WORD_LENGTH) return at + 1;
    snprintf(end, sizeof end, ")%.*s\"", (int)length, at + 1);
    char *found = strstr(at, end);
    return found != NULL ? found + strlen(end) : at + strlen(at);
}

/* Skips white space and line markers. */
static char *skip_space(struct scan *s, char *at) {
    bool line_begins = at == s->text;
    while (*at != '\0') {
        if (*at == '\n') {
            line_begins = true;
            at++;
        } else if (isspace((unsigned char)*at)) {
            at++;
        } else if (*at == '#' && line_begins) {
            at = skip_directive(s, at);
        } else {
            break;
        }
    }
    return at;
}

/* Reads the next word, number, quoted text or punctuation; returns false at the end. */
static bool read_word(struct scan *s, char word[WORD_LENGTH]) {
    char *at = s->at = skip_space(s, s->at), *end = at;
    if (*at == '\0') return false;
    if (is_word(*at)) {
        while (is_word(*end) || (*end == '\'' && isdigit((unsigned char)*at) && is_word(end[1]))) end++;
        if (*end == '"' && end[-1] == 'R') end = skip_raw_string(end);
    } else if (*at == '"' || *at == '\'') {
        end = skip_quoted(at);
    } else {
        end = at[0] == ':' && at[1] == ':' ? at + 2 : at + 1;
    }
    size_t length = (size_t)(end - at);
    if (length >= WORD_LENGTH) length = WORD_LENGTH - 1;
    memcpy(word, at, length);
    word[length] = '\0';
    s->at = end;
    return true;
}

static bool is_opening_bracket(const char *word) { return strchr("([{", *word) != NULL; }

static bool is_closing_bracket(const char *word) { return strchr(")]}", *word) != NULL; }

/* ---- declarations ---- */

/* Overwrites a range by spaces, except line markers. */
static void blank_range(struct scan *s, char *begin, const char *end) {
    bool line_begins = begin == s->text || begin[-1] == '\n';
    s->removed = true;
    for (char *at = begin; at < end; at++) {
        if (*at == '#' && line_begins) at += strcspn(at, "\n");
        if (at >= end) return;
        line_begins = *at == '\n';
        if (!line_begins) *at = ' ';
    }
}

static void add_range(struct scan *s, const struct declaration *d) {
    struct range *grown = grow_array(s->ranges, s->range_count, &s->range_capacity, sizeof *grown);
    const bool is_function = d->has_parameters && !d->is_typedef && !d->is_using;
    if (grown == NULL) {
        s->failed = true;
        return;
    }
    s->ranges = grown;
    struct range *r = &s->ranges[s->range_count++];
    *r = (struct range){
        .begin = d->begin, .end = s->at, .is_enum = d->is_enum, .is_typedef = d->is_typedef, .is_using = d->is_using};
    if (d->is_kept)
        r->kind = RANGE_KEPT;
    else if (d->is_device || d->is_namespace)
        r->kind = RANGE_STAYS;
    else if (!is_function && (d->is_typedef || d->is_using || d->is_class || d->is_enum || d->is_constant))
        r->kind = RANGE_ON_DEMAND;
    else
        r->kind = RANGE_GOES;
}

static void finish_declaration(struct scan *s, struct declaration *d, bool is_member) {
    if (is_member && d->has_parameters && !d->is_pointer && !d->is_device && !d->is_kept)
        blank_range(s, d->begin, s->at);
    else if (!is_member && d->has_begun)
        add_range(s, d);
    *d = (struct declaration){.begin = s->at};
}

/* Skips to the closing bracket. */
static void skip_group(struct scan *s) {
    char word[WORD_LENGTH];
    for (unsigned open = 1; open > 0 && read_word(s, word);) {
        if (is_opening_bracket(word)) open++;
        if (is_closing_bracket(word)) open--;
    }
}

/* Reads an attribute such as __attribute__((device)), from behind its first word. */
static void scan_attribute(struct scan *s, struct declaration *d) {
    static const char *const DEVICE[] = {"device", "global", "shared", "constant", NULL};
    char word[WORD_LENGTH];
    for (unsigned open = 0; read_word(s, word);) {
        if (is_opening_bracket(word)) open++;
        if (is_closing_bracket(word) && --open == 0) return;
        d->is_device |= is_one_of(word, DEVICE);
    }
}

static void skip_template_parameters(struct scan *s) {
    char word[WORD_LENGTH];
    if (*skip_space(s, s->at) != '<') return;
    for (unsigned open = 0; read_word(s, word);) {
        if (*word == '<') open++;
        if (*word == '>' && --open == 0) return;
    }
}

static void scan_parentheses(struct scan *s, struct declaration *d) {
    if (!d->has_value) {
        if (!d->has_parameters) d->is_pointer = *skip_space(s, s->at) == '*';
        d->has_parameters = true;
        d->is_operator = false;
    }
    skip_group(s);
}

static void scan_scope(struct scan *s, bool is_class);

static void scan_brace(struct scan *s, struct declaration *d, bool is_member) {
    const bool is_body = d->has_parameters && !d->has_value;
    if (d->is_namespace || (d->is_language && !d->has_parameters)) {
        scan_scope(s, false);
        *d = (struct declaration){.begin = s->at};
    } else if (d->is_class && !d->is_enum && !d->has_parameters && !d->has_value && !d->is_kept) {
        scan_scope(s, true);
    } else {
        skip_group(s);
        if (is_body) finish_declaration(s, d, is_member);
    }
}

static void scan_word(struct scan *s, struct declaration *d, const char *word, const char *before) {
    static const char *const ATTRIBUTES[] = {"__attribute__", "__declspec", "alignas", NULL};
    static const char *const LABELS[] = {"public", "private", "protected", NULL};
    if (equals(word, ":") && is_one_of(before, LABELS)) {
        *d = (struct declaration){.begin = s->at};
        return;
    }
    if (is_one_of(word, ATTRIBUTES)) scan_attribute(s, d);
    if (equals(word, "template")) skip_template_parameters(s);
    d->is_device |= equals(word, "constexpr");
    d->is_typedef |= equals(word, "typedef");
    d->is_using |= equals(word, "using");
    d->is_class |= equals(word, "struct") || equals(word, "class") || equals(word, "union");
    d->is_enum |= equals(word, "enum");
    d->is_namespace |= equals(word, "namespace");
    d->is_language |= equals(word, "\"C\"");
    d->is_constant |= equals(word, "const") || equals(word, "texture");
    d->is_operator |= equals(word, "operator");
    d->has_value |= equals(word, "=") && !d->is_operator;
}

/* Reads declarations up to the closing brace, or to the end. */
static void scan_scope(struct scan *s, bool is_class) {
    struct declaration d = {.begin = s->at};
    char word[WORD_LENGTH], before[WORD_LENGTH] = "";
    while (read_word(s, word) && *word != '}') {
        if (!d.has_begun) d.is_kept = s->is_kept;
        d.has_begun = true;
        switch (*word) {
        case ';': finish_declaration(s, &d, is_class); break;
        case '{': scan_brace(s, &d, is_class); break;
        case '(': scan_parentheses(s, &d); break;
        default: scan_word(s, &d, word, before);
        }
        memcpy(before, word, sizeof before);
    }
}

/* ---- use of declarations ---- */

/* A set of words. */
struct words {
    char (*slots)[WORD_LENGTH];
    size_t count, capacity; /* a power of two */
    bool failed;
};

static size_t find_slot(const struct words *w, const char *word) {
    size_t hash = 5381;
    for (const char *c = word; *c != '\0'; c++) hash = hash * 33 + (unsigned char)*c;
    for (hash &= w->capacity - 1; w->slots[hash][0] != '\0' && !equals(w->slots[hash], word);)
        hash = (hash + 1) & (w->capacity - 1);
    return hash;
}

static bool has_word(const struct words *w, const char *word) {
    return w->capacity > 0 && w->slots[find_slot(w, word)][0] != '\0';
}

static void add_word(struct words *w, const char *word) {
    if (2 * w->count >= w->capacity) {
        struct words larger = {.capacity = w->capacity > 0 ? 2 * w->capacity : 1024};
        larger.slots = calloc(larger.capacity, sizeof *larger.slots);
        if (larger.slots == NULL) {
            w->failed = true;
            return;
        }
        for (size_t i = 0; i < w->capacity; i++)
            if (w->slots[i][0] != '\0') memcpy(larger.slots[find_slot(&larger, w->slots[i])], w->slots[i], WORD_LENGTH);
        larger.count = w->count;
        free(w->slots);
        *w = larger;
    }
    const size_t slot = find_slot(w, word);
    if (w->slots[slot][0] != '\0') return;
    snprintf(w->slots[slot], WORD_LENGTH, "%s", word);
    w->count++;
}

static void add_words(struct scan *s, struct words *w, const struct range *r) {
    char word[WORD_LENGTH];
    s->at = r->begin;
    while (!w->failed && s->at < r->end && read_word(s, word) && s->at <= r->end)
        if (is_name(word)) add_word(w, word);
}

/* Returns the start of the name, as in f<16> before <<<, at `begin` or behind; NULL if the function has no arguments
 * in <>. */
static char *find_name(const char *begin, char *launch) {
    char *at = launch;
    unsigned open = 0;
    while (at > begin && isspace((unsigned char)at[-1])) at--;
    if (at == begin || at[-1] != '>') return NULL;
    do {
        at--;
        if (*at == '>') open++;
        if (*at == '<') open--;
    } while (at > begin && open > 0);
    while (at > begin && isspace((unsigned char)at[-1])) at--;
    char *end = at;
    while (at > begin && (is_word(at[-1]) || at[-1] == ':')) at--;
    return at < end ? at : NULL;
}

static bool is_keyword(const char *word) {
    static const char *const KEYWORDS[] = {
        "const",  "static", "int",      "unsigned", "signed",   "char",  "short", "long",    "float",
        "double", "bool",   "void",     "struct",   "class",    "union", "enum",  "typedef", "using",
        "extern", "inline", "volatile", "template", "typename", "auto",  NULL};
    return is_one_of(word, KEYWORDS);
}

/* Returns whether a statement is a constant such as const int N = 16; with keywords, a name and a value without
 * calls. */
static bool is_constant_definition(struct scan *s, char *begin, const char *end) {
    char word[WORD_LENGTH];
    unsigned names = 0;
    bool has_value = false;
    for (s->at = begin; s->at < end && read_word(s, word) && *word != ';';) {
        if (equals(word, "=")) has_value = true;
        if (strchr("({[<\"&", *word) != NULL) return false;
        if (!has_value && !is_keyword(word) && ++names > 1) return false;
    }
    return has_value && names == 1;
}

static void write_text(FILE *out, const char *begin, const char *end) {
    for (const char *c = begin; c < end; c++) fputc(*c == '\n' ? ' ' : *c, out);
}

/* Writes the constants of a host function, because its launches may name them. */
static void write_constants(struct scan *s, const struct range *r) {
    for (char *at = r->begin; (at = strstr(at, "const")) != NULL && at < r->end; at++) {
        char *end = strchr(at, ';');
        if (end == NULL || is_word(at[-1]) || !is_constant_definition(s, at, end)) continue;
        write_text(s->launches, at, end + 1);
    }
}

/* Writes a function for each launch, because some launches are invalid alone. The words of a launch count as used. */
static void write_launches(struct scan *s, struct words *w, const struct range *r) {
    for (char *at = r->begin; (at = strstr(at, "<<<")) != NULL && at < r->end; at += 3) {
        char *name = find_name(r->begin, at);
        if (name == NULL) continue;
        add_words(s, w, &(const struct range){.begin = name, .end = at});
        fprintf(s->launches, "static inline void warp_launch_%u() {", s->launch_count++);
        write_constants(s, r);
        fputs("(void)&", s->launches);
        write_text(s->launches, name, at);
        fputs("; }\n", s->launches);
    }
}

/* Returns whether a kept declaration uses a name that this one may declare: a word outside braces and values; for
 * using a::b the last word. */
static bool is_needed(struct scan *s, const struct words *w, const struct range *r) {
    char word[WORD_LENGTH];
    bool is_value = false, is_last = false;
    s->at = r->begin;
    while (s->at < r->end && read_word(s, word) && s->at <= r->end) {
        const bool looks_inside = r->is_enum || (r->is_typedef && *word == '(' && *skip_space(s, s->at) == '*');
        if (is_opening_bracket(word) && !looks_inside) skip_group(s);
        if (!r->is_enum && *word == '=') is_value = true;
        if (!r->is_using && *word == ',') is_value = false;
        if (is_value || !is_name(word) || is_keyword(word)) continue;
        is_last = has_word(w, word);
        if (is_last && !r->is_using) return true;
    }
    return is_last;
}

static void keep_needed_declarations(struct scan *s, struct words *w) {
    for (bool found = true; found && !w->failed;) {
        found = false;
        for (size_t i = 0; i < s->range_count; i++) {
            struct range *r = &s->ranges[i];
            if (r->kind != RANGE_ON_DEMAND || !is_needed(s, w, r)) continue;
            r->kind = RANGE_STAYS;
            add_words(s, w, r);
            found = true;
        }
    }
}

enum host_code host_code_remove(char *text, const char *kept, FILE *launches) {
    struct scan s = {.text = text, .at = text, .kept = kept, .launches = launches};
    struct words w = {0};
    while (*skip_space(&s, s.at) != '\0') scan_scope(&s, false);
    for (size_t i = 0; i < s.range_count; i++) {
        const struct range *r = &s.ranges[i];
        if (r->kind == RANGE_STAYS) add_words(&s, &w, r);
        if (r->kind == RANGE_GOES) write_launches(&s, &w, r);
    }
    keep_needed_declarations(&s, &w);
    for (size_t i = 0; i < s.range_count; i++)
        if (s.ranges[i].kind > RANGE_STAYS) blank_range(&s, s.ranges[i].begin, s.ranges[i].end);
    const bool failed = s.failed || w.failed;
    free(s.ranges);
    free(w.slots);
    return failed ? HOST_CODE_NO_MEMORY : s.removed ? HOST_CODE_REMOVED : HOST_CODE_NONE;
}
