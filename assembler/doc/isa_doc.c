/* SPDX-License-Identifier: Apache-2.0 */
/* Writes docs/isa.md: copies a template (assembler/doc/isa.in.md) and replaces the lines that begin with '@'. Diagrams
 * and rows go to a second page, docs/evidence/formats.md.
 *
 *     isa_doc isa TEMPLATE golden/encodings/thesis.tsv > docs/isa.md
 *     isa_doc formats TEMPLATE golden/encodings/thesis.tsv > docs/evidence/formats.md
 *
 * Headings get numbers.
 *
 *     @contents                 links to the headings
 *     @beside ... @end          text of the page of formats
 *     @thesis                   in the page of formats: formats of the thesis, with words from the second file
 *     @formats NAME ...         there: diagrams and rows of these mnemonics; each row must be requested exactly once
 *     @fields, @ignored         there: the names of fields; the bits that silicon ignores
 *     @evidence NAME ... : GROUP ...    numbers of real words and of semantic vectors
 *     @examples ... @end        lines "text || before || after" as a table, with the words of the text
 *     @conditions               the condition codes
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assembler/base/file.h"
#include "assembler/isa/isa.h"
#include "formats.h"

enum { LINE_BYTES = 256 };

struct document {
    const char *path, *text, *thesis;
    unsigned line;
    bool row_written[4096];
    bool formats; /* writing the page of formats, not docs/isa.md */
    bool failed;
};

static void complain(struct document *d, const char *what, const char *detail) {
    fprintf(stderr, "%s:%u: error: %s: %s\n", d->path, d->line, what, detail);
    d->failed = true;
}

/* ---- headings ---- */

/* A heading "## title" or "### title". Headings are numbered, 1, 1.1, 1.2, 2 ..., so that code can cite them. */
struct heading {
    char text[LINE_BYTES]; /* "1.2 title" */
    unsigned depth;        /* 2 or 3 */
    unsigned major, minor;
};

/* Reads the line as the heading after h; false, with h unchanged, if it is none. */
static bool read_heading(const char *line, struct heading *h) {
    size_t depth = strspn(line, "#");
    if (depth < 2 || depth > 3 || line[depth] != ' ') return false;
    int length = (int)strcspn(line + depth + 1, "\n");
    h->depth = (unsigned)depth;
    if (depth == 2) {
        h->major++;
        h->minor = 0;
        snprintf(h->text, sizeof h->text, "%u %.*s", h->major, length, line + depth + 1);
    } else {
        h->minor++;
        snprintf(h->text, sizeof h->text, "%u.%u %.*s", h->major, h->minor, length, line + depth + 1);
    }
    return true;
}

/* The anchor that Markdown readers make from a heading. */
static void write_anchor(FILE *out, const struct heading *h) {
    for (const char *s = h->text; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;
        if (isalnum(c) || c == '-' || c == '_') fputc(tolower(c), out);
        if (c == ' ') fputc('-', out);
    }
}

static void write_contents(const char *text) {
    struct heading h = {0};
    for (const char *s = text; s != NULL; s = strchr(s, '\n')) {
        while (*s == '\n') s++;
        if (!read_heading(s, &h)) continue;
        printf("%*s- [%s](#", (int)(h.depth - 2) * 2, "", h.text);
        write_anchor(stdout, &h);
        printf(")\n");
    }
}

/* ---- the formats of the thesis ---- */

/* A link to the section whose @formats line names the mnemonic. */
static void write_section(FILE *out, const char *mnemonic, void *state) {
    const struct document *d = state;
    struct heading heading = {0};
    for (const char *s = d->text; s != NULL; s = strchr(s, '\n')) {
        char line[LINE_BYTES] = "";
        s += *s == '\n' ? 1 : 0;
        memcpy(line, s, strcspn(s, "\n") < sizeof line ? strcspn(s, "\n") : 0);
        read_heading(line, &heading);
        if (strncmp(line, "@formats ", 9) != 0 || !formats_in_list(line + 9, mnemonic)) continue;
        fprintf(out, "[%s](#", mnemonic);
        write_anchor(out, &heading);
        fprintf(out, ")");
        return;
    }
}

static void write_thesis(struct document *d, const struct heading *h) {
    printf("\n## %s\n\n", h->text);
    FILE *golden = fopen(d->thesis, "r");
    if (golden == NULL || !formats_write_thesis(stdout, golden, write_section, d))
        complain(d, "does not list the formats of thesis.def", d->thesis);
    if (golden != NULL) fclose(golden);
}

/* ---- tables ---- */

static void write_fields(void) {
    static const struct {
        const char *name, *meaning;
    } names[] = {
#define NAME(name, meaning) {#name, meaning},
#include "spec/names.def"
#undef NAME
    };
    printf("| field | meaning |\n|---|---|\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        printf("| `%s` | %s |\n", names[i].name, names[i].meaning);
}

static void write_conditions(void) {
    printf("| code | name | holds for the nibbles OCSZ |\n|---|---|---|\n");
    for (unsigned code = 0; code < 32; code++) {
        printf("| %u | `%s` | ", code, isa_cond_name(code));
        unsigned holds = 0;
        for (unsigned nibble = 0; nibble < 16; nibble++)
            if (isa_cond_holds(code, nibble)) printf("%s%x", holds++ > 0 ? " " : "", nibble);
        printf("%s |\n", holds == 0 ? "none" : "");
    }
}

static void write_ignored(void) {
    static const struct {
        const char *mnemonic;
        uint64_t bits;
        const char *group;
    } ignored[] = {
#define IGNORED(mnemonic, bits, group) {mnemonic, bits, group},
#include "spec/ignored.def"
#undef IGNORED
    };
    printf("| mnemonic | ignored bits | vectors |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        printf("| %s |", ignored[i].mnemonic);
        for (unsigned bit = 0; bit < 64; bit++) {
            if ((ignored[i].bits >> bit & 1) == 0) continue;
            unsigned last = bit;
            while (last % 32 < 31 && (ignored[i].bits >> (last + 1) & 1) != 0) last++;
            printf(" %c%u", bit < 32 ? 'l' : 'h', bit % 32);
            if (last > bit) printf("-%u", last % 32);
            bit = last;
        }
        printf(" | `%s` |\n", ignored[i].group);
    }
}

/* ---- evidence ---- */

static const struct {
    const char *mnemonic;
    unsigned words;
} real[] = {
#define REAL(mnemonic, words) {#mnemonic, words},
#define VECTORS(group, canonical, ignoring)
#include "evidence.def"
#undef REAL
#undef VECTORS
};

static const struct {
    const char *group;
    unsigned canonical, ignoring;
} vectors[] = {
#define REAL(mnemonic, words)
#define VECTORS(group, canonical, ignoring) {#group, canonical, ignoring},
#include "evidence.def"
#undef REAL
#undef VECTORS
};

static bool write_real(const char *name, size_t number) {
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        if (strcmp(real[i].mnemonic, name) != 0) continue;
        printf("%s%s %u", number == 0 ? "Real words: " : ", ", name, real[i].words);
        return true;
    }
    return false;
}

static bool write_vectors(const char *name, size_t number) {
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        if (strcmp(vectors[i].group, name) != 0) continue;
        printf("%s`%s` %u + %u", number == 0 ? ". Vectors: " : ", ", name, vectors[i].canonical, vectors[i].ignoring);
        return true;
    }
    return false;
}

/* "NAME ... : GROUP ..." */
static void write_evidence(struct document *d, const char *text) {
    char list[LINE_BYTES];
    snprintf(list, sizeof list, "%s", text);
    size_t number = 0;
    bool groups = false;
    for (char *save, *name = strtok_r(list, " ", &save); name != NULL; name = strtok_r(NULL, " ", &save)) {
        if (strcmp(name, ":") == 0) {
            groups = true;
            number = 0;
        } else if (!(groups ? write_vectors(name, number++) : write_real(name, number++))) {
            complain(d, "no evidence is listed for", name);
        }
    }
    printf("%s.\n", groups && number == 0 ? ". No vectors" : "");
}

/* ---- examples ---- */

/* The words of "text; text ...", separated by blanks or semicolons as the texts are. */
static void write_words(struct document *d, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && text[end] != ';') end++;
        uint32_t lo, hi;
        struct isa_error error = {0};
        if (!isa_parse(text + at, end - at, NULL, &lo, &hi, &error))
            complain(d, "example is not an instruction", error.text);
        printf("%s%08" PRIx32, at > 0 ? "; " : "", lo);
        if (isa_is_long(lo)) printf(" %08" PRIx32, hi);
        at = end + 1;
    }
}

/* Escapes a bar within a cell of a table. */
static void write_cell(const char *s, size_t length) {
    for (size_t i = 0; i < length; i++) printf(s[i] == '|' ? "\\|" : "%c", s[i]);
}

/* "text || before || after" */
static void write_example(struct document *d, const char *s, size_t length) {
    const char *before = strstr(s, " || ");
    const char *after = before != NULL && before < s + length ? strstr(before + 4, " || ") : NULL;
    if (after == NULL || after > s + length) {
        complain(d, "expected", "text || before || after");
        return;
    }
    printf("| `");
    write_cell(s, (size_t)(before - s));
    printf("` | `");
    write_words(d, s, (size_t)(before - s));
    printf("` | %.*s | %.*s |\n", (int)(after - before - 4), before + 4, (int)(s + length - after - 4), after + 4);
}

/* Writes the lines up to "@end" and returns the rest. */
static const char *write_examples(struct document *d, const char *s) {
    printf("| instruction | words | before | after |\n|---|---|---|---|\n");
    while (*s != '\0') {
        size_t length = strcspn(s, "\n");
        const char *next = s + length + (s[length] == '\n');
        d->line++;
        if (strncmp(s, "@end", 4) == 0) return next;
        write_example(d, s, length);
        s = next;
    }
    complain(d, "missing", "@end");
    return s;
}

/* ---- the page of formats ---- */

static const char FORMATS_HEAD[] = "# Formats\n\n"
                                   "The encodings of each instruction: diagrams, and the rows of the table. Generated, "
                                   "as [isa.md](../isa.md) is, which\n"
                                   "says what the instructions do, and which words are undefined (1.4).\n\n"
                                   "`T1` ... are formats of the thesis, `P` rows beside them, `X` rows that neither "
                                   "has, `E` extensions; *seen*: words\n"
                                   "of real programs.\n";

/* The heading over a directive's output in the page of formats. */
static void write_formats_heading(const struct heading *h) { printf("\n## %s\n\n", h->text); }

/* The page of instructions links to that heading. */
static void write_formats_link(const struct heading *h) {
    printf("[Formats](evidence/formats.md#");
    write_anchor(stdout, h);
    printf(").\n");
}

static void write_formats(struct document *d, const struct heading *h, const char *list) {
    if (!d->formats) {
        write_formats_link(h);
        return;
    }
    write_formats_heading(h);
    if (!formats_write(stdout, list, d->row_written)) complain(d, "no rows of", list);
}

static void write_list(const struct document *d, const struct heading *h, void (*write)(void)) {
    if (!d->formats) {
        write_formats_link(h);
        return;
    }
    write_formats_heading(h);
    write();
}

/* Writes the lines up to "@end" there and returns what follows. */
static const char *write_beside(struct document *d, const struct heading *h, const char *s) {
    d->formats ? write_formats_heading(h) : write_formats_link(h);
    for (const char *next; *s != '\0'; s = next) {
        const size_t length = strcspn(s, "\n");
        next = s + length + (s[length] == '\n');
        d->line++;
        if (strncmp(s, "@end", 4) == 0) return next;
        if (d->formats) printf("%.*s\n", (int)length, s);
    }
    complain(d, "missing", "@end");
    return s;
}

/* ---- the template ---- */

/* A directive of the page of instructions. */
static const char *expand(struct document *d, const char *line, const char *next) {
    if (strcmp(line, "@examples") == 0) return write_examples(d, next);
    if (strcmp(line, "@contents") == 0)
        write_contents(d->text);
    else if (strcmp(line, "@conditions") == 0)
        write_conditions();
    else if (strncmp(line, "@evidence ", 10) == 0)
        write_evidence(d, line + 10);
    else
        complain(d, "unknown directive", line);
    return next;
}

/* Writes the expansion of one line of the template, and returns the rest. */
static const char *write_line(struct document *d, const char *s, struct heading *heading) {
    char line[LINE_BYTES] = "";
    const size_t length = strcspn(s, "\n");
    const char *next = s + length + (s[length] == '\n');
    const bool is_heading = read_heading(s, heading);
    d->line++;
    if (*s == '@' && length >= sizeof line) complain(d, "line is too long", "");
    if (*s == '@' && length < sizeof line) memcpy(line, s, length);
    if (strcmp(line, "@beside") == 0) return write_beside(d, heading, next);
    if (strncmp(line, "@formats ", 9) == 0)
        write_formats(d, heading, line + 9);
    else if (strcmp(line, "@thesis") == 0)
        d->formats ? write_thesis(d, heading) : write_formats_link(heading);
    else if (strcmp(line, "@fields") == 0)
        write_list(d, heading, write_fields);
    else if (strcmp(line, "@ignored") == 0)
        write_list(d, heading, write_ignored);
    else if (d->formats)
        return next;
    else if (line[0] == '@')
        return expand(d, line, next);
    else if (is_heading)
        printf("%.*s %s\n", (int)heading->depth, "###", heading->text);
    else
        printf("%.*s\n", (int)length, s);
    return next;
}

int main(int argc, char **argv) {
    static struct document d;
    struct diag diag = {0};
    char *text;
    size_t size;
    if (argc != 4 || (strcmp(argv[1], "isa") != 0 && strcmp(argv[1], "formats") != 0)) {
        fprintf(stderr, "usage: isa_doc isa|formats TEMPLATE golden/encodings/thesis.tsv > PAGE\n");
        return 2;
    }
    if (file_read(argv[2], &text, &size, &diag) != STATUS_OK) return diag_report(stderr, &diag);
    d = (struct document){.path = argv[2], .thesis = argv[3], .text = text, .formats = strcmp(argv[1], "formats") == 0};
    struct heading heading = {0};
    if (d.formats) printf("%s", FORMATS_HEAD);
    for (const char *s = text; *s != '\0';) s = write_line(&d, s, &heading);
    for (size_t row = 0; d.formats && row < isa_row_count(); row++)
        if (!d.row_written[row]) complain(&d, "no section has the row", isa_row_id(row));
    free(text);
    return d.failed || fflush(stdout) != 0 ? 2 : 0;
}
