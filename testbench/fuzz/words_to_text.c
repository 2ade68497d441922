/* SPDX-License-Identifier: Apache-2.0 */
/* warp-dis --words: lines of hexadecimal words to text, in both dialects. The text becomes words again, line by line,
 * and words from words are stable. */
#include <stdlib.h>
#include <string.h>

#include "../../assembler/listing/words.h"
#include "fuzz.h"

static size_t count_lines(const char *text, size_t size) {
    size_t n = 0;
    for (size_t i = 0; i < size; i++) n += text[i] == '\n' ? 1u : 0u;
    return n;
}

/* Text to words; the text came from warp-dis, so it must be correct. */
static void to_words(const struct words_text *text, struct words_text *words) {
    struct messages m;
    messages_init(&m, "fuzz", text->text, text->size);
    const enum status status = words_assemble(text->text, text->size, words, &m);
    if (status != STATUS_OK) messages_print(&m, stderr);
    messages_release(&m);
    fuzz_check(status == STATUS_OK, "text that was printed cannot be read");
    fuzz_check(count_lines(words->text, words->size) == count_lines(text->text, text->size), "lines were lost");
}

static void check_dialect(const char *text, size_t size, enum isa_dialect dialect) {
    struct words_text out = {0}, words = {0}, again = {0};
    struct diag d = {0};
    const enum status status = words_disassemble("fuzz", text, size, dialect, false, &out, &d);
    fuzz_check_diag(status, &d);
    if (status == STATUS_OK) {
        to_words(&out, &words);
        out.size = 0;
        fuzz_check(words_disassemble("fuzz", words.text, words.size, dialect, false, &out, &d) == STATUS_OK,
                   "words that were printed cannot be read");
        to_words(&out, &again);
        fuzz_check(words.size == again.size && (words.size == 0 || memcmp(words.text, again.text, words.size) == 0),
                   "words differ after printing them");
    }
    free(out.text);
    free(words.text);
    free(again.text);
}

void fuzz_input(char *text, size_t size) {
    check_dialect(text, size, ISA_DIALECT_3);
    check_dialect(text, size, ISA_DIALECT_5);
}
