// SPDX-License-Identifier: Apache-2.0
// Operator mutants of C and VHDL: lists those of the given files, or writes a file with one of them inserted.
//
//     source FILE...                 key, entity, place, kind; separated by tabs
//     source -m KEY FILE             the file with that mutant
//
// A key is FILE:LINE:COLUMN:KIND. One operator becomes another, a number is incremented, a condition negated, a return
// of true becomes one of false; a statement is removed. It works by lines in clang-format's layout: an operator has a
// blank on both sides.
#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/netlist/text.h"
#include "sim/netlist/vhdl_lexer.h"

struct source {
    struct pool *pool;
    const char *file, *only; // only: the key of the mutant to insert, or NULL
    unsigned line;
    const char *text; // of the line
    bool found;
};

static void mutant(struct source *s, const char *kind, size_t column, size_t length, const char *instead) {
    char *key = pool_format(s->pool, "%s:%u:%zu:%s", s->file, s->line, column + 1, kind);
    for (char *blank = key; (blank = strchr(blank, ' ')) != NULL;) *blank = '_';
    if (!s->only) {
        printf("%s\t%s\t%s:%u:%zu\t%s\n", key, s->file, s->file, s->line, column + 1, kind);
    } else if (strcmp(s->only, key) == 0) {
        s->text = pool_format(s->pool, "%.*s%s%s", (int)column, s->text, instead, s->text + column + length);
        s->found = true;
    }
}

struct swap {
    const char *from, *to;
};

// -------------------------------------------------------------------------------------------------------------- VHDL

enum { WORDS = 256 };

struct words {
    struct token word[WORDS];
    size_t count;
};

// The words of a line, without comments.
static void split(struct words *words, const char *line) {
    struct lexer lexer = lexer_of(line);
    words->count = 0;
    while (words->count < WORDS) {
        struct token token = vhdl_next_word(&lexer);
        if (token.kind == TOKEN_END) return;
        words->word[words->count++] = token;
    }
}

static size_t column_of(const struct token *token) { return token->place.column - 1; }

static void swap_words(struct source *s, const struct words *words, const struct swap *swap) {
    for (size_t i = 0; i < words->count; i++) {
        const struct token *token = &words->word[i];
        if (token_is(token, swap->from) && token->spaces > 0 && token->text[token->length] == ' ')
            mutant(s, pool_format(s->pool, "%s %s", swap->from, swap->to), column_of(token), token->length, swap->to);
    }
}

static void invert_bits(struct source *s, const struct words *words, const char *bit, const char *other) {
    for (size_t i = 0; i < words->count; i++)
        if (token_is(&words->word[i], bit)) mutant(s, "bit", column_of(&words->word[i]), 3, other);
}

// The first one of the line.
static void drop_not(struct source *s, const struct words *words) {
    for (size_t i = 0; i + 1 < words->count; i++) {
        const struct token *token = &words->word[i], *next = token + 1;
        if (!token_is(token, "not") || token->spaces == 0 || next->spaces != 1) continue;
        if (!islower((unsigned char)next->text[0]) && next->text[0] != '(') continue;
        mutant(s, "not", column_of(token), 4, "");
        return;
    }
}

// TARGET <= VALUE; on a line, in a process or a subprogram
static bool is_assignment(const struct words *words) {
    const struct token *first = words->word;
    if (words->count < 4 || first->spaces < 6 || (!islower((unsigned char)first->text[0]) && first->text[0] != '_'))
        return false;
    size_t at = 1;
    while (at < words->count && words->word[at].spaces == 0) at++;
    if (at + 1 >= words->count || words->word[at + 1].spaces != 1) return false;
    if (!token_is(&words->word[at], "<=") && !token_is(&words->word[at], ":=")) return false;
    while (at < words->count && !token_is(&words->word[at], ";")) at++;
    return at + 1 == words->count;
}

static void mutate_vhdl(struct source *s, const struct words *words, bool in_body) {
    static const struct swap swaps[] = {
        {"and", "or" },
        {"or",  "and"},
        {"=",   "/=" },
        {"/=",  "="  },
        {"+",   "-"  },
        {"-",   "+"  },
        {"xor", "and"}
    };
    for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++) swap_words(s, words, &swaps[i]);
    invert_bits(s, words, "'0'", "'1'");
    invert_bits(s, words, "'1'", "'0'");
    drop_not(s, words);
    if (!in_body || !is_assignment(words)) return;
    const struct token *first = words->word, *last = first + words->count - 1;
    mutant(s, "dropped", column_of(first), (size_t)(last->text + last->length - first->text), "null;");
}

// ----------------------------------------------------------------------------------------------------------------- C

static regmatch_t match(const char *pattern, const char *text) {
    regex_t compiled;
    regmatch_t found = {.rm_so = -1};
    if (regcomp(&compiled, pattern, REG_EXTENDED) != 0) abort();
    if (regexec(&compiled, text, 1, &found, 0) != 0) found.rm_so = -1;
    regfree(&compiled);
    return found;
}

static bool matches(const char *pattern, const char *text) { return match(pattern, text).rm_so >= 0; }

// The line without comments, strings, preprocessor, types and prototypes.
static char *code_of(struct source *s) {
    char *code = pool_text(s->pool, s->text, strlen(s->text));
    if (matches("^ *(/\\*|\\*|//|#)", code) ||
        matches("^(static|struct|enum|const|bool|void|int|unsigned|uint|typedef|extern)[^=]*$", code))
        *code = '\0';
    char *comment = strstr(code, "/*");
    if (comment) *comment = '\0';
    comment = strstr(code, " //");
    if (comment) *comment = '\0';
    for (char *open = code, *close; (open = strchr(open, '"')) && (close = strchr(open + 1, '"')); open = close)
        memset(open, '_', (size_t)(close - open) + 1);
    return code;
}

static void swap_operator(struct source *s, const char *code, const struct swap *swap) {
    const char *with_blanks = pool_format(s->pool, " %s ", swap->from);
    size_t length = strlen(swap->from);
    for (const char *at = code; (at = strstr(at, with_blanks)) != NULL; at += 1 + length)
        mutant(s, pool_format(s->pool, "%s %s", swap->from, swap->to), (size_t)(at - code) + 1, length, swap->to);
}

static void negate(struct source *s, const char *code) {
    regmatch_t head = match("^ *(\\}[ ]else )?(if|while) \\(", code);
    if (head.rm_so < 0 || !matches("\\) \\{$", code)) return;
    size_t start = (size_t)head.rm_eo, length = strlen(code) - start - 3;
    mutant(s, "negated", start, length, pool_format(s->pool, "!(%.*s)", (int)length, s->text + start));
}

static void replace(struct source *s, const char *code, const char *text, const char *kind, const char *instead) {
    const char *at = strstr(code, text);
    if (at) mutant(s, kind, (size_t)(at - code), strlen(text), instead);
}

static void drop(struct source *s, const char *code) {
    if (!matches("^ +[a-z_][a-z_0-9]*((->|\\.|\\[)[^ =]*)? [|&+^-]?= [^{]*;$", code) &&
        !matches("^ +[a-z_0-9]+\\([^{]*\\);$", code) && !matches("^ +(continue|break);$", code))
        return;
    size_t blanks = strspn(code, " ");
    if (!matches("^ +(return|free|assert)", code)) mutant(s, "dropped", blanks, strlen(code) - blanks, ";");
}

static void count_up(struct source *s, const char *code) {
    regmatch_t found;
    for (size_t at = 0; (found = match("[ ([][0-9]+[] ;,)]", code + at)).rm_so >= 0;) {
        size_t from = at + (size_t)found.rm_so + 1, length = (size_t)(found.rm_eo - found.rm_so) - 2;
        unsigned long long number = strtoull(code + from, NULL, 10);
        mutant(s, "constant", from, length, pool_format(s->pool, "%llu", number + 1));
        at = from + length;
    }
}

static void mutate_c(struct source *s) {
    static const struct swap swaps[] = {
        {"&&", "||"},
        {"||", "&&"},
        {"==", "!="},
        {"!=", "=="},
        {"<",  "<="},
        {"<=", "<" },
        {">",  ">="},
        {">=", ">" },
        {"+",  "-" },
        {"-",  "+" },
        {"&",  "|" },
        {"|",  "&" },
        {"^",  "|" },
        {"<<", ">>"},
        {">>", "<<"},
        {"+=", "-="},
        {"-=", "+="},
        {"|=", "&="},
        {"&=", "|="},
        {"<",  ">="},
        {">",  "<="}
    };
    const char *code = code_of(s);
    if (!*code || s->text[0] != ' ') return;
    for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++) swap_operator(s, code, &swaps[i]);
    negate(s, code);
    replace(s, code, "return true;", "false", "return false;");
    replace(s, code, "return false;", "true", "return true;");
    drop(s, code);
    count_up(s, code);
}

// ------------------------------------------------------------------------------------------------------------- files

static void mutate_file(struct source *s, char *text) {
    size_t length = strlen(s->file);
    bool is_vhdl = length > 4 && strcmp(s->file + length - 4, ".vhd") == 0, in_body = false;
    s->line = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL && (text || *line);) {
        struct words words;
        s->line++;
        s->text = line;
        if (is_vhdl) {
            split(&words, line);
            if (words.count > 0 && token_is(&words.word[0], "begin")) in_body = true;
            mutate_vhdl(s, &words, in_body);
        } else {
            mutate_c(s);
        }
        if (s->only) puts(s->text);
    }
}

int main(int argc, char **argv) {
    bool is_one = argc == 4 && strcmp(argv[1], "-m") == 0;
    if (argc < 2 || (argv[1][0] == '-' && !is_one)) {
        fputs("usage: source FILE... | source -m KEY FILE\n", stderr);
        return 2;
    }
    struct pool pool = {0};
    struct source s = {.pool = &pool, .only = is_one ? argv[2] : NULL};
    for (int i = is_one ? 3 : 1; i < argc; i++) {
        char *text = text_read(&pool, argv[i]);
        s.file = argv[i];
        if (text) mutate_file(&s, text);
        if (text) continue;
        fprintf(stderr, "source: %s: %s\n", argv[i], errno ? strerror(errno) : "is no text");
        return 2;
    }
    pool_free(&pool);
    if (!s.only || s.found) return 0;
    fprintf(stderr, "%s: no such mutant\n", argv[2]);
    return 1;
}
