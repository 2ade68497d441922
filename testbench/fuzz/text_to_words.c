/* SPDX-License-Identifier: Apache-2.0 */
/* warp-as --words: lines of text to words. The words print as text with the same meaning. */
#include <stdlib.h>
#include <string.h>

#include "../../assembler/listing/words.h"
#include "fuzz.h"

static bool to_words(const char *text, size_t size, struct words_text *words) {
    struct messages m;
    struct diag d = {0};
    messages_init(&m, "fuzz", text, size);
    const enum status status = words_assemble(text, size, words, &m);
    fuzz_check((messages_first(&m, &d) != STATUS_OK) == (status != STATUS_OK), "status and messages disagree");
    fuzz_check_diag(status, &d);
    messages_release(&m);
    return status == STATUS_OK;
}

/* Prints words and reads the text, which must be correct. */
static void print_and_read(const struct words_text *words, struct words_text *again) {
    struct words_text printed = {0};
    struct diag d = {0};
    fuzz_check(words_disassemble("fuzz", words->text, words->size, ISA_DIALECT_3, false, &printed, &d) == STATUS_OK,
               "words that were printed cannot be read");
    fuzz_check(to_words(printed.text, printed.size, again), "text that was printed cannot be read");
    free(printed.text);
}

static void check_words(struct words_text *words, bool has_raw) {
    struct words_text again = {0};
    print_and_read(words, &again);
    if (has_raw) { /* bits that no text shows are lost now */
        free(words->text);
        *words = again;
        again = (struct words_text){0};
        print_and_read(words, &again);
    }
    fuzz_check(words->size == again.size && (words->size == 0 || memcmp(words->text, again.text, words->size) == 0),
               "words differ after printing them");
    free(again.text);
}

void fuzz_input(char *text, size_t size) {
    struct words_text words = {0};
    if (to_words(text, size, &words)) check_words(&words, memmem(text, size, ".word", 5) != NULL);
    free(words.text);
}
